package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// selectionSplits is how many splits the candidate is chosen on.
const selectionSplits = 5

// selection is the result of the cross-validation.
type selection struct {
	best    candidate // the medians of γ and of the ridge, and the rule of most splits
	wrong   int       // labels of the splits' own best candidates
	rows    int       // validated rows of a candidate, over all folds and splits
	refused int       // pairs of a split and of γ and ridge with a refused fit
	fits    int
}

// errorRate returns the cross-validated error of the splits' best candidates in %.
func (s selection) errorRate() float64 { return 100 * float64(s.wrong) / float64(s.rows) }

// selectCandidate chooses γ, the ridge and the rule: in the training rows of each of
// the first splits by stratified cross-validation, in the grid g, in units of γ₀, the
// mean of gram.GammaScale over those splits, then in a finer one around its best; of
// what the splits chose the medians, and the rule that most of them chose, the
// first of them in a tie.
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
	g.gammas = times(scale, g.gammas...)
	var gammas, ridges []float64
	rules := make([]int, ruleCount)
	for _, p := range problems {
		outcomes, err := p.validate(ctx, g, workers)
		if err != nil {
			return s, err
		}
		second, err := p.validate(ctx, around(bestOf(outcomes).candidate), workers)
		if err != nil {
			return s, err
		}
		best := bestOf(second) // which has the best of the first round as well
		if best.refused > 0 {
			return s, errors.New("every candidate of the grid has a refused fit")
		}
		gammas, ridges = append(gammas, best.gamma), append(ridges, best.ridge)
		rules[best.rule]++
		s.wrong += best.wrong
		for _, o := range append(outcomes, second...) {
			if o.rule == midpoint {
				s.fits += foldCount
				s.refused += min(o.refused, 1)
			}
		}
	}
	s.best = candidate{gamma: lowerMedian(gammas), ridge: lowerMedian(ridges), rule: commonest(rules)}
	return s, nil
}

// commonest returns the rule of the largest count, the first of them in a tie.
func commonest(counts []int) rule {
	return rule(slices.Index(counts, slices.Max(counts)))
}

// lowerMedian returns the middle of the values, or the lower of the two in the middle.
func lowerMedian(values []float64) float64 {
	return slices.Sorted(slices.Values(values))[(len(values)-1)/2]
}

// validation is the cross-validation in one training set.
type validation struct {
	x      *matrix.Dense
	labels []int
	folds  []int
}

// validate returns the outcome of each candidate of the grid, γ by γ.
func (v validation) validate(ctx context.Context, g grid, workers int) ([]outcome, error) {
	parts := make([][]outcome, len(g.gammas))
	err := parallel(ctx, len(parts), workers, func(i int) (err error) {
		parts[i], err = v.outcomes(ctx, g.gammas[i], g.ridges)
		return err
	})
	return slices.Concat(parts...), err
}

// outcomes returns, for one γ, the outcome of each ridge with each rule. The kernel
// matrix is computed once, and folds take parts of it; all ridges of a fold come from one
// reduction of its part.
func (v validation) outcomes(ctx context.Context, gamma float64, ridges []float64) ([]outcome, error) {
	k, err := gram.Matrix(nil, gram.RBF{Gamma: gamma}, v.x)
	if err != nil {
		return nil, err
	}
	var outcomes []outcome
	var regularizers []discriminant.Regularizer
	for _, ridge := range ridges {
		regularizers = append(regularizers, discriminant.RelativeRidge(ridge))
		for r := range ruleCount {
			outcomes = append(outcomes, outcome{candidate: candidate{gamma, ridge, r}})
		}
	}
	for fold := range foldCount {
		outside, inside := divide(v.folds, fold)
		train, test := submatrix(k, outside, outside), submatrix(k, inside, outside)
		trainLabels, testLabels := take(v.labels, outside), take(v.labels, inside)
		for r := range ruleCount {
			method := discriminant.KFDA{Kernel: gram.Precomputed{}, Classifier: r.classifier()}
			tests, err := discriminant.TestPath(ctx, method, train.Clone(), trainLabels, test, regularizers)
			if err != nil && !refused(err) {
				return nil, fmt.Errorf("γ = %v: %w", gamma, err)
			}
			for i, ridge := range ridges {
				of := &outcomes[i*int(ruleCount)+int(r)]
				if err != nil || refused(tests[i].Err) {
					of.refused++
					continue
				}
				if err := tests[i].Err; err != nil {
					return nil, fmt.Errorf("γ = %v, relative ridge %v: %w", gamma, ridge, err)
				}
				of.wrong += countDifferent(tests[i].Predictions, testLabels)
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
