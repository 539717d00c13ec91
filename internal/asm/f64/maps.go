package f64

import "math"

// ExpNegScale replaces every x of dst by e^(-γx), the map of the rbf, Laplacian and
// χ² kernels: Exp(-fl(γ·x)), with the product rounded once.
func ExpNegScale(dst []float64, gamma float64) {
	for chunk, rest := cut(dst); len(chunk) > 0; chunk, rest = cut(rest) {
		expScale(chunk, -gamma)
	}
}

// cut splits x after at most 2¹³ numbers. Assembly cannot be preempted; a
// chunk takes less than 100 µs.
func cut(x []float64) (chunk, rest []float64) {
	n := min(len(x), 1<<13)
	return x[:n], x[n:]
}

// expScaleGo is the reference of expScale: x ← Exp(fl(s·x)). The assembly
// does what Exp does, lane by lane, with two liberties that change no bit:
// 2^n may be one operation, and NaN may come out with another payload.
func expScaleGo(x []float64, s float64) {
	for i, v := range x {
		x[i] = float64(s * v)
	}
	done := 0
	if emulated && Emulation.Exp != nil {
		done = Emulation.Exp(x)
	}
	for i, v := range x[done:] {
		x[done+i] = Exp(v)
	}
}

// TanhSlice replaces every x of dst by Tanh(x).
func TanhSlice(dst []float64) {
	for chunk, rest := cut(dst); len(chunk) > 0; chunk, rest = cut(rest) {
		tanh(chunk)
	}
}

// tanhGo is the reference of tanh. The assembly does what Tanh does, lane by
// lane; 2^n·2^(j/8) is exact and may come from other operations.
func tanhGo(x []float64) {
	for i, v := range x {
		x[i] = Tanh(v)
	}
}

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
	if gamma == 1 && n == 1 { // rounded once as well
		for i, v := range x {
			x[i] = v + coef0
		}
		return
	}
	for i, v := range x {
		t := FMA(gamma, v, coef0)
		p := t
		for range n - 1 {
			p = float64(p * t)
		}
		x[i] = p
	}
}
