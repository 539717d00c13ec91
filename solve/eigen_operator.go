package solve

import (
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

// measureInPlace reads the matrix once, and packs it in place. Where an element is
// not finite the matrix is as before.
func measureInPlace(team *block.Team, a *matrix.Dense) (*packed, measuredOperator, error) {
	sizes := newRowSizes(a.Rows)
	p := newPacked(team, a, func(rows *matrix.Dense, i0 int) {
		for i := range rows.Rows {
			sizes.measure(i0+i, rows.Row(i))
		}
	})
	if m := f64.MaxAbs(sizes.largest); m-m != 0 {
		p.unpack(team)
		return nil, measuredOperator{}, matrix.CheckFinite(a)
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

// scaledRows returns f·a.
func scaledRows(a *matrix.Dense, f float64) *matrix.Dense {
	b := a.Clone()
	for i := range b.Rows {
		f64.Scale(b.Row(i), f)
	}
	return b
}
