package fisher

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// ridgeValue is the ridge ε = value·4^exp.
type ridgeValue struct {
	value float64
	exp   int
}

// in returns ε for a column whose unit is 2^exp.
func (r ridgeValue) in(exp int) float64 { return math.Ldexp(r.value, 2*(r.exp-exp)) }

// conditionLimit bounds √cond(AᵀA + εI): at 2²⁴, u·cond is 2⁻⁵, and each step of
// refinement still gains.
const conditionLimit = 0x1p24

// solveWithin solves S_B w = λ(S_W + εI)w with A the rows of f less their class
// means, B = QᵀX and
//
//	(AᵀA + εI) Y = Bᵀ,   (BY) V = V diag(λ),   W = Y V diag(λ)^(−½)
//
// The columns are scaled by powers of two to a diagonal of AᵀA + εI in [1, 4);
// the Cholesky solution is refined with residuals from A, and not from AᵀA: as
// good as the solution by orthogonal factors of A as long as u·cond(AᵀA + εI) is
// well below one (Björck, "Stability analysis of the method of seminormal
// equations for linear least squares problems", Linear Algebra Appl. 88, 1987).
// Where it is not, the error is a *[ScatterError]. It changes f. Cost: nk² + k³ flops, 10nkc for each step of
// refinement, the memory of A and AᵀA.
func solveWithin(ctx context.Context, f *features, p *linearProblem, ridge ridgeValue) (*LinearSolution, error) {
	means, a := f.classes(p.Classes)
	by, err := p.equalSpread(f, columnNorms(a), ridge)
	if err != nil {
		return nil, err
	}
	f.rescale(by, means, a)

	n, k, sizeX := f.rows, a.Cols, matrix.NormFrobenius(f.weighed())
	product := contrastsOfMeans(means, p.Classes.Sizes)
	b := contrastProducts{product, repeated(float64((chainError(n+len(p.Classes.Counts)+8)+f.rounded())*sizeX), product.Cols)}
	rank, take, err := p.rank(b.Dense, f.noise())
	if err != nil {
		return nil, err
	}
	epsilon := make([]float64, k)
	scatter := matrix.SymRankK(nil, a, matrix.Transposed)
	for j := range k {
		epsilon[j] = ridge.in(f.exp[j])
		scatter.Row(j)[j] += epsilon[j]
	}
	trace := diagonalSum(scatter)
	factor, err := solve.FactorCholesky(ctx, scatter)
	if err != nil {
		return nil, unsolved(err)
	}
	size, root := factorNorms(scatter)
	cert := Certificate{Solver: "within", CondBound: float64(size * root), Growth: 1, Rank: rank}
	if !(cert.CondBound <= conditionLimit) {
		return nil, &ScatterError{Col: -1}
	}
	// The scatter is rounded when it is formed, and factored: what is left of its smallest
	// eigenvalue.
	lost := float64(float64(4*math.Sqrt(float64(n+k))*u) * float64(trace*float64(root*root)))
	inverse := float64(root*root) / (1 - math.Min(lost, 0.5))
	// Deviations have the rounding of three differences; that of means counts squared.
	rounded := float64(u*(float64(2*sizeX)+matrix.NormFrobenius(a))) + float64(f.rounded()*matrix.NormFrobenius(a)) + float64(f.error*sizeX)
	moved := float64(rounded * math.Sqrt(inverse))
	offset := float64(float64(float64(float64(n+2)*u)*sizeX) * math.Sqrt(inverse))
	system := &withinSystem{
		ctx: ctx, a: a, epsilon: epsilon, factor: factor, cert: &cert,
		inverse: inverse, relative: float64(2*moved) + float64(moved*moved) + float64(offset*offset),
	}
	passed := &passes{system: system, q: b.Dense, kq: b, rank: rank}
	if err := passed.solve(system); err != nil {
		return nil, err
	}
	cert.Passes = passed.count
	if err := cert.checkAccuracy(max(n, k)); err != nil {
		return nil, unsolved(err)
	}
	lambda, err := leading(passed.last.lambda[:rank], passed.last.errors, take, p.Components, p.ridge, &cert)
	if err != nil {
		return nil, err
	}
	return &LinearSolution{
		Lambda:      lambda,
		Weights:     matrix.Mul(nil, passed.last.w, matrix.NoTrans, combined(passed.last.gamma, lambda, unitBetween), matrix.NoTrans),
		Certificate: cert,
		errors:      passed.last.errors[:len(lambda)],
	}, nil
}

// equalSpread returns the powers of two that scale the columns, whose deviations within the
// classes have the given norms, to a diagonal of AᵀA + εI in [1, 4).
func (p *linearProblem) equalSpread(f *features, norms []float64, ridge ridgeValue) (by []int, err error) {
	by = make([]int, len(norms))
	spreadless := func(j int, spread float64) bool { return spread <= ColumnRounding(f.rows, f.sizes[j]) }
	for j, norm := range norms {
		epsilon := ridge.in(f.exp[j])
		if math.IsInf(epsilon, 0) {
			return nil, &RidgeError{Regularizer: p.Regularizer, Reason: "the ridge and the features differ by more than 300 orders of magnitude"}
		}
		diagonal := math.Sqrt(math.FMA(norm, norm, epsilon))
		if spreadless(j, diagonal) {
			if ridge.value == 0 {
				zero := true
				for j, norm := range norms {
					zero = zero && spreadless(j, norm)
				}
				return nil, &ScatterError{Col: f.column(j), Zero: zero}
			}
			return nil, &RidgeError{Regularizer: p.Regularizer, Reason: "the ridge is below the rounding of a feature that has no spread within the classes"}
		}
		_, e := math.Frexp(diagonal)
		by[j] = e - 1
	}
	return by, nil
}

// withinSystem solves with AᵀA + εI.
type withinSystem struct {
	ctx               context.Context
	a                 *matrix.Dense
	epsilon           []float64
	factor            *solve.Cholesky
	cert              *Certificate
	inverse, relative float64 // as symmetricPairs has them
}

func (s *withinSystem) solve(f *matrix.Dense) (columns, error) {
	y := f.Clone()
	s.factor.Solve(y)
	refined, err := s.factor.RefineNormal(s.ctx, s.a, s.epsilon, s.inverse, f, y, refinementSteps)
	s.cert.record(refined)
	return columns{re: y, forward: refined.Forward}, err
}

func (s *withinSystem) right(b *matrix.Dense) *matrix.Dense { return b }

func (s *withinSystem) pass(w columns, _ *matrix.Dense, b contrastProducts) (pass, error) {
	return symmetricPairs(b, w.re, w.forward, s.inverse, s.relative)
}

func (s *withinSystem) rotated(_ *matrix.Dense, b contrastProducts, v *matrix.Dense) (contrastProducts, error) {
	return b.rotated(v), nil
}

// factorNorms returns ‖L‖_F and ‖L⁻¹‖_F for the lower triangle of a.
func factorNorms(a *matrix.Dense) (norm, inverseNorm float64) {
	l := matrix.New(a.Rows, a.Cols)
	inverse := matrix.New(a.Rows, a.Cols)
	for i := range a.Rows {
		copy(l.Row(i)[:i+1], a.Row(i)[:i+1])
		inverse.Set(i, i, 1)
	}
	matrix.SolveLower(l, inverse)
	return matrix.NormFrobenius(l), matrix.NormFrobenius(inverse)
}
