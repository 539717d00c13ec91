package fisher

import (
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// binaryScale is multiplication by 2^exp in two exact steps, so that every
// exponent that a float64 can have, and its negative, is covered.
type binaryScale struct {
	exp         int
	first, then float64
}

func scaleBy(exp int) binaryScale {
	half := exp / 2
	return binaryScale{exp: exp, first: math.Ldexp(1, half), then: math.Ldexp(1, exp-half)}
}

// unitScale returns the scaling that brings maxAbs > 0 into [1, 2).
func unitScale(maxAbs float64) binaryScale {
	_, e := math.Frexp(maxAbs)
	return scaleBy(1 - e)
}

func (s binaryScale) matrix(a *matrix.Dense) {
	if s.exp == 0 {
		return
	}
	team := block.TeamFor(a.Rows, a.Cols)
	defer team.Close()
	team.Rows(a.Rows, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := a.Row(i)
			f64.Scale(row, s.first)
			f64.Scale(row, s.then)
		}
	})
}

func (s binaryScale) value(v float64) float64 { return float64(float64(v*s.first) * s.then) }

// eachRow calls f with the rows of a, on several goroutines at the same time.
func eachRow(a *matrix.Dense, f func(i int, row []float64)) {
	team := block.TeamFor(a.Rows, a.Cols)
	defer team.Close()
	team.Rows(a.Rows, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			f(i, a.Row(i))
		}
	})
}
