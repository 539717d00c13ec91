package cv

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/golden"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

func evaluate[L discriminant.Label](t testing.TB, m discriminant.Method, x *matrix.Dense, labels []L, f *Folds) *Evaluation[L] {
	t.Helper()
	e := must.Get(Evaluate(context.Background(), m, x, labels, f))(t)
	for _, f := range e.Failures {
		t.Error(f)
	}
	return e
}

// The accuracy of five folds of iris and wine that was computed with 150 digits, from the
// features and from the kernel matrix.
func TestEvaluateGolden(t *testing.T) {
	n := 0
	for _, p := range golden.Dir(t, "medium") {
		if p.Kind != "kfda_cv" {
			continue
		}
		reg := discriminant.Ridge(p.Input.Float("eps"))
		if p.Input.String("regularizer") == "rkhs" {
			reg = discriminant.RKHS(p.Input.Float("eps"))
		}
		m := discriminant.KFDA{Kernel: must.Get(gram.Parse(p.Input.Kernel().Text()))(t), Regularizer: reg, Classifier: discriminant.NearestCentroid{}}
		x, y := p.Input.Matrix("X"), p.Input.Ints("y")
		folds := must.Get(Given(p.Input.Ints("fold")))(t)
		e := evaluate(t, m, x, y, folds)
		p.Compare(t, "cv_accuracy", e.Accuracy(), false)
		if n++; testing.Short() && n%4 != 1 {
			continue
		}

		k := must.Get(gram.Matrix(nil, m.Kernel, x))(t)
		m.Kernel = gram.Precomputed{}
		if again := evaluate(t, m, k, y, folds); again.Errors != e.Errors {
			t.Errorf("%s: %d errors, from the kernel matrix %d", p.Name, e.Errors, again.Errors)
		}
	}
	if n == 0 {
		t.Error("no golden file")
	}
}

// All that is fitted is fitted to the training rows of a fold, whatever the row that it
// leaves out holds.
func TestCase87ScalingInsideTheFolds(t *testing.T) {
	x, labels := matrixtest.LabelledCase(t, "87-scaling-inside-the-folds/train.csv")
	folds := must.Get(LeaveOneOut(x.Rows))(t)
	last := x.Rows - 1
	for range 2 {
		rows := folds.Train(last)
		m := must.Get(discriminant.Fit(context.Background(), discriminant.KFDA{Scaling: discriminant.Standard}, part(x, rows, []int{0}), take(labels, rows)))(t)
		if s := m.Scaler(); s.Shift()[0] != 3 || s.Scale()[0] != math.Sqrt2 {
			t.Errorf("the scaler has mean %v and deviation %v, want 3 and √2", s.Shift(), s.Scale())
		}
		m = must.Get(discriminant.Fit(context.Background(), discriminant.KFDA{}, part(x, rows, []int{0}), take(labels, rows)))(t)
		if k := m.Details().(discriminant.KFDADetails).Kernel(); k != (gram.RBF{Gamma: 0.5}) {
			t.Errorf("the kernel is %v, want γ = 1/2", k)
		}
		x.Set(last, 0, 2000)
		labels[last] = "p"
	}

	// Evaluate is the loop over Fit and Predict.
	x, labels = matrixtest.LabelledCase(t, "87-scaling-inside-the-folds/train.csv")
	method := discriminant.KFDA{Scaling: discriminant.Standard}
	e := evaluate(t, method, x, labels, folds)
	want := 0
	for i := range x.Rows {
		rows := folds.Train(i)
		m := must.Get(discriminant.Fit(context.Background(), method, part(x, rows, []int{0}), take(labels, rows)))(t)
		predicted := must.Get(m.Predict(nil, part(x, []int{i}, []int{0})))(t)
		if predicted[0] != labels[i] {
			want++
		}
	}
	if e.Errors != want || e.Rows != x.Rows {
		t.Errorf("%d errors in %d rows, want %d in %d", e.Errors, e.Rows, want, x.Rows)
	}
}

