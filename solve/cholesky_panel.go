package solve

import (
	"math"
	"sync"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// choleskyPanel is the work on columns lo … hi-1 of a.
type choleskyPanel struct {
	a      *matrix.Dense
	lo, hi int
	shape  f64.Shape

	// The triangle of the diagonal block, in strips of as many rows as a tile has:
	// the columns before the strip, negated and packed as a tile wants them, and the
	// strip's own triangle, with ones on the diagonal where there is no row.
	before, own [][]float64

	inner    *choleskyPanel // factors the diagonal block by panels of its own
	triangle []float64      // or else is for doing it column by column

	below panels    // L in the rows below
	works sync.Pool // of *[]float64: as many rows of it, transposed, as a tile has columns
}

func newCholeskyPanel(a *matrix.Dense, nb int, memory []float64) *choleskyPanel {
	p := &choleskyPanel{a: a, shape: f64.TileShape()}
	p.below = panels{shape: p.shape, data: memory}
	if nb > diagonalColumns {
		p.inner = newCholeskyPanel(nil, diagonalColumns, make([]float64, panelsSize(p.shape, nb-diagonalColumns, diagonalColumns)))
	} else {
		p.triangle = make([]float64, nb*nb)
	}
	rows := p.shape.Rows
	for c := 0; c < nb; c += rows {
		p.before = append(p.before, make([]float64, c*rows))
		p.own = append(p.own, make([]float64, rows*rows))
	}
	p.works.New = func() any {
		x := make([]float64, len(p.own)*rows*p.shape.Cols)
		return &x
	}
	return p
}

// diagonalColumns is the number of columns up to which a diagonal block is factored
// column by column. It decides the order of memory accesses, never a result.
const diagonalColumns = 32

// eliminate runs the chains of columns lo … hi-1 to their end and updates the lower
// triangle to the right.
func (p *choleskyPanel) eliminate(team *block.Team, lo, hi int) *NotPositiveDefiniteError {
	p.lo, p.hi = lo, hi
	rows, nb := p.a.Rows-hi, hi-lo
	diag := p.a.View(lo, lo, nb, nb)
	if err := p.diagonal(diag); err != nil {
		err.Pivot += lo
		return err
	}
	if rows == 0 {
		return nil
	}
	p.pack(diag)
	p.below.n, p.below.k = rows, nb
	step := rowsInTask(p.shape)
	team.Do((rows+step-1)/step, func(task int) {
		x := p.works.Get().(*[]float64)
		defer p.works.Put(x)
		for i := task * step; i < min((task+1)*step, rows); i += p.shape.Cols {
			p.substitute(*x, i, min(p.shape.Cols, rows-i))
		}
	})
	block.Update(team, block.Lower, block.Mat(*p.a.View(hi, hi, rows, rows)), p.rowsOfL, p.below.data, nb)
	return nil
}

// diagonal factors the diagonal block.
func (p *choleskyPanel) diagonal(diag *matrix.Dense) *NotPositiveDefiniteError {
	if p.inner == nil {
		return choleskyBlock(diag, p.triangle)
	}
	p.inner.a = diag
	for lo := 0; lo < diag.Rows; lo += diagonalColumns {
		if err := p.inner.eliminate(nil, lo, min(lo+diagonalColumns, diag.Rows)); err != nil {
			return err
		}
	}
	return nil
}

// pack prepares the triangle of the diagonal block.
func (p *choleskyPanel) pack(diag *matrix.Dense) {
	rows, nb := p.shape.Rows, diag.Rows
	for strip, own := range p.own {
		c := strip * rows
		if c >= nb {
			break
		}
		n := min(rows, nb-c)
		f64.Pack(p.before[strip], rows, f64.Source{Data: diag.Data, Start: c * diag.Stride, RowStride: diag.Stride, ColStride: 1}, n, c, true)
		clear(own)
		for i := range rows {
			own[i*rows+i] = 1
			if i < n {
				copy(own[i*rows:], diag.Row(c + i)[c:c+i+1])
			}
		}
	}
}

// substitute overwrites the rows B from i on below the panel, n of them and at most
// as many as a tile has columns, by the solution of YLᵀ = B.
func (p *choleskyPanel) substitute(x []float64, i, n int) {
	rows, cols := p.shape.Rows, p.shape.Cols
	b := p.a.View(p.hi+i, p.lo, n, p.hi-p.lo)
	panel, width := p.below.from(i)
	inPlace := width == cols && b.Cols%rows == 0
	if inPlace {
		x = panel
	}
	f64.Pack(x, cols, f64.Source{Data: b.Data, RowStride: b.Stride, ColStride: 1}, n, b.Cols, false)
	for strip, own := range p.own {
		c := strip * rows
		if c >= b.Cols {
			break
		}
		tile := x[c*cols:][:rows*cols]
		f64.Tile(f64.Product, tile, cols, rows, cols, p.before[strip], x, c, true, 0)
		f64.SolveTile(tile, own)
	}
	f64.Transpose(b.Data, b.Stride, x, cols, b.Cols, n)
	if !inPlace {
		f64.CopyRows(panel, width, x, cols, b.Cols, width, false)
	}
}

// rowsOfL packs rows i … i+n-1 of −L below the panel.
func (p *choleskyPanel) rowsOfL(panel []float64, i, n int) {
	p.below.columns(i, n, func(at int, l []float64, width, some int) {
		f64.CopyRows(panel[at:], p.shape.Rows, l, width, p.below.k, some, true)
	})
}

// choleskyBlock factors the square a in place column by column, the rows of a column
// side by side: in l, as large as a, the triangle is transposed.
func choleskyBlock(a *matrix.Dense, l []float64) *NotPositiveDefiniteError {
	n := a.Rows
	for i := range n {
		for j, v := range a.Row(i)[:i+1] {
			l[j*n+i] = v
		}
	}
	row := make([]float64, n) // row j of L, negated
	for j := range n {
		for k := range j {
			row[k] = -l[k*n+j]
		}
		column := l[j*n+j : (j+1)*n] // from the diagonal on
		f64.Line(f64.Product, column, row, 1, l[j:], n, j, true)
		if s := column[0]; !(s > 0) {
			return &NotPositiveDefiniteError{Pivot: j, Value: s}
		}
		d := math.Sqrt(column[0])
		column[0] = d
		a.Row(j)[j] = d
		for i := 1; i < len(column); i++ {
			column[i] /= d
			a.Row(j + i)[j] = column[i]
		}
	}
	return nil
}
