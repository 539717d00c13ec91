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

	// L in the rows below, packed for block.Update: negated as rows of the first
	// factor, and as columns of the second one.
	belowRows, belowCols []float64

	works sync.Pool // of *[]float64: as many rows of it, transposed, as a tile has columns
}

func newCholeskyPanel(a *matrix.Dense, nb int) *choleskyPanel {
	p := &choleskyPanel{a: a, shape: f64.TileShape()}
	size := (a.Rows - nb + p.shape.Rows + p.shape.Cols) * nb // whole panels
	p.belowRows, p.belowCols = make([]float64, size), make([]float64, size)
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

// eliminate runs the chains of columns lo … hi-1 to their end and updates the lower
// triangle to the right.
func (p *choleskyPanel) eliminate(team *block.Team, lo, hi int) error {
	p.lo, p.hi = lo, hi
	rows, nb := p.a.Rows-hi, hi-lo
	diag := p.a.View(lo, lo, nb, nb)
	if err := choleskyBlock(diag); err != nil {
		err.Pivot += lo
		return err
	}
	if rows == 0 {
		return nil
	}
	p.pack(diag)
	step := rowsInTask(p.shape)
	team.Do((rows+step-1)/step, func(task int) {
		x := p.works.Get().(*[]float64)
		defer p.works.Put(x)
		for i := task * step; i < min((task+1)*step, rows); i += p.shape.Cols {
			p.substitute(*x, i, min(p.shape.Cols, rows-i))
		}
	})
	block.Update(team, block.Lower, block.Mat(*p.a.View(hi, hi, rows, rows)), p.belowRows, p.belowCols, nb)
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
	k, width := b.Cols, p.shape.PanelWidth(n)
	f64.CopyRows(p.belowCols[i*k:], width, x, cols, k, width, false)
	for from := 0; from < n; {
		in := (i + from) % rows // the place of the row in its panel
		some := min(rows-in, n-from)
		f64.CopyRows(p.belowRows[(i+from-in)*k+in:], rows, x[from:], cols, k, some, true)
		from += some
	}
}

// choleskyBlock factors the square a in place column by column, the rows of a column
// side by side.
func choleskyBlock(a *matrix.Dense) *NotPositiveDefiniteError {
	n := a.Rows
	l := make([]float64, n*n) // the lower triangle, transposed
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
