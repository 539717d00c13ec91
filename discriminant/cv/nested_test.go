package cv

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// Nested is a search in the training rows of each fold, scored in its test rows; folds of the
// search are taken among these, without the outer one.
func TestNested(t *testing.T) {
	x, y := someIris(t)
	outer := must.Get(Stratified(y, 3, 4))(t)
	s := Search{Method: discriminant.LDA{}, Scalings: noScaling}
	for _, inner := range []*Folds{nil, outer} {
		s.Folds = inner
		stages := 0
		s.Progress = func(string, int, int) { stages++ }
		e, err := Nested(t.Context(), s, x, y, outer)
		if err != nil || len(e.Failures) > 0 || len(e.Records) != 3 || e.Rows != x.Rows || stages == 0 {
			t.Fatalf("%+v, %v", e, err)
		}
		errors := 0
		for k := range outer.Len() {
			train, test := outer.Train(k), outer.Test(k)
			own := s
			if inner != nil {
				fold := make([]int, len(train)) // the two others, in order
				for i, row := range train {
					if slices.Contains(outer.Test((k+1)%3), row) == (k != 2) {
						fold[i] = 1
					}
				}
				if k == 0 {
					for i := range fold {
						fold[i] = 1 - fold[i]
					}
				}
				own.Folds = must.Get(Given(fold))(t)
			}
			r := tune(t, own, part(x, train, allColumns(x)), take(y, train))
			score := must.Get(Score(r.Model, part(x, test, allColumns(x)), take(y, test)))(t)
			errors += score.Errors
			if predicted := must.Get(r.Model.Predict(nil, part(x, test, allColumns(x))))(t); !slices.Equal(predicted, e.Predictions[k]) {
				t.Errorf("fold %d: predictions %v, want %v", k, e.Predictions[k], predicted)
			}
			if inner == nil && r.Record.Candidates[r.Record.Best] != e.Records[k].Candidates[e.Records[k].Best] {
				t.Errorf("fold %d: %v, want %v", k, e.Records[k].Best, r.Record.Best)
			}
		}
		if errors != e.Errors {
			t.Errorf("%d errors, want %d", e.Errors, errors)
		}
	}
	kernel := matrix.SymRankK(nil, x, matrix.NoTrans)
	s = Search{Method: discriminant.KFDA{Kernel: gram.Precomputed{}}, Values: []float64{1}}
	if e, err := Nested(t.Context(), s, kernel, y, outer); err != nil || len(e.Failures) > 0 || e.Errors > x.Rows/3 {
		t.Errorf("a kernel matrix: %+v, %v", e, err)
	}
	solo := slices.Clone(y)
	solo[0] = 99
	if e, err := Nested(t.Context(), s, kernel, solo, outer); err != nil || len(e.Failures) != 3 {
		t.Errorf("a class of one row: %+v, %v", e, err)
	}
	_, err := Nested(t.Context(), s, kernel, y[1:], outer)
	must.Fail[*RowsError](t, "a label less", err)
}

// NestedRegression is a search in the training rows of each fold, whose model predicts its test
// rows; a row of weight 0 is absent.
func TestNestedRegression(t *testing.T) {
	x, targets := numbers(30)
	outer := must.Get(Given(slices.Repeat([]int{0, 1, 2}, 10)))(t)
	weights := slices.Repeat([]float64{1, 2, 0, 1, 3}, 6)
	inner := must.Get(Given(slices.Repeat([]int{0, 1, 1, 0, 1}, 6)))(t)
	for _, w := range [][]float64{nil, weights} {
		for _, folds := range []*Folds{nil, inner} {
			s := Search{Kernels: []gram.Kernel{gram.Linear{}, gram.RBF{}}, Scalings: noScaling, Folds: folds}
			e := must.Get(NestedRegression(t.Context(), s, x, targets, outer, w...))(t)
			var predicted, truth, own []float64
			for k := range 3 {
				test := outer.Test(k)
				if w != nil {
					test = slices.DeleteFunc(test, func(i int) bool { return w[i] == 0 })
				}
				search := s
				if folds != nil {
					search.Folds = must.Get(Given(take(slices.Repeat([]int{0, 1, 1, 0, 1}, 6), outer.Train(k))))(t)
				}
				r := must.Get(TuneRegression(t.Context(), search, part(x, outer.Train(k), allColumns(x)), take(targets, outer.Train(k)), takeWeights(w, outer.Train(k))...))(t)
				values := must.Get(r.Model.Predict(nil, part(x, test, allColumns(x))))(t)
				for i, row := range test {
					if e.Predictions[k][i] != values.At(i, 0) {
						t.Errorf("fold %d, row %d: %v, want %v", k, row, e.Predictions[k][i], values.At(i, 0))
					}
					predicted, truth = append(predicted, values.At(i, 0)), append(truth, targets[row])
				}
				own = append(own, takeWeights(w, test)...)
				if e.Records[k].Best != r.Record.Best {
					t.Errorf("fold %d: best %d, want %d", k, e.Records[k].Best, r.Record.Best)
				}
			}
			if want := CompareNumbers(predicted, truth, own...); e.RegressionScores != want || len(e.Failures) > 0 {
				t.Errorf("%+v, want %+v; failures %v", e.RegressionScores, want, e.Failures)
			}
		}
	}
	_, err := NestedRegression(t.Context(), Search{Folds: must.Get(LeaveOneOut(29))(t)}, x, targets, outer)
	must.Fail[*RowsError](t, "folds of other rows", err)
	_, err = NestedRegression(t.Context(), Search{Method: discriminant.SVM{}}, x, targets, outer)
	must.Fail[*ParameterError](t, "a machine", err)
}

