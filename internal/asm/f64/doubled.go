package f64

import (
	"fmt"
	"math"
	"unsafe"
)

// DoubledRows is the number of rows that Doubled takes.
const DoubledRows = 16

// Doubled continues sums of products in doubled precision. Entry (i, j), at
// j·DoubledRows + i, of the DoubledRows×cols sums is a sum s and the sum c of the
// remainders of the products that s did not take in:
//
//	for l = 0 … k−1:  t = F(x, y, s),  z = t − s          x = a[l·lda+i], y = b[l·ldb+j]
//	                  c ← c + F(x, y, −z),  s ← t
//
// Where s begins at an [Anchor] of the products, whose last place is above theirs, z
// is what s took in, exactly, and the remainder is rounded at the square of the
// precision of s (extraction of the leading bits: Rump, Ogita & Oishi, "Accurate
// floating-point summation I", SIAM J. Sci. Comput. 31, 2008). The sum is (s − anchor) + c,
// of which the difference is exact. c must not be −0. s and c must not overlap a or b.
func Doubled(s, c, a []float64, lda int, b []float64, ldb, cols, k int) {
	if cols <= 0 || k <= 0 {
		return
	}
	if n := cols * DoubledRows; lda < DoubledRows || ldb < cols || len(s) < n || len(c) < n || len(a) < (k-1)*lda+DoubledRows || len(b) < (k-1)*ldb+cols {
		panic(fmt.Sprintf("f64: Doubled: %d columns of %d terms, len(s) = %d, len(c) = %d, len(a) = %d, lda = %d, len(b) = %d, ldb = %d",
			cols, k, len(s), len(c), len(a), lda, len(b), ldb))
	}
	for l := 0; l < k; l += doubledSteps {
		steps := min(doubledSteps, k-l)
		// As many calls as there must be, of about equal numbers of columns.
		for j, calls := 0, (cols+doubledColumns-1)/doubledColumns; j < cols; calls-- {
			some := (cols - j + calls - 1) / calls
			doubled(&s[j*DoubledRows], &c[j*DoubledRows], &a[l*lda], lda, &b[l*ldb+j], ldb, steps, some)
			j += some
		}
	}
}

const (
	doubledColumns = 5       // the most of a kernel
	doubledSteps   = 1 << 12 // bounds the work of a call of assembly, which cannot be preempted
)

// Anchor returns where a sum of products begins for [Doubled], if the magnitudes of one
// factor are at most largest and those of the other have the sum total: 1.5 times a
// power of two that is above twice the product of both, whose binade no partial sum
// leaves.
func Anchor(largest, total float64) float64 {
	_, e := math.Frexp(largest)
	_, f := math.Frexp(total)
	return math.Ldexp(1.5, min(max(e+f+1, -960), 1022))
}

// AddProduct adds a·b to s, and the rounding errors of the product and of the sum to c
// (Ogita, Rump & Oishi, "Accurate sum and dot product", SIAM J. Sci. Comput. 26, 2005).
func AddProduct(s, c, a, b float64) (float64, float64) {
	p := float64(a * b)
	e := FMA(a, b, -p)
	t := s + p
	z := t - s
	return t, c + (((s - (t - z)) + (p - z)) + e)
}

// doubledGo is the kernel in Go, k ≥ 1 steps.
func doubledGo(s, c, a *float64, lda int, b *float64, ldb, k, cols int) {
	ss, cs := unsafe.Slice(s, cols*DoubledRows), unsafe.Slice(c, cols*DoubledRows)
	as, bs := unsafe.Slice(a, (k-1)*lda+DoubledRows), unsafe.Slice(b, (k-1)*ldb+cols)
	done := 0
	if emulated && Emulation.Doubled != nil {
		done = 8 * Emulation.Doubled(s, c, a, lda, b, ldb, k, cols)
	}
	for at := done; at < len(ss); at += 4 {
		i, j := at%DoubledRows, at/DoubledRows
		s, c := (*[4]float64)(ss[at:]), (*[4]float64)(cs[at:])
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

// addDoubled is one step.
func addDoubled(s, c, x, y float64) (float64, float64) {
	t := FMA(x, y, s)
	z := t - s
	return t, c + FMA(x, y, -z)
}
