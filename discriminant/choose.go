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
// is taken. In a tie, up to rounding, it is the larger ridge, and then Standard. With
// 1000 rows at most it takes 2n³/3 flops for each.
type choice struct {
	kernel   gram.Kernel
	scaling  Scaling
	reg      Regularizer
	centred  bool // with an intercept
	ownUnits bool // of each target, in place of one of class indicators
	// within returns, for ridges on the coefficients, the mean eigenvalue of the
	// within-class scatter of some rows, given their kernel matrix and its norm. They are
	// ridges in the RKHS of the kernel matrix K²: those of the features k(x₁, ·), …, k(xₙ, ·)
	// (Cawley and Talbot 2003, with fixed centres). It is nil for ridges that are added to K.
	within func(k *matrix.Dense, norm float64, rows []int) float64
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
	t := c.unitTargets(targets, rows)
	k, work := matrix.New(len(rows), len(rows)), matrix.New(len(rows), len(rows))
	scaling, reg, least := scalings[0], c.made(fallbackRidge), math.Inf(1)
	for _, s := range scalings {
		err := c.kernelMatrix(ctx, k, s, x, rows)
		if ctx.Err() != nil {
			return 0, reg, ctx.Err()
		}
		if err != nil {
			continue // as that of the fit, if there is no other scaling
		}
		best, loss, err := c.best(ctx, k, work, t, rows)
		if err != nil {
			return 0, reg, err
		}
		if less(loss, least) {
			scaling, reg, least = s, best, loss
		}
	}
	return scaling, reg, nil
}

// less reports whether a loss is less than another by more than rounding, which the order
// of the rows decides: a standardised table is the same with either scaling.
func less(loss, than float64) bool { return loss < float64(than*(1-0x1p-30)) }

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
// a power of two to a largest element in [1, 2) or, with units of their own, to a norm of 1.
func (c choice) unitTargets(targets *matrix.Dense, rows []int) *matrix.Dense {
	t := matrix.New(len(rows), targets.Cols)
	values := make([]float64, len(rows))
	column := &matrix.Dense{Rows: len(rows), Cols: 1, Stride: 1, Data: values}
	for j := range t.Cols {
		for i, r := range rows {
			values[i] = targets.At(r, j)
		}
		for range 2 { // before the mean is taken, for the sake of its range, and after
			if top := matrix.MaxAbs(column); top > 0 {
				unitScale(top).matrix(column)
			}
			if c.centred {
				subtractMean(values)
			}
		}
		unit := 1.0
		if norm := math.Sqrt(matrix.SumSquares(values)); c.ownUnits && norm > 0 {
			unit = norm
		}
		for i, v := range values {
			t.Set(i, j, v/unit)
		}
	}
	return t
}

// kernelMatrix sets k to that of some rows of x, scaled.
func (c choice) kernelMatrix(ctx context.Context, k *matrix.Dense, scaling Scaling, x *matrix.Dense, rows []int) error {
	some := x
	if len(rows) < x.Rows {
		some = someOf(x, rows, isPrecomputed(c.kernel))
	}
	_, evaluator, err := startKernel(c.kernel, scaling, some)
	if err == nil {
		_, err = evaluator.MatrixContext(ctx, k)
	}
	return err
}

// someOf returns rows of x and, if asked to, of its columns those of the same numbers.
func someOf(x *matrix.Dense, rows []int, columnsToo bool) *matrix.Dense {
	if !columnsToo {
		some := matrix.New(len(rows), x.Cols)
		for i, r := range rows {
			copy(some.Row(i), x.Row(r))
		}
		return some
	}
	some := matrix.New(len(rows), len(rows))
	for i, r := range rows {
		for j, s := range rows {
			some.Set(i, j, x.At(r, s))
		}
	}
	return some
}

// best returns the candidate with the least loss, and the loss: infinity where none
// can be fitted. The error is that of ctx. The kernel matrix k and work are overwritten.
func (c choice) best(ctx context.Context, k, work, t *matrix.Dense, rows []int) (best Regularizer, least float64, err error) {
	added := func(reg Regularizer) (Regularizer, error) { return reg, nil } // to the matrix
	if c.within != nil {
		scale, norm := scaleToUnit(k, nil)
		mean := c.within(k, norm, rows)
		matrix.SymRankK(work, k, matrix.NoTrans)
		k, work = work, k
		added = func(reg Regularizer) (Regularizer, error) {
			_, sigma, err := ridgeOf(reg, scale, func() float64 { return mean })
			return Ridge(float64(sigma * sigma)), err
		}
	}
	m := newRidgeMatrix(k, c.centred)
	best, least = c.made(fallbackRidge), math.Inf(1)
	for _, candidate := range c.candidates() {
		reg, err := added(candidate)
		if err != nil {
			continue
		}
		if loss, ok := m.leaveOneOutLoss(ctx, work, k, t, reg); ok && less(loss, least) {
			best, least = candidate, loss
		}
		if ctx.Err() != nil {
			return best, 0, ctx.Err()
		}
	}
	return best, least, nil
}

// candidates returns the regularisers to be tried.
func (c choice) candidates() []Regularizer {
	if !c.reg.byLeaveOneOut() {
		return []Regularizer{c.reg}
	}
	regs := make([]Regularizer, len(relativeRidges))
	for i, r := range relativeRidges {
		regs[i] = c.made(r)
	}
	return regs
}

// leaveOneOutLoss returns the loss of a ridge, and false where it can't be fitted. The matrix
// is in k; work is overwritten.
func (m *ridgeMatrix) leaveOneOutLoss(ctx context.Context, work, k, t *matrix.Dense, reg Regularizer) (loss float64, ok bool) {
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
	return loss, finite(loss)
}
