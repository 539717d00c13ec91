package solve

import (
	"sync"

	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// absorber factors rows that join a triangular factor: with A = QR, R = Lᵀ, and further rows X,
//
//	[R; X] = H [R′; 0],   H = H₀H₁… = I − VTVᵀ,
//
// by Householder reflections, where that of column j leaves all rows of R alone but row j: V
// is [I; Y] for a panel of columns, and Y takes the place of these columns of X (as LAPACK's
// tpqrt has it, Elmroth & Gustavson's recursion within a panel: "Applying recursion to serial
// and parallel QR factorization leads to better performance", IBM J. Res. Dev. 44, 2000).
// Columns are rows here, of L and of the transposed X, for the loops over their numbers.
type absorber struct {
	l       triangle      // p×p
	x       *matrix.Dense // p×b, overwritten
	width   int           // of x in the columns of the panel at hand: those beyond are zeros
	tau     []float64
	scratch []float64 // for one column with its element of R
}

// panelColumns is the number of columns of a panel, whole tiles of every instruction set;
// smallPanel of one that is factored column by column, and updateColumns that of a task.
const (
	panelColumns  = 48
	smallPanel    = 8
	updateColumns = 192
)

// absorb overwrites L by the factor of Rᵀ = L and the rows X, given transposed, p×b; a
// triangular X is p×p and lower triangular, as it is given. x is overwritten. Elements that
// leave the range of float64 show in L.
//
// While the last columns are updated by a panel, the next panel is factored.
func absorb(l triangle, x *matrix.Dense, triangular bool) {
	p := l.n
	if p == 0 {
		return
	}
	team := block.TeamFor(p, p, x.Cols)
	defer team.Close()
	width := func(end int) int {
		if triangular {
			return end
		}
		return x.Cols
	}
	next := func(from int) (*absorber, *matrix.Dense) {
		end := min(p, from+panelColumns)
		a := &absorber{l: l, x: x, width: width(end), tau: make([]float64, p), scratch: make([]float64, 1+x.Cols)}
		t := matrix.New(end-from, end-from)
		a.panel(from, end, t)
		return a, t
	}
	a, t := next(0)
	for from := 0; ; from += panelColumns {
		end := min(p, from+panelColumns)
		if end == p {
			return
		}
		then := min(p, end+panelColumns)
		chunks := (p - then + updateColumns - 1) / updateColumns
		var b *absorber
		var bt *matrix.Dense
		team.Do(1+chunks, func(task int) {
			if task == 0 {
				a.apply(from, end, end, then, t)
				b, bt = next(end)
				return
			}
			first := then + (task-1)*updateColumns
			a.apply(from, end, first, min(p, first+updateColumns), t)
		})
		a, t = b, bt
	}
}

func (a *absorber) vectors(from, end int) *matrix.Dense {
	return a.x.View(from, 0, end-from, a.width)
}

// panel factors the columns from … end−1, and sets T.
func (a *absorber) panel(from, end int, t *matrix.Dense) {
	if end-from <= smallPanel {
		for j := from; j < end; j++ {
			a.column(j, end)
		}
		t.CopyFrom(triangleOf(a.vectors(from, end), a.tau[from:end]))
		return
	}
	half := (end - from + smallPanel) / (2 * smallPanel) * smallPanel
	mid, rest := from+half, end-from-half
	first, corner, last := t.View(0, 0, half, half), t.View(0, half, half, rest), t.View(half, half, rest, rest)
	a.panel(from, mid, first)
	a.apply(from, mid, mid, end, first)
	a.panel(mid, end, last)
	inner := matrix.Mul(nil, a.vectors(from, mid), matrix.NoTrans, a.vectors(mid, end), matrix.Transposed)
	matrix.SubMul(corner, first, matrix.NoTrans, matrix.Mul(nil, inner, matrix.NoTrans, last, matrix.NoTrans), matrix.NoTrans)
}

// column reflects column j, and the others of a small panel that ends before end.
func (a *absorber) column(j, end int) {
	row, v := a.x.Row(j)[:a.width], a.scratch[:1+a.width]
	diagonal := a.l.at(j, j)
	v[0] = *diagonal
	copy(v[1:], row)
	*diagonal, a.tau[j] = householder(v)
	copy(row, v[1:])
	for i := j + 1; i < end; i++ {
		other, at := a.x.Row(i)[:a.width], a.l.at(i, j)
		w := float64(a.tau[j] * (*at + matrix.Dot(row, other)))
		*at -= w
		addMultiple(other, -w, row)
	}
}

// apply reflects the columns lo … hi−1 by the panel from … end−1 and its T.
func (a *absorber) apply(from, end, lo, hi int, t *matrix.Dense) {
	v, x := a.vectors(from, end), a.x.View(lo, 0, hi-lo, a.width)
	head := a.l.view(lo, from, hi-lo, end-from)
	memory := updates.Get().(*[]float64)
	defer updates.Put(memory)
	if size := 2 * head.Rows * head.Cols; cap(*memory) < size {
		*memory = make([]float64, size)
	}
	w, rest := cut((*memory)[:cap(*memory)], head.Rows, head.Cols)
	wt, _ := cut(rest, head.Rows, head.Cols)
	w.CopyFrom(head)
	job := productJob(block.Add, w, x, v)
	job.TransB = true
	block.Run(nil, job)
	matrix.Mul(wt, w, matrix.NoTrans, t, matrix.NoTrans)
	for i := range wt.Rows {
		to := head.Row(i)
		for j, s := range wt.Row(i) {
			to[j] -= s
		}
	}
	block.Run(nil, productJob(block.Subtract, x, wt, v))
}

// updates is memory for apply.
var updates = sync.Pool{New: func() any { return new([]float64) }}
