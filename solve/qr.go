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
// Gram–Schmidt", Numer. Math. 123, 2013). A column that is left with at most n·u
// of its norm after the first time, or with at most half of that after the second,
// since only rounding errors were left then, lies in the span of those before it; its
// column of Q and its diagonal element of R are 0.
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
		least := make([]float64, b)
		for j := range least {
			least[j] = float64(float64(float64(n)*unit) * scaledNorm(columnOf(p, j)))
		}
		before := q.View(0, 0, n, lo)
		h := matrix.Mul(nil, before, matrix.Transposed, p, matrix.NoTrans)
		matrix.SubMul(p, before, matrix.NoTrans, h, matrix.NoTrans)
		first := orthogonalizePanel(p, least)

		again := matrix.Mul(nil, before, matrix.Transposed, p, matrix.NoTrans)
		matrix.SubMul(p, before, matrix.NoTrans, again, matrix.NoTrans)
		for j := range least {
			least[j] = 0.5
		}
		second := orthogonalizePanel(p, least)

		matrix.AddMul(h, again, matrix.NoTrans, first, matrix.NoTrans)
		r.View(0, lo, lo, b).CopyFrom(h)
		matrix.Mul(r.View(lo, lo, b, b), second, matrix.NoTrans, first, matrix.NoTrans)
		q.View(0, lo, n, b).CopyFrom(p)
	}
	return q, r
}

// orthogonalizePanel replaces the n×b matrix p by orthonormal columns and returns
// the upper triangular matrix that makes them what they were. A column of which at
// most least is left becomes 0.
func orthogonalizePanel(p *matrix.Dense, least []float64) *matrix.Dense {
	n, b := p.Rows, p.Cols
	r := matrix.New(b, b)
	cols := make([][]float64, b)
	for j := range cols {
		x := columnOf(p, j)
		for i, y := range cols[:j] {
			h := matrix.Dot(y, x)
			for l, v := range y {
				x[l] = math.FMA(-h, v, x[l])
			}
			r.Row(i)[j] = h
		}
		norm := scaledNorm(x)
		if norm <= least[j] {
			norm = 0
		}
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
	return r
}
