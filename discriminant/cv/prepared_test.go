package cv

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// gapped has 48 rows: numbers of two classes with gaps, a category, and a column whose mean one
// row alone decides.
func gapped() (x *matrix.Dense, labels []int) {
	x = matrix.New(48, 3)
	for i := range x.Rows {
		labels = append(labels, i%2)
		copy(x.Row(i), []float64{float64(i%5) + float64(i%2), float64(i % 3), float64(i % 2)})
		if i%7 == 1 {
			x.Set(i, 2, math.NaN())
		}
		if i%11 == 2 {
			x.Set(i, 1, math.NaN())
		}
	}
	x.Set(40, 2, 1e6)
	x.Set(41, 1, 3) // the only row of that level
	return x, labels
}

// What is filled in, and the levels, are those of the training rows of each fold: if the rest
// were seen too, the one large value would change what every other fold says.
func TestPreparationIsLearntInEachFold(t *testing.T) {
	x, labels := gapped()
	ctx := context.Background()
	folds := must.Get(Stratified(labels, 4, 0))(t)
	for _, inner := range []discriminant.Method{discriminant.LDA{}, discriminant.KFDA{Scaling: discriminant.Standard}} {
		method := discriminant.Prepared{Method: inner, Levels: []int{0, 4, 0}, Missing: discriminant.FillMean}
		e := must.Get(Evaluate(ctx, method, x, labels, folds))(t)
		errors := 0
		for k := range folds.Len() {
			train, test := folds.Train(k), folds.Test(k)
			p := must.Get(method.Learn(part(x, train, allColumns(x))))(t)
			by := func(rows []int) *matrix.Dense { return must.Get(p.Transform(nil, part(x, rows, allColumns(x))))(t) }
			m := must.Get(discriminant.Fit(ctx, inner, by(train), take(labels, train)))(t)
			for i, class := range must.Get(m.Predict(nil, by(test)))(t) {
				if class != labels[test[i]] {
					errors++
				}
			}
			if large := slices.Contains(train, 40); (p.Columns()[len(p.Columns())-1].Missing > 1000) != large {
				t.Errorf("fold %d, with the large value %t: filled with %v", k, large, p.Columns())
			}
			if level := slices.Contains(train, 41); len(p.Columns()) != map[bool]int{true: 6, false: 5}[level] {
				t.Errorf("fold %d, with the rare level %t: %d columns", k, level, len(p.Columns()))
			}
		}
		if e.Errors != errors || len(e.Failures) > 0 {
			t.Errorf("%T: %d errors, by hand %d; %v", inner, e.Errors, errors, e.Failures)
		}
	}
}

// Every candidate of a search has the errors of Evaluate, and the model is that of its method.
func TestTunePrepared(t *testing.T) {
	x, labels := gapped()
	x.Set(40, 2, 7)
	ctx := context.Background()
	folds := must.Get(Stratified(labels, 3, 0))(t)
	for _, inner := range []discriminant.Method{
		discriminant.KFDA{Regularizer: discriminant.RelativeRidge(1), Classifier: discriminant.NearestCentroid{}}, discriminant.KFDA{}, discriminant.LDA{}, discriminant.SVM{},
	} {
		s := Search{Method: discriminant.Prepared{Method: inner, Levels: []int{0, 4, 0}, Missing: discriminant.FillIndicator}, Folds: folds, Refinements: -1}
		_, fast := inner.(discriminant.KFDA)
		if _, kfda := s.kfda(); kfda != fast {
			t.Errorf("%T: searched as a KFDA %t", inner, kfda)
		}
		r := tune(t, s, x, labels)
		for _, c := range r.Record.Candidates {
			if c.Classifier != "" && c.Classifier != r.Record.Candidates[0].Classifier {
				continue // tried at the best
			}
			e := must.Get(Evaluate(ctx, s.Candidate(c), x, labels, folds))(t)
			if c.Failed > 0 || e.Errors != c.Errors {
				t.Errorf("%T, %v: %d errors, by Evaluate %d", inner, c, c.Errors, e.Errors)
			}
		}
		if p := r.Model.Preparation(); p == nil || p.Missing() != discriminant.FillIndicator || r.Model.Dim() != 3 {
			t.Errorf("%T: the model has the preparation %+v", inner, p)
		}
	}
}
