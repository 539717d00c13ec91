package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// weighedSets are the data sets of the experiment on weights of kernels where none are named.
var weighedSets = []string{"wine", "sonar", "ionosphere", "seeds", "thyroid", "heart"}

// weighedSearches are compared: of one kernel in turn, and of weighed ones.
var weighedSearches = []struct {
	name   string
	search cv.Search
}{
	{"one rbf kernel", cv.Search{}},
	{"columns, 1", cv.Search{KernelWeights: 1}},
	{"3", cv.Search{KernelWeights: 3}},
	{"10", cv.Search{KernelWeights: cv.WeighColumns}},
	{"30", cv.Search{KernelWeights: 30}},
	{"rbf kernels, 0.1", cv.Search{KernelWeights: 0.1, Kernels: []gram.Kernel{gram.RBF{}}}},
	{"1", cv.Search{KernelWeights: cv.WeighKernels, Kernels: []gram.Kernel{gram.RBF{}}}},
	{"10", cv.Search{KernelWeights: 10, Kernels: []gram.Kernel{gram.RBF{}}}},
}

// kernelWeights prints the errors of searches with weights of kernels beside those of one kernel, and
// what becomes of useless columns.
func kernelWeights(ctx context.Context, folder string, names []string, workers int, stdout, stderr io.Writer) error {
	if len(names) == 0 {
		names = weighedSets
	}
	sets, err := choose(handedSets, names)
	if err != nil {
		return err
	}
	fmt.Fprint(stdout, "| data set | n | d |")
	for _, s := range weighedSearches {
		fmt.Fprintf(stdout, " %s |", s.name)
	}
	fmt.Fprintf(stdout, "\n|---|--:|--:|%s\n", strings.Repeat("--:|", len(weighedSearches)))
	for _, s := range sets {
		start := time.Now()
		x, labels, err := s.read(folder)
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "| %s | %d | %d |", s.name, x.Rows, x.Cols)
		for _, one := range weighedSearches {
			outer, err := cv.Stratified(labels, outerFolds, 0)
			if err != nil {
				return err
			}
			e, err := cv.Nested(ctx, one.search, x, labels, outer)
			if err != nil {
				return err
			}
			if len(e.Failures) > 0 {
				return e.Failures[0]
			}
			fmt.Fprintf(stdout, " %.1f |", 100*float64(e.Errors)/float64(e.Rows))
		}
		fmt.Fprintln(stdout)
		fmt.Fprintf(stderr, "%s: %.0f s\n", s.name, time.Since(start).Seconds())
	}
	return uselessColumns(ctx, workers, stdout)
}

// uselessTables is how many tables are drawn of each size.
const uselessTables = 10

var uselessRidges = []float64{1, 3, 10, 30}

// uselessColumns prints what becomes of 45 columns of noise beside 5 that make the classes.
func uselessColumns(ctx context.Context, workers int, out io.Writer) error {
	fmt.Fprintf(out, "\n| n | relative ridge | informative columns of 5 with a weight | useless of 45 | largest weight of these | errors %% |\n|--:|--:|--:|--:|--:|--:|\n")
	for _, n := range []int{100, 200} {
		found := make([][]float64, uselessTables)
		err := parallel(ctx, uselessTables, workers, func(i int) (err error) {
			found[i], err = oneUseless(ctx, rand.New(rand.NewPCG(uint64(n), uint64(i))), n)
			return err
		})
		if err != nil {
			return err
		}
		mean := func(k int) (sum float64) {
			for _, f := range found {
				sum += f[k] / uselessTables
			}
			return sum
		}
		for k, ridge := range uselessRidges {
			fmt.Fprintf(out, "| %d | %g | %.1f | %.1f | %.3f | %.1f |\n", n, ridge, mean(2+4*k), mean(3+4*k), mean(4+4*k), mean(5+4*k))
		}
		fmt.Fprintf(out, "| %d | one rbf kernel | | | | %.1f |\n| %d | one rbf kernel of the informative columns | | | | %.1f |\n", n, mean(0), n, mean(1))
	}
	return nil
}

// oneUseless returns the errors of one kernel, with and without the useless columns, and the numbers
// of each ridge, of one table.
func oneUseless(ctx context.Context, r *rand.Rand, n int) (found []float64, err error) {
	x, labels := withUseless(r, n)
	test, truth := withUseless(r, 1000)
	errors := func(s cv.Search, columns int) (*cv.Record, error) {
		tuned, err := cv.Tune(ctx, s, x.View(0, 0, n, columns).Clone(), labels)
		if err != nil {
			return nil, err
		}
		predicted, err := tuned.Model.Predict(nil, test.View(0, 0, test.Rows, columns).Clone())
		wrong := 0.0
		for i, label := range predicted {
			if label != truth[i] {
				wrong++
			}
		}
		found = append(found, 100*wrong/float64(len(truth)))
		return &tuned.Record, err
	}
	for _, columns := range []int{50, 5} {
		if _, err := errors(cv.Search{}, columns); err != nil {
			return nil, err
		}
	}
	for _, ridge := range uselessRidges {
		at := len(found)
		found = append(found, 0, 0, 0)
		record, err := errors(cv.Search{KernelWeights: ridge}, 50)
		if err != nil {
			return nil, err
		}
		for _, k := range record.Weighed.Kernels {
			switch {
			case k.Weight == 0:
			case k.Column < 5:
				found[at]++
			default:
				found[at+1]++
				found[at+2] = max(found[at+2], float64(k.Weight))
			}
		}
	}
	return found, nil
}

// withUseless returns rows of 50 normal columns of which the first five make the two classes.
func withUseless(r *rand.Rand, n int) (*matrix.Dense, []int) {
	x, labels := matrix.New(n, 50), make([]int, n)
	for i := range n {
		v := x.Row(i)
		for j := range v {
			v[j] = r.NormFloat64()
		}
		if math.Sin(2*v[0])+v[1]*v[1]+v[2]+1.5*math.Abs(v[3])+math.Tanh(2*v[4])+0.5*r.NormFloat64() > 2 {
			labels[i] = 1
		}
	}
	return x, labels
}
