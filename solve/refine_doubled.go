package solve

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
)

// doubledTile bounds the size, in numbers, of the tiles of K that doubledProducts asks
// for, one for each worker: 768 KB, which the second cache holds.
const doubledTile = 3 << 15

// tileRows and tileTasks bound the rows of the tiles of smaller matrices.
const (
	tileRows  = 64
	tileTasks = 16
)

// stepsInPanel is the number of columns of a tile that are taken at a time: their panel
// stays in the first cache while it meets all columns of the other factor.
const stepsInPanel = 128

// panelRows is the number of rows in a panel.
const panelRows = f64.DoubledRows

// panelSource gives some of its rows in panels.
type panelSource interface {
	// panel sets dst[l·panelRows + r] to element (i+r, k0+l), for r < rows ≤ panelRows
	// and l < k1−k0, and to +0 for other r.
	panel(dst []float64, i, rows, k0, k1 int)
	// bound returns a number that no element of row i is larger than, but for rounding.
	bound(i int) float64
}

// rowTile is the rows first, first+1, … of a matrix.
type rowTile struct {
	rows  *matrix.Dense
	first int
}

func (t rowTile) panel(dst []float64, i, rows, k0, k1 int) {
	f64.Pack(dst, panelRows, f64.Source{Data: t.rows.Data, Start: (i-t.first)*t.rows.Stride + k0, RowStride: t.rows.Stride, ColStride: 1}, rows, k1-k0, false)
}

func (t rowTile) bound(i int) float64 { return f64.MaxAbs(t.rows.Row(i - t.first)) }

// rowSource gives the rows of a matrix, as [Source] does.
type rowSource interface {
	Rows(dst *matrix.Dense, i0 int)
}

// doubledProducts computes the products of the m rows of a matrix and the columns of the
// parts of w, as
// [shiftedResidual] says, and calls finish with both parts of each row of them: the product is
// high + low. The context is checked before each tile of rows.
func doubledProducts(ctx context.Context, scratch *scratch, src rowSource, m int, w []*matrix.Dense, finish func(i int, high, low []float64)) error {
	n := w[0].Rows
	if m == 0 {
		return ctx.Err()
	}
	d := doubler{src: src, n: n, w: w, finish: finish}
	for _, part := range w {
		d.totals = append(d.totals, columnTotals(part)...)
	}
	cols := len(d.totals)
	rows := min(tileRows, (m+tileTasks-1)/tileTasks)
	if d.panels, d.packed = src.(panelSource); !d.packed {
		rows = min(rows, max(doubledTile/max(n, 1), 1))
	}
	rows = (rows + panelRows - 1) / panelRows * panelRows

	team := newTeam(4, m, n, cols)
	defer team.Close()
	size := panelRows*stepsInPanel + 2*cols*(rows+1)
	if !d.packed {
		size += rows * n
	}
	memory, release := scratch.take(workersOf(team) * size)
	defer release()
	eachTask(team, (m+rows-1)/rows, memory, size, func(task int, buffer []float64) {
		if ctx.Err() == nil {
			d.tile(buffer, task*rows, min((task+1)*rows, m))
		}
	})
	return ctx.Err()
}

// doubler is what doubledProducts works with.
type doubler struct {
	src    rowSource
	n      int         // columns of the matrix
	panels panelSource // src, where it is packed
	packed bool
	w      []*matrix.Dense
	totals []float64 // of the columns of w
	finish func(i int, high, low []float64)
}

// tile does the rows i0 … i1−1.
func (d *doubler) tile(buffer []float64, i0, i1 int) {
	n, cols := d.n, len(d.totals)
	sums := panelRows * cols // of a panel
	all := (i1 - i0 + panelRows - 1) / panelRows * sums
	take := func(n int) (numbers []float64) { numbers, buffer = buffer[:n], buffer[n:]; return numbers }
	panel, s, c, high, low := take(panelRows*stepsInPanel), take(all), take(all), take(cols), take(cols)
	panels := d.panels
	if !d.packed {
		k, _ := cut(buffer, i1-i0, n)
		d.src.Rows(k, i0)
		panels = rowTile{k, i0}
	}
	clear(s)
	clear(c)
	// at returns the place of the first column of row i in the sums.
	at := func(i int) int { return (i-i0)/panelRows*sums + (i-i0)%panelRows }
	for i := i0; i < i1; i++ {
		bound := panels.bound(i)
		for j, total := range d.totals {
			s[at(i)+j*panelRows] = f64.Anchor(bound, total)
		}
	}
	for k0 := 0; k0 < n; k0 += stepsInPanel {
		k1 := min(k0+stepsInPanel, n)
		for i := i0; i < i1; i += panelRows {
			panels.panel(panel, i, min(panelRows, i1-i), k0, k1)
			from := at(i)
			for _, part := range d.w {
				if part.Cols > 0 {
					f64.Doubled(s[from:], c[from:], panel, panelRows, part.Data[k0*part.Stride:], part.Stride, part.Cols, k1-k0)
				}
				from += panelRows * part.Cols
			}
		}
	}
	for i := i0; i < i1; i++ {
		bound := panels.bound(i)
		for j, total := range d.totals {
			high[j], low[j] = s[at(i)+j*panelRows]-f64.Anchor(bound, total), c[at(i)+j*panelRows]
		}
		d.finish(i, high, low)
	}
}

// columnTotals returns the sum of the magnitudes of each column.
func columnTotals(a *matrix.Dense) []float64 {
	totals := make([]float64, a.Cols)
	for i := range a.Rows {
		for j, v := range a.Row(i) {
			totals[j] += math.Abs(v)
		}
	}
	return totals
}
