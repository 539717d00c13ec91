package fisher

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// Shifted solves M α = λ(N + εI)α without forming N. With σ = √ε, q₀ =
// 1/√n and the contrasts Q,
//
//	(K − iσI)[w₀ W_Q] = [q₀ Q]
//	s = σ Im(w₀)ᵀQ,  S₀ = ‖σw₀‖²,  W = W_Q − w₀ s/S₀
//	Σ = (σ Re W)ᵀ(σ Re W) + (σ Im W)ᵀ(σ Im W)
//	Ψ = (KQ)ᵀ Re(W) = (KQ)ᵀ Re(W_Q) + sᵀs/S₀ = I − Σ
//	ΨΓ = ΣΓ diag(λ),  ΓᵀΣΓ = I,  α_k = Re(W) Γ_k √((1+λ_k)/λ_k)
//
// because Re (K−iσI)⁻¹ = K(K²+εI)⁻¹, Im (K−iσI)⁻¹ = σ(K²+εI)⁻¹ and N + εI =
// K² + εI − (KE)(KE)ᵀ: Woodbury's identity, with the common mode q₀ taken out.
// The condition number is the square root of that of N + εI. Everything is
// scaled by powers of two so that max|K| is in [1, 2). Cost: 4n³/3 real flops,
// the memory of K.
func Shifted(ctx context.Context, p Problem) (*Solution, error) {
	s, err := p.scaled(false)
	if err != nil {
		return nil, err
	}
	ridge, sigma, err := s.sigma(p.Regularizer)
	if err != nil {
		return nil, err
	}
	if err := s.findContrasts(); err != nil {
		return nil, err
	}
	cert := s.shiftedCertificate(sigma)
	if err := cert.checkKernelRounding("√ε"); err != nil {
		return nil, err
	}
	if found, err := s.krylov(ctx, ridge, sigma, cert); found != nil || err != nil {
		return found, err
	}
	factor, err := solve.FactorShifted(ctx, s.K, sigma)
	if err != nil {
		return nil, err
	}
	cert.Growth = factor.Growth()
	return s.shiftedSolution(ctx, &shiftedFactor{ctx, factor, s.rowsOfK(), &cert}, ridge, sigma, &cert)
}

// shiftedCertificate returns what is known of a fit with K − iσI beforehand.
func (s *scaledProblem) shiftedCertificate(sigma float64) Certificate {
	return Certificate{
		Solver:         "shifted",
		CondBound:      math.Sqrt(math.FMA(s.norm, s.norm, float64(sigma*sigma))) / sigma,
		KernelRounding: float64(u*s.norm) / sigma,
		Rank:           s.rank,
	}
}

// shiftedSolution is the solution by a solver for all n rows.
func (s *scaledProblem) shiftedSolution(ctx context.Context, solver solver, ridge, sigma float64, cert *Certificate) (*Solution, error) {
	system := &shiftedSystem{q0: constantColumn(s.rows), sigma: sigma, exact: &exactContrasts{ctx, s.rowsOfK(), s.norm}, solver: solver}
	return s.solve(solver, system, s.q, s.kq, ridge, cert)
}

// shiftedFactor solves with a factorization of K − iσI.
type shiftedFactor struct {
	ctx    context.Context
	factor *solve.Shifted
	source solve.Source
	cert   *Certificate // records what refinement comes to
}

// solve returns (K − iσI)⁻¹f, refined with residuals in doubled precision.
func (s *shiftedFactor) solve(f *matrix.Dense) (columns, error) {
	w := columns{re: f.Clone(), im: matrix.New(f.Rows, f.Cols), kre: matrix.New(f.Rows, f.Cols)}
	s.factor.Solve(w.re, w.im)
	refined, err := s.factor.Refine(s.ctx, s.source, f, w.re, w.im, w.kre, refinementSteps)
	s.cert.record(refined)
	w.forward = refined.Forward
	return w, err
}

