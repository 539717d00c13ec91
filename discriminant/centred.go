package discriminant

import (
	"context"
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
	if err := s.findContrasts(); err != nil {
		return nil, err
	}
	return s.solve(ctx, p.k, p.reg, p.leaveOneOut)
}

// centredProblem is a problem with HKH.
type centredProblem struct {
	problem // k holds HKH
	ridgeMatrix
	q          *matrix.Dense // the contrasts
	kq         contrastProducts
	rank, take int // of HKHQ, and the number of directions wanted
}

// centreProblem scales and centres p.k in place. K = 0 is a *CoincidentMeansError.
func centreProblem(p problem) (*centredProblem, error) {
	s := &centredProblem{problem: p, ridgeMatrix: newRidgeMatrix(p.k, true)}
	if s.normK == 0 {
		return nil, &CoincidentMeansError{}
	}
	return s, nil
}

// solve solves with a regulariser, in k, which holds HKH and is overwritten: s.k or, for
// several regularisers, a copy of it. The influences come with it if requested.
func (s *centredProblem) solve(ctx context.Context, k *matrix.Dense, reg Regularizer, leaveOneOut bool) (*solution, error) {
	ridge, epsilon, err := s.ridge(reg)
	if err != nil {
		return nil, err
	}
	factor, err := s.factor(ctx, k, reg, ridge, epsilon)
	if err != nil {
		return nil, err
	}
	cert := s.certificate(epsilon, factor.inverse)
	found, err := s.solution(s.q, s.kq, ridge, epsilon, &cert, func(q *matrix.Dense) (centredColumns, error) {
		z, kz, refined, err := factor.solve(ctx, q)
		cert.record(refined)
		return centredColumns{z, kz, refined.Forward}, err
	})
	if err == nil && leaveOneOut {
		found.influences, err = s.influences(ctx, factor, epsilon)
	}
	return found, err
}

// findContrasts sets the contrasts, their rank and the number of directions.
func (s *centredProblem) findContrasts() (err error) {
	s.q = contrasts(s.codes, s.counts, SummedScatter)
	s.kq = contrastsOf(s.k, s.q)
	if s.rank, err = contrastRank(s.kq.Dense, s.normK); err != nil {
		return err
	}
	s.take, err = componentsOf(s.problem, s.rank)
	return err
}

// certificate returns what is known of a fit with HKH + εI beforehand.
func (s *centredProblem) certificate(epsilon, inverse float64) Certificate {
	c := s.ridgeMatrix.certificate("centred", epsilon, inverse)
	c.Rank = s.rank
	return c
}

// withRidge returns the rows of HKH + εI, with the entries of the factored matrix.
func (s *centredProblem) withRidge(epsilon float64) solve.Source {
	return centredSource{scaledSource{s.source, s.scale}, s.centring, epsilon}
}

// centredColumns are solutions Z of (HKH + εI)Z = Q, HKHZ where it is known, and a bound
// of the relative error of each column of Z.
type centredColumns struct {
	z, kz   *matrix.Dense
	forward float64
}

// solution solves for the contrasts q and their products kq with HKH, given the
// solver of (HKH + εI)Z = Q, and completes the certificate.
func (s *centredProblem) solution(q *matrix.Dense, kq contrastProducts, ridge, epsilon float64, cert *Certificate, solver func(q *matrix.Dense) (centredColumns, error)) (*solution, error) {
	last, count, err := passes(func(q *matrix.Dense, kq contrastProducts) (pass, error) {
		found, err := solver(q)
		if err != nil {
			return pass{}, err
		}
		z := found.z
		sigma := scaled(matrix.Mul(nil, q, matrix.Transposed, z.View(0, 0, q.Rows, z.Cols), matrix.NoTrans), epsilon)
		symmetrize(sigma)
		e := s.pencilError(kq, columnNorms(z), epsilon, found.forward)
		psi := complement(sigma, kq, z, scaledBy(columnNorms(z), found.forward), &e)
		one := pass{w: z, kw: found.kz}
		one.lambda, one.gamma, one.errors, err = fromPencil(psi, sigma, e)
		return one, err
	}, q, kq, s.rank, nil)
	if err != nil {
		return nil, err
	}
	cert.Passes = count
	if err := cert.checkAccuracy(s.q.Rows); err != nil {
		return nil, err
	}
	lambda, err := leading(last.lambda[:s.rank], last.errors, s.take, s.components, ridge, cert)
	if err != nil {
		return nil, err
	}
	found := &solution{lambda: lambda, centring: s.unscaledCentring(), ridge: ridge, certificate: *cert}
	found.setAlpha(last.w, combinations(last.gamma, lambda), s.scale.exp)
	s.setProjections(found, last.kw, epsilon)
	return found, nil
}

// rounding bounds the norm of the error of HKH, an entry of which is K less its mean, less
// two means, plus one, each rounded (the errors of means are killed by sums of zero); and
// of what ε is rounded by on the diagonal.
func (s *centredProblem) rounding(epsilon float64) (centred, diagonal float64) {
	n := float64(s.rows)
	means := float64(math.Sqrt(float64(2*n)) * math.Sqrt(matrix.SumSquares(s.centring.Means)))
	formed := float64(float64(s.terms) * float64(n*s.mean))
	return float64(u * (float64(5*s.norm) + float64(3*means) + formed)), float64(2 * float64(u*(epsilon+s.norm)))
}

// pencilError bounds the errors of Σ = εQᵀZ, for columns of Z of such norms and relative
// errors, and of what the rounding of HKH makes of Σ and of Ψ: εZᵀΔZ, for a change Δ.
func (s *centredProblem) pencilError(kq contrastProducts, sizes []float64, epsilon, forward float64) pencilError {
	p := len(sizes)
	e := newPencilError(p)
	centred, diagonal := s.rounding(epsilon)
	sizeKQ := columnNorms(kq.Dense)
	for i := range p {
		for j := range p {
			larger := math.Max(sizes[i], sizes[j])
			both := float64(float64(epsilon*sizes[i]) * sizes[j])
			product := math.Max(float64(sizeKQ[i]*sizes[j]), float64(sizeKQ[j]*sizes[i]))
			e.sigma.Set(i, j, float64(epsilon*innerError(s.rows, 1, 0, larger, float64(forward*larger)))+float64(both*(centred+diagonal)))
			e.psi.Set(i, j, float64(both*centred)+float64(product*(diagonal/epsilon)))
		}
	}
	return e
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
// the scaled ones; nil for nil.
func unscaled(c *gram.Centring, scale binaryScale) *gram.Centring {
	if c == nil {
		return nil
	}
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
