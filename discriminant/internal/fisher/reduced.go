package fisher

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// A reduction of the matrix that began with the contrasts gives the solution for every
// ridge in coordinates V. All that is asked of the solutions, of Q and of KQ are inner
// products, and they are the same in coordinates, so that the small problem of a
// further ridge costs next to nothing.

// Solvers by a reduction, as a certificate names them.
const (
	krylovSolver = "krylov"
	bandSolver   = "band"
)

// solverOf returns the name of the solver by a reduction.
func solverOf(r *solve.Reduction) string {
	if r.Complete() {
		return bandSolver
	}
	return krylovSolver
}

// reductionRounding times √n bounds the backward error that the rounding of a reduction
// of n rows adds to that of the solutions in its coordinates: 5.4u is the largest that was
// seen for up to 800 rows, where all rows of K are equal and the right-hand sides too.
const reductionRounding = 8 * u

func rounding(r *solve.Reduction) float64 {
	return float64(reductionRounding * math.Sqrt(float64(r.Order())))
}

// recordReduced notes the backward error of a solution in coordinates of a reduction, and
// returns the bound of its relative error: ‖r‖ is Backward(‖A‖‖w‖ + ‖f‖), and ‖f‖ ≤ ‖A‖‖w‖.
func (c *Certificate) recordReduced(r *solve.Reduction, backward float64) float64 {
	c.Backward = math.Max(c.Backward, backward)
	return float64(2 * float64((backward+rounding(r))*c.CondBound))
}

// reducedFactor solves by a reduction, and refines.
type reducedFactor struct {
	ctx       context.Context
	reduction *solve.Reduction
	source    solve.Source // of the matrix, with the real shift
	shift     solve.Shift
	cert      *Certificate
}

func (s *reducedFactor) solve(f *matrix.Dense) (columns, error) {
	re, im, _, err := s.reduction.Solve(s.shift, s.reduction.Coordinates(f))
	if err != nil {
		return columns{}, err
	}
	w := columns{re: s.reduction.Vectors(re), kre: matrix.New(f.Rows, f.Cols)}
	if s.shift.Imag != 0 {
		w.im = s.reduction.Vectors(im)
	}
	refined, err := s.reduction.Refine(s.ctx, s.source, s.shift, f, w.re, w.im, w.kre, refinementSteps)
	s.cert.record(refined)
	w.forward = refined.Forward
	return w, err
}

// coordinates solves in coordinates of a reduction. Its right-hand sides are without the
// rows that are zero.
type coordinates struct {
	reduction *solve.Reduction
	shift     solve.Shift
	cert      *Certificate
	keep      bool
	f         []*matrix.Dense // all that was solved, where it is kept
	w         []columns
}

func (s *coordinates) solve(f *matrix.Dense) (columns, error) {
	return s.take(f, s.reduction.SolveEach([]solve.Shift{s.shift}, []*matrix.Dense{f})[0])
}

// take takes the solution for f.
func (s *coordinates) take(f *matrix.Dense, found solve.ReducedSolution) (columns, error) {
	if found.Err != nil {
		return columns{}, found.Err
	}
	w := columns{re: found.Re, im: found.Im, forward: s.cert.recordReduced(s.reduction, found.Backward)}
	if s.keep {
		s.f, s.w = append(s.f, f), append(s.w, columns{re: w.re.Clone(), im: w.im.Clone()})
	}
	return w, nil
}

// measure records the errors of the last solutions and, of a complex system, of w₀, from
// residuals in doubled precision, and returns the products of K and their real parts.
func (s *coordinates) measure(ctx context.Context, source solve.Source) (kw *matrix.Dense, err error) {
	last := len(s.f) - 1
	f, w := s.f[last], s.w[last]
	if last > 0 && s.shift.Imag != 0 {
		first := func(a *matrix.Dense) *matrix.Dense { return a.View(0, 0, a.Rows, 1) }
		f = beside(first(s.f[0]), f)
		w = columns{re: beside(first(s.w[0].re), w.re), im: beside(first(s.w[0].im), w.im)}
	}
	kw = matrix.New(s.reduction.Order(), f.Cols)
	measured, err := s.reduction.Measure(ctx, source, s.shift, f, w.re, w.im, kw)
	if err != nil {
		return nil, err
	}
	s.cert.record(measured)
	return kw, s.cert.checkAccuracy(s.reduction.Order())
}

