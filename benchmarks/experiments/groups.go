package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"

	"github.com/seed92411348/kfda/discriminant/inference"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// level of all tests, and how many permutations they take: 0.05·(1 + 199) is a whole number.
const (
	testLevel        = 0.05
	testPermutations = 199
)

// groupTests tells how often tests reject where groups do not differ, in so many data sets, and
// where they do.
func groupTests(ctx context.Context, sets, workers int, stdout, stderr io.Writer) error {
	fmt.Fprintf(stdout, "Share of %d data sets without a difference in which p ≤ 0.05, in %%: half of the rows in the first group, 5 columns.\n\n", sets)
	fmt.Fprintln(stdout, "| n | groups | permutations | T1, χ² | T2, χ² | T5, χ² | normalised, normal |\n|--:|--:|--:|--:|--:|--:|--:|")
	total, inAll := 0, 0
	for _, n := range []int{20, 50, 100, 200} {
		for c := 2; c <= 5; c++ {
			rejected, err := rejections(ctx, sets, workers, nullMethods, func(r *rand.Rand) (*matrix.Dense, []int) {
				return normalRows(r, n), unbalanced(n, c)
			})
			if err != nil {
				return err
			}
			fmt.Fprintf(stdout, "| %d | %d |%s\n", n, c, percents(rejected, sets))
			total, inAll = total+rejected[0], inAll+sets
			fmt.Fprintf(stderr, "level: n = %d, %d groups\n", n, c)
		}
	}
	fmt.Fprintf(stdout, "\nPermutations in all: %d of %d, %.2f %%.\n\n", total, inAll, 100*float64(total)/float64(inAll))
	fmt.Fprintf(stdout, "Power: share of %d data sets with a difference in which p ≤ 0.05, in %%, two groups of 50 rows.\n\n", sets)
	fmt.Fprintln(stdout, "| difference | kernel Fisher, γ = 0.1 | γ = 0.01 | γ = 0.001 | MMD | T1, χ² | T5, χ² |\n|---|--:|--:|--:|--:|--:|--:|")
	for _, a := range alternatives {
		rejected, err := rejections(ctx, sets, workers, powerMethods, func(r *rand.Rand) (*matrix.Dense, []int) {
			x, labels := normalRows(r, 100), unbalanced(100, 2)
			for i, label := range labels {
				a.change(x.Row(i), label)
			}
			return x, labels
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "| %s |%s\n", a.name, percents(rejected, sets))
		fmt.Fprintf(stderr, "power: %s\n", a.name)
	}
	return nil
}

func percents(counts []int, of int) (row string) {
	for _, k := range counts {
		row += fmt.Sprintf(" %.1f |", 100*float64(k)/float64(of))
	}
	return row
}

// normalRows are n rows of 5 independent normal columns, of which the first has the standard deviation 3.
func normalRows(r *rand.Rand, n int) *matrix.Dense {
	x := matrix.New(n, 5)
	for i := range n {
		row := x.Row(i)
		for j := range row {
			row[j] = r.NormFloat64()
		}
		row[0] *= 3
	}
	return x
}

// unbalanced puts half of the rows into the first of c groups, and as many as can be into each other.
func unbalanced(n, c int) []int {
	labels := make([]int, n)
	for i := n / 2; i < n; i++ {
		labels[i] = 1 + i%(c-1)
	}
	return labels
}

// alternatives change the rows of the second group.
var alternatives = []struct {
	name   string
	change func(row []float64, label int)
}{
	{"mean of the column of the largest spread, by 0.6 of its deviation", func(row []float64, label int) { row[0] += 1.8 * float64(label) }},
	{"mean of another column, by 0.6 of its deviation", func(row []float64, label int) { row[1] += 0.6 * float64(label) }},
	{"spread of three columns, by a factor of 1.5", func(row []float64, label int) {
		for j := 1; j < 4 && label == 1; j++ {
			row[j] *= 1.5
		}
	}},
	{"correlation of two columns, 0 and 0.8", func(row []float64, label int) {
		if label == 1 {
			row[2] = 0.8*row[1] + 0.6*row[2]
		}
	}},
}

// judge says which of some methods reject, of rows in groups and a seed.
type judge func(ctx context.Context, x *matrix.Dense, labels []int, seed uint64) ([]bool, error)

// fisherTest is the test with the ridge nγ; under one far above all eigenvalues it is that of the MMD.
func fisherTest(ctx context.Context, x *matrix.Dense, labels []int, gamma float64, seed uint64) (*inference.Sample, *inference.TestResult[int], error) {
	s, err := inference.NewSample(ctx, inference.Settings{Kernel: gram.RBF{}, Ridge: gamma * float64(x.Rows)}, x)
	if err != nil {
		return nil, nil, err
	}
	r, err := inference.Test(ctx, s, labels, inference.TestOptions{Permutations: testPermutations, Seed: seed})
	return s, r, err
}

func nullMethods(ctx context.Context, x *matrix.Dense, labels []int, seed uint64) ([]bool, error) {
	s, r, err := fisherTest(ctx, x, labels, 1e-3, seed)
	if err != nil {
		return nil, err
	}
	t, err := inference.Truncated(ctx, s, labels, 5)
	if err != nil {
		return nil, err
	}
	const normal95 = 1.6448536269514722
	return []bool{r.Permuted.P <= testLevel, t.P[0] <= testLevel, t.P[1] <= testLevel, t.P[4] <= testLevel, r.Normalised >= normal95}, nil
}

func powerMethods(ctx context.Context, x *matrix.Dense, labels []int, seed uint64) (rejects []bool, err error) {
	var last *inference.Sample
	for _, gamma := range []float64{0.1, 0.01, 0.001, 1e6} {
		s, r, err := fisherTest(ctx, x, labels, gamma, seed)
		if err != nil {
			return nil, err
		}
		rejects, last = append(rejects, r.Permuted.P <= testLevel), s
	}
	t, err := inference.Truncated(ctx, last, labels, 5)
	if err != nil {
		return nil, err
	}
	return append(rejects, t.P[0] <= testLevel, t.P[4] <= testLevel), nil
}

// rejections counts them in sets, each made by its number alone.
func rejections(ctx context.Context, sets, workers int, methods judge, draw func(*rand.Rand) (*matrix.Dense, []int)) ([]int, error) {
	defer matrix.SetWorkers(matrix.SetWorkers(1)) // the sets are what is shared out
	all, errs := make([][]bool, sets), make([]error, sets)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			for i := w; i < sets; i += workers {
				x, labels := draw(rand.New(rand.NewPCG(uint64(i), 18)))
				all[i], errs[i] = methods(ctx, x, labels, uint64(i))
			}
		})
	}
	wait.Wait()
	var counts []int
	for i, rejects := range all {
		if errs[i] != nil {
			return nil, errs[i]
		}
		if counts == nil {
			counts = make([]int, len(rejects))
		}
		for k, yes := range rejects {
			if yes {
				counts[k]++
			}
		}
	}
	return counts, nil
}
