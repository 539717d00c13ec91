package discriminant

import (
	"context"
	"errors"
	"math"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// solveCentred solves M α = λ(N + εK)α. With K_c = HKH, H = I − 11ᵀ/n, and the
// contrasts Q,
//
//	(K_c + εI) Z = Q,   Σ = ε QᵀZ,   Ψ = (K_cQ)ᵀZ = I − Σ
//	ΨΓ = ΣΓ diag(λ),  ΓᵀΣΓ = I,   α_k = Z Γ_k √((1+λ_k)/λ_k)
//
// gives αᵀ(N + εK)α = 1 and 1ᵀα = 0: the zero-sum solution, which there is also
// where N + εK is singular. It equals kernel ridge regression with an
// unpenalised intercept on the contrasts. Cost: n³/3 flops, the memory of K.
func solveCentred(ctx context.Context, p problem) (*solution, error) {
	s, err := centreProblem(p)
	if err != nil {
		return nil, err
	}
	ridge, epsilon, err := s.ridge(p.reg)
	if err != nil {
		return nil, err
	}
	if err := s.findContrasts(); err != nil {
		return nil, err
	}
	cert := s.certificate(epsilon)
	if err := cert.checkKernelRounding("ε"); err != nil {
		return nil, err
	}
	for i := range s.k.Rows {
		row := s.k.Row(i)
		row[i] += epsilon
	}
	source := solve.NewUpper(s.k)
	factor, err := solve.FactorCholesky(ctx, s.k)
	if err != nil {
		return nil, s.indefinite(err, ridge)
	}
	found, err := s.solution(s.q, s.kq, ridge, epsilon, &cert, func(q *matrix.Dense) (z, kz *matrix.Dense, err error) {
		z, kz = q.Clone(), matrix.New(q.Rows, q.Cols)
		factor.Solve(z)
		refined, err := factor.RefineProducts(ctx, source, q, z, epsilon, kz, refinementSteps)
		cert.record(refined)
		return z, kz, err
	})
	if err == nil && p.leaveOneOut {
		found.influences, err = influencesOf(ctx, factor, epsilon, s.scale)
	}
	return found, err
}

// centredProblem is a problem with HKH in units in which max|K| is in [1, 2).
type centredProblem struct {
	problem    // k holds HKH
	scale      binaryScale
	centring   *gram.Centring // of the scaled K
	normK      float64        // ‖K‖_F
	norm       float64        // ‖HKH‖_F
	trace      float64        // of HKH
	q, kq      *matrix.Dense  // the contrasts and their products with HKH
	rank, take int            // of HKHQ, and the number of directions wanted
}

// centreProblem scales and centres p.k in place. K = 0 is a *CoincidentMeansError.
func centreProblem(p problem) (*centredProblem, error) {
	s := &centredProblem{problem: p}
	s.scale, s.centring, s.normK, s.norm = centreInUnits(p.k)
	if s.normK == 0 {
		return nil, &CoincidentMeansError{}
	}
	diagonal := make([]float64, p.k.Rows)
	for i := range diagonal {
		diagonal[i] = p.k.At(i, i)
	}
	s.trace = matrix.Sum(diagonal)
	return s, nil
}

// findContrasts sets the contrasts, their rank and the number of directions.
func (s *centredProblem) findContrasts() (err error) {
	s.q = contrasts(s.codes, s.counts, SummedScatter)
	s.kq = contrastsOf(s.k, s.q)
	if s.rank, err = contrastRank(s.kq, s.normK); err != nil {
		return err
	}
	s.take, err = componentsOf(s.problem, s.rank)
	return err
}

// ridge resolves a regulariser: the ridge ε and, in the units of the scaled kernel
// matrix, ε′.
func (s *centredProblem) ridge(reg Regularizer) (ridge, epsilon float64, err error) {
	n := float64(s.k.Rows)
	if reg.kind == relativeRKHS {
		if s.trace <= float64(float64(n*u)*s.normK) {
			return 0, 0, &RidgeError{Regularizer: reg, Reason: "the centred kernel matrix has no positive trace above rounding, so that a relative ridge has no meaning: give an absolute one"}
		}
		epsilon = float64(reg.value * (s.trace / n))
		ridge = math.Ldexp(epsilon, -s.scale.exp)
	} else {
		ridge = reg.value
		epsilon = math.Ldexp(ridge, s.scale.exp)
	}
	switch {
	case ridge == 0 || math.IsInf(ridge, 0) || math.IsInf(epsilon, 0):
		err = &RidgeError{Regularizer: reg, Ridge: ridge, Reason: "the ridge comes to a value outside the range of float64, absolutely or relative to the kernel values"}
	case epsilon <= float64(float64(n*u)*s.norm):
		err = &RidgeError{Regularizer: reg, Ridge: ridge, Reason: "the ridge must be above n·u·‖HKH‖, the rounding of the centred kernel matrix"}
	}
	return ridge, epsilon, err
}

// certificate returns what is known of a fit with HKH + εI beforehand.
func (s *centredProblem) certificate(epsilon float64) Certificate {
	return Certificate{
		Solver:         "centred",
		CondBound:      (s.norm + epsilon) / epsilon,
		Growth:         1, // of a Cholesky factorization, by its diagonal
		KernelRounding: float64(u*s.normK) / epsilon,
		Rank:           s.rank,
	}
}

// withRidge returns the rows of HKH + εI, with the entries of the factored matrix.
func (s *centredProblem) withRidge(epsilon float64) solve.Source {
	return centredSource{scaledSource{s.source, s.scale}, s.centring, epsilon}
}

// indefinite returns the error of a factorization of HKH + εI.
func (s *centredProblem) indefinite(err error, ridge float64) error {
	if pivot := (*solve.NotPositiveDefiniteError)(nil); errors.As(err, &pivot) {
		return &IndefiniteKernelError{Ridge: ridge, Pivot: pivot.Pivot, Value: scaleBy(-s.scale.exp).value(pivot.Value)}
	}
	return err
}

// solution solves for the contrasts q and their products kq with HKH, given the
// solver of (HKH + εI)Z = Q, which returns HKHZ too where it is known, and completes the
// certificate.
func (s *centredProblem) solution(q, kq *matrix.Dense, ridge, epsilon float64, cert *Certificate, solver func(q *matrix.Dense) (z, kz *matrix.Dense, err error)) (*solution, error) {
	last, count, err := passes(func(q, kq *matrix.Dense) (pass, error) {
		z, kz, err := solver(q)
		if err != nil {
			return pass{}, err
		}
		sigma := scaled(matrix.Mul(nil, q, matrix.Transposed, z.View(0, 0, q.Rows, z.Cols), matrix.NoTrans), epsilon)
		symmetrize(sigma)
		one := pass{w: z, kw: kz}
		one.lambda, one.gamma, err = fromPencil(complement(sigma, kq, z), sigma)
		return one, err
	}, q, kq, s.rank, nil)
	if err != nil {
		return nil, err
	}
	cert.Passes = count
	if err := cert.checkAccuracy(s.q.Rows); err != nil {
		return nil, err
	}
	lambda, err := leading(last.lambda[:s.rank], s.take, cert)
	if err != nil {
		return nil, err
	}
	found := &solution{lambda: lambda, centring: unscaled(s.centring, s.scale), ridge: ridge, certificate: *cert}
	found.setAlpha(last.w, combinations(last.gamma, lambda), s.scale.exp)
	s.setProjections(found, last.kw, epsilon)
	return found, nil
}

// setProjections sets the projections of a solution for ε, whose products kw come from the
// matrix with ε on its diagonal: above the largest kernel values, ε would leave less of
// these than they are rounded by.
func (s *centredProblem) setProjections(found *solution, kw *matrix.Dense, epsilon float64) {
	if epsilon <= 1 {
		found.setProjections(kw)
	}
}

// unscaled returns the centring of the kernel values as they are, given that of
// the scaled ones.
func unscaled(c *gram.Centring, scale binaryScale) *gram.Centring {
	back := scaleBy(-scale.exp)
	u := &gram.Centring{Shift: back.value(c.Shift), Means: make([]float64, len(c.Means)), Mean: back.value(c.Mean)}
	for i, m := range c.Means {
		u.Means[i] = back.value(m)
	}
	return u
}

// centredSource is HKH + εI by rows, with the entries of the factored matrix.
type centredSource struct {
	scaledSource
	centring *gram.Centring
	epsilon  float64
}

func (s centredSource) Rows(dst *matrix.Dense, i0 int) {
	s.scaledSource.Rows(dst, i0)
	s.centring.Cross(dst, dst)
	for r := range dst.Rows {
		row := dst.Row(r)
		row[i0+r] += s.epsilon
	}
}
