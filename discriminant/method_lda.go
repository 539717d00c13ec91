package discriminant

import (
	"context"
	"slices"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/matrix"
)

// LDA is linear discriminant analysis in the features themselves (Fisher 1936;
// Rao 1948 for several classes). With class means mⱼ, overall mean m and
//
//	S_W = Σⱼ Σ_{i in j} (xᵢ − mⱼ)(xᵢ − mⱼ)ᵀ     within-class scatter
//	S_B = Σⱼ lⱼ (mⱼ − m)(mⱼ − m)ᵀ              between-class scatter
//	S_B w = λ S w,   wᵀSw = 1,   λ₁ ≥ λ₂ ≥ …
//
// where S is the regularised S_W, a row projects to z = Wᵀ(x − m). The linear kernel's
// KFDA with RKHS(ε) finds the same λ and the same projections as Ridge(ε) here.
//
// A feature that is constant (its deviations from its mean have a norm of at most
// n·u times its own, u = 2⁻⁵³) has the weight 0. Without a regulariser so have
// directions of collinear features: those along which all rows together, each
// feature scaled to unit spread, have a singular value of at most max(n, d)·u·‖X‖,
// X the features so scaled but not centred. If the within-class scatter is
// singular on what is left, the fit is refused with a *[ScatterError].
//
// Cost: nd² + d³ flops and the memory of S_W for d ≤ n, with d-dimensional vectors
// for each class; n²d + n³/3 flops and n×n memory for d > n; without regulariser
// and S_W singular or near that, the singular value decomposition of the table.
// The zero value is classical, unregularised LDA: the predictions and posteriors of
// the normal model with one covariance, as of MASS::lda and scikit-learn.
type LDA struct {
	// Regularizer makes S of S_W: Ridge(ε) adds εI, RelativeRidge(r) adds
	// r·tr(S_W)/d·I, Shrink(s) takes (1−s)S_W + s·tr(S_W)/d·I, and LedoitWolf()
	// the same with s from the data. The zero value is Ridge(0): S = S_W.
	Regularizer Regularizer

	// Components is the number of discriminant directions that are kept; 0 means
	// all: the rank of the class means, at most classes − 1 and the number of
	// features. More is an error.
	Components int

	// Scaling is how the columns are scaled first. It is fitted on the training
	// rows and kept in the model.
	Scaling Scaling

	// Priors are the class probabilities, in class order, for the classifier; nil means
	// what the classifier says, as a rule the classes' shares of the training
	// rows. The directions do not depend on them.
	Priors []float64

	// Classifier predicts the classes from the projections; nil means Gaussian{}, which
	// takes S/(n − c) for the covariance: the rule of classical discriminant analysis.
	Classifier Classifier
}

// Validate returns an error for a field that has no legal value whatever the
// data: a *[ParameterError] or *[RidgeError].
func (m LDA) Validate() error {
	if err := validateComponents(m.Components); err != nil {
		return err
	}
	if err := m.Scaling.validate(); err != nil {
		return err
	}
	if err := m.regularizer().validateFeatures(); err != nil {
		return err
	}
	if err := m.classifier().Validate(); err != nil {
		return err
	}
	return validatePriors(m.Priors)
}

// Settings returns all of [Settings] but a kernel.
func (m LDA) Settings() Settings {
	return Settings{nil, m.Scaling, m.Regularizer, m.Classifier, m.Priors}
}

// With returns m with all of [Settings] but the kernel.
func (m LDA) With(s Settings) Method {
	m.Scaling, m.Regularizer, m.Classifier, m.Priors = s.Scaling, s.Regularizer, s.Classifier, s.Priors
	return m
}

// Parameter returns the intensity of [Shrink], 0 for none: with s/(1−s) for the relative ridge
// the discriminants differ by their length alone.
func (m LDA) Parameter() Parameter {
	return Parameter{"shrink", []float64{1, 0.5, 0.2, 0.1, 0.01, 0.001, 0}, func(intensity float64) Method {
		m := m
		if m.Regularizer = (Regularizer{}); intensity != 0 {
			m.Regularizer = Shrink(intensity)
		}
		return m
	}}
}

// regularizer returns the regulariser with the default made explicit.
func (m LDA) regularizer() Regularizer { return m.Regularizer.or(Ridge(0)) }

// classifier returns the classifier with the default made explicit.
func (m LDA) classifier() Classifier {
	if m.Classifier == nil {
		return Gaussian{}
	}
	return m.Classifier
}

func (m LDA) fit(ctx context.Context, x *matrix.Dense, of *fisher.Classes) (*fitted, error) {
	if err := checkClasses(m.Components, m.Priors, len(of.Counts)); err != nil {
		return nil, err
	}
	p := &pipeline{}
	rows, err := p.fitScaler(m.Scaling, x, of.Weights)
	if err != nil {
		return nil, err
	}
	reg := m.regularizer()
	s, err := fisher.SolveLinear(ctx, fisher.LinearProblem{X: rows, Classes: of, Regularizer: reg.solved(), Components: m.Components})
	if err != nil {
		return nil, publicError(err)
	}
	p.embedding = &linearEmbedding{origin: s.Means, weights: s.Weights}
	f := &fitted{
		method: methodLDA, pipeline: p, lambda: s.Lambda,
		solution: solution{regularizer: reg, shrinkage: s.Shrinkage, ridge: s.Ridge, certificate: Certificate(s.Certificate)},
	}
	return f.finish(ctx, m.classifier(), x, projections{classes: of, priors: m.Priors, unitScatter: true, lambda: s.Lambda, negated: s.Negated}, nil)
}

// LDADetails is what a model of [LDA] has.
type LDADetails struct{ discriminants }

func (LDADetails) details() {}

// Weights returns a copy of the features×components weights W, for features as the model's
// scaler leaves them: z = Wᵀ(x − Origin).
func (d LDADetails) Weights() *matrix.Dense {
	d.spectrum.of.needs("Weights")
	return d.spectrum.of.pipeline.embedding.(*linearEmbedding).weights.Clone()
}

// Origin returns what is subtracted from the features, their means over the training rows.
func (d LDADetails) Origin() []float64 {
	d.spectrum.of.needs("Origin")
	return slices.Clone(d.spectrum.of.pipeline.embedding.(*linearEmbedding).origin)
}

var methodLDA = newMethod(methodFacts{
	name:      "lda",
	embedding: func() embedding { return new(linearEmbedding) },
	plausible: fileShape.ofDiscriminants,
	fields: func(f *fitted, c *codec) {
		f.solutionFields(c, c.components, func(s solution) bool {
			return s.regularizer.validateFeatures() == nil && s.ridge >= 0
		}, "not a regulariser of features")
	},
	details: func(f *fitted) Details { return LDADetails{discriminantsOf(f)} },
})
