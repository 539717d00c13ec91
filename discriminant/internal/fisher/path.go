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
	path.each(ctx, nil)
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

// each completes the entries without an error, several at a time, and calls use with their
// solutions, whose α is in coordinates of the reduction. The error of an entry may be one
// of use.
func (p *Path) each(ctx context.Context, use func(i int, found *Solution) error) {
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
		if ctx.Err() != nil {
			return
		}
		for k, s := range p.together(some) {
			e := &p.Entries[some[k]]
			found, err := s.complete()
			if err == nil && use != nil {
				err = use(some[k], found)
			}
			e.Err = err
		}
	})
}

// entrySystem is the system of an entry in coordinates.
type entrySystem struct {
	path *Path
	e    *Entry
	in   coordinates
	cert Certificate
	passes
	err error
}

// together solves for some entries side by side.
func (p *Path) together(entries []int) []*entrySystem {
	var all, open []*entrySystem
	for _, i := range entries {
		s := &entrySystem{path: p, e: &p.Entries[i]}
		s.cert = s.e.Certificate
		s.cert.Solver = solverOf(p.reduction)
		s.in = coordinates{reduction: p.reduction, shift: p.shift(s.e), cert: &s.cert}
		s.passes = passes{system: p.system(s.e), q: p.in.q, kq: p.in.kq, rank: p.of.rank}
		all = append(all, s)
	}
	for open = all; len(open) > 0; {
		shifts, right := make([]solve.Shift, len(open)), make([]*matrix.Dense, len(open))
		for k, s := range open {
			shifts[k], right[k] = s.in.shift, s.right(s.q)
		}
		var more []*entrySystem
		for k, found := range p.reduction.SolveEach(shifts, right) {
			s := open[k]
			w, err := s.in.take(right[k], found)
			again := false
			if err == nil {
				again, err = s.take(w)
			}
			if s.err = err; again && err == nil {
				more = append(more, s)
			}
		}
		open = more
	}
	return all
}

// system returns that of an entry.
func (p *Path) system(e *Entry) system {
	if p.of.centring != nil {
		return &centredSystem{p.of, e.size}
	}
	s := p.in.system(&p.of.unitMatrix, e.size)
	if memory, _ := p.memory.Get().(*columns); memory != nil {
		s.scaled = *memory
	}
	return s
}

// complete completes the entry by its solution, and returns that.
func (s *entrySystem) complete() (*Solution, error) {
	p, e := s.path, s.e
	if shifted, ok := s.system.(*shiftedSystem); ok {
		defer p.memory.Put(&shifted.scaled)
	}
	if s.err != nil {
		return nil, p.of.indefiniteOnSpace(s.err, e.ridge)
	}
	found, err := p.of.passed(&s.passes, e.ridge, &s.cert)
	if err != nil {
		return nil, p.of.indefiniteOnSpace(err, e.ridge)
	}
	if err := found.shrink(e.Regularizer); err != nil {
		return nil, err
	}
	s.cert.Forward = s.cert.recordReduced(p.reduction, s.cert.Backward)
	s.cert.Backward += rounding(p.reduction)
	s.cert.EigenvalueError += float64(4 * u)
	e.Lambda, e.Ridge, e.Certificate = found.Lambda, found.Ridge, s.cert
	return found, nil
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
