package discriminant

import (
	"context"
	"math"
	"sync"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// A reduction of K that began with [q₀ Q] gives the solution for every σ in
// coordinates V. All that is asked of the solutions, of Q and of KQ are inner
// products, and they are the same in coordinates, so that the small problem of a
// further ridge costs next to nothing.

// inCoordinates returns the products kq with K, of the norm ‖K‖_F, with their coordinates
// in a reduction of K.
func inCoordinates(r *solve.Reduction, coordinates *matrix.Dense, kq contrastProducts, norm float64) contrastProducts {
	in := contrastProducts{coordinates, make([]float64, kq.Cols)}
	for j, v := range kq.errors {
		in.errors[j] = v + float64(rounding(r)*norm)
	}
	return in
}

// withConstant returns [q₀ Q].
func (s *scaledProblem) withConstant() *matrix.Dense { return beside(constantColumn(s.q.Rows), s.q) }

// reducedShift solves with K − iσI in coordinates. Its right-hand sides hold the
// coordinates of columns, without those that are zero, and below them q₀ᵀ times the
// columns.
type reducedShift struct {
	reduction *solve.Reduction
	solver    reducedSolver
	sigma     float64
	cert      *Certificate
	kept      *solvedColumns // where not nil, for all that is solved
}

// solvedColumns are right-hand sides and their solutions.
type solvedColumns struct {
	f []*matrix.Dense
	w []complexColumns
}

func (s *reducedShift) solve(f *matrix.Dense) (complexColumns, error) {
	w := s.solver(solve.Shift{Imag: s.sigma}, withoutLastRow(f))
	if w.Err != nil {
		return complexColumns{}, w.Err
	}
	if s.kept != nil {
		s.kept.f, s.kept.w = append(s.kept.f, f), append(s.kept.w, complexColumns{re: w.Re.Clone(), im: w.Im.Clone()})
	}
	return complexColumns{re: w.Re, im: w.Im, forward: s.cert.recordReduced(s.reduction, w.Backward)}, nil
}

func (s *reducedShift) mean(f *matrix.Dense, j int) float64 { return f.At(f.Rows-1, j) }

func withoutLastRow(a *matrix.Dense) *matrix.Dense { return a.View(0, 0, a.Rows-1, a.Cols) }

// reducedContrasts are q₀, Q and KQ in the coordinates of a reduction of K.
type reducedContrasts struct {
	reduction *solve.Reduction
	q0, q     *matrix.Dense // with a last row as reducedShift has it
	kq        contrastProducts
	scaled    *sync.Pool // memory of systems that are solved, *complexColumns
}

// inCoordinates returns the contrasts in the coordinates of a reduction that began
// with withConstant, in which those of KQ are given.
func (s *scaledProblem) inCoordinates(r *solve.Reduction, products *matrix.Dense) reducedContrasts {
	kq := inCoordinates(r, products, s.kq, s.norm)
	start := r.Start()
	both := matrix.New(start.Rows+1, start.Cols)
	both.View(0, 0, start.Rows, start.Cols).CopyFrom(start)
	last := both.Row(start.Rows)
	last[0] = 1
	for j := range s.q.Cols {
		last[1+j] = columnSum(s.q, j) / math.Sqrt(float64(s.q.Rows))
	}
	return reducedContrasts{r, both.View(0, 0, both.Rows, 1), both.View(0, 1, both.Rows, s.q.Cols), kq, &sync.Pool{New: func() any { return new(complexColumns) }}}
}

// system returns the system with σ.
func (c reducedContrasts) system(solver reducedSolver, sigma float64, cert *Certificate) *shiftedSystem {
	return &shiftedSystem{solver: &reducedShift{reduction: c.reduction, solver: solver, sigma: sigma, cert: cert}, q0: c.q0, sigma: sigma}
}

// reducedSolution solves for σ with a reduction that began with withConstant. What
// it comes to is refined where the reduction can, and otherwise measured.
func (s *scaledProblem) reducedSolution(ctx context.Context, r *solve.Reduction, ridge, sigma float64, cert Certificate) (*solution, error) {
	cert.Solver = solverOf(r)
	if r.Refinable(solve.Shift{Imag: sigma}) {
		system := shiftedSystem{
			solver: &reducedFactor{ctx, r, s.source, sigma, &cert},
			q0:     constantColumn(s.q.Rows), sigma: sigma, product: s.product(ctx),
		}
		return s.solution(&system, s.q, s.kq, ridge, &cert)
	}
	c := s.inCoordinates(r, r.Coordinates(s.kq.Dense))
	system, kept := c.system(alone(r), sigma, &cert), new(solvedColumns)
	system.solver.(*reducedShift).kept = kept
	found, err := s.solution(system, c.q, c.kq, ridge, &cert)
	if err != nil {
		return nil, err
	}
	kw := matrix.New(s.q.Rows, 1+s.q.Cols)
	measured, err := kept.measure(ctx, r, s.source, sigma, kw)
	if err != nil {
		return nil, err
	}
	cert.record(measured)
	if err := cert.checkAccuracy(s.q.Rows); err != nil {
		return nil, err
	}
	found.certificate = cert
	found.alpha = r.Vectors(found.alpha)
	kw0, kwq := kw.View(0, 0, kw.Rows, 1), kw.View(0, 1, kw.Rows, s.q.Cols)
	matrix.SubMul(kwq, kw0, matrix.NoTrans, system.share, matrix.NoTrans)
	found.setProjections(kwq)
	return found, nil
}

// measure returns the errors of w₀ and of the last W_Q, from residuals in doubled
// precision, and sets kw to the products of K and their real parts.
func (s *solvedColumns) measure(ctx context.Context, r *solve.Reduction, source solve.Source, sigma float64, kw *matrix.Dense) (solve.Refinement, error) {
	f, w := s.f[0], s.w[0]
	if last := len(s.f) - 1; last > 0 {
		f = beside(f.View(0, 0, f.Rows, 1), s.f[last])
		w = complexColumns{
			re: beside(w.re.View(0, 0, w.re.Rows, 1), s.w[last].re),
			im: beside(w.im.View(0, 0, w.im.Rows, 1), s.w[last].im),
		}
	}
	return r.Measure(ctx, source, solve.Shift{Imag: sigma}, withoutLastRow(f), w.re, w.im, kw)
}

// reducedFactor solves with K − iσI by a reduction of K, and refines.
type reducedFactor struct {
	ctx       context.Context
	reduction *solve.Reduction
	source    solve.Source
	sigma     float64
	cert      *Certificate
}

func (s *reducedFactor) solve(f *matrix.Dense) (complexColumns, error) {
	shift := solve.Shift{Imag: s.sigma}
	re, im, _, err := s.reduction.Solve(shift, s.reduction.Coordinates(f))
	if err != nil {
		return complexColumns{}, err
	}
	w := complexColumns{re: s.reduction.Vectors(re), im: s.reduction.Vectors(im), kre: matrix.New(f.Rows, f.Cols)}
	refined, err := s.reduction.Refine(s.ctx, s.source, shift, f, w.re, w.im, w.kre, refinementSteps)
	s.cert.record(refined)
	w.forward = refined.Forward
	return w, err
}

func (s *reducedFactor) mean(f *matrix.Dense, j int) float64 {
	return columnSum(f, j) / math.Sqrt(float64(f.Rows))
}