// shiftedSystem solves with K − iσI.
type shiftedSystem struct {
	q0     *matrix.Dense // 1/√n
	sigma  float64
	exact  *exactContrasts // nil where nothing is refined
	solver solver          // and this too
	common columns         // w₀, from the first pass on
	share  *matrix.Dense   // of w₀ in the columns of the last pass, see commonShare
	scaled columns         // memory for σW

	// inCoordinates says that all columns are in coordinates of a reduction, with a last
	// row q₀ᵀF of the right-hand sides F.
	inCoordinates bool
}

// rotated returns KQ for Q that are the contrasts of kq, rotated by v.
func (s *shiftedSystem) rotated(q *matrix.Dense, kq contrastProducts, v *matrix.Dense) (contrastProducts, error) {
	if s.exact == nil {
		return kq.rotated(v), nil
	}
	return s.exact.product(q)
}

// right returns [q₀ Q] in the first pass, so that w₀ and W_Q are solved for at once, and Q
// in the second.
func (s *shiftedSystem) right(q *matrix.Dense) *matrix.Dense {
	f := q
	if s.common.re == nil {
		f = beside(s.q0, q)
	}
	if s.inCoordinates {
		f = f.View(0, 0, f.Rows-1, f.Cols)
	}
	return f
}

// mean returns q₀ᵀf of column j of F, which is zero but for rounding where F holds
// contrasts.
func (s *shiftedSystem) mean(f *matrix.Dense, j int) float64 {
	if s.inCoordinates {
		return f.At(f.Rows-1, j)
	}
	return meanOf(f, j)
}

func (s *shiftedSystem) pass(w columns, q *matrix.Dense, kq contrastProducts) (p pass, err error) {
	if s.common.re == nil {
		s.common, w = w.view(0, 1), w.view(1, q.Cols)
	}
	before, errors := columnNorms(w.re), scaledBy(w.norms(), w.forward)
	s.share = s.takeCommon(w, errors, kq, q)
	if s.exact != nil && cancelled(before, columnNorms(w.re)) {
		f, low := s.without(s.share, q)
		both, err := s.solver.solve(beside(f, low))
		if err != nil {
			return pass{}, err
		}
		w = both.view(0, q.Cols)
		errors = scaledBy(w.norms(), both.forward)
		rest := both.view(q.Cols, q.Cols)
		for j, v := range rest.norms() {
			errors[j] += float64((both.forward + u) * v)
		}
		w.add(rest)
		s.takeCommon(w, errors, kq, f, low)
	}

	sre, sim := scaledIn(s.scaled.re, w.re, s.sigma), scaledIn(s.scaled.im, w.im, s.sigma)
	sigma := matrix.SymRankK(nil, sre, matrix.Transposed)
	matrix.AddSymRankK(sigma, sim, matrix.Transposed)

	e := newPencilError(q.Cols)
	sizes := w.norms()
	for i := range sizes {
		for j := range sizes {
			e.sigma.Set(i, j, float64(float64(s.sigma*s.sigma)*innerError(2*q.Rows, sizes[i], errors[i], sizes[j], errors[j])))
		}
	}
	psi := complement(sigma, kq, w.re, errors, &e)
	p = pass{w: w.re, kw: w.kre}
	p.lambda, p.gamma, p.errors, err = fromPencil(psi, sigma, e)
	return p, err
}

// cancellation is the factor by which the real part of a column of W_Q, which is as
// good as its last rounding, may shrink where its share of w₀ is taken out. Where one
// shrinks more, the system is solved for Q − q₀·share, the solution of which is W itself.
const cancellation = 16

func cancelled(before, after []float64) bool {
	for j, size := range after {
		if before[j] > float64(cancellation*size) {
			return true
		}
	}
	return false
}

// without returns Q − q₀·share as a sum of two matrices. The first is that rounded;
// where the share is large, it holds Q with few digits.
func (s *shiftedSystem) without(share, q *matrix.Dense) (f, low *matrix.Dense) {
	f, low = matrix.New(q.Rows, q.Cols), matrix.New(q.Rows, q.Cols)
	for i := range q.Rows {
		q0 := s.q0.At(i, 0)
		for j, v := range q.Row(i) {
			sum, rest := f64.AddProduct(v, 0, -q0, share.At(0, j))
			f.Set(i, j, sum)
			low.Set(i, j, rest)
		}
	}
	return f, low
}

