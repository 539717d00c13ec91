package discriminant

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

const (
	// kernelRoundingLimit is the largest u‖K‖/σ at which a fit is accepted: above
	// it the rounding of K itself may change α by a per cent.
	kernelRoundingLimit = 1e-2
	// secondPassTolerance bounds u(1+λ₁)/min(1, λ_last), the loss of relative
	// accuracy in the smallest eigenvalue, above which the contrasts are rotated
	// and solved for again.
	secondPassTolerance = 0x1p-44
)

// solveShifted solves M α = λ(N + εI)α without forming N. With σ = √ε, q₀ =
// 1/√n and the contrasts Q,
//
//	(K − iσI)[w₀ W_Q] = [q₀ Q]
//	s = σ Im(w₀)ᵀQ,  S₀ = ‖σw₀‖²,  W = W_Q − w₀ s/S₀
//	Σ = (σ Re W)ᵀ(σ Re W) + (σ Im W)ᵀ(σ Im W)
//	Ψ = (KQ)ᵀ Re(W_Q) + sᵀs/S₀,  Σ + Ψ = I
//	ΨΓ = ΣΓ diag(λ),  ΓᵀΣΓ = I,  α_k = Re(W) Γ_k √((1+λ_k)/λ_k)
//
// because Re (K−iσI)⁻¹ = K(K²+εI)⁻¹, Im (K−iσI)⁻¹ = σ(K²+εI)⁻¹ and N + εI =
// K² + εI − (KE)(KE)ᵀ: Woodbury's identity, with the common mode q₀ taken out.
// The condition number is the square root of that of N + εI. Everything is
// scaled by powers of two so that max|K| is in [1, 2). Cost: 4n³/3 real flops,
// the memory of K.
func solveShifted(ctx context.Context, p problem) (*solution, error) {
	n := p.k.Rows
	maxAbs := matrix.MaxAbs(p.k)
	if maxAbs == 0 {
		return nil, &CoincidentMeansError{}
	}
	scale := unitScale(maxAbs)
	scale.matrix(p.k)
	source := scaledSource{p.source, scale}
	norm := matrix.NormFrobenius(p.k)

	ridge, sigma, err := ridgeOf(p, scale, norm)
	if err != nil {
		return nil, err
	}
	cert := Certificate{
		Solver:         "shifted",
		CondBound:      math.Sqrt(math.FMA(norm, norm, float64(sigma*sigma))) / sigma,
		KernelRounding: float64(u*norm) / sigma,
		Passes:         1,
	}
	q := contrasts(p.codes, p.counts, SummedScatter)
	kq := matrix.Mul(nil, p.k, matrix.NoTrans, q, matrix.NoTrans)
	if cert.Rank, err = contrastRank(kq, norm); err != nil {
		return nil, err
	}
	take, err := componentsOf(p, cert.Rank)
	if err != nil {
		return nil, err
	}
	if cert.KernelRounding > kernelRoundingLimit {
		return nil, &AccuracyError{What: "the effect of the rounding of the kernel matrix, u‖K‖/√ε,", Value: cert.KernelRounding, Limit: kernelRoundingLimit}
	}

	factor, err := solve.FactorShifted(ctx, p.k, sigma)
	if err != nil {
		return nil, err
	}
	cert.Growth = factor.Growth()
	s := shiftedSystem{ctx: ctx, factor: factor, source: source, sigma: sigma}
	q0 := matrix.New(n, 1)
	for i := range n {
		q0.Set(i, 0, 1/math.Sqrt(float64(n)))
	}
	if s.common, err = s.solve(q0); err != nil {
		return nil, err
	}
	pass, err := s.pass(q, kq)
	if err != nil {
		return nil, err
	}
	last := math.Min(1, pass.lambda[cert.Rank-1])
	if q.Cols > 1 && float64(u*(1+pass.lambda[0])) > float64(secondPassTolerance*last) {
		// Contrasts that are already the discriminants: each column of the
		// solution is then accurate relative to its own size.
		v := pass.gamma.Clone()
		for k, l := range pass.lambda {
			f := 1 / math.Sqrt(1+l)
			for i := range v.Rows {
				v.Set(i, k, float64(v.At(i, k)*f))
			}
		}
		solve.Orthonormalize(v)
		q = matrix.Mul(nil, q, matrix.NoTrans, v, matrix.NoTrans)
		kq = matrix.Mul(nil, kq, matrix.NoTrans, v, matrix.NoTrans)
		if pass, err = s.pass(q, kq); err != nil {
			return nil, err
		}
		cert.Passes = 2
	}
	cert.Backward = s.backward
	if limit := float64(float64(n) * u); cert.Backward > limit {
		return nil, &AccuracyError{What: "the backward error of the factorization of an indefinite kernel matrix", Value: cert.Backward, Limit: limit}
	}
	lambda, err := leading(pass.lambda[:cert.Rank], take, &cert)
	if err != nil {
		return nil, err
	}
	return &solution{
		lambda:      lambda,
		alpha:       directions(pass.w, pass.gamma, lambda, scale.exp),
		ridge:       ridge,
		certificate: cert,
	}, nil
}

