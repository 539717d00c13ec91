package solve

import (
	"fmt"
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// unit is the unit roundoff u.
const unit = f64.Roundoff

// mustSquare panics unless a is square.
func mustSquare(name string, a *matrix.Dense) {
	if a.Rows != a.Cols {
		panic(fmt.Sprintf("solve: %s: %d×%d matrix is not square", name, a.Rows, a.Cols))
	}
}

// mustBe panics unless b is rows×cols. what says which argument b is.
func mustBe(name, what string, b *matrix.Dense, rows, cols int) {
	if b.Rows != rows || b.Cols != cols {
		panic(fmt.Sprintf("solve: %s: %s is %d×%d, want %d×%d", name, what, b.Rows, b.Cols, rows, cols))
	}
}

// mustBeApart panics where a and b, of which what speaks, have elements in common: one of
// them is written while the other is still needed.
func mustBeApart(name, what string, a, b *matrix.Dense) {
	if matrix.Overlap(a, b) {
		panic(fmt.Sprintf("solve: %s: %s overlap: %d×%d and %d×%d", name, what, a.Rows, a.Cols, b.Rows, b.Cols))
	}
}

// maxLower returns max |a_ij| over the lower triangle, diagonal included, or a
// *matrix.NotFiniteError for its first element, by rows, that is not finite.
func maxLower(team *block.Team, a *matrix.Dense) (float64, error) {
	maxAbs, _, err := sizeLower(team, a)
	return maxAbs, err
}

// sizeLower is [maxLower], with ‖A‖_F of the symmetric matrix that the lower triangle
// gives, or the largest float64 where that is less. It reads the matrix once, but
// where its squares may leave the range of float64.
func sizeLower(team *block.Team, a *matrix.Dense) (maxAbs, norm float64, err error) {
	largest := make([]float64, a.Rows) // by row
	squares := make([]float64, a.Rows) // left of the diagonal
	team.Rows(a.Rows, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := a.Row(i)[:i+1]
			largest[i] = f64.MaxAbs(row)
			var s f64.Lanes
			s.AddProducts(row[:i], row[:i])
			squares[i] = s.Total()
		}
	})
	for i, m := range largest {
		if m-m == 0 {
			continue
		}
		for j, v := range a.Row(i)[:i+1] {
			if v-v != 0 {
				return 0, 0, &matrix.NotFiniteError{Row: i, Col: j, Value: v}
			}
		}
	}
	maxAbs = f64.MaxAbs(largest)
	scale := 1.0
	if maxAbs < 0x1p-300 || maxAbs > 0x1p300 {
		scale = unitScale(maxAbs)
		team.Rows(a.Rows, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				var s f64.Lanes
				s.AddScaledProducts(a.Row(i)[:i], scale, a.Row(i)[:i], scale)
				squares[i] = s.Total()
			}
		})
	}
	var off, diag float64
	for i, s := range squares {
		off += s
		v := float64(a.Row(i)[i] * scale)
		diag = math.FMA(v, v, diag)
	}
	return maxAbs, min(math.Sqrt(math.FMA(2, off, diag))/scale, math.MaxFloat64), nil
}

// unitScale returns the power of two that brings m ≥ 0 into [1/2, 1), as far as
// it is in the range of float64; 1 where m is 0 or not finite.
func unitScale(m float64) float64 { return scaleTo(m, 0) }

// scaleTo returns the power of two that brings m ≥ 0 into [2^(e-1), 2^e), as far
// as it is in the range of float64; 1 where m is 0 or not finite.
func scaleTo(m float64, e int) float64 {
	return math.Ldexp(1, min(max(shiftTo(m, e), -1022), 1022))
}

// shiftTo returns the exponent of two that brings m ≥ 0 into [2^(e-1), 2^e), which
// for a subnormal m may be beyond the range of float64; 0 where m is 0 or not finite.
func shiftTo(m float64, e int) int {
	if m == 0 || math.IsNaN(m) || math.IsInf(m, 0) {
		return 0
	}
	_, x := math.Frexp(m)
	return e - x
}

// hypotenuse returns √(a² + b²) to about an ulp, without overflow or underflow on
// the way.
func hypotenuse(a, b float64) float64 {
	m := max(math.Abs(a), math.Abs(b))
	if m > 0x1p-400 && m < 0x1p400 {
		return math.Sqrt(math.FMA(a, a, float64(b*b)))
	}
	scale := unitScale(m)
	a, b = float64(a*scale), float64(b*scale)
	return math.Sqrt(math.FMA(a, a, float64(b*b))) / scale
}
