package discriminant

import (
	"context"
	"errors"
	"math"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// ldaProblem is what is solved for features, and the absolute ridge.
type ldaProblem struct {
	codes, counts []int
	reg           Regularizer
	shrinkage     float64 // the intensity, for a regulariser that has one
	ridge         float64 // the factor of I in S
	components    int     // 0: all
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
		s, err = p.solveRegularized(ctx, f, ridge)
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
	s.certificate.EigenvalueError += 8 * u
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
	amount := p.reg.value
	p.shrinkage = p.reg.intensity()
	if p.reg.kind == ledoitWolfShrink {
		amount = ledoitWolf(a, len(f.means))
		p.shrinkage = amount
	}
	if amount == 0 {
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
	switch {
	case p.reg.kind == relativeRidge:
		ridge.value = float64(amount * mean)
	case amount == 1:
		ridge.value, rest = mean, 0
	default:
		rest = 1 - amount
		ridge.value = float64(amount*mean) / rest
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
	errors, n := make([]float64, rank), x.Rows
	for k := range errors {
		// Means are sums of rows, which are rounded; the error of singular values is that of
		// the largest; ε is a sum of squares.
		rounded := float64(chainError(n+len(p.counts)+8)*matrix.NormFrobenius(x)) + float64(16*float64(math.Sqrt(float64(len(b.Data)))*float64(u*values[0])))
		r := float64(math.Sqrt(float64(b.Cols))*rounded) / values[k]
		errors[k] = relativeToExact(float64(2*r) + float64(r*r) + chainError(n+len(f.means)+32))
	}
	if lambda, err = leading(lambda, errors, take, p.components, p.ridge, &cert); err != nil {
		return nil, err
	}
	root := math.Sqrt(epsilon)
	w := matrix.New(b.Rows, len(lambda))
	for i := range w.Rows {
		for k := range lambda {
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
	k, err := evaluator.MatrixContext(ctx, nil)
	if err != nil {
		return nil, err
	}
	s, err := solveCentred(ctx, problem{
		k: k, source: evaluator, codes: p.codes, counts: p.counts,
		reg: RKHS(ridge.in(exp)), components: p.components, terms: x.Cols + 8,
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

// ignoredRidge is the largest relative error of eigenvalues that a ridge is left out for,
// where with it the scatter is singular to working accuracy.
const ignoredRidge = 0x1p-20

// solveRegularized solves S_B w = λ(S_W + εI)w by the scatter. Where that is singular to
// working accuracy all the same, ε is no more than rounding: on the directions that the
// unregularised solution keeps, whose total scatter is at least s², it changes λ by at most
// a factor 1 + (1+λ)ε/s², and along the others there is nothing.
func (p *ldaProblem) solveRegularized(ctx context.Context, f *features, ridge ridgeValue) (*featureSolution, error) {
	s, err := solveWithin(ctx, f, *p, ridge)
	if singular := (*ScatterError)(nil); !errors.As(err, &singular) {
		return s, err
	}
	refused := &RidgeError{Regularizer: p.reg, Ridge: p.ridge, Reason: "the within-class scatter with the ridge is singular to working accuracy: use a larger one"}
	s, least, err := p.solveWhitened(ctx, f)
	if err != nil {
		return nil, refused
	}
	largest := 0.0
	for _, exp := range f.exp {
		largest = math.Max(largest, ridge.in(exp))
	}
	left := float64((1 + s.lambda[0]) * (largest / least / least))
	if !(left <= ignoredRidge) {
		return nil, refused
	}
	s.certificate.EigenvalueError += left
	return s, nil
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
	s, _, err := p.solveWhitened(ctx, f)
	return s, err
}

// solveWhitened solves S_B w = λ S_W w in coordinates in which the total scatter is I, from
// which directions without spread are dropped. It returns the least singular value of the
// centred table that it has kept, too.
func (p *ldaProblem) solveWhitened(ctx context.Context, f *features) (*featureSolution, float64, error) {
	by := make([]int, f.x.Cols)
	for j, norm := range columnNorms(f.x) {
		_, by[j] = math.Frexp(norm)
	}
	f.rescale(by)
	u, values, v, err := solve.SVD(f.x)
	if err != nil {
		return nil, 0, err
	}
	limit, rank := f.noise(), 0
	for _, s := range values {
		if s > limit {
			rank++
		}
	}
	if rank == 0 {
		return nil, 0, &CoincidentMeansError{Contrast: values[0], Norm: limit}
	}
	if rank > f.x.Rows-len(p.counts) {
		return nil, 0, &ScatterError{Col: -1}
	}
	whitened := &features{x: u.View(0, 0, u.Rows, rank).Clone(), exp: make([]int, rank), sizes: make([]float64, rank)}
	for j := range rank {
		whitened.sizes[j] = 1
	}
	s, err := solveWithin(ctx, whitened, *p, ridgeValue{})
	if err != nil {
		return nil, 0, err
	}
	for j := range rank {
		scale := scaleBy(-whitened.exp[j])
		row := s.weights.Row(j)
		for k, w := range row {
			row[k] = scale.value(w) / values[j]
		}
	}
	s.certificate.Solver = "whitened"
	s.whitened(spaceError(f.x, values[0]) / values[rank-1])
	s.certificate.CondBound = float64(s.certificate.CondBound * (values[0] / values[rank-1]))
	s.weights = matrix.Mul(nil, v.View(0, 0, v.Rows, rank), matrix.NoTrans, s.weights, matrix.NoTrans)
	return s, values[rank-1], nil
}

// spaceError bounds what the rounding of the centred table x, and that of its
// decomposition with the largest singular value s, may have changed x by.
func spaceError(x *matrix.Dense, s float64) float64 {
	decomposed := float64(float64(8*math.Sqrt(float64(max(x.Rows, x.Cols)))) * float64(float64(x.Cols)*s))
	return float64(u * (decomposed + float64(4*matrix.NormFrobenius(x))))
}

// whitened adds to the errors of the eigenvalues what an error θ of the space of the
// coordinates makes: λ is the squared tangent of an angle of it.
func (s *featureSolution) whitened(theta float64) {
	s.certificate.EigenvalueError = 0
	for k, l := range s.lambda {
		root := float64(theta * math.Sqrt(1+l))
		r := float64((root + float64(theta*math.Sqrt((1+l)/l))) * (1 + relativeToExact(root)))
		error := s.errors[k] + float64((1+s.errors[k])*relativeToExact(float64(2*r)+float64(r*r)))
		s.errors[k] = error
		s.certificate.EigenvalueError = math.Max(s.certificate.EigenvalueError, error)
	}
}

// unsolved returns the error for a system that could not be solved accurately.
func unsolved(err error) error {
	switch err.(type) {
	case *solve.NotPositiveDefiniteError, *AccuracyError:
		return &ScatterError{Col: -1}
	}
	return err
}
