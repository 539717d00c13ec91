package discriminant

import "math"

// shiftExponent bounds |log₂ σ′| of the scaled problem, max|K| in [1, 2).
const shiftExponent = 500

// ridgeOf resolves a penalty εI: the ε in the caller's units and, in those of
// the scaled kernel matrix k, whose Frobenius norm is given, σ′ = √ε′. For
// Shrink(s) with s < 1 it is that of the equivalent ridge s·tr(N)/(n(1−s)).
func ridgeOf(p problem, scale binaryScale, norm float64) (ridge, sigma float64, err error) {
	if p.reg.kind == absoluteRidge {
		ridge, sigma = p.reg.value, math.Ldexp(math.Sqrt(p.reg.value), scale.exp)
	} else {
		mean, err := meanWithin(p, norm)
		if err != nil {
			return 0, 0, err
		}
		scaled := float64(p.reg.value * mean)
		if p.reg.kind == shrink {
			scaled /= 1 - p.reg.value
		}
		ridge, sigma = math.Ldexp(scaled, -2*scale.exp), math.Sqrt(scaled)
	}
	switch {
	case ridge == 0 || math.IsInf(ridge, 0):
		err = &RidgeError{Regularizer: p.reg, Ridge: ridge, Reason: "the relative ridge comes to a value outside the range of float64: give an absolute one"}
	case sigma < math.Ldexp(1, -shiftExponent) || sigma > math.Ldexp(1, shiftExponent):
		err = &RidgeError{Regularizer: p.reg, Ridge: ridge, Reason: "√ε and the kernel values differ by more than 150 orders of magnitude"}
	}
	return ridge, sigma, err
}

// meanWithin returns tr(N)/n in units of the scaled kernel matrix, the mean
// eigenvalue of the within-class scatter, which must be above rounding.
func meanWithin(p problem, norm float64) (float64, error) {
	n := float64(p.k.Rows)
	trace := traceWithin(p.k, p.codes, p.counts, p.scatter)
	if noise := float64(float64(n*u) * norm); trace <= float64(noise*noise) {
		return 0, &RidgeError{Regularizer: p.reg, Reason: "the within-class scatter is zero up to rounding (every class is a single repeated point), so that a relative ridge has no meaning: give an absolute one"}
	}
	return trace / n, nil
}
