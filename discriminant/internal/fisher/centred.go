package fisher

import (
	"context"
	"errors"
	"math"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// Centred solves M α = λ(N + εK)α. With K_c = HKH, H = I − 11ᵀ/n, and the
// contrasts Q,
//
//	(K_c + εI) Z = Q,   Σ = ε QᵀZ,   Ψ = (K_cQ)ᵀZ = I − Σ
//	ΨΓ = ΣΓ diag(λ),  ΓᵀΣΓ = I,   α_k = Z Γ_k √((1+λ_k)/λ_k)
//
// gives αᵀ(N + εK)α = 1 and 1ᵀα = 0: the zero-sum solution, which there is also
// where N + εK is singular. It equals kernel ridge regression with an
// unpenalised intercept on the contrasts. Cost: n³/3 flops, the memory of K.
func Centred(ctx context.Context, p Problem) (*Solution, error) {
	s, err := p.scaled(true)
	if err != nil {
		return nil, err
	}
	if err := s.findContrasts(); err != nil {
		return nil, err
	}
	return s.centredIn(ctx, p.K, p.Regularizer)
}

// centredIn solves with a regulariser, in k, which holds HKH and is overwritten: s.K or, for
// several regularisers, a copy of it.
func (s *scaledProblem) centredIn(ctx context.Context, k *matrix.Dense, reg Regularizer) (*Solution, error) {
	ridge, epsilon, err := s.ridge(reg)
	if err != nil {
		return nil, err
	}
	factor, err := s.factor(ctx, k, reg, ridge, epsilon)
	if err != nil {
		return nil, err
	}
	cert := s.centredCertificate(epsilon, factor.inverse)
	found, err := s.solve(&centredFactor{ctx, factor, &cert}, &centredSystem{s, epsilon}, s.q, s.kq, ridge, &cert)
	if err == nil && s.LeaveOneOut {
		found.influences, err = s.influences(ctx, factor, epsilon)
	}
	return found, err
}

// centredCertificate returns what is known of a fit with HKH + εI beforehand.
func (s *scaledProblem) centredCertificate(epsilon, inverse float64) Certificate {
	c := s.certificate("centred", epsilon, inverse)
	c.Rank = s.rank
	return c
}

// centredFactor solves with a factorization of HKH + εI.
type centredFactor struct {
	ctx    context.Context
	factor *ridgeFactor
	cert   *Certificate // records the errors after refinement
}

func (s *centredFactor) solve(f *matrix.Dense) (columns, error) {
	z, kz, refined, err := s.factor.solve(s.ctx, f)
	s.cert.record(refined)
	return columns{re: z, kre: kz, forward: refined.Forward}, err
}

// centredSystem solves with HKH + εI.
type centredSystem struct {
	of      *scaledProblem
	epsilon float64
}

func (s *centredSystem) right(q *matrix.Dense) *matrix.Dense { return q }

func (s *centredSystem) pass(w columns, q *matrix.Dense, kq contrastProducts) (p pass, err error) {
	z := w.re
	sigma := scaled(matrix.Mul(nil, q, matrix.Transposed, z.View(0, 0, q.Rows, z.Cols), matrix.NoTrans), s.epsilon)
	symmetrize(sigma)
	e := s.of.centredErrors(kq, columnNorms(z), s.epsilon, w.forward)
	psi := complement(sigma, kq, z, scaledBy(columnNorms(z), w.forward), &e)
	p = pass{w: z, kw: centredProjections(w.kre, s.epsilon)}
	p.lambda, p.gamma, p.errors, err = fromPencil(psi, sigma, e)
	return p, err
}

// centredProjections returns the products kw with HKH, or nil where they come from a matrix
// with an ε on its diagonal that, above the largest kernel values, leaves less of them than
// they are rounded by.
func centredProjections(kw *matrix.Dense, epsilon float64) *matrix.Dense {
	if epsilon > 1 {
		return nil
	}
	return kw
}

func (s *centredSystem) rotated(_ *matrix.Dense, kq contrastProducts, v *matrix.Dense) (contrastProducts, error) {
	return kq.rotated(v), nil
}

// rounding bounds the norm of the error of HKH, an entry of which is K less its mean, less
// two means, plus one, each rounded (the errors of means are killed by sums of zero); and
// of what ε is rounded by on the diagonal.
func (s *scaledProblem) rounding(epsilon float64) (centred, diagonal float64) {
	means := s.weighed.value(float64(math.Sqrt(float64(2*s.total)) * math.Sqrt(s.weights.SumSquares(s.centring.Means))))
	formed := float64(float64(s.terms) * float64(s.total*s.mean))
	entries, _ := s.rounded()
	return float64(u*(float64(5*s.norm)+float64(3*means)+formed)) + float64(entries*s.norm), float64(2 * float64(u*(epsilon+s.norm)))
}

// centredErrors bounds the errors of Σ = εQᵀZ, for columns of Z of such norms and relative
// errors, and of what the rounding of HKH makes of Σ and of Ψ: εZᵀΔZ, for a change Δ.
func (s *scaledProblem) centredErrors(kq contrastProducts, sizes []float64, epsilon, forward float64) pencilError {
	p := len(sizes)
	e := newPencilError(p)
	centred, diagonal := s.rounding(epsilon)
	sizeKQ := columnNorms(kq.Dense)
	_, contrasts := s.rounded() // δΣ = ε(ΔQᵀZ + …), and Q − εZ = HKHZ
	if contrasts != 0 {
		e.contrasts += weighedContrasts
	}
	for i := range p {
		for j := range p {
			larger := math.Max(sizes[i], sizes[j])
			both := float64(float64(epsilon*sizes[i]) * sizes[j])
			product := math.Max(float64(sizeKQ[i]*sizes[j]), float64(sizeKQ[j]*sizes[i]))
			rounded := float64(contrasts * (sizes[i] + sizes[j]))
			e.sigma.Set(i, j, float64(epsilon*innerError(s.rows, 1, 0, larger, float64(forward*larger)))+float64(both*(centred+diagonal))+float64(epsilon*rounded))
			e.psi.Set(i, j, float64(both*centred)+float64(product*(diagonal/epsilon))+float64(s.norm*rounded))
		}
	}
	return e
}

// indefiniteOnSpace returns the error of a solve with HKH + εI on a space.
func (s *scaledProblem) indefiniteOnSpace(err error, ridge float64) error {
	err = s.indefinite(err, ridge)
	if e := (*IndefiniteKernelError)(nil); errors.As(err, &e) {
		e.Pivot = -1 // it is no row of K
	}
	return err
}

// withRidge returns the rows of HKH + εI, with the entries of the factored matrix.
func (s *scaledProblem) withRidge(epsilon float64) solve.Source {
	return ridgeSource{s.rowsOf(s.Source, s.centring), epsilon}
}

// ridgeSource is HKH + εI by rows, with the entries of the factored matrix.
type ridgeSource struct {
	solve.Source // of HKH
	epsilon      float64
}

func (s ridgeSource) Rows(dst *matrix.Dense, i0 int) {
	s.Source.Rows(dst, i0)
	for r := range dst.Rows {
		row := dst.Row(r)
		row[i0+r] += s.epsilon
	}
}
