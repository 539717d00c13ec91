package cv

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// weighedTable returns rows of two classes that overlap, weights of 0 to 3, the fold that tests
// each row, and the same table with each row as often as its weight says.
type weighedTable struct {
	x, twice             *matrix.Dense
	y, labels            []int
	fold, folds          []int
	weights, onlyOnes    []float64
	someFolds, manyFolds *Folds
}

func newWeighedTable(t *testing.T, n, c int) *weighedTable {
	r := rand.New(rand.NewPCG(uint64(n), 5))
	w := &weighedTable{x: matrix.New(n, 3)}
	var rows []int
	for i := range n {
		w.y = append(w.y, i%c)
		for j := range 3 {
			w.x.Set(i, j, r.NormFloat64()+float64((i+j)%c))
		}
		w.fold, w.weights = append(w.fold, i/c%4), append(w.weights, float64(r.IntN(4)))
		rows = append(rows, slices.Repeat([]int{i}, int(w.weights[i]))...)
	}
	w.twice, w.labels, w.folds = part(w.x, rows, allColumns(w.x)), take(w.y, rows), take(w.fold, rows)
	w.someFolds, w.manyFolds = must.Get(Given(w.fold))(t), must.Get(Given(w.folds))(t)
	w.onlyOnes = slices.Repeat([]float64{1}, n)
	return w
}

// scoresAgree reports whether the scores with weights are those of the repeated rows.
func scoresAgree(a, b *Scores) bool {
	near := func(x, y float64) bool {
		return math.Abs(x-y) <= 1e-9 || math.IsNaN(x) && math.IsNaN(y)
	}
	total, wrong := a.Weight()
	agree := total == float64(b.Rows) && wrong == float64(b.Errors) && near(a.Accuracy(), b.Accuracy()) &&
		near(a.BalancedAccuracy(), b.BalancedAccuracy()) && near(a.LogLoss, b.LogLoss) && len(a.AUC) == len(b.AUC)
	for j := range b.Confusion {
		agree = agree && near(a.Recall(j), b.Recall(j)) && near(a.Precision(j), b.Precision(j))
	}
	for j := range b.AUC {
		agree = agree && near(a.AUC[j], b.AUC[j])
	}
	for k := range b.FoldErrors {
		agree = agree && near(a.FoldErrors[k], b.FoldErrors[k])
	}
	return agree
}

// In folds that keep the copies of a row together, weights are repetitions: in training and in
// all scores. What leaves out rows does not take part.
func TestWeightsInFoldsAreRepetitions(t *testing.T) {
	for c := 2; c <= 3; c++ {
		w := newWeighedTable(t, 60, c)
		for _, method := range []discriminant.Method{
			discriminant.KFDA{Regularizer: discriminant.RKHS(1), Classifier: discriminant.Gaussian{}},
			discriminant.KFDA{Regularizer: discriminant.RelativeRidge(1e-3), Scaling: discriminant.Standard},
			discriminant.LDA{}, discriminant.SVM{Tolerance: 1e-10},
			discriminant.KernelRidge{Regularizer: discriminant.Ridge(1)},
		} {
			got := must.Get(Evaluate(t.Context(), method, w.x, w.y, w.someFolds, w.weights...))(t)
			want := must.Get(Evaluate(t.Context(), method, w.twice, w.labels, w.manyFolds))(t)
			if len(got.Failures) > 0 || !scoresAgree(&got.Scores, &want.Scores) {
				t.Errorf("%d classes, %T: %+v\nwant %+v", c, method, got, want)
			}
			model := must.Get(discriminant.Fit(t.Context(), method, w.x, w.y))(t)
			one := must.Get(Score(model, w.x, w.y, w.weights...))(t)
			if two := must.Get(Score(model, w.twice, w.labels))(t); !scoresAgree(one, two) {
				t.Errorf("%d classes, %T: scores %+v\nwant %+v", c, method, one, two)
			}
			predicted := must.Get(model.Predict(nil, w.x))(t)
			compared := Compare(model.Classes(), predicted, w.y, w.weights...)
			if total, wrong := one.Weight(); compared.Accuracy() != one.Accuracy() || compared.weighed.total != total || compared.weighed.wrong != wrong {
				t.Errorf("%d classes, %T: Compare %+v, Score %+v", c, method, compared, one)
			}
		}
	}
}

