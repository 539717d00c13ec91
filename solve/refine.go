package solve

import (
	"context"
	"fmt"
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// Refine improves the solution W = wre + i·wim of (K − iσI)W = F, for a real n×r
// matrix F, by steps of iterative refinement, W ← W + (LDLᵀ)⁻¹R with residuals R
// in doubled precision; K comes from src. It returns the normwise backward error
// of the result,
//
//	max over columns of ‖r‖₂ / (‖K‖_F ‖w‖₂ + ‖f‖₂),
//
// or the error of a cancelled context, with W the result of the last whole step.
// Each step multiplies the forward error of a column by at most a small multiple
// of ρ = u·growth·cond(K − iσI), until a few u are left: one step is enough for
// ρ < √u, more are needed above, and ρ near 1 does not converge. steps = 0 only
// measures. Cost: steps+1 residuals and steps solves.
func (s *Shifted) Refine(ctx context.Context, src Source, f, wre, wim *matrix.Dense, steps int) (backward float64, err error) {
	mustMatch(src, s.Order())
	rre, rim := matrix.New(f.Rows, f.Cols), matrix.New(f.Rows, f.Cols)
	for {
		if err := residual(ctx, rre, rim, src, s.sigma, f, wre, wim); err != nil {
			return 0, err
		}
		if steps <= 0 {
			break
		}
		steps--
		s.Solve(rre, rim)
		add(wre, rre)
		add(wim, rim)
	}
	for c := range f.Cols {
		backward = max(backward, backwardError(s.norm, columnNorm(c, rre, rim), columnNorm(c, wre, wim), columnNorm(c, f)))
	}
	return backward, nil
}

// Refine improves the solution W of AW = F by steps of iterative refinement with
// residuals in doubled precision, as [Shifted.Refine] does; A comes from src. It
// returns the normwise backward error of the result, max over columns of
// ‖r‖₂ / (‖A‖_F ‖w‖₂ + ‖f‖₂), or the error of a cancelled context, with W the
// result of the last whole step. Cost: steps+1 residuals and steps solves.
func (c *Cholesky) Refine(ctx context.Context, src Source, f, w *matrix.Dense, steps int) (backward float64, err error) {
	mustMatch(src, c.Order())
	r := matrix.New(f.Rows, f.Cols)
	for {
		if err := realResidual(ctx, r, src, f, w); err != nil {
			return 0, err
		}
		if steps <= 0 {
			break
		}
		steps--
		c.Solve(r)
		add(w, r)
	}
	for j := range f.Cols {
		backward = max(backward, backwardError(c.norm, columnNorm(j, r), columnNorm(j, w), columnNorm(j, f)))
	}
	return backward, nil
}

// mustMatch panics unless src has order n.
func mustMatch(src Source, n int) {
	if src.Order() != n {
		panic(fmt.Sprintf("solve: Refine: source of order %d for a factorization of order %d", src.Order(), n))
	}
}

// backwardError returns r / (norm·w + f), 0 where r is 0.
func backwardError(norm, r, w, f float64) float64 {
	if r == 0 {
		return 0
	}
	return r / math.FMA(norm, w, f)
}

// add adds b to a.
func add(a, b *matrix.Dense) {
	for i := range a.Rows {
		ai := a.Row(i)
		for j, v := range b.Row(i) {
			ai[j] += v
		}
	}
}

// columnNorm returns the Euclidean norm of column c of the given matrices taken
// together, scaled so that no square leaves the range of float64.
func columnNorm(c int, parts ...*matrix.Dense) float64 {
	var m float64
	for _, a := range parts {
		for i := range a.Rows {
			m = max(m, math.Abs(a.Data[i*a.Stride+c]))
		}
	}
	scale := unitScale(m)
	var s float64
	for _, a := range parts {
		for i := range a.Rows {
			v := float64(a.Data[i*a.Stride+c] * scale)
			s = math.FMA(v, v, s)
		}
	}
	return math.Sqrt(s) / scale
}
