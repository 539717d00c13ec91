package matrix

import (
	"fmt"
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/misuse"
)

// The solves halve the unknowns until few are left: the first half is solved, a
// product continues the chains of the second half with it, and the second half is
// solved. Every chain has the order of the formula.

// fewUnknowns are solved by the formula.
const fewUnknowns = 8

// SolveLower solves L·X = B in place of B, for a lower triangular n×n L and n×r
// right-hand sides.
//
//	i ascending:  s = B[i,r];  k = 0 … i−1:  s = FMA(−L[i,k], X[k,r], s);  X[i,r] = s / L[i,i]
//
// As in all solves, only the lower triangle of L and its diagonal are read,
// a zero on the diagonal gives infinities or NaN, B may not overlap L, and the
// cost is n²·r floating-point operations.
func SolveLower(l, b *Dense) {
	misuse.NotNil("matrix: SolveLower", "l", l, "b", b)
	checkSolve("SolveLower", l, b, b.Rows)
	var coef [fewUnknowns]float64
	solve(l, b.Cols, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for k := lo; k < i; k++ {
				coef[k-lo] = -l.Data[i*l.Stride+k]
			}
			f64.Line(f64.Product, b.Row(i), coef[:i-lo], 1, b.Data[lo*b.Stride:], b.Stride, i-lo, true)
			divide(b.Row(i), l.Data[i*l.Stride+i])
		}
	}, func(team *block.Team, lo, mid, hi int) {
		continueChains(team, false, b.View(mid, 0, hi-mid, b.Cols), l.View(mid, lo, hi-mid, mid-lo), NoTrans, b.View(lo, 0, mid-lo, b.Cols), NoTrans)
	}, false)
}

// SolveLowerTrans solves Lᵀ·X = B in place of B, with L and B as for SolveLower.
//
//	i descending:  s = B[i,r];  k = n−1 … i+1:  s = FMA(−L[k,i], X[k,r], s);  X[i,r] = s / L[i,i]
func SolveLowerTrans(l, b *Dense) {
	misuse.NotNil("matrix: SolveLowerTrans", "l", l, "b", b)
	checkSolve("SolveLowerTrans", l, b, b.Rows)
	solve(l, b.Cols, func(lo, hi int) {
		for i := hi - 1; i >= lo; i-- {
			x := b.Row(i)
			for k := hi - 1; k > i; k-- {
				coef := [1]float64{-l.Data[k*l.Stride+i]}
				f64.Line(f64.Product, x, coef[:], 1, b.Row(k), 0, 1, true)
			}
			divide(x, l.Data[i*l.Stride+i])
		}
	}, func(team *block.Team, lo, mid, hi int) {
		continueChains(team, true, b.View(lo, 0, mid-lo, b.Cols), l.View(mid, lo, hi-mid, mid-lo), Transposed, b.View(mid, 0, hi-mid, b.Cols), NoTrans)
	}, true)
}

// SolveRightLowerTrans solves X·Lᵀ = B in place of B, for r×n right-hand sides.
//
//	j ascending:  s = B[r,j];  k = 0 … j−1:  s = FMA(−X[r,k], L[j,k], s);  X[r,j] = s / L[j,j]
func SolveRightLowerTrans(l, b *Dense) {
	misuse.NotNil("matrix: SolveRightLowerTrans", "l", l, "b", b)
	checkSolve("SolveRightLowerTrans", l, b, b.Cols)
	solve(l, b.Rows, func(lo, hi int) {
		for r := range b.Rows {
			x := b.Row(r)
			for j := lo; j < hi; j++ {
				s := x[j]
				for k := lo; k < j; k++ {
					s = math.FMA(-x[k], l.Data[j*l.Stride+k], s)
				}
				x[j] = s / l.Data[j*l.Stride+j]
			}
		}
	}, func(team *block.Team, lo, mid, hi int) {
		continueChains(team, false, b.View(0, mid, b.Rows, hi-mid), b.View(0, lo, b.Rows, mid-lo), NoTrans, l.View(mid, lo, hi-mid, mid-lo), Transposed)
	}, false)
}

// solve finds the unknowns of a triangular system of order l.Rows with so many
// right-hand sides: few finds the unknowns lo … hi−1 once all products with
// others are in; update takes the products of the half that is found first into
// the other, where the halves meet at mid. Descending finds the last ones first.
func solve(l *Dense, sides int, few func(lo, hi int), update func(team *block.Team, lo, mid, hi int), descending bool) {
	if sides == 0 {
		return
	}
	team := block.TeamFor(l.Rows, (l.Rows+1)/2, sides)
	defer team.Close()
	var half func(lo, hi int)
	half = func(lo, hi int) {
		if hi-lo <= fewUnknowns {
			few(lo, hi)
			return
		}
		mid := lo + ((hi-lo)/2+fewUnknowns-1)/fewUnknowns*fewUnknowns
		if descending {
			half(mid, hi)
			update(team, lo, mid, hi)
			half(lo, mid)
		} else {
			half(lo, mid)
			update(team, lo, mid, hi)
			half(mid, hi)
		}
	}
	half(0, l.Rows)
}

// continueChains continues the chains of C by −op(A)·op(B), the last k first where
// backward is set.
func continueChains(team *block.Team, backward bool, c, a *Dense, ta Trans, b *Dense, tb Trans) {
	block.Run(team, block.Job{
		Op: f64.Product, Mode: block.Subtract, Backward: backward,
		C: block.Mat(*c), A: block.Mat(*a), B: block.Mat(*b), TransA: bool(ta), TransB: bool(tb),
	})
}

func divide(x []float64, d float64) {
	for j := range x {
		x[j] /= d
	}
}

func checkSolve(op string, l, b *Dense, order int) {
	if l.Rows != l.Cols || l.Rows != order {
		panic(fmt.Sprintf("matrix: %s: L is %d×%d, B is %d×%d", op, l.Rows, l.Cols, b.Rows, b.Cols))
	}
	mustNotOverlap(op, "B", b, "L", l)
}
