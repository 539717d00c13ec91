package discriminant

import (
	"context"
	"fmt"
	"math"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/internal/section"
	"github.com/seed92411348/kfda/matrix"
)

// KernelPCA is kernel principal component analysis (Schölkopf, Smola and Müller
// 1998). With HKH the doubly centred kernel matrix, H = I − 11ᵀ/n,
//
//	HKH v = λ v,   vᵀv = 1,   λ₁ ≥ λ₂ ≥ … > 0
//
// component k of a row x is its score Σᵢ αᵢ k_c(xᵢ, x), α = v_k/√λ_k, with the
// kernel centred as that of the training rows is:
//
//	k_c(xᵢ, x) = k(xᵢ,x) − meanⱼ k(xᵢ,xⱼ) − meanⱼ k(xⱼ,x) + meanⱼₗ k(xⱼ,xₗ)
//
// It is the coordinate of φ(x) along the k-th principal axis of the training rows
// in the feature space; those of the training rows themselves are v_k√λ_k. λ is n
// times the variance of the component.
//
// [FitKernelPCA] fits it to rows without labels. As a [Method] of [Fit] it is an
// embedding on which the classifier works.
//
// An eigenvalue counts as zero where λ ≤ n·u·max(max|λ|, max|Kᵢⱼ|), u = 2⁻⁵³: the
// rounding of the kernel matrix alone can make that much. Asking for a component
// with such a λ is a *[RankError]. Where some λ is below minus that limit, the
// kernel is indefinite. All components of such a kernel are refused with an
// *[IndefiniteKernelError]; a number of components that have positive λ is fitted,
// and Indefinite and Least of [PCA] and [KernelPCADetails] tell.
//
// Cost: the n×n kernel matrix. All components, or many: 4n³ flops and three more
// such matrices. A few: some ten to forty products of the matrix with about
// Components + 8 vectors, 16 to 24 at least (see solve.Leading), and the memory of the
// matrix and of some twenty times as many vectors.
type KernelPCA struct {
	// Kernel is the kernel; nil means gram.RBF{}. Parameters that are zero are
	// resolved from the (scaled) training rows. With gram.Precomputed the table
	// is the n×n kernel matrix itself, and new rows have n kernel values each.
	Kernel gram.Kernel

	// Components is the number of components that are kept; 0 means all with a
	// λ above zero.
	Components int

	// Share, in (0, 1], keeps the fewest of these components that together explain this
	// share of the variance, ∑λ/tr(HKH), and all where they explain less; Components is the
	// largest number of them then. The zero value keeps them all.
	Share float64

	// Whiten says to what spread each component is scaled; the zero value leaves
	// the scores as they are.
	Whiten Whitening

	// Scaling is how the columns are scaled before the kernel sees them. The
	// scaling is fitted on the training rows and kept in the model.
	Scaling Scaling

	// Classifier predicts the classes from the scores; nil means
	// NearestCentroid{}. It is for Fit only.
	Classifier Classifier

	// Priors are the class probabilities, in class order, for the classifier; nil
	// means the classes' shares of the training rows. They are for Fit only.
	Priors []float64
}

// Whitening says to what spread the components of [KernelPCA] are scaled.
type Whitening uint8

const (
	// NoWhitening leaves the scores as they are: those of the training rows have
	// the sum of squares λ.
	NoWhitening Whitening = iota
	// UnitLength divides by √λ: the scores of the training rows have the sum of
	// squares one in each component.
	UnitLength
	// UnitVariance divides by √(λ/n): they have the population variance one.
	UnitVariance
)

// String returns "none", "unit length" or "unit variance".
func (w Whitening) String() string {
	switch w {
	case NoWhitening:
		return "none"
	case UnitLength:
		return "unit length"
	case UnitVariance:
		return "unit variance"
	}
	return "invalid"
}

// spread returns what the scores of a component with eigenvalue λ of n rows, or rows of that
// weight, are divided by.
func (w Whitening) spread(lambda, n float64) float64 {
	switch w {
	case UnitLength:
		return math.Sqrt(lambda)
	case UnitVariance:
		return math.Sqrt(lambda / n)
	}
	return 1
}

// Validate returns an error for a field that has no legal value whatever the
// data: a *[ParameterError] or an error of the kernel.
func (m KernelPCA) Validate() error {
	if m.Components < 0 {
		return &ParameterError{Field: "Components", Value: fmt.Sprint(m.Components), Reason: "want 1 to rows − 1, or 0 for all"}
	}
	if !(m.Share >= 0 && m.Share <= 1) {
		return &ParameterError{Field: "Share", Value: fmt.Sprint(m.Share), Reason: "want a share of the variance above 0, 1 at most, or 0 for all components"}
	}
	if m.Whiten > UnitVariance {
		return &ParameterError{Field: "Whiten", Value: m.Whiten.String(), Reason: "want NoWhitening, UnitLength or UnitVariance"}
	}
	if err := validateKernel(m.Kernel, m.Scaling); err != nil {
		return err
	}
	if err := classifierOf(m.Classifier).Validate(); err != nil {
		return err
	}
	return validatePriors(m.Priors)
}

