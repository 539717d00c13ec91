package solve

import (
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// packed is a square matrix K that many products with few vectors read, in the
// layout in which the tile kernels take it: panels of some rows, step by step. It
// lives in the memory of K but for the last panel where that is not full.
type packed struct {
	k     *matrix.Dense
	shape f64.Shape
	last  []float64
}

// newPacked packs k, whose rows must follow one another without gaps, in place.
func newPacked(team *block.Team, k *matrix.Dense) *packed {
	p := &packed{k: k, shape: f64.TileShape()}
	n, rows := k.Rows, p.shape.Rows
	if n%rows != 0 {
		p.last = make([]float64, rows*n)
	}
	p.eachPanel(team, func(panel []float64, buffer []float64, i, rows int) {
		f64.Pack(buffer, p.shape.Rows, f64.Source{Data: k.Data, Start: i * n, RowStride: n, ColStride: 1}, rows, n, false)
		copy(panel, buffer)
	})
	return p
}

// unpack restores the matrix.
func (p *packed) unpack(team *block.Team) {
	n := p.k.Rows
	p.eachPanel(team, func(panel []float64, buffer []float64, i, rows int) {
		f64.Transpose(buffer, n, panel, p.shape.Rows, n, rows)
		copy(p.k.Data[i*n:(i+rows)*n], buffer)
	})
}

// panelsInTask is the number of panels in a task.
const panelsInTask = 16

// eachPanel calls f with every panel, a buffer of its size, and the rows in it.
func (p *packed) eachPanel(team *block.Team, f func(panel, buffer []float64, i, rows int)) {
	n, size := p.k.Rows, p.shape.Rows*p.k.Rows
	p.eachTask(team, func(i0, i1 int) {
		buffer := make([]float64, size)
		for i := i0; i < i1; i += p.shape.Rows {
			f(p.panel(i), buffer, i, min(p.shape.Rows, n-i))
		}
	})
}

// eachTask calls f for the rows i0 … i1−1 of the panels of every task.
func (p *packed) eachTask(team *block.Team, f func(i0, i1 int)) {
	n, rows := p.k.Rows, panelsInTask*p.shape.Rows
	team.Do((n+rows-1)/rows, func(task int) { f(task*rows, min((task+1)*rows, n)) })
}

// panel returns the panel that begins with row i.
func (p *packed) panel(i int) []float64 {
	n := p.k.Rows
	if i+p.shape.Rows > n {
		return p.last
	}
	return p.k.Data[i*n : (i+p.shape.Rows)*n]
}

// stepsInTile is the number of steps of the chains that are run at a time: many, for
// K to be read from one end to the other, but not more than for which the right factor
// stays in the second cache. It never changes a result; tests lower it.
var stepsInTile = 4096

// multiply sets the rows of y to those of x times K, b×n: each entry is one chain
// k ↑, as in matrix.Mul of K and xᵀ.
func (p *packed) multiply(team *block.Team, y, x *matrix.Dense) {
	n, b := x.Cols, x.Rows
	// Panels of the right factor xᵀ.
	var right [][]float64
	for j := 0; j < b; j += p.shape.Cols {
		cols := min(p.shape.Cols, b-j)
		width := p.shape.PanelWidth(cols)
		panel := make([]float64, n*width)
		f64.Pack(panel, width, f64.Source{Data: x.Data, Start: j * x.Stride, RowStride: x.Stride, ColStride: 1}, cols, n, false)
		right = append(right, panel)
	}
	p.eachTask(team, func(i0, i1 int) {
		out := make([]float64, (i1-i0)*b) // columns of y, by rows
		for k := 0; k < n; k += stepsInTile {
			steps := min(stepsInTile, n-k)
			for i := i0; i < i1; i += p.shape.Rows {
				left, rows := p.panel(i)[k*p.shape.Rows:], min(p.shape.Rows, n-i)
				for j, panel := range right {
					at := j * p.shape.Cols
					cols := min(p.shape.Cols, b-at)
					f64.Tile(f64.Product, out[(i-i0)*b+at:], b, rows, cols, left, panel[k*p.shape.PanelWidth(cols):], steps, k > 0, p.shape.Cols)
				}
			}
		}
		f64.Transpose(y.Data[i0:], y.Stride, out, b, i1-i0, b)
	})
}
