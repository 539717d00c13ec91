package matrix

import (
	"fmt"
	"math"
	"sync"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/misuse"
)

// Sum returns the sum of x by eight partial sums that start at +0: x[i] goes
// to sum i mod 8, and the total is
//
//	((s₀+s₄) + (s₂+s₆)) + ((s₁+s₅) + (s₃+s₇))
//
// so its error is at most about (len(x)/8 + 3)·u·Σ|xᵢ|. The sum of nothing is
// +0.
func Sum(x []float64) float64 {
	var s f64.Lanes
	s.Add(x)
	return s.Total()
}

// Dot returns Σ xᵢ·yᵢ with the partial sums of Sum, each a chain of fused
// multiply-adds. It is meant for norms and angles; an entry of a product is one
// chain, so Mul has other last bits.
func Dot(x, y []float64) float64 {
	if len(x) != len(y) {
		panic(fmt.Sprintf("matrix: Dot: a vector of %d with a vector of %d", len(x), len(y)))
	}
	var s f64.Lanes
	s.AddProducts(x, y)
	return s.Total()
}

// SumSquares returns Σ xᵢ², the bits of Dot(x, x). It overflows where a square
// or the sum does; NormFrobenius does not.
func SumSquares(x []float64) float64 { return Dot(x, x) }

// MaxAbs returns the largest magnitude among the entries of a: +0 for a matrix
// without entries, +Inf or NaN where an entry is not finite.
func MaxAbs(a *Dense) float64 {
	misuse.NotNil("matrix: MaxAbs", "a", a)
	return f64.MaxAbs(ofRows(a, f64.MaxAbs))
}

// ofRows returns f of every row of a.
func ofRows(a *Dense, f func(row []float64) float64) []float64 {
	values := make([]float64, a.Rows)
	team := block.TeamFor(a.Rows, a.Cols)
	defer team.Close()
	team.Rows(a.Rows, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			values[i] = f(a.Row(i))
		}
	})
	return values
}

// NormFrobenius returns √(Σ aᵢⱼ²). The entries of each row are first scaled by a power
// of two, which is exact, so the squares neither overflow nor vanish; the norm
// itself is +Inf if it is too large. The sums of squares of the rows are added
// as in Sum.
func NormFrobenius(a *Dense) float64 {
	misuse.NotNil("matrix: NormFrobenius", "a", a)
	if a.Cols == 1 {
		return normOfColumn(a)
	}
	sizes := NewSizes(a.Rows)
	team := block.TeamFor(a.Rows, a.Cols)
	defer team.Close()
	team.Rows(a.Rows, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			sizes.Add(i, a.Row(i))
		}
	})
	return sizes.NormFrobenius(0)
}

// unitScale returns the exponent e and the scale 2^-e that bring m > 0 into [1/2, 1);
// for 0 they are 0 and 1.
func unitScale(m float64) (e int, scale float64) {
	_, e = math.Frexp(m)
	e = max(e, -1000) // 2^-e must be finite
	return e, math.Ldexp(1, -e)
}

var columns = sync.Pool{New: func() any { return new([]float64) }}

// normOfColumn is NormFrobenius for one column, whose rows are too short to be
// taken one by one.
func normOfColumn(a *Dense) float64 {
	buffer := columns.Get().(*[]float64)
	defer columns.Put(buffer)
	x := append((*buffer)[:0], make([]float64, a.Rows)...)
	*buffer = x
	for i := range x {
		x[i] = a.Data[i*a.Stride]
	}
	m := f64.MaxAbs(x)
	if m == 0 || math.IsInf(m, 0) || math.IsNaN(m) {
		return m
	}
	e, scale := unitScale(m)
	for i, v := range x {
		v = float64(scale * v)
		x[i] = float64(v * v)
	}
	return math.Ldexp(math.Sqrt(Sum(x)), e)
}

// RowMeans sets dst[i] to the mean of row i of a, by Sum, and returns dst,
// which may be nil. The mean of no columns is NaN.
func RowMeans(dst []float64, a *Dense) []float64 {
	misuse.NotNil("matrix: RowMeans", "a", a)
	dst = vector("RowMeans", dst, a.Rows, a)
	for i, s := range ofRows(a, Sum) {
		dst[i] = s / float64(a.Cols)
	}
	return dst
}

// vector returns dst, or a new vector for nil, of length n.
func vector(op string, dst []float64, n int, a *Dense) []float64 {
	if dst == nil {
		return make([]float64, n)
	}
	if len(dst) != n {
		panic(fmt.Sprintf("matrix: %s: dst of %d for a %d×%d matrix", op, len(dst), a.Rows, a.Cols))
	}
	mustNotOverlap(op, "dst", vectorOf(dst), "a", a)
	return dst
}
