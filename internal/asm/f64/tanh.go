package f64

import "math"

// Tanh returns the hyperbolic tangent of x with an error below 0.56 units in
// the last place.
//
// Tanh(-x) = -Tanh(x) bit for bit, Tanh(±0) = ±0, Tanh(±Inf) = ±1,
// Tanh(NaN) = NaN; subnormal arguments are returned as they are, and from
// 19.0615474653985 on the result is 1. The sequence of operations is the same on every
// platform.
//
// # Method
//
//	tanh x = e/(e + 2),   e = e^(2|x|) - 1,   with the sign of x
//
// The reduction and the table are those of [Exp]: e^(2|x|) = c(1 + p),
// c = 2^n·T. Here p must be good relative to itself, since for k = 0 it is e: q
// has degree 6 and interpolates (e^r - 1 - r)/r² at the zeros of
// the Chebyshev polynomial T₇ on [-R, R], so that r + r²q(r) is within
// 2^(-60.6) of e^r - 1, relatively.
//
// Every quantity that a rounding could spoil is carried as a sum of two:
// p = ph + pl, e = eh + el = (c - 1) + c·p, where c - 1 is exact below 2⁵³, and
// d = dh + dl = e + 2 (dl is exact when the larger
// summand is subtracted first). The quotient eh/dh is corrected by one step with the remainder
// eh - q·dh + el - q·dl. Beyond |x| = 22, where c - 1 is no longer exact, the
// result is 1 whatever e's last bits are, and x is cut off there. What remains,
// besides the last rounding, are the roundings of r²q and of q, relative to r.
func Tanh(x float64) float64 {
	v := math.Abs(x)
	if v > tanhMax {
		v = tanhMax
	}
	v += v
	z := FMA(v, log2e, expShift)
	k := z - expShift
	rh := FMA(-k, ln2Hi, v)
	r := FMA(-k, ln2Lo, rh)

	r2 := float64(r * r)
	q := FMA(tanhC8, r2, FMA(tanhC7, r, tanhC6))
	q = FMA(q, r2, FMA(tanhC5, r, tanhC4))
	q = FMA(q, r2, FMA(tanhC3, r, tanhC2))

	// p = rh + (r²q + t(1 + rh) - (k/8)·ln2Lo) = ph + pl.
	u := math.Float64bits(z)
	t := &expTable[u&7]
	s := FMA(q, r2, FMA(-k, ln2Lo, FMA(t.rest, rh, t.rest)))
	ph := rh + s
	pl := s - (ph - rh)

	// e = (c - 1) + c·p = eh + el, c = 2^n·T.
	a := u >> 4 << 52
	b := u>>3<<52 - a
	c := float64(float64(t.pow*math.Float64frombits(a)) * math.Float64frombits(b))
	c1 := c - 1
	eh := FMA(c, ph, c1)
	el := FMA(c, pl, FMA(c, ph, c1-eh))

	large, small := eh, 2.0
	if large < small {
		large, small = small, large
	}
	dh := large + small
	dl := (small - (dh - large)) + el

	inv := 1 / dh
	y := float64(eh * inv)
	rem := FMA(-y, dh, eh) + el
	rem = FMA(-y, dl, rem)
	return math.Copysign(FMA(rem, inv, y), x)
}

const (
	tanhMax = 22

	tanhC2 = 0x1.0000000000000p-1
	tanhC3 = 0x1.555555555559dp-3
	tanhC4 = 0x1.5555555555572p-5
	tanhC5 = 0x1.1111110c65bbfp-7
	tanhC6 = 0x1.6c16c1685a7e7p-10
	tanhC7 = 0x1.a01edd94e0c6ep-13
	tanhC8 = 0x1.a01de4c96acd4p-16
)
