package f64

import "math"

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
