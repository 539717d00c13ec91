package discriminant

import (
	"context"
	"errors"
	"math"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
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
// The zero value is classical, unregularised LDA with the nearest centroid.
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

	// Priors are the class probabilities, in class order, for the classifier and
	// the threshold of Decision; nil means the classes' shares of the training
	// rows. The directions do not depend on them.
	Priors []float64

	// Classifier predicts the classes from the projections; nil means
	// NearestCentroid{}. Gaussian{} takes S/(n − c) for the covariance.
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
	if err := classifierOf(m.Classifier).Validate(); err != nil {
		return err
	}
	return validatePriors(m.Priors)
}

// regularizer returns the regulariser with the default made explicit.
func (m LDA) regularizer() Regularizer {
	if m.Regularizer == (Regularizer{}) {
		return Ridge(0)
	}
	return m.Regularizer
}

func (m LDA) fit(ctx context.Context, x *matrix.Dense, codes []int, classes int) (*fitted, error) {
	if err := checkClasses(m.Components, m.Priors, classes); err != nil {
		return nil, err
	}
	p := &pipeline{}
	rows, err := p.fitScaler(m.Scaling, x)
	if err != nil {
		return nil, err
	}
	f := centreFeatures(rows)
	if len(f.at) == 0 {
		return nil, &CoincidentMeansError{}
	}
	counts := classCounts(codes, classes)
	problem := ldaProblem{codes: codes, counts: counts, reg: m.regularizer(), components: m.Components}
	s, err := problem.solve(ctx, f)
	if err != nil {
		return nil, err
	}
	weights, err := f.weights(s.weights)
	if err != nil {
		return nil, err
	}
	negated := fixSigns(weights)
	p.embedding = &linearEmbedding{origin: f.means, weights: weights}
	z, err := p.all(x)
	if err != nil {
		return nil, err
	}
	toClassify := projections{z: z, codes: codes, counts: counts, priors: m.Priors, unitScatter: true}
	if classes == 2 {
		toClassify.binary = newBinaryRule(z, codes, counts, s.lambda[0], negated[0], SummedScatter, m.Priors)
	}
	rule, err := classifierOf(m.Classifier).fit(toClassify)
	if err != nil {
		return nil, err
	}
	return &fitted{
		method:   methodLDA,
		pipeline: p,
		lambda:   s.lambda,
		rule:     rule,
		kfda:     kfdaDetails{regularizer: problem.reg, ridge: problem.ridge, priors: m.Priors, certificate: s.certificate},
	}, nil
}

// ldaProblem is what is solved for features, and what the regulariser came to.
type ldaProblem struct {
	codes, counts []int
	reg           Regularizer // LedoitWolf gets its intensity from the data
	ridge         float64     // the factor of I in S
	components    int         // 0: all
}

// solve chooses the form by shape and regulariser. It changes f.
func (p *ldaProblem) solve(ctx context.Context, f *features) (*featureSolution, error) {
	n, k := f.x.Rows, f.x.Cols
	ridge, rest, err := p.resolve(f)
	if err != nil {
		return nil, err
	}
	if rest == 0 {
		return p.solveMeans(f, ridge)
	}
	var s *featureSolution
	switch {
	case ridge.value > 0 && k > n:
		s, err = p.solveDual(ctx, f, ridge)
	case ridge.value > 0:
		s, err = solveWithin(ctx, f, *p, ridge)
	default:
		s, err = p.solveUnregularized(ctx, f)
	}
	if err != nil || rest == 1 {
		return s, err
	}
	root := math.Sqrt(rest)
	for k := range s.lambda {
		s.lambda[k] /= rest
	}
	for i := range s.weights.Data {
		s.weights.Data[i] /= root
	}
	return s, nil
}

