package cv

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/matrix"
)

// Choose evaluates each of the methods in the same folds and returns the index of
// the best and all evaluations. It is for what [Tune] does not search: the λ of
// [discriminant.KernelRidge], C and γ of [discriminant.SVM], the K of
// [discriminant.KNN], the components of [discriminant.KernelPCA], or methods of
// different kinds.
//
// The best is the method with the best criterion; of several the one that is listed
// first, so that simpler methods should come first. A method with a fold that has no
// result, or without the value that the criterion compares, never wins; where all
// are such the error is a *[NoCandidateError]. Other errors are those of [Evaluate].
func Choose[L discriminant.Label](ctx context.Context, methods []discriminant.Method, x *matrix.Dense, labels []L, folds *Folds, by Criterion) (best int, evaluations []*Evaluation[L], err error) {
	if err := by.validate(); err != nil {
		return 0, nil, err
	}
	if len(methods) == 0 {
		return 0, nil, &ParameterError{Field: "methods", Value: "[]", Reason: "want one at least"}
	}
	best = -1
	var first error
	least := 0.0
	for i, method := range methods {
		e, err := Evaluate(ctx, method, x, labels, folds)
		if err != nil {
			return 0, nil, err
		}
		evaluations = append(evaluations, e)
		value := by.ofScores(&e.Scores)
		if by.larger() {
			value = -value
		}
		switch {
		case len(e.Failures) > 0:
			if first == nil {
				first = e.Failures[0]
			}
		case math.IsNaN(value):
			if first == nil {
				first = by.missing()
			}
		case best < 0 || value < least:
			best, least = i, value
		}
	}
	if best < 0 {
		return 0, evaluations, &NoCandidateError{Candidates: len(methods), First: first}
	}
	return best, evaluations, nil
}
