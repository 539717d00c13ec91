package main

import (
	"cmp"
	"slices"
)

// candidate is what cross-validation chooses.
type candidate struct {
	gamma float64 // of exp(−γ‖x−y‖²)
	ridge float64 // r of discriminant.RelativeRidge
	rule  rule
}

// grid is the set of candidates that is tried first: each γ, in units of
// γ₀ = gram.GammaScale, with each relative ridge.
type grid struct {
	gammas, ridges []float64
}

var (
	wide = grid{
		gammas: []float64{1. / 64, 1. / 16, 1. / 4, 1, 4, 16, 64},
		ridges: []float64{1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100},
	}
	// narrow is for data sets with more than a thousand training rows.
	narrow = grid{
		gammas: []float64{1. / 4, 1, 4, 16},
		ridges: []float64{1e-6, 1e-4, 1e-2, 1},
	}
)

// around returns the grid of the second round: the best γ and ridge of the first,
// and values between them and their neighbours.
func around(best candidate) grid {
	return grid{
		gammas: []float64{best.gamma / 2, best.gamma, best.gamma * 2},
		ridges: []float64{best.ridge * 0.3, best.ridge, best.ridge * 3},
	}
}

// outcome is a candidate with its number of wrong labels in the cross-validation.
type outcome struct {
	candidate
	wrong   int
	refused int // fits that the library did not vouch for
}

// compareOutcomes orders outcomes, the best first: no refused fit, then fewer
// wrong labels. Ties go to the larger ridge, then to the smaller γ (both make a
// smoother discriminant), then to the rule that is named first.
func compareOutcomes(a, b outcome) int {
	return cmp.Or(
		cmp.Compare(min(a.refused, 1), min(b.refused, 1)),
		cmp.Compare(a.wrong, b.wrong),
		cmp.Compare(b.ridge, a.ridge),
		cmp.Compare(a.gamma, b.gamma),
		cmp.Compare(a.rule, b.rule),
	)
}

func bestOf(outcomes []outcome) outcome { return slices.MinFunc(outcomes, compareOutcomes) }
