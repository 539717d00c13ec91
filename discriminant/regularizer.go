package discriminant

import (
	"fmt"
	"math"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
)

// Regularizer says what is added to the within-class scatter N. The zero value
// is the default of the method: LeaveOneOutRKHS() for [KFDA], LeaveOneOutRidge() for
// [KernelRidge], nothing for [LDA]. Make one with [Ridge], [RelativeRidge], [RKHS],
// [RelativeRKHS], [LeaveOneOutRidge], [LeaveOneOutRKHS], [Shrink] or [LedoitWolf].
type Regularizer struct {
	kind  fisher.Kind
	value float64
}

// solved returns r for the solvers, and regularizerOf what it was made of.
func (r Regularizer) solved() fisher.Regularizer {
	return fisher.Regularizer{Kind: r.kind, Value: r.value}
}

func regularizerOf(r fisher.Regularizer) Regularizer { return Regularizer{r.Kind, r.Value} }

// Ridge penalises the coefficients: N + εI (Mika et al. 1999). ε > 0, in units
// of squared kernel values times rows.
func Ridge(epsilon float64) Regularizer { return Regularizer{fisher.Ridge, epsilon} }

// RelativeRidge is Ridge(r·tr(N)/n): r > 0 in units of the mean eigenvalue of
// the within-class scatter, so that it does not depend on the kernel's scale.
func RelativeRidge(r float64) Regularizer { return Regularizer{fisher.RelativeRidge, r} }

// RKHS penalises the norm in the kernel's feature space: N + εK. ε > 0, in
// units of kernel values. It is invariant to shifts of the feature space and
// equals kernel ridge regression with an unpenalised intercept on the class
// contrasts.
func RKHS(epsilon float64) Regularizer { return Regularizer{fisher.RKHS, epsilon} }

// RelativeRKHS is RKHS(r·tr(HKH)/n), H = I − 11ᵀ/n: r > 0 in units of the mean
// eigenvalue of the centred kernel matrix.
func RelativeRKHS(r float64) Regularizer { return Regularizer{fisher.RelativeRKHS, r} }

// Shrink replaces the within-class scatter by (1−s)N + s·tr(N)/n·I, 0 < s ≤ 1
// (Friedman 1989, in the space of the coefficients). s = 1 leaves the directions
// of the class means. For [LDA] it is (1−s)S_W + s·tr(S_W)/d·I, and s may be 0.
func Shrink(s float64) Regularizer { return Regularizer{fisher.Shrink, s} }

// LedoitWolf is, for [LDA], Shrink(s) with the s for which the shrunk covariance
// of the rows less their class means is nearest to the true one in expectation
// (Ledoit and Wolf 2004). It depends on the scale of the features: scale them
// first. Shrinkage of [LDADetails] tells s.
func LedoitWolf() Regularizer { return Regularizer{kind: fisher.LedoitWolf} }

// LeaveOneOutRidge is RelativeRidge(r) with the r among 10⁻³, 3·10⁻³, 10⁻², …, 100
// whose predictions of rows that are left out are nearest to the class indicators,
// see [KFDA] and [KernelRidge]. The model's Regularizer is the RelativeRidge(r).
func LeaveOneOutRidge() Regularizer { return Regularizer{kind: fisher.LeaveOneOutRidge} }

// LeaveOneOutRKHS is RelativeRKHS(r) with r chosen as that of LeaveOneOutRidge.
func LeaveOneOutRKHS() Regularizer { return Regularizer{kind: fisher.LeaveOneOutRKHS} }

// Value returns the number that the regulariser was made with, so that r ==
// Ridge(r.Value()) tells whether it is a [Ridge], and likewise for the others.
func (r Regularizer) Value() float64 { return r.value }

// or returns r, and the default of a method for the zero value.
func (r Regularizer) or(byDefault Regularizer) Regularizer {
	if r == (Regularizer{}) {
		return byDefault
	}
	return r
}

// inRKHS reports whether the penalty is εK rather than εI.
func (r Regularizer) inRKHS() bool { return r.kind.InRKHS() }

// byLeaveOneOut reports whether the value is to be found from the data, by leaving
// out rows.
func (r Regularizer) byLeaveOneOut() bool { return r.kind.ByLeaveOneOut() }

// String returns the regulariser as Go source would make it, as in
// "RelativeRidge(0.001)".
func (r Regularizer) String() string {
	name := [...]string{"Regularizer{}", "RelativeRidge", "Ridge", "RKHS", "RelativeRKHS", "Shrink", "LedoitWolf()", "LeaveOneOutRidge()", "LeaveOneOutRKHS()"}[r.kind]
	if r.kind == 0 || r.kind == fisher.LedoitWolf || r.byLeaveOneOut() {
		return name
	}
	return fmt.Sprintf("%s(%v)", name, r.value)
}

// validate returns an error where the regulariser is none of a kernel method, or
// its value not a positive finite number.
func (r Regularizer) validate() error {
	if r.kind == 0 || r.byLeaveOneOut() {
		return nil
	}
	if r.kind == fisher.LedoitWolf {
		return &ParameterError{Field: "Regularizer", Value: r.String(), Reason: "the shrinkage of Ledoit and Wolf is for LDA: want Shrink, or a ridge"}
	}
	if r.kind == fisher.Shrink && !(r.value > 0 && r.value <= 1) {
		return &RidgeError{Regularizer: r, Ridge: r.value, Reason: "the intensity must be above 0 and at most 1"}
	}
	if !(r.value > 0) || math.IsInf(r.value, 1) {
		return &RidgeError{Regularizer: r, Ridge: r.value, Reason: "the ridge must be a positive finite number: the within-class scatter has rank at most n − c, so that it is singular without one"}
	}
	return nil
}

// validateFeatures returns an error where r is no regulariser of the scatter of
// features, or has no legal value: 0 is legal, and leaves the scatter as it is.
func (r Regularizer) validateFeatures() error {
	if r.inRKHS() || r.byLeaveOneOut() {
		return &ParameterError{Field: "Regularizer", Value: r.String(), Reason: "there is no kernel: want Ridge, RelativeRidge, Shrink or LedoitWolf"}
	}
	if r.kind == fisher.Shrink && !(r.value >= 0 && r.value <= 1) {
		return &RidgeError{Regularizer: r, Ridge: r.value, Reason: "the intensity must be from 0 to 1"}
	}
	if !(r.value >= 0) || math.IsInf(r.value, 1) {
		return &RidgeError{Regularizer: r, Ridge: r.value, Reason: "the ridge must be a finite number, 0 or above"}
	}
	return nil
}
