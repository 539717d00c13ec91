package solve

import (
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
		v.scratch = resized(v.scratch, part.Rows*x.Rows)
		c, _ := cut(v.scratch, part.Rows, x.Rows)
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
