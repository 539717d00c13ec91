package solve

import (
	"context"
	"errors"
	"math"

	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// scaledOperator multiplies by scale·A for the matrix A of a source.
type scaledOperator struct {
	src   Source
	scale float64 // a power of two
}

// safeExponent bounds |log₂ max|A|| of a matrix that needs no scaling.
const safeExponent = 400

// newScaledOperator reads the matrix once, for its first element that is not
// finite and for its largest magnitude.
func newScaledOperator(ctx context.Context, src Source) (scaledOperator, error) {
	var maxAbs float64
	err := eachTile(ctx, src, func(i0 int, a *matrix.Dense) error {
		if bad := (*matrix.NotFiniteError)(nil); errors.As(matrix.CheckFinite(a), &bad) {
			return &matrix.NotFiniteError{Row: i0 + bad.Row, Col: bad.Col, Value: bad.Value}
		}
		maxAbs = max(maxAbs, matrix.MaxAbs(a))
		return nil
	})
	if err != nil {
		return scaledOperator{}, err
	}
	o := scaledOperator{src: src, scale: 1}
	if maxAbs < math.Ldexp(1, -safeExponent) || maxAbs > math.Ldexp(1, safeExponent) {
		o.scale = unitScale(maxAbs)
	}
	return o, nil
}

// apply sets the rows of dst to those of x times scale·A: each entry is one chain
// over the rows of A.
func (o scaledOperator) apply(ctx context.Context, team *block.Team, dst, x *matrix.Dense) error {
	if s, ok := o.src.(Stored); ok && o.scale == 1 {
		multiply(team, dst, x, s.A)
		return ctx.Err()
	}
	dst.Zero()
	return eachTile(ctx, o.src, func(i0 int, a *matrix.Dense) error {
		if o.scale != 1 {
			for i := range a.Rows {
				row := a.Row(i)
				for j, v := range row {
					row[j] = float64(v * o.scale)
				}
			}
		}
		block.Run(team, block.Job{
			Mode: block.Add, C: block.Mat(*dst),
			A: block.Mat(*x.View(0, i0, x.Rows, a.Rows)), B: block.Mat(*a),
		})
		return nil
	})
}

// operatorTile is the size, in numbers, of the tiles of A that a product asks
// for: 8 MB, so that the packing of x is repeated seldom.
const operatorTile = 1 << 20

// eachTile calls use with the rows of the matrix in tiles, the first of which is
// row i0; the context is asked before each tile.
func eachTile(ctx context.Context, src Source, use func(i0 int, a *matrix.Dense) error) error {
	n := src.Order()
	tile := matrix.New(min(n, max(1, operatorTile/n)), n)
	for i0 := 0; i0 < n; i0 += tile.Rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		a := tile.View(0, 0, min(tile.Rows, n-i0), n)
		src.Rows(a, i0)
		if err := use(i0, a); err != nil {
			return err
		}
	}
	return nil
}
