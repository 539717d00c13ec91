package solve

import (
	"math"
	"sync"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
)

// bandSolver solves with T + sI for a real symmetric band matrix T and several shifts
// s side by side, each in a lane of its own: the solutions of one shift do not depend on
// the others. The factorization is T + sI = LDLᵀ, with plain transposes and without
// pivoting, as in [Shifted].
type bandSolver struct {
	t      *band
	shifts []Shift
	lanes  f64.ComplexLanes // of L and D
	errs   []error          // of each shift

	l       []float64 // L[i, i−width … i−1], by rows
	d       []float64 // D
	squares []float64 // |D|²
	u       []float64 // a row of U

	cols    int              // right-hand sides
	entries f64.ComplexLanes // of the rows of x
	x, r    []float64        // n rows of all real parts before all imaginary ones

	memory []float64 // for all of them but r, where it is that of the matrix
	kept   []float64 // and where it is the solver's own
}

// bandSolvers keeps their memory.
var bandSolvers = sync.Pool{New: func() any { return new(bandSolver) }}

// number is the place that a number of all lanes takes.
func (s *bandSolver) number() int { return 2 * s.lanes.Lanes }

// at returns the place of L[i,j] in l.
func (s *bandSolver) at(i, j int) int { return (i*s.t.width + j - (i - s.t.width)) * s.number() }

// start takes the matrix and the shifts, one at least and as many as the tier has lanes
// for at most.
func (s *bandSolver) start(t *band, shifts []Shift, cols int) {
	lanes := f64.LanesOfTier()
	s.t, s.shifts, s.errs, s.cols = t, shifts, make([]error, len(shifts)), cols
	s.lanes = f64.ComplexLanes{Lanes: lanes, Im: lanes}
	s.entries = f64.ComplexLanes{Lanes: lanes, Im: lanes * cols}
	number := s.number()
	sizes := [...]int{t.n * t.width * number, t.n * number, t.n * lanes, max(t.width+1, cols) * number, t.n * cols * number}
	all := 0
	for _, n := range sizes {
		all += n
	}
	s.memory = t.spare.take(all)
	memory := s.memory
	if memory == nil {
		s.kept = resized(s.kept, all)
		memory = s.kept
	}
	for i, part := range [...]*[]float64{&s.l, &s.d, &s.squares, &s.u, &s.x} {
		*part, memory = memory[:sizes[i]:sizes[i]], memory[sizes[i]:]
	}
}

// shift returns the shift of a lane. Lanes without one of their own take the last.
func (s *bandSolver) shift(lane int) Shift { return s.shifts[min(lane, len(s.shifts)-1)] }

// factor factors all T + sI. Each entry is one chain, k ↑ within the band:
//
//	U(i,j) = (T + sI)(i,j) − Σ_k U(i,k) L(j,k);  L(i,j) = U(i,j) / D(j);  D(i) = U(i,i)
//
// For a real shift a pivot that is not positive is a *NotPositiveDefiniteError.
// Cost: 4·n·width² flops for each.
func (s *bandSolver) factor() {
	t, lanes, number := s.t, s.lanes.Lanes, s.number()
	for i := range t.n {
		row, first := t.row(i)
		before := len(row) - 1
		for j, v := range row {
			u := s.u[j*number:][:number]
			for lane := range lanes {
				u[lane], u[lanes+lane] = v, 0
			}
		}
		d := s.u[before*number:][:number]
		for lane := range lanes {
			shift := s.shift(lane)
			d[lane], d[lanes+lane] = row[before]+shift.Real, -shift.Imag
		}
		for j := range before {
			at := first + j
			s.lanes.Divide(s.l[s.at(i, at):], s.u[j*number:], 0, s.d[at*number:], s.squares[at*lanes:], 1)
			// What this element adds to the chains right of it: column j of L from row j+1
			// to row i.
			s.lanes.Subtract(s.u[(j+1)*number:], number, s.l, s.at(at+1, at), (t.width-1)*number, 0, s.u, j*number, 0, before-j, 1)
		}
		copy(s.d[i*number:], d)
		for lane := range lanes {
			s.squares[i*lanes+lane] = squaredModulus(pair{d[lane], d[lanes+lane]})
		}
		for lane, shift := range s.shifts {
			if shift.Imag == 0 && !(d[lane] > 0) && s.errs[lane] == nil {
				s.errs[lane] = &NotPositiveDefiniteError{Pivot: i, Value: d[lane]}
			}
		}
	}
}