// A fold that lacks a class in training is named, and does not count.
func TestEvaluateReportsFailures(t *testing.T) {
	x, labels := matrixtest.LabelledCase(t, "88-stratified-folds-and-rare-classes/singletons.csv")
	labels[3] = "q"
	labels[2] = "q"
	folds := must.Get(LeaveOneOut(x.Rows))(t)
	e := must.Get(Evaluate(context.Background(), discriminant.KFDA{}, x, labels, folds))(t)
	if len(e.Failures) != 1 || e.Failures[0].Fold != 4 || e.Rows != 4 || !math.IsNaN(e.FoldErrors[4]) {
		t.Fatalf("failures %v, %d rows", e.Failures, e.Rows)
	}
	var missing *MissingClassError
	if !errors.As(e.Failures[0], &missing) || missing.Class != "solo" {
		t.Errorf("the failure is %v", e.Failures[0])
	}

	must.Fail[*RowsError](t, "other folds", evaluationError(discriminant.KFDA{}, x, labels[:4], folds))
	must.Fail[*discriminant.ClassesError](t, "one class", evaluationError(discriminant.KFDA{}, x, make([]string, 5), folds))
	must.Fail[*discriminant.ParameterError](t, "components", evaluationError(discriminant.KFDA{Components: -1}, x, labels, folds))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Evaluate(ctx, discriminant.KFDA{}, x, labels, folds); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

func evaluationError(m discriminant.Method, x *matrix.Dense, labels []string, f *Folds) error {
	_, err := Evaluate(context.Background(), m, x, labels, f)
	return err
}

// Scores of two small folds, computed by hand.
func TestScoresByHand(t *testing.T) {
	values := func(v ...float64) *matrix.Dense {
		m := matrix.New(len(v), 2)
		for i, p := range v {
			m.Set(i, 0, 1-p)
			m.Set(i, 1, p)
		}
		return m
	}
	one := values(0.25, 0.75, 0.75, 0.5) // class 1 above 1/2
	two := values(0.75, 0.125)
	s := newScores([]*tested{
		{truth: []int{0, 0, 1, 1}, predicted: []int{0, 1, 1, 0}, values: one, posteriors: one},
		nil,
		{truth: []int{1, 0}, predicted: []int{1, 0}, values: two, posteriors: two},
	}, 2)
	if s.Rows != 6 || s.Errors != 2 || s.Confusion[0][0] != 2 || s.Confusion[0][1] != 1 || s.Confusion[1][0] != 1 || s.Confusion[1][1] != 2 {
		t.Errorf("%d rows, %d errors, confusion %v", s.Rows, s.Errors, s.Confusion)
	}
	if s.FoldErrors[0] != 0.5 || !math.IsNaN(s.FoldErrors[1]) || s.FoldErrors[2] != 0 {
		t.Errorf("fold errors %v", s.FoldErrors)
	}
	// Pairs of fold one: 0.75 > 0.25, 0.75 = 0.75, 0.5 > 0.25, 0.5 < 0.75: 2½ of 4; of
	// fold two 1 of 1.
	if want := 3.5 / 5; s.AUC[0] != want || s.AUC[1] != want {
		t.Errorf("AUC %v, want %v", s.AUC, want)
	}
	want := -math.Log(0.75*0.25*0.75*0.5*0.75*0.875) / 6
	if math.Abs(s.LogLoss-want) > 1e-15 { // a few roundings of numbers below 2
		t.Errorf("log loss %v, want %v", s.LogLoss, want)
	}
	if s.BalancedAccuracy() != 2.0/3 || s.Accuracy() != 4.0/6 || s.Recall(0) != 2.0/3 || s.Precision(1) != 2.0/3 {
		t.Errorf("balanced accuracy %v, accuracy %v, recall %v, precision %v", s.BalancedAccuracy(), s.Accuracy(), s.Recall(0), s.Precision(1))
	}
}

// Where there are posteriors there is a log loss; where no fold tests a pair there
// is no AUC.
func TestScoresThatThereAre(t *testing.T) {
	p := golden.Load(t, "medium/iris_rbf")
	x, y := p.Input.Matrix("X"), p.Input.Ints("y")
	five := must.Get(Stratified(y, 5, 0))(t)
	e := evaluate(t, discriminant.KFDA{Classifier: discriminant.Gaussian{}}, x, y, five)
	if !(e.LogLoss > 0 && e.LogLoss < 0.5) || len(e.AUC) != 3 || !(e.AUC[2] > 0.9) {
		t.Errorf("log loss %v, AUC %v", e.LogLoss, e.AUC)
	}
	e = evaluate(t, discriminant.KFDA{Classifier: discriminant.NearestCentroid{}}, x, y, five)
	if !math.IsNaN(e.LogLoss) || e.AUC != nil {
		t.Errorf("nearest centroids of three classes: log loss %v, AUC %v", e.LogLoss, e.AUC)
	}
	e = evaluate(t, discriminant.LDA{}, x, y, must.Get(LeaveOneOut(x.Rows))(t))
	if e.AUC != nil || e.Rows != 150 {
		t.Errorf("leave-one-out: AUC %v of %d rows", e.AUC, e.Rows)
	}
}

// A table that is no kernel matrix as a whole is refused by every method, although the
// parts that folds take of it, some columns beside others, could be.
func TestKernelMatricesAsAWhole(t *testing.T) {
	labels := []int{0, 1, 0, 1, 0, 1}
	folds := must.Get(Stratified(labels, 3, 0))(t)
	pre := gram.Precomputed{}
	skew := matrix.New(6, 6)
	for i := range 6 {
		skew.Set(i, i, float64(1+i))
	}
	skew.Set(4, 1, 0.5)
	for _, m := range []discriminant.Method{
		discriminant.KFDA{Kernel: pre}, discriminant.KernelRidge{Kernel: pre, Regularizer: discriminant.Ridge(1)},
		discriminant.KernelPCA{Kernel: pre}, discriminant.SVM{Kernel: pre},
	} {
		fails := func(what string, x *matrix.Dense, as any) {
			t.Helper()
			if _, err := Evaluate(context.Background(), m, x, labels, folds); !errors.As(err, as) {
				t.Errorf("%v of %s: %v", m, what, err)
			}
			k, ok := m.(discriminant.KFDA)
			if err := tuneError(Search{Method: k, Folds: folds}, x, labels); ok && !errors.As(err, as) {
				t.Errorf("a search in %s: %v", what, err)
			}
		}
		fails("a narrow table", matrix.New(6, 5), new(*gram.ShapeError))
		fails("a wide table", matrix.New(6, 7), new(*gram.ShapeError))
		fails("a skew matrix", skew, new(*gram.NotSymmetricError))
	}
}

// EvaluateProgress counts all folds, those without a result too, one by one.
func TestEvaluateProgress(t *testing.T) {
	x, labels := matrix.New(6, 1), []string{"a", "b", "a", "b", "a", "solo"}
	for i := range x.Rows {
		x.Set(i, 0, float64(i*i))
	}
	var told []int
	e := must.Get(EvaluateProgress(t.Context(), discriminant.KFDA{}, x, labels, must.Get(LeaveOneOut(6))(t), func(done, total int) {
		if told = append(told, done); total != 6 {
			t.Errorf("%d folds in all", total)
		}
	}))(t)
	if len(e.Failures) == 0 || !slices.Equal(told, []int{1, 2, 3, 4, 5, 6}) {
		t.Errorf("told of %v folds with the failures %v", told, e.Failures)
	}
}
