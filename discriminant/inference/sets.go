package inference

import (
	"context"
	"fmt"
	"math"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// Sets are the classes that new rows may be of, by full conformal prediction with a p-value for each
// class (label-conditional, or Mondrian: Vovk, Gammerman and Shafer, Algorithmic Learning in a Random
// World, 2005, chapters 2 and 4).
//
// Theorem. Let a new row of class k and the training rows of class k be exchangeable given all other
// training rows, and kernel and ridge be fixed without looking at any of them. Then the p-value of k
// is at most α with a probability of at most α, for any number of rows. So the set of the classes with
// p-values above 1 − Coverage holds the class of the row with a probability of at least Coverage,
// in each class by itself. The probability is over training rows and new row together: it is no
// statement about one training table.
//
// The p-value of class k takes the new row into the fit with the label k, and ranks its score among
// those of the rows of that class in the same fit of n + 1 rows, its own included: scores that treat
// all rows alike make each rank equally likely. The score of a row is the largest of the values of
// the other classes at it less the value of its own, predicted by kernel ridge regression on the
// indicators of the classes, with an intercept, from the n others: [augmented] finds them all without
// another fit. The jackknife+ (Barber, Candès, Ramdas and Tibshirani 2021) uses such predictions too,
// without the new row in them, and guarantees 1 − 2α where this guarantees 1 − α.
//
// A class of m training rows has p-values of 1/(m + 1) at least: where that is above 1 − Coverage, it
// is in every set.
type Sets[L discriminant.Label] struct {
	Classes  []L           // in class order
	Counts   []int         // their training rows
	PValues  *matrix.Dense // of the new rows in each class
	Coverage float64
}

// PredictionSets returns the classes that the rows of y may be of, given the labels of the rows of
// the sample. Cost: n³/3 flops once for a sample, then 2n² + O(nc) for each row and class.
//
// The errors are *[discriminant.RowsError], *[discriminant.ClassesError] for fewer than two classes,
// a *[discriminant.ParameterError] for a coverage that is not between 0 and 1 or a precomputed
// kernel, and those of [gram.Evaluator.Cross].
func PredictionSets[L discriminant.Label](ctx context.Context, s *Sample, labels []L, y *matrix.Dense, coverage float64) (*Sets[L], error) {
	misuse.NotNil("inference: PredictionSets", "ctx", ctx, "the Sample", s, "y", y)
	if err := checkCoverage(coverage); err != nil {
		return nil, err
	}
	if len(labels) != s.Rows() {
		return nil, &discriminant.RowsError{Rows: s.Rows(), Labels: len(labels)}
	}
	classes, of := encode(labels)
	if len(classes) < 2 {
		return nil, &discriminant.ClassesError{Found: texts(classes)}
	}
	diagonal, err := s.diagonalOf(ctx)
	if err != nil {
		return nil, err
	}
	m := margins{diagonal: diagonal, equal: s.equalTo(), missed: matrix.New(len(labels), len(classes)), rows: make([][]int, len(classes))}
	for i, k := range of.Codes {
		m.missed.Set(i, k, 1)
		m.rows[k] = append(m.rows[k], i)
	}
	s.residuals(m.missed)
	sets := &Sets[L]{classes, of.Counts, matrix.New(y.Rows, len(classes)), coverage}
	return sets, s.eachNew(ctx, y, func(a augmented) { m.rank(sets.PValues.Row(a.row), a) })
}

// Of returns the classes that row i may be of: none if it is like the training rows of no class, more
// than one if it may be of either.
func (s *Sets[L]) Of(i int) (set []L) {
	for k, p := range s.PValues.Row(i) {
		if holds(p, s.Coverage) {
			set = append(set, s.Classes[k])
		}
	}
	return set
}

// Best returns the class of row i with the largest p-value, the first of equals; its credibility, which
// is that p-value: small where the row is like no class; and the confidence in it, one less the second
// largest: the largest coverage at which the set is no more than that class.
func (s *Sets[L]) Best(i int) (class L, credibility, confidence float64) {
	best, second := 0, 0.0
	for k, p := range s.PValues.Row(i) {
		switch most := s.PValues.At(i, best); {
		case k == 0:
		case p > most:
			best, second = k, most
		default:
			second = math.Max(second, p)
		}
	}
	return s.Classes[best], s.PValues.At(i, best), 1 - second
}

// FewestRows returns how many training rows of a class, or of a regression, it takes for sets of that
// coverage to leave anything out.
func FewestRows(coverage float64) int {
	n := max(1, int(coverage/(1-coverage))-1)
	for holds(1/float64(n+1), coverage) {
		n++
	}
	return n
}

func texts[L discriminant.Label](classes []L) (all []string) {
	for _, c := range classes {
		all = append(all, fmt.Sprint(c))
	}
	return all
}

// margins are what scores are made of.
type margins struct {
	diagonal []float64     // of G
	equal    float64       // how far scores are apart that count as equal
	missed   *matrix.Dense // G times the indicators of the classes, n×c
	rows     [][]int       // of each class
}

// rank sets the p-values of a new row in the classes.
func (m *margins) rank(p []float64, a augmented) {
	values := make([]float64, len(p)) // that the n rows predict
	for k, rows := range m.rows {
		for _, i := range rows {
			values[k] += a.v[i]
		}
	}
	for k, rows := range m.rows {
		others := math.Inf(-1)
		for j, value := range values {
			if j != k {
				others = math.Max(others, value)
			}
		}
		score := others - values[k]
		least := score - float64(m.equal*(1+math.Abs(score)))
		count := 1
		for _, i := range rows {
			if m.score(a, i, k, values) >= least {
				count++
			}
		}
		p[k] = float64(count) / float64(len(rows)+1)
	}
}

// score returns that of training row i of class k beside a new row of class k: of the values
// yⱼ − eⱼ/(G₊)ᵢᵢ with e = (G₊Y)ᵢ, (G₊Y)ᵢⱼ = (GY)ᵢⱼ + vᵢ(vᵀYⱼ − yⱼ)/τ, the largest of the other
// classes less that of k.
func (m *margins) score(a augmented, i, k int, values []float64) float64 {
	share := a.v[i] / a.tau
	own, least := 0.0, math.Inf(1)
	for j, e := range m.missed.Row(i) {
		if e = math.FMA(share, values[j], e); j == k {
			own = e - share
		} else if e < least {
			least = e
		}
	}
	return (own-least)/math.FMA(share, a.v[i], m.diagonal[i]) - 1
}
