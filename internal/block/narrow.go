package block

import "github.com/seed92411348/kfda/internal/asm/f64"

// isNarrow reports whether the job is to be done without packing A: where C is no wider than
// a tile, each number of A is used in one tile, and to pack it would take as long.
func (r *run) isNarrow(n int) bool {
	job := &r.job
	return n <= r.shape.Cols && n == r.shape.PanelWidth(n) && f64.HasTileRows() && job.Op == f64.Product &&
		job.Mode != Subtract && job.Part == Whole && job.Epilogue == nil && !job.Backward && r.k > 0
}

// narrowSteps bounds the steps of a call of a kernel: its panel of B stays in the second
// cache.
const narrowSteps = 1 << 11

// runNarrow is Run for such a job.
func (r *run) runNarrow(team *Team, n int) {
	r.j0, r.j1 = 0, n
	r.b = r.room(n * r.k)
	team.Do(stretchesOf(r.k), r.packStretchTask)
	team.Do((r.m+r.blocking.chunk-1)/r.blocking.chunk, r.narrowTask)
}

// packStretch packs a stretch of the panel of B.
func (r *run) packStretch(s int) {
	l0, l1 := divide(r.k, 1, stretchesOf(r.k), s)
	f64.PackPanels(r.b[r.j1*l0:], r.shape, r.job.colsOfB(0, l0, r.k), r.j1, l1-l0)
}

// narrow does a chunk of rows of C.
func (r *run) narrow(chunk int) {
	c, n := &r.job.C, r.j1
	first, last := chunk*r.blocking.chunk, min(r.m, (chunk+1)*r.blocking.chunk)
	for i := first; i < last; i += r.shape.Rows {
		for l0 := 0; l0 < r.k; l0 += narrowSteps {
			k, load := min(narrowSteps, r.k-l0), r.job.Mode != Overwrite || l0 > 0
			a, b := r.job.rowsOfA(i, l0, r.k), r.b[n*l0:][:n*k]
			if i+r.shape.Rows <= last {
				f64.TileRows(c.Data[i*c.Stride:], c.Stride, n, a, b, k, load)
				continue
			}
			for ii := i; ii < last; ii++ {
				f64.Line(f64.Product, c.Data[ii*c.Stride:][:n], a.Data[a.Start+(ii-i)*a.RowStride:], a.ColStride, b, n, k, load)
			}
		}
	}
}
