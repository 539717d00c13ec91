package gram

import (
	"sync"
	"sync/atomic"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// tile is a rectangle of a kernel matrix that is being filled.
type tile struct {
	data       []float64
	stride     int
	rows, cols int
}

func (t tile) row(i int) []float64 { return t.data[i*t.stride : i*t.stride+t.cols] }

// each replaces every entry of the tile by f of it.
func (t tile) each(f func(float64) float64) {
	for i := range t.rows {
		row := t.row(i)
		for j, v := range row {
			row[j] = f(v)
		}
	}
}

// A pairwise kernel is a map of one number for each pair of rows: the dot product
// or a distance of them.
//
// That number is one chain over the features in ascending order, as f64.Op defines
// it, started at +0; it does not depend on which of the two rows comes first, so
// kernel matrices are symmetric to the last bit.
type pairwise interface {
	Kernel
	op() f64.Op
	// apply replaces the numbers of a[i] and b[j], b[j+1], … by the kernel's values.
	apply(values []float64, a rows, i int, b rows, j int)
}

// A tiled kernel fills tiles of at most side×side values in its own way.
type tiled interface {
	Kernel
	// tile fills dst with k(a[i0+i], b[j0+j]). Each entry depends only on its two
	// rows, and not on their order.
	tile(dst tile, a rows, i0 int, b rows, j0 int)
}

// fill fills dst with k(a[i0+i], b[j0+j]), all of it or its lower triangle and
// the mirror image. It reports whether the values are finite; for distances,
// which are not NaN for finite rows, and are mapped to [0, 1], it need not look.
func fill(team *block.Team, k Kernel, part block.Part, dst tile, a rows, i0 int, b rows, j0 int) (finite bool) {
	p, ok := k.(pairwise)
	if !ok {
		return fillTiles(team, k.(tiled), part, dst, a, i0, b, j0)
	}
	op := p.op()
	f := pairFillers.Get().(*pairFiller)
	f.kernel, f.a, f.i0, f.b, f.j0 = p, a, i0, b, j0
	f.look = op == f64.Product
	f.notFinite.Store(false)
	job := block.Job{
		Op: op, Part: part, C: dst.mat(), TransB: true,
		A: rowsFrom(a.x, i0, dst.rows), B: rowsFrom(b.x, j0, dst.cols),
		Epilogue: f.epilogue,
	}
	if (dst.rows <= fewRows || part == block.Symmetric) && dst.cols == b.x.Rows {
		job.Panels = b.packed.get(job.B)
	}
	block.Run(team, job)
	finite = !f.notFinite.Load()
	f.kernel, f.a, f.b = nil, rows{}, rows{}
	pairFillers.Put(f)
	return finite
}

// fewRows rows at a time are worth to keep the training rows packed.
const fewRows = mapRows

// maxPacked bounds the packed rows that are kept: 64 MiB.
const maxPacked = 1 << 23

// packed is a packed copy of an evaluator's rows. It is made when few rows meet all
// of them for the first time, when packing takes longer than the kernel values, and
// for the whole kernel matrix, after which few rows are likely to.
type packed struct {
	once   sync.Once
	panels *block.Panels
}

// get returns the panels of the rows x, nil where they are not kept.
func (p *packed) get(x block.Mat) *block.Panels {
	if p == nil || x.Rows*x.Cols > maxPacked {
		return nil
	}
	p.once.Do(func() { p.panels = block.PackB(x, true) })
	return p.panels
}

// pairFiller maps the rows of a kernel matrix while they are in the first cache.
type pairFiller struct {
	kernel    pairwise
	a, b      rows
	i0, j0    int
	look      bool // for values that are not finite
	notFinite atomic.Bool
	epilogue  func(row []float64, i, j int) // the method, bound once
}

var pairFillers = sync.Pool{New: func() any {
	f := new(pairFiller)
	f.epilogue = f.row
	return f
}}

func (f *pairFiller) row(row []float64, i, j int) {
	f.kernel.apply(row, f.a, f.i0+i, f.b, f.j0+j)
	if f.look && !f64.AllFinite(row) {
		f.notFinite.Store(true)
	}
}

// pairs fills dst with the numbers op of the rows a[i0+i] and b[j0+j].
func pairs(op f64.Op, dst tile, a *matrix.Dense, i0 int, b *matrix.Dense, j0 int) {
	block.Run(nil, block.Job{
		Op: op, C: dst.mat(), TransB: true,
		A: rowsFrom(a, i0, dst.rows), B: rowsFrom(b, j0, dst.cols),
	})
}

// mat returns the tile as package block sees it.
func (t tile) mat() block.Mat {
	return block.Mat{Rows: t.rows, Cols: t.cols, Stride: t.stride, Data: t.data}
}

// rowsFrom returns n rows of x from row i on.
func rowsFrom(x *matrix.Dense, i, n int) block.Mat {
	m := block.Mat{Rows: n, Cols: x.Cols, Stride: x.Stride}
	if n > 0 && x.Cols > 0 {
		m.Data = x.Data[i*x.Stride:]
	}
	return m
}

// side is the number of rows and columns of the tiles of kernels that are not
// pairwise.
const side = 64

// fillTiles is fill, tile by tile.
func fillTiles(team *block.Team, k tiled, part block.Part, dst tile, a rows, i0 int, b rows, j0 int) (finite bool) {
	if dst.rows <= side && dst.cols <= side && part == block.Whole {
		k.tile(dst, a, i0, b, j0)
		return dst.finite()
	}
	across := (dst.cols + side - 1) / side
	var notFinite atomic.Bool
	team.Do((dst.rows+side-1)/side*across, func(task int) {
		i, j := task/across*side, task%across*side
		if part == block.Symmetric && j > i {
			return
		}
		t := dst.window(i, j, min(side, dst.rows-i), min(side, dst.cols-j))
		k.tile(t, a, i0+i, b, j0+j)
		if !t.finite() {
			notFinite.Store(true)
		}
		if part == block.Symmetric && j < i {
			f64.Transpose(dst.data[j*dst.stride+i:], dst.stride, t.data, t.stride, t.rows, t.cols)
		}
	})
	return !notFinite.Load()
}

// window returns the rows×cols block of t at (i, j).
func (t tile) window(i, j, rows, cols int) tile {
	return tile{t.data[i*t.stride+j:], t.stride, rows, cols}
}

func (t tile) finite() bool {
	for i := range t.rows {
		if !f64.AllFinite(t.row(i)) {
			return false
		}
	}
	return true
}
