package solve

import (
	"context"
	"math"
	"testing"

	"github.com/seed92411348/kfda/internal/bigref"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// forwardErrors returns the largest relative error of a column in the 2-norm.
func forwardError(re, im *matrix.Dense, wr, wi bigref.Matrix) float64 {
	var worst float64
	for c := range re.Cols {
		var num, den float64
		for i := range re.Rows {
			dr, _ := arith.Sub(arith.Of(re.At(i, c)), wr[i][c]).Float64()
			di, _ := arith.Sub(arith.Of(im.At(i, c)), wi[i][c]).Float64()
			r, _ := wr[i][c].Float64()
			s, _ := wi[i][c].Float64()
			num += dr*dr + di*di
			den += r*r + s*s
		}
		worst = max(worst, math.Sqrt(num/den))
	}
	return worst
}

// Against the real 2n×2n system solved with 600 bits: the plain solution has an
// error of a small multiple of ρ = growth·cond·u, each step of refinement
// multiplies it by about that, down to a few u.
func TestRefineForwardError(t *testing.T) {
	ctx := context.Background()
	hilbert := matrix.New(12, 12)
	for i := range 12 {
		for j := range 12 {
			hilbert.Set(i, j, 1/float64(i+j+1))
		}
	}
	for _, c := range []named{
		{"definite", randomGram(newRand(1), 15, 40)},
		{"singular", randomGram(newRand(2), 20, 3)},
		{"hilbert", hilbert},
		{"indefinite", sigmoidLike(18)},
		{"large mean", func() *matrix.Dense {
			a := randomGram(newRand(3), 12, 3)
			for i := range a.Data {
				a.Data[i] += 1e4
			}
			return a
		}()},
	} {
		k := c.a
		n := k.Rows
		f := randomMatrix(newRand(7), n, 3)
		for _, sigma := range []float64{10, 1e-2, 1e-5, 1e-8, 1e-11, 1e-13} {
			s := must.Get(FactorShifted(ctx, k.Clone(), sigma))(t)
			rho := s.Growth() * math.Hypot(s.norm, sigma) / sigma * unit
			if rho > 0.1 {
				continue
			}
			re, im := f.Clone(), matrix.New(n, 3)
			s.Solve(re, im)
			wr, wi := bigShiftedSolve(k, sigma, f)
			e0 := forwardError(re, im, wr, wi)
			errs := []float64{e0}
			for step := 1; step <= 8; step++ {
				must.Get(s.Refine(ctx, Stored{k}, f, re, im, nil, 1))(t)
				errs = append(errs, forwardError(re, im, wr, wi))
			}
			t.Logf("%s, σ = %g: ρ %.2g, forward errors in u: %.2g %.2g %.2g %.2g", c.name, sigma, rho, errs[0]/unit, errs[1]/unit, errs[2]/unit, errs[8]/unit)
			want := 10 * rho
			for step, e := range errs {
				if e > max(want, 4*unit) {
					t.Errorf("%s, σ = %g: error after %d steps %.3g, want below %.3g", c.name, sigma, step, e, max(want, 4*unit))
				}
				want *= rho
			}
		}
	}
}

// The real counterpart: Cholesky against 600 bits.
func TestCholeskyRefine(t *testing.T) {
	ctx := context.Background()
	for _, ridge := range []float64{1, 1e-4, 1e-8, 1e-11} {
		k := randomGram(newRand(2), 20, 3)
		for i := range 20 {
			k.Set(i, i, k.At(i, i)+ridge)
		}
		f := randomMatrix(newRand(7), 20, 3)
		c := must.Get(FactorCholesky(ctx, k.Clone()))(t)
		w := f.Clone()
		c.Solve(w)
		want := bigSolve(arith.FromDense(k), arith.FromDense(f))
		zero, bigZero := matrix.New(20, 3), arith.Zeros(20, 3)
		before := forwardError(w, zero, want, bigZero)
		refined := must.Get(c.Refine(ctx, Stored{k}, Known{}, f, w, nil, 4))(t)
		after := forwardError(w, zero, want, bigZero)
		t.Logf("ridge %g: forward error %.2g u, refined %.2g u, backward error %.2g u", ridge, before/unit, after/unit, refined.Backward/unit)
		if after > 2*unit || refined.Backward > 2*unit || refined.Forward > 2*unit {
			t.Errorf("ridge %g: forward error %.2g u, backward error %.2g u, want at most 2 u", ridge, after/unit, refined.Backward/unit)
		}
	}
}
