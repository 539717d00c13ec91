package block

import (
	"sync"
	"unsafe"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/asm/isa"
	"github.com/seed92411348/kfda/internal/pages"
)

// blocking says how a tier uses its caches. A panel of A and a stretch of k stays in
// the first cache while the panels of a group of B pass by from the second, where
// the group and the chunk that the panel of A is from stay; the packed block of B
// lives in the third. All numbers are upper bounds: what there is is divided
// evenly.
type blocking struct {
	steps int // of k, packed at once
	group int // columns of B in a group
	chunk int // rows of A in a chunk
}

// AVX-512: a panel of A has 20 KiB, a group of B 480, a chunk of A 160, where a second
// cache has 1 MiB. AVX2, whose small tiles are read and written more often, makes up for
// it with longer stretches, 12, 288 and 192 KiB: together they fit 512 KiB.
var blockings = [...]blocking{
	isa.Portable: {steps: 256, group: 192, chunk: 64},
	isa.NEON:     {steps: 256, group: 192, chunk: 60},
	isa.AVX2:     {steps: 384, group: 96, chunk: 64},
	isa.AVX512:   {steps: 320, group: 192, chunk: 64},
}

// blockValues is about the number of values in the packed block of B: 4 MiB.
const blockValues = 1 << 19

// The rows of few chunks are shared out by groups of columns too, so that there
// are about that many tasks.
const fewTasks = 16

// An entry's epilogue counts as some terms when a job is measured.
const epilogueTerms = 16

// Run does the job on the team's workers. With a nil team it makes one of its own
// for a job that is worth it.
func Run(team *Team, job Job) {
	m, n, k := job.sizes()
	if m == 0 || n == 0 {
		return
	}
	if team == nil {
		team = TeamFor(m, n, k+epilogueTerms)
		defer team.Close()
	}
	if job.byLines(m) {
		runLines(team, &job, m, n, k)
		return
	}
	r := runs.Get().(*run)
	defer r.release()
	r.job, r.shape, r.blocking = job, f64.TileShape(), blockings[isa.Current()]
	r.i0, r.m, r.k = 0, m, k
	ready := job.Panels.fit(&job, n, k)
	switch {
	case ready:
	case r.isNarrow(n):
		r.runNarrow(team, n)
		return
	case r.hasFewRows():
		r.runFewRows(team, n)
		return
	}

	// Loop 5: stretches of k.
	stretches := stretchesOf(k)
	for s := range stretches {
		r.l0, r.l1 = divide(k, 1, stretches, s)
		r.load = job.Mode != Overwrite || s > 0
		r.last = s == stretches-1
		// Loop 4: blocks of columns; one, where B is packed already.
		side := blockValues / max(1, r.l1-r.l0)
		blocks := (n + side - 1) / side
		if ready {
			blocks = 1
		}
		for b := range blocks {
			r.j0, r.j1 = divide(n, r.shape.Cols, blocks, b)
			r.divideWork(team)
			width := panelsWidth(r.shape, r.j1-r.j0)
			if ready {
				r.b = job.Panels.stretch(r.l0, r.l1, width)
			} else {
				r.b = r.room(width * (r.l1 - r.l0))
				team.Do(r.groups, r.packTask)
			}
			team.Do(r.chunks*r.ranges, r.computeTask)
		}
	}
}

// stretchesOf returns the number of stretches into which k steps are divided.
func stretchesOf(k int) int {
	steps := blockings[isa.Current()].steps
	return max(1, (k+steps-1)/steps)
}

// divide returns the part-th of parts about equal parts of n, cut at multiples of
// unit.
func divide(n, unit, parts, part int) (lo, hi int) {
	units := (n + unit - 1) / unit
	return min(n, units*part/parts*unit), min(n, units*(part+1)/parts*unit)
}

// run is the state of one Run. It is reused, with its packing buffer.
type run struct {
	job      Job
	i0, m, k int // rows from i0 on: as many as m
	blocking
	shape f64.Shape

	chunks int // into which the rows are divided

	l0, l1     int  // the stretch of k
	load, last bool // whether chains continue from C, and whether they end here

	j0, j1 int       // the block of columns
	groups int       // into which it is divided
	ranges int       // into which the groups are divided, for tasks
	b      []float64 // the packed panels of the block
	buf    []float64 // for them

	rows func(panel []float64, i, n int) // packs rows of A, where the job does not

	packTask, computeTask, columnsTask, packStretchTask, narrowTask func(int) // the methods, bound once
}

var runs = sync.Pool{New: func() any {
	r := new(run)
	r.packTask, r.computeTask, r.columnsTask, r.packStretchTask, r.narrowTask = r.pack, r.compute, r.columns, r.packStretch, r.narrow
	return r
}}

func (r *run) release() {
	r.job, r.rows, r.b = Job{}, nil, nil
	runs.Put(r)
}

// divideWork divides the rows, the columns of the block, and the tasks of the team. Each
// range packs its rows.
func (r *run) divideWork(team *Team) {
	r.chunks = (r.m + r.blocking.chunk - 1) / r.blocking.chunk
	r.groups = (r.j1 - r.j0 + r.blocking.group - 1) / r.blocking.group
	r.ranges = 1
	if !team.alone() {
		r.ranges = min(r.groups, (fewTasks+r.chunks-1)/max(1, r.chunks))
	}
}

// groupBounds returns the columns of C in a group of the block.
func (r *run) groupBounds(g int) (lo, hi int) {
	lo, hi = divide(r.j1-r.j0, r.shape.Cols, r.groups, g)
	return r.j0 + lo, r.j0 + hi
}

