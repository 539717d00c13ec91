package fisher

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// shifted prepares the search for the ridge ε = σ² on the coefficients, and returns KQ and the
// preconditioner of F. By [Shifted], with B = [q₀ Q] and G = K² + εI,
//
//	T = σ Im Bᵀ(K − iσI)⁻¹B = εBᵀG⁻¹B,   Σ = T_QQ − T_Q0 T_00⁻¹ T_0Q
//
// The search is for GY = B, preconditioned by (FFᵀ + σI)², which is between (FFᵀ)² + εI and
// twice that. Then X ≈ KY and, for Z = X + iσY, the residual is
//
//	B − (K − iσI)Z = R − iσD,   R = B − KX − εY,   D = KY − X
//
// and D no more than rounding. For a complex symmetric A, BᵀA⁻¹B = BᵀZ + ZᵀR + RᵀA⁻¹R with the
// whole residual R, as in [Conjugate]; no conjugates. Its imaginary part, times σ, is
//
//	T = L + Δ + E,   L = ε(BᵀY + YᵀR − XᵀD),   Δ = εRᵀG⁻¹R,   0 ≼ Δ ≼ RᵀR
//	E = −σ(RᵀσKG⁻¹D + DᵀσKG⁻¹R) − εDᵀεG⁻¹D,   ‖σKG⁻¹‖ ≤ ½,  ‖εG⁻¹‖ ≤ 1
//
// for any symmetric K, positive semidefinite or not. Let s = L_00⁻¹L_0Q and, but for E, which is
// part of the rounding, L ≼ T ≼ L + RᵀR. Σ is the least [−s′ I]ᵀT[−s′ I] over all s′, and so grows
// with T: with L_s = [−s I]ᵀL[−s I], the least for L,
//
//	L_s ≼ Σ ≼ L_s + (R_Q − r₀s)ᵀ(R_Q − r₀s)
//
// Rounding of L by at most ρ ≤ L_00/2 moves the ends by ρ(1 + 2‖s‖²), since 1/(L_00 − ρ) is at
// most (1 + 2ρ/L_00)/L_00. So the intervals need no condition number, their width falls
// with the square of the residual, and q₀ need not be solved for well where T_00 is small.
//
// Columns of W = W_Q − w₀s/S₀ of [Shifted] err by at most 2‖R_Q − r₀s‖/σ: by ‖·‖/σ for s as it
// is, and s differs from the exact T_00⁻¹T_0Q by at most ‖·‖/√T_00 (by Cauchy and Schwarz in
// εG⁻¹, where r₀ is no longer than √T_00), times ‖w₀‖ = √T_00/σ.
func (c *conjugate) shifted(ctx context.Context, f *matrix.Dense) (kq *matrix.Dense, inverse func(*matrix.Dense) *matrix.Dense, err error) {
	s := c.scaledProblem
	if s.Regularizer.Kind != Ridge {
		if s.meanN, err = c.tiledMeanWithin(ctx); err != nil {
			return nil, nil, err
		}
		s.measured = true
	}
	if c.ridge, c.sigma, err = s.sigma(s.Regularizer); err != nil {
		return nil, nil, err
	}
	c.epsilon = float64(c.sigma * c.sigma)
	c.cert = s.shiftedCertificate(c.sigma)
	c.cert.Solver, c.cert.Growth, c.cert.Passes = "conjugate gradients", 1, 1
	if err := c.cert.checkKernelRounding("√ε"); err != nil {
		return nil, nil, err
	}
	c.right = s.withConstant()
	if kq, err = c.e.Product(ctx, c.scaledUp(s.q), nil); err != nil {
		return nil, nil, err
	}
	of, err := lowRank(ctx, f, c.sigma)
	return kq, func(x *matrix.Dense) *matrix.Dense { return of(of(x)) }, err
}

// withinRows is the number of rows of K that are made at a time for the trace of N.
const withinRows = 64

// tiledMeanWithin is [meanWithin] without the n×n matrix.
func (c *conjugate) tiledMeanWithin(ctx context.Context) (float64, error) {
	n, source := c.rows, c.rowsOf(c.e, nil)
	tile, traces := matrix.New(min(withinRows, n), n), []float64(nil)
	for i := 0; i < n; i += withinRows {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		rows := tile.View(0, 0, min(withinRows, n-i), n)
		source.Rows(rows, i)
		traces = append(traces, traceWithin(rows, c.Classes, false))
	}
	return meanOfTrace(matrix.Sum(traces), n, c.Classes, c.norm), nil
}

// multiplyTwice returns (K² + εI)X.
func (c *conjugate) multiplyTwice(ctx context.Context, x *matrix.Dense) (*matrix.Dense, error) {
	y, err := c.e.Product(ctx, c.scaledUp(x), nil)
	if err != nil {
		return nil, err
	}
	if y, err = c.e.Product(ctx, c.scaledUp(y), nil); err != nil {
		return nil, err
	}
	addScaled(y, c.epsilon, x)
	return y, nil
}

