package fisher

import (
	"context"
	"sync"

	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// Path holds the solutions of a problem with several regularisers, all in the form
// of [Shifted] or all in that of [Centred].
type Path struct {
	Entries []Entry

	of        *scaledProblem
	reduction *solve.Reduction // of K or HKH, nil where all entries have errors
	in        contrastsIn
	memory    sync.Pool // of *columns, for systems that are solved
}

// Entry is the solution with one regulariser.
type Entry struct {
	Regularizer Regularizer
	Ridge       float64   // that of the solution, 0 where it has an error
	Lambda      []float64 // nil where it has an error
	Certificate Certificate
	Err         error

	ridge, size float64 // ε before it is shrunk, and what is added to the scaled matrix: σ or ε
}

// A Reducer is [solve.Reduce] or, in tests, one of the methods that it chooses from.
type Reducer func(ctx context.Context, k, f *matrix.Dense, shifts []solve.Shift) (*solve.Reduction, error)

// NewPath finds the eigenvalues with each of the regularisers, by one reduction of K or HKH
// on a space that holds the contrasts.
func NewPath(ctx context.Context, p Problem, regularizers []Regularizer, reduce Reducer) (*Path, error) {
	path, shifts, err := startPath(p, regularizers)
	if err != nil || len(shifts) == 0 {
		return path, err
	}
	r, err := reduce(ctx, p.K, path.start(), shifts)
	if err != nil {
		return nil, err
	}
	path.take(r, r.Coordinates(path.of.kq.Dense))
	path.each(ctx, func(_ int, e *Entry, solver reducedSolver) { path.values(e, solver) })
	return path, ctx.Err()
}

// startPath scales the kernel matrix of the problem and makes the entries. It returns
// the shifts of those without an error.
func startPath(p Problem, regularizers []Regularizer) (path *Path, shifts []solve.Shift, err error) {
	path = new(Path)
	if path.of, err = p.scaled(regularizers[0].Kind.InRKHS()); err != nil {
		return nil, nil, err
	}
	if err := path.of.findContrasts(); err != nil {
		return nil, nil, err
	}
	for _, reg := range regularizers {
		e := path.entry(reg)
		if e.Err == nil {
			shifts = append(shifts, path.shift(&e))
		}
		path.Entries = append(path.Entries, e)
	}
	return path, shifts, nil
}

// entry returns that of a regulariser, with the error that it has whatever the solver.
func (p *Path) entry(reg Regularizer) Entry {
	e, s := Entry{Regularizer: reg}, p.of
	if s.centring != nil {
		if e.ridge, e.size, e.Err = s.ridge(reg); e.Err == nil {
			e.Certificate = s.centredCertificate(e.size, 1/e.size)
			e.Err = s.singular(reg, e.ridge, e.size, 1/e.size)
		}
		return e
	}
	if e.ridge, e.size, e.Err = s.sigma(reg); e.Err == nil {
		e.Certificate = s.shiftedCertificate(e.size)
		e.Certificate.Growth = 1 // of a reduction by orthogonal transformations
		e.Err = e.Certificate.checkKernelRounding("√ε")
	}
	return e
}

// shift returns what an entry adds to the matrix.
func (p *Path) shift(e *Entry) solve.Shift {
	if p.of.centring != nil {
		return solve.Shift{Real: e.size}
	}
	return solve.Shift{Imag: e.size}
}

// start returns the right-hand sides that the reduction begins with.
func (p *Path) start() *matrix.Dense {
	if p.of.centring != nil {
		return p.of.q
	}
	return p.of.withConstant()
}

// take takes the reduction, and the products with the contrasts in its coordinates.
func (p *Path) take(r *solve.Reduction, products *matrix.Dense) {
	p.reduction, p.in = r, p.of.inCoordinates(r, products)
	p.of.K = nil // the reduction has what it needs of that memory
}

// entriesAtOnce is the number of entries whose systems are solved side by side.
const entriesAtOnce = 4

// each calls f for the entries without an error, several at a time.
func (p *Path) each(ctx context.Context, f func(i int, e *Entry, solver reducedSolver)) {
	var left []int
	for i := range p.Entries {
		if p.Entries[i].Err == nil {
			left = append(left, i)
		}
	}
	team := block.NewTeam()
	defer team.Close()
	team.Do((len(left)+entriesAtOnce-1)/entriesAtOnce, func(task int) {
		some := left[task*entriesAtOnce:]
		some = some[:min(entriesAtOnce, len(some))]
		if ctx.Err() == nil {
			solveTogether(p.reduction, len(some), func(k int, solver reducedSolver) {
				f(some[k], &p.Entries[some[k]], solver)
			})
		}
	})
}

// values completes an entry by its solution in coordinates of the reduction, which it
// returns, or nil where the entry has an error.
func (p *Path) values(e *Entry, solver reducedSolver) *Solution {
	cert := e.Certificate
	cert.Solver = solverOf(p.reduction)
	found, err := p.solve(e, &coordinates{reduction: p.reduction, solver: solver, shift: p.shift(e), cert: &cert})
	if err == nil {
		err = found.shrink(e.Regularizer)
	}
	if err != nil {
		e.Err = err
		return nil
	}
	cert.Forward = cert.recordReduced(p.reduction, cert.Backward)
	cert.Backward += rounding(p.reduction)
	cert.EigenvalueError += float64(4 * u)
	e.Lambda, e.Ridge, e.Certificate = found.Lambda, found.Ridge, cert
	return found
}

// solve solves for an entry in coordinates.
func (p *Path) solve(e *Entry, in *coordinates) (*Solution, error) {
	if p.of.centring != nil {
		found, err := p.of.solve(&centredSystem{in, p.of, e.size}, p.in.q, p.in.kq, e.ridge, in.cert)
		return found, p.of.indefiniteOnSpace(err, e.ridge)
	}
	system := p.in.system(in, e.size)
	if memory, _ := p.memory.Get().(*columns); memory != nil {
		system.scaled = *memory
	}
	defer func() { p.memory.Put(&system.scaled) }()
	return p.of.solve(system, p.in.q, p.in.kq, e.ridge, in.cert)
}

// Solution returns the whole solution of entry i. Cost: O(n²c).
func (p *Path) Solution(ctx context.Context, i int) (*Solution, error) {
	e := &p.Entries[i]
	if e.Err != nil {
		return nil, e.Err
	}
	solution := p.of.reducedShifted
	if p.of.centring != nil {
		solution = p.of.reducedCentred
	}
	found, err := solution(ctx, p.reduction, e.ridge, e.size, e.Certificate.beforehand())
	if err != nil {
		return nil, err
	}
	return found, found.finish(e.Regularizer)
}

// beforehand returns what is known without the solution.
func (c Certificate) beforehand() Certificate {
	return Certificate{Solver: c.Solver, CondBound: c.CondBound, KernelRounding: c.KernelRounding, Growth: c.Growth, Rank: c.Rank}
}
