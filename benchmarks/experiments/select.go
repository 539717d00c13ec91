package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// selectionSplits is how many splits the candidate is chosen on.
const selectionSplits = 5

// selection is the result of the cross-validation.
type selection struct {
	best    outcome
	rows    int // validated rows a candidate, over all folds and splits
	refused int // pairs of γ and ridge with a refused fit
	fits    int
}

// errorRate returns the cross-validated error of the best candidate in %.
func (s selection) errorRate() float64 { return 100 * float64(s.best.wrong) / float64(s.rows) }

// selectCandidate chooses γ, the ridge and the rule by stratified cross-validation
// in the training rows of the first splits: in the grid g, in units of γ₀, the mean
// of gram.GammaScale over those splits, then in a finer one around its best.
func selectCandidate(ctx context.Context, set dataSet, g grid, workers int) (selection, error) {
	var s selection
	problems := make([]validation, min(selectionSplits, len(set.splits)))
	scale := 0.0
	for i := range problems {
		split := set.splits[i]
		p := &problems[i]
		p.x, p.labels = set.at(split.train)
		p.folds = stratifiedFolds(p.labels, foldCount, foldSeed, uint64(split.number))
		gamma, err := gram.GammaScale(p.x)
		if err != nil {
			return s, err
		}
		scale += gamma / float64(len(problems))
		s.rows += len(split.train)
	}
	first, err := validate(ctx, problems, grid{times(scale, g.gammas...), g.ridges}, workers)
	if err != nil {
		return s, err
	}
	second, err := validate(ctx, problems, around(bestOf(first).candidate), workers)
	if err != nil {
		return s, err
	}
	s.best = bestOf(second) // which has the best of the first round as well
	for _, o := range append(first, second...) {
		if o.rule == 0 {
			s.fits += foldCount * len(problems)
			s.refused += min(o.refused, 1)
		}
	}
	if s.best.refused > 0 {
		return s, errors.New("every candidate of the grid has a refused fit")
	}
	return s, nil
}

// validation is the cross-validation in one training set.
type validation struct {
	x      *matrix.Dense
	labels []int
	folds  []int
}

// validate returns the outcome of each candidate of the grid over all problems.
// The kernel matrix of a training set is computed once a γ; folds take parts of it.
func validate(ctx context.Context, problems []validation, g grid, workers int) ([]outcome, error) {
	parts := make([][]outcome, len(g.gammas)*len(problems)) // γ by γ
	err := parallel(ctx, len(parts), workers, func(i int) (err error) {
		gamma, problem := g.gammas[i/len(problems)], problems[i%len(problems)]
		parts[i], err = problem.outcomes(ctx, gamma, g.ridges)
		return err
	})
	if err != nil {
		return nil, err
	}
	var outcomes []outcome
	for first := 0; first < len(parts); first += len(problems) {
		sum := parts[first]
		for _, part := range parts[first+1 : first+len(problems)] {
			for k, o := range part {
				sum[k].wrong += o.wrong
				sum[k].refused += o.refused
			}
		}
		outcomes = append(outcomes, sum...)
	}
	return outcomes, nil
}

// outcomes returns, for one γ, the outcome of each ridge with each rule.
func (v validation) outcomes(ctx context.Context, gamma float64, ridges []float64) ([]outcome, error) {
	k, err := gram.Matrix(nil, gram.RBF{Gamma: gamma}, v.x)
	if err != nil {
		return nil, err
	}
	var outcomes []outcome
	for _, ridge := range ridges {
		for r := range ruleCount {
			outcomes = append(outcomes, outcome{candidate: candidate{gamma, ridge, r}})
		}
	}
	for fold := range foldCount {
		outside, inside := divide(v.folds, fold)
		train, test := submatrix(k, outside, outside), submatrix(k, inside, outside)
		trainLabels, testLabels := takeLabels(v.labels, outside), takeLabels(v.labels, inside)
		for i, ridge := range ridges {
			of := outcomes[i*int(ruleCount):][:ruleCount]
			model, err := discriminant.Fit(ctx, discriminant.KFDA{
				Kernel:      gram.Precomputed{},
				Regularizer: discriminant.RelativeRidge(ridge),
			}, train, trainLabels)
			if refused(err) {
				for r := range of {
					of[r].refused++
				}
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("γ = %v, relative ridge %v: %w", gamma, ridge, err)
			}
			for r := range of {
				wrong, err := of[r].rule.countWrong(model, test, testLabels)
				if err != nil {
					return nil, err
				}
				of[r].wrong += wrong
			}
		}
	}
	return outcomes, nil
}

// refused reports whether a fit was refused because of its kernel and ridge, which
// rules out a candidate, and not because of a fault.
func refused(err error) bool {
	var accuracy *discriminant.AccuracyError
	var ridge *discriminant.RidgeError
	var means *discriminant.CoincidentMeansError
	return errors.As(err, &accuracy) || errors.As(err, &ridge) || errors.As(err, &means)
}

func submatrix(k *matrix.Dense, rows, cols []int) *matrix.Dense {
	s := matrix.New(len(rows), len(cols))
	for i, row := range rows {
		from, to := k.Row(row), s.Row(i)
		for j, col := range cols {
			to[j] = from[col]
		}
	}
	return s
}
