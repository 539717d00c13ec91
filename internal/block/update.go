package block

import (
	"fmt"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/asm/isa"
)

// Update adds A·B to a part of C, chains from C on, for factors that their maker has
// packed in the panels of f64.TileShape: a holds the rows of A, those from i on at
// i·k for a multiple i of shape.Rows, and b the columns of B, those from j on at j·k
// for a multiple j of shape.Cols, with zeros or any other numbers in place of rows
// and columns that are not there. All k steps of a panel have to fit into the caches;
// some hundreds do.
func Update(team *Team, part Part, c Mat, a, b []float64, k int) {
	m, n := c.Rows, c.Cols
	if m == 0 || n == 0 || k == 0 {
		return
	}
	shape := f64.TileShape()
	if part != Whole && m != n || len(a) < padded(m, shape.Rows)*k || len(b) < padded(n, shape.Cols)*k {
		panic(fmt.Sprintf("block: Update: part %d of a %d×%d matrix, %d steps, %d and %d values", part, m, n, k, len(a), len(b)))
	}
	r := runs.Get().(*run)
	defer r.release()
	r.job, r.shape, r.blocking = Job{Op: f64.Product, Mode: Add, Part: part, C: c}, shape, blockings[isa.Current()]
	r.a, r.b = a, b
	r.m, r.k = m, k
	r.l0, r.l1, r.load, r.last = 0, k, true, true
	r.j0, r.j1 = 0, n
	r.divideWork()
	team.Do(r.chunks*r.ranges, r.computeTask)
}
