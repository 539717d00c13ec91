package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"time"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/inference"
	"github.com/seed92411348/kfda/matrix"
)

// setsSplits is in how many random splits prediction sets are counted.
const setsSplits = 100

const setsCoverage = 0.9

// setsTask is a set of which some rows choose the settings, and others are split into training
// and test rows.
type setsTask struct {
	name                string
	choose, train, test int // rows
}

var setsTasks = []setsTask{{"digits", 397, 700, 700}, {"letter", 2000, 2000, 2000}}

func (t setsTask) title() string { return t.name }

// heldSets counts the sets of some kind.
type heldSets struct {
	rows, held  []float64 // by class
	size, empty float64
	shares      [][]float64 // by class, of the splits: those held less those that ranks hold
}

// predictionSets counts which prediction sets hold the class of rows, and how large they are, beside
// sets made of plain posteriors.
func predictionSets(ctx context.Context, folder string, names []string, workers int, stdout, stderr io.Writer) error {
	tasks, err := choose(setsTasks, names)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "| data set | train / test rows | splits | classes | sets | held %% | least class %% | largest class %% | classes per set | empty %% | largest deviation from ranks, in standard errors |\n|---|--:|--:|--:|---|--:|--:|--:|--:|--:|--:|\n")
	for _, t := range tasks {
		start := time.Now()
		x, classNames, err := plain("classic/" + t.name + ".csv")(folder)
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Join(folder, t.name), err)
		}
		if err := t.run(ctx, x, classNames, workers, stdout); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		fmt.Fprintf(stderr, "%s: %.0f s\n", t.name, time.Since(start).Seconds())
	}
	return nil
}

func (t setsTask) run(ctx context.Context, x *matrix.Dense, names []string, workers int, out io.Writer) error {
	classes, labels := discriminant.Classes(names), make([]int, len(names))
	for i, name := range names {
		labels[i] = slices.Index(classes, name)
	}
	order := rand.New(rand.NewPCG(0, 1)).Perm(len(labels))
	chosen, pool := order[:t.choose], order[t.choose:]
	m, err := discriminant.Fit(ctx, discriminant.KFDA{Scaling: discriminant.Standard}, takeRows(x, chosen), take(labels, chosen))
	if err != nil {
		return err
	}
	if x, err = m.Scaler().Transform(nil, x); err != nil {
		return err
	}
	d := m.Details().(discriminant.KFDADetails)
	set := inference.Settings{Kernel: d.Kernel(), Ridge: d.Ridge()}
	conformal, plain := newHeldSets(len(classes)), newHeldSets(len(classes))
	found := make([]func(), setsSplits)
	err = parallel(ctx, setsSplits, workers, func(i int) error {
		rows := slices.Clone(pool)
		rand.New(rand.NewPCG(1, uint64(i))).Shuffle(len(rows), func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
		train, test := rows[:t.train], rows[t.train:t.train+t.test]
		sets, all, err := t.split(ctx, set, x, labels, train, test)
		if err != nil {
			return fmt.Errorf("split %d: %w", i, err)
		}
		found[i] = func() {
			conformal.add(take(labels, test), sets.Of, sets.Counts)
			plain.add(take(labels, test), all, nil)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, add := range found {
		add()
	}
	conformal.write(out, t, "conformal")
	plain.write(out, t, "posteriors")
	return nil
}

// split returns the sets of the test rows, and those of plain posteriors: the most probable classes
// of together at least the coverage.
func (t setsTask) split(ctx context.Context, set inference.Settings, x *matrix.Dense, labels, train, test []int) (*inference.Sets[int], func(int) []int, error) {
	trainX, testX := takeRows(x, train), takeRows(x, test)
	sample, err := inference.NewSample(ctx, set, trainX)
	if err != nil {
		return nil, nil, err
	}
	sets, err := inference.PredictionSets(ctx, sample, take(labels, train), testX, setsCoverage)
	if err != nil {
		return nil, nil, err
	}
	m, err := discriminant.Fit(ctx, discriminant.KFDA{Kernel: set.Kernel, Regularizer: discriminant.RKHS(set.Ridge), LeaveOneOut: true, Classifier: discriminant.Gaussian{}}, trainX, take(labels, train))
	if err != nil {
		return nil, nil, err
	}
	p, err := m.Posteriors(nil, testX)
	return sets, func(i int) (some []int) {
		order := make([]int, p.Cols)
		for j := range order {
			order[j] = j
		}
		slices.SortFunc(order, func(a, b int) int {
			if p.At(i, a) > p.At(i, b) {
				return -1
			}
			return 1
		})
		for sum := 0.0; sum < setsCoverage && len(some) < len(order); {
			j := order[len(some)]
			some = append(some, m.Classes()[j])
			sum += p.At(i, j)
		}
		return some
	}, err
}

func newHeldSets(classes int) *heldSets {
	return &heldSets{rows: make([]float64, classes), held: make([]float64, classes), shares: make([][]float64, classes)}
}

// add counts the sets of rows; counts are the training rows of the classes.
func (h *heldSets) add(labels []int, of func(i int) []int, counts []int) {
	rows, held := make([]float64, len(h.rows)), make([]float64, len(h.rows))
	for i, label := range labels {
		set := of(i)
		rows[label]++
		h.size += float64(len(set))
		if len(set) == 0 {
			h.empty++
		}
		if slices.Contains(set, label) {
			held[label]++
		}
	}
	for k := range rows {
		h.rows[k] += rows[k]
		h.held[k] += held[k]
		if counts != nil && rows[k] > 0 {
			// Of m + 1 ranks, equally likely, those above (1 − coverage)(m + 1).
			ranks := float64(counts[k] + 1)
			h.shares[k] = append(h.shares[k], held[k]/rows[k]-(1-math.Floor((1-setsCoverage)*ranks+1e-9)/ranks))
		}
	}
}

func (h *heldSets) write(out io.Writer, t setsTask, name string) {
	rows, held, least, most, off := 0.0, 0.0, 1.0, 0.0, "–"
	deviation := 0.0
	for k, n := range h.rows {
		rows, held = rows+n, held+h.held[k]
		least, most = min(least, h.held[k]/n), max(most, h.held[k]/n)
		if mean, standardError := meanAndStandardError(h.shares[k]); standardError > 0 {
			deviation = max(deviation, math.Abs(mean/standardError))
			off = fmt.Sprintf("%.1f", deviation)
		}
	}
	fmt.Fprintf(out, "| %s | %d / %d | %d | %d | %s | %.2f | %.2f | %.2f | %.3f | %.2f | %s |\n",
		t.name, t.train, t.test, setsSplits, len(h.rows), name, 100*held/rows, 100*least, 100*most, h.size/rows, 100*h.empty/rows, off)
}
