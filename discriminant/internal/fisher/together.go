package fisher

import (
	"context"
	"iter"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// reducedSolver is [solve.Reduction.Solve] of some reduction.
type reducedSolver func(s solve.Shift, b *matrix.Dense) solve.ReducedSolution

// alone returns the solver that solves at once what it is called for.
func alone(r *solve.Reduction) reducedSolver {
	return func(s solve.Shift, b *matrix.Dense) solve.ReducedSolution {
		return r.SolveEach([]solve.Shift{s}, []*matrix.Dense{b})[0]
	}
}

// solveTogether calls f for k = 0 … count−1, each with a solver of its own. A call that
// comes to solve a system waits there until all calls that have not returned have come to
// one, and then their systems, which must have the same shape, are solved together.
func solveTogether(r *solve.Reduction, count int, f func(k int, solver reducedSolver)) {
	type system struct {
		s        solve.Shift
		b        *matrix.Dense
		solution solve.ReducedSolution
	}
	var next []func() (*system, bool)
	for k := range count {
		resume, stop := iter.Pull(func(wait func(*system) bool) {
			f(k, func(s solve.Shift, b *matrix.Dense) solve.ReducedSolution {
				one := &system{s: s, b: b}
				if !wait(one) {
					one.solution.Err = context.Canceled // another call has panicked
				}
				return one.solution
			})
		})
		defer stop()
		next = append(next, resume)
	}
	for {
		var systems []*system
		var shifts []solve.Shift
		var b []*matrix.Dense
		for _, resume := range next {
			if one, ok := resume(); ok {
				systems, shifts, b = append(systems, one), append(shifts, one.s), append(b, one.b)
			}
		}
		if len(systems) == 0 {
			return
		}
		for i, solution := range r.SolveEach(shifts, b) {
			systems[i].solution = solution
		}
	}
}