// imaginary is what makes −iσD, the imaginary part of a residual.
type imaginary struct {
	x, d         *matrix.Dense // X, and D = KY − X
	sizeX, sizeD []float64     // norms of the columns, those of D with their errors
	errors       []float64     // norms of these
}

// bound returns the bound of an entry of E, and of the rounding of εXᵀD.
func (i *imaginary) bound(c *conjugate, sizeR float64, j, k int) float64 {
	if i == nil {
		return 0
	}
	rest := float64(float64(c.sigma*i.sizeD[k]) * (sizeR + float64(c.sigma*i.sizeD[j])))
	return rest + float64(c.epsilon*innerError(c.rows, i.sizeX[j], 0, i.sizeD[k], i.errors[k]))
}

// eliminate returns the Schur complement of the first row of L, and R_Q − r₀s, and makes the
// rounding what it becomes.
func (i *intervals) eliminate(low, r *matrix.Dense) (*matrix.Dense, *matrix.Dense) {
	p, first := low.Rows-1, low.At(0, 0)
	i.share = low.View(0, 1, 1, p).Clone()
	for j := range p {
		i.share.Row(0)[j] /= first
	}
	if !(i.rounding <= float64(0.5*first)) {
		i.rounding, i.share = 1, matrix.New(1, p) // nothing is known
	} else {
		i.rounding = float64(i.rounding * (1 + float64(2*matrix.SumSquares(i.share.Row(0)))))
	}
	l := low.View(1, 1, p, p).Clone()
	matrix.SubMul(l, low.View(1, 0, p, 1), matrix.NoTrans, i.share, matrix.NoTrans)
	symmetrize(l)
	return l, withoutShare(r, i.share)
}

// withoutShare returns A_Q − a₀s for A = [a₀ A_Q].
func withoutShare(a, s *matrix.Dense) *matrix.Dense {
	q := a.View(0, 1, a.Rows, s.Cols).Clone()
	matrix.SubMul(q, a.View(0, 0, a.Rows, 1), matrix.NoTrans, s, matrix.NoTrans)
	return q
}

// shiftedResidual is residual for K − iσI.
func (c *conjugate) shiftedResidual(ctx context.Context) (*intervals, error) {
	n, y := c.rows, c.step.Z
	x, err := c.e.Product(ctx, c.scaledUp(y), nil)
	if err != nil {
		return nil, err
	}
	z := beside(x, y)
	both, err := solve.Product(ctx, c.e, c.scaledUp(z))
	if err != nil {
		return nil, err
	}
	kx, ky := both.View(0, 0, n, y.Cols), both.View(0, y.Cols, n, y.Cols)
	r, d := c.right.Clone(), ky.Clone()
	addScaled(r, -1, kx)
	addScaled(r, -c.epsilon, y)
	addScaled(d, -1, x)
	sizes, totals, twice := columnNorms(both), columnTotals(z), c.doubledError()
	sizeR, sizeX, sizeY, sizeD := columnNorms(r), columnNorms(x), columnNorms(y), columnNorms(d)
	errors, of := make([]float64, y.Cols), make([]float64, y.Cols)
	for j := range errors {
		near := float64(2*sizes[j]) + 1 + float64(2*float64(c.epsilon*sizeY[j])) + sizeR[j]
		errors[j] = float64(2*float64(u*near)) + contrastRounding(y.Cols) + float64(twice*totals[j])
		of[j] = float64(2*float64(u*(sizes[y.Cols+j]+sizeD[j]))) + float64(twice*totals[y.Cols+j])
		sizeD[j] += of[j]
	}
	found, err := c.intervals(y, r, errors, &imaginary{x: x, d: d, sizeX: sizeX, sizeD: sizeD, errors: of})
	if err != nil {
		return nil, err
	}
	found.r, found.w, found.kw = r, withoutShare(x, found.share), withoutShare(kx, found.share)
	c.cert.Backward, c.cert.Forward = 0, 0
	sizeX, sizeY = columnNorms(found.w), columnNorms(withoutShare(y, found.share))
	for j, v := range columnNorms(withoutShare(r, found.share)) {
		share := math.Abs(found.share.At(0, j))
		error := v + errors[1+j] + float64(share*errors[0]) + float64(c.sigma*(sizeD[1+j]+float64(share*sizeD[0])))
		size := float64(c.sigma * math.Sqrt(math.FMA(sizeX[j], sizeX[j], float64(float64(c.epsilon*sizeY[j])*sizeY[j]))))
		c.cert.Backward = math.Max(c.cert.Backward, error/(1+size))
		c.cert.Forward = math.Max(c.cert.Forward, float64(2*error)/size)
	}
	return found, nil
}

// columnTotals returns the sum of the magnitudes of each column.
func columnTotals(a *matrix.Dense) []float64 {
	totals := make([]float64, a.Cols)
	for i := range a.Rows {
		for j, v := range a.Row(i) {
			totals[j] += math.Abs(v)
		}
	}
	return totals
}
