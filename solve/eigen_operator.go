package solve

import (
	"context"
	"errors"
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// measuredOperator is scale·A for a matrix A, with what the method must know of it.
type measuredOperator struct {
	operator
	scale float64 // a power of two; 1 unless the elements are very large or small
	norm  float64 // ‖scale·A‖_F
}

// safeExponent bounds |log₂ max|A|| of a matrix that needs no scaling.
const safeExponent = 400

// safeScale returns the scale of a matrix with the given largest magnitude.
func safeScale(maxAbs float64) float64 {
	if maxAbs < math.Ldexp(1, -safeExponent) || maxAbs > math.Ldexp(1, safeExponent) {
		return unitScale(maxAbs)
	}
	return 1
}

// measureSource reads the matrix of a source once.
func measureSource(ctx context.Context, team *block.Team, src Source) (measuredOperator, error) {
	sizes := newRowSizes(src.Order())
	err := eachTile(ctx, src, func(i0 int, a *matrix.Dense) error {
		team.Rows(a.Rows, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				sizes.measure(i0+i, a.Row(i))
			}
		})
		if sizes.finite(i0, i0+a.Rows) {
			return nil
		}
		return notFinite(a, i0)
	})
	if err != nil {
		return measuredOperator{}, err
	}
	scale, norm := sizes.total()
	return measuredOperator{tiledOperator{src, scale}, scale, norm}, nil
}

// measureInPlace reads the matrix once, and packs it in place. Where an element is
// not finite the matrix is as before.
func measureInPlace(team *block.Team, a *matrix.Dense) (*packed, measuredOperator, error) {
	sizes := newRowSizes(a.Rows)
	p := newPacked(team, a, func(rows *matrix.Dense, i0 int) {
		for i := range rows.Rows {
			sizes.measure(i0+i, rows.Row(i))
		}
	})
	if !sizes.finite(0, a.Rows) {
		p.unpack(team)
		return nil, measuredOperator{}, notFinite(a, 0)
	}
	scale, norm := sizes.total()
	p.scaleBy(team, scale)
	return p, measuredOperator{p, scale, norm}, nil
}

// rowSizes are the largest magnitudes of the rows of a matrix, and their sums of
// squares in units in which those are in [1/2, 1).
type rowSizes struct{ largest, squares []float64 }

func newRowSizes(n int) *rowSizes {
	return &rowSizes{largest: make([]float64, n), squares: make([]float64, n)}
}

// measure takes the sizes of row i.
func (s *rowSizes) measure(i int, row []float64) {
	s.largest[i] = f64.MaxAbs(row)
	scale := unitScale(s.largest[i])
	var sum f64.Lanes
	sum.AddScaledProducts(row, scale, row, scale)
	s.squares[i] = sum.Total()
}

// finite reports whether all elements of the rows i0 … i1-1 are finite.
func (s *rowSizes) finite(i0, i1 int) bool {
	m := f64.MaxAbs(s.largest[i0:i1])
	return m-m == 0
}

// total returns the scale that the matrix A needs, and ‖scale·A‖_F.
func (s *rowSizes) total() (scale, norm float64) {
	maxAbs := f64.MaxAbs(s.largest)
	unit := unitScale(maxAbs)
	var sum float64
	for i, v := range s.squares {
		if v > 0 { // the unit of a row of zeros means nothing
			f := unit / unitScale(s.largest[i])
			sum = math.FMA(float64(f*f), v, sum)
		}
	}
	scale = safeScale(maxAbs)
	return scale, float64(math.Sqrt(sum) * (scale / unit))
}

// notFinite returns the error of the first element that is not finite of the rows of
// a matrix from i0 on.
func notFinite(rows *matrix.Dense, i0 int) error {
	err := matrix.CheckFinite(rows)
	if bad := (*matrix.NotFiniteError)(nil); errors.As(err, &bad) {
		return &matrix.NotFiniteError{Row: i0 + bad.Row, Col: bad.Col, Value: bad.Value}
	}
	return err
}

// tiledOperator is scale·A for the matrix A of a source.
type tiledOperator struct {
	src   Source
	scale float64
}

// multiply has the bits of packed.multiply for a symmetric matrix: each entry is one
// chain over the rows of A.
func (o tiledOperator) multiply(ctx context.Context, team *block.Team, y, x *matrix.Dense) error {
	if s, ok := o.src.(Stored); ok && o.scale == 1 {
		multiply(team, y, x, s.A)
		return ctx.Err()
	}
	y.Zero()
	return eachTile(ctx, o.src, func(i0 int, a *matrix.Dense) error {
		if o.scale != 1 {
			a = scaledRows(a, o.scale)
		}
		block.Run(team, block.Job{
			Mode: block.Add, C: block.Mat(*y),
			A: block.Mat(*x.View(0, i0, x.Rows, a.Rows)), B: block.Mat(*a),
		})
		return nil
	})
}

// scaledRows returns f·a.
func scaledRows(a *matrix.Dense, f float64) *matrix.Dense {
	b := a.Clone()
	for i := range b.Rows {
		f64.Scale(b.Row(i), f)
	}
	return b
}

// operatorTile is the size, in numbers, of the tiles of A that a product asks
// for: 8 MB, so that the packing of x is repeated seldom.
const operatorTile = 1 << 20

// eachTile calls use with the rows of the matrix in tiles, the first of which is
// row i0; the context is asked before each tile.
func eachTile(ctx context.Context, src Source, use func(i0 int, a *matrix.Dense) error) error {
	n := src.Order()
	rows := min(n, max(1, operatorTile/n))
	s, stored := src.(Stored)
	var tile *matrix.Dense
	if !stored {
		tile = matrix.New(rows, n)
	}
	for i0 := 0; i0 < n; i0 += rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		var a *matrix.Dense
		if stored {
			a = s.A.View(i0, 0, min(rows, n-i0), n)
		} else {
			a = tile.View(0, 0, min(rows, n-i0), n)
			src.Rows(a, i0)
		}
		if err := use(i0, a); err != nil {
			return err
		}
	}
	return nil
}