// resolve returns the ridge and the factor of S_W in S = rest·(S_W + εI); for rest
// = 0, S = εI.
func (p *ldaProblem) resolve(f *features) (ridge ridgeValue, rest float64, err error) {
	if p.reg.kind == absoluteRidge {
		p.ridge = p.reg.value
		return ridgeValue{value: p.reg.value}, 1, nil
	}
	x, exp := f.uniform()
	a := deviations(x, centroidsOf(x, p.codes, p.counts), p.codes)
	if p.reg.kind == ledoitWolfShrink {
		p.reg.value = ledoitWolf(a, len(f.means))
	}
	if p.reg.value == 0 {
		return ridgeValue{}, 1, nil
	}
	norm := matrix.NormFrobenius(a)
	noise := 0.0
	for j, v := range f.sizes {
		v = scaleBy(f.exp[j] - exp).value(v)
		noise = math.FMA(v, v, noise)
	}
	if norm <= float64(float64(float64(len(p.codes))*u)*math.Sqrt(noise)) {
		return ridge, 0, &RidgeError{Regularizer: p.reg, Reason: "the within-class scatter is zero up to rounding (every class is a single repeated point), so that a relative ridge has no meaning: give an absolute one"}
	}
	mean := float64(norm*norm) / float64(len(f.means))
	ridge.exp, rest = exp, 1
	switch s := p.reg.value; {
	case p.reg.kind == relativeRidge:
		ridge.value = float64(s * mean)
	case s == 1:
		ridge.value, rest = mean, 0
	default:
		rest = 1 - s
		ridge.value = float64(s*mean) / rest
	}
	if p.ridge = ridge.in(0); rest > 0 {
		p.ridge = float64(p.ridge * rest)
	}
	if p.ridge == 0 || math.IsInf(p.ridge, 0) {
		return ridge, 0, &RidgeError{Regularizer: p.reg, Ridge: p.ridge, Reason: "the relative ridge comes to a value outside the range of float64: scale the features"}
	}
	return ridge, rest, nil
}

// rank returns the numerical rank of the contrasts b, k×(c−1), and how many
// directions are wanted.
func (p *ldaProblem) rank(b *matrix.Dense, limit float64) (rank, take int, err error) {
	values, err := solve.SingularValues(b)
	if err != nil {
		return 0, 0, err
	}
	for _, v := range values {
		if v > limit {
			rank++
		}
	}
	switch {
	case rank == 0:
		return 0, 0, &CoincidentMeansError{Contrast: values[0], Norm: limit / u}
	case p.components > rank:
		return 0, 0, &ComponentsError{Asked: p.components, Classes: len(p.counts), Rank: rank}
	case p.components == 0:
		return rank, rank, nil
	}
	return rank, p.components, nil
}

// solveMeans solves S_B w = λ εI w: with the singular values s of B = QᵀX and its
// right singular vectors v, λ = s²/ε and w = v/√ε.
func (p *ldaProblem) solveMeans(f *features, ridge ridgeValue) (*featureSolution, error) {
	x, exp := f.uniform()
	b := contrastsOfMeans(centroidsOf(x, p.codes, p.counts), p.counts)
	by := make([]int, len(f.exp))
	for j, e := range f.exp {
		by[j] = exp - e
	}
	f.rescale(by)
	rank, take, err := p.rank(b, f.noise())
	if err != nil {
		return nil, err
	}
	v, values, _, err := solve.SVD(b) // for two classes v = b/‖b‖
	if err != nil {
		return nil, err
	}
	epsilon := ridge.in(exp)
	cert := Certificate{Solver: "means", CondBound: 1, Growth: 1, Rank: rank, Passes: 1}
	lambda := make([]float64, rank)
	for k := range lambda {
		lambda[k] = float64(values[k]*values[k]) / epsilon
	}
	if lambda, err = leading(lambda, take, &cert); err != nil {
		return nil, err
	}
	root := math.Sqrt(epsilon)
	w := matrix.New(b.Rows, take)
	for i := range w.Rows {
		for k := range take {
			w.Set(i, k, v.At(i, k)/root)
		}
	}
	return &featureSolution{lambda: lambda, weights: w, certificate: cert}, nil
}

// solveDual solves in the space of the n rows: with K = XXᵀ it is the discriminant
// of the linear kernel and a ridge in its feature space, w = Xᵀα.
func (p *ldaProblem) solveDual(ctx context.Context, f *features, ridge ridgeValue) (*featureSolution, error) {
	x, exp := f.uniform()
	evaluator, err := gram.NewEvaluator(gram.Linear{}, x)
	if err != nil {
		return nil, err
	}
	k, err := evaluator.Matrix(nil)
	if err != nil {
		return nil, err
	}
	s, err := solveCentred(ctx, problem{
		k: k, source: evaluator, codes: p.codes, counts: p.counts,
		reg: RKHS(ridge.in(exp)), components: p.components,
	})
	if refused := (*RidgeError)(nil); errors.As(err, &refused) {
		return nil, &RidgeError{Regularizer: p.reg, Ridge: p.ridge, Reason: refused.Reason}
	}
	if err != nil {
		return nil, err
	}
	by := make([]int, len(f.exp))
	for j, e := range f.exp {
		by[j] = exp - e
	}
	f.rescale(by)
	return &featureSolution{
		lambda:      s.lambda,
		weights:     matrix.Mul(nil, x, matrix.Transposed, s.alpha, matrix.NoTrans),
		certificate: s.certificate,
	}, nil
}

