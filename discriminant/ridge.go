package discriminant

import "math"

// shiftExponent bounds |log₂ σ′| of the scaled problem, max|K| in [1, 2).
const shiftExponent = 500

// ridgeOf resolves a penalty εI: the ε in the caller's units and, in those of
// the scaled kernel matrix, for which within gives tr(N)/n, σ′ = √ε′. For
// Shrink(s) with s < 1 it is that of the equivalent ridge s·tr(N)/(n(1−s)).
func ridgeOf(reg Regularizer, scale binaryScale, within func() float64) (ridge, sigma float64, err error) {
	if reg.kind == absoluteRidge {
		ridge, sigma = reg.value, math.Ldexp(math.Sqrt(reg.value), scale.exp)
	} else {
		mean := within()
		if mean == 0 {
			return 0, 0, noScatterError(reg)
		}
		scaled := float64(reg.value * mean)
		if reg.kind == shrink {
			scaled /= 1 - reg.value
		}
		ridge, sigma = math.Ldexp(scaled, -2*scale.exp), math.Sqrt(scaled)
	}
	switch {
	case ridge == 0 || math.IsInf(ridge, 0):
		err = &RidgeError{Regularizer: reg, Ridge: ridge, Reason: "the relative ridge comes to a value outside the range of float64: give an absolute one"}
	case sigma < math.Ldexp(1, -shiftExponent) || sigma > math.Ldexp(1, shiftExponent):
		err = &RidgeError{Regularizer: reg, Ridge: ridge, Reason: "√ε and the kernel values differ by more than 150 orders of magnitude"}
	}
	return ridge, sigma, err
}

// meanWithin returns tr(N)/n in units of the scaled kernel matrix, the mean
// eigenvalue of the within-class scatter, or 0 where that is no more than rounding.
func meanWithin(p problem, norm float64) float64 {
	n := float64(p.k.Rows)
	trace := traceWithin(p.k, p.codes, p.counts, p.scatter)
	if noise := float64(float64(n*u) * norm); trace <= float64(noise*noise) {
		return 0
	}
	return trace / n
}

func noScatterError(reg Regularizer) error {
	return &RidgeError{Regularizer: reg, Reason: "the within-class scatter is zero up to rounding (every class is a single repeated point), so that a relative ridge has no meaning: give an absolute one"}
}
