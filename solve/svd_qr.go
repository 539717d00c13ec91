package solve

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
)

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
				h := matrix.Dot(y, x)
				for l, v := range y {
					x[l] = math.FMA(-h, v, x[l])
				}
				r.Row(i)[j] += h
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
