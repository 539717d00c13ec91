package f64

import "math"

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
				s[j] = math.FMA(d, d/(x+y[j]), s[j])
			}
		}
	}
}
