package gram

import (
	"math"
	"sync"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// partial is a partial Cholesky factorization K ≈ F·Fᵀ of the kernel matrix, whose pivots are
// chosen on the way. Its entries are the chains of a whole one, whatever is chosen at a time:
//
//	k ↑:  s = K[i,t] (t pivot j);  s = FMA(−F[i,k], F[t,k], s), k = 0 … j−1;  F[i,j] = s / √left[t]
//	      left[i] = FMA(−F[i,j], F[i,j], left[i])
type partial struct {
	e              *Evaluator
	team           *block.Team
	pivots         []int
	f              *matrix.Dense // n×m: row i is φ(xᵢ), a column for each pivot
	diagonal, left []float64     // of K, and of K − F·Fᵀ
}

// newPartial returns the factorization without pivots, with room for m of them.
func newPartial(e *Evaluator, team *block.Team, m int) (*partial, error) {
	p := &partial{e: e, team: team, diagonal: e.Diag(nil)}
	sum := 0.0 // of 4·k(x, x), which bounds what weights of any method sum to
	for i, v := range p.diagonal {
		if sum += float64(4 * v); sum-sum != 0 {
			return nil, &NotFiniteError{What: "four times the sum of the kernel values up to", Row: i, Col: i, Value: sum}
		}
	}
	p.left = append(p.left, p.diagonal...)
	p.f = matrix.New(e.Order(), m)
	return p, nil
}

// leastShare is the share of k(x, x) up to which what the pivots leave of it counts as
// rounding. That is about u times the square of the sum of the row's coefficients by the
// pivots: this allows for sums up to 90.
const leastShare = 0x1p-40

// dependent reports whether what the pivots leave of row i is next to nothing.
func (p *partial) dependent(i int, left float64) bool {
	return left <= float64(leastShare*p.diagonal[i])
}

// definite returns an *IndefiniteError where the pivots leave less of row i than rounding
// explains.
func (p *partial) definite(i int, left float64) error {
	if left < float64(-0x1p-26*math.Abs(p.diagonal[i])) {
		return &IndefiniteError{Row: i, Left: left, Value: p.diagonal[i]}
	}
	return nil
}

// candidates are rows of which some become pivots together.
type candidates struct {
	*partial
	rows     []int
	kernel   *matrix.Dense // of the rows among themselves
	residual *matrix.Dense // of the kernel; the columns of those taken become those of the factor
	taken    []int         // places in rows, ascending
}

func (p *partial) candidates(rows []int) (*candidates, error) {
	c := &candidates{partial: p, rows: rows, kernel: matrix.New(len(rows), len(rows))}
	s, err := p.e.pick(rows)
	if err != nil {
		return nil, err
	}
	if err := p.e.fillColumns(c.kernel, rows, s, 0, s, rows); err != nil {
		return nil, err
	}
	c.residual = c.kernel.Clone()
	f := p.rowsOf(rows)
	matrix.SubMul(c.residual, f, matrix.NoTrans, f, matrix.Transposed)
	return c, nil
}

// rowsOf returns a copy of rows of F.
func (p *partial) rowsOf(rows []int) *matrix.Dense {
	f := matrix.New(len(rows), len(p.pivots))
	for r, i := range rows {
		copy(f.Row(r), p.f.Row(i))
	}
	return f
}

// leaves returns what the pivots and the candidates taken leave of candidate r.
func (c *candidates) leaves(r int) (float64, error) {
	row := c.residual.Row(r)
	left := row[r]
	for j, t := range c.taken {
		other := c.residual.Row(t)
		s := row[t]
		for _, k := range c.taken[:j] {
			s = math.FMA(-row[k], other[k], s)
		}
		row[t] = s / other[t]
		left = math.FMA(-row[t], row[t], left)
	}
	return left, c.definite(c.rows[r], left)
}

// take makes a pivot of candidate r, of which so much is left.
func (c *candidates) take(r int, left float64) {
	c.residual.Row(r)[r] = math.Sqrt(left)
	c.taken = append(c.taken, r)
}

// extendRows is the number of rows of F in a task.
const extendRows = 256

// extend adds the columns of the candidates taken to the rows of F from first on, and shows
// see their kernel values before.
func (c *candidates) extend(first int, see func(lo int, values *matrix.Dense, landmarks []int)) error {
	p, done, n := c.partial, len(c.pivots), c.e.Order()
	landmarks := make([]int, len(c.taken))
	triangle := matrix.New(len(landmarks), len(landmarks))
	for j, t := range c.taken {
		landmarks[j] = c.rows[t]
		for k, u := range c.taken[:j+1] {
			triangle.Row(j)[k] = c.residual.Row(t)[u]
		}
	}
	s, err := p.e.pick(landmarks)
	if err != nil {
		return err
	}
	f := p.rowsOf(landmarks)
	job := block.Job{Op: f64.Product, Mode: block.Subtract, B: block.Mat(*f), TransB: true}
	job.Panels = block.PackB(job.B, true)
	tasks := (n - first + extendRows - 1) / extendRows
	errs := make([]error, tasks)
	p.team.Do(tasks, func(task int) {
		lo := first + task*extendRows
		rows := min(extendRows, n-lo)
		columns := p.f.View(lo, done, rows, len(landmarks))
		if errs[task] = p.e.fillColumns(columns, nil, p.e.rows, lo, s, landmarks); errs[task] != nil {
			return
		}
		if see != nil {
			see(lo, columns, landmarks)
		}
		job := job
		job.C, job.A = block.Mat(*columns), block.Mat(*p.f.View(lo, 0, rows, done))
		block.Run(nil, job)
		substitute(columns, triangle, p.left[lo:lo+rows])
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	for j, i := range landmarks {
		copy(p.f.Row(i)[done:], triangle.Row(j))
	}
	p.pivots = append(p.pivots, landmarks...)
	return nil
}

var columnBuffers = sync.Pool{New: func() any { return new([]float64) }}

// substitute overwrites the rows B by the solution of XLᵀ = B, and takes the squares of X off
// left, of each row, where that is not nil.
func substitute(b, l *matrix.Dense, left []float64) {
	buffer := columnBuffers.Get().(*[]float64)
	defer columnBuffers.Put(buffer)
	if cap(*buffer) < b.Rows*b.Cols {
		*buffer = make([]float64, b.Rows*b.Cols)
	}
	x := &matrix.Dense{Rows: b.Cols, Cols: b.Rows, Stride: b.Rows, Data: (*buffer)[:b.Rows*b.Cols]}
	matrix.Transpose(x, b)
	matrix.SolveLower(l, x)
	matrix.Transpose(b, x)
	if left == nil {
		return
	}
	for j := range x.Rows {
		for i, v := range x.Row(j) {
			left[i] = math.FMA(-v, v, left[i])
		}
	}
}

// gather returns a copy of training rows.
func (e *Evaluator) gather(picked []int) *matrix.Dense {
	x := matrix.New(len(picked), e.x.Cols)
	for r, i := range picked {
		copy(x.Row(r), e.x.Row(i))
	}
	return x
}

// pick returns training rows as the kernel wants to see them.
func (e *Evaluator) pick(picked []int) (rows, error) { return e.kernel.rows(e.gather(picked)) }

// fillColumns sets dst to the kernel values of rows a[i0], a[i0+1], … with the training rows
// picked, which are b. Errors call the first of rows a by these names, or without any i0, i0+1, …
func (e *Evaluator) fillColumns(dst *matrix.Dense, names []int, a rows, i0 int, b rows, picked []int) error {
	if _, ok := e.kernel.(Precomputed); ok {
		for i := range dst.Rows {
			from := a.x.Row(i0 + i)
			for j, column := range picked {
				dst.Row(i)[j] = from[column] + 0
			}
		}
		return nil
	}
	if fill(nil, e.kernel, block.Whole, whole(dst), a, i0, b, 0) {
		return nil
	}
	err := firstNotFinite(dst, false)
	err.Row, err.Col = err.Row+i0, picked[err.Col]
	if names != nil {
		err.Row = names[err.Row]
	}
	return err
}
