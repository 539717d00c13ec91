package solve

import (
	"fmt"
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// DowndateError says that A − xxᵀ is not positive definite, or so nearly not that
// its factor would have no correct digits.
type DowndateError struct {
	Gap   float64 // 1 − xᵀA⁻¹x, which must be above Limit
	Limit float64 // n·u
}

func (e *DowndateError) Error() string {
	return fmt.Sprintf("solve: downdate: the matrix is not positive definite afterwards: 1 − xᵀA⁻¹x is %.3g, want more than %.3g; factor the new matrix with a larger ridge", e.Gap, e.Limit)
}

// Update makes c the factorization of A + xxᵀ, x of length n. Plane rotations
// combine column k of L with x, k ↑ (Golub & Van Loan, Matrix Computations,
// §6.5.4): with r = √(L[k,k]² + x_k²), c = L[k,k]/r, s = x_k/r,
//
//	(L[i,k], x_i) becomes (c L[i,k] + s x_i, c x_i − s L[i,k])    i ≥ k
//
// It is backward stable. The cost is 3n² multiplications. An element of x that is
// not finite is a *matrix.NotFiniteError, with c unchanged. x is not changed.
func (c *Cholesky) Update(x []float64) error {
	n := c.Order()
	mustHave("Cholesky.Update", "x", x, n)
	if err := finiteVector(x); err != nil {
		return err
	}
	scale := c.scaleForVector(x)
	change := scale.ofVector(c.l, x, +1)
	c.rotateIn(0, append([]float64(nil), x...))
	scale.renew(c, change)
	return nil
}

// rotateIn adds xxᵀ to the part of A that begins with row and column first, whose
// factor is that part of L. x is destroyed.
func (c *Cholesky) rotateIn(first int, x []float64) {
	cosines, sines := make([]float64, len(x)), make([]float64, len(x))
	for i := range x {
		row, v := c.l.Row(first + i)[first:][:i+1], x[i]
		for k, l := range row[:i] {
			cs, sn := cosines[k], sines[k]
			row[k] = math.FMA(sn, v, float64(cs*l))
			v = math.FMA(-sn, l, float64(cs*v))
		}
		r := hypotenuse(row[i], v)
		cosines[i], sines[i] = row[i]/r, v/r
		row[i] = r
	}
}

// Downdate makes c the factorization of A − xxᵀ, x of length n. With Lp = x the
// rotations that take the unit vector (p, √(1 − pᵀp)) to the last coordinate also
// take [L x]ᵀ's part there (Saunders' method; Golub & Van Loan, Matrix Computations,
// §6.5.4). The factor is that of a matrix near A − xxᵀ, relative to ‖A‖; what is
// left of A can be known worse where A − xxᵀ is much smaller than A.
//
// Where A − xxᵀ is not positive definite the error is a *DowndateError, for an
// element of x that is not finite a *matrix.NotFiniteError, both with c
// unchanged. x is not changed. The cost is 4n² multiplications.
func (c *Cholesky) Downdate(x []float64) error {
	n := c.Order()
	mustHave("Cholesky.Downdate", "x", x, n)
	if err := finiteVector(x); err != nil {
		return err
	}
	p := &matrix.Dense{Rows: n, Cols: 1, Stride: 1, Data: append([]float64(nil), x...)}
	matrix.SolveLower(c.l, p)
	size := matrix.NormFrobenius(p)
	gap, limit := float64((1-size)*(1+size)), float64(float64(n)*unit)
	if !(gap > limit) {
		return &DowndateError{Gap: gap, Limit: limit}
	}
	scale := c.scaleForVector(x)
	change := scale.ofVector(c.l, x, -1)
	// Rotation k takes p_k into the last coordinate, k ↓.
	cosines, sines := make([]float64, n), p.Data
	last := math.Sqrt(gap)
	for k := n - 1; k >= 0; k-- {
		r := hypotenuse(last, sines[k])
		cosines[k], sines[k] = last/r, sines[k]/r
		last = r
	}
	for i := range n {
		row, v := c.l.Row(i)[:i+1], 0.0
		for k := i; k >= 0; k-- {
			l := row[k]
			row[k] = math.FMA(-sines[k], v, float64(cosines[k]*l))
			v = math.FMA(cosines[k], v, float64(sines[k]*l))
		}
	}
	scale.renew(c, change)
	return nil
}

// hypotenuse returns √(a² + b²) to about an ulp, without overflow or underflow on
// the way.
func hypotenuse(a, b float64) float64 {
	m := max(math.Abs(a), math.Abs(b))
	if m > 0x1p-400 && m < 0x1p400 {
		return math.Sqrt(math.FMA(a, a, float64(b*b)))
	}
	scale := unitScale(m)
	a, b = float64(a*scale), float64(b*scale)
	return math.Sqrt(math.FMA(a, a, float64(b*b))) / scale
}

// finiteVector returns a *matrix.NotFiniteError for the first element of x that is
// not finite.
func finiteVector(x []float64) error {
	return matrix.CheckFinite(&matrix.Dense{Rows: len(x), Cols: 1, Stride: 1, Data: x})
}

// mustHave panics unless x has n elements.
func mustHave(name, what string, x []float64, n int) {
	if len(x) != n {
		panic(fmt.Sprintf("solve: %s: %s has %d elements, want %d", name, what, len(x), n))
	}
}