// Settings returns all of [Settings] but a regulariser.
func (m KernelPCA) Settings() Settings {
	return Settings{kernelOr(m.Kernel), m.Scaling, Regularizer{}, m.Classifier, m.Priors}
}

// With returns m with all of [Settings] but the regulariser.
func (m KernelPCA) With(s Settings) Method {
	m.Kernel, m.Scaling, m.Classifier, m.Priors = s.Kernel, s.Scaling, s.Classifier, s.Priors
	return m
}

// Parameter returns the number of components.
func (m KernelPCA) Parameter() Parameter {
	return Parameter{"components", []float64{1, 2, 4, 8, 16, 32}, func(count float64) Method {
		m := m
		m.Share = 0
		if m.Components = int(count); m.Components == 0 || float64(m.Components) != count {
			m.Components = -1
		}
		return m
	}}
}

func (m KernelPCA) fit(ctx context.Context, x *matrix.Dense, of *fisher.Classes) (*fitted, error) {
	if err := checkClasses(0, m.Priors, len(of.Counts)); err != nil {
		return nil, err
	}
	f, err := m.embed(ctx, x, of.Weights)
	if err != nil {
		return nil, err
	}
	return f.finish(ctx, m.Classifier, x, projections{classes: of, priors: m.Priors}, nil)
}

// embed fits everything but the rule.
func (m KernelPCA) embed(ctx context.Context, x *matrix.Dense, weights fisher.Weights) (*fitted, error) {
	p, evaluator, err := startKernel(m.Kernel, m.Scaling, x, weights)
	if err != nil {
		return nil, err
	}
	k, release, err := kernelMatrix(ctx, evaluator)
	if err != nil {
		return nil, err
	}
	defer release()
	s, err := fisher.Principal(ctx, k, m.Components, m.Share, weights)
	if err != nil {
		return nil, publicError(err)
	}
	f := &fitted{method: methodKernelPCA, pipeline: p}
	m.take(f, s, weights.Total(x.Rows))
	p.embedding = &kernelEmbedding{evaluator: withoutMatrix(evaluator), alpha: s.Alpha, centring: s.Centring}
	return f, nil
}

// take whitens the coefficients of a solution for rows of that weight, and sets what f has of the others.
func (m KernelPCA) take(f *fitted, s *fisher.PrincipalSolution, total float64) {
	for j, l := range s.Lambda {
		spread := m.Whiten.spread(l, total)
		for i := range s.Alpha.Rows {
			s.Alpha.Set(i, j, s.Alpha.At(i, j)/spread)
		}
	}
	f.lambda, f.solution.certificate = s.Lambda, Certificate(s.Certificate)
	f.own = &pcaDetails{whiten: m.Whiten, trace: s.Trace, least: s.Least, complete: s.Complete}
}

// pcaDetails is what only a model of kernel PCA has.
type pcaDetails struct {
	whiten   Whitening
	trace    float64 // of HKH
	least    float64 // the smallest eigenvalue of HKH, or a bound of it
	complete bool    // whether least is that eigenvalue itself
}

// PCA is a fitted [KernelPCA] without classes. It is immutable and safe for
// concurrent use.
type PCA struct {
	unlabelled
	componentDetails
}

func newPCA(f *fitted) *PCA { return &PCA{unlabelled{f}, componentDetailsOf(f)} }

// FitKernelPCA fits kernel PCA to x, n rows of d features, which may have weights, as in
// [Fit]. It neither changes nor keeps x. ctx can cancel it; the error is then ctx's.
func FitKernelPCA(ctx context.Context, m KernelPCA, x *matrix.Dense, weights ...float64) (*PCA, error) {
	misuse.NotNil("discriminant: FitKernelPCA", "x", x)
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if m.Classifier != nil || m.Priors != nil {
		return nil, &ParameterError{Field: "Classifier", Value: fmt.Sprint(m.Classifier), Reason: "a classifier or priors need classes: use Fit with labels"}
	}
	t, err := newWeighed(x, weights, isPrecomputed(m.Kernel))
	if err != nil {
		return nil, err
	}
	if err := checkTable(t.x); err != nil {
		return nil, err
	}
	f, err := m.embed(ctx, t.x, t.weights)
	if err != nil {
		return nil, err
	}
	f.training = trainingOf(t.x, nil)
	return newPCA(f), nil
}

