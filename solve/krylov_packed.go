package solve

import (
	"context"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// packed is a square matrix K that many products with few vectors read, in the
// layout in which the tile kernels take it: panels of some rows, step by step. It
// lives in the memory of K but for the last panel where that is not full.
type packed struct {
	k          *matrix.Dense
	shape      f64.Shape
	last       []float64
	right, out []float64 // memory of products
}

// newPacked packs k, whose rows must follow one another without gaps, in place. The
// rows of each panel are handed to prepare, where that is not nil, before they are
// packed.
func newPacked(team *block.Team, k *matrix.Dense, prepare func(rows *matrix.Dense, i int)) *packed {
	p := &packed{k: k, shape: f64.TileShape()}
	n, rows := k.Rows, p.shape.Rows
	if n%rows != 0 {
		p.last = make([]float64, rows*n)
	}
	p.eachPanel(team, func(panel []float64, buffer []float64, i, rows int) {
		if prepare != nil {
			prepare(k.View(i, 0, rows, n), i)
		}
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

// scaleBy multiplies the matrix by a power of two.
func (p *packed) scaleBy(team *block.Team, f float64) {
	if f == 1 {
		return
	}
	team.Do(p.tasks(), func(task int) {
		i0, i1 := p.task(task)
		for i := i0; i < i1; i += p.shape.Rows {
			f64.Scale(p.panel(i), f)
		}
	})
}

// panelsInTask is the number of panels in a task.
const panelsInTask = 16

// eachPanel calls f with every panel, a buffer of its size, and the rows in it.
func (p *packed) eachPanel(team *block.Team, f func(panel, buffer []float64, i, rows int)) {
	n, size := p.k.Rows, p.shape.Rows*p.k.Rows
	p.right = resized(p.right, workersOf(team)*size)
	eachTask(team, p.tasks(), p.right, size, func(task int, buffer []float64) {
		i0, i1 := p.task(task)
		for i := i0; i < i1; i += p.shape.Rows {
			f(p.panel(i), buffer, i, min(p.shape.Rows, n-i))
		}
	})
}

// tasks returns the number of tasks, task the rows i0 … i1−1 of the panels of one.
func (p *packed) tasks() int {
	rows := panelsInTask * p.shape.Rows
	return (p.k.Rows + rows - 1) / rows
}

func (p *packed) task(task int) (i0, i1 int) {
	rows := panelsInTask * p.shape.Rows
	return task * rows, min((task+1)*rows, p.k.Rows)
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
// k ↑, as in matrix.Mul of K and xᵀ. One product is made at a time.
func (p *packed) multiply(ctx context.Context, team *block.Team, y, x *matrix.Dense) error {
	n, b := x.Cols, x.Rows
	shape := p.shape
	// Panels of the right factor xᵀ, and the columns of y by rows.
	width := (b-1)/shape.Cols*shape.Cols + shape.PanelWidth((b-1)%shape.Cols+1)
	p.right, p.out = resized(p.right, width*n), resized(p.out, b*n)
	f64.PackPanels(p.right, shape, f64.Source{Data: x.Data, RowStride: x.Stride, ColStride: 1}, b, n)
	team.Do(p.tasks(), func(task int) {
		i0, i1 := p.task(task)
		for k := 0; k < n; k += stepsInTile {
			steps := min(stepsInTile, n-k)
			for i := i0; i < i1; i += shape.Rows {
				left, rows := p.panel(i)[k*shape.Rows:], min(shape.Rows, n-i)
				for j := 0; j < b; j += shape.Cols {
					cols := min(shape.Cols, b-j)
					f64.Tile(f64.Product, p.out[i*b+j:], b, rows, cols, left, p.right[j*n+k*shape.PanelWidth(cols):], steps, k > 0, shape.Cols)
				}
			}
		}
		f64.Transpose(y.Data[i0:], y.Stride, p.out[i0*b:], b, i1-i0, b)
	})
	return ctx.Err()
}
