package fisher

import (
	"context"
	"math"

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
		KernelRounding: s.kernelRounding(s.norm) / sigma,
		Rank:           s.rank,
	}
}

// shiftedSolution is the solution by a solver for all n rows.
func (s *scaledProblem) shiftedSolution(ctx context.Context, solver solver, ridge, sigma float64, cert *Certificate) (*Solution, error) {
	system := &shiftedSystem{of: &s.unitMatrix, q0: s.q0(), sigma: sigma, exact: &exactContrasts{ctx, s.rowsOfK(), &s.unitMatrix}, solver: solver}
	return s.solve(solver, system, s.q, s.kq, ridge, cert)
}

// shiftedFactor solves with a factorization of K − iσI.
type shiftedFactor struct {
	ctx    context.Context
	factor *solve.Shifted
	source solve.Source
	cert   *Certificate // records the errors after refinement
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
	of     *unitMatrix   // K
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
	return meanOf(f, j, s.of.weights)
}

// pass makes Σ and Ψ from W_Q less its share of the common mode w₀, see commonmode.go.
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
	s.addWeights(&e, w)
	psi := complement(sigma, kq, w.re, errors, &e)
	p = pass{w: w.re, kw: w.kre}
	p.lambda, p.gamma, p.errors, err = fromPencil(psi, sigma, e)
	return p, err
}

// addWeights adds to the errors of Σ and Ψ what the rounding of weights, in K and in the
// right-hand sides F = Q − q₀·share of the columns W, makes of them: with Im W = σ(K² + εI)⁻¹F,
//
//	δΣ = −σ(Im WᵀΔK Re W + …) + σ(Im WᵀΔF + …),   δΨ = −δΣ + FᵀΔF + …,   F − σ Im W = K Re W
func (s *shiftedSystem) addWeights(e *pencilError, w columns) {
	entries, contrasts := s.of.rounded()
	if entries == 0 {
		return
	}
	re, im := columnNorms(w.re), columnNorms(w.im)
	for i := range re {
		for j := range re {
			k := float64(float64(s.sigma*float64(entries*s.of.norm)) * (float64(im[i]*re[j]) + float64(re[i]*im[j])))
			fi, fj := 1+math.Abs(s.share.At(0, i)), 1+math.Abs(s.share.At(0, j))
			f := float64(contrasts * float64(s.sigma*(float64(im[i]*fj)+float64(im[j]*fi))))
			rest := float64(contrasts * float64(s.of.norm*(float64(re[i]*fj)+float64(re[j]*fi))))
			e.sigma.Set(i, j, e.sigma.At(i, j)+k+f)
			e.psi.Set(i, j, e.psi.At(i, j)+k+rest)
		}
	}
	e.contrasts += weighedContrasts
}
