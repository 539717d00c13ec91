package block

import (
	"fmt"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/asm/isa"
)

// Update adds A·B to a part of C, chains from C on, for factors that their maker packs
// in the panels of f64.TileShape: rows fills a panel with n ≤ shape.Rows rows of A
// from i on, on several workers at the same time, and b holds the columns of B, those
// from j on at j·k for a multiple j of shape.Cols. Places without a row or a column
// may hold anything. All k steps of a panel have to fit into the caches; some
// hundreds do.
func Update(team *Team, part Part, c Mat, rows func(panel []float64, i, n int), b []float64, k int) {
	UpdateRows(team, part, c, 0, c.Rows, rows, b, k, nil)
}

// UpdateRows is Update for the rows lo … hi−1 of C only. One of the workers calls
// beside, where that is not nil, before it takes part.
func UpdateRows(team *Team, part Part, c Mat, lo, hi int, rows func(panel []float64, i, n int), b []float64, k int, beside func()) {
	m, n := c.Rows, c.Cols
	if lo < 0 || hi > m {
		panic(fmt.Sprintf("block: UpdateRows: rows %d to %d of a %d×%d matrix", lo, hi, m, n))
	}
	if n == 0 || k == 0 {
		hi = lo
	}
	shape := f64.TileShape()
	if part != Whole && m != n || len(b) < panelsWidth(shape, n)*k {
		panic(fmt.Sprintf("block: Update: part %d of a %d×%d matrix, %d steps, %d values", part, m, n, k, len(b)))
	}
	r := runs.Get().(*run)
	defer r.release()
	r.job, r.shape, r.blocking = Job{Op: f64.Product, Mode: Add, Part: part, C: c}, shape, blockings[isa.Current()]
	r.rows, r.b = rows, b
	r.i0, r.m, r.k = lo, max(0, hi-lo), k
	r.l0, r.l1, r.load, r.last = 0, k, true, true
	r.j0, r.j1 = 0, n
	r.divideWork(team)
	first := 0
	if beside != nil {
		first = 1
	}
	team.Do(first+r.chunks*r.ranges, func(task int) {
		if task < first {
			beside()
		} else {
			r.compute(task - first)
		}
	})
}
