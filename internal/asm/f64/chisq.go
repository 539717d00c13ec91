package f64

// chiSqGo runs k steps of the sums
//
//	d = a[l·lda] − b[l·ldb+j],  t = a[l·lda] + b[l·ldb+j]
//	s[j] ← s[j] + fl(fl(d·d)/t) if t ≠ 0    l = 0 … k−1
//
// for arguments ≥ 0; the term of two zeros, 0/0, counts as 0. A sum that is
// continued must not be −0.
func chiSqGo(s *[4]float64, a []float64, lda int, b []float64, ldb, k int) {
	for l := range k {
		x, y := a[l*lda], (*[4]float64)(b[l*ldb:])
		for j := range s {
			if t := x + y[j]; t != 0 {
				d := x - y[j]
				s[j] += float64(d*d) / t
			}
		}
	}
}
