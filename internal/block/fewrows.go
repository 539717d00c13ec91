package block

import (
	"sync"

	"github.com/seed92411348/kfda/internal/asm/f64"
)

// hasFewRows reports whether the job is to be done by columns: where C has no more
// rows than a chunk, to pack B and to read what was packed take as long as the work, and
// so each group of columns is packed where its columns are computed, into a cache.
func (r *run) hasFewRows() bool {
	return r.job.Part == Whole && r.m <= r.blocking.chunk && r.fewRowsSize() <= fewRowsValues
}

// fewRowsValues bounds the values of A: 1 MiB, which the second cache holds, so that the
// buffer that every job begins with is enough.
const fewRowsValues = blockValues / 4

// fewRowsSize is the number of values of A, packed.
func (r *run) fewRowsSize() int { return padded(r.m, r.shape.Rows) * r.k }

// runFewRows is Run for such a job on n columns.
func (r *run) runFewRows(team *Team, n int) {
	r.j0, r.j1 = 0, n
	r.groups = max((n+r.blocking.group-1)/r.blocking.group, min(fewTasks, (n+r.shape.Cols-1)/r.shape.Cols))
	// The panels of all rows of A, stretch by stretch.
	r.b = r.room(r.fewRowsSize())
	stretches := stretchesOf(r.k)
	for s := range stretches {
		l0, l1 := divide(r.k, 1, stretches, s)
		a, k := r.rowsOf(l0), l1-l0
		for i := 0; i < r.m; i += r.shape.Rows {
			f64.Pack(a[i*k:], r.shape.Rows, r.job.rowsOfA(i, l0, r.k), min(r.shape.Rows, r.m-i), k, r.job.Mode == Subtract)
		}
	}
	team.Do(r.groups, r.columnsTask)
}

// rowsOf returns the packed rows of A of the stretch that begins at l0, where there
// are few.
func (r *run) rowsOf(l0 int) []float64 { return r.b[padded(r.m, r.shape.Rows)*l0:] }

// groupRuns are those of groups of columns, which are tasks themselves.
var groupRuns = sync.Pool{New: func() any { return new(run) }}

// columns does a group of columns of C.
func (r *run) columns(group int) {
	c := groupRuns.Get().(*run)
	defer func() {
		c.job, c.b = Job{}, nil
		groupRuns.Put(c)
	}()
	c.job, c.shape, c.blocking, c.m, c.k = r.job, r.shape, r.blocking, r.m, r.k
	c.j0, c.j1 = divide(r.j1, r.shape.Cols, r.groups, group)
	width, stretches := panelsWidth(r.shape, c.j1-c.j0), stretchesOf(r.k)
	for s := range stretches {
		c.l0, c.l1 = divide(r.k, 1, stretches, s)
		c.load, c.last = r.job.Mode != Overwrite || s > 0, s == stretches-1
		a, k := r.rowsOf(c.l0), c.l1-c.l0
		c.b = c.room(width * k)
		f64.PackPanels(c.b, c.shape, c.job.colsOfB(c.j0, c.l0, c.k), c.j1-c.j0, k)
		for i := 0; i < c.m; i += c.shape.Rows {
			c.strip(i, min(c.shape.Rows, c.m-i), c.j0, c.j1, a[i*k:])
		}
	}
}
