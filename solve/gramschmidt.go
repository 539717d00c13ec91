package solve

import (
	"fmt"
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// The Gram–Schmidt method has three forms here: of columns that are nearly orthonormal, of
// a matrix that is factored in panels of columns, and of the rows of a block that joins a
// basis. The last is the classical one, which reads all of the block at once.

// subtractAlong subtracts from x its part along q, a vector of norm 1, and returns how much
// that is.
func subtractAlong(x, q []float64) (h float64) {
	h = matrix.Dot(q, x)
	addMultiple(x, -h, q)
	return h
}

// addMultiple adds f·x to y.
func addMultiple(y []float64, f float64, x []float64) {
	if len(y) == 0 {
		return
	}
	c := [1]float64{f}
	f64.Line(f64.Product, y, c[:], 1, x, 0, 1, true)
}

// Orthonormalize makes the nearly orthonormal columns of the n×k matrix v
// orthonormal to working accuracy, by the Gram–Schmidt method with
// reorthogonalization ("twice is enough": Giraud, Langou, Rozložník & van den
// Eshof, Numer. Math. 101, 2005). Column j changes only by multiples of the
// columns before it and a factor near one, so the leading columns keep their
// directions. The columns must be linearly independent to working accuracy; one
// that vanishes is left zero. Cost: 4nk² flops.
func Orthonormalize(v *matrix.Dense) {
	misuse.NotNil("solve: Orthonormalize", "v", v)
	if v.Cols > v.Rows {
		panic(fmt.Sprintf("solve: Orthonormalize: %d×%d matrix has more columns than rows", v.Rows, v.Cols))
	}
	w := columnsOf(v, 0)
	for j, x := range w {
		for range 2 {
			for _, q := range w[:j] {
				subtractAlong(x, q)
			}
		}
		norm := math.Sqrt(matrix.SumSquares(x))
		if norm > 0 {
			for i := range x {
				x[i] /= norm
			}
		}
		for i, y := range x {
			v.Row(i)[j] = y
		}
	}
}

// qrPanel is the number of columns that are orthogonalized together.
const qrPanel = 32

// thinQR factors the n×k matrix 2^shift·A, n ≥ k, as QR, Q n×k with orthonormal
// columns and R upper triangular, by the block classical Gram–Schmidt method: each
// panel of columns is made orthogonal to those before it and within itself, and
// that twice (Barlow & Smoktunowicz, "Reorthogonalized block classical
// Gram–Schmidt", Numer. Math. 123, 2013), or more often where rounding errors are
// most of what was left of a column and half of it vanishes again. A column that is
// left with at most n·u of its norm lies in the span of those before it; its column of
// Q and its diagonal element of R are 0.
func thinQR(a *matrix.Dense, shift int) (q, r *matrix.Dense) {
	n, k := a.Rows, a.Cols
	q, r = matrix.New(n, k), matrix.New(k, k)
	for lo := 0; lo < k; lo += qrPanel {
		b := min(qrPanel, k-lo)
		p := matrix.New(n, b)
		for i := range n {
			to := p.Row(i)
			for j, v := range a.Row(i)[lo : lo+b] {
				to[j] = math.Ldexp(v, shift)
			}
		}
		sizes := make([]float64, b)
		for j := range sizes {
			sizes[j] = scaledNorm(columnOf(p, j))
		}
		before := q.View(0, 0, n, lo)
		h := subtractParts(p, before)
		within, _ := orthogonalizePanel(p, before, h, sizes)
		for j := range sizes {
			sizes[j] = 1
		}
		for pass, halved := 0, true; halved && pass < panelPasses; pass++ {
			again := subtractParts(p, before)
			var change *matrix.Dense
			change, halved = orthogonalizePanel(p, before, again, sizes)
			matrix.AddMul(h, again, matrix.NoTrans, within, matrix.NoTrans)
			within = matrix.Mul(nil, change, matrix.NoTrans, within, matrix.NoTrans)
		}
		r.View(0, lo, lo, b).CopyFrom(h)
		r.View(lo, lo, b, b).CopyFrom(within)
		q.View(0, lo, n, b).CopyFrom(p)
	}
	return q, r
}

// mostPasses bounds how often a column is made orthogonal again, panelPasses how often
// a panel is: two passes, and mostly one, make its first column that is not orthogonal
// to those before it so, for these then are ("twice is enough"); few panels need more
// than two in all, but where each column lies close to the span of those before it, they
// may settle a few at a time. shrunk is the part of a column below which what is left is
// made orthogonal again at once: the next pass over the panel can do with columns that
// are orthogonal up to u/shrunk.
const (
	mostPasses  = 4
	panelPasses = 2 * qrPanel
	shrunk      = 0x1p-10
)

// subtractParts subtracts from the columns of p their parts along those of q, and
// returns the coefficients.
func subtractParts(p, q *matrix.Dense) *matrix.Dense {
	h := matrix.Mul(nil, q, matrix.Transposed, p, matrix.NoTrans)
	matrix.SubMul(p, q, matrix.NoTrans, h, matrix.NoTrans)
	return h
}

// orthogonalizePanel replaces the n×b matrix p by orthonormal columns and returns
// the upper triangular matrix that makes them what they were. sizes are the norms that
// the columns had before their parts along those of q were subtracted; where little is
// left of one it is made orthogonal to them again, and the parts, q.Cols×b, grow. A
// column of which no more than n·u is left becomes 0. halved says that of some other no
// more than 1/2 of a column of norm 1 was left.
func orthogonalizePanel(p, q, parts *matrix.Dense, sizes []float64) (r *matrix.Dense, halved bool) {
	n, b := p.Rows, p.Cols
	r = matrix.New(b, b)
	cols := make([][]float64, b)
	for j := range cols {
		x, norm := columnOf(p, j), 0.0
		for pass, size := 0, sizes[j]; pass < mostPasses; pass, size = pass+1, norm {
			if pass > 0 {
				column := &matrix.Dense{Rows: n, Cols: 1, Stride: 1, Data: x}
				for i, v := range subtractParts(column, q).Data {
					parts.Row(i)[j] += v
				}
			}
			for i, y := range cols[:j] {
				r.Row(i)[j] += subtractAlong(x, y)
			}
			if norm = scaledNorm(x); norm <= float64(float64(float64(n)*unit)*sizes[j]) {
				norm = 0
			}
			if norm == 0 || norm > float64(shrunk*size) {
				break
			}
		}
		halved = halved || norm > 0 && norm <= 0.5
		for l := range x {
			if norm == 0 {
				x[l] = 0
			} else {
				x[l] /= norm
			}
		}
		r.Row(j)[j] = norm
		cols[j] = x
	}
	for j, x := range cols {
		for i := range n {
			p.Row(i)[j] = x[i]
		}
	}
	return r, halved
}

// shrinkage is the factor by which the norm of a vector may fall when the parts
// along others are subtracted, before it counts as orthogonal to them: above it
// the rounding errors of the subtraction are still small against what is left.
const shrinkage = 0.25

// orthonormalizeRows makes the rows of x, one after the other, orthonormal by the
// Gram–Schmidt method, with a second pass for a row of which the first leaves less than
// half ("twice is enough": Giraud, Langou, Rozložník & van den Eshof, Numer. Math. 101,
// 2005). It leaves out those of which no more than negligible is left, and those beyond
// the most that there can be. It returns the orthonormal rows Q, the upper trapezoidal
// coefficients R with X = RᵀQ, the norms of what was left out, and whether some row
// shrank by more than the shrinkage.
func orthonormalizeRows(x *matrix.Dense, negligible float64, most int) (q, r *matrix.Dense, lost float64, shrunk bool) {
	kept := 0
	r = matrix.New(x.Rows, x.Rows)
	negated := make([]float64, x.Rows) // the coefficients of a pass
	for i := range x.Rows {
		row := x.Row(i)
		before := math.Sqrt(matrix.SumSquares(row))
		norm := before
		for pass := 0; pass == 0 || pass == 1 && norm < float64(0.5*before); pass++ {
			for j := range kept {
				h := matrix.Dot(x.Row(j), row)
				r.Set(j, i, r.At(j, i)+h)
				negated[j] = -h
			}
			if kept > 0 && len(row) > 0 {
				f64.Line(f64.Product, row, negated, 1, x.Data, x.Stride, kept, true)
			}
			norm = math.Sqrt(matrix.SumSquares(row))
		}
		if !(norm > negligible) || kept == most {
			lost = hypotenuse(lost, norm)
			continue
		}
		shrunk = shrunk || norm < float64(shrinkage*before)
		r.Set(kept, i, norm)
		to := x.Row(kept)
		for k, v := range row {
			to[k] = v / norm
		}
		kept++
	}
	return x.View(0, 0, kept, x.Cols), r.View(0, 0, kept, x.Rows), lost, shrunk
}
