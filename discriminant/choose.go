package discriminant

import (
	"context"
	"math"
	"slices"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
)

// choice is what of a fit is settled by leaving out rows: AutoScaling, and the ridge
// of LeaveOneOutRidge and LeaveOneOutRKHS. Each candidate, a scaling with a ridge λ, is a
// kernel ridge regression on the targets T, whose predictions of the rows that are left
// out are exact (see leaveOut); the one with the least loss
//
//	Σᵢ ‖tᵢ − f₍ᵢ₎(xᵢ)‖² = Σᵢ ‖aᵢ/Cᵢᵢ‖²
//
// is taken. In a tie it is the larger ridge, and then Standard. With 1000 rows at most
// it takes 2n³/3 flops for each.
type choice struct {
	kernel  gram.Kernel
	scaling Scaling
	reg     Regularizer
	centred bool // with an intercept
	// within returns, for ridges on the coefficients, the mean eigenvalue of the
	// within-class scatter of some rows, given their kernel matrix. They are ridges in the
	// RKHS of the kernel matrix K²: those of the features k(x₁, ·), …, k(xₙ, ·) (Cawley and
	// Talbot 2003, with fixed centres). It is nil for ridges that are added to K.
	within func(k *matrix.Dense, rows []int) float64
}

// relativeRidges are the candidates, descending.
var relativeRidges = []float64{100, 30, 10, 3, 1, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001}

// fallbackRidge is taken where no candidate can be fitted, so that the fit says why.
const fallbackRidge = 0.1

// choiceRows is the number of rows that candidates are fitted to at most. The best relative
// ridge hardly depends on it.
const choiceRows = 1000

// choose returns the scaling and the regulariser for rows x and targets, n×p.
func (c choice) choose(ctx context.Context, x, targets *matrix.Dense) (Scaling, Regularizer, error) {
	if c.scaling != AutoScaling && !c.reg.byLeaveOneOut() {
		return c.scaling, c.reg, nil
	}
	if isPrecomputed(c.kernel) && x.Rows != x.Cols {
		return c.scaling, c.made(fallbackRidge), nil // the fit says so
	}
	scalings := []Scaling{c.scaling}
	if c.scaling == AutoScaling {
		scalings = []Scaling{Standard, NoScaling}
	}
	rows := someRows(x.Rows)
	t := unitTargets(targets, rows, c.centred)
	scaling, reg, least := scalings[0], c.made(fallbackRidge), math.Inf(1)
	for _, s := range scalings {
		k, err := c.kernelMatrix(ctx, s, x, rows)
		if ctx.Err() != nil {
			return 0, reg, ctx.Err()
		}
		if err != nil {
			continue // as that of the fit, if there is no other scaling
		}
		ridge, loss, err := c.best(ctx, k, t, rows)
		if err != nil {
			return 0, reg, err
		}
		if loss < least {
			scaling, reg, least = s, c.made(ridge), loss
		}
	}
	return scaling, reg, nil
}

// made returns the regulariser of a relative ridge.
func (c choice) made(ridge float64) Regularizer {
	switch c.reg.kind {
	case leaveOneOutRidge:
		return RelativeRidge(ridge)
	case leaveOneOutRKHS:
		return RelativeRKHS(ridge)
	}
	return c.reg
}

// someRows returns the numbers of all n rows or, of more than choiceRows, those of as many
// at random, ascending.
func someRows(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	if n > choiceRows {
		random := splitmix.Random(0)
		random.Shuffle(rows, choiceRows)
		rows = rows[:choiceRows]
		slices.Sort(rows)
	}
	return rows
}

// unitTargets returns those of the rows, less their mean if asked to, each column scaled by
// a power of two to a largest element in [1, 2), so that its unit plays no part.
func unitTargets(targets *matrix.Dense, rows []int, centred bool) *matrix.Dense {
	t := matrix.New(len(rows), targets.Cols)
	for j := range t.Cols {
		for i, r := range rows {
			t.Set(i, j, targets.At(r, j))
		}
		column := t.View(0, j, t.Rows, 1)
		for range 2 { // before the mean is taken, for the sake of its range, and after
			if top := matrix.MaxAbs(column); top > 0 {
				unitScale(top).matrix(column)
			}
			if centred {
				subtractMeans(column)
			}
		}
	}
	return t
}

// kernelMatrix returns that of some rows of x, scaled.
func (c choice) kernelMatrix(ctx context.Context, scaling Scaling, x *matrix.Dense, rows []int) (*matrix.Dense, error) {
	columns := x.Cols
	if isPrecomputed(c.kernel) {
		columns = len(rows)
	}
	some := matrix.New(len(rows), columns)
	for i, r := range rows {
		if isPrecomputed(c.kernel) {
			for j, s := range rows {
				some.Set(i, j, x.At(r, s))
			}
		} else {
			copy(some.Row(i), x.Row(r))
		}
	}
	_, evaluator, err := startKernel(c.kernel, scaling, some)
	if err != nil {
		return nil, err
	}
	return evaluator.MatrixContext(ctx, nil)
}

// best returns the relative ridge with the least loss, and the loss: infinity where none
// can be fitted. The error is that of ctx.
func (c choice) best(ctx context.Context, k, t *matrix.Dense, rows []int) (ridge, least float64, err error) {
	var unit float64
	if c.within != nil {
		unit = c.within(k, rows)
		k = matrix.SymRankK(nil, k, matrix.NoTrans)
	}
	m := newRidgeMatrix(k, c.centred)
	work := matrix.New(k.Rows, k.Cols)
	ridge, least = fallbackRidge, math.Inf(1)
	for _, r := range relativeRidges {
		reg := RelativeRidge(r)
		switch {
		case !c.reg.byLeaveOneOut():
			reg = c.reg
		case c.within != nil:
			reg = Ridge(float64(r * unit))
		}
		if loss, ok := m.leaveOneOutLoss(ctx, work, k, t, reg); ok && loss < least {
			ridge, least = r, loss
		}
		if ctx.Err() != nil {
			return 0, 0, ctx.Err()
		}
		if !c.reg.byLeaveOneOut() {
			break
		}
	}
	return ridge, least, nil
}

// leaveOneOutLoss returns the loss of a ridge, and false where it can't be fitted. The matrix
// is in k; work is overwritten.
func (m *ridgeMatrix) leaveOneOutLoss(ctx context.Context, work, k, t *matrix.Dense, reg Regularizer) (loss float64, ok bool) {
	ridge, lambda, err := m.ridge(reg)
	if err != nil {
		return 0, false
	}
	if c, err := m.certificate("", lambda); err != nil || c.KernelRounding > kernelRoundingLimit {
		return 0, false
	}
	work.CopyFrom(k)
	factor, err := m.factor(ctx, work, ridge, lambda)
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
	return loss, finite(loss)
}
