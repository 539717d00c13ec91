package discriminant

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// solveShifted solves M α = λ(N + εI)α without forming N. With σ = √ε, q₀ =
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
func solveShifted(ctx context.Context, p problem) (*solution, error) {
	s, err := scaleProblem(p)
	if err != nil {
		return nil, err
	}
	ridge, sigma, err := ridgeOf(p.reg, s.scale, s.within)
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
	if found, err := s.solveKrylov(ctx, ridge, sigma, cert); found != nil || err != nil {
		return found, err
	}
	factor, err := solve.FactorShifted(ctx, s.k, sigma)
	if err != nil {
		return nil, err
	}
	cert.Growth = factor.Growth()
	system := shiftedSystem{
		solver: &shiftedFactor{ctx, factor, s.source, &cert},
		q0:     constantColumn(s.k.Rows), sigma: sigma, product: s.product(ctx),
	}
	return s.solution(&system, s.q, s.kq, ridge, &cert)
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

// solution solves for the contrasts q and their products kq with K, and completes
// the certificate.
func (s *scaledProblem) solution(system *shiftedSystem, q *matrix.Dense, kq contrastProducts, ridge float64, cert *Certificate) (*solution, error) {
	last, count, err := passes(system.pass, q, kq, s.rank, system.product)
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
	found := &solution{lambda: lambda, ridge: ridge, certificate: *cert}
	found.setAlpha(last.w, combinations(last.gamma, lambda), s.scale.exp)
	found.setProjections(last.kw)
	return found, nil
}

// shiftedSystem solves with K − iσI.
type shiftedSystem struct {
	solver  shiftedSolver
	q0      *matrix.Dense // 1/√n
	sigma   float64
	product func(q *matrix.Dense) (contrastProducts, error) // that of passes; nil where nothing is refined
	common  complexColumns                                  // w₀, from the first pass on
	share   *matrix.Dense                                   // of w₀ in the columns of the last pass, see commonShare
	scaled  complexColumns                                  // memory for σW
}

// shiftedSolver solves (K − iσI)W = F for real F.
type shiftedSolver interface {
	solve(f *matrix.Dense) (complexColumns, error)
	// mean returns q₀ᵀf of column j of F, which is zero but for rounding where F
	// holds contrasts.
	mean(f *matrix.Dense, j int) float64
}

// shiftedFactor solves with a factorization of K − iσI.
type shiftedFactor struct {
	ctx    context.Context
	factor *solve.Shifted
	source solve.Source
	cert   *Certificate // records the errors after refinement
}

// solve returns (K − iσI)⁻¹f, refined with residuals in doubled precision.
func (s *shiftedFactor) solve(f *matrix.Dense) (complexColumns, error) {
	w := complexColumns{re: f.Clone(), im: matrix.New(f.Rows, f.Cols), kre: matrix.New(f.Rows, f.Cols)}
	s.factor.Solve(w.re, w.im)
	refined, err := s.factor.Refine(s.ctx, s.source, f, w.re, w.im, w.kre, refinementSteps)
	s.cert.record(refined)
	w.forward = refined.Forward
	return w, err
}

func (s *shiftedFactor) mean(f *matrix.Dense, j int) float64 {
	return columnSum(f, j) / math.Sqrt(float64(f.Rows))
}

// constantColumn returns the n×1 matrix q₀ of entries 1/√n.
func constantColumn(n int) *matrix.Dense {
	q := matrix.New(n, 1)
	for i := range q.Data {
		q.Data[i] = 1 / math.Sqrt(float64(n))
	}
	return q
}

// complexColumns holds complex columns as two real matrices, and where it is known the
// product of K and the real one.
type complexColumns struct {
	re, im, kre *matrix.Dense
	forward     float64 // bounds the relative error of each column, as it was solved for
}

// view returns cols of the columns from j on.
func (a complexColumns) view(j, cols int) complexColumns {
	v := complexColumns{re: a.re.View(0, j, a.re.Rows, cols), im: a.im.View(0, j, a.im.Rows, cols), forward: a.forward}
	if a.kre != nil {
		v.kre = a.kre.View(0, j, a.kre.Rows, cols)
	}
	return v
}

// solutions returns w₀ and W_Q; the first call solves for both at once.
func (s *shiftedSystem) solutions(q *matrix.Dense) (complexColumns, error) {
	if s.common.re != nil {
		return s.solver.solve(q)
	}
	w, err := s.solver.solve(beside(s.q0, q))
	if err != nil {
		return w, err
	}
	s.common = w.view(0, 1)
	return w.view(1, q.Cols), nil
}

// beside returns [a b].
func beside(a, b *matrix.Dense) *matrix.Dense {
	both := matrix.New(a.Rows, a.Cols+b.Cols)
	both.View(0, 0, a.Rows, a.Cols).CopyFrom(a)
	both.View(0, a.Cols, a.Rows, b.Cols).CopyFrom(b)
	return both
}

func (s *shiftedSystem) pass(q *matrix.Dense, kq contrastProducts) (pass, error) {
	w, err := s.solutions(q)
	if err != nil {
		return pass{}, err
	}
	before, errors := columnNorms(w.re), scaledBy(w.columnNorms(), w.forward)
	s.share = s.takeCommon(w, errors, kq, q)
	if s.product != nil && cancelled(before, columnNorms(w.re)) {
		f, low := s.without(s.share, q)
		both, err := s.solver.solve(beside(f, low))
		if err != nil {
			return pass{}, err
		}
		w = both.view(0, q.Cols)
		errors = scaledBy(w.columnNorms(), both.forward)
		rest := both.view(q.Cols, q.Cols)
		for j, v := range rest.columnNorms() {
			errors[j] += float64((both.forward + u) * v)
		}
		w.add(rest)
		s.takeCommon(w, errors, kq, f, low)
	}

	sre, sim := scaledIn(s.scaled.re, w.re, s.sigma), scaledIn(s.scaled.im, w.im, s.sigma)
	sigma := matrix.SymRankK(nil, sre, matrix.Transposed)
	matrix.AddSymRankK(sigma, sim, matrix.Transposed)

	p, e := pass{w: w.re, kw: w.kre}, newPencilError(q.Cols)
	sizes := w.columnNorms()
	for i := range sizes {
		for j := range sizes {
			e.sigma.Set(i, j, float64(float64(s.sigma*s.sigma)*innerError(2*q.Rows, sizes[i], errors[i], sizes[j], errors[j])))
		}
	}
	psi := complement(sigma, kq, w.re, errors, &e)
	p.lambda, p.gamma, p.errors, err = fromPencil(psi, sigma, e)
	return p, err
}

// scaledBy returns f times the values.
func scaledBy(values []float64, f float64) []float64 {
	scaled := make([]float64, len(values))
	for i, v := range values {
		scaled[i] = float64(f * v)
	}
	return scaled
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
func (s *shiftedSystem) takeCommon(w complexColumns, errors []float64, kq contrastProducts, f ...*matrix.Dense) (share *matrix.Dense) {
	sizes, common := w.columnNorms(), s.common.columnNorms()[0]
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
func (s *shiftedSystem) commonShare(w complexColumns, errors []float64, kq contrastProducts, f ...*matrix.Dense) (share *matrix.Dense, shareErrors []float64) {
	common := complexColumns{re: scaled(s.common.re, s.sigma), im: scaled(s.common.im, s.sigma)}
	s0 := common.inner(common).At(0, 0)
	s.scaled = complexColumns{re: scaledIn(s.scaled.re, w.re, s.sigma), im: scaledIn(s.scaled.im, w.im, s.sigma)}
	inner := common.inner(s.scaled)
	fromRe := matrix.Mul(nil, s.common.re, matrix.Transposed, kq.Dense, matrix.NoTrans)
	sizeRe, sizeKQ := columnNorms(s.common.re)[0], columnNorms(kq.Dense)
	size, sizeW := s.common.columnNorms()[0], w.columnNorms()
	of := float64(s.common.forward * size) // the error of w₀
	n := len(common.re.Data)

	share, shareErrors = matrix.New(1, kq.Cols), make([]float64, kq.Cols)
	for j := range kq.Cols {
		if float64(sizeRe*sizeKQ[j]) < float64(math.Sqrt(s0)*float64(s.sigma*sizeW[j])) {
			mean := 0.0
			for _, part := range f {
				mean += s.solver.mean(part, j)
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

// add adds b, of which all parts are known, to a.
func (a complexColumns) add(b complexColumns) {
	for _, parts := range [][2]*matrix.Dense{{a.re, b.re}, {a.im, b.im}, {a.kre, b.kre}} {
		for i := range parts[0].Rows {
			row := parts[0].Row(i)
			for j, v := range parts[1].Row(i) {
				row[j] += v
			}
		}
	}
}

// inner returns the real inner products Re(aᴴb) of the columns.
func (a complexColumns) inner(b complexColumns) *matrix.Dense {
	p := matrix.Mul(nil, a.re, matrix.Transposed, b.re, matrix.NoTrans)
	matrix.AddMul(p, a.im, matrix.Transposed, b.im, matrix.NoTrans)
	return p
}

func (a complexColumns) columnNorms() []float64 {
	norms := columnNorms(a.re)
	for j, im := range columnNorms(a.im) {
		re := norms[j]
		norms[j] = math.Sqrt(math.FMA(re, re, float64(im*im)))
	}
	return norms
}

// columnSum returns the sum of column j of a, in doubled precision.
func columnSum(a *matrix.Dense, j int) float64 {
	sum, low := 0.0, 0.0
	for i := range a.Rows {
		sum, low = f64.AddProduct(sum, low, 1, a.At(i, j))
	}
	return sum + low
}

// scaled returns f·a.
func scaled(a *matrix.Dense, f float64) *matrix.Dense { return scaledIn(nil, a, f) }

// scaledIn returns f·a in b, or in memory of its own where b is nil.
func scaledIn(b, a *matrix.Dense, f float64) *matrix.Dense {
	if b == nil {
		b = matrix.New(a.Rows, a.Cols)
	}
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
