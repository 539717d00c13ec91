package solve

import "math"

// pair is a complex number, its parts kept apart so that every product of
// floating-point numbers is a named one.
type pair struct{ re, im float64 }

// cdiv returns u/d, t being the squared modulus of d.
func cdiv(u, d pair, t float64) pair {
	return pair{
		math.FMA(u.re, d.re, float64(u.im*d.im)) / t,
		math.FMA(u.im, d.re, -float64(u.re*d.im)) / t,
	}
}

// squaredModulus returns |d|².
func squaredModulus(d pair) float64 { return math.FMA(d.re, d.re, float64(d.im*d.im)) }
