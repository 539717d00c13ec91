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
		return 0, nil, noMethods()
	}
	for _, method := range methods {
		e, err := Evaluate(ctx, method, x, labels, folds)
		if err != nil {
			return 0, nil, err
		}
		evaluations = append(evaluations, e)
	}
	best, err = Best(evaluations, by)
	return best, evaluations, err
}

func noMethods() error {
	return &ParameterError{Field: "methods", Value: "[]", Reason: "want one at least"}
}

// Best returns the index of the best of evaluations in the same folds, as [Choose] does.
func Best[L discriminant.Label](evaluations []*Evaluation[L], by Criterion) (int, error) {
	if err := by.validate(); err != nil {
		return 0, err
	}
	if len(evaluations) == 0 {
		return 0, noMethods()
	}
	best, least := -1, 0.0
	for i, e := range evaluations {
		value := by.ofScores(&e.Scores)
		if by.larger() {
			value = -value
		}
		if e.failure(by) == nil && (best < 0 || value < least) {
			best, least = i, value
		}
	}
	if best < 0 {
		return 0, &NoCandidateError{Candidates: len(evaluations), First: evaluations[0].failure(by)}
	}
	return best, nil
}

// failure returns why the method can't be the best, or nil.
func (e *Evaluation[L]) failure(by Criterion) error {
	switch {
	case len(e.Failures) > 0:
		return e.Failures[0]
	case math.IsNaN(by.ofScores(&e.Scores)):
		return by.missing()
	}
	return nil
}

// Candidate returns how the method fared, for the record of a search by that criterion. Its
// settings are left to the caller, and Around is 0: methods of a list have no neighbours.
func (e *Evaluation[L]) Candidate(by Criterion) Candidate {
	c := Candidate{Errors: e.Errors, Rows: e.Rows, Balanced: Number(e.BalancedAccuracy()), Failed: len(e.Failures)}
	if c.err = e.failure(by); c.err != nil {
		c.Reason = c.err.Error()
		if c.Failed == 0 {
			c.Failed = len(e.FoldErrors) // the criterion's value is missing in all
		}
	} else if by > ByBalancedAccuracy {
		c.Score = Number(by.ofScores(&e.Scores))
	}
	return c
}
