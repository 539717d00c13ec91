package fisher

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// Regularizer is what is added to the within-class scatter or, for kernel ridge
// regression, to the kernel matrix.
type Regularizer struct {
	Kind  Kind
	Value float64
}

// Kind is a kind of regulariser. Files hold its number.
type Kind uint8

const (
	RelativeRidge Kind = iota + 1 // 0: the default of a method
	Ridge
	RKHS
	RelativeRKHS
	Shrink
	LedoitWolf
	LeaveOneOutRidge // in no model: the fit makes it a relative ridge
	LeaveOneOutRKHS
)

// InRKHS reports whether the penalty is εK rather than εI.
func (k Kind) InRKHS() bool { return k == RKHS || k == RelativeRKHS || k == LeaveOneOutRKHS }

// ByLeaveOneOut reports whether the value is to be found from the data, by leaving out rows.
func (k Kind) ByLeaveOneOut() bool { return k == LeaveOneOutRidge || k == LeaveOneOutRKHS }

// Intensity returns the s of a Shrink, and 0 for another regulariser.
func (r Regularizer) Intensity() float64 {
	if r.Kind == Shrink {
		return r.Value
	}
	return 0
}

// shiftExponent bounds |log₂ σ′| of the scaled problem, max|K| in [1, 2).
const shiftExponent = 500

// sigma resolves a penalty εI: the ε in the caller's units and, in those of the scaled
// kernel matrix, σ′ = √ε′.
func (s *scaledProblem) sigma(reg Regularizer) (ridge, sigma float64, err error) {
	mean := 0.0
	if reg.Kind != Ridge {
		mean = s.meanWithin()
	}
	return sigmaOf(reg, s.scale, mean)
}

// sigmaOf is sigma for a scale in which tr(N)/n is mean. For Shrink(s) with s < 1 the
// ridge is the equivalent one, s·tr(N)/(n(1−s)).
func sigmaOf(reg Regularizer, scale binaryScale, mean float64) (ridge, sigma float64, err error) {
	if reg.Kind == Ridge {
		ridge, sigma = reg.Value, math.Ldexp(math.Sqrt(reg.Value), scale.exp)
	} else {
		if mean == 0 {
			return 0, 0, noScatterError(reg)
		}
		scaled := float64(reg.Value * mean)
		if reg.Kind == Shrink {
			scaled /= 1 - reg.Value
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

// ridge resolves a regulariser: the ridge as the caller has it and, in the units of
// the matrix, λ.
func (m *unitMatrix) ridge(reg Regularizer) (ridge, lambda float64, err error) {
	rounding := float64(float64(float64(m.rows)*u) * m.normK)
	if reg.Kind == RelativeRidge || reg.Kind == RelativeRKHS {
		mean := float64(m.mean * (m.total / float64(m.rows)))
		if mean < -rounding {
			return 0, 0, &RidgeError{Regularizer: reg, Reason: "the kernel is indefinite: its matrix has a negative trace, so that a relative ridge has no meaning: give an absolute one, or another kernel"}
		}
		if mean <= rounding {
			return 0, 0, &RidgeError{Regularizer: reg, Reason: "the kernel matrix has no positive trace above rounding, so that a relative ridge has no meaning: give an absolute one"}
		}
		lambda = float64(reg.Value * m.mean)
		ridge = math.Ldexp(lambda, -m.scale.exp)
	} else {
		ridge = reg.Value
		lambda = math.Ldexp(ridge, m.scale.exp)
	}
	switch {
	case ridge == 0 || math.IsInf(ridge, 0) || math.IsInf(lambda, 0):
		err = &RidgeError{Regularizer: reg, Ridge: ridge, Reason: "the ridge comes to a value outside the range of float64, absolutely or relative to the kernel values"}
	case lambda < math.Ldexp(1, -shiftExponent):
		err = &RidgeError{Regularizer: reg, Ridge: ridge, Reason: "the ridge is more than 150 orders of magnitude below the kernel values"}
	}
	return ridge, lambda, err
}

// meanWithin returns tr(N)/n of the scaled problem, summed once, before K is overwritten.
func (s *scaledProblem) meanWithin() float64 {
	if !s.measured {
		s.meanN, s.measured = meanWithin(s.K, s.Classes, s.Averaged, s.norm), true
	}
	return s.meanN
}

// meanWithin returns tr(N)/n, the mean eigenvalue of the within-class scatter of a kernel
// matrix of that norm, or 0 where that is no more than rounding.
func meanWithin(k *matrix.Dense, of *Classes, averaged bool, norm float64) float64 {
	return meanOfTrace(traceWithin(k, of, averaged), k.Rows, of, norm)
}

// meanOfTrace is meanWithin for the trace of N.
func meanOfTrace(trace float64, n int, of *Classes, norm float64) float64 {
	if noise := float64(float64(float64(n)*u) * norm); trace <= float64(noise*noise) {
		return 0
	}
	return trace / of.Total()
}

func noScatterError(reg Regularizer) error {
	return &RidgeError{Regularizer: reg, Reason: "the within-class scatter is zero up to rounding (every class is a single repeated point), so that a relative ridge has no meaning: give an absolute one"}
}
