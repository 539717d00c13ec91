package block

import "github.com/seed92411348/kfda/internal/asm/f64"

// isNarrow reports whether the job is to be done without packing A: where C is no wider than
// two tiles, each number of A is used in as many, and to pack it would take about as long.
func (r *run) isNarrow(n int) bool {
	job := &r.job
	return n <= 2*r.shape.Cols && f64.HasTileRows() && job.Op == f64.Product &&
		job.Part == Whole && job.Epilogue == nil && !job.Backward && r.k > 0
}

// narrowSteps bounds the steps of a call of a kernel: its panel of B stays in the second
// cache. Of an A that is stored transposed, a chunk of that many steps stays in the first.
const (
	narrowSteps     = 1 << 11
	transposedSteps = 1 << 6
)

// runNarrow is Run for such a job.
func (r *run) runNarrow(team *Team, n int) {
	for r.j0 = 0; r.j0 < n; r.j0 = r.j1 {
		r.j1 = min(n, r.j0+r.shape.Cols)
		r.b = r.room(r.shape.PanelWidth(r.j1-r.j0) * r.k)
		team.Do(stretchesOf(r.k), r.packStretchTask)
		team.Do((r.m+r.blocking.chunk-1)/r.blocking.chunk, r.narrowTask)
	}
}

// packStretch packs a stretch of the panel of B, negated where A ought to be.
func (r *run) packStretch(s int) {
	l0, l1 := divide(r.k, 1, stretchesOf(r.k), s)
	width := r.shape.PanelWidth(r.j1 - r.j0)
	f64.Pack(r.b[width*l0:], width, r.job.colsOfB(r.j0, l0, r.k), r.j1-r.j0, l1-l0, r.job.Mode == Subtract)
}

// narrow does a chunk of rows of C.
func (r *run) narrow(chunk int) {
	c, n, steps := &r.job.C, r.j1-r.j0, narrowSteps
	width := r.shape.PanelWidth(n)
	if r.job.TransA {
		steps = transposedSteps
	}
	first, last := chunk*r.blocking.chunk, min(r.m, (chunk+1)*r.blocking.chunk)
	var wide [f64.MaxTile]float64 // a tile with all columns of the panel
	for l0 := 0; l0 < r.k; l0 += steps {
		k, load := min(steps, r.k-l0), r.job.Mode != Overwrite || l0 > 0
		b := r.b[width*l0:][:width*k]
		for i := first; i < last; i += r.shape.Rows {
			a, rows := r.job.rowsOfA(i, l0, r.k), min(r.shape.Rows, last-i)
			to := c.Data[i*c.Stride+r.j0:]
			switch {
			case rows < r.shape.Rows:
				for row := range rows {
					f64.Line(f64.Product, to[row*c.Stride:][:n], a.Data[a.Start+row*a.RowStride:], a.ColStride, b, width, k, load)
				}
			case n == width:
				f64.TileRows(to, c.Stride, n, a, b, k, load)
			default:
				for row := 0; load && row < rows; row++ {
					copy(wide[row*width:][:n], to[row*c.Stride:])
				}
				f64.TileRows(wide[:], width, width, a, b, k, load)
				for row := range rows {
					copy(to[row*c.Stride:][:n], wide[row*width:])
				}
			}
		}
	}
}
