package fuzz

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// sum is a number in doubled precision, value + rest.
type sum struct{ value, rest float64 }

// add adds a·b with its rounding error (Ogita, Rump & Oishi, algorithm Dot2).
func (s *sum) add(a, b float64) {
	p := float64(a * b) // not fused with what follows
	e := math.FMA(a, b, -p)
	t := s.value + p
	z := t - s.value
	s.rest += ((s.value - (t - z)) + (p - z)) + e
	s.value = t
}

func (s sum) total() float64 { return s.value + s.rest }

// exponentOf returns the exponent of two of the largest magnitude in a, 0 where that
// is 0.
func exponentOf(a *matrix.Dense) int {
	m := matrix.MaxAbs(a)
	if m == 0 {
		return 0
	}
	_, e := math.Frexp(m)
	return e
}

// shifted returns 2^e·A.
func shifted(a *matrix.Dense, e int) *matrix.Dense {
	b := a.Clone()
	for i, v := range b.Data {
		b.Data[i] = math.Ldexp(v, e)
	}
	return b
}

// unscaled returns A times a power of two with its largest element near one, and the
// exponent that was taken out.
func unscaled(a *matrix.Dense) (*matrix.Dense, int) {
	e := exponentOf(a)
	return shifted(a, -e), e
}

// plainRows is the number of rows from which products for test ratios need no doubled
// precision: rounding errors of some √n·u are small against bounds of 30n·u.
const plainRows = 65

// product returns op(A)·op(B) in doubled precision.
func product(a *matrix.Dense, ta matrix.Trans, b *matrix.Dense, tb matrix.Trans) *matrix.Dense {
	if ta {
		a = matrix.Transpose(nil, a)
	}
	if !tb {
		b = matrix.Transpose(nil, b)
	}
	c := matrix.New(a.Rows, b.Rows)
	for i := range c.Rows {
		for j := range c.Cols {
			var s sum
			y := b.Row(j)
			for k, x := range a.Row(i) {
				s.add(x, y[k])
			}
			c.Set(i, j, s.total())
		}
	}
	return c
}

// ratioProduct returns op(A)·B, good enough for test ratios.
func ratioProduct(a *matrix.Dense, ta matrix.Trans, b *matrix.Dense) *matrix.Dense {
	if a.Rows >= plainRows {
		return matrix.Mul(nil, a, ta, b, matrix.NoTrans)
	}
	return product(a, ta, b, matrix.NoTrans)
}

// apart returns ‖A − B‖_F.
func apart(a, b *matrix.Dense) float64 {
	c := a.Clone()
	for i := range c.Rows {
		for j, v := range b.Row(i) {
			c.Set(i, j, c.At(i, j)-v)
		}
	}
	return matrix.NormFrobenius(c)
}

// orthogonality returns ‖QᵀQ − I‖_F in units of n·u, n the number of rows.
func orthogonality(q *matrix.Dense) float64 {
	g := ratioProduct(q, matrix.Transposed, q)
	for i := range g.Rows {
		g.Set(i, i, g.At(i, i)-1)
	}
	return matrix.NormFrobenius(g) / (float64(max(q.Rows, 1)) * u)
}

// backward returns the largest normwise backward error ‖b − Ax‖/(‖A‖_F‖x‖ + ‖b‖) of a
// column of X as a solution of AX = B, all scaled so that nothing leaves the range of
// float64.
func backward(a, x, b *matrix.Dense) float64 {
	a, ea := unscaled(a)
	norm := matrix.NormFrobenius(a)
	worst := 0.0
	for c := range x.Cols {
		xc, ex := unscaled(x.View(0, c, x.Rows, 1))
		bc, eb := unscaled(b.View(0, c, b.Rows, 1))
		// Everything in units of 2^top.
		top := max(ea+ex, eb)
		if matrix.MaxAbs(xc) == 0 || norm == 0 {
			top = eb
		} else if matrix.MaxAbs(bc) == 0 {
			top = ea + ex
		}
		r := matrix.New(b.Rows, 1)
		bs, as := shifted(bc, eb-top), shifted(xc, ea+ex-top)
		for i := range b.Rows {
			s := sum{value: bs.At(i, 0)}
			for k, v := range a.Row(i) {
				s.add(-v, as.At(k, 0))
			}
			r.Set(i, 0, s.total())
		}
		size := norm*matrix.NormFrobenius(as) + matrix.NormFrobenius(bs)
		if rest := matrix.NormFrobenius(r); rest > 0 {
			worst = math.Max(worst, rest/size)
		}
	}
	return worst
}

// eigenRatios returns ‖AV − VΛ‖/(n·u·‖A‖) and ‖VᵀV − I‖/(n·u), the test ratios of
// LAPACK's drivers, with products in doubled precision.
func eigenRatios(a *matrix.Dense, values []float64, vectors *matrix.Dense) (residual, orthonormal float64) {
	a, e := unscaled(a)
	r := ratioProduct(a, matrix.NoTrans, vectors)
	for i := range r.Rows {
		for j, v := range vectors.Row(i) {
			r.Set(i, j, math.FMA(-math.Ldexp(values[j], -e), v, r.At(i, j)))
		}
	}
	if norm := matrix.NormFrobenius(a); norm > 0 {
		residual = matrix.NormFrobenius(r) / (norm * float64(a.Rows) * u)
	}
	return residual, orthogonality(vectors)
}
