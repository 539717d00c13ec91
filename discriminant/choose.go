package discriminant

import (
	"context"
	"math"
	"slices"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
)

// choice is what of a fit is settled by leaving out rows: AutoScaling, and the ridge
// of LeaveOneOutRidge and LeaveOneOutRKHS. Each candidate, a scaling with a ridge λ, is a
// kernel ridge regression on the targets T, whose predictions of the rows that are left
// out are exact, as those of [LeaveOneOut]; the one with the least loss
//
//	Σᵢ wᵢ‖tᵢ − f₍ᵢ₎(xᵢ)‖² = Σᵢ ‖aᵢ/Cᵢᵢ‖²
//
// is taken. In a tie, up to rounding, it is the larger ridge, and then Standard. With
// 1000 rows at most it takes 2n³/3 flops for each.
type choice struct {
	kernel   gram.Kernel
	scaling  Scaling
	reg      Regularizer
	centred  bool // with an intercept
	ownUnits bool // of each target, in place of one of class indicators
	weights  fisher.Weights
	classes  *fisher.Classes // for ridges on the coefficients; else nil
}

// relativeRidges are the candidates, descending.
var relativeRidges = []float64{100, 30, 10, 3, 1, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001}

// RelativeRidges returns the relative ridges of which [LeaveOneOutRidge] and [LeaveOneOutRKHS] take
// one, descending: one at an end says that others may be better.
func RelativeRidges() []float64 { return slices.Clone(relativeRidges) }

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
	weights := c.weights.Some(rows)
	best := fisher.Choice{Centred: c.centred, Targets: fisher.UnitTargets(targets, rows, weights, c.centred, c.ownUnits), Weights: weights}
	if c.classes != nil {
		best.Classes = c.classes.Of(rows)
	}
	candidates := c.candidates()
	for _, reg := range candidates {
		best.Candidates = append(best.Candidates, reg.solved())
	}
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
		i, loss, err := best.Best(ctx, k, work)
		if err != nil {
			return 0, reg, err
		}
		if fisher.Less(loss, least) {
			scaling, reg, least = s, candidates[i], loss
		}
	}
	return scaling, reg, nil
}

// made returns the regulariser of a relative ridge.
func (c choice) made(ridge float64) Regularizer {
	switch c.reg.kind {
	case fisher.LeaveOneOutRidge:
		return RelativeRidge(ridge)
	case fisher.LeaveOneOutRKHS:
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

// kernelMatrix sets k to that of some rows of x, scaled.
func (c choice) kernelMatrix(ctx context.Context, k *matrix.Dense, scaling Scaling, x *matrix.Dense, rows []int) error {
	some := x
	if len(rows) < x.Rows {
		some = someOf(x, rows, isPrecomputed(c.kernel))
	}
	_, evaluator, err := startKernel(c.kernel, scaling, some, c.weights.Some(rows))
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
