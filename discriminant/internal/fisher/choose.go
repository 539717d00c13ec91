package fisher

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// Choice is the choice of a ridge by leaving out rows. Each candidate λ is a kernel ridge
// regression on the targets T, whose predictions of the rows that are left out are exact
// (see [Solution.LeaveOut]); the one with the least loss
//
//	Σᵢ wᵢ‖tᵢ − f₍ᵢ₎(xᵢ)‖² = Σᵢ ‖aᵢ/Cᵢᵢ‖²
//
// is taken: a row is left out with all its weight.
type Choice struct {
	Candidates []Regularizer
	Centred    bool          // with an intercept
	Targets    *matrix.Dense // see UnitTargets
	Weights    Weights

	// Classes are those of the rows for ridges on the coefficients, which are ridges in
	// the RKHS of the kernel matrix K²: those of the features k(x₁, ·), …, k(xₙ, ·)
	// (Cawley and Talbot 2003, with fixed centres). It is nil for ridges that are added to K.
	Classes *Classes
}

// Best returns the candidate with the least loss, and the loss: −1 and infinity where none
// can be fitted. The error is that of ctx. The kernel matrix k and work are overwritten.
func (c Choice) Best(ctx context.Context, k, work *matrix.Dense) (best int, least float64, err error) {
	candidates := c.Candidates
	if c.Classes != nil {
		m := newUnitMatrix(k, false, c.Weights)
		// The regression is that of the summed scatter; r means as much of the other.
		mean := meanWithin(k, c.Classes, false, m.norm)
		matrix.SymRankK(work, c.Weights.overRoots(k), matrix.NoTrans)
		k, work = work, k
		candidates = make([]Regularizer, len(c.Candidates))
		for i, reg := range c.Candidates {
			if _, sigma, err := sigmaOf(reg, m.scale, mean); err == nil {
				candidates[i] = Regularizer{Ridge, float64(sigma * sigma)}
			}
		}
	}
	m := newUnitMatrix(k, c.Centred, c.Weights)
	best, least = -1, math.Inf(1)
	for i, reg := range candidates {
		if reg.Kind == 0 {
			continue // it has no legal value
		}
		if loss, ok := m.leaveOneOutLoss(ctx, work, k, c.Targets, reg); ok && Less(loss, least) {
			best, least = i, loss
		}
		if ctx.Err() != nil {
			return best, 0, ctx.Err()
		}
	}
	return best, least, nil
}

// Less reports whether a loss is less than another by more than rounding, which the order
// of the rows decides: a standardised table is the same with either scaling.
func Less(loss, than float64) bool { return loss < float64(than*(1-0x1p-30)) }

// UnitTargets returns those of the rows, less their mean if asked to, each column scaled by
// a power of two to a largest element in [1, 2) or, with units of their own, to a norm of 1.
// They are times the roots of the weights of the rows.
func UnitTargets(targets *matrix.Dense, rows []int, weights Weights, centred, ownUnits bool) *matrix.Dense {
	t := matrix.New(len(rows), targets.Cols)
	values := make([]float64, len(rows))
	column := matrix.Column(values)
	for j := range t.Cols {
		for i, r := range rows {
			values[i] = targets.At(r, j)
		}
		for range 2 { // before the mean is taken, for the sake of its range, and after
			if top := matrix.MaxAbs(column); top > 0 {
				unitScale(top).matrix(column)
			}
			if centred {
				subtractMean(values, weights)
			}
		}
		unit := 1.0
		if norm := math.Sqrt(weights.SumSquares(values)); ownUnits && norm > 0 {
			unit = norm
		}
		for i, v := range values {
			t.Set(i, j, v/unit)
		}
	}
	return weights.TimesRoots(t)
}

// leaveOneOutLoss returns the loss of a ridge, and false where it can't be fitted. The matrix
// is in k; work is overwritten.
func (m *unitMatrix) leaveOneOutLoss(ctx context.Context, work, k, t *matrix.Dense, reg Regularizer) (loss float64, ok bool) {
	ridge, lambda, err := m.ridge(reg)
	if err != nil {
		return 0, false
	}
	work.CopyFrom(k)
	factor, err := m.factor(ctx, work, reg, ridge, lambda)
	if err != nil {
		return 0, false
	}
	a := t.Clone()
	factor.Solve(a)
	diagonal, err := factor.inverseDiagonal(ctx)
	if err != nil {
		return 0, false
	}
	squares := make([]float64, a.Rows)
	for i, c := range diagonal {
		for _, v := range a.Row(i) {
			f := v / c
			squares[i] = math.FMA(f, f, squares[i])
		}
	}
	loss = matrix.Sum(squares)
	return loss, loss-loss == 0
}
