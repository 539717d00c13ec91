package f64

import "unsafe"

// dot2Go is the kernel in Go: it continues the sums of four rows, ld apart in s and
// c and lda apart in a, and four columns.
func dot2Go(s, c *float64, ld int, a *float64, lda int, b *float64, width, k int) {
	sums, errors := unsafe.Slice(s, (dot2Rows-1)*ld+4), unsafe.Slice(c, (dot2Rows-1)*ld+4)
	as, bs := unsafe.Slice(a, (dot2Rows-1)*lda+k), unsafe.Slice(b, (k-1)*width+4)
	for i := range dot2Rows {
		if i > 0 && ld == 0 {
			break // the same row again
		}
		s, c := (*[4]float64)(sums[i*ld:]), (*[4]float64)(errors[i*ld:])
		s0, s1, s2, s3 := s[0], s[1], s[2], s[3]
		c0, c1, c2, c3 := c[0], c[1], c[2], c[3]
		for l, x := range as[i*lda : i*lda+k] {
			y := (*[4]float64)(bs[l*width:])
			s0, c0 = addDot2(s0, c0, x, y[0])
			s1, c1 = addDot2(s1, c1, x, y[1])
			s2, c2 = addDot2(s2, c2, x, y[2])
			s3, c3 = addDot2(s3, c3, x, y[3])
		}
		*s, *c = [4]float64{s0, s1, s2, s3}, [4]float64{c0, c1, c2, c3}
	}
}