// Score is what Evaluate says of one fold; a label that the model does not know is an error.
func TestScore(t *testing.T) {
	x, y := someIris(t)
	fold := make([]int, x.Rows)
	for i := range fold {
		fold[i] = i%2 - 1
	}
	folds := must.Get(Given(fold))(t)
	m := must.Get(discriminant.Fit(t.Context(), discriminant.LDA{Scaling: discriminant.Standard}, part(x, folds.Train(0), allColumns(x)), take(y, folds.Train(0))))(t)
	rows, labels := part(x, folds.Test(0), allColumns(x)), take(y, folds.Test(0))
	got, err := Score(m, rows, labels)
	want := evaluate(t, discriminant.LDA{Scaling: discriminant.Standard}, x, y, folds)
	if err != nil || !reflect.DeepEqual(*got, want.Scores) {
		t.Errorf("%+v, want %+v: %v", got, want.Scores, err)
	}
	labels[0] = 99
	unknown, err := Score(m, rows, labels)
	if err != nil || unknown.Rows != got.Rows || unknown.Errors != got.Errors+1 || unknown.size(0) != got.size(0)-1 {
		t.Errorf("%+v, with an unknown label %+v: %v", got, unknown, err)
	}
	predicted := must.Get(m.Predict(nil, rows))(t)
	c := Compare(m.Classes(), predicted, labels)
	if c.Rows != unknown.Rows || c.Errors != unknown.Errors || !reflect.DeepEqual(c.Confusion, unknown.Confusion) || !math.IsNaN(c.LogLoss) || c.AUC != nil {
		t.Errorf("%+v of the predictions, %+v of the model", c, unknown)
	}
	_, err = Score(m, rows, labels[1:])
	must.Fail[*RowsError](t, "a label less", err)
}

// Pairs are what was given, and Evaluate trains on no other rows: with training rows before the
// tested ones it is a fit to these.
func TestPairs(t *testing.T) {
	x, y := someIris(t)
	var trains, tests [][]int
	for k := 1; k < 3; k++ {
		var train, test []int
		for i := range y {
			switch {
			case i%3 < k:
				train = append(train, i)
			case i%3 == k:
				test = append(test, i)
			}
		}
		slices.Reverse(train)
		trains, tests = append(trains, train), append(tests, test)
	}
	f := must.Get(Pairs(len(y), trains, tests))(t)
	if f.Len() != 2 || f.Rows() != len(y) || f.Train(0)[1] != 3 || f.Test(0)[0] != 1 || len(f.Train(0))+len(f.Test(0)) == len(y) {
		t.Errorf("%v: %v, %v", f, f.Train(0), f.Test(0))
	}
	e := evaluate(t, discriminant.LDA{}, x, y, f)
	errors := 0
	for k := range f.Len() {
		m := must.Get(discriminant.Fit(t.Context(), discriminant.LDA{}, part(x, f.Train(k), allColumns(x)), take(y, f.Train(k))))(t)
		score := must.Get(Score(m, part(x, f.Test(k), allColumns(x)), take(y, f.Test(k))))(t)
		errors += score.Errors
	}
	if e.Errors != errors {
		t.Errorf("%d errors, want %d", e.Errors, errors)
	}
	r := tune(t, Search{Scalings: noScaling, Gammas: []float64{0.1}, Values: []float64{1}, Classifiers: []discriminant.Classifier{discriminant.Gaussian{}}, Folds: f}, x, y).Record
	if c := r.Candidates[0]; c.Rows != e.Rows {
		t.Errorf("%v in %d rows", c, c.Rows)
	}
	for what, c := range map[string][2][][]int{
		"no folds": {}, "fewer tests": {{{0}}, nil}, "no training": {{nil}, {{1}}}, "both": {{{0, 1}}, {{1}}}, "no row": {{{0}}, {{3}}}, "twice": {{{0, 0}}, {{1}}},
	} {
		_, err := Pairs(3, c[0], c[1])
		must.Fail[*FoldsError](t, what, err)
	}
}