// KernelPCADetails is what a model of [KernelPCA] with classes has.
type KernelPCADetails struct {
	componentDetails
	classified
}

func (KernelPCADetails) details() {}

// componentDetails is what kernel PCA has, with or without classes.
type componentDetails struct {
	expansion
	spectrum
	trusted
}

func componentDetailsOf(f *fitted) componentDetails {
	return componentDetails{expansionOf(f), spectrum{f}, trusted{f}}
}

func (d componentDetails) own(method string) *pcaDetails {
	d.spectrum.of.needs(method)
	return d.spectrum.of.own.(*pcaDetails)
}

// ExplainedRatio returns for each component λ/tr(HKH), its share of the variance
// of the training rows in the feature space. The shares of an indefinite kernel
// mean little: they can sum to more than one, and where its tr(HKH), up to rounding,
// is not positive, there are none: nil.
func (d componentDetails) ExplainedRatio() []float64 {
	trace := d.own("ExplainedRatio").trace
	if trace <= d.spectrum.of.spectrumRounding() {
		return nil
	}
	ratio := d.Eigenvalues()
	for k := range ratio {
		ratio[k] /= trace
	}
	return ratio
}

// Least returns the smallest eigenvalue of the doubly centred kernel matrix and
// true where all eigenvalues were computed, and else an upper bound of it and
// false. Where it is clearly negative the kernel is indefinite.
func (d componentDetails) Least() (lambda float64, known bool) {
	p := d.own("Least")
	return p.least, p.complete
}

// Indefinite reports whether the kernel is known to be indefinite: Least, or its
// bound, is below minus the rounding of the kernel matrix, n·u·max(max|λ|, max|Kᵢⱼ|).
func (d componentDetails) Indefinite() bool {
	return d.own("Indefinite").least < -d.spectrum.of.spectrumRounding()
}

// Whitening returns how the components are scaled.
func (d componentDetails) Whitening() Whitening { return d.own("Whitening").whiten }

// spectrumRounding returns n·u·max(max|λ|, max|Kᵢⱼ|), up to which an eigenvalue of
// kernel PCA counts as zero.
func (f *fitted) spectrumRounding() float64 {
	return float64(f.solution.certificate.KernelRounding * f.lambda[len(f.lambda)-1])
}

// Components returns the number of components.
func (p *PCA) Components() int { return p.f.Components() }

// Project writes the scores of the rows of x, m×Dim, to dst, m×Components; a nil
// dst is allocated. A row has the same bits alone or in a batch, and a training
// row those that the fit saw. With an rbf or another local kernel all rows far
// from all training rows have the same scores: they carry no information.
//
// The errors are those of [Model.Project]. Cost: O(mn(d + components)).
func (p *PCA) Project(dst, x *matrix.Dense) (*matrix.Dense, error) { return p.f.Project(dst, x) }

// WithNote returns the same model with a text under a key, as [Model.WithNote]
// does.
func (p *PCA) WithNote(key, text string) *PCA {
	p.f.needs("WithNote")
	return newPCA(p.f.withNote(key, text))
}

var methodKernelPCA = newMethod(methodFacts{
	name:      "kpca",
	embedding: func() embedding { return new(kernelEmbedding) },
	streamed:  func() embedding { return new(offsetEmbedding) },
	plausible: func(s fileShape) bool { return s.components <= s.rows-1 },
	fields:    (*fitted).componentFields,
	details:   func(f *fitted) Details { return KernelPCADetails{componentDetailsOf(f), classified{f}} },
})

// componentFields names those of the eigenvalues of kernel PCA.
func (f *fitted) componentFields(c *codec) {
	f.lambdaFields(c, c.components)
	if c.reading() {
		f.own = new(pcaDetails)
		if c.ok() && f.expansion().centring == nil && f.expansion().landmarks == nil {
			c.keep(&section.FormatError{Section: "kernel", Field: "centred", Reason: "the kernel of a principal component analysis is centred"})
		}
	}
	p := f.own.(*pcaDetails)
	c.section("components")
	kindOf(c, "whitening", &p.whiten)
	c.float64("trace", &p.trace)
	c.float64("least", &p.least)
	if c.bool("complete", &p.complete); p.whiten > UnitVariance {
		c.fail("whitening", "not a kind of whitening")
	}
	for _, l := range f.lambda {
		if l <= 0 {
			c.fail("whitening", "an eigenvalue is not positive")
		}
	}
	f.priorFields(c)
	f.solution.certificate.fields(c)
}

// checkTable returns an error for a table without rows or with a value that is
// not finite.
func checkTable(x *matrix.Dense) error {
	if x.Rows == 0 {
		return &RowsError{}
	}
	return matrix.CheckFinite(x)
}
