package solve

import (
	"fmt"
	"math"

	"github.com/seed92411348/kfda/internal/pages"
	"github.com/seed92411348/kfda/matrix"
)

// triangle is a lower triangular matrix as panels of its columns, [panelColumns] each but the
// last: of each the rows from its diagonal on, which is hardly more than half of a square.
type triangle struct {
	n      int
	panels []*matrix.Dense
	memory *[]float64 // of pages, or nil
}

// lowerOf returns the triangle of a square matrix, in its memory.
func lowerOf(l *matrix.Dense) triangle {
	t := triangle{n: l.Rows}
	for from := 0; from < t.n; from += panelColumns {
		t.panels = append(t.panels, l.View(from, from, t.n-from, min(panelColumns, t.n-from)))
	}
	return t
}

// newTriangle returns one of zeros.
func newTriangle(n int) triangle {
	t := triangle{n: n}
	size := 0
	for from := 0; from < n; from += panelColumns {
		size += (n - from) * min(panelColumns, n-from)
	}
	t.memory = pages.Take(size)
	clear((*t.memory)[:size])
	rest := (*t.memory)[:size]
	for from := 0; from < n; from += panelColumns {
		var panel *matrix.Dense
		panel, rest = cut(rest, n-from, min(panelColumns, n-from))
		t.panels = append(t.panels, panel)
	}
	return t
}

// free gives up the memory of newTriangle.
func (t triangle) free() {
	if t.memory != nil {
		pages.Leave(t.memory)
	}
}

// at returns the place of an element of the triangle.
func (t triangle) at(i, j int) *float64 {
	from := j / panelColumns * panelColumns
	return &t.panels[j/panelColumns].Row(i - from)[j-from]
}

// view returns a block of columns of one panel.
func (t triangle) view(i, j, rows, cols int) *matrix.Dense {
	from := j / panelColumns * panelColumns
	return t.panels[j/panelColumns].View(i-from, j-from, rows, cols)
}

// positive changes the signs of columns such that the diagonal is ≥ 0.
func (t triangle) positive() {
	for _, panel := range t.panels {
		var signs [panelColumns]uint64 // 1<<63 of the columns that change
		for i := range panel.Rows {
			row := panel.Row(i)[:min(panel.Cols, i+1)]
			if i < len(row) && row[i] < 0 {
				signs[i] = 1 << 63
			}
			for j, v := range row {
				row[j] = math.Float64frombits(math.Float64bits(v) ^ signs[j])
			}
		}
	}
}

// pack returns the elements by rows.
func (t triangle) pack() []float64 {
	packed := make([]float64, 0, t.n*(t.n+1)/2)
	for i := range t.n {
		for k, panel := range t.panels[:i/panelColumns+1] {
			from := k * panelColumns
			packed = append(packed, panel.Row(i - from)[:min(panel.Cols, i+1-from)]...)
		}
	}
	return packed
}

// unpack returns the triangle with elements by rows.
func unpack(n int, lower []float64) triangle {
	t := newTriangle(n)
	for i := range n {
		for k, panel := range t.panels[:i/panelColumns+1] {
			from := k * panelColumns
			lower = lower[copy(panel.Row(i - from)[:min(panel.Cols, i+1-from)], lower):]
		}
	}
	return t
}

// absorbLower overwrites the triangle by that of both factors, the other one by rows.
func (t triangle) absorbLower(lower []float64) {
	memory := pages.Take(t.n * t.n)
	defer pages.Leave(memory)
	x, _ := cut(*memory, t.n, t.n)
	clear(x.Data)
	unpackInto(x, lower)
	absorb(t, x, true)
}

// UnpackLower returns the lower triangular n×n matrix of which lower begins with the rows.
func UnpackLower(n int, lower []float64) *matrix.Dense {
	mustHold("UnpackLower", n, lower)
	l := matrix.New(n, n)
	unpackInto(l, lower)
	return l
}

func unpackInto(l *matrix.Dense, lower []float64) {
	for i := range l.Rows {
		lower = lower[copy(l.Row(i)[:i+1], lower):]
	}
}

func mustHold(function string, n int, lower []float64) {
	if n < 0 || len(lower) < n*(n+1)/2 {
		panic(fmt.Sprintf("solve: %s: %d numbers for a %d×%d triangle", function, len(lower), n, n))
	}
}
