package block

import (
	"sync"
	"unsafe"

	"github.com/seed92411348/kfda/internal/asm/f64"
)

// Cache blocking. A panel of A, 8 rows and a stretch of k, stays in the first
// cache while the panels of a group of B pass by from the second, where the whole
// group stays; the packed blocks of A and B live in the third. All are upper
// bounds: what there is is divided evenly.
const (
	stretchK  = 256     // steps of k that are packed at once
	groupCols = 240     // columns of B in a group
	chunkRows = 64      // rows of A in a task
	blockSize = 1 << 19 // values in a packed block of A or of B: 4 MiB
)

// A job of fewer terms runs on the caller alone: starting a goroutine on another
// processor takes about as long. An entry's epilogue counts as some terms.
const (
	sharedTerms   = 1 << 22
	epilogueTerms = 16
)

// Run does the job on the team's workers. With a nil team it makes one of its own
// for a job that is worth it.
func Run(team *Team, job Job) {
	m, n, k := job.sizes()
	if m == 0 || n == 0 {
		return
	}
	if team == nil && m*n*(k+epilogueTerms) >= sharedTerms {
		team = NewTeam()
		defer team.Close()
	}
	r := runs.Get().(*run)
	defer r.release()
	r.job, r.k, r.shape = job, k, f64.TileShape()

	// Loop 5: stretches of k.
	stretches := max(1, (k+stretchK-1)/stretchK)
	for s := range stretches {
		r.l0, r.l1 = divide(k, 1, stretches, s)
		r.load = job.Mode != Overwrite || s > 0
		r.last = s == stretches-1
		side := blockSize / max(1, r.l1-r.l0)
		// Loop 4: blocks of rows.
		rowBlocks := (m + side - 1) / side
		for bi := range rowBlocks {
			r.i0, r.i1 = divide(m, r.shape.Rows, rowBlocks, bi)
			r.packedA = false
			// Loop 3: blocks of columns.
			colBlocks := (n + side - 1) / side
			for bj := range colBlocks {
				r.j0, r.j1 = divide(n, r.shape.Cols, colBlocks, bj)
				if lo, hi := job.Part.some(r.i0, r.i1, r.j0, r.j1); lo < hi {
					r.block(team)
				}
			}
		}
	}
}

// divide returns the part-th of parts about equal parts of n, cut at multiples of
// unit.
func divide(n, unit, parts, part int) (lo, hi int) {
	units := (n + unit - 1) / unit
	return min(n, units*part/parts*unit), min(n, units*(part+1)/parts*unit)
}

// run is the state of one Run. It is reused, with its packing buffers.
type run struct {
	job   Job
	k     int
	shape f64.Shape

	l0, l1     int  // the stretch of k
	load, last bool // whether chains continue from C, and whether they end here
	i0, i1     int  // the block of rows
	j0, j1     int  // the block of columns

	chunks, groups int // into which the block's rows and columns are divided
	packedA        bool
	a, b           []float64 // packed panels of the block's rows and columns

	packTask, computeTask func(int) // the methods, bound once
}

var runs = sync.Pool{New: func() any {
	r := new(run)
	r.packTask, r.computeTask = r.pack, r.compute
	return r
}}

func (r *run) release() {
	r.job = Job{}
	runs.Put(r)
}

// block packs a block of A and one of B and computes C where they meet.
func (r *run) block(team *Team) {
	m, n, k := r.i1-r.i0, r.j1-r.j0, r.l1-r.l0
	r.chunks = (m + chunkRows - 1) / chunkRows
	r.groups = (n + groupCols - 1) / groupCols
	r.b = grow(r.b, (n+r.shape.Cols-1)/r.shape.Cols*r.shape.Cols*k)
	packs := r.groups
	if !r.packedA {
		r.a = grow(r.a, (m+r.shape.Rows-1)/r.shape.Rows*r.shape.Rows*k)
		packs += r.chunks
	}
	team.Do(packs, r.packTask)
	r.packedA = true
	team.Do(r.chunks*r.groups, r.computeTask)
}

// chunk returns the rows of C in a chunk of the block.
func (r *run) chunk(c int) (lo, hi int) {
	lo, hi = divide(r.i1-r.i0, r.shape.Rows, r.chunks, c)
	return r.i0 + lo, r.i0 + hi
}

// group returns the columns of C in a group of the block.
func (r *run) group(g int) (lo, hi int) {
	lo, hi = divide(r.j1-r.j0, r.shape.Cols, r.groups, g)
	return r.j0 + lo, r.j0 + hi
}

// panelA returns the panel of the rows of A from i on.
func (r *run) panelA(i int) []float64 {
	k := r.l1 - r.l0
	return r.a[(i-r.i0)*k:][:r.shape.Rows*k]
}

