package discriminant

import (
	"context"
	"errors"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// reducedSolution solves for ε with a reduction of HKH that began with the
// contrasts. What it comes to is refined where the reduction can, and otherwise
// measured.
func (s *centredProblem) reducedSolution(ctx context.Context, r *solve.Reduction, ridge, epsilon float64, cert Certificate) (*solution, error) {
	shift, source := solve.Shift{Real: epsilon}, s.withRidge(epsilon)
	cert.Solver = solverOf(r)
	if r.Refinable(shift) {
		return s.solution(s.q, s.kq, ridge, epsilon, &cert, func(q *matrix.Dense) (centredColumns, error) {
			re, _, _, err := r.Solve(shift, r.Coordinates(q))
			if err != nil {
				return centredColumns{}, s.indefiniteOnSpace(err, ridge)
			}
			z, kz := r.Vectors(re), matrix.New(q.Rows, q.Cols)
			refined, err := r.Refine(ctx, source, shift, q, z, nil, kz, refinementSteps)
			cert.record(refined)
			return centredColumns{z, kz, refined.Forward}, err
		})
	}
	var lastQ, lastZ *matrix.Dense
	found, err := s.coordinateSolution(r, alone(r), inCoordinates(r, r.Coordinates(s.kq.Dense), s.kq, s.norm), ridge, epsilon, &cert, func(q, z *matrix.Dense) { lastQ, lastZ = q, z })
	if err != nil {
		return nil, err
	}
	kz := matrix.New(s.q.Rows, lastZ.Cols)
	measured, err := r.Measure(ctx, source, shift, lastQ, lastZ, nil, kz)
	if err != nil {
		return nil, err
	}
	cert.record(measured)
	if err := cert.checkAccuracy(s.q.Rows); err != nil {
		return nil, err
	}
	found.certificate = cert
	found.alpha = r.Vectors(found.alpha)
	s.setProjections(found, kz, epsilon)
	return found, nil
}

// coordinateSolution solves for ε in the coordinates of a reduction of HKH that
// began with the contrasts, kq being those of KQ, and reports the right-hand sides
// and solutions of each pass.
func (s *centredProblem) coordinateSolution(r *solve.Reduction, solver reducedSolver, kq contrastProducts, ridge, epsilon float64, cert *Certificate, solved func(q, z *matrix.Dense)) (*solution, error) {
	return s.solution(r.Start(), kq, ridge, epsilon, cert, func(q *matrix.Dense) (centredColumns, error) {
		found := solver(solve.Shift{Real: epsilon}, q)
		if found.Err != nil {
			return centredColumns{}, s.indefiniteOnSpace(found.Err, ridge)
		}
		solved(q, found.Re)
		return centredColumns{z: found.Re, forward: cert.recordReduced(r, found.Backward)}, nil
	})
}

// indefiniteOnSpace returns the error of a solve with HKH + εI on a space.
func (s *centredProblem) indefiniteOnSpace(err error, ridge float64) error {
	err = s.indefinite(err, ridge)
	if e := (*IndefiniteKernelError)(nil); errors.As(err, &e) {
		e.Pivot = -1 // it is no row of K
	}
	return err
}
