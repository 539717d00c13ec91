package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"
)

// benchmark is a data set of the experiment.
type benchmark struct {
	name      string
	splits    string  // file of its training rows
	published float64 // test error in % of KFD in Mika et al. 1999, Table 1,
	deviation float64 // and its standard deviation over so many splits
	over      int
}

const (
	originalSplits  = "splits_original.csv"
	generatedSplits = "splits_generated.csv"
)

var benchmarks = []benchmark{
	{"banana", originalSplits, 10.8, 0.5, 100},
	{"heart", originalSplits, 16.1, 3.4, 100},
	{"ringnorm", originalSplits, 1.5, 0.1, 100},
	{"image", originalSplits, 4.8, 0.6, 20},
	{"titanic", originalSplits, 23.2, 2.0, 100},
	{"thyroid", generatedSplits, 4.2, 2.1, 100},
}

// choose returns the data sets of those names, or all of them where there are no names.
func choose[S interface{ title() string }](all []S, names []string) ([]S, error) {
	if len(names) == 0 {
		return all, nil
	}
	var chosen []S
	for _, name := range names {
		i := slices.IndexFunc(all, func(s S) bool { return s.title() == name })
		if i < 0 {
			return nil, fmt.Errorf("no data set %q in this experiment", name)
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

func (b benchmark) title() string { return b.name }

// result is a line of the tables.
type result struct {
	benchmark
	train, test int // rows
	splits      int
	floor       float64 // see errorFloor, the mean over the splits
	selection   selection
	scores
}

// raetsch runs the experiment on data sets in that folder, with g as the first
// grid, and prints its tables.
func raetsch(ctx context.Context, folder string, sets []benchmark, g grid, workers int, stdout, stderr io.Writer) error {
	var results []result
	for _, b := range sets {
		start := time.Now()
		r, err := runBenchmark(ctx, folder, b, g, workers)
		if err != nil {
			return fmt.Errorf("%s: %w", b.name, err)
		}
		fmt.Fprintf(stderr, "%s: %.1f s, %d fits\n", b.name, time.Since(start).Seconds(), r.selection.fits+r.splits)
		results = append(results, r)
	}
	return writeTables(stdout, results)
}

func runBenchmark(ctx context.Context, folder string, b benchmark, g grid, workers int) (result, error) {
	set, err := readDataSet(filepath.Join(folder, b.name), b.splits)
	if err != nil {
		return result{}, err
	}
	r := result{benchmark: b, splits: len(set.splits), train: len(set.splits[0].train)}
	r.test = set.x.Rows - r.train
	if r.selection, err = selectCandidate(ctx, set, g, workers); err != nil {
		return result{}, err
	}
	// The test rows are looked at from here on.
	if r.scores, err = score(ctx, set, r.selection.best, workers); err != nil {
		return result{}, err
	}
	for _, s := range set.splits {
		r.floor += errorFloor(set.at(set.testRows(s)))
	}
	r.floor /= float64(r.splits)
	return r, nil
}
