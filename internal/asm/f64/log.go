package f64

import "math"

// Log returns the natural logarithm of x with an error below 0.65 units in the
// last place.
//
// Log(+Inf) = +Inf, Log(±0) = -Inf, Log(x < 0) = NaN, Log(NaN) = NaN,
// Log(1) = +0. Subnormal arguments are exact. The sequence of operations is the same on every
// platform.
//
// # Method
//
//	x = 2^k·m,  √½ ≤ m < √2,   log x = k·ln 2 + log m,   f = m - 1 (exact),  s = f/(2 + f)
//	log m = log((1+s)/(1-s)) = 2s + s³P(s²) = f - h + s·(h + s²P(s²)),   h = f²/2
//
// The last form needs s only where it is multiplied by something small: its
// rounding does not matter. P has degree 7 in w = s² and interpolates
// (2 artanh s - 2s)/s³ at the zeros of the Chebyshev polynomial T₈ on
// [0, (3 - 2√2)²]; s³P is within 2⁻⁶² of its limit.
//
// f - h and k·ln2Hi + (f - h) are carried as sums of two, with h's own
// rounding. Besides the last addition, s counts with 0.07 units where its
// factor is largest (f ≈ 0.41), and the roundings of three sums with 0.03 each.
func Log(x float64) float64 {
	switch {
	case x != x || x == math.Inf(1):
		return x
	case x == 0:
		return math.Inf(-1)
	case x < 0:
		return math.NaN()
	}
	e := int64(-1023)
	if x < 0x1p-1022 {
		x = float64(x * 0x1p54)
		e -= 54
	}
	// Move the boundary between binades from 1 to √2: adding 1 - √½ to the
	// significand field carries into the exponent exactly from √2 on.
	u := math.Float64bits(x) + (oneBits - sqrtHalfBits)
	e += int64(u >> 52)
	m := math.Float64frombits(u&(1<<52-1) + sqrtHalfBits)
	k := float64(e)

	f := m - 1
	s := f / (2 + f)
	w := float64(s * s)
	w2 := float64(w * w)
	p := FMA(FMA(logP7, w, logP6), w2, FMA(logP5, w, logP4))
	p = FMA(p, w2, FMA(logP3, w, logP2))
	p = FMA(p, w2, FMA(logP1, w, logP0))

	g := float64(0.5 * f)
	h := float64(g * f)
	hl := FMA(g, f, -h) // h + hl = f²/2
	d := f - h
	dl := (f - d) - h - hl // d + dl = f - f²/2

	y := FMA(k, ln2Hi, d)
	yl := d - FMA(-k, ln2Hi, y) // y + yl = k·ln2Hi + d
	lo := FMA(s, FMA(p, w, h), dl)
	lo = FMA(k, ln2Lo, lo)
	return y + (yl + lo)
}

const (
	oneBits      = 0x3ff0000000000000
	sqrtHalfBits = 0x3fe6a09e667f3bcd // √½, rounded up

	logP0 = 0x1.5555555555555p-1
	logP1 = 0x1.9999999999a38p-2
	logP2 = 0x1.2492492476cccp-2
	logP3 = 0x1.c71c720159177p-3
	logP4 = 0x1.745cf9048dd95p-3
	logP5 = 0x1.3b1c355a8f7a2p-3
	logP6 = 0x1.0fbe95d716020p-3
	logP7 = 0x1.0c039c49989c6p-3
)
