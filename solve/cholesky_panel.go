package solve

import (
	"math"

	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// eliminate runs the chains of columns lo … hi-1 of a to their end and updates the
// lower triangle to the right.
func eliminate(team *block.Team, a *matrix.Dense, lo, hi int) error {
	rows, nb := a.Rows-hi, hi-lo
	diag := a.View(lo, lo, nb, nb)
	if err := choleskyBlock(diag); err != nil {
		err.Pivot += lo
		return err
	}
	panel := a.View(hi, lo, rows, nb)
	for c := 0; c < nb; c += strip {
		w := min(strip, nb-c)
		x, triangle := panel.View(0, c, rows, w), diag.View(c, c, w, w)
		product(team, block.Subtract, block.Whole, x, panel.View(0, 0, rows, c), diag.View(c, 0, w, c))
		eachChunk(team, rows, func(i0, i1 int) {
			for i := i0; i < i1; i++ {
				substitute(x.Row(i), triangle)
			}
		})
	}
	product(team, block.Subtract, block.Lower, a.View(hi, hi, rows, rows), panel, panel)
	return nil
}

// choleskyBlock factors the square a in place by the textbook loops.
func choleskyBlock(a *matrix.Dense) *NotPositiveDefiniteError {
	for i := range a.Rows {
		ai := a.Row(i)
		substitute(ai[:i], a)
		s := negChain(ai[i], ai[:i], ai[:i])
		if !(s > 0) {
			return &NotPositiveDefiniteError{Pivot: i, Value: s}
		}
		ai[i] = math.Sqrt(s)
	}
	return nil
}

// substitute overwrites the row x by the solution of yLᵀ = x, with the leading
// rows of l.
func substitute(x []float64, l *matrix.Dense) {
	for j := range x {
		lj := l.Row(j)
		x[j] = negChain(x[j], x[:j], lj[:j]) / lj[j]
	}
}

// negChain continues c by the negated products of a and b in ascending order.
func negChain(c float64, a, b []float64) float64 {
	b = b[:len(a)]
	for t, x := range a {
		c = math.FMA(-x, b[t], c)
	}
	return c
}
