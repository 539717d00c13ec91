package block

import "github.com/seed92411348/kfda/internal/asm/f64"

// isNarrow reports whether the job is to be done without packing A: where C is one
// tile wide, each number of A is used in one tile, and to pack it would take as long.
func (r *run) isNarrow(n int) bool {
	job := &r.job
	return n == r.shape.Cols && f64.HasTileRows() && job.Op == f64.Product && job.Mode != Subtract &&
		job.Part == Whole && job.Epilogue == nil && !job.TransA && !job.Backward && r.k > 0
}

// narrowSteps bounds the steps of a call of a kernel: its panel of B stays in the second
// cache.
const narrowSteps = 1 << 11

// runNarrow is Run for such a job.
func (r *run) runNarrow(team *Team) {
	r.j0, r.j1 = 0, r.shape.Cols
	r.b = r.room(r.shape.Cols * r.k)
	team.Do(stretchesOf(r.k), r.packStretchTask)
	team.Do((r.m+r.blocking.chunk-1)/r.blocking.chunk, r.narrowTask)
}

// packStretch packs a stretch of the panel of B.
func (r *run) packStretch(s int) {
	l0, l1 := divide(r.k, 1, stretchesOf(r.k), s)
	f64.PackPanels(r.b[r.shape.Cols*l0:], r.shape, r.job.colsOfB(0, l0, r.k), r.shape.Cols, l1-l0)
}

// narrow does a chunk of rows of C.
func (r *run) narrow(chunk int) {
	c, a := &r.job.C, &r.job.A
	first, last := chunk*r.blocking.chunk, min(r.m, (chunk+1)*r.blocking.chunk)
	for i := first; i < last; i += r.shape.Rows {
		for l0 := 0; l0 < r.k; l0 += narrowSteps {
			k, load := min(narrowSteps, r.k-l0), r.job.Mode != Overwrite || l0 > 0
			b := r.b[r.shape.Cols*l0:][:r.shape.Cols*k]
			if i+r.shape.Rows <= last {
				f64.TileRows(c.Data[i*c.Stride:], c.Stride, a.Data[i*a.Stride+l0:], a.Stride, b, k, load)
				continue
			}
			for ii := i; ii < last; ii++ {
				f64.Line(f64.Product, c.Data[ii*c.Stride:][:r.shape.Cols], a.Data[ii*a.Stride+l0:], 1, b, r.shape.Cols, k, load)
			}
		}
	}
}
