package matrix

import (
	"fmt"
	"math"
)

// SolveLower solves L·X = B in place of B, for a lower triangular n×n L and n×r
// right-hand sides.
//
//	i ascending:  s = B[i,r];  k = 0 … i−1:  s = FMA(−L[i,k], X[k,r], s);  X[i,r] = s / L[i,i]
//
// As in all four solves, only the lower triangle of L and its diagonal are read,
// a zero on the diagonal gives infinities or NaN, B may not overlap L, and the
// cost is n²·r floating-point operations.
func SolveLower(l, b *Dense) {
	checkSolve("SolveLower", l, b, b.Rows)
	coef := make([]float64, l.Rows)
	for j0 := 0; j0 < b.Cols; j0 += blockJ {
		j1 := min(j0+blockJ, b.Cols)
		for i := range b.Rows {
			row := l.Row(i)
			for k, v := range row[:i] {
				coef[k] = -v
			}
			x := b.Row(i)[j0:j1]
			axpys(x, coef[:i], b.Data[j0:], b.Stride)
			divide(x, row[i])
		}
	}
}

// SolveLowerTrans solves Lᵀ·X = B in place of B, with L and B as for SolveLower.
//
//	i descending:  s = B[i,r];  k = n−1 … i+1:  s = FMA(−L[k,i], X[k,r], s);  X[i,r] = s / L[i,i]
func SolveLowerTrans(l, b *Dense) {
	checkSolve("SolveLowerTrans", l, b, b.Rows)
	var coef [4]float64
	for j0 := 0; j0 < b.Cols; j0 += blockJ {
		j1 := min(j0+blockJ, b.Cols)
		row := func(k int) []float64 { return b.Row(k)[j0:j1] }
		for i := b.Rows - 1; i >= 0; i-- {
			x := row(i)
			k := b.Rows - 1
			for ; k-3 > i; k -= 4 {
				for t := range coef {
					coef[t] = -l.Data[(k-t)*l.Stride+i]
				}
				axpy4(x, coef[:], row(k), row(k-1), row(k-2), row(k-3))
			}
			for ; k > i; k-- {
				axpy(x, -l.Data[k*l.Stride+i], row(k))
			}
			divide(x, l.Data[i*l.Stride+i])
		}
	}
}

// SolveRightLowerTrans solves X·Lᵀ = B in place of B, for r×n right-hand sides.
//
//	j ascending:  s = B[r,j];  k = 0 … j−1:  s = FMA(−X[r,k], L[j,k], s);  X[r,j] = s / L[j,j]
func SolveRightLowerTrans(l, b *Dense) {
	checkSolve("SolveRightLowerTrans", l, b, b.Cols)
	neg := make([]float64, l.Rows)
	for r0 := 0; r0 < b.Rows; r0 += rightRows {
		r1 := min(r0+rightRows, b.Rows)
		for j := range b.Cols {
			row := l.Row(j)
			// FMA(−x, l, s) and FMA(x, −l, s) are the same number.
			for k, v := range row[:j] {
				neg[k] = -v
			}
			subDots(b, r0, r1, j, neg[:j])
			for r := r0; r < r1; r++ {
				b.Data[r*b.Stride+j] /= row[j]
			}
		}
	}
}

// rightRows rows of b stay in the second cache while the rows of L pass.
const rightRows = 16

// subDots continues the chains b[r,j], r0 ≤ r < r1, with b[r,k]·neg[k], k
// ascending, four rows at a time.
func subDots(b *Dense, r0, r1, j int, neg []float64) {
	n := len(neg)
	r := r0
	for ; r+4 <= r1; r += 4 {
		x0, x1, x2, x3 := b.Row(r), b.Row(r+1), b.Row(r+2), b.Row(r+3)
		s0, s1, s2, s3 := x0[j], x1[j], x2[j], x3[j]
		y0, y1, y2, y3 := x0[:n], x1[:n], x2[:n], x3[:n]
		for k, v := range neg {
			s0 = math.FMA(y0[k], v, s0)
			s1 = math.FMA(y1[k], v, s1)
			s2 = math.FMA(y2[k], v, s2)
			s3 = math.FMA(y3[k], v, s3)
		}
		x0[j], x1[j], x2[j], x3[j] = s0, s1, s2, s3
	}
	for ; r < r1; r++ {
		x := b.Row(r)
		s := x[j]
		for k, v := range neg {
			s = math.FMA(x[k], v, s)
		}
		x[j] = s
	}
}

// SolveRightLower solves X·L = B in place of B, for r×n right-hand sides.
//
//	j descending:  s = B[r,j];  k = n−1 … j+1:  s = FMA(−X[r,k], L[k,j], s);  X[r,j] = s / L[j,j]
func SolveRightLower(l, b *Dense) {
	checkSolve("SolveRightLower", l, b, b.Cols)
	for r0 := 0; r0 < b.Rows; r0 += rightRows {
		r1 := min(r0+rightRows, b.Rows)
		// Step k of every chain to the left of k as soon as X[r,k] is known.
		for k := b.Cols - 1; k >= 0; k-- {
			row := l.Row(k)
			for r := r0; r < r1; r++ {
				x := b.Row(r)
				x[k] /= row[k]
				axpy(x[:k], -x[k], row[:k])
			}
		}
	}
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