// solve overwrites the right-hand sides x by the solutions. Cost: 16·n·width·cols flops
// for each shift.
func (s *bandSolver) solve(x []float64) {
	t, lanes, number := s.t, s.lanes.Lanes, s.number()
	stride := s.cols * number
	for i := range t.n {
		if first := max(0, i-t.width); first < i {
			s.entries.Subtract(x[i*stride:][:stride], lanes, x, first*stride, lanes, stride, s.l, s.at(i, first), number, s.cols, i-first)
		}
	}
	for i := t.n - 1; i >= 0; i-- {
		row := x[i*stride:][:stride]
		s.entries.Divide(row, row, lanes, s.d[i*number:], s.squares[i*lanes:], s.cols)
		if last := min(t.n-1, i+t.width); last > i {
			s.entries.Subtract(row, lanes, x, last*stride, lanes, -stride, s.l, s.at(last, i), -(t.width-1)*number, s.cols, last-i)
		}
	}
}

// residual sets g to row i of (T + sI)x − [F 0] for the right-hand sides F.
func (s *bandSolver) residual(g []float64, i int, f []*matrix.Dense) {
	t, lanes, number := s.t, s.lanes.Lanes, s.number()
	stride := s.cols * number
	s.setRow(g, i, f, -1)
	row, first := t.row(i)
	before := len(row) - 1
	if before > 0 {
		f64.Line(f64.Product, g, row[:before], 1, s.x[first*stride:], stride, before, true)
	}
	d := s.u[:number]
	for lane := range lanes {
		shift := s.shift(lane)
		d[lane], d[lanes+lane] = -(row[before] + shift.Real), shift.Imag
	}
	s.entries.Subtract(g, lanes, s.x, i*stride, lanes, 0, d, 0, 0, s.cols, 1)
	if after := min(t.width, t.n-1-i); after > 0 {
		// T[i+1 … i+after, i] lie width places apart.
		f64.Line(f64.Product, g, t.a[(i+2)*(t.width+1)-2:], t.width, s.x[(i+1)*stride:], stride, after, true)
	}
}

// setRow sets row to row i of the right-hand sides times sign; there are only their
// leading rows, the others being zeros.
func (s *bandSolver) setRow(row []float64, i int, f []*matrix.Dense, sign float64) {
	clear(row)
	for lane := range s.lanes.Lanes {
		if f := f[min(lane, len(f)-1)]; i < f.Rows {
			for j, v := range f.Row(i) {
				row[j*s.lanes.Lanes+lane] = float64(sign * v)
			}
		}
	}
}

// column returns column j of a lane of x or r, real part before imaginary part.
func (s *bandSolver) column(x []float64, lane, j int) *matrix.Dense {
	parts := matrix.New(2*s.t.n, 1)
	lanes := s.lanes.Lanes
	for i := range 2 * s.t.n {
		parts.Data[i] = x[(i*s.cols+j)*lanes+lane]
	}
	return parts
}

// addSquares adds to the sums the squares of the given number of rows from x on.
func addSquares(sums, x []float64, rows int) {
	f64.Line(f64.SquaredDistance, sums, []float64{0}, 0, x, len(sums), rows, true)
}

// Sums of squares between these limits are right to working accuracy.
const leastSquares, mostSquares = 0x1p-900, 0x1p900

// norms returns the norms of the columns of all lanes, given the sums of squares of
// their parts, those of a lane next to one another; where a sum is out of range, from
// the columns themselves.
func (s *bandSolver) norms(sums []float64, column func(lane, j int) *matrix.Dense) []float64 {
	norms := make([]float64, len(s.shifts)*s.cols)
	lanes := s.lanes.Lanes
	for lane := range s.shifts {
		for j := range s.cols {
			sum := sums[j*lanes+lane] + sums[(s.cols+j)*lanes+lane]
			if !(sum >= leastSquares && sum <= mostSquares) {
				norms[lane*s.cols+j] = columnNorm(0, column(lane, j))
			} else {
				norms[lane*s.cols+j] = math.Sqrt(sum)
			}
		}
	}
	return norms
}

// measure returns the norms of the columns of x, and those of the residuals.
func (s *bandSolver) measure(f []*matrix.Dense) (sizes, rests []float64) {
	stride := s.cols * s.number()
	sums := make([]float64, stride)
	addSquares(sums, s.x, s.t.n)
	sizes = s.norms(sums, func(lane, j int) *matrix.Dense { return s.column(s.x, lane, j) })
	clear(sums)
	row := make([]float64, stride)
	for i := range s.t.n {
		s.residual(row, i, f)
		addSquares(sums, row, 1)
	}
	stored := false
	rests = s.norms(sums, func(lane, j int) *matrix.Dense {
		if !stored {
			s.residuals(f)
			stored = true
		}
		return s.column(s.r, lane, j)
	})
	return sizes, rests
}

