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

// grid is a set of candidates: each γ with each relative ridge and each rule.
type grid struct {
	gammas, ridges []float64
}

// coarse is the grid that is tried first; its γ are in units of γ₀.
var coarse = grid{
	gammas: []float64{1. / 64, 1. / 16, 1. / 4, 1, 4, 16, 64},
	ridges: []float64{1e-8, 1e-6, 1e-4, 1e-2, 1, 100},
}

// around returns the grid of the second round: the best γ and ridge of the first,
// and values between them and their neighbours.
func around(best candidate) grid {
	return grid{
		gammas: times(best.gamma, 0.5, 1, 2),
		ridges: times(best.ridge, 0.1, 0.3, 1, 3, 10),
	}
}

func times(unit float64, factors ...float64) []float64 {
	products := make([]float64, len(factors))
	for i, f := range factors {
		products[i] = unit * f
	}
	return products
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
