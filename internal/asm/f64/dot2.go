package f64

import (
	"fmt"
	"math"
)

// Dot2 continues sums of products in doubled precision (Ogita, Rump & Oishi,
// "Accurate sum and dot product", SIAM J. Sci. Comput. 26, 2005, algorithm Dot2).
// Entry (i, j), at i·width + j, of the rows×width sums is a sum s and the sum c of
// the rounding errors made in it:
//
//	for l = 0 … k−1:  p = fl(x·y),  e = F(x, y, −p)          x = a[i·lda+l], y = b[l·width+j]
//	                  t = s + p,  z = t − s
//	                  c ← c + (((s − (t − z)) + (p − z)) + e),  s ← t
//
// c must not be −0. width is a multiple of four, and b has no padding but the
// columns that the caller added to reach it. s and c must not overlap a or b.
func Dot2(s, c, a []float64, lda, rows int, b []float64, width, k int) {
	if rows <= 0 || width <= 0 || k <= 0 {
		return
	}
	if width%dot2Columns != 0 || lda < 0 || len(s) < rows*width || len(c) < rows*width || len(a) < (rows-1)*lda+k || len(b) < k*width {
		panic(fmt.Sprintf("f64: Dot2: %d×%d sums of %d terms, len(s) = %d, len(c) = %d, len(a) = %d, lda = %d, len(b) = %d",
			rows, width, k, len(s), len(c), len(a), lda, len(b)))
	}
	for l := 0; l < k; l += dot2Steps {
		dot2Stretch(s, c, a[l:], lda, rows, b[l*width:], width, min(dot2Steps, k-l))
	}
}

const (
	dot2Rows    = 4       // rows that a kernel takes at a time
	dot2Columns = 4       // columns of the narrowest kernel
	dot2Steps   = 1 << 13 // bounds the work of a call of assembly, which cannot be preempted
)

// dot2Stretch is Dot2 for few enough steps. Rows that do not make up a kernel's
// stand for all of them: with a distance of 0 between rows it does one of them
// over and over.
func dot2Stretch(s, c, a []float64, lda, rows int, b []float64, width, k int) {
	for j := 0; j < width; {
		cols := dot2Width(width - j)
		i := 0
		for ; i+dot2Rows <= rows; i += dot2Rows {
			dot2(&s[i*width+j], &c[i*width+j], width, &a[i*lda], lda, &b[j], width, k, cols)
		}
		for ; i < rows; i++ {
			dot2(&s[i*width+j], &c[i*width+j], 0, &a[i*lda], 0, &b[j], width, k, cols)
		}
		j += cols
	}
}

// addDot2 adds the product of x and y to s, and the rounding errors of the product
// and of the sum to c.
func addDot2(s, c, x, y float64) (float64, float64) {
	p := float64(x * y)
	e := math.FMA(x, y, -p)
	t := s + p
	z := t - s
	return t, c + (((s - (t - z)) + (p - z)) + e)
}
