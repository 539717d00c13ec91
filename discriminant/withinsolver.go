package discriminant

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

// featureSolution is what a solver finds for features: p ≤ c−1 pairs of S_B w =
// λ(S_W + εI)w.
type featureSolution struct {
	lambda      []float64     // descending
	weights     *matrix.Dense // of the columns of x, k×p, wᵀ(S_W + εI)w = 1; for two classes, the later one projects higher
	certificate Certificate
}

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
// Where it is not, the error is a *[ScatterError] or, for ε > 0, an
// *[AccuracyError]. It changes f. Cost: nk² + k³ flops, 10nkc for each step of
// refinement, the memory of A and AᵀA.
func solveWithin(ctx context.Context, f *features, p ldaProblem, ridge ridgeValue) (*featureSolution, error) {
	means := centroidsOf(f.x, p.codes, p.counts)
	a := deviations(f.x, means, p.codes)
	n, k := a.Rows, a.Cols
	norms := columnNorms(a)
	by := make([]int, k)
	spreadless := func(j int, spread float64) bool {
		return spread <= float64(float64(float64(n)*u)*f.sizes[j])
	}
	for j, norm := range norms {
		epsilon := ridge.in(f.exp[j])
		if math.IsInf(epsilon, 0) {
			return nil, &RidgeError{Regularizer: p.reg, Reason: "the ridge and the features differ by more than 300 orders of magnitude"}
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
			return nil, &RidgeError{Regularizer: p.reg, Reason: "the ridge is below the rounding of a feature that has no spread within the classes"}
		}
		_, e := math.Frexp(diagonal)
		by[j] = e - 1
	}
	f.rescale(by, means, a)

	b := contrastsOfMeans(means, p.counts)
	limit := f.noise()
	rank, take, err := p.rank(b, limit)
	if err != nil {
		return nil, err
	}
	s := withinSystem{a: a, epsilon: make([]float64, k)}
	scatter := matrix.SymRankK(nil, a, matrix.Transposed)
	for j := range k {
		s.epsilon[j] = ridge.in(f.exp[j])
		scatter.Row(j)[j] += s.epsilon[j]
	}
	s.norm = matrix.NormFrobenius(scatter)
	if s.factor, err = solve.FactorCholesky(ctx, scatter); err != nil {
		return nil, p.unsolved(err, ridge)
	}
	cert := Certificate{Solver: "within", CondBound: conditionBound(scatter), Growth: 1, Rank: rank}
	if !(cert.CondBound <= conditionLimit) {
		return nil, p.unsolved(&AccuracyError{What: "the condition of the within-class scatter", Value: cert.CondBound, Limit: conditionLimit}, ridge)
	}
	last, count, err := passes(func(_, b *matrix.Dense) (pass, error) {
		y, err := s.solve(ctx, b)
		if err != nil {
			return pass{}, err
		}
		h := matrix.Mul(nil, b, matrix.Transposed, y, matrix.NoTrans)
		symmetrize(h)
		one := pass{w: y}
		one.lambda, one.gamma, err = solve.Jacobi(h)
		return one, err
	}, b, b, rank, nil)
	if err != nil {
		return nil, err
	}
	cert.Backward, cert.Forward, cert.Refinements, cert.Passes = s.backward, s.forward, s.steps, count
	if err := cert.checkAccuracy(max(n, k)); err != nil {
		return nil, p.unsolved(err, ridge)
	}
	lambda, err := leading(last.lambda[:rank], take, &cert)
	if err != nil {
		return nil, err
	}
	g := matrix.New(last.gamma.Rows, take)
	for k, l := range lambda {
		for i := range g.Rows {
			g.Set(i, k, last.gamma.At(i, k)/math.Sqrt(l))
		}
	}
	return &featureSolution{
		lambda:      lambda,
		weights:     matrix.Mul(nil, last.w, matrix.NoTrans, g, matrix.NoTrans),
		certificate: cert,
	}, nil
}

// withinSystem solves with one factorization of AᵀA + diag(epsilon).
type withinSystem struct {
	a       *matrix.Dense
	epsilon []float64
	factor  *solve.Cholesky
	norm    float64 // of the matrix

	// of all solutions so far, the largest
	backward float64
	forward  float64 // what refinement would still correct, relative to the solution
	steps    int
}

// solve returns the solution for the right-hand sides b, refined for as long as
// each correction is at most half of the one before.
func (s *withinSystem) solve(ctx context.Context, b *matrix.Dense) (*matrix.Dense, error) {
	y := b.Clone()
	s.factor.Solve(y)
	for step, before := 0, math.Inf(1); ; step++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r := s.residual(b, y)
		sizes, residuals, rights := columnNorms(y), columnNorms(r), columnNorms(b)
		backward := 0.0
		for j, v := range residuals {
			if v > 0 {
				backward = math.Max(backward, v/math.FMA(s.norm, sizes[j], rights[j]))
			}
		}
		s.factor.Solve(r)
		correction := 0.0
		for j, v := range columnNorms(r) {
			if v > 0 {
				correction = math.Max(correction, v/sizes[j])
			}
		}
		if !(correction <= float64(0.5*before)) || correction == 0 {
			s.backward = math.Max(s.backward, backward)
			s.forward = math.Max(s.forward, math.Max(correction, u))
			s.steps = max(s.steps, step)
			return y, nil
		}
		before = correction
		for i := range y.Rows {
			row := y.Row(i)
			for j, v := range r.Row(i) {
				row[j] += v
			}
		}
	}
}

// residual returns B − εY − Aᵀ(AY).
func (s *withinSystem) residual(b, y *matrix.Dense) *matrix.Dense {
	r := b.Clone()
	for i, e := range s.epsilon {
		row := r.Row(i)
		for j, v := range y.Row(i) {
			row[j] = math.FMA(-e, v, row[j])
		}
	}
	ay := matrix.Mul(nil, s.a, matrix.NoTrans, y, matrix.NoTrans)
	matrix.SubMul(r, s.a, matrix.Transposed, ay, matrix.NoTrans)
	return r
}

// conditionBound returns ‖L‖_F‖L⁻¹‖_F for the lower triangle of a.
func conditionBound(a *matrix.Dense) float64 {
	l := matrix.New(a.Rows, a.Cols)
	inverse := matrix.New(a.Rows, a.Cols)
	for i := range a.Rows {
		copy(l.Row(i)[:i+1], a.Row(i)[:i+1])
		inverse.Set(i, i, 1)
	}
	matrix.SolveLower(l, inverse)
	return float64(matrix.NormFrobenius(l) * matrix.NormFrobenius(inverse))
}
