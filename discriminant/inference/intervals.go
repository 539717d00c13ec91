package inference

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// Interval is where the target of a new row may lie: the least interval with all values whose p-value
// is above 1 − coverage.
type Interval struct {
	Value     float64 // that the training rows predict; its p-value is 1
	Low, High float64 // −Inf or +Inf where nothing ends it
	Whole     bool    // whether all values between are as well
}

// PredictionIntervals returns where the targets of the rows of y may lie, given those of the rows of
// the sample, by full conformal kernel ridge regression with an intercept (Nouretdinov, Melluish and
// Vovk, Ridge regression confidence machine, 2001; Burnaev and Vovk, Efficiency of conformalized ridge
// regression, 2014).
//
// Theorem. Let the new row with its target and the training rows with theirs be exchangeable, and
// kernel and ridge be fixed without looking at them. Then the interval holds the target with a
// probability of at least coverage, for any number of rows and any distribution. The probability is
// over all n + 1 rows, of whatever target.
//
// The p-value of a value ranks |eᵢ| in the fit of n + 1 rows, where e is by how much a target misses
// what the n others predict. With t for the value less what the n rows predict, that is |t| of the
// new row and |aᵢ − bᵢt| of row i, aᵢ = (GY)ᵢ/(G₊)ᵢᵢ and bᵢ = (vᵢ/τ)/(G₊)ᵢᵢ. So |eᵢ| ≥ |t| between
// aᵢ/(1 + bᵢ) and −aᵢ/(1 − bᵢ) where |bᵢ| < 1, and outside of them where |bᵢ| > 1: the set is found
// exactly, from 2n sorted numbers.
//
// Cost: n³/3 flops once for a sample, then 2n² + O(n log n) for each row. Errors are those of
// [PredictionSets], but for classes, a *[matrix.NotFiniteError] for a target, and a
// *[discriminant.ParameterError] for a coverage that n rows can't give but by all numbers, see
// [FewestRows].
func PredictionIntervals(ctx context.Context, s *Sample, targets []float64, y *matrix.Dense, coverage float64) ([]Interval, error) {
	misuse.NotNil("inference: PredictionIntervals", "ctx", ctx, "the Sample", s, "y", y)
	if err := checkCoverage(coverage); err != nil {
		return nil, err
	}
	n := s.Rows()
	if len(targets) != n {
		return nil, &discriminant.RowsError{Rows: n, Labels: len(targets)}
	}
	missed := matrix.Column(slices.Clone(targets))
	if err := matrix.CheckFinite(missed); err != nil {
		return nil, err
	}
	if fewest := FewestRows(coverage); n < fewest {
		return nil, &discriminant.ParameterError{Field: "coverage", Value: fmt.Sprint(coverage), Reason: fmt.Sprintf("want at most n/(n + 1) of the %d rows, or %d rows", n, fewest)}
	}
	diagonal, err := s.diagonalOf(ctx)
	if err != nil {
		return nil, err
	}
	mean := s.residuals(missed)[0]
	needed := 0 // training rows with |eᵢ| ≥ |t|
	for !holds(float64(needed+1)/float64(n+1), coverage) {
		needed++
	}
	found := make([]Interval, y.Rows)
	return found, s.eachNew(ctx, y, func(a augmented) {
		value := mean
		var up, down []crossing
		for i, v := range a.v {
			value = math.FMA(v, targets[i]-mean, value)
			share := v / a.tau
			d := math.FMA(share, v, diagonal[i])
			up, down = addCrossings(up, down, missed.Data[i]/d, share/d)
		}
		high, whole := reach(up, n, needed)
		low, also := reach(down, n, needed)
		found[a.row] = Interval{value, value - low, value + high, whole && also}
	})
}

// crossing is a distance |t| from which on one row more, or less, has |eᵢ| ≥ |t|.
type crossing struct {
	at   float64
	more bool
}

// addCrossings adds those of |a − bt| with |t|, of which there is one each for t > 0 and t < 0, or two
// on a side, or none. At t = 0 it is not below.
func addCrossings(up, down []crossing, a, b float64) (_, _ []crossing) {
	if a == 0 && math.Abs(b) >= 1 {
		return up, down
	}
	ends := [2]float64{a / (1 + b), -a / (1 - b)}
	if math.Abs(ends[0]) > math.Abs(ends[1]) {
		ends[0], ends[1] = ends[1], ends[0]
	}
	for k, end := range ends {
		c := crossing{math.Abs(end), math.Abs(b) > 1 && k == 1}
		switch {
		case math.IsInf(end, 0):
		case end > 0 || end == 0 && k == 0:
			up = append(up, c)
		default:
			down = append(down, c)
		}
	}
	return up, down
}

// reach returns the largest |t| at which at least needed of n rows have |eᵢ| ≥ |t| on one side, and
// whether at least that many have in all between. It sorts the crossings.
func reach(side []crossing, n, needed int) (most float64, whole bool) {
	slices.SortFunc(side, func(a, b crossing) int {
		if c := cmp.Compare(a.at, b.at); c != 0 || a.more == b.more {
			return c
		}
		if a.more { // at the end itself the rows are equal
			return -1
		}
		return 1
	})
	count := n
	whole = true
	for _, c := range side {
		switch {
		case c.more:
			if count++; count == needed {
				whole = false
			}
		default:
			if count == needed {
				most = c.at
			}
			count--
		}
	}
	if count >= needed {
		return math.Inf(1), whole
	}
	return most, whole
}
