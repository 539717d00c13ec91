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
}

// Nested estimates what a search finds: it tunes in the training rows of each outer fold and
// classifies its test rows, of which the search sees nothing. Folds of the search, where they
// are given, divide all rows, and a search takes the rows among its own: an outer fold among
// them tests none then, and is left out. A fold without a result is a [Failure]; the errors are
// those of [Evaluate], and so is what weights do.
func Nested[L discriminant.Label](ctx context.Context, s Search, x *matrix.Dense, labels []L, outer *Folds, weights ...float64) (*NestedEvaluation[L], error) {
	misuse.NotNil("cv: Nested", "ctx", ctx)
	misuse.NotNil("cv: Nested", "x", x)
	if rows, _, err := positive(x.Rows, weights); s.Folds != nil && err == nil && rows != nil && s.Folds.Rows() == x.Rows {
		s.Folds = s.Folds.among(rows) // other mistakes are errors below
	}
	var err error
	if x, labels, outer, weights, err = weighed(x, labels, outer, weights, s.precomputed()); err != nil {
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
	if s.Folds != nil && s.Folds.Rows() != x.Rows {
		return nil, &RowsError{Rows: x.Rows, Labels: len(labels), Folds: s.Folds.Rows()}
	}
	if s.precomputed() {
		if x, err = wholeMatrix(x); err != nil {
			return nil, err
		}
	}
	results, failures := make([]*tested, outer.Len()), make([]error, outer.Len())
	records := make([]Record, outer.Len())
	for k := range results {
		train, test := outer.Train(k), outer.test(k)
		if failures[k] = checkTrain(train, codes, classes); failures[k] != nil || len(test) == 0 {
			continue
		}
		columns, own := allColumns(x), s
		if s.precomputed() {
			columns = train
		}
		if s.Folds != nil {
			own.Folds = s.Folds.among(train).withoutEmpty()
		}
		own.Progress = func(stage string, done, total int) {
			s.progress(fmt.Sprintf("fold %d of %d: %s", k+1, outer.Len(), stage), done, total)
		}
		tuned, err := Tune(ctx, own, part(x, train, columns), take(labels, train), takeWeights(weights, train)...)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if failures[k] = err; err == nil {
			records[k] = tuned.Record
			results[k], failures[k] = testModel(tuned.Model, part(x, test, columns), take(codes, test))
			results[k].weighed(takeWeights(weights, test))
		}
	}
	return &NestedEvaluation[L]{*evaluation(classes, outer, results, failures), records}, nil
}
