package solve

import (
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/pages"
	"github.com/seed92411348/kfda/matrix"
)

// choleskyPanel is the work on columns lo … hi-1 of a. In the panels of square and
// below the rows of L lie side by side, column after column.
type choleskyPanel struct {
	a      *matrix.Dense
	lo, hi int
	shape  f64.Shape

	// The diagonal block: its rows, and for the strips of as many columns as a tile
	// has rows, the rows of L that belong to them: the columns before the strip,
	// negated and packed as a tile wants them, and the strip's own triangle, with
	// ones on the diagonal where there is no row.
	square      panels
	before, own [][]float64

	below  panels     // L in the rows below
	works  []float64  // for each worker as many rows of it as a tile has columns
	memory *[]float64 // all of these
}

func newCholeskyPanel(team *block.Team, a *matrix.Dense, nb int) *choleskyPanel {
	p := &choleskyPanel{a: a, shape: f64.TileShape()}
	rows, cols := p.shape.Rows, p.shape.Cols
	strips := (nb + rows - 1) / rows
	// Whole tiles: there may be more columns and rows than in the block.
	p.square = panels{shape: p.shape, n: (nb + cols - 1) / cols * cols, k: strips * rows}
	sizes := [...]int{panelsSize(p.shape, a.Rows-nb, nb), p.square.n * p.square.k, workersOf(team) * cols * p.square.k}
	p.memory = pages.Take(sizes[0] + sizes[1] + sizes[2] + strips*(strips+1)/2*rows*rows)
	rest := *p.memory
	part := func(n int) (numbers []float64) {
		numbers, rest = rest[:n], rest[n:]
		return numbers
	}
	p.below = panels{shape: p.shape, data: part(sizes[0])}
	p.square.data, p.works = part(sizes[1]), part(sizes[2])
	for strip := range strips {
		p.before = append(p.before, part(strip*rows*rows))
		p.own = append(p.own, part(rows*rows))
	}
	return p
}

// eliminate runs the chains of the columns before lo, whose diagonal block has been
// factored, to their end, updates the lower triangle to their right, and factors the
// diagonal block of columns lo … hi-1.
func (p *choleskyPanel) eliminate(team *block.Team, lo, hi int) (err *NotPositiveDefiniteError) {
	rows, nb := p.a.Rows-lo, lo-p.lo
	p.below.n, p.below.k = rows, nb
	step := rowsInTask(p.shape)
	eachTask(team, (rows+step-1)/step, p.works, p.shape.Cols*p.square.k, func(task int, x []float64) {
		for i := task * step; i < min((task+1)*step, rows); i += p.shape.Cols {
			p.substitute(x, i, min(p.shape.Cols, rows-i))
		}
	})
	right := block.Mat(*p.a.View(lo, lo, rows, rows))
	block.UpdateRows(team, block.Lower, right, hi-lo, rows, p.rowsOfL, p.below.data, nb, func() {
		block.UpdateRows(nil, block.Lower, right, 0, hi-lo, p.rowsOfL, p.below.data, nb, nil)
		err = p.diagonal(lo, hi)
	})
	return err
}

// diagonal factors the diagonal block of columns lo … hi-1, strip after strip: the
// products with the columns before the strip enter its chains, then those of the
// columns within it.
func (p *choleskyPanel) diagonal(lo, hi int) *NotPositiveDefiniteError {
	p.lo, p.hi = lo, hi
	a := p.a.View(lo, lo, hi-lo, hi-lo)
	rows, cols, nb := p.shape.Rows, p.shape.Cols, a.Rows
	p.loadSquare(a)
	for strip, own := range p.own {
		c := strip * rows
		if c >= nb {
			break
		}
		n := min(rows, nb-c)
		before := p.before[strip]
		p.square.columns(c, n, func(at int, l []float64, width, some int) {
			f64.CopyRows(before[at:], rows, l, width, c, some, true)
		})
		for i := c / cols * cols; i < nb; i += cols {
			x, _ := p.square.from(i)
			f64.Tile(f64.Product, x[c*cols:], cols, rows, cols, before, x, c, true, 0)
		}
		clear(own)
		for i := range rows {
			own[i*rows+i] = 1
			if i < n {
				x := p.rowOfSquare(c+i, c)
				for j := range i + 1 {
					own[i*rows+j] = x[j*cols]
				}
			}
		}
		if err := choleskyTriangle(own, n, rows); err != nil {
			err.Pivot += lo + c
			return err
		}
		for i := c / cols * cols; i < nb; i += cols {
			x, _ := p.square.from(i)
			f64.SolveTile(x[c*cols:], own)
		}
		for i := range n {
			p.rowOfSquare(c+i, c+i)[0] = own[i*rows+i]
		}
	}
	p.storeSquare(a)
	return nil
}

// rowOfSquare returns row i of square from column j on. Its elements are as far apart
// as a tile has columns.
func (p *choleskyPanel) rowOfSquare(i, j int) []float64 {
	lane := i % p.shape.Cols
	return p.square.data[(i-lane)*p.square.k+j*p.shape.Cols+lane:]
}

// loadSquare copies the lower triangle of a to square.
func (p *choleskyPanel) loadSquare(a *matrix.Dense) {
	cols := p.shape.Cols
	p.eachPanelOfSquare(a, func(x []float64, i, n int) {
		f64.Pack(x, cols, f64.Source{Data: a.Data, Start: i * a.Stride, RowStride: a.Stride, ColStride: 1}, n, i, false)
		triangle := x[i*cols:]
		clear(triangle[:n*cols])
		for r := range n {
			for j, v := range a.Row(i + r)[i : i+r+1] {
				triangle[j*cols+r] = v
			}
		}
	})
}

// storeSquare copies the lower triangle of square to a.
func (p *choleskyPanel) storeSquare(a *matrix.Dense) {
	cols := p.shape.Cols
	p.eachPanelOfSquare(a, func(x []float64, i, n int) {
		f64.Transpose(a.Data[i*a.Stride:], a.Stride, x, cols, i, n)
		triangle := x[i*cols:]
		for r := range n {
			row := a.Row(i + r)[i : i+r+1]
			for j := range row {
				row[j] = triangle[j*cols+r]
			}
		}
	})
}

// eachPanelOfSquare calls f with every panel of square and the rows i … i+n-1 of a
// that it holds.
func (p *choleskyPanel) eachPanelOfSquare(a *matrix.Dense, f func(x []float64, i, n int)) {
	for i := 0; i < a.Rows; i += p.shape.Cols {
		x, _ := p.square.from(i)
		f(x, i, min(p.shape.Cols, a.Rows-i))
	}
}

// choleskyTriangle factors the n×n lower triangle a in place, rows stride apart.
func choleskyTriangle(a []float64, n, stride int) *NotPositiveDefiniteError {
	for j := range n {
		s := a[j*stride+j]
		if !(s > 0) {
			return &NotPositiveDefiniteError{Pivot: j, Value: s}
		}
		d := math.Sqrt(s)
		a[j*stride+j] = d
		for i := j + 1; i < n; i++ {
			row := a[i*stride:][:i+1]
			row[j] /= d
			for k := j + 1; k <= i; k++ {
				row[k] = f64.FMA(-row[j], a[k*stride+j], row[k])
			}
		}
	}
	return nil
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
