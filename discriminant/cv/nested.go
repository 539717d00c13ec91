package cv

import (
	"context"
	"fmt"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// NestedEvaluation is what outer folds say of a whole search.
type NestedEvaluation[L discriminant.Label] struct {
	Evaluation[L]
	Records []Record // of the searches, one a fold; empty for one that failed

	// Predictions are those of the test rows of each fold, in their order, without rows of
	// weight 0; nil for a fold without a result.
	Predictions [][]L
}

// NestedRegressionEvaluation is what outer folds say of a whole search of a regression.
type NestedRegressionEvaluation struct {
	RegressionEvaluation
	Records []Record // of the searches, one a fold; empty for one that failed
}

// Nested estimates what a search finds: it tunes in the training rows of each outer fold and
// classifies its test rows, of which the search sees nothing. Folds of the search, where they
// are given, divide all rows, and a search takes the rows among its own: an outer fold among
// them tests none then, and is left out. A fold without a result is a [Failure]; the errors are
// those of [Evaluate], and so is what weights do.
func Nested[L discriminant.Label](ctx context.Context, s Search, x *matrix.Dense, labels []L, outer *Folds, weights ...float64) (*NestedEvaluation[L], error) {
	misuse.NotNil("cv: Nested", "ctx", ctx)
	misuse.NotNil("cv: Nested", "x", x)
	s = s.amongPositive(x.Rows, weights)
	x, labels, outer, weights, err := weighed(x, labels, outer, weights, s.precomputed())
	if err != nil {
		return nil, err
	}
	classes, codes, err := prepare(x, labels, outer)
	if err != nil {
		return nil, err
	}
	s.Method = s.base()
	if err := s.validate(); err != nil {
		return nil, err
	}
	if s.precomputed() {
		if x, err = wholeMatrix(x); err != nil {
			return nil, err
		}
	}
	results, predictions := make([]*tested, outer.Len()), make([][]L, outer.Len())
	records, failures, err := nested(ctx, s, outer, func(own Search, k int, train, test []int) (Record, error) {
		if err := checkTrain(train, codes, classes); err != nil {
			return Record{}, err
		}
		columns := allColumns(x)
		if s.precomputed() {
			columns = train
		}
		tuned, err := Tune(ctx, own, part(x, train, columns), take(labels, train), takeWeights(weights, train)...)
		if err != nil {
			return Record{}, err
		}
		if results[k], err = testModel(tuned.Model, part(x, test, columns), take(codes, test)); err == nil {
			results[k].weighed(takeWeights(weights, test))
			predictions[k] = take(classes, results[k].predicted)
		}
		return tuned.Record, err
	})
	if err != nil {
		return nil, err
	}
	return &NestedEvaluation[L]{*evaluation(classes, outer, results, failures), records, predictions}, nil
}

// NestedRegression is to [TuneRegression] what [Nested] is to [Tune].
func NestedRegression(ctx context.Context, s Search, x *matrix.Dense, targets []float64, outer *Folds, weights ...float64) (*NestedRegressionEvaluation, error) {
	misuse.NotNil("cv: NestedRegression", "ctx", ctx, "outer", outer)
	misuse.NotNil("cv: NestedRegression", "x", x)
	s, err := s.amongPositive(x.Rows, weights).ofRegression()
	if err != nil {
		return nil, err
	}
	t, err := newRegression(s, x, targets, outer, weights)
	if err != nil {
		return nil, err
	}
	predictions := make([][]float64, t.folds.Len())
	records, failures, err := nested(ctx, s, t.folds, func(own Search, k int, train, test []int) (Record, error) {
		columns := allColumns(t.x)
		if s.precomputed() {
			columns = train
		}
		tuned, err := TuneRegression(ctx, own, part(t.x, train, columns), take(t.targets, train), takeWeights(t.weights, train)...)
		if err != nil {
			return Record{}, err
		}
		predictions[k], err = predictedBy(tuned.Model, part(t.x, test, columns))
		return tuned.Record, err
	})
	if err != nil {
		return nil, err
	}
	return &NestedRegressionEvaluation{*t.evaluated(predictions, failures), records}, nil
}

// nested calls search for each outer fold that tests rows, with its search in the training rows.
// The error is that of ctx, or a *[RowsError].
func nested(ctx context.Context, s Search, outer *Folds, search func(own Search, k int, train, test []int) (Record, error)) (records []Record, failures []error, err error) {
	if s.Folds != nil && s.Folds.Rows() != outer.Rows() {
		return nil, nil, &RowsError{Rows: outer.Rows(), Labels: outer.Rows(), Folds: s.Folds.Rows()}
	}
	records, failures = make([]Record, outer.Len()), make([]error, outer.Len())
	for k := range records {
		own, train, test := s, outer.Train(k), outer.test(k)
		if len(test) == 0 {
			continue
		}
		if s.Folds != nil {
			own.Folds = s.Folds.among(train).withoutEmpty()
		}
		own.Progress = func(stage string, done, total int) {
			s.progress(fmt.Sprintf("fold %d of %d: %s", k+1, outer.Len(), stage), done, total)
		}
		records[k], failures[k] = search(own, k, train, test)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
	}
	return records, failures, nil
}

// amongPositive returns the search with folds of the rows with a positive weight; mistakes are
// left to the checks of the table.
func (s Search) amongPositive(n int, weights []float64) Search {
	if rows, _, err := positive(n, weights); s.Folds != nil && err == nil && rows != nil && s.Folds.Rows() == n {
		s.Folds = s.Folds.among(rows)
	}
	return s
}
