package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/seed92411348/kfda/discriminant/inference"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

//go:embed novelty.py
var noveltyScript string

// noveltySplits is in how many random halves of the zeros to eights the nines are looked for.
const noveltySplits = 20

// noveltySplit has the numbers of rows.
type noveltySplit struct {
	Train []int `json:"train"`
	Test  []int `json:"test"` // as in training
	New   []int `json:"new"`
}

// novelty compares how well distances tell the nines of digits from zeros to eights that are not
// trained on, when nines are not, with detectors of scikit-learn on the same columns.
func novelty(ctx context.Context, folder string, stdout, stderr io.Writer) error {
	x, labels, err := plain("classic/digits.csv")(folder)
	if err != nil {
		return err
	}
	splits := make([]noveltySplit, noveltySplits)
	for seed := range splits {
		s := &splits[seed]
		for _, i := range rand.New(rand.NewPCG(2, uint64(seed))).Perm(len(labels)) {
			switch {
			case labels[i] == "9":
				s.New = append(s.New, i)
			case len(s.Train) <= len(s.Test):
				s.Train = append(s.Train, i)
			default:
				s.Test = append(s.Test, i)
			}
		}
	}
	fmt.Fprintf(stdout, "| detector | AUC, mean over %d splits | p ≤ 0.05 of rows as in training %% | of nines %% |\n|---|--:|--:|--:|\n", noveltySplits)
	for _, c := range []struct {
		ridge     float64
		landmarks int
	}{{1, 0}, {0.1, 0}, {0.01, 0}, {0.001, 0}, {0.1, 50}, {0.1, 100}, {0.1, 200}} {
		var areas, usual, found []float64
		for _, s := range splits {
			sample, err := noveltySample(ctx, takeRows(x, s.Train), c.ridge, c.landmarks)
			if err != nil {
				return err
			}
			n, err := inference.Novelty(ctx, sample, takeRows(x, slices.Concat(s.Test, s.New)))
			if err != nil {
				return err
			}
			areas = append(areas, areaUnder(n.Distances[:len(s.Test)], n.Distances[len(s.Test):]))
			usual = append(usual, shareBelow(n.PValues[:len(s.Test)]))
			found = append(found, shareBelow(n.PValues[len(s.Test):]))
		}
		area, off := meanAndStandardError(areas)
		below, _ := meanAndStandardError(usual)
		nines, _ := meanAndStandardError(found)
		fmt.Fprintf(stdout, "| D², default γ, relative ridge %v, %d landmarks | %.4f ± %.4f | %.1f | %.1f |\n", c.ridge, c.landmarks, area, off, below, nines)
	}
	others, err := scikitNovelty(ctx, x, splits)
	if err != nil {
		fmt.Fprintf(stderr, "%v; its rows are left out\n", err)
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(others)) {
		area, off := meanAndStandardError(others[name])
		fmt.Fprintf(stdout, "| %s | %.4f ± %.4f | – | – |\n", name, area, off)
	}
	return nil
}

// noveltySample is of rows in random order, twice as many of the first of which as there are landmarks these are
// drawn among.
func noveltySample(ctx context.Context, x *matrix.Dense, ridge float64, landmarks int) (*inference.Sample, error) {
	set := inference.Settings{Kernel: gram.RBF{}, Ridge: ridge, Relative: true}
	if landmarks == 0 {
		return inference.NewSample(ctx, set, x)
	}
	aside := x.View(0, 0, 2*landmarks, x.Cols)
	rows, err := inference.DrawLandmarks(ctx, set.Kernel, aside, nil, landmarks, 0)
	if err != nil {
		return nil, err
	}
	return inference.NewLandmarkSample(ctx, set, x.View(2*landmarks, 0, x.Rows-2*landmarks, x.Cols), takeRows(aside, rows))
}

func scikitNovelty(ctx context.Context, x *matrix.Dense, splits []noveltySplit) (areas map[string][]float64, err error) {
	line, err := json.Marshal(map[string]any{"splits": splits, "rows": x.Rows})
	if err != nil {
		return nil, err
	}
	input, err := binary.Append(append(line, '\n'), binary.LittleEndian, x.Data)
	if err != nil {
		return nil, err
	}
	out, err := scikit(ctx, noveltyScript, input)
	if err != nil {
		return nil, err
	}
	return areas, json.NewDecoder(bytes.NewReader(out)).Decode(&areas)
}

// areaUnder is the chance that one of the larger values is above one of the smaller ones.
func areaUnder(smaller, larger []float64) float64 {
	sorted := slices.Sorted(slices.Values(smaller))
	sum := 0.0
	for _, v := range larger {
		below, _ := slices.BinarySearch(sorted, v)
		sum += float64(below)
	}
	return sum / float64(len(smaller)) / float64(len(larger))
}

// shareBelow is that of p-values up to 0.05, in %.
func shareBelow(p []float64) float64 {
	count := 0.0
	for _, v := range p {
		if v <= 0.05 {
			count++
		}
	}
	return 100 * count / float64(len(p))
}
