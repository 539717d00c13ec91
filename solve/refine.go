package solve

import (
	"context"
	"fmt"
	"math"

	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// Refinement says what iterative refinement came to.
type Refinement struct {
	// Steps is the number of corrections that were made.
	Steps int
	// Backward is the normwise backward error of the result,
	//
	//	max over columns of ‖r‖₂ / (‖A‖_F ‖w‖₂ + ‖f‖₂),
	//
	// with the largest float64 for ‖A‖_F where that is less. A column so small or
	// large that it was refined times a power of two is measured before it is
	// rounded to its place.
	Backward float64
	// Forward estimates the relative error ‖δw‖₂/‖w‖₂ of the result, the largest
	// over its columns, from how fast the corrections shrink; +Inf where there
	// were none. It is at least u = 2⁻⁵³, and near 1 where refinement does not
	// converge: corrections may be small all the same, but then they leave the residual as
	// large as it was.
	Forward float64
}

// Refine improves the solution W = wre + i·wim of (K − iσI)W = F, for a real n×r
// matrix F, by iterative refinement, W ← W + (LDLᵀ)⁻¹R with residuals R in
// doubled precision; K comes from src. Each step multiplies the forward error of
// a column by at most a small multiple of ρ = u·growth·cond(K − iσI), until a few
// u are left. It stops when the next correction is predicted to be below u in the
// real and in the imaginary part of every column, when corrections no longer
// shrink, or after most steps: one is enough for ρ < √u, ρ near 1 does not
// converge. most = 0 only measures. An element of F or W that is not finite, before
// or after, is a *matrix.NotFiniteError; a cancelled context returns its error, with
// W the result of the last whole step. Cost: steps+1 residuals and steps solves.
func (s *Shifted) Refine(ctx context.Context, src Source, f, wre, wim *matrix.Dense, most int) (Refinement, error) {
	misuse.NotNil("solve: Shifted.Refine", "ctx", ctx, "src", src, "f", f, "wre", wre, "wim", wim)
	return s.RefineProducts(ctx, src, f, wre, wim, nil, most)
}

// RefineProducts is [Shifted.Refine], and sets the n×r matrix kw to K·Re W of the result,
// rounded from doubled precision, which comes with its residual.
func (s *Shifted) RefineProducts(ctx context.Context, src Source, f, wre, wim, kw *matrix.Dense, most int) (Refinement, error) {
	misuse.NotNil("solve: Shifted.RefineProducts", "ctx", ctx, "src", src, "f", f, "wre", wre, "wim", wim)
	mustMatch(src, s.Order(), s.a)
	rre, rim := matrix.New(f.Rows, f.Cols), matrix.New(f.Rows, f.Cols)
	w := []*matrix.Dense{wre, wim}
	return inRange(max(s.norm, s.sigma), f, w, kw, func(f *matrix.Dense) (Refinement, error) {
		return refine(most, s.norm, f, w, []*matrix.Dense{rre, rim},
			func() error { return residual(ctx, &s.scratch, rre, rim, src, s.sigma, f, wre, wim, kw) },
			func() { s.Solve(rre, rim) })
	})
}

// Refine improves the solution W of AW = F by iterative refinement with residuals
// in doubled precision, as [Shifted.Refine] does; A comes from src.
func (c *Cholesky) Refine(ctx context.Context, src Source, f, w *matrix.Dense, most int) (Refinement, error) {
	misuse.NotNil("solve: Cholesky.Refine", "ctx", ctx, "src", src, "f", f, "w", w, "the factor of a zero Cholesky", c.l)
	return c.RefineProducts(ctx, src, f, w, 0, nil, most)
}

// RefineProducts is [Cholesky.Refine], and sets the n×r matrix kw to (A − shift·I)W of the
// result, rounded from doubled precision, which comes with its residual.
func (c *Cholesky) RefineProducts(ctx context.Context, src Source, f, w *matrix.Dense, shift float64, kw *matrix.Dense, most int) (Refinement, error) {
	misuse.NotNil("solve: Cholesky.RefineProducts", "ctx", ctx, "src", src, "f", f, "w", w, "the factor of a zero Cholesky", c.l)
	mustMatch(src, c.Order(), c.l)
	r := matrix.New(f.Rows, f.Cols)
	return inRange(c.norm, f, []*matrix.Dense{w}, kw, func(f *matrix.Dense) (Refinement, error) {
		return refine(most, c.norm, f, []*matrix.Dense{w}, []*matrix.Dense{r},
			func() error { return realResidual(ctx, &c.scratch, r, src, f, w, shift, kw) },
			func() { c.Solve(r) })
	})
}

// refine is the loop of both. residual makes r that of w, solve turns it into the
// correction of w; norm is ‖A‖_F.
func refine(most int, norm float64, f *matrix.Dense, w, r []*matrix.Dense, residual func() error, solve func()) (Refinement, error) {
	out := Refinement{Forward: math.Inf(1)}
	before := make([]float64, f.Cols) // relative size of each column's last correction
	rests := make([]float64, f.Cols)  // its residual before that
	for done := false; ; {
		if err := residual(); err != nil {
			return out, err
		}
		if done || out.Steps >= most {
			break
		}
		for c := range f.Cols {
			rests[c] = columnNorm(c, r...)
		}
		solve()
		done, out.Forward = true, unit
		for c := range f.Cols {
			size := relative(columnNorm(c, r...), columnNorm(c, w...))
			rate := size // of the first step: what the factorization alone has left
			if out.Steps > 0 {
				rate = relative(size, before[c])
			}
			before[c] = size
			out.Forward = max(out.Forward, float64(size*min(rate, 1)))
			for part := range w {
				next := float64(relative(columnNorm(c, r[part]), columnNorm(c, w[part])) * rate)
				if next > unit && rate < 0.5 {
					done = false
				}
			}
		}
		for part := range w {
			add(w[part], r[part])
		}
		out.Steps++
	}
	for c := range f.Cols {
		rest := columnNorm(c, r...)
		backward := backwardError(norm, rest, columnNorm(c, w...), columnNorm(c, f))
		out.Backward = max(out.Backward, backward)
		// The rounding of a solution that has converged leaves no more than u, a source
		// that makes other rounding errors in each pass up to n·u, with few rows 8u.
		if out.Steps > 0 && backward > float64(max(f.Rows, 8))*unit && rest > float64(0.5*rests[c]) {
			out.Forward = max(out.Forward, 1)
		}
	}
	return out, nil
}

// relative returns a/b, 0 where a is 0.
func relative(a, b float64) float64 {
	if a == 0 {
		return 0
	}
	return a / b
}

// mustMatch panics unless src has order n, and where it is the matrix that was
// overwritten by its factors.
func mustMatch(src Source, n int, factors *matrix.Dense) {
	if src.Order() != n {
		panic(fmt.Sprintf("solve: Refine: source of order %d for a factorization of order %d", src.Order(), n))
	}
	if s, ok := src.(Stored); ok && factors != nil {
		mustBeApart("Refine", "source and factors", s.A, factors)
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
	scale := unitScale(columnMax(c, parts...))
	var s float64
	for _, a := range parts {
		for i := range a.Rows {
			v := float64(a.Data[i*a.Stride+c] * scale)
			s = math.FMA(v, v, s)
		}
	}
	return math.Sqrt(s) / scale
}
