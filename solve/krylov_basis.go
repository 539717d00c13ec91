package solve

import (
	"math"
	"slices"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// rowBasis is a growing set of orthonormal vectors of length n, as rows. They are
// kept in parts, so that none of them is ever moved.
type rowBasis struct {
	n, count int
	parts    []basisPart
	free     []*matrix.Dense // rows of former parts
	memory   []float64       // for the first parts
	scratch  []float64
}

// basisPart holds the vectors first … first+used-1 of a basis in its first rows.
type basisPart struct {
	rows        *matrix.Dense
	first, used int
}

// basisRows is about the number of rows in a part.
const basisRows = 64

// room returns the place for b further vectors, which add takes into the basis.
func (v *rowBasis) room(b int) *matrix.Dense {
	if last := len(v.parts) - 1; last < 0 || v.parts[last].used+b > v.parts[last].rows.Rows {
		v.parts = append(v.parts, basisPart{rows: v.part(b), first: v.count})
	}
	last := &v.parts[len(v.parts)-1]
	return last.rows.View(last.used, 0, b, v.n)
}

// part returns the rows of a part for b vectors at least.
func (v *rowBasis) part(b int) *matrix.Dense {
	if last := len(v.free) - 1; last >= 0 && v.free[last].Rows >= b {
		rows := v.free[last]
		v.free = v.free[:last]
		return rows
	}
	count := max(b, min((basisRows+b-1)/b*b, v.n-v.count))
	if count*v.n > len(v.memory) {
		return matrix.New(count, v.n)
	}
	rows, rest := cut(v.memory, count, v.n)
	v.memory = rest
	return rows
}

// clear removes all vectors.
func (v *rowBasis) clear() {
	for _, p := range v.parts {
		v.free = append(v.free, p.rows)
	}
	v.parts, v.count = nil, 0
}

// add takes in the first b rows of what room returned last.
func (v *rowBasis) add(b int) {
	v.parts[len(v.parts)-1].used += b
	v.count += b
}

// each calls f with the vectors of every part and the number of the first.
func (v *rowBasis) each(f func(part *matrix.Dense, first int)) {
	for _, p := range v.parts {
		if p.used == 0 {
			continue
		}
		f(p.rows.View(0, 0, p.used, v.n), p.first)
	}
}

// project subtracts from the rows of x their parts in the span of v, part by part.
func (v *rowBasis) project(team *block.Team, x *matrix.Dense) {
	v.each(func(part *matrix.Dense, _ int) {
		v.scratch = slices.Grow(v.scratch[:0], part.Rows*x.Rows)
		c, _ := cut(v.scratch[:part.Rows*x.Rows], part.Rows, x.Rows)
		product(team, block.Overwrite, block.Whole, c, part, x)
		combinePart(team, block.Subtract, x, c, part)
	})
}

// combinePart adds to the rows of x, r×n, the combinations of the rows of part with the
// coefficients in the columns of c, or subtracts them.
func combinePart(team *block.Team, mode block.Mode, x, c, part *matrix.Dense) {
	for j := 0; j < x.Cols; j += combinedColumns {
		cols := min(combinedColumns, x.Cols-j)
		block.Run(team, block.Job{
			Op: f64.Product, Mode: mode, C: block.Mat(*x.View(0, j, x.Rows, cols)),
			A: block.Mat(*c), TransA: true, B: block.Mat(*part.View(0, j, part.Rows, cols)),
		})
	}
}

// combinedColumns is the number of columns of one product: few, for the packed vectors
// to stay in a cache.
const combinedColumns = 1024

// inner returns the products of the vectors with the columns of the n×r matrix x,
// count×r.
func (v *rowBasis) inner(team *block.Team, x *matrix.Dense) *matrix.Dense {
	z := matrix.New(v.count, x.Cols)
	v.each(func(part *matrix.Dense, first int) {
		block.Run(team, block.Job{Op: f64.Product, C: block.Mat(*z.View(first, 0, part.Rows, z.Cols)), A: block.Mat(*part), B: block.Mat(*x)})
	})
	return z
}

// combine sets the columns of x, n×r, to the combinations of the vectors with the
// coefficients z, count×r.
func (v *rowBasis) combine(team *block.Team, x, z *matrix.Dense) {
	x.Zero()
	v.each(func(part *matrix.Dense, first int) {
		block.Run(team, block.Job{
			Op: f64.Product, Mode: block.Add, C: block.Mat(*x),
			A: block.Mat(*part), TransA: true, B: block.Mat(*z.View(first, 0, part.Rows, z.Cols)),
		})
	})
}

// combineRows sets the rows of x, r×n, to those combinations.
func (v *rowBasis) combineRows(team *block.Team, x, z *matrix.Dense) {
	x.Zero()
	v.each(func(part *matrix.Dense, first int) {
		combinePart(team, block.Add, x, z.View(first, 0, part.Rows, z.Cols), part)
	})
}

// shrinkage is the factor by which the norm of a vector may fall when the parts
// along others are subtracted, before it counts as orthogonal to them: above it
// the rounding errors of the subtraction are still small against what is left.
const shrinkage = 0.25

// orthonormalizeRows makes the rows of x, one after the other, orthonormal by the
// Gram–Schmidt method, with a second pass for a row of which the first leaves less than
// half ("twice is enough": Giraud, Langou, Rozložník & van den Eshof, Numer. Math. 101,
// 2005). It leaves out those of which no more than negligible is left, and those beyond
// the most that there can be. It returns the orthonormal rows Q, the upper trapezoidal
// coefficients R with X = RᵀQ, the norms of what was left out, and whether some row
// shrank by more than the shrinkage.
func orthonormalizeRows(x *matrix.Dense, negligible float64, most int) (q, r *matrix.Dense, lost float64, shrunk bool) {
	kept := 0
	r = matrix.New(x.Rows, x.Rows)
	negated := make([]float64, x.Rows) // the coefficients of a pass
	for i := range x.Rows {
		row := x.Row(i)
		before := math.Sqrt(matrix.SumSquares(row))
		norm := before
		for pass := 0; pass == 0 || pass == 1 && norm < float64(0.5*before); pass++ {
			for j := range kept {
				h := matrix.Dot(x.Row(j), row)
				r.Set(j, i, r.At(j, i)+h)
				negated[j] = -h
			}
			if kept > 0 && len(row) > 0 {
				f64.Line(f64.Product, row, negated, 1, x.Data, x.Stride, kept, true)
			}
			norm = math.Sqrt(matrix.SumSquares(row))
		}
		if !(norm > negligible) || kept == most {
			lost = hypotenuse(lost, norm)
			continue
		}
		shrunk = shrunk || norm < float64(shrinkage*before)
		r.Set(kept, i, norm)
		to := x.Row(kept)
		for k, v := range row {
			to[k] = v / norm
		}
		kept++
	}
	return x.View(0, 0, kept, x.Cols), r.View(0, 0, kept, x.Rows), lost, shrunk
}

// addMultiple adds f·x to y.
func addMultiple(y []float64, f float64, x []float64) {
	if len(y) == 0 {
		return
	}
	c := [1]float64{f}
	f64.Line(f64.Product, y, c[:], 1, x, 0, 1, true)
}
