package matrix

import (
	"fmt"
	"math"
)

// lanes are eight partial sums. Term i of a sum goes to lane i mod 8; at the
// end they are combined as a tree.
type lanes [8]float64

func (s *lanes) total() float64 {
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
}

// Sum returns the sum of x by eight partial sums that start at +0: x[i] goes
// to sum i mod 8, and the total is
//
//	((s₀+s₄) + (s₂+s₆)) + ((s₁+s₅) + (s₃+s₇))
//
// so its error is at most about (len(x)/8 + 3)·u·Σ|xᵢ|. The sum of nothing is
// +0.
func Sum(x []float64) float64 {
	var s lanes
	i := 0
	for ; i+8 <= len(x); i += 8 {
		for l, v := range x[i : i+8] {
			s[l] += v
		}
	}
	for l, v := range x[i:] {
		s[l] += v
	}
	return s.total()
}

// Dot returns Σ xᵢ·yᵢ with the partial sums of Sum, each a chain of fused
// multiply-adds. It is meant for norms and angles; an entry of a product is one
// chain, so Mul has other last bits.
func Dot(x, y []float64) float64 {
	if len(x) != len(y) {
		panic(fmt.Sprintf("matrix: Dot: a vector of %d with a vector of %d", len(x), len(y)))
	}
	var s lanes
	i := 0
	for ; i+8 <= len(x); i += 8 {
		v, w := x[i:i+8], y[i:i+8]
		for l := range s {
			s[l] = math.FMA(v[l], w[l], s[l])
		}
	}
	for l, v := range x[i:] {
		s[l] = math.FMA(v, y[i+l], s[l])
	}
	return s.total()
}

// SumSquares returns Σ xᵢ², the bits of Dot(x, x). It overflows where a square
// or the sum does; NormFrobenius does not.
func SumSquares(x []float64) float64 { return Dot(x, x) }

// MaxAbs returns the largest magnitude among the entries of a: +0 for a matrix
// without entries, +Inf or NaN where an entry is not finite.
func MaxAbs(a *Dense) float64 {
	m := 0.0
	for i := range a.Rows {
		for _, v := range a.Row(i) {
			m = math.Max(m, math.Abs(v))
		}
	}
	return m
}

// NormFrobenius returns √(Σ aᵢⱼ²). The entries are first scaled by a power of
// two, which is exact, so the squares neither overflow nor vanish; the norm
// itself is +Inf if it is too large. The sums of squares of the rows are added
// as in Sum.
func NormFrobenius(a *Dense) float64 {
	m := MaxAbs(a)
	if m == 0 || math.IsInf(m, 0) || math.IsNaN(m) {
		return m
	}
	_, e := math.Frexp(m)
	e = max(e, -1000) // 2^-e must be finite
	scale := math.Ldexp(1, -e)
	var s lanes
	for i := range a.Rows {
		s[i%8] += scaledSumSquares(a.Row(i), scale)
	}
	return math.Ldexp(math.Sqrt(s.total()), e)
}

// scaledSumSquares returns Σ (scale·xᵢ)² with the lanes of Sum.
func scaledSumSquares(x []float64, scale float64) float64 {
	var s lanes
	for i, v := range x {
		v = float64(v * scale)
		s[i%8] = math.FMA(v, v, s[i%8])
	}
	return s.total()
}

// ColMeans sets dst[j] to the mean of column j of a and returns dst, which may
// be nil. The rows are added as in Sum. The mean of no rows is NaN.
func ColMeans(dst []float64, a *Dense) []float64 {
	dst = vector("ColMeans", dst, a.Cols, a)
	const width = 64 // columns whose partial sums are kept together
	var s [width]lanes
	for j0 := 0; j0 < a.Cols; j0 += width {
		j1 := min(j0+width, a.Cols)
		clear(s[:])
		for i := range a.Rows {
			for j, v := range a.Row(i)[j0:j1] {
				s[j][i%8] += v
			}
		}
		for j := j0; j < j1; j++ {
			dst[j] = s[j-j0].total() / float64(a.Rows)
		}
	}
	return dst
}

// RowMeans sets dst[i] to the mean of row i of a, by Sum, and returns dst,
// which may be nil. The mean of no columns is NaN.
func RowMeans(dst []float64, a *Dense) []float64 {
	dst = vector("RowMeans", dst, a.Rows, a)
	for i := range a.Rows {
		dst[i] = Sum(a.Row(i)) / float64(a.Cols)
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
