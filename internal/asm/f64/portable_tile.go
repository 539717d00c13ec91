package f64

import (
	"math"
	"unsafe"
)

// goTile is fullTile in Go, for tiles of any shape.
func goTile(op Op, shape Shape, c *float64, ldc int, a, b *float64, k, width int, load bool) {
	rows, done := shape.Rows, 0
	if emulated && Emulation.Tile != nil && op <= SquaredDistance {
		if done = Emulation.Tile(op, c, ldc, a, b, k, load); done == rows {
			return
		}
	}
	cs := unsafe.Slice(c, (rows-1)*ldc+width)
	as := unsafe.Slice(a, k*rows)
	bs := unsafe.Slice(b, k*width)
	sure := emulated && noUnderflow(as) && noUnderflow(bs)
	for i := done; i < rows; i++ {
		// Four chains at a time, so that they run side by side.
		for j := 0; j < width; j += 4 {
			s := (*[4]float64)(cs[i*ldc+j:])
			if !load {
				*s = [4]float64{}
			}
			goChains(op, sure, s, as[i:], rows, bs[j:], width, k)
		}
	}
}

// goChains runs k steps of four chains; sure says that noUnderflow holds for the operands.
func goChains(op Op, sure bool, s *[4]float64, a []float64, lda int, b []float64, ldb, k int) {
	sure = sure && !negativeZero(s)
	switch op {
	case Product:
		if !sure || !productFMA(s, a, lda, b, ldb, k) {
			productGo(s, a, lda, b, ldb, k)
		}
	case SquaredDistance:
		if !sure || !sqDistFMA(s, a, lda, b, ldb, k) {
			sqDistGo(s, a, lda, b, ldb, k)
		}
	case ManhattanDistance:
		l1DistGo(s, a, lda, b, ldb, k)
	case ChiSquared:
		chiSqGo(s, a, lda, b, ldb, k)
	}
}

// negativeZero reports whether one of the sums is −0.
func negativeZero(s *[4]float64) bool {
	for _, v := range s {
		if v == 0 && math.Signbit(v) {
			return true
		}
	}
	return false
}

// productGo runs k steps of the chains
//
//	s[j] ← F(a[l·lda], b[l·ldb+j], s[j])    l = 0 … k−1
func productGo(s *[4]float64, a []float64, lda int, b []float64, ldb, k int) {
	s0, s1, s2, s3 := s[0], s[1], s[2], s[3]
	for l := range k {
		x, y := a[l*lda], (*[4]float64)(b[l*ldb:])
		s0 = math.FMA(x, y[0], s0)
		s1 = math.FMA(x, y[1], s1)
		s2 = math.FMA(x, y[2], s2)
		s3 = math.FMA(x, y[3], s3)
	}
	*s = [4]float64{s0, s1, s2, s3}
}

// sqDistGo runs k steps of the chains
//
//	d = a[l·lda] − b[l·ldb+j],  s[j] ← F(d, d, s[j])    l = 0 … k−1
//
// A sum of squares of differences is never negative, is 0 exactly for equal
// arguments, does not change when they swap, and has a relative error of at most
// (k+2)·2⁻⁵³ to first order, however far from the origin the points are.
func sqDistGo(s *[4]float64, a []float64, lda int, b []float64, ldb, k int) {
	s0, s1, s2, s3 := s[0], s[1], s[2], s[3]
	for l := range k {
		x, y := a[l*lda], (*[4]float64)(b[l*ldb:])
		d0, d1, d2, d3 := x-y[0], x-y[1], x-y[2], x-y[3]
		s0 = math.FMA(d0, d0, s0)
		s1 = math.FMA(d1, d1, s1)
		s2 = math.FMA(d2, d2, s2)
		s3 = math.FMA(d3, d3, s3)
	}
	*s = [4]float64{s0, s1, s2, s3}
}

// l1DistGo runs k steps of the sums
//
//	s[j] ← s[j] + |a[l·lda] − b[l·ldb+j]|    l = 0 … k−1
func l1DistGo(s *[4]float64, a []float64, lda int, b []float64, ldb, k int) {
	s0, s1, s2, s3 := s[0], s[1], s[2], s[3]
	for l := range k {
		x, y := a[l*lda], (*[4]float64)(b[l*ldb:])
		s0 += math.Abs(x - y[0])
		s1 += math.Abs(x - y[1])
		s2 += math.Abs(x - y[2])
		s3 += math.Abs(x - y[3])
	}
	*s = [4]float64{s0, s1, s2, s3}
}

// chiSqGo runs k steps of the chains
//
//	d = a[l·lda] − b[l·ldb+j],  q = d/(a[l·lda] + b[l·ldb+j]), 0 where d = 0
//	s[j] ← F(d, q, s[j])    l = 0 … k−1
//
// for arguments ≥ 0. Then |q| ≤ 1, and nothing overflows that the sum does not
// overflow with; the term of two zeros, 0/0, counts as 0.
func chiSqGo(s *[4]float64, a []float64, lda int, b []float64, ldb, k int) {
	for l := range k {
		x, y := a[l*lda], (*[4]float64)(b[l*ldb:])
		for j := range s {
			if d := x - y[j]; d != 0 {
				s[j] = FMA(d, d/(x+y[j]), s[j])
			}
		}
	}
}
