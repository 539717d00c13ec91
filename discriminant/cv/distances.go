package cv

import (
	"slices"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// triangle is a symmetric matrix of which the lower triangle is stored, by rows.
type triangle []float64

// row returns the place of row i.
func (t triangle) row(i int) int { return i * (i + 1) / 2 }

// distancesOf returns the squared distances of the rows of x from each other, in the
// given memory where that is large enough.
func distancesOf(memory triangle, x *matrix.Dense) triangle {
	const some = 128 // rows at a time
	n := x.Rows
	t := slices.Grow(memory[:0], n*(n+1)/2)[:n*(n+1)/2]
	tile := matrix.New(min(some, n), n)
	for first := 0; first < n; first += some {
		last := min(first+some, n)
		part := squaredDistances(tile.View(0, 0, last-first, last), x.View(first, 0, last-first, x.Cols), x.View(0, 0, last, x.Cols))
		for i := first; i < last; i++ {
			copy(t[t.row(i):], part.Row(i - first)[:i+1])
		}
	}
	return t
}

// fill sets dst to those rows and columns.
func (t triangle) fill(dst *matrix.Dense, rows, columns []int) {
	team := block.TeamFor(len(rows), len(columns), 4)
	defer team.Close()
	team.Rows(len(rows), func(lo, hi int) {
		for r := lo; r < hi; r++ {
			i, to := rows[r], dst.Row(r)
			own := t[t.row(i):][:i+1]
			for c, j := range columns {
				if j <= i {
					to[c] = own[j]
				} else {
					to[c] = t[t.row(j)+i]
				}
			}
		}
	})
}

// squaredDistances sets dst to the squared distances of the rows of y from those of
// x, and returns it.
func squaredDistances(dst, y, x *matrix.Dense) *matrix.Dense {
	team := block.TeamFor(y.Rows, x.Rows, x.Cols)
	defer team.Close()
	block.Run(team, block.Job{Op: f64.SquaredDistance, C: block.Mat(*dst), TransB: true, A: block.Mat(*y), B: block.Mat(*x)})
	return dst
}

// expNeg replaces the squared distances by the rbf kernel's values, which have the
// bits of gram.RBF.
func expNeg(d *matrix.Dense, gamma float64) {
	team := block.TeamFor(d.Rows, d.Cols, 16)
	defer team.Close()
	team.Rows(d.Rows, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			f64.ExpNegScale(d.Row(i), gamma)
		}
	})
}
