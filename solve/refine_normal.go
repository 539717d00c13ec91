package solve

import (
	"context"
	"fmt"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
)

// RefineNormal improves the solution Y of (AᵀA + diag(d))Y = B for the n×k matrix a, where c
// is the factorization of that matrix, formed and so rounded, and inverse bounds the norm of
// its inverse: see [Shifted.Refine]. Residuals are of A in doubled precision, so that what
// the forming has lost is made up for. Cost of each: 12nk operations a column.
func (c *Cholesky) RefineNormal(ctx context.Context, a *matrix.Dense, d []float64, inverse float64, b, y *matrix.Dense, most int) (Refinement, error) {
	k := c.Order()
	mustBe("RefineNormal", "A", a, a.Rows, k)
	if len(d) != k {
		panic(fmt.Sprintf("solve: RefineNormal: d has %d elements, want %d", len(d), k))
	}
	mustBe("RefineNormal", "right-hand side", b, k, b.Cols)
	system := refinedSystem{
		norm: c.norm, inverse: inverse, terms: max(a.Rows, k),
		residual: func(r, f, w []*matrix.Dense, _ *matrix.Dense) error {
			return normalResidual(ctx, r[0], a, d, f[0], w[0])
		},
		solve: func(r []*matrix.Dense) { c.Solve(r[0]) },
	}
	return inRange(c.norm, b, []*matrix.Dense{y}, nil, func(b *matrix.Dense) (Refinement, error) {
		return system.refine(most, b, []*matrix.Dense{y}, nil, nil)
	})
}

// normalResidual sets r, which may be f, to F − diag(d)Y − Aᵀ(AY).
func normalResidual(ctx context.Context, r, a *matrix.Dense, d []float64, f, y *matrix.Dense) error {
	cols := y.Cols
	high, low := matrix.New(a.Rows, cols), matrix.New(a.Rows, cols)
	err := doubledProducts(ctx, nil, Stored{a}, a.Rows, []*matrix.Dense{y}, func(i int, h, l []float64) {
		copy(high.Row(i), h)
		copy(low.Row(i), l)
	})
	if err != nil {
		return err
	}
	return doubledProducts(ctx, nil, transposedRows{a}, a.Cols, []*matrix.Dense{high, low}, func(i int, h, l []float64) {
		for j, v := range f.Row(i) {
			sum, rest := f64.AddProduct(v, 0, -1, h[j])
			sum, rest = f64.AddProduct(sum, rest, -d[i], y.At(i, j))
			sum, rest = f64.AddProduct(sum, rest, -1, h[cols+j])
			r.Row(i)[j] = sum + (rest - l[j] - l[cols+j])
		}
	})
}

// transposedRows are the rows of the transpose of a.
type transposedRows struct{ a *matrix.Dense }

func (s transposedRows) Rows(dst *matrix.Dense, i0 int) {
	f64.Transpose(dst.Data, dst.Stride, s.a.Data[i0:], s.a.Stride, dst.Cols, dst.Rows)
}