// residuals sets r to all rows of residual.
func (s *bandSolver) residuals(f []*matrix.Dense) {
	stride := s.cols * s.number()
	s.r = resized(s.r, len(s.x))
	for i := range s.t.n {
		s.residual(s.r[i*stride:][:stride], i, f)
	}
}

// bandSteps bounds the steps of refinement of a solve, which only the growth of
// the factors of an indefinite matrix makes necessary.
const bandSteps = 4

// bandSolution is x = (T + sI)⁻¹F as n×2r, real parts before imaginary ones. backward
// is the largest normwise backward error of a column.
type bandSolution struct {
	x        *matrix.Dense
	backward float64
	err      error
}

// solve returns the solutions for shifts and right-hand sides F, n×r, one for each, which
// are real and given by their leading rows. Where the backward error is not near u the
// solution is refined.
func (t *band) solve(shifts []Shift, f []*matrix.Dense) []bandSolution {
	var solutions []bandSolution
	for lanes := f64.LanesOfTier(); len(shifts) > 0; {
		some := min(lanes, len(shifts))
		solutions = append(solutions, t.solveSome(shifts[:some], f[:some])...)
		shifts, f = shifts[some:], f[some:]
	}
	return solutions
}

func (t *band) solveSome(shifts []Shift, f []*matrix.Dense) []bandSolution {
	s := bandSolvers.Get().(*bandSolver)
	defer s.release()
	s.start(t, shifts, f[0].Cols)
	s.factor()
	lanes, stride := s.lanes.Lanes, s.cols*s.number()
	for i := range t.n {
		s.setRow(s.x[i*stride:][:stride], i, f, 1)
	}
	s.solve(s.x)
	solutions, done := make([]bandSolution, len(shifts)), make([]bool, len(shifts))
	norm := t.norm()
	for step := 0; ; step++ {
		sizes, rests := s.measure(f)
		left := false
		for lane := range solutions {
			if done[lane] {
				continue
			}
			backward := 0.0
			for j := range s.cols {
				at := lane*s.cols + j
				backward = max(backward, backwardError(norm, rests[at], sizes[at], columnNorm(j, f[lane])))
			}
			solutions[lane].backward = backward
			done[lane] = s.errs[lane] != nil || backward <= 8*unit || math.IsNaN(backward) || step == bandSteps
			left = left || !done[lane]
		}
		if !left {
			break
		}
		s.residuals(f)
		s.solve(s.r)
		for lane, done := range done {
			for i := lane; !done && i < len(s.x); i += lanes {
				s.x[i] -= s.r[i]
			}
		}
	}
	for lane := range solutions {
		if solutions[lane].err = s.errs[lane]; solutions[lane].err == nil {
			solutions[lane].x = t.spare.matrix(t.n, 2*s.cols)
			s.copyLane(lane, solutions[lane].x.Data)
		}
	}
	return solutions
}

// copyLane copies a lane of x to dst.
func (s *bandSolver) copyLane(lane int, dst []float64) {
	for i := range dst {
		dst[i] = s.x[i*s.lanes.Lanes+lane]
	}
}

// release gives the memory back.
func (s *bandSolver) release() {
	if s.memory != nil {
		s.t.spare.give(s.memory)
	}
	s.t, s.shifts, s.errs, s.memory = nil, nil, nil, nil
	s.l, s.d, s.squares, s.u, s.x = nil, nil, nil, nil, nil
	bandSolvers.Put(s)
}

// divide overwrites x, n×2r, real parts before imaginary ones, by (T + sI)⁻¹x, or by
// zeros where T + sI has no factors.
func (t *band) divide(shift Shift, x *matrix.Dense) {
	s := bandSolvers.Get().(*bandSolver)
	defer s.release()
	s.start(t, []Shift{shift}, x.Cols/2)
	s.factor()
	if s.errs[0] != nil {
		x.Zero()
		return
	}
	for i, v := range x.Data {
		for lane := range s.lanes.Lanes {
			s.x[i*s.lanes.Lanes+lane] = v
		}
	}
	s.solve(s.x)
	s.copyLane(0, x.Data)
}

// halves returns the real and the imaginary part of column j of x.
func halves(x *matrix.Dense, j int) []*matrix.Dense {
	r := x.Cols / 2
	return []*matrix.Dense{x.View(0, j, x.Rows, 1), x.View(0, r+j, x.Rows, 1)}
}
