package f64

import "math"

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
