package f64

import "math"

// The fused multiply-add F(x, y, s) = fl(xy + s) where the compiler has no instruction for it, and
// math.FMA computes with integers: in chains at a tenth of its time. A product is made of two numbers without error (Dekker 1971), the
// larger is added to s without error (Knuth), and of what remains of both, t, all but a rounding is
// known. Where h + t rounds to one number for all that t can be, or t has no rounding, that is F (Ziv 1991).
// Else, which is rare, math.FMA decides. The formulas hold while no part of the product underflows.

// FMA returns F(x, y, s), the bits of math.FMA, at two fifths of its time where the compiler has no
// instruction for it.
func FMA(x, y, s float64) float64 {
	if emulated {
		return fma(x, y, s)
	}
	return math.FMA(x, y, s)
}

const (
	splitter = 1<<27 + 1
	// t is within 2⁻⁵³|t|: these lead beyond that on both sides, also after rounding.
	below, above = 1 - 0x1p-51, 1 + 0x1p-51
	// Numbers above 2⁻⁴⁰⁰ and 0 have differences and products no part of which underflows.
	leastFactorBits = (1023 - 400) << 52
	leastProduct    = 0x1p-900
)

// fma is FMA where it is emulated. What overflows makes the sum infinite, or NaN, which differs from itself.
func fma(x, y, s float64) float64 {
	xh, yh := split(x), split(y)
	xl, yl := x-xh, y-yh
	p := float64(x * y)
	r, high := fmaBounds(s, x, xh, xl, y, yh, yl)
	if r != high { // as in the middle of two numbers
		h := p + s
		a, b := sumError(p, s, h), productError(p, xh, xl, yh, yl)
		if t := a + b; sumError(a, b, t) == 0 {
			r, high = h+t, h+t
		}
	}
	if r == high && finite(r) && math.Abs(p) > leastProduct {
		return r
	}
	return math.FMA(x, y, s)
}

// finite reports whether s is, of chains the last sum: what comes after an infinite one is not.
func finite(s float64) bool { return s-s == 0 }

// split returns the upper half of the digits of x.
func split(x float64) float64 {
	c := float64(splitter * x)
	return c - (c - x)
}

// noUnderflow reports whether chains of products or of squared differences of x, of whole panels, from
// sums that are not −0, can be left to productFMA and sqDistFMA.
func noUnderflow(x []float64) bool {
	var small uint64 // its first bit
	for i := 0; i+4 <= len(x); i += 4 {
		v := (*[4]float64)(x[i:])
		small |= isSmall(v[0]) | isSmall(v[1]) | isSmall(v[2]) | isSmall(v[3])
	}
	return small>>63 == 0
}

// isSmall sets the first bit for numbers up to 2⁻⁴⁰⁰ but 0.
func isSmall(v float64) uint64 {
	w := math.Float64bits(v)&^(1<<63) - 1 // of 0 the largest number
	return ^w & (w - leastFactorBits)
}

// sumError returns p + s − h for h = fl(p + s).
func sumError(p, s, h float64) float64 {
	b := h - p
	return (p - (h - b)) + (s - b)
}

// productError returns xy − p for p = fl(xy), x = xh + xl and y = yh + yl.
func productError(p, xh, xl, yh, yl float64) float64 {
	return ((float64(xh*yh) - p) + float64(xh*yl) + float64(xl*yh)) + float64(xl*yl)
}

// fmaBounds returns the next sum of a chain, rounded from below and from above what it can be, for x = xh + xl
// and y = yh + yl.
func fmaBounds(s, x, xh, xl, y, yh, yl float64) (low, high float64) {
	p := float64(x * y)
	h := p + s
	b := h - p // from here on sumError and productError, which would be too long to be put in place
	t := (p - (h - b)) + (s - b) + (((float64(xh*yh) - p) + float64(xh*yl) + float64(xl*yh)) + float64(xl*yl))
	return h + float64(t*below), h + float64(t*above)
}

// productFMA is productGo, where noUnderflow holds. It reports whether the sums are finite, and leaves
// them alone where they are not, since only a part of a step may have overflowed.
func productFMA(s *[4]float64, a []float64, lda int, b []float64, ldb, k int) bool {
	s0, s1, s2, s3 := s[0], s[1], s[2], s[3]
	for l := range k {
		x, y := a[l*lda], (*[4]float64)(b[l*ldb:])
		y0, y1, y2, y3 := y[0], y[1], y[2], y[3]
		xh, h0, h1, h2, h3 := split(x), split(y0), split(y1), split(y2), split(y3)
		xl := x - xh
		l0, h0 := fmaBounds(s0, x, xh, xl, y0, h0, y0-h0)
		l1, h1 := fmaBounds(s1, x, xh, xl, y1, h1, y1-h1)
		l2, h2 := fmaBounds(s2, x, xh, xl, y2, h2, y2-h2)
		l3, h3 := fmaBounds(s3, x, xh, xl, y3, h3, y3-h3)
		if l0 != h0 || l1 != h1 || l2 != h2 || l3 != h3 {
			l0, l1, l2, l3 = fma(x, y0, s0), fma(x, y1, s1), fma(x, y2, s2), fma(x, y3, s3)
		}
		s0, s1, s2, s3 = l0, l1, l2, l3
	}
	if !finite(s0) || !finite(s1) || !finite(s2) || !finite(s3) {
		return false
	}
	*s = [4]float64{s0, s1, s2, s3}
	return true
}

// sqDistFMA is sqDistGo as productFMA is productGo.
func sqDistFMA(s *[4]float64, a []float64, lda int, b []float64, ldb, k int) bool {
	s0, s1, s2, s3 := s[0], s[1], s[2], s[3]
	for l := range k {
		x, y := a[l*lda], (*[4]float64)(b[l*ldb:])
		d0, d1, d2, d3 := x-y[0], x-y[1], x-y[2], x-y[3]
		h0, h1, h2, h3 := split(d0), split(d1), split(d2), split(d3)
		l0, h0 := fmaBounds(s0, d0, h0, d0-h0, d0, h0, d0-h0)
		l1, h1 := fmaBounds(s1, d1, h1, d1-h1, d1, h1, d1-h1)
		l2, h2 := fmaBounds(s2, d2, h2, d2-h2, d2, h2, d2-h2)
		l3, h3 := fmaBounds(s3, d3, h3, d3-h3, d3, h3, d3-h3)
		if l0 != h0 || l1 != h1 || l2 != h2 || l3 != h3 {
			l0, l1, l2, l3 = fma(d0, d0, s0), fma(d1, d1, s1), fma(d2, d2, s2), fma(d3, d3, s3)
		}
		s0, s1, s2, s3 = l0, l1, l2, l3
	}
	if !finite(s0) || !finite(s1) || !finite(s2) || !finite(s3) {
		return false
	}
	*s = [4]float64{s0, s1, s2, s3}
	return true
}
