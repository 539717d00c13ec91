package discriminant

import (
	"context"
	"fmt"
	"math"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// KernelRidge is kernel ridge regression (Saunders, Gammerman and Vovk 1998), by
// [Fit] as a classifier and by [FitRegression] for numbers. With targets t and
// λ > 0,
//
//	(K + λI) a = t                                   without an intercept
//	(K + λI) a + b·1 = t,   1ᵀa = 0                  with a fitted one
//	f(x) = Σᵢ aᵢ k(xᵢ, x) + b
//
// minimises Σᵢ (tᵢ − f(xᵢ))² + λ‖f‖², the norm of f without b in the feature space.
// A fitted intercept is not penalised, and f does not change when all feature
// vectors are shifted: a = (HKH + λI)⁻¹Ht, H = I − 11ᵀ/n, is what is solved, and
// rows are projected with the doubly centred kernel, so that a large common part
// of the kernel costs no accuracy.
//
// As a classifier of two classes the targets are −1 for the first and +1 for the
// second, and the second is predicted where f(x) > 0; f is what Project and
// Decision return. For c > 2 classes f has c columns, with the targets 1 for a
// row's class and 0 for the others, and the class with the largest is predicted.
// Where the computed values are equal, or f(x) is 0, it is the first class; of a row
// that lies exactly between two classes they are so only up to rounding, which then
// decides, in the same way on every platform.
//
// A λ at which the rounding of the kernel matrix matters is refused: one of at
// most n·u·‖K‖, u = 2⁻⁵³, leaves a matrix that is singular up to rounding, unless K is far
// from singular itself. An
// indefinite kernel whose smallest eigenvalue is below −λ is an
// *[IndefiniteKernelError]. Kernel values so large and targets so small that the
// coefficients are below the range of float64 are an *[AccuracyError]. Cost: the n×n kernel matrix and n³/3 flops.
type KernelRidge struct {
	// Kernel is the kernel; nil means gram.RBF{}. Parameters that are zero are
	// resolved from the (scaled) training rows. With gram.Precomputed the table
	// is the n×n kernel matrix itself, and new rows have n kernel values each.
	Kernel gram.Kernel

	// Regularizer is λ: Ridge(λ), or RelativeRidge(r) for λ = r·tr(HKH)/n, r times
	// the mean eigenvalue of the matrix (r·tr(K)/n without a fitted intercept).
	// The zero value means LeaveOneOutRidge(): the r with the least sum of squared
	// differences between the targets and the predictions of rows that are left out,
	// exactly, among at most 1000 rows as for [KFDA]; the targets of a regression are
	// in units of their norm there. Others are refused.
	Regularizer Regularizer

	// Intercept is b; the zero value is the fitted one.
	Intercept Intercept

	// Scaling is how the columns are scaled before the kernel sees them. The
	// scaling is fitted on the training rows and kept in the model. AutoScaling is
	// chosen together with the ridge.
	Scaling Scaling
}

// Intercept says what is added to the kernel expansion of [KernelRidge]. The zero
// value is [FittedIntercept].
type Intercept struct {
	kind  interceptKind
	value float64
}

type interceptKind uint8

const (
	fittedIntercept interceptKind = iota
	noIntercept
	givenOffset
)

// FittedIntercept is the b that minimises the sum of squares together with a.
func FittedIntercept() Intercept { return Intercept{} }

// NoIntercept is b = 0.
func NoIntercept() Intercept { return Intercept{kind: noIntercept} }

// Offset is a b that is given. It has no part in the fit, a = (K + λI)⁻¹t, and moves
// the threshold between two classes; for more classes and for regression it has no
// meaning and is refused.
func Offset(b float64) Intercept { return Intercept{givenOffset, b} }

// String returns "FittedIntercept()", "NoIntercept()" or as in "Offset(0.5)".
func (i Intercept) String() string {
	switch i.kind {
	case noIntercept:
		return "NoIntercept()"
	case givenOffset:
		return fmt.Sprintf("Offset(%v)", i.value)
	}
	return "FittedIntercept()"
}

// Validate returns an error for a field that has no legal value whatever the
// data: a *[ParameterError], *[RidgeError] or an error of the kernel.
func (m KernelRidge) Validate() error {
	if err := validateChosen(m.Kernel, m.Scaling); err != nil {
		return err
	}
	if v := m.Intercept.value; math.IsNaN(v) || math.IsInf(v, 0) {
		return &ParameterError{Field: "Intercept", Value: m.Intercept.String(), Reason: "the offset must be finite"}
	}
	return m.Regularizer.validateKernelRidge()
}

// Settings returns the kernel, the scaling and the regulariser.
func (m KernelRidge) Settings() Settings {
	return Settings{Kernel: kernelOr(m.Kernel), Scaling: m.Scaling, Regularizer: m.Regularizer}
}

// With returns m with the kernel, the scaling and the regulariser of s.
func (m KernelRidge) With(s Settings) Method {
	m.Kernel, m.Scaling, m.Regularizer = s.Kernel, s.Scaling, s.Regularizer
	return m
}

// Parameter returns the relative λ.
func (m KernelRidge) Parameter() Parameter {
	return Parameter{"", ridgesOnCoefficients(), func(ridge float64) Method {
		m := m
		m.Regularizer = RelativeRidge(ridge)
		return m
	}}
}

// validateKernelRidge returns an error where r is no ridge of [KernelRidge], or no
// positive one.
func (r Regularizer) validateKernelRidge() error {
	if r.kind == 0 || r.kind == fisher.LeaveOneOutRidge {
		return nil
	}
	if r.kind != fisher.Ridge && r.kind != fisher.RelativeRidge {
		return &ParameterError{Field: "Regularizer", Value: r.String(), Reason: "want Ridge(λ), RelativeRidge(r) or LeaveOneOutRidge() for kernel ridge regression"}
	}
	if !(r.value > 0) || math.IsInf(r.value, 1) {
		return &RidgeError{Regularizer: r, Ridge: r.value, Reason: "the ridge must be a positive finite number: without one K + λI is singular wherever the kernel matrix is"}
	}
	return nil
}

func (m KernelRidge) fit(ctx context.Context, x *matrix.Dense, of *fisher.Classes) (*fitted, error) {
	f, err := m.regressClasses(ctx, x, of, nil)
	if err != nil {
		return nil, err
	}
	f.method, f.rule = methodKernelRidge, ridgeRule{}
	return f, nil
}

// regressClasses is regress for the targets of classes.
func (m KernelRidge) regressClasses(ctx context.Context, x *matrix.Dense, of *fisher.Classes, use func(*fisher.Regression) error) (*fitted, error) {
	classes := len(of.Counts)
	if m.Intercept.kind == givenOffset && classes > 2 {
		return nil, &ParameterError{Field: "Intercept", Value: m.Intercept.String(), Reason: fmt.Sprintf("a given offset is a threshold between two classes, and there are %d; want FittedIntercept or NoIntercept", classes)}
	}
	return m.regress(ctx, x, classTargets(of.Codes, classes), of.Weights, false, use)
}

// classTargets returns ∓1 in one column for two classes, else a column of zeros and
// ones for each class.
func classTargets(codes []int, classes int) *matrix.Dense {
	if classes == 2 {
		t := matrix.New(len(codes), 1)
		for i, code := range codes {
			t.Set(i, 0, float64(2*code-1))
		}
		return t
	}
	return indicators(codes, classes)
}

// indicators returns a column for each class, 1 in its rows and 0 in the others.
func indicators(codes []int, classes int) *matrix.Dense {
	t := matrix.New(len(codes), classes)
	for i, code := range codes {
		t.Set(i, code, 1)
	}
	return t
}

// regress fits f to targets, n×p, in units of their own or not. Where use is not nil it gets the
// solution, which has no meaning after that.
func (m KernelRidge) regress(ctx context.Context, x, targets *matrix.Dense, weights fisher.Weights, ownUnits bool, use func(*fisher.Regression) error) (*fitted, error) {
	centred := m.Intercept.kind == fittedIntercept
	chosen := choice{kernel: m.Kernel, scaling: m.Scaling, reg: m.Regularizer.or(LeaveOneOutRidge()), centred: centred, ownUnits: ownUnits, weights: weights}
	scaling, reg, err := chosen.choose(ctx, x, targets)
	if err != nil {
		return nil, err
	}
	p, evaluator, err := startKernel(m.Kernel, scaling, x, weights)
	if err != nil {
		return nil, err
	}
	k, release, err := kernelMatrix(ctx, evaluator)
	if err != nil {
		return nil, err
	}
	defer release()
	r, err := fisher.Regress(ctx, k, reg.solved(), centred, targets, weights)
	if err != nil {
		return nil, publicError(err)
	}
	a, offset, err := r.Expansion()
	if err != nil {
		return nil, publicError(err)
	}
	if m.Intercept.kind == givenOffset {
		offset[0] = m.Intercept.value
	}
	if use != nil {
		if err := use(r); err != nil {
			return nil, err
		}
	}
	p.embedding = &offsetEmbedding{
		kernelEmbedding{evaluator: withoutMatrix(evaluator), alpha: a, centring: r.Centring()},
		offset,
	}
	return &fitted{
		pipeline: p,
		solution: solution{regularizer: reg, ridge: r.Ridge, certificate: Certificate(r.Certificate)},
	}, nil
}

// KernelRidgeDetails is what a model of [KernelRidge] has.
type KernelRidgeDetails struct{ ridgeDetails }

func (KernelRidgeDetails) details() {}

// ridgeDetails is what a kernel ridge regression has, as a classifier or not.
type ridgeDetails struct {
	expansion
	regularised
	trusted
}

func ridgeDetailsOf(f *fitted) ridgeDetails {
	return ridgeDetails{expansionOf(f), regularised{f}, trusted{f}}
}

// Intercept returns the b of f(x) = Σᵢ αᵢ k(xᵢ, x) + b, one a component.
func (d ridgeDetails) Intercept() []float64 {
	d.expansion.of.needs("Intercept")
	return d.expansion.of.pipeline.embedding.(*offsetEmbedding).intercepts()
}

var methodKernelRidge = newMethod(methodFacts{
	name:      "ridge",
	embedding: func() embedding { return new(offsetEmbedding) },
	rule:      func() rule { return ridgeRule{} },
	plausible: func(s fileShape) bool {
		return s.classes == 2 && s.components == 1 || s.classes > 2 && s.components == s.classes
	},
	fields:  (*fitted).ridgeFields,
	details: func(f *fitted) Details { return KernelRidgeDetails{ridgeDetailsOf(f)} },
})

// ridgeFields names those of a kernel ridge regression, which has no eigenvalues.
func (f *fitted) ridgeFields(c *codec) {
	f.solutionFields(c, 0, func(s solution) bool {
		return s.regularizer.validateKernelRidge() == nil && s.ridge > 0
	}, "not a regulariser of kernel ridge regression")
}

// ridgeRule reads classes off the values of [KernelRidge]: for two classes the
// second where the value is positive, else the first with the largest of its
// values.
type ridgeRule struct{}

const ridgeRuleKind = "ridge"

func (ridgeRule) kind() string { return ridgeRuleKind }

func (ridgeRule) classify(codes []int, w *workspace) error {
	for i := range codes {
		if z := w.z.Row(i); len(z) > 1 {
			codes[i] = argMax(z)
		} else if z[0] > 0 {
			codes[i] = 1
		} else {
			codes[i] = 0
		}
	}
	return nil
}

func (ridgeRule) decide(values []float64, w *workspace) {
	for i := range values {
		values[i] = w.z.Row(i)[0]
	}
}

func (ridgeRule) fields(*codec) {}

// LeaveOneOut fits m to all rows, as [Fit] does, and returns for each row what the
// fit without it would say of it: the decision value f(xᵢ) of two classes, n×1, or
// the value of each class, n×c. It is exact, from the one factorization (Cawley
// and Talbot 2004):
//
//	f₍ᵢ₎(xᵢ) = tᵢ − aᵢ/Cᵢᵢ
//
// with C = (K + λI)⁻¹, less its part along the intercept where that is fitted; λ,
// the kernel's parameters and the scaling are those of the fit to all rows. Rows may have
// weights, as in Fit: one is left out with all of it, and one of weight 0 is absent from what
// is returned. The
// errors are those of Fit. Cost: 2n³/3 flops.
func LeaveOneOut[L Label](ctx context.Context, m KernelRidge, x *matrix.Dense, labels []L, weights ...float64) (*matrix.Dense, error) {
	x, _, of, err := checkFit(m, x, labels, weights)
	if err != nil {
		return nil, err
	}
	var values *matrix.Dense
	_, err = m.regressClasses(ctx, x, of, leaveOneOut(ctx, &values))
	if err != nil {
		return nil, err
	}
	if m.Intercept.kind == givenOffset {
		for i := range values.Rows {
			values.Row(i)[0] += m.Intercept.value
		}
	}
	return values, nil
}

// LeaveOneOutRegression fits m to all rows, as [FitRegression] does, and returns
// for each row the prediction of the fit without it, n×p, as [LeaveOneOut] does.
func LeaveOneOutRegression(ctx context.Context, m KernelRidge, x, targets *matrix.Dense, weights ...float64) (*matrix.Dense, error) {
	misuse.NotNil("discriminant: LeaveOneOutRegression", "x", x, "the matrix of targets", targets)
	t, targets, err := weighedTargets(m, x, targets, weights)
	if err != nil {
		return nil, err
	}
	var values *matrix.Dense
	_, err = m.fitTargets(ctx, t.x, targets, t.weights, leaveOneOut(ctx, &values))
	if err != nil {
		return nil, err
	}
	return values, nil
}

// leaveOneOut returns a use of a solution that sets values to those without a row each.
func leaveOneOut(ctx context.Context, values **matrix.Dense) func(*fisher.Regression) error {
	return func(r *fisher.Regression) (err error) {
		*values, err = r.LeaveOneOut(ctx)
		return publicError(err)
	}
}