// panelB returns the packed panel of the columns of B from j on.
func (r *run) panelB(j, cols int) []float64 {
	k := r.l1 - r.l0
	return r.b[(j-r.j0)*k:][:r.shape.PanelWidth(cols)*k]
}

// room returns memory for n packed values, more than a job needs, so that jobs that
// become larger do not each leave a buffer behind: a second one is the last. What no job
// touches takes no memory.
func (r *run) room(n int) []float64 {
	if n > cap(r.buf) {
		least := fewRowsValues
		if cap(r.buf) > 0 {
			least = blockValues
		}
		r.buf = grow(nil, max(n, least))
	}
	return r.buf[:n]
}

// pack packs a group of B.
func (r *run) pack(g int) {
	k := r.l1 - r.l0
	lo, hi := r.groupBounds(g)
	f64.PackPanels(r.b[(lo-r.j0)*k:], r.shape, r.job.colsOfB(lo, r.l0, r.k), hi-lo, k)
}

// packedRows is the packed panels of a chunk of rows of A.
type packedRows struct{ a []float64 }

var packed = sync.Pool{New: func() any { return new(packedRows) }}

// compute does the entries of C in a chunk of rows and a range of groups.
func (r *run) compute(task int) {
	at := task / r.ranges
	if r.job.Part != StrictUpper {
		at = r.chunks - 1 - at // the longest rows first, for the workers to end together
	}
	i0, i1 := divide(r.m, r.shape.Rows, r.chunks, at)
	i0, i1 = i0+r.i0, i1+r.i0
	g0, g1 := divide(r.groups, 1, r.ranges, task%r.ranges)
	j0, _ := r.groupBounds(g0)
	_, j1 := r.groupBounds(g1 - 1)
	if lo, hi := r.job.Part.some(i0, i1, j0, j1); lo >= hi {
		return
	}

	// Loop 3: the chunk of rows.
	k := r.l1 - r.l0
	buf := packed.Get().(*packedRows)
	defer packed.Put(buf)
	if size := padded(i1-i0, r.shape.Rows) * k; size <= cap(buf.a) {
		buf.a = buf.a[:size]
	} else { // as large as those of most jobs, so that larger ones do not each leave one behind
		buf.a = grow(nil, max(size, r.blocking.chunk*r.blocking.steps))[:size]
	}
	step := r.shape.Rows * k // from panel to panel
	for i, a := i0, buf.a; i < i1; i, a = i+r.shape.Rows, a[step:] {
		if rows := min(r.shape.Rows, i1-i); r.rows != nil {
			r.rows(a, i, rows)
		} else {
			f64.Pack(a, r.shape.Rows, r.job.rowsOfA(i, r.l0, r.k), rows, k, r.job.Mode == Subtract)
		}
	}
	for g := g0; g < g1; g++ {
		j0, j1 := r.groupBounds(g)
		// Loop 2: panels of A.
		for i, a := i0, buf.a; i < i1; i, a = i+r.shape.Rows, a[step:] {
			r.strip(i, min(r.shape.Rows, i1-i), j0, j1, a)
		}
	}
}

// strip does the tiles of a panel of A and a group of B.
func (r *run) strip(i, rows, j0, j1 int, a []float64) {
	width := r.shape.Cols
	lo, hi := r.job.Part.some(i, i+rows, j0, j1)
	// Loop 1: panels of B.
	first := lo - (lo-j0)%width
	for j := first; j < hi; j += width {
		next := width
		if j+width >= hi {
			next = first - j + rows*r.job.C.Stride // the next strip
		}
		r.tile(i, rows, j, min(width, j1-j), a, next)
	}
	if r.last {
		r.finish(i, rows, j0, j1)
	}
}

// tile does a tile, or the part of it that belongs to C. The tile after it begins
// next values after this one.
func (r *run) tile(i, rows, j, cols int, a []float64, next int) {
	b := r.panelB(j, cols)
	if r.job.Part.every(i, i+rows, j, j+cols) {
		c := &r.job.C
		f64.Tile(r.job.Op, c.Data[i*c.Stride+j:], c.Stride, rows, cols, a, b, r.l1-r.l0, r.load, next)
	} else {
		r.diagonalTile(i, rows, j, cols, a, b)
	}
}

// diagonalTile does a tile of which C has only a part: the whole tile is computed
// beside C, and the part is copied.
func (r *run) diagonalTile(i, rows, j, cols int, a, b []float64) {
	from, to := r.job.Part.some(i, i+rows, j, j+cols)
	if from >= to {
		return
	}
	var tile [f64.MaxTile]float64
	c := &r.job.C
	if r.load {
		for ii := range rows {
			if lo, hi := r.job.Part.row(i+ii, j, j+cols); lo < hi {
				copy(tile[ii*r.shape.Cols+lo-j:], c.Data[(i+ii)*c.Stride+lo:(i+ii)*c.Stride+hi])
			}
		}
	}
	f64.TilePart(r.job.Op, tile[:], r.shape.Cols, from-j, to-j, a, b, r.shape.PanelWidth(cols), r.l1-r.l0, r.load)
	for ii := range rows {
		if lo, hi := r.job.Part.row(i+ii, j, j+cols); lo < hi {
			copy(c.Data[(i+ii)*c.Stride+lo:(i+ii)*c.Stride+hi], tile[ii*r.shape.Cols+lo-j:])
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
	x = pages.Floats(n + line - 1)
	skip := -int(uintptr(unsafe.Pointer(&x[0]))/8) & (line - 1)
	return x[skip:][:n]
}
