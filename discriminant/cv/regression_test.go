package cv

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

func numbers(n int) (*matrix.Dense, []float64) {
	x, targets := matrix.New(n, 2), make([]float64, n)
	for i := range n {
		x.Set(i, 0, float64(i*7%n)/4)
		x.Set(i, 1, float64(i*i%11))
		targets[i] = math.Sin(x.At(i, 0)) + x.At(i, 1)/4
	}
	return x, targets
}

// What folds say of a regression is what fits to their training rows say, and leaving out each
// row is what the closed form says of a given ridge and kernel.
func TestEvaluateRegression(t *testing.T) {
	x, targets := numbers(30)
	method := discriminant.KernelRidge{Kernel: gram.RBF{Gamma: 0.2}, Regularizer: discriminant.Ridge(0.5)}
	done := 0
	e := must.Get(EvaluateRegression(context.Background(), method, x, targets, must.Get(LeaveOneOut(30))(t), func(d, total int) { done += total }))(t)
	want := must.Get(discriminant.LeaveOneOutRegression(context.Background(), method, x, matrix.Column(targets)))(t)
	predicted := make([]float64, 30)
	for i := range predicted {
		predicted[i] = want.At(i, 0)
		if got := e.Predictions[i][0]; math.Abs(got-predicted[i]) > 1e-10 {
			t.Errorf("row %d: %v, want %v", i, got, predicted[i])
		}
	}
	if s := CompareNumbers([]float64{1, math.NaN()}, []float64{3, 1}, 2, 0); s.Rows != 1 || s.SquaredError != 4 {
		t.Errorf("a row of weight 0 counts: %+v", s)
	}
	if s := CompareNumbers(nil, nil); !math.IsNaN(s.SquaredError) {
		t.Errorf("scores of no rows: %+v", s)
	}
	if s := CompareNumbers(predicted, targets); math.Abs(s.SquaredError-e.SquaredError) > 1e-10 || done != 900 || e.Rows != 30 {
		t.Errorf("squared error %v, want %v; progress %d", e.SquaredError, s.SquaredError, done)
	}

	// Weights 2 in the scores and the fits are rows that stand twice; 0 is absent.
	weights := make([]float64, 30)
	var fold, twiceFold []int
	twice, twiceTargets := [][]float64{}, []float64{}
	for i := range weights {
		weights[i] = float64(i % 3)
		fold = append(fold, i%4)
		for range i % 3 {
			twice, twiceTargets, twiceFold = append(twice, x.Row(i)), append(twiceTargets, targets[i]), append(twiceFold, i%4)
		}
	}
	quiet := func(int, int) {}
	a := must.Get(EvaluateRegression(context.Background(), method, x, targets, must.Get(Given(fold))(t), quiet, weights...))(t)
	b := must.Get(EvaluateRegression(context.Background(), method, must.Get(matrix.FromRows(twice))(t), twiceTargets, must.Get(Given(twiceFold))(t), quiet))(t)
	for _, v := range [][2]float64{{a.SquaredError, b.SquaredError}, {a.AbsoluteError, b.AbsoluteError}, {a.R2(), b.R2()}, {a.MeanAbsoluteError, b.MeanAbsoluteError}} {
		if !(math.Abs(v[0]-v[1]) <= 1e-10) {
			t.Errorf("weighted %v, rows twice %v", v[0], v[1])
		}
	}
	if a.Rows != 20 || len(a.Failures) > 0 {
		t.Errorf("%d rows, failures %v", a.Rows, a.Failures)
	}
}

// The best of a search is the candidate with the least squared error, which an evaluation of
// its own repeats, and the result is the same for any number of workers.
func TestTuneRegression(t *testing.T) {
	x, targets := numbers(30)
	s := Search{Kernels: []gram.Kernel{gram.Linear{}, gram.RBF{}}, Workers: 1}
	tuned := must.Get(TuneRegression(context.Background(), s, x, targets))(t)
	s.Workers = 3
	if other := must.Get(TuneRegression(context.Background(), s, x, targets))(t); !slices.Equal(must.Get(other.Model.MarshalBinary())(t), must.Get(tuned.Model.MarshalBinary())(t)) {
		t.Error("the model depends on the number of workers")
	}
	record := tuned.Record
	best := record.Candidates[record.Best]
	folds := must.Get(DefaultFolds(make([]int, 30), 0))(t)
	method := Search{Method: discriminant.KernelRidge{}, Kernels: s.Kernels}.Candidate(best)
	e := must.Get(EvaluateRegression(context.Background(), method, x, targets, folds, func(int, int) {}))(t)
	if e.SquaredError != float64(best.Score) || record.Criterion != "squared error" || record.Folds != "5 folds, seed 0" {
		t.Errorf("%v has squared error %v, want %v; %s, %s", best, best.Score, e.SquaredError, record.Criterion, record.Folds)
	}
	for _, c := range record.Candidates {
		if c.Failed == 0 && c.Score < best.Score {
			t.Errorf("%v is better than the best", c)
		}
	}
	text, _ := tuned.Model.Note(RecordNote)
	var read Record
	if err := read.UnmarshalText([]byte(text)); err != nil || read.Candidates[read.Best].Score != best.Score {
		t.Errorf("record in the model: %v", err)
	}
	for _, wrong := range []Search{{Method: discriminant.KFDA{}}, {Criterion: ByAUC}, {Criterion: bySquaredError}, {Refinements: 1}} {
		var e *ParameterError
		if _, err := TuneRegression(context.Background(), wrong, x, targets); !errors.As(err, &e) {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := TuneRegression(ctx, s, x, targets); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	var rows *RowsError
	if _, err := TuneRegression(context.Background(), s, x, targets[:20]); !errors.As(err, &rows) {
		t.Errorf("20 targets of 30 rows: %v", err)
	}
}

func TestHoldout(t *testing.T) {
	labels := []string{}
	for i := range 100 {
		labels = append(labels, []string{"a", "b", "b", "c"}[i%4])
	}
	labels = append(labels, "single")
	f := must.Get(Holdout(labels, 0.3, 7))(t)
	counts := map[string]int{}
	for _, i := range f.Test(0) {
		counts[labels[i]]++
	}
	if n := len(f.Test(0)); n != 30 || counts["a"] < 7 || counts["b"] < 14 || counts["c"] < 7 || counts["single"] != 0 || len(f.Train(0)) != 71 {
		t.Errorf("%d rows held out: %v", n, counts)
	}
	if other := must.Get(Holdout(labels, 0.3, 8))(t); slices.Equal(other.Test(0), f.Test(0)) {
		t.Error("the seed plays no part")
	}
	few := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}
	for range 10 {
		few = append(few, "many")
	}
	if n := len(must.Get(Holdout(few, 0.5, 0))(t).Test(0)); n != 5 {
		t.Errorf("%d rows of ten held out by half, beside classes of one row", n)
	}
	var e *FoldsError
	for _, share := range []float64{0, 1, -1, math.NaN(), 1e-6} {
		if _, err := Holdout(labels, share, 0); !errors.As(err, &e) {
			t.Errorf("a share of %v: %v", share, err)
		}
	}
}