// solveUnregularized solves S_B w = λ S_W w: by the scatter where that is well
// conditioned, else in coordinates in which the total scatter is I and from which
// directions without spread are dropped.
func (p *ldaProblem) solveUnregularized(ctx context.Context, f *features) (*featureSolution, error) {
	if f.x.Cols <= f.x.Rows-len(p.counts) {
		s, err := solveWithin(ctx, f, *p, ridgeValue{})
		if singular := (*ScatterError)(nil); !errors.As(err, &singular) || singular.Col >= 0 {
			return s, err
		}
	}
	by := make([]int, f.x.Cols)
	for j, norm := range columnNorms(f.x) {
		_, by[j] = math.Frexp(norm)
	}
	f.rescale(by)
	u, values, v, err := solve.SVD(f.x)
	if err != nil {
		return nil, err
	}
	limit, rank := f.noise(), 0
	for _, s := range values {
		if s > limit {
			rank++
		}
	}
	if rank == 0 {
		return nil, &CoincidentMeansError{Contrast: values[0], Norm: limit}
	}
	if rank > f.x.Rows-len(p.counts) {
		return nil, &ScatterError{Col: -1}
	}
	whitened := &features{x: u.View(0, 0, u.Rows, rank).Clone(), exp: make([]int, rank), sizes: make([]float64, rank)}
	for j := range rank {
		whitened.sizes[j] = 1
	}
	s, err := solveWithin(ctx, whitened, *p, ridgeValue{})
	if err != nil {
		return nil, err
	}
	for j := range rank {
		scale := scaleBy(-whitened.exp[j])
		row := s.weights.Row(j)
		for k, w := range row {
			row[k] = scale.value(w) / values[j]
		}
	}
	s.certificate.Solver = "whitened"
	s.certificate.CondBound = float64(s.certificate.CondBound * (values[0] / values[rank-1]))
	s.weights = matrix.Mul(nil, v.View(0, 0, v.Rows, rank), matrix.NoTrans, s.weights, matrix.NoTrans)
	return s, nil
}

// unsolved returns the error for a system that could not be solved accurately.
func (p *ldaProblem) unsolved(err error, ridge ridgeValue) error {
	switch err.(type) {
	case *solve.NotPositiveDefiniteError, *AccuracyError:
		if ridge.value == 0 {
			return &ScatterError{Col: -1}
		}
		return &RidgeError{Regularizer: p.reg, Ridge: p.ridge, Reason: "the within-class scatter with the ridge is singular to working accuracy: use a larger one"}
	}
	return err
}

// Weights returns a copy of the features×components weights W of a model of [LDA],
// for features as the model's scaler leaves them: z = Wᵀ(x − Origin). It is nil for
// another method.
func (f *fitted) Weights() *matrix.Dense {
	if e, ok := f.pipeline.embedding.(*linearEmbedding); ok {
		return e.weights.Clone()
	}
	return nil
}

// Origin returns what a model of [LDA] subtracts from the features, their means
// over the training rows, and nil for another method.
func (f *fitted) Origin() []float64 {
	if e, ok := f.pipeline.embedding.(*linearEmbedding); ok {
		return append([]float64(nil), e.origin...)
	}
	return nil
}

// Shrinkage returns the intensity s of Shrink(s) or, from the data, of
// LedoitWolf(), and 0 for another regulariser.
func (f *fitted) Shrinkage() float64 {
	if k := f.kfda.regularizer.kind; k == shrink || k == ledoitWolfShrink {
		return f.kfda.regularizer.value
	}
	return 0
}

// Plan returns what a fit of n rows, d features and that many classes will need,
// where the scatter is regularised or well conditioned.
func (m LDA) Plan(n, d, classes int) Plan {
	rows, features, c := float64(n), float64(d), float64(max(classes-1, 1))
	small, large := math.Min(rows, features), math.Max(rows, features)
	table := float64(rows * features)
	return Plan{
		Bytes:      float64(8 * (float64(4*table) + float64(3*float64(small*small)) + float64(6*float64(large*c)))),
		ModelBytes: float64(8 * float64(features*(c+1))),
		Flops:      float64(table*small) + float64(float64(small*small)*small) + float64(20*float64(table*c)),
	}
}
