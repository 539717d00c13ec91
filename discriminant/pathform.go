package discriminant

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// shiftedForm is the form K − iσI of ridges on the coefficients.
type shiftedForm struct {
	*scaledProblem
	contrasts reducedContrasts
}

func newShiftedForm(p problem) (pathForm, error) {
	s, err := scaleProblem(p)
	if err != nil {
		return nil, err
	}
	return &shiftedForm{scaledProblem: s}, s.findContrasts()
}

func (s *shiftedForm) resolve(reg Regularizer) pathEntry {
	e := pathEntry{reg: reg}
	if e.ridge, e.size, e.err = ridgeOf(reg, s.scale, s.within); e.err != nil {
		return e
	}
	e.certificate = s.shiftedCertificate(e.size)
	e.certificate.Growth = 1 // of a reduction by orthogonal transformations
	e.err = e.certificate.checkKernelRounding("√ε")
	return e
}

func (s *shiftedForm) begin() *matrix.Dense           { return s.withConstant() }
func (s *shiftedForm) shift(e *pathEntry) solve.Shift { return solve.Shift{Imag: e.size} }

func (s *shiftedForm) products() *matrix.Dense { return s.kq.Dense }

func (s *shiftedForm) take(r *solve.Reduction, products *matrix.Dense) {
	s.contrasts = s.inCoordinates(r, products)
	s.k, s.within = nil, nil // the reduction has what it needs of that memory
}

func (s *shiftedForm) values(e *pathEntry, solver reducedSolver) *solution {
	c := s.contrasts
	return e.complete(c.reduction, func(cert *Certificate) (*solution, error) {
		system, memory := c.system(solver, e.size, cert), c.scaled.Get().(*complexColumns)
		system.scaled = *memory
		defer func() {
			*memory = system.scaled
			c.scaled.Put(memory)
		}()
		return s.solution(system, c.q, c.kq, e.ridge, cert)
	})
}

func (s *shiftedForm) units() (binaryScale, *gram.Centring) { return s.scale, nil }

func (s *shiftedForm) model(ctx context.Context, r *solve.Reduction, e *pathEntry) (*solution, error) {
	return s.reducedSolution(ctx, r, e.ridge, e.size, e.certificate.beforehand())
}

// centredForm is the form HKH + εI of ridges in the RKHS.
type centredForm struct {
	*centredProblem
	reduction *solve.Reduction
	kqIn      contrastProducts // HKHQ in coordinates
}

func newCentredForm(p problem) (pathForm, error) {
	s, err := centreProblem(p)
	if err != nil {
		return nil, err
	}
	return &centredForm{centredProblem: s}, s.findContrasts()
}

func (s *centredForm) resolve(reg Regularizer) pathEntry {
	e := pathEntry{reg: reg}
	if e.ridge, e.size, e.err = s.ridge(reg); e.err != nil {
		return e
	}
	e.certificate = s.certificate(e.size, 1/e.size)
	e.err = s.singular(reg, e.ridge, e.size, 1/e.size)
	return e
}

func (s *centredForm) begin() *matrix.Dense           { return s.q }
func (s *centredForm) shift(e *pathEntry) solve.Shift { return solve.Shift{Real: e.size} }

func (s *centredForm) products() *matrix.Dense { return s.kq.Dense }

func (s *centredForm) take(r *solve.Reduction, products *matrix.Dense) {
	s.reduction, s.kqIn = r, inCoordinates(r, products, s.kq, s.norm)
	s.k = nil // the reduction has what it needs of that memory
}

func (s *centredForm) values(e *pathEntry, solver reducedSolver) *solution {
	return e.complete(s.reduction, func(cert *Certificate) (*solution, error) {
		return s.coordinateSolution(s.reduction, solver, s.kqIn, e.ridge, e.size, cert, func(q, z *matrix.Dense) {})
	})
}

func (s *centredForm) units() (binaryScale, *gram.Centring) {
	return s.scale, s.unscaledCentring()
}

func (s *centredForm) model(ctx context.Context, r *solve.Reduction, e *pathEntry) (*solution, error) {
	return s.reducedSolution(ctx, r, e.ridge, e.size, e.certificate.beforehand())
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

// complete sets the eigenvalues and the certificate of an entry from its solution
// in coordinates of the reduction, which it returns.
func (e *pathEntry) complete(r *solve.Reduction, solution func(*Certificate) (*solution, error)) *solution {
	cert := e.certificate
	cert.Solver = solverOf(r)
	found, err := solution(&cert)
	if err != nil {
		e.err = err
		return nil
	}
	if e.reg.kind == shrink {
		if found.shrink(e.reg.value); found.ridge == 0 {
			e.err = underflow(e.reg)
			return nil
		}
	}
	cert.Forward = cert.recordReduced(r, cert.Backward)
	cert.Backward += rounding(r)
	cert.EigenvalueError += float64(4 * u)
	e.lambda, e.final, e.certificate = found.lambda, found.ridge, cert
	return found
}

// beforehand returns what is known without the solution.
func (c Certificate) beforehand() Certificate {
	return Certificate{Solver: c.Solver, CondBound: c.CondBound, KernelRounding: c.KernelRounding, Growth: c.Growth, Rank: c.Rank}
}
