package fisher

import (
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/solve"
)

// u is the unit roundoff of float64.
const u = f64.Roundoff

// Certificate says how far a solution can be trusted: discriminant.Certificate, which
// explains the figures, has the same.
type Certificate struct {
	Solver          string
	Backward        float64
	Forward         float64
	EigenvalueError float64
	Refinements     int
	CondBound       float64
	Growth          float64
	KernelRounding  float64
	Rank            int
	Passes          int
	CutsCluster     bool
}

// largerRidge is the Remedy of an AccuracyError where a ridge is small beside rounding.
const largerRidge = "a larger ridge"

// kernelRoundingLimit is the largest KernelRounding at which a fit is accepted:
// above it the rounding of K itself may change α by a per cent.
const kernelRoundingLimit = 1e-2

// checkKernelRounding refuses a ridge that is too small for the kernel matrix.
func (c *Certificate) checkKernelRounding(ridge string) error {
	if c.KernelRounding > kernelRoundingLimit {
		return &AccuracyError{What: "the effect of the rounding of the matrix, u‖·‖/" + ridge + ",", Value: c.KernelRounding, Limit: kernelRoundingLimit, Remedy: largerRidge}
	}
	return nil
}

// refinementSteps bounds the steps of refinement. One is enough unless the system
// is so ill-conditioned that half of the digits are lost.
const refinementSteps = 5

// record notes the errors of a refinement.
func (c *Certificate) record(r solve.Refinement) {
	c.Backward = math.Max(c.Backward, r.Backward)
	c.Forward = math.Max(c.Forward, r.Forward)
	c.Refinements = max(c.Refinements, r.Steps)
}

// forwardLimit is the largest Forward at which a fit is accepted.
const forwardLimit = 0x1p-26

// fewestRows is the number of rows from which the limit of Backward grows with it: the
// norms of few rows are measured with an error of some u, too.
const fewestRows = 8

// checkAccuracy refuses a system of n rows that refinement could not solve.
func (c *Certificate) checkAccuracy(n int) error {
	if limit := float64(float64(max(n, fewestRows)) * u); !(c.Backward <= limit) {
		return &AccuracyError{What: "the backward error of the linear system", Value: c.Backward, Limit: limit, Remedy: largerRidge}
	}
	if !(c.Forward <= forwardLimit) {
		return &AccuracyError{What: "the error of the solution of the linear system", Value: c.Forward, Limit: forwardLimit, Remedy: largerRidge}
	}
	return nil
}