// A search with weights is that in the repeated rows, candidate by candidate, where no
// classifier leaves out rows; with weights of 1 it is that without, to the last digit.
func TestTuneWithWeights(t *testing.T) {
	w := newWeighedTable(t, 48, 3)
	search := func(base Search, folds *Folds) Search {
		base.Folds, base.Gammas, base.Values = folds, []float64{0.05, 0.5}, []float64{1e-3, 0.1, 10}
		return base
	}
	for _, base := range []Search{
		{Method: discriminant.KFDA{Regularizer: discriminant.RelativeRKHS(1), Classifier: discriminant.NearestCentroid{}}},
		{Method: discriminant.KFDA{Regularizer: discriminant.RelativeRKHS(1), Classifier: discriminant.Gaussian{}}, Criterion: ByLogLoss},
		{Method: discriminant.KFDA{Regularizer: discriminant.RelativeRidge(1)}, Criterion: ByBalancedAccuracy},
		{Method: discriminant.SVM{Tolerance: 1e-10}},
	} {
		got := must.Get(Tune(t.Context(), search(base, w.someFolds), w.x, w.y, w.weights...))(t).Record
		want := must.Get(Tune(t.Context(), search(base, w.manyFolds), w.twice, w.labels))(t).Record
		by := base.Criterion
		for i, c := range got.Candidates {
			d := want.Candidates[i]
			if c.Failed+d.Failed > 0 || c.String() != d.String() || !(math.Abs(by.of(c)-by.of(d)) <= 1e-9) || math.Abs(c.Accuracy()-d.Accuracy()) > 1e-12 {
				t.Errorf("%v: candidate %d is %+v, want %+v", base.Method, i, c, d)
			}
		}
		ones := must.Get(Tune(t.Context(), search(base, w.someFolds), w.x, w.y, w.onlyOnes...))(t).Record
		if none := must.Get(Tune(t.Context(), search(base, w.someFolds), w.x, w.y))(t).Record; !reflect.DeepEqual(ones, none) {
			t.Errorf("%v: with weights of 1 %+v\nwithout %+v", base.Method, ones, none)
		}
	}
}

// The default search works with weights, in parts of a kernel matrix too, and in outer folds;
// what is wrong with weights is an error before anything is fitted.
func TestSearchesWithWeights(t *testing.T) {
	w := newWeighedTable(t, 60, 2)
	k := must.Get(gram.Matrix(nil, gram.RBF{Gamma: 0.3}, w.x))(t)
	for name, s := range map[string]Search{
		"default": {}, "matrix": {Method: discriminant.KFDA{Kernel: gram.Precomputed{}}}, "log loss": {Criterion: ByLogLoss, Refinements: -1},
	} {
		x := w.x
		if name == "matrix" {
			x = k
		}
		tuned := must.Get(Tune(t.Context(), s, x, w.y, w.weights...))(t)
		for _, c := range tuned.Record.Candidates {
			if c.Failed > 0 || c.Weight == 0 {
				t.Errorf("%s: %+v", name, c)
			}
		}
		s.Folds = nil
		nested := must.Get(Nested(t.Context(), s, x, w.y, w.someFolds, w.weights...))(t)
		total, _ := nested.Weight()
		if len(nested.Failures) > 0 || total != matrix.Sum(w.weights) {
			t.Errorf("%s: nested %+v", name, nested)
		}
	}
	bad := slices.Clone(w.weights)
	bad[7] = -1
	var wrong *discriminant.WeightsError
	for name, err := range map[string]error{
		"Evaluate": second(Evaluate(t.Context(), discriminant.LDA{}, w.x, w.y, w.someFolds, bad...)),
		"Tune":     second(Tune(t.Context(), Search{}, w.x, w.y, bad...)),
		"Nested":   second(Nested(t.Context(), Search{}, w.x, w.y, w.someFolds, bad...)),
	} {
		if !errors.As(err, &wrong) || wrong.Row != 7 {
			t.Errorf("%s: error %v, want a *WeightsError of row 7", name, err)
		}
	}
	for i, j := range w.y {
		bad[i] = float64(j)
	}
	if _, err := Evaluate(t.Context(), discriminant.LDA{}, w.x, w.y, w.someFolds, bad...); !errors.As(err, &wrong) || wrong.Class != "0" {
		t.Errorf("a class without weight: error %v", err)
	}
}

// Folds that test nothing but rows of weight 0 say nothing.
func TestSearchesTestARow(t *testing.T) {
	w := newWeighedTable(t, 40, 2)
	fold, weights, targets := make([]int, 40), slices.Clone(w.onlyOnes), make([]float64, 40)
	for i := range fold {
		if fold[i] = -1; i < 4 {
			fold[i], weights[i] = i%2, 0
		}
		targets[i] = w.x.At(i, 0)
	}
	folds := must.Get(Given(fold))(t)
	_, err := Tune(t.Context(), Search{Folds: folds}, w.x, w.y, weights...)
	must.Fail[*FoldsError](t, "Tune", err)
	_, err = TuneRegression(t.Context(), Search{Folds: folds}, w.x, targets, weights...)
	must.Fail[*FoldsError](t, "TuneRegression", err)
	_, err = EvaluateRegression(t.Context(), discriminant.KernelRidge{}, w.x, targets, folds, func(done, total int) {}, weights...)
	must.Fail[*FoldsError](t, "EvaluateRegression", err)
}

func second[T any](_ T, err error) error { return err }
