package solve

import "math"

// pair is a complex number, its parts kept apart so that every product of
// floating-point numbers is a named one.
type pair struct{ re, im float64 }

// divisor returns d and |d|², both times the power of two that leaves both parts of d
// below 1/4 and one at 1/8 or above: with them cdiv gives the bits that it gives with d and
// |d|², but its products do not overflow, and are no more than 8 times smaller than u.
// |d|² must be in the range of float64.
func divisor(d pair) (scaled pair, t float64) {
	scale := scaleTo(max(math.Abs(d.re), math.Abs(d.im)), -2)
	return pair{float64(d.re * scale), float64(d.im * scale)}, float64(squaredModulus(d) * scale)
}

// cdiv returns u/d, d and t being what divisor returns.
func cdiv(u, d pair, t float64) pair {
	return pair{
		math.FMA(u.re, d.re, float64(u.im*d.im)) / t,
		math.FMA(u.im, d.re, -float64(u.re*d.im)) / t,
	}
}

// squaredModulus returns |d|².
func squaredModulus(d pair) float64 { return math.FMA(d.re, d.re, float64(d.im*d.im)) }
