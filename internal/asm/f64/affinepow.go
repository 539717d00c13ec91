package f64

import "math"

// AffinePow replaces every x of dst by (γx + c)ⁿ, n ≥ 1, the map of the
// polynomial kernel: t = F(γ, x, c), multiplied out from the left, ((t·t)·t)·….
// With n = 1 it is the affine map before the hyperbolic tangent of the sigmoid kernel.
func AffinePow(dst []float64, gamma, coef0 float64, n int) {
	if n < 1 {
		panic("f64: AffinePow: the power must be at least 1")
	}
	for chunk, rest := cut(dst); len(chunk) > 0; chunk, rest = cut(rest) {
		affinePow(chunk, gamma, coef0, n)
	}
}

// Shift adds c to every x of dst: x ← fl(x + c).
func Shift(dst []float64, c float64) { AffinePow(dst, 1, c, 1) }

// Scale multiplies every x of dst by f: x ← fl(f·x).
func Scale(dst []float64, f float64) { AffinePow(dst, f, minusZero, 1) }

// minusZero is what can be added to zeros of both signs without a change.
var minusZero = math.Copysign(0, -1)

// affinePowGo is the reference of affinePow.
func affinePowGo(x []float64, gamma, coef0 float64, n int) {
	for i, v := range x {
		t := math.FMA(gamma, v, coef0)
		p := t
		for range n - 1 {
			p = float64(p * t)
		}
		x[i] = p
	}
}