// panelB returns the panel of the cols columns of B from j on, and its width.
func (r *run) panelB(j, cols int) ([]float64, int) {
	k, width := r.l1-r.l0, r.shape.PanelWidth(cols)
	return r.b[(j-r.j0)*k:][:width*k], width
}

// pack packs a group of B or a chunk of A.
func (r *run) pack(task int) {
	k := r.l1 - r.l0
	if task < r.groups {
		lo, hi := r.group(task)
		for j := lo; j < hi; j += r.shape.Cols {
			cols := min(r.shape.Cols, hi-j)
			panel, width := r.panelB(j, cols)
			f64.Pack(panel, width, r.job.colsOfB(j, r.l0, r.k), cols, k, false)
		}
		return
	}
	lo, hi := r.chunk(task - r.groups)
	for i := lo; i < hi; i += r.shape.Rows {
		f64.Pack(r.panelA(i), r.shape.Rows, r.job.rowsOfA(i, r.l0, r.k), min(r.shape.Rows, hi-i), k, r.job.Mode == Subtract)
	}
}

// compute does the tiles of a chunk of A and a group of B.
func (r *run) compute(task int) {
	i0, i1 := r.chunk(task % r.chunks)
	j0, j1 := r.group(task / r.chunks)
	c := &r.job.C
	// Loop 2: panels of A.
	for i := i0; i < i1; i += r.shape.Rows {
		rows := min(r.shape.Rows, i1-i)
		a := r.panelA(i)
		lo, hi := r.job.Part.some(i, i+rows, j0, j1)
		// Loop 1: panels of B.
		for j := lo - (lo-j0)%r.shape.Cols; j < hi; j += r.shape.Cols {
			cols := min(r.shape.Cols, j1-j)
			b, _ := r.panelB(j, cols)
			if r.job.Part.every(i, i+rows, j, j+cols) {
				f64.Tile(r.job.Op, c.Data[i*c.Stride+j:], c.Stride, rows, cols, a, b, r.l1-r.l0, r.load)
			} else {
				r.diagonalTile(i, rows, j, cols, a, b)
			}
		}
		if r.last {
			r.finish(i, rows, j0, j1)
		}
	}
}

// diagonalTile does a tile of which C has only a part: the whole tile is computed
// beside C, and the part is copied.
func (r *run) diagonalTile(i, rows, j, cols int, a, b []float64) {
	var tile [f64.MaxTile]float64
	c := &r.job.C
	if r.load {
		for ii := range rows {
			if lo, hi := r.job.Part.row(i+ii, j, j+cols); lo < hi {
				copy(tile[ii*cols+lo-j:], c.Data[(i+ii)*c.Stride+lo:(i+ii)*c.Stride+hi])
			}
		}
	}
	f64.Tile(r.job.Op, tile[:], cols, rows, cols, a, b, r.l1-r.l0, r.load)
	for ii := range rows {
		if lo, hi := r.job.Part.row(i+ii, j, j+cols); lo < hi {
			copy(c.Data[(i+ii)*c.Stride+lo:(i+ii)*c.Stride+hi], tile[ii*cols+lo-j:])
		}
	}
}

// finish runs the epilogue on the finished rows from i on, columns j0 to j1, and
// mirrors them.
func (r *run) finish(i, rows, j0, j1 int) {
	c := &r.job.C
	if r.job.Epilogue != nil {
		for ii := i; ii < i+rows; ii++ {
			if lo, hi := r.job.Part.row(ii, j0, j1); lo < hi {
				r.job.Epilogue(c.Data[ii*c.Stride+lo:ii*c.Stride+hi], ii, lo)
			}
		}
	}
	if r.job.Part != Symmetric {
		return
	}
	// Columns left of the diagonal in all of the rows, then the triangle.
	left := min(j1, i)
	if j0 < left {
		f64.Transpose(c.Data[j0*c.Stride+i:], c.Stride, c.Data[i*c.Stride+j0:], c.Stride, rows, left-j0)
	}
	for ii := i; ii < i+rows; ii++ {
		for j := max(j0, left); j < min(j1, ii); j++ {
			c.Data[j*c.Stride+ii] = c.Data[ii*c.Stride+j]
		}
	}
}

// grow returns x with a length of n, aligned to a cache line; its contents are
// lost.
func grow(x []float64, n int) []float64 {
	if n <= cap(x) {
		return x[:n]
	}
	const line = 8
	x = make([]float64, n+line-1)
	skip := -int(uintptr(unsafe.Pointer(&x[0]))/8) & (line - 1)
	return x[skip:][:n]
}
