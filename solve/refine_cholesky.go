package solve

import (
	"context"
	"fmt"
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// Refine improves the solution W of AW = F by steps of iterative refinement with
// residuals in doubled precision, as [Shifted.Refine] does; A comes from src. It
// returns the normwise backward error of the result, max over columns of
// ‖r‖₂ / (‖A‖_F ‖w‖₂ + ‖f‖₂), or the error of a cancelled context, with W the
// result of the last whole step. Cost: steps+1 residuals and steps solves.
func (c *Cholesky) Refine(ctx context.Context, src Source, f, w *matrix.Dense, steps int) (backward float64, err error) {
	if src.Order() != c.Order() {
		panic(fmt.Sprintf("solve: Refine: source of order %d for a factorization of order %d", src.Order(), c.Order()))
	}
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
		if e := columnNorm(j, r); e > 0 || math.IsNaN(e) {
			backward = max(backward, e/math.FMA(c.norm, columnNorm(j, w), columnNorm(j, f)))
		}
	}
	return backward, nil
}

// realResidual computes R = F − AW in doubled precision, entry by entry as the
// real part of [Residual] without a shift.
func realResidual(ctx context.Context, r *matrix.Dense, src Source, f, w *matrix.Dense) error {
	n := src.Order()
	mustBe("Refine", "right-hand side", f, n, f.Cols)
	mustBe("Refine", "solution", w, n, f.Cols)
	return eachTile(ctx, src, func(i int, row []float64) {
		for c, fc := range f.Row(i) {
			d := dot2{s: fc}
			d.subColumn(row, w, c)
			r.Row(i)[c] = d.s + d.c
		}
	})
}
