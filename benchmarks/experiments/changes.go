package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/seed92411348/kfda/discriminant/inference"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// changePoints tells how often changes are found in so many series of noise, and in a tenth of that of series with
// three.
func changePoints(ctx context.Context, sets, workers int, stdout, stderr io.Writer) error {
	fmt.Fprintf(stdout, "Share of %d series of 50 rows of noise, in %%: with a change, at a level of 5 %%; whose best split is among 6 of 45 next to the ends; whose largest nλ is.\n\n", sets)
	fmt.Fprintln(stdout, "| γ | a change | best split at an end | largest nλ at an end |\n|--:|--:|--:|--:|")
	for _, gamma := range []float64{0.001, 0.01, 0.1} {
		counts, err := rejections(ctx, sets, workers, changesOfNoise(gamma), func(r *rand.Rand) (*matrix.Dense, []int) { return normalRows(r, 50), nil })
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "| %v |%s\n", gamma, percents(counts, sets))
		fmt.Fprintf(stderr, "noise: γ = %v\n", gamma)
	}
	if err := dependentRows(ctx, sets, workers, stdout, stderr); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "\nShare of %d series of 400 rows that change after 100, 200 and 300, in %%: with a p-value of at most 5 %%; where all three are found within 10 rows; where one is found elsewhere.\n\n", sets/10)
	fmt.Fprintln(stdout, "| change | γ | p ≤ 0.05 | all three | another |\n|---|--:|--:|--:|--:|")
	for _, a := range shifts {
		for _, gamma := range []float64{0.001, 0.1} {
			counts, err := rejections(ctx, sets/10, workers, changesOfThree(gamma), func(r *rand.Rand) (*matrix.Dense, []int) {
				x := normalRows(r, seriesRows)
				for i := range seriesRows {
					a.change(x.Row(i), i/segmentRows%2)
				}
				return x, nil
			})
			if err != nil {
				return err
			}
			fmt.Fprintf(stdout, "| %s | %v |%s\n", a.name, gamma, percents(counts, sets/10))
			fmt.Fprintf(stderr, "%s: γ = %v\n", a.name, gamma)
		}
	}
	return nil
}

// dependentRows tells how often changes are found where there are none, in rows that depend on the row before.
func dependentRows(ctx context.Context, sets, workers int, stdout, stderr io.Writer) error {
	const rows, share = 200, 0.6
	fmt.Fprintf(stdout, "\nShare of %d series of %d rows with a change, in %%, where each is %v times the row before and noise; γ = 0.01.\n\n| block | a change |\n|--:|--:|\n", sets, rows, share)
	for _, block := range []int{1, 5, 10, 20} {
		counts, err := rejections(ctx, sets, workers, func(ctx context.Context, x *matrix.Dense, _ []int, seed uint64) ([]bool, error) {
			r, err := changesOf(ctx, x, 0.01, inference.ChangeOptions{Seed: seed, Block: block})
			return []bool{err == nil && len(r.Changes) > 0}, err
		}, func(r *rand.Rand) (*matrix.Dense, []int) {
			x := normalRows(r, rows)
			for i := 1; i < rows; i++ {
				for j, before := range x.Row(i - 1) {
					x.Row(i)[j] += share * before
				}
			}
			return x, nil
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "| %d |%s\n", block, percents(counts, sets))
		fmt.Fprintf(stderr, "dependent rows: blocks of %d\n", block)
	}
	return nil
}

// Series have four segments.
const segmentRows, seriesRows = 100, 400

// shifts change the rows of every other segment.
var shifts = []struct {
	name   string
	change func(row []float64, segment int)
}{
	{"mean of a column, by 1.5 of its deviation", func(row []float64, segment int) { row[1] += 1.5 * float64(segment) }},
	{"spread of three columns, by a factor of 2", func(row []float64, segment int) {
		for j := 1; j < 4 && segment == 1; j++ {
			row[j] *= 2
		}
	}},
	{"correlation of two columns, 0.9 and −0.9", func(row []float64, segment int) {
		row[2] = 0.9*float64(1-2*segment)*row[1] + 0.436*row[2]
	}},
}

func changesOf(ctx context.Context, x *matrix.Dense, gamma float64, o inference.ChangeOptions) (*inference.ChangePoints, error) {
	s, err := inference.NewSample(ctx, inference.Settings{Kernel: gram.RBF{}, Ridge: gamma * float64(x.Rows)}, x)
	if err != nil {
		return nil, err
	}
	o.Permutations, o.Level = testPermutations, testLevel
	return inference.Changes(ctx, s, o)
}

func changesOfNoise(gamma float64) judge {
	return func(ctx context.Context, x *matrix.Dense, _ []int, seed uint64) ([]bool, error) {
		r, err := changesOf(ctx, x, gamma, inference.ChangeOptions{Seed: seed})
		if err != nil {
			return nil, err
		}
		largest := r.Segment
		for k := r.Segment; k <= x.Rows-r.Segment; k++ {
			if r.Curve[k-1] > r.Curve[largest-1] {
				largest = k
			}
		}
		atEnd := func(k int) bool { return min(k, x.Rows-k) < r.Segment+3 }
		return []bool{len(r.Changes) > 0, atEnd(r.Best), atEnd(largest)}, nil
	}
}

func changesOfThree(gamma float64) judge {
	return func(ctx context.Context, x *matrix.Dense, _ []int, seed uint64) ([]bool, error) {
		r, err := changesOf(ctx, x, gamma, inference.ChangeOptions{Seed: seed})
		if err != nil {
			return nil, err
		}
		found, another := map[int]bool{}, false
		for _, c := range r.Changes {
			nearest := (c.After + segmentRows/2) / segmentRows * segmentRows
			if off := c.After - nearest; min(nearest, seriesRows-nearest) > 0 && off >= -10 && off <= 10 {
				found[nearest] = true
			} else {
				another = true
			}
		}
		return []bool{r.Permuted.P <= testLevel, len(found) == 3, another}, nil
	}
}
