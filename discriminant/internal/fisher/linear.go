package fisher

import (
	"context"
	"errors"
	"math"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// LinearProblem is what directions in the features are sought for: S_B w = λ S w, where S
// is the regularised within-class scatter S_W.
type LinearProblem struct {
	X           *matrix.Dense // n×d
	Classes     *Classes      // of the rows
	Regularizer Regularizer
	Components  int // 0: all
}

// LinearSolution is what is found.
type LinearSolution struct {
	Lambda      []float64     // descending
	Means       []float64     // of the features
	Weights     *matrix.Dense // d×p, wᵀSw = 1
	Negated     bool          // whether the earlier of two classes projects higher
	Shrinkage   float64       // the intensity, for a regulariser that has one
	Ridge       float64       // the factor of I in S
	Certificate Certificate

	errors []float64 // bounds of the relative errors of Lambda
}

// SolveLinear finds the directions.
func SolveLinear(ctx context.Context, problem LinearProblem) (*LinearSolution, error) {
	return problem.solveIn(ctx, centreFeatures(problem.X, problem.Classes.Weights))
}

// Linear finds the directions in the features themselves, as [SolveLinear] does for the rows. The
// regulariser is not LedoitWolf, which needs each row.
func (f *Moments) Linear(ctx context.Context, reg Regularizer, components int) (*LinearSolution, error) {
	return LinearProblem{Classes: &Classes{Counts: f.Counts, Sizes: f.Sizes}, Regularizer: reg, Components: components}.solveIn(ctx, f.centred())
}

// solveIn solves in the features of the problem.
func (problem LinearProblem) solveIn(ctx context.Context, f *features) (*LinearSolution, error) {
	if len(f.at) == 0 {
		return nil, &CoincidentMeansError{}
	}
	p := &linearProblem{LinearProblem: problem}
	s, err := p.solve(ctx, f)
	if err != nil {
		return nil, err
	}
	if s.Weights, err = f.unscaled(s.Weights); err != nil {
		return nil, err
	}
	s.Means, s.Shrinkage, s.Ridge = f.means, p.shrinkage, p.ridge
	s.Negated = fixSigns(s.Weights)[0]
	return s, nil
}

// linearProblem is one, and what its regulariser came to.
type linearProblem struct {
	LinearProblem
	shrinkage, ridge float64 // as in LinearSolution
}

// solve chooses the form by shape and regulariser. Its weights are those of the columns of f,
// which it changes.
func (p *linearProblem) solve(ctx context.Context, f *features) (*LinearSolution, error) {
	n, k := f.x.Rows, f.x.Cols
	ridge, rest, err := p.resolve(f)
	if err != nil {
		return nil, err
	}
	if rest == 0 {
		return p.solveMeans(f, ridge)
	}
	var s *LinearSolution
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
	for k := range s.Lambda {
		s.Lambda[k] /= rest
	}
	s.Certificate.EigenvalueError += 8 * u
	divideBy(s.Weights, root)
	return s, nil
}

// resolve returns the ridge and the factor of S_W in S = rest·(S_W + εI); for rest
// = 0, S = εI.
func (p *linearProblem) resolve(f *features) (ridge ridgeValue, rest float64, err error) {
	if p.Regularizer.Kind == Ridge {
		p.ridge = p.Regularizer.Value
		return ridgeValue{value: p.Regularizer.Value}, 1, nil
	}
	f = f.clone()
	exp := f.unify()
	_, a := f.classes(p.Classes)
	amount := p.Regularizer.Value
	p.shrinkage = p.Regularizer.Intensity()
	if p.Regularizer.Kind == LedoitWolf {
		amount = ledoitWolf(a, len(f.means), p.Classes.Weights)
		p.shrinkage = amount
	}
	if amount == 0 {
		return ridgeValue{}, 1, nil
	}
	norm := matrix.NormFrobenius(a)
	if norm <= ColumnRounding(f.rows, f.size()) {
		return ridge, 0, &RidgeError{Regularizer: p.Regularizer, Reason: "the within-class scatter is zero up to rounding (every class is a single repeated point), so that a relative ridge has no meaning: give an absolute one"}
	}
	mean := float64(norm*norm) / float64(len(f.means))
	ridge.exp, rest = exp, 1
	switch {
	case p.Regularizer.Kind == RelativeRidge:
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
		return ridge, 0, &RidgeError{Regularizer: p.Regularizer, Ridge: p.ridge, Reason: "the relative ridge comes to a value outside the range of float64: scale the features"}
	}
	return ridge, rest, nil
}

// rank returns the numerical rank of the contrasts b, k×(c−1), and how many
// directions are wanted.
func (p *linearProblem) rank(b *matrix.Dense, limit float64) (rank, take int, err error) {
	if rank, err = contrastRank(b, limit, limit/u); err != nil {
		return 0, 0, err
	}
	take, err = directions(p.Components, rank, len(p.Classes.Counts))
	return rank, take, err
}

// solveMeans solves S_B w = λ εI w: with the singular values s of B = QᵀX and its
// right singular vectors v, λ = s²/ε and w = v/√ε.
func (p *linearProblem) solveMeans(f *features, ridge ridgeValue) (*LinearSolution, error) {
	exp := f.unify()
	means, _ := f.classes(p.Classes)
	b := contrastsOfMeans(means, p.Classes.Sizes)
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
	errors, n, size := make([]float64, rank), f.rows, matrix.NormFrobenius(f.weighed())
	for k := range errors {
		// Means are sums of rows, which are rounded; the error of singular values is that of
		// the largest; ε is a sum of squares.
		rounded := float64((chainError(n+len(p.Classes.Counts)+8)+f.rounded())*size) + float64(16*float64(math.Sqrt(float64(len(b.Data)))*float64(u*values[0])))
		r := float64(math.Sqrt(float64(b.Cols))*rounded) / values[k]
		errors[k] = relativeToExact(float64(2*r) + float64(r*r) + chainError(n+len(f.means)+32) + f.rounded())
	}
	if lambda, err = leading(lambda, errors, take, p.Components, p.ridge, &cert); err != nil {
		return nil, err
	}
	w := v.View(0, 0, b.Rows, len(lambda)).Clone()
	divideBy(w, math.Sqrt(epsilon))
	return &LinearSolution{Lambda: lambda, Weights: w, Certificate: cert}, nil
}

// solveDual solves in the space of the n rows: with K = XXᵀ it is the discriminant
// of the linear kernel and a ridge in its feature space, w = Xᵀα.
func (p *linearProblem) solveDual(ctx context.Context, f *features, ridge ridgeValue) (*LinearSolution, error) {
	exp := f.unify()
	evaluator, err := gram.NewEvaluator(gram.Linear{}, f.x)
	if err != nil {
		return nil, err
	}
	k, err := evaluator.MatrixContext(ctx, nil)
	if err != nil {
		return nil, err
	}
	s, err := Centred(ctx, Problem{
		K: k, Source: evaluator, Classes: p.Classes,
		Regularizer: Regularizer{RKHS, ridge.in(exp)}, Components: p.Components, terms: f.x.Cols + 8,
	})
	if refused := (*RidgeError)(nil); errors.As(err, &refused) {
		return nil, &RidgeError{Regularizer: p.Regularizer, Ridge: p.ridge, Reason: refused.Reason}
	}
	if err != nil {
		return nil, err
	}
	s.unweigh()
	return &LinearSolution{
		Lambda:      s.Lambda,
		Weights:     matrix.Mul(nil, f.x, matrix.Transposed, s.Alpha, matrix.NoTrans),
		Certificate: s.Certificate,
	}, nil
}