// shiftedSystem solves with one factorization of K − iσI.
type shiftedSystem struct {
	ctx      context.Context
	factor   *solve.Shifted
	source   solve.Source
	sigma    float64
	common   complexColumns // w₀
	backward float64        // the largest so far
}

// complexColumns holds complex columns as two real matrices.
type complexColumns struct{ re, im *matrix.Dense }

// solve returns (K − iσI)⁻¹f, refined once with residuals in doubled precision.
func (s *shiftedSystem) solve(f *matrix.Dense) (complexColumns, error) {
	w := complexColumns{re: f.Clone(), im: matrix.New(f.Rows, f.Cols)}
	s.factor.Solve(w.re, w.im)
	backward, err := s.factor.Refine(s.ctx, s.source, f, w.re, w.im, 1)
	if err != nil {
		return w, err
	}
	s.backward = math.Max(s.backward, backward)
	return w, nil
}

// shiftedPass is the small problem that the contrasts Q lead to.
type shiftedPass struct {
	w      *matrix.Dense // Re W, n×(c−1)
	lambda []float64
	gamma  *matrix.Dense
}

func (s *shiftedSystem) pass(q, kq *matrix.Dense) (shiftedPass, error) {
	w, err := s.solve(q)
	if err != nil {
		return shiftedPass{}, err
	}
	// Ψ begins with (KQ)ᵀ Re(W_Q), before the common mode is taken out of W.
	psi := matrix.Mul(nil, kq, matrix.Transposed, w.re, matrix.NoTrans)

	sw0 := complexColumns{scaled(s.common.re, s.sigma), scaled(s.common.im, s.sigma)}
	row := matrix.Mul(nil, sw0.im, matrix.Transposed, q, matrix.NoTrans) // s, 1×(c−1)
	s0 := matrix.Mul(nil, sw0.re, matrix.Transposed, sw0.re, matrix.NoTrans)
	matrix.AddMul(s0, sw0.im, matrix.Transposed, sw0.im, matrix.NoTrans)
	ratio := row.Clone() // s/S₀
	for k, v := range ratio.Row(0) {
		ratio.Row(0)[k] = v / s0.At(0, 0)
	}
	matrix.SubMul(w.re, s.common.re, matrix.NoTrans, ratio, matrix.NoTrans)
	matrix.SubMul(w.im, s.common.im, matrix.NoTrans, ratio, matrix.NoTrans)
	matrix.AddMul(psi, row, matrix.Transposed, ratio, matrix.NoTrans)
	symmetrize(psi)

	sre, sim := scaled(w.re, s.sigma), scaled(w.im, s.sigma)
	sigma := matrix.SymRankK(nil, sre, matrix.Transposed)
	matrix.AddSymRankK(sigma, sim, matrix.Transposed)

	p := shiftedPass{w: w.re}
	p.lambda, p.gamma, err = fromPencil(psi, sigma)
	return p, err
}

// scaled returns f·a.
func scaled(a *matrix.Dense, f float64) *matrix.Dense {
	b := matrix.New(a.Rows, a.Cols)
	for i := range a.Rows {
		to := b.Row(i)
		for j, v := range a.Row(i) {
			to[j] = float64(v * f)
		}
	}
	return b
}

// symmetrize replaces a, symmetric up to rounding, by (a + aᵀ)/2.
func symmetrize(a *matrix.Dense) {
	for i := range a.Rows {
		for j := range i {
			v := float64(0.5 * (a.At(i, j) + a.At(j, i)))
			a.Set(i, j, v)
			a.Set(j, i, v)
		}
	}
}
