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
// The search is for GY = B, preconditioned by (FFᵀ + σI + ½D)²: (FFᵀ + σI)² is between
// (FFᵀ)² + εI and twice that. For any Z = X + iσY, and X ≈ KY here, the residual is
//
//	B − (K − iσI)Z = R + iJ,   R = B − KX − εY,   J = σ(X − KY)
//
// and J no more than rounding. For a complex symmetric A and the whole residual R′, AZ + R′ put
// twice for B gives BᵀA⁻¹B = BᵀZ + ZᵀR′ + R′ᵀA⁻¹R′, without conjugates. σ times the imaginary
// part of that is, with A⁻¹ = (K + iσI)G⁻¹,
//
//	T = L + Δ + E,   L = ε(BᵀY + YᵀR) + σXᵀJ,   Δ = εRᵀG⁻¹R,   0 ≼ Δ ≼ RᵀR
//	E = RᵀσKG⁻¹J + JᵀσKG⁻¹R − JᵀεG⁻¹J,   ‖σKG⁻¹‖ ≤ ½,  ‖εG⁻¹‖ ≤ 1
//
// for any symmetric K, positive semidefinite or not. E counts as rounding. Σ is the least of
// [−s I]ᵀT[−s I] over all s, and so grows with T: with s = L_00⁻¹L_0Q, where it is least for L,
//
//	L_QQ − L_Q0 s ≼ Σ ≼ L_QQ − L_Q0 s + (R_Q − r₀s)ᵀ(R_Q − r₀s)
//
// Rounding of L within diag(a, bI), a ≤ L_00/2, moves these ends by b + 2a‖s‖² at most, as
// 1/(L_00 − a) is at most (1 + 2a/L_00)/L_00; and for any τ > 0 errors of L_00, L_0Q and L_QQ
// of norms α, β and γ are within a = α + β/τ, b = γ + βτ. So the intervals need no condition
// number, their width falls with the square of the residual, and no digits are lost where K
// has a large common part and T_00 is small.
//
// Columns of W = W_Q − w₀s/S₀ of [Shifted] err by at most 2‖R_Q − r₀s‖/σ: by ‖·‖/σ for s as it
// is, and s differs from the exact T_00⁻¹T_0Q by at most ‖·‖/√T_00 (by Cauchy and Schwarz in
// εG⁻¹, where r₀ is no longer than √T_00), times ‖w₀‖ = √T_00/σ.
func (c *conjugate) shifted(ctx context.Context, f *matrix.Dense, left []float64) (kq *matrix.Dense, inverse func(*matrix.Dense) *matrix.Dense, err error) {
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
	c.cert.Solver, c.cert.Growth, c.cert.Passes = ConjugateSolver, 1, 1
	if err := c.cert.checkKernelRounding("√ε"); err != nil {
		return nil, nil, err
	}
	c.right = s.withConstant()
	if kq, err = c.e.Product(ctx, c.scaledUp(s.q), nil); err != nil {
		return nil, nil, err
	}
	c.precondition, err = newLowRank(ctx, f, withShare(c.sigma, left, preconditionShare))
	of := c.precondition
	return kq, func(x *matrix.Dense) *matrix.Dense { return of.times(of.times(x)) }, err
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

// imaginary is the imaginary part J of a residual, and the real part X of what it is of.
type imaginary struct {
	x, j         *matrix.Dense
	sizeX, sizeJ []float64 // norms of the columns, those of J with their errors
	errors       []float64 // norms of these
}

// bound returns the bound of an entry of E, and of the rounding of σXᵀJ.
func (i *imaginary) bound(c *conjugate, sizeR float64, j, k int) float64 {
	if i == nil {
		return 0
	}
	rest := float64(i.sizeJ[k] * (sizeR + i.sizeJ[j]))
	return rest + float64(c.sigma*innerError(c.rows, i.sizeX[j], 0, i.sizeJ[k], i.errors[k]))
}

// eliminate returns the Schur complement of the first row of L and R_Q − r₀s, and sets the
// rounding by the bounds of that of L.
func (i *intervals) eliminate(low, r, bounds *matrix.Dense) (*matrix.Dense, *matrix.Dense) {
	p, first := low.Rows-1, low.At(0, 0)
	i.share = low.View(0, 1, 1, p).Clone()
	for j := range p {
		i.share.Row(0)[j] /= first
	}
	square := matrix.SumSquares(i.share.Row(0))
	corner, edge := bounds.At(0, 0), matrix.NormFrobenius(bounds.View(0, 1, 1, p))
	if !(corner < float64(0.25*first)) || math.IsInf(square, 1) {
		i.rounding, i.share = 1, matrix.New(1, p) // nothing is known
	} else {
		tau := math.Max(math.Sqrt(float64(2*square)), float64(4*edge)/first)
		i.rounding = matrix.NormFrobenius(bounds.View(1, 1, p, p)) + float64(2*float64(corner*square))
		if edge > 0 {
			i.rounding += float64(edge * (tau + float64(2*square)/tau))
		}
	}
	l := low.View(1, 1, p, p).Clone()
	matrix.SubMul(l, low.View(1, 0, p, 1), matrix.NoTrans, i.share, matrix.NoTrans)
	symmetrize(l)
	rest := withoutShare(r, i.share)
	size := matrix.NormFrobenius(r) + float64(columnNorms(r)[0]*math.Sqrt(square)) // before they cancel
	i.rounding += float64(float64(8*u) * float64(size*size))
	return l, rest
}

// withoutShare returns A_Q − a₀s for A = [a₀ A_Q].
func withoutShare(a, s *matrix.Dense) *matrix.Dense {
	q := a.View(0, 1, a.Rows, s.Cols).Clone()
	matrix.SubMul(q, a.View(0, 0, a.Rows, 1), matrix.NoTrans, s, matrix.NoTrans)
	return q
}

// shiftedResidual is residual for K − iσI.
func (c *conjugate) shiftedResidual(ctx context.Context) (*intervals, error) {
	x, err := c.e.Product(ctx, c.scaledUp(c.step.Z), nil)
	if err != nil {
		return nil, err
	}
	y := scaled(c.step.Z, c.sigma)
	r, j, kx, err := solve.ShiftedResidual(ctx, c.rowsOf(c.e, nil), c.sigma, c.right, x, y)
	if err != nil {
		return nil, err
	}
	twice, errors := c.doubledError(), columnNorms(r)
	im := &imaginary{x: x, j: j, sizeX: columnNorms(x), sizeJ: columnNorms(j), errors: columnNorms(j)}
	sizeY, totalX, totalY := columnNorms(y), columnTotals(x), columnTotals(y)
	for k, v := range errors {
		errors[k] = float64(2*float64(u*v)) + float64(twice*totalX[k]) + float64(8*u*u*(1+float64(c.sigma*sizeY[k])))
		im.errors[k] = float64(2*float64(u*im.errors[k])) + float64(twice*totalY[k]) + float64(8*u*u*float64(c.sigma*im.sizeX[k]))
		im.sizeJ[k] += im.errors[k]
	}
	found, err := c.intervals(y, r, errors, im)
	if err != nil {
		return nil, err
	}
	s := found.share
	found.r, found.w, found.kw = r, withoutShare(x, s), withoutShare(kx, s)
	c.cert.Backward, c.cert.Forward = 0, 0
	re, im0 := columnNorms(found.w), columnNorms(withoutShare(y, s))
	for k, v := range columnNorms(withoutShare(r, s)) {
		share := math.Abs(s.At(0, k))
		error := v + errors[1+k] + im.sizeJ[1+k] + float64(share*(errors[0]+im.sizeJ[0]))
		size := float64(c.sigma * math.Sqrt(math.FMA(re[k], re[k], float64(im0[k]*im0[k]))))
		c.cert.Backward = math.Max(c.cert.Backward, error/(1+size))
		c.cert.Forward = math.Max(c.cert.Forward, float64(2*error)/float64(c.sigma*re[k])) // α is of Re W
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
