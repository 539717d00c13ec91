package solve

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// inverseColumns is the number of columns of L⁻¹ that are held at a time.
const inverseColumns = 128

// InverseDiagonal returns the diagonal of A⁻¹ = L⁻ᵀL⁻¹: the sums of squares of the
// columns of L⁻¹, each one chain of fused multiply-adds from the diagonal down. It
// is positive. One beyond the range of float64 is a *RangeError; a cancelled context
// returns its error. Cost: n³/3 flops.
func (c *Cholesky) InverseDiagonal(ctx context.Context) ([]float64, error) {
	misuse.NotNil("solve: Cholesky.InverseDiagonal", "ctx", ctx, "the factor of a zero Cholesky", c.l)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n := c.l.Rows
	diagonal := make([]float64, n)
	for lo := 0; lo < n; lo += inverseColumns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		k, rows := min(inverseColumns, n-lo), n-lo
		inverse := matrix.New(rows, k)
		for j := range k {
			inverse.Row(j)[j] = 1
		}
		matrix.SolveLower(c.l.View(lo, lo, rows, rows), inverse)
		for i := range rows {
			for j, v := range inverse.Row(i)[:min(k, i+1)] {
				diagonal[lo+j] = math.FMA(v, v, diagonal[lo+j])
			}
		}
	}
	if !f64.AllFinite(diagonal) {
		return nil, &RangeError{What: "diagonal element of the inverse", Size: c.norm}
	}
	return diagonal, nil
}
