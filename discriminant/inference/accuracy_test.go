package inference

import (
	"context"
	"testing"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// eigen is solve.Eigen of a matrix that stays.
func eigen(a *matrix.Dense) ([]float64, *matrix.Dense, error) {
	return solve.Eigen(context.Background(), a.Clone())
}

// countLeftOut counts the rows that a fit without them, or without their group, takes for their class:
// kernel ridge regression of the indicators, less their means, with an intercept.
func countLeftOut(t *testing.T, k *matrix.Dense, codes, groups []int, classes int, ridge float64) (correct int) {
	n := k.Rows
	for out := range n {
		var rest []int
		for i := range n {
			if i != out && (groups == nil || groups[i] != groups[out]) {
				rest = append(rest, i)
			}
		}
		// [K + εI  1; 1ᵀ 0][a; b] = [y; 0], by the Cholesky factor of K + εI
		a, right := matrix.New(len(rest), len(rest)), matrix.New(len(rest), classes+1)
		for r, i := range rest {
			for s, j := range rest {
				a.Set(r, s, k.At(i, j))
			}
			a.Set(r, r, a.At(r, r)+ridge)
			right.Set(r, codes[i], 1)
			right.Set(r, classes, 1)
		}
		must.Get(solve.FactorCholesky(context.Background(), a))(t).Solve(right)
		best, taken := 0.0, 0
		for class := range classes {
			sum, ones, value := 0.0, 0.0, 0.0
			for r := range rest {
				sum, ones = sum+right.At(r, class), ones+right.At(r, classes)
			}
			b := sum / ones
			for r, i := range rest {
				value += k.At(out, i) * (right.At(r, class) - b*right.At(r, classes))
			}
			if value += b; class == 0 || value > best {
				best, taken = value, class
			}
		}
		if taken == codes[out] {
			correct++
		}
	}
	return correct
}

// Accuracies are those of refits without each row or group, for the labels and permutations of them.
func TestAccuracyAgainstRefits(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(problems() / 4) {
		c, n := 2+int(seed%3), 10+int(seed*7%15)
		x, labels := randomRows(seed, n, 2, c)
		o := TestOptions{Permutations: 3, Seed: seed}
		if seed%2 == 1 {
			o.Groups = make([]int, n)
			for i := range n {
				o.Groups[i] = i/(2*c)*c + i%c
			}
		}
		s := must.Get(NewSample(ctx, Settings{Kernel: gram.RBF{Gamma: 0.4}, Ridge: 0.2}, x))(t)
		r := must.Get(TestAccuracy(ctx, s, labels, o))(t)
		k := must.Get(s.rows.(*allRows).evaluator.Matrix(nil))(t)
		must.Equal(t, "correct", r.Correct, countLeftOut(t, k, labels, o.Groups, c, 0.2))
		for p, got := range r.Permuted.Null {
			must.Equal(t, "permuted", got, float64(countLeftOut(t, k, drawn(t, labels, o, p), o.Groups, c, 0.2))/float64(n))
		}
	}
}

// The smallest of several p-values is corrected for their number; one alone stays, and so do equal ones.
func TestCorrected(t *testing.T) {
	ctx := context.Background()
	x, labels := randomRows(4, 40, 3, 2)
	for i := range labels { // hardly a difference
		labels[i] = i / 3 % 2
	}
	o := TestOptions{Permutations: 199, Seed: 5}
	var statistics []float64
	var permuted []*Permutations
	for _, gamma := range []float64{0.01, 0.1, 1, 10} {
		s := must.Get(NewSample(ctx, Settings{Kernel: gram.RBF{Gamma: gamma}, Ridge: 0.1}, x))(t)
		r := must.Get(Test(ctx, s, labels, o))(t)
		statistics, permuted = append(statistics, r.Statistic), append(permuted, r.Permuted)
		alone := must.Get(Corrected([]float64{r.Statistic, r.Statistic}, []*Permutations{r.Permuted, r.Permuted}))(t)
		must.Equal(t, "alone", alone[0], r.Permuted.P)
		must.Equal(t, "alone", alone[1], r.Permuted.P)
	}
	got := must.Get(Corrected(statistics, permuted))(t)
	for j, p := range got { // by its definition
		rank := func(l, i int) (k int) {
			value := func(i int) float64 {
				if i < 0 {
					return statistics[l]
				}
				return permuted[l].Null[i]
			}
			for other := -1; other < 199; other++ {
				if value(other) >= value(i) {
					k++
				}
			}
			return k
		}
		count := 0
		for i := -1; i < 199; i++ {
			for l := range permuted {
				if rank(l, i) <= rank(j, -1) {
					count++
					break
				}
			}
		}
		must.Equal(t, "corrected", p, float64(count)/200)
		if p < permuted[j].P || p > 4*permuted[j].P {
			t.Errorf("%v corrected is %v", permuted[j].P, p)
		}
	}
}
