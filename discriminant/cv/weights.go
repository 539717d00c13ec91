package cv

import (
	"fmt"
	"slices"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// weighed leaves the rows of weight 0 out of a table, of its labels and of folds, which may be
// nil. Weights of 1 are none.
func weighed[L discriminant.Label](x *matrix.Dense, labels []L, folds *Folds, weights []float64, precomputed bool) (*matrix.Dense, []L, *Folds, []float64, error) {
	misuse.NotNil("cv: the arguments", "x", x)
	if weights == nil || x.Rows != len(labels) || folds != nil && folds.Rows() != x.Rows {
		return x, labels, folds, weights, nil
	}
	rows, weights, err := positive(x.Rows, weights)
	if err != nil || rows == nil {
		return x, labels, folds, weights, err
	}
	some := take(labels, rows)
	if left := discriminant.Classes(some); len(left) < len(discriminant.Classes(labels)) {
		missing := slices.IndexFunc(labels, func(l L) bool { return !slices.Contains(left, l) })
		return nil, nil, nil, nil, &discriminant.WeightsError{Rows: x.Rows, Weights: x.Rows, Row: -1, Class: fmt.Sprint(labels[missing])}
	}
	columns := allColumns(x)
	if precomputed && x.Rows == x.Cols {
		columns = rows
	}
	if folds != nil {
		folds = folds.among(rows)
	}
	return part(x, rows, columns), some, folds, weights, nil
}

// positive returns the rows of n with a positive weight, nil for all, and their weights, nil
// where all are 1.
func positive(n int, weights []float64) (rows []int, own []float64, err error) {
	if weights == nil {
		return nil, nil, nil
	}
	if err := discriminant.CheckWeights(n, weights); err != nil {
		return nil, nil, err
	}
	own = weights
	if slices.Contains(weights, 0) {
		for i, w := range weights {
			if w != 0 {
				rows = append(rows, i)
			}
		}
		own = take(weights, rows)
	}
	if !slices.ContainsFunc(own, func(w float64) bool { return w != 1 }) {
		own = nil
	}
	return rows, own, nil
}

// takeWeights returns those of some rows, nil for nil.
func takeWeights(weights []float64, at []int) []float64 {
	if weights == nil {
		return nil
	}
	return take(weights, at)
}
