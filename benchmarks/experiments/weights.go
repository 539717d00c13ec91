package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// weighedSets are the data sets of the experiment on weights of kernels where none are named.
var weighedSets = []string{"wine", "sonar", "ionosphere", "seeds", "thyroid", "heart", "svmguide2", "breast-cancer"}

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

// weighedRepeats is how often the outer folds are drawn.
const weighedRepeats = 3

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
			wrong := 0
			for repeat := range weighedRepeats {
				outer, err := cv.Stratified(labels, outerFolds, uint64(repeat))
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
				wrong += e.Errors
			}
			fmt.Fprintf(stdout, " %.1f |", 100*float64(wrong)/float64(weighedRepeats*x.Rows))
		}
		fmt.Fprintln(stdout)
		fmt.Fprintf(stderr, "%s: %.0f s\n", s.name, time.Since(start).Seconds())
	}
	return uselessColumns(ctx, workers, stdout)
}

// uselessTables is how many tables are drawn of each size.
const uselessTables = 20

// uselessColumns prints what becomes of 45 columns of noise beside 5 that make the classes.
func uselessColumns(ctx context.Context, workers int, out io.Writer) error {
	fmt.Fprintf(out, "\n| n | relative ridge | informative columns of 5 with a weight | useless of 45 | largest weight of these | errors %% | one rbf kernel | without the useless |\n|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, n := range []int{100, 200, 400} {
		for _, ridge := range []float64{1, 3, 10, 30} {
			found := make([][]float64, uselessTables)
			err := parallel(ctx, uselessTables, workers, func(i int) (err error) {
				found[i], err = oneUseless(ctx, rand.New(rand.NewPCG(uint64(n), uint64(i))), n, ridge)
				return err
			})
			if err != nil {
				return err
			}
			var means []float64
			for k := range found[0] {
				mean := 0.0
				for _, f := range found {
					mean += f[k] / uselessTables
				}
				means = append(means, mean)
			}
			fmt.Fprintf(out, "| %d | %g | %.2f | %.2f | %.3f | %.1f | %.1f | %.1f |\n", n, ridge, means[0], means[1], means[2], means[3], means[4], means[5])
		}
	}
	return nil
}

// oneUseless returns the numbers of a line, of one table.
func oneUseless(ctx context.Context, r *rand.Rand, n int, ridge float64) (found []float64, err error) {
	x, labels := withUseless(r, n)
	test, truth := withUseless(r, 1000)
	tuned, err := cv.Tune(ctx, cv.Search{KernelWeights: ridge}, x, labels)
	if err != nil {
		return nil, err
	}
	found = make([]float64, 3, 6)
	for _, k := range tuned.Record.Weighed.Kernels {
		switch {
		case k.Weight == 0:
		case k.Column < 5:
			found[0]++
		default:
			found[1]++
			found[2] = max(found[2], float64(k.Weight))
		}
	}
	one, err := cv.Tune(ctx, cv.Search{}, x, labels)
	if err != nil {
		return nil, err
	}
	few, err := cv.Tune(ctx, cv.Search{}, x.View(0, 0, n, 5).Clone(), labels)
	if err != nil {
		return nil, err
	}
	for _, m := range []*discriminant.Model[int]{tuned.Model, one.Model, few.Model} {
		rows := test
		if m == few.Model {
			rows = test.View(0, 0, test.Rows, 5).Clone()
		}
		predicted, err := m.Predict(nil, rows)
		if err != nil {
			return nil, err
		}
		wrong := 0
		for i, label := range predicted {
			if label != truth[i] {
				wrong++
			}
		}
		found = append(found, 100*float64(wrong)/float64(len(truth)))
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