// Whole groups in each fold, with the classes' shares as even as they can be: here exactly, where
// folds by size alone are not.
func TestStratifiedGroups(t *testing.T) {
	var groups, labels []int
	for g := range 12 { // of four rows of one class; one class of three is rare
		for range 4 {
			groups, labels = append(groups, g), append(labels, []int{0, 1, 0, 2}[g%4])
		}
	}
	f := must.Get(StratifiedGroups(groups, labels, 3, 1))(t)
	for k := range f.Len() {
		counts := make([]int, 3)
		for _, i := range f.Test(k) {
			counts[labels[i]]++
			if slices.ContainsFunc(f.Train(k), func(j int) bool { return groups[j] == groups[i] }) {
				t.Errorf("group %d is trained on and tested in fold %d", groups[i], k)
			}
		}
		if !slices.Equal(counts, []int{8, 4, 4}) {
			t.Errorf("fold %d tests %v rows of the classes", k, counts)
		}
	}
	if again := must.Get(StratifiedGroups(groups, labels, 3, 1))(t); !reflect.DeepEqual(f, again) {
		t.Error("the folds are others the second time")
	}
	_, err := StratifiedGroups(groups, labels, 13, 0)
	must.Fail[*FoldsError](t, "too many folds", err)
	_, err = StratifiedGroups(groups, labels[1:], 3, 0)
	must.Fail[*RowsError](t, "a label less", err)
}

// Folds of the search that test nothing of an outer fold's rows, as the first of an expanding
// window, leave that fold without a result; a search that is wrong whatever the data is an error.
func TestNestedWithoutFolds(t *testing.T) {
	x, labels := matrix.New(12, 2), make([]int, 12)
	for i := range labels {
		labels[i] = i % 2
		x.Set(i, 0, float64(i*5%7))
		x.Set(i, 1, float64(i%3+2*labels[i]))
	}
	var trains, tests [][]int
	for end := 6; end < 12; end += 2 {
		train := make([]int, end)
		for i := range train {
			train[i] = i
		}
		trains, tests = append(trains, train), append(tests, []int{end, end + 1})
	}
	window := must.Get(Pairs(12, trains, tests))(t)
	for _, by := range []Criterion{ByErrors, ByBalancedAccuracy, ByLogLoss} {
		e, err := Nested(t.Context(), Search{Criterion: by, Folds: window, Workers: 1}, x, labels, window)
		var none *FoldsError
		if err != nil || len(e.Failures) == 0 || e.Failures[0].Fold != 0 || !errors.As(e.Failures[0].Err, &none) {
			t.Errorf("%v: %+v, error %v", by, e, err)
		}
	}
	same := func(a, b []float64) float64 { return 1 }
	other := func(a, b []float64) float64 { return 2 }
	for _, s := range []Search{
		{Criterion: 99},
		{Gammas: []float64{}},
		{Kernels: []gram.Kernel{gram.Func{K: same}, gram.Func{K: other}}},
		{Kernels: []gram.Kernel{nil}},
		{Classifiers: []discriminant.Classifier{discriminant.KNN{}, nil}},
		{Method: discriminant.SVM{}, Refinements: 1},
	} {
		must.Refuse[*ParameterError](Nested(t.Context(), s, x, labels, window))(t, fmt.Sprintf("%+v", s))
	}
}

// A record that was read, without a good candidate, has no edges.
func TestEdgesOfReadRecords(t *testing.T) {
	r := Record{Candidates: []Candidate{{Failed: 1, Gamma: 1}, {Failed: 1, Gamma: 2}}}
	if edges := r.Edges(); edges != nil {
		t.Error(edges)
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
}
