package solve

import (
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
)

// normScale scales L and vectors by a power of two, and so A by its square, to a
// size of about one or less, for a change of ‖A‖_F².
type normScale struct {
	root   float64
	before float64 // ‖A‖_F, scaled
}

// scaleForVector returns the scale for a change by ±xxᵀ, which may be much larger
// than A.
func (c *Cholesky) scaleForVector(x []float64) normScale {
	root := rootScale(c.norm)
	if m := f64.MaxAbs(x); m > 0 {
		_, e := math.Frexp(m)
		root = min(root, math.Ldexp(1, -e))
	}
	return c.normScale(root)
}

// scaleForRow returns the scale for a change by a row and column with such
// elements, which may be much larger than A.
func (c *Cholesky) scaleForRow(elements []float64) normScale {
	return c.normScale(rootScale(max(c.norm, f64.MaxAbs(elements))))
}

func (c *Cholesky) normScale(root float64) normScale {
	return normScale{root, float64(float64(c.norm*root) * root)}
}

// rootScale returns the power of two whose square brings norm near one.
func rootScale(norm float64) float64 {
	_, e := math.Frexp(norm)
	return math.Ldexp(1, -(e >> 1))
}

// ofVector returns the change ±2xᵀAx + (xᵀx)² that ±xxᵀ makes, with xᵀAx = ‖Lᵀx‖².
func (s normScale) ofVector(l *matrix.Dense, x []float64, sign float64) float64 {
	lx, xx := make([]float64, len(x)), 0.0
	for i, v := range x {
		v = float64(v * s.root)
		for k, w := range l.Row(i)[:i+1] {
			lx[k] = math.FMA(float64(w*s.root), v, lx[k])
		}
		xx = math.FMA(v, v, xx)
	}
	return math.FMA(xx, xx, float64(float64(2*sign)*matrix.SumSquares(lx)))
}

// ofRow returns the share of a row and column of A, given its elements off and on
// the diagonal.
func (s normScale) ofRow(row []float64, diagonal float64) float64 {
	sum := 0.0
	for _, v := range row {
		v = float64(float64(v*s.root) * s.root)
		sum = math.FMA(v, v, sum)
	}
	v := float64(float64(diagonal*s.root) * s.root)
	return math.FMA(v, v, float64(2*sum))
}

// ofOwnRow is ofRow for row i of A = LLᵀ.
func (s normScale) ofOwnRow(l *matrix.Dense, i int) float64 {
	row, own := make([]float64, 0, l.Rows), l.Row(i)
	for j := range l.Rows {
		if j != i {
			k := min(i, j) + 1
			row = append(row, -negChain(0, own[:k], l.Row(j)[:k]))
		}
	}
	return s.ofRow(row, -negChain(0, own[:i+1], own[:i+1]))
}

// renew sets ‖A‖_F from the change of its square, which may have cancelled most of
// it; tr(A)/√n is a lower bound.
func (s normScale) renew(c *Cholesky, change float64) {
	n := c.Order()
	trace := 0.0
	for i := range n {
		for _, v := range c.l.Row(i)[:i+1] {
			v = float64(v * s.root)
			trace = math.FMA(v, v, trace)
		}
	}
	norm := math.Sqrt(max(math.FMA(s.before, s.before, change), 0))
	if n > 0 {
		norm = max(norm, trace/math.Sqrt(float64(n)))
	}
	c.norm = norm / s.root / s.root
}
