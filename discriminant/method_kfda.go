package discriminant

import (
	"context"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// KFDA is kernel Fisher discriminant analysis, binary and multi-class. The zero
// value is an rbf kernel with [gram.GammaScale], a ridge in the RKHS that is chosen by
// leaving out rows, and [Gaussian] fitted to the projections that rows have where they
// are left out.
type KFDA struct {
	// Kernel is the kernel; nil means gram.RBF{}. Parameters that are zero are
	// resolved from the (scaled) training rows. With gram.Precomputed the table
	// is the n×n kernel matrix itself, and new rows have n kernel values each.
	Kernel gram.Kernel

	// Regularizer is what is added to the within-class scatter; the zero value
	// means LeaveOneOutRKHS() or, for a kernel that is not positive definite (gram.Sigmoid)
	// and for AveragedScatter, LeaveOneOutRidge(). That and LeaveOneOutRidge() take of eleven relative ridges
	// the one with the least squared differences between the class indicators and
	// the predictions of rows that are left out by kernel ridge regression, to which the
	// discriminants are equivalent: exactly for a ridge in the RKHS, with fixed centres
	// (Cawley and Talbot 2003) for one on the coefficients. Of more than 1000 rows
	// it is chosen for 1000 at random, always the same. Cost: 22n³/3 flops, n ≤ 1000, and
	// twice that with AutoScaling.
	Regularizer Regularizer

	// Scatter is how the classes are weighed; the zero value sums over rows.
	// AveragedScatter does not go with a ridge in the RKHS.
	Scatter Scatter

	// Components is the number of discriminant directions that are kept; 0 means
	// all: the rank of the class means, at most classes − 1. More is an error.
	Components int

	// Scaling is how the columns are scaled before the kernel sees them. The
	// scaling is fitted on the training rows and kept in the model. The zero value leaves
	// them as they are, in units that the program knows; AutoScaling is for tables of
	// unknown units, and chosen together with the ridge.
	Scaling Scaling

	// Priors are the class probabilities, in class order, for the classifier; nil means
	// what the classifier says, as a rule the classes' shares of the training
	// rows.
	Priors []float64

	// Classifier predicts the classes from the projections; nil means, with a ridge in
	// the RKHS, Gaussian{} with LeaveOneOut, and else NearestCentroid{}.
	Classifier Classifier

	// LeaveOneOut fits the classifier, and the threshold of NearestCentroid's Decision, to
	// the leave-one-out projections of the training rows in place of their projections:
	// what the regression that the discriminants come from says of each row when it
	// is fitted without it, exactly, but with the shares of the classes in all rows. The
	// training rows of a rich kernel are projected much closer to their class means than new rows are; posteriors
	// fitted to them are too sure. [Gaussian] is calibrated besides, see there. The row of
	// a class of one keeps its projection. It goes with a ridge in the RKHS only, and
	// takes n³/3 flops more.
	LeaveOneOut bool

	// Conjugate is for more rows than the n×n kernel matrix has memory for; nil means a fit by
	// that matrix.
	Conjugate *ConjugateGradients
}

// Validate returns an error for a field that has no legal value whatever the
// data: a *[ParameterError], *[RidgeError] or an error of the kernel.
func (m KFDA) Validate() error {
	if err := validateComponents(m.Components); err != nil {
		return err
	}
	if err := validateChosen(m.Kernel, m.Scaling); err != nil {
		return err
	}
	if m.Scatter > AveragedScatter {
		return &ParameterError{Field: "Scatter", Value: m.Scatter.String(), Reason: "want SummedScatter or AveragedScatter"}
	}
	if m.Scatter == AveragedScatter && m.Regularizer.inRKHS() {
		return &ParameterError{Field: "Scatter", Value: m.Scatter.String(), Reason: "a ridge in the RKHS is defined for the summed scatter only"}
	}
	if err := m.Regularizer.validate(); err != nil {
		return err
	}
	if m.Conjugate != nil {
		if err := m.validateConjugate(); err != nil {
			return err
		}
	}
	if m.LeaveOneOut && !m.regularizer().inRKHS() {
		return &ParameterError{Field: "LeaveOneOut", Value: "true", Reason: "leave-one-out projections have a closed form for a ridge in the RKHS only: want RKHS, RelativeRKHS or LeaveOneOutRKHS"}
	}
	if err := m.classifier().Validate(); err != nil {
		return err
	}
	return validatePriors(m.Priors)
}

// Settings returns all of [Settings].
func (m KFDA) Settings() Settings {
	return Settings{kernelOr(m.Kernel), m.Scaling, m.Regularizer, m.Classifier, m.Priors}
}

// With returns m with all of [Settings].
func (m KFDA) With(s Settings) Method {
	m.Kernel, m.Scaling, m.Regularizer, m.Classifier, m.Priors = s.Kernel, s.Scaling, s.Regularizer, s.Classifier, s.Priors
	return m
}

// Parameter returns the relative ridge: in the RKHS, unless the Regularizer or the Scatter is on
// the coefficients.
func (m KFDA) Parameter() Parameter {
	regularizer, values := RelativeRidge, ridgesOnCoefficients()
	if r := m.Regularizer; r.inRKHS() || r == (Regularizer{}) && m.Scatter == SummedScatter {
		regularizer, values = RelativeRKHS, []float64{100, 10, 1, 1e-1, 1e-2, 1e-3}
	}
	return Parameter{"", values, func(ridge float64) Method {
		m := m
		m.Regularizer = regularizer(ridge)
		return m
	}}
}

// regularizer returns the regulariser with the default made explicit; relativeRidges are those
// that are tried.
func (m KFDA) regularizer() Regularizer {
	if _, indefinite := m.Kernel.(gram.Sigmoid); (indefinite || m.Scatter == AveragedScatter) && !m.LeaveOneOut {
		return m.Regularizer.or(LeaveOneOutRidge())
	}
	return m.Regularizer.or(LeaveOneOutRKHS())
}

// classifier returns the classifier with the default made explicit.
func (m KFDA) classifier() Classifier {
	if m.Classifier == nil && m.regularizer().inRKHS() {
		return Gaussian{}
	}
	return classifierOf(m.Classifier)
}

// leavesOneOut reports whether the classifier is fitted to leave-one-out projections.
func (m KFDA) leavesOneOut() bool {
	return m.LeaveOneOut || m.Classifier == nil && m.regularizer().inRKHS()
}

func (m KFDA) fit(ctx context.Context, x *matrix.Dense, of *fisher.Classes) (*fitted, error) {
	if m.Conjugate != nil && of.Weights != nil {
		return nil, m.conjugateRefuses("rows of different weights", "leave out Conjugate, or the weights")
	}
	m, err := m.chosen(ctx, x, of)
	if err != nil {
		return nil, err
	}
	if m.Conjugate != nil {
		return m.fitConjugate(ctx, x, of)
	}
	return m.fitWith(ctx, nil, x, of)
}

// chosen returns m with the scaling, the regulariser and the classifier that it comes to.
func (m KFDA) chosen(ctx context.Context, x *matrix.Dense, of *fisher.Classes) (KFDA, error) {
	m.Classifier, m.LeaveOneOut = m.classifier(), m.leavesOneOut()
	c := choice{kernel: m.Kernel, scaling: m.Scaling, reg: m.regularizer(), centred: true, weights: of.Weights}
	if !c.reg.inRKHS() {
		c.classes = of
	}
	var err error
	m.Scaling, m.Regularizer, err = c.choose(ctx, x, indicators(of.Codes, len(of.Counts)))
	return m, err
}

// fitWith fits by a form of the problem, that of the regulariser for nil.
func (m KFDA) fitWith(ctx context.Context, form fisher.Form, x *matrix.Dense, of *fisher.Classes) (*fitted, error) {
	start, err := m.start(x, of)
	if err != nil {
		return nil, err
	}
	k, release, err := kernelMatrix(ctx, start.evaluator)
	if err != nil {
		return nil, err
	}
	defer release()
	s, err := fisher.Solve(ctx, form, start.problem(k, m.Regularizer))
	if err != nil {
		return nil, publicError(err)
	}
	return start.finish(ctx, s, m.Regularizer, k.Data)
}

// kfdaStart is what fits with all regularisers begin with.
type kfdaStart struct {
	method    KFDA
	x         *matrix.Dense // as given
	classes   *fisher.Classes
	scaler    *Scaler // or nil
	evaluator *gram.Evaluator
}

func (m KFDA) start(x *matrix.Dense, of *fisher.Classes) (*kfdaStart, error) {
	if err := checkClasses(m.Components, m.Priors, len(of.Counts)); err != nil {
		return nil, err
	}
	p, evaluator, err := startKernel(m.Kernel, m.Scaling, x, of.Weights)
	if err != nil {
		return nil, err
	}
	return &kfdaStart{method: m, x: x, classes: of, scaler: p.scaler, evaluator: evaluator}, nil
}

// problem returns the problem of the kernel matrix k.
func (s *kfdaStart) problem(k *matrix.Dense, reg Regularizer) fisher.Problem {
	return fisher.Problem{
		K: k, Source: s.evaluator, Classes: s.classes, Averaged: s.method.Scatter == AveragedScatter,
		Regularizer: reg.solved(), Components: s.method.Components, LeaveOneOut: s.method.LeaveOneOut,
	}
}

// finish makes the model of a solution, whose coefficients become the model's. Where
// memory is not nil it is free for kernel values.
func (s *kfdaStart) finish(ctx context.Context, found *fisher.Solution, reg Regularizer, memory []float64) (*fitted, error) {
	m := s.method
	f := &fitted{
		method: methodKFDA,
		pipeline: &pipeline{
			scaler:    s.scaler,
			embedding: &kernelEmbedding{evaluator: withoutMatrix(s.evaluator), alpha: found.Alpha, centring: found.Centring},
		},
		lambda:   found.Lambda,
		solution: solution{scatter: m.Scatter, regularizer: reg, shrinkage: reg.solved().Intensity(), ridge: found.Ridge, leaveOneOut: m.LeaveOneOut, certificate: Certificate(found.Certificate)},
	}
	p := s.projections(found)
	if keepsRows(m.Classifier) {
		p.z = nil
	}
	return f.finish(ctx, m.Classifier, s.x, p, memory)
}

// projections returns those of a solution.
func (s *kfdaStart) projections(found *fisher.Solution) projections {
	p := projections{
		z: found.Projections, classes: s.classes, priors: s.method.Priors,
		lambda: found.Lambda, negated: found.Negated, scatter: s.method.Scatter,
	}
	if s.method.LeaveOneOut {
		p.left = found
	}
	return p
}

// KFDADetails is what a model of [KFDA] has.
type KFDADetails struct {
	discriminants
	expansion
}

func (KFDADetails) details() {}

// Scatter returns how the classes were weighed.
func (d KFDADetails) Scatter() Scatter {
	d.expansion.of.needs("Scatter")
	return d.expansion.of.solution.scatter
}

// LeaveOneOut returns whether the classifier was fitted to leave-one-out projections of the
// training rows.
func (d KFDADetails) LeaveOneOut() bool {
	d.expansion.of.needs("LeaveOneOut")
	return d.expansion.of.solution.leaveOneOut
}

var methodKFDA = newMethod(methodFacts{
	name:      "kfda",
	embedding: func() embedding { return new(kernelEmbedding) },
	plausible: fileShape.ofDiscriminants,
	fields: func(f *fitted, c *codec) {
		f.solutionFields(c, c.components, func(s solution) bool {
			return s.regularizer.validate() == nil && s.ridge > 0
		}, "not a regulariser with a positive ridge")
	},
	details: func(f *fitted) Details { return KFDADetails{discriminantsOf(f), expansionOf(f)} },
})

// Scatter says how the classes enter the scatter matrices.
type Scatter uint8

const (
	// SummedScatter weighs every row alike:
	//
	//	N = Σⱼ Kⱼ(I − 1/lⱼ)Kⱼᵀ,  M = Σⱼ lⱼ(Mⱼ − M*)(Mⱼ − M*)ᵀ
	SummedScatter Scatter = iota
	// AveragedScatter weighs every class alike, whatever its size:
	//
	//	N = Σⱼ (1/lⱼ) Kⱼ(I − 1/lⱼ)Kⱼᵀ,  M = Σ_{i<j} (Mᵢ − Mⱼ)(Mᵢ − Mⱼ)ᵀ
	//
	// N is then formed and factored, at the price of a squared condition number
	// and of twice the memory.
	AveragedScatter
)

// String returns "sum" or "averaged".
func (s Scatter) String() string {
	switch s {
	case SummedScatter:
		return "sum"
	case AveragedScatter:
		return "averaged"
	}
	return "invalid"
}