// takeCommon takes out of W, the solution for the sum of f, its share of w₀, which it
// returns, and adds what that may do to the errors of the columns.
func (s *shiftedSystem) takeCommon(w columns, errors []float64, kq contrastProducts, f ...*matrix.Dense) (share *matrix.Dense) {
	sizes, common := w.norms(), s.common.norms()[0]
	share, shareErrors := s.commonShare(w, errors, kq, f...)
	for j, size := range sizes {
		held := math.Abs(float64(share.At(0, j) * common))
		errors[j] += float64(common*shareErrors[j]) + float64(s.common.forward*held) + float64(4*u*(size+held))
	}
	matrix.SubMul(w.re, s.common.re, matrix.NoTrans, share, matrix.NoTrans)
	matrix.SubMul(w.im, s.common.im, matrix.NoTrans, share, matrix.NoTrans)
	if w.kre != nil {
		matrix.SubMul(w.kre, s.common.kre, matrix.NoTrans, share, matrix.NoTrans)
	}
	return share
}

// commonShare returns, 1×(c−1), how much of w₀ each column of the solution W_Q, for
// the sum of f, holds and W does not: s/S₀, s = σ Im(w₀)ᵀQ, which is the real inner product of
// σw₀ with σW_Q over S₀ = ‖σw₀‖². In that form W comes out orthogonal to w₀ up to
// the rounding of W_Q, also where Q is orthogonal to q₀ only up to rounding: with
// Q + q₀e for Q both the solution and the share hold w₀e more.
//
// Where σ is far above K, w₀ is nearly i q₀/σ and the product nothing but
// rounding. There s = −(KQ)ᵀRe(w₀), from (K − iσI)w₀ = q₀ and Qᵀq₀ = 0, and e =
// q₀ᵀQ is summed in doubled precision. The form with the smaller factors, and so
// the smaller rounding error, is taken.
//
// With it come bounds of its errors, given those of the columns of W_Q.
func (s *shiftedSystem) commonShare(w columns, errors []float64, kq contrastProducts, f ...*matrix.Dense) (share *matrix.Dense, shareErrors []float64) {
	common := columns{re: scaled(s.common.re, s.sigma), im: scaled(s.common.im, s.sigma)}
	s0 := common.inner(common).At(0, 0)
	s.scaled = columns{re: scaledIn(s.scaled.re, w.re, s.sigma), im: scaledIn(s.scaled.im, w.im, s.sigma)}
	inner := common.inner(s.scaled)
	fromRe := matrix.Mul(nil, s.common.re, matrix.Transposed, kq.Dense, matrix.NoTrans)
	sizeRe, sizeKQ := columnNorms(s.common.re)[0], columnNorms(kq.Dense)
	size, sizeW := s.common.norms()[0], w.norms()
	of := float64(s.common.forward * size) // the error of w₀
	n := len(common.re.Data)

	share, shareErrors = matrix.New(1, kq.Cols), make([]float64, kq.Cols)
	for j := range kq.Cols {
		if float64(sizeRe*sizeKQ[j]) < float64(math.Sqrt(s0)*float64(s.sigma*sizeW[j])) {
			mean := 0.0
			for _, part := range f {
				mean += s.mean(part, j)
			}
			share.Set(0, j, mean-fromRe.At(0, j)/s0)
			shareErrors[j] = innerError(n, sizeRe, of, sizeKQ[j], kq.errors[j]) / s0
		} else {
			share.Set(0, j, inner.At(0, j)/s0)
			shareErrors[j] = innerError(2*n, size, of, sizeW[j], errors[j]) / float64(size*size)
		}
		// S₀ has twice the relative error of w₀.
		shareErrors[j] += float64((chainError(2*n+8) + float64(2*s.common.forward)) * math.Abs(share.At(0, j)))
	}
	return share, shareErrors
}