// fromCoordinates completes a solution in coordinates of a reduction, whose projections
// come from kw.
func (s *Solution) fromCoordinates(r *solve.Reduction, kw *matrix.Dense, cert Certificate) {
	s.Certificate = cert
	s.Alpha = r.Vectors(s.Alpha)
	s.setProjections(kw)
}

// reducedShifted solves for σ with a reduction that began with withConstant. What
// it comes to is refined where the reduction can, and otherwise measured.
func (s *scaledProblem) reducedShifted(ctx context.Context, r *solve.Reduction, ridge, sigma float64, cert Certificate) (*Solution, error) {
	cert.Solver = solverOf(r)
	shift := solve.Shift{Imag: sigma}
	if r.Refinable(shift) {
		return s.shiftedSolution(ctx, &reducedFactor{ctx, r, s.rowsOfK(), shift, &cert}, ridge, sigma, &cert)
	}
	in := s.inCoordinates(r, r.Coordinates(s.kq.Dense))
	solver := &coordinates{reduction: r, shift: shift, cert: &cert, keep: true}
	system := in.system(&s.unitMatrix, sigma)
	found, err := s.solve(solver, system, in.q, in.kq, ridge, &cert)
	if err != nil {
		return nil, err
	}
	kw, err := solver.measure(ctx, s.rowsOfK())
	if err != nil {
		return nil, err
	}
	kwq := kw.View(0, 1, kw.Rows, s.q.Cols)
	matrix.SubMul(kwq, kw.View(0, 0, kw.Rows, 1), matrix.NoTrans, system.share, matrix.NoTrans)
	found.fromCoordinates(r, kwq, cert)
	return found, nil
}

// reducedCentred solves for ε with a reduction of HKH that began with the contrasts, as
// reducedShifted does.
func (s *scaledProblem) reducedCentred(ctx context.Context, r *solve.Reduction, ridge, epsilon float64, cert Certificate) (*Solution, error) {
	cert.Solver = solverOf(r)
	shift, source := solve.Shift{Real: epsilon}, s.withRidge(epsilon)
	if r.Refinable(shift) {
		found, err := s.solve(&reducedFactor{ctx, r, source, shift, &cert}, &centredSystem{s, epsilon}, s.q, s.kq, ridge, &cert)
		return found, s.indefiniteOnSpace(err, ridge)
	}
	in := s.inCoordinates(r, r.Coordinates(s.kq.Dense))
	solver := &coordinates{reduction: r, shift: shift, cert: &cert, keep: true}
	found, err := s.solve(solver, &centredSystem{s, epsilon}, in.q, in.kq, ridge, &cert)
	if err != nil {
		return nil, s.indefiniteOnSpace(err, ridge)
	}
	kw, err := solver.measure(ctx, source)
	if err != nil {
		return nil, err
	}
	found.fromCoordinates(r, centredProjections(kw, epsilon), cert)
	return found, nil
}

// contrastsIn are q₀, Q and KQ, or Q and HKHQ, in the coordinates of a reduction.
type contrastsIn struct {
	q0, q *matrix.Dense // with a last row as shiftedSystem has it, where there is q₀
	kq    contrastProducts
}

// inCoordinates returns the contrasts in the coordinates of a reduction that began
// with them, in which their products are given.
func (s *scaledProblem) inCoordinates(r *solve.Reduction, products *matrix.Dense) contrastsIn {
	in := contrastsIn{kq: contrastProducts{products, make([]float64, s.kq.Cols)}}
	for j, v := range s.kq.errors {
		in.kq.errors[j] = v + float64(rounding(r)*s.norm)
	}
	start := r.Start()
	if s.centring != nil {
		in.q = start
		return in
	}
	both := matrix.New(start.Rows+1, start.Cols)
	both.View(0, 0, start.Rows, start.Cols).CopyFrom(start)
	last := both.Row(start.Rows)
	last[0] = 1
	for j := range s.q.Cols {
		last[1+j] = meanOf(s.q, j, s.weights)
	}
	in.q0, in.q = both.View(0, 0, both.Rows, 1), both.View(0, 1, both.Rows, s.q.Cols)
	return in
}

// system returns the system with σ.
func (in contrastsIn) system(of *unitMatrix, sigma float64) *shiftedSystem {
	return &shiftedSystem{of: of, q0: in.q0, sigma: sigma, inCoordinates: true}
}
