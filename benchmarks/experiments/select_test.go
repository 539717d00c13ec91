package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

func TestBestOutcome(t *testing.T) {
	best := outcome{candidate: candidate{gamma: 1, ridge: 0.1, rule: midpoint}, wrong: 3}
	for name, worse := range map[string]outcome{
		"a refused fit":      {candidate: best.candidate, wrong: 2, refused: 1},
		"more wrong labels":  {candidate: candidate{gamma: 0.5, ridge: 1}, wrong: 4},
		"a smaller ridge":    {candidate: candidate{gamma: 0.5, ridge: 0.01}, wrong: 3},
		"a larger γ":         {candidate: candidate{gamma: 2, ridge: 0.1}, wrong: 3},
		"the rule after it":  {candidate: candidate{gamma: 1, ridge: 0.1, rule: gaussian}, wrong: 3},
		"two of these rules": {candidate: candidate{gamma: 0.5, ridge: 0.01, rule: gaussian}, wrong: 3},
	} {
		for _, outcomes := range [][]outcome{{best, worse}, {worse, best}} {
			if got := bestOf(outcomes); got != best {
				t.Errorf("%s: best of %+v is %+v", name, outcomes, got)
			}
		}
	}
}

// The folds' parts of one kernel matrix give what the folds' rows give.
func TestOutcomesAreThoseOfRows(t *testing.T) {
	x, labels := ring(30)
	v := validation{x: x, labels: labels, folds: stratifiedFolds(labels, foldCount, foldSeed, 1)}
	const gamma = 0.7
	ridges := []float64{1e-3, 1}
	got := must.Get(v.outcomes(context.Background(), gamma, ridges))(t)
	var want []outcome
	for _, ridge := range ridges {
		for r := range ruleCount {
			o := outcome{candidate: candidate{gamma, ridge, r}}
			for fold := range foldCount {
				outside, inside := divide(v.folds, fold)
				model := must.Get(discriminant.Fit(context.Background(), discriminant.KFDA{
					Kernel:      gram.RBF{Gamma: gamma},
					Regularizer: discriminant.RelativeRidge(ridge),
					Classifier:  r.classifier(),
				}, takeRows(x, outside), take(labels, outside)))(t)
				wrong := must.Get(countWrong(model, takeRows(x, inside), take(labels, inside)))(t)
				o.wrong += wrong
			}
			want = append(want, o)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("outcomes %v, want %v", got, want)
	}
}

// A ridge that the library does not vouch for rules its candidates out, and leaves
// the others.
func TestRefusedCandidates(t *testing.T) {
	x, labels := ring(30)
	v := validation{x: x, labels: labels, folds: stratifiedFolds(labels, foldCount, foldSeed, 1)}
	outcomes := must.Get(v.outcomes(context.Background(), 0.7, []float64{1e-30, 1}))(t)
	for _, o := range outcomes {
		want := 0
		if o.ridge == 1e-30 {
			want = foldCount
		}
		if o.refused != want {
			t.Errorf("relative ridge %v: %d refused fits, want %d", o.ridge, o.refused, want)
		}
	}
	if refused(errors.New("another")) {
		t.Error("any error counts as a refused fit")
	}
}

func TestParallelReturnsTheFirstError(t *testing.T) {
	for _, workers := range []int{1, 4} {
		err := parallel(context.Background(), 9, workers, func(i int) error {
			if i == 3 {
				return fmt.Errorf("call %d", i)
			}
			return nil
		})
		if err == nil || err.Error() != "call 3" {
			t.Errorf("%d workers: error %v, want that of call 3", workers, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := parallel(ctx, 3, 2, func(int) error { t.Error("called after the end"); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

// Mean 3, squared deviations 4 + 1 + 9: s² = 14/2, standard error √(7/3).
func TestMeanAndStandardError(t *testing.T) {
	mean, standardError := meanAndStandardError([]float64{1, 2, 6})
	if math.Abs(mean-3) > 1e-15 || math.Abs(standardError-math.Sqrt(7./3)) > 1e-15 {
		t.Errorf("%v ± %v, want 3 ± √(7/3)", mean, standardError)
	}
	if mean, standardError = meanAndStandardError([]float64{5}); mean != 5 || standardError != 0 {
		t.Errorf("%v ± %v for one value, want 5 ± 0", mean, standardError)
	}
}

// ring returns n points on a golden-angle spiral; those inside of a circle are
// labelled 1.
func ring(n int) (*matrix.Dense, []int) {
	x := matrix.New(n, 2)
	labels := make([]int, n)
	for i := range n {
		radius := 2 * math.Sqrt((float64(i)+0.5)/float64(n))
		angle := float64(i) * math.Pi * (3 - math.Sqrt(5))
		x.Set(i, 0, radius*math.Cos(angle))
		x.Set(i, 1, radius*math.Sin(angle))
		labels[i] = -1
		if radius < 1.2 {
			labels[i] = 1
		}
	}
	return x, labels
}

func TestCommonestRule(t *testing.T) {
	for _, c := range []struct {
		counts []int
		want   rule
	}{{[]int{2, 2, 1}, midpoint}, {[]int{1, 2, 2}, gaussian}, {[]int{1, 1, 3}, perClass}, {[]int{0, 5, 0}, gaussian}} {
		must.Equal(t, fmt.Sprintf("%v", c.counts), commonest(c.counts), c.want)
	}
}

// Of an even number of values the lower of the two in the middle is the median.
func TestLowerMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{{[]float64{7}, 7}, {[]float64{3, 1}, 1}, {[]float64{3, 1, 2}, 2}, {[]float64{4, 1, 3, 2}, 2}, {[]float64{2, 2, 9, 9}, 2}} {
		must.Equal(t, fmt.Sprintf("median of %v", c.values), lowerMedian(c.values), c.want)
	}
}
