package f64

import (
	"math"
	"unsafe"
)

// doubledGo is the kernel in Go, k ≥ 1 steps.
func doubledGo(s, c, a *float64, lda int, b *float64, ldb, k, cols int) {
	ss, cs := unsafe.Slice(s, cols*DoubledRows), unsafe.Slice(c, cols*DoubledRows)
	as, bs := unsafe.Slice(a, (k-1)*lda+DoubledRows), unsafe.Slice(b, (k-1)*ldb+cols)
	for j := range cols {
		for i := 0; i < DoubledRows; i += 4 {
			s, c := (*[4]float64)(ss[j*DoubledRows+i:]), (*[4]float64)(cs[j*DoubledRows+i:])
			s0, s1, s2, s3 := s[0], s[1], s[2], s[3]
			c0, c1, c2, c3 := c[0], c[1], c[2], c[3]
			for l := range k {
				x, y := (*[4]float64)(as[l*lda+i:]), bs[l*ldb+j]
				s0, c0 = addDoubled(s0, c0, x[0], y)
				s1, c1 = addDoubled(s1, c1, x[1], y)
				s2, c2 = addDoubled(s2, c2, x[2], y)
				s3, c3 = addDoubled(s3, c3, x[3], y)
			}
			*s, *c = [4]float64{s0, s1, s2, s3}, [4]float64{c0, c1, c2, c3}
		}
	}
}

// addDoubled is one step.
func addDoubled(s, c, x, y float64) (float64, float64) {
	t := math.FMA(x, y, s)
	z := t - s
	return t, c + math.FMA(x, y, -z)
}
