package discriminant

import (
	"context"
	"fmt"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// Path holds the fits of a [KFDA] with several regularisers. It is immutable and
// safe for concurrent use.
type Path[L Label] struct {
	classes []L
	*path
}

// path is a path on class codes.
type path struct {
	start     *kfdaStart
	training  Training
	form      pathForm
	reduction *solve.Reduction
	entries   []pathEntry
}

// pathEntry is the fit with one regulariser.
type pathEntry struct {
	reg         Regularizer
	ridge, size float64 // ε, and in the units of the form what is added to the matrix
	final       float64 // ε of the model
	lambda      []float64
	certificate Certificate
	err         error
}

// pathForm is the form of the problem that the regularisers of a path share.
type pathForm interface {
	// resolve returns the entry of a regulariser, with the error that it has
	// whatever the solver.
	resolve(reg Regularizer) pathEntry
	// begin returns the right-hand sides that the reduction begins with.
	begin() *matrix.Dense
	// shift returns what an entry adds to the matrix.
	shift(e *pathEntry) solve.Shift
	// products returns the products of the matrix with the contrasts.
	products() *matrix.Dense
	// take takes the reduction, and those products in its coordinates.
	take(r *solve.Reduction, products *matrix.Dense)
	// values completes an entry by solutions of the solver, and returns its own, whose α
	// is in coordinates of the reduction, or nil where the entry has an error.
	values(e *pathEntry, solver reducedSolver) *solution
	// units returns the scaling of the matrix, and the centring of kernel values in
	// units of the caller, or nil.
	units() (binaryScale, *gram.Centring)
	// model returns the whole solution of an entry.
	model(ctx context.Context, r *solve.Reduction, e *pathEntry) (*solution, error)
}

// FitPath fits method to x with each of the regularisers in place of its own, at the
// price of about one or two fits in all: K, or HKH, is reduced once to a band matrix
// on a space that holds the class contrasts (a Krylov space, where a small one does,
// and else all), in which a further ridge costs O(m c²) for a space of dimension
// m ≤ n. The regularisers must be all ridges on the coefficients ([Ridge],
// [RelativeRidge], [Shrink] below 1) or all in the RKHS ([RKHS], [RelativeRKHS]);
// the scatter must be the summed one, LeaveOneOut is for single fits, and a nil Classifier
// is NearestCentroid{}.
//
// Eigenvalues and certificates are found for all; [Path.Model] makes the model of
// one. What is wrong with a single regulariser, a ridge that is too small for K for
// one (in the RKHS whatever K is, where [Fit] finds out how near to singular it is), is in
// [Path.Err]; other errors are those of [Fit]. The path keeps x, which
// must not be changed as long as models are made, and the memory of the reduction,
// up to an n×n matrix.
func FitPath[L Label](ctx context.Context, method KFDA, x *matrix.Dense, labels []L, regularizers []Regularizer) (*Path[L], error) {
	method.Regularizer = Regularizer{}
	if err := validatePath(method, regularizers); err != nil {
		return nil, err
	}
	if method.LeaveOneOut {
		return nil, &ParameterError{Field: "LeaveOneOut", Value: "true", Reason: "leave-one-out projections need the factorization of a single fit"}
	}
	classes, codes, err := checkFit(method, x, labels)
	if err != nil {
		return nil, err
	}
	p, err := method.fitPath(ctx, x, codes, len(classes), regularizers, solve.Reduce)
	if err != nil {
		return nil, err
	}
	return &Path[L]{classes, p}, nil
}

// validatePath returns an error where the regularisers do not make a path.
func validatePath(method KFDA, regularizers []Regularizer) error {
	if len(regularizers) == 0 {
		return &ParameterError{Field: "regularizers", Value: "[]", Reason: "want one at least"}
	}
	if method.Scatter != SummedScatter {
		return &ParameterError{Field: "Scatter", Value: method.Scatter.String(), Reason: "a path of fits needs SummedScatter"}
	}
	for i, reg := range regularizers {
		if err := reg.validate(); err != nil {
			return err
		}
		field := fmt.Sprintf("regularizers[%d]", i)
		if reg.kind == 0 || reg.byLeaveOneOut() {
			return &ParameterError{Field: field, Value: reg.String(), Reason: "want ridges with a value"}
		}
		if reg == Shrink(1) {
			return &ParameterError{Field: field, Value: reg.String(), Reason: "a path of fits needs intensities below 1"}
		}
		if reg.inRKHS() != regularizers[0].inRKHS() {
			return &ParameterError{Field: field, Value: reg.String(), Reason: "want all ridges on the coefficients, or all in the RKHS"}
		}
	}
	return nil
}

// reducer is solve.Reduce, or in tests one of the methods that it chooses from.
type reducer func(ctx context.Context, k, f *matrix.Dense, shifts []solve.Shift) (*solve.Reduction, error)

func (m KFDA) fitPath(ctx context.Context, x *matrix.Dense, codes []int, classes int, regularizers []Regularizer, reduce reducer) (*path, error) {
	start, err := m.start(x, codes, classes)
	if err != nil {
		return nil, err
	}
	k, err := start.evaluator.MatrixContext(ctx, nil)
	if err != nil {
		return nil, err
	}
	p := &path{start: start, training: newTraining(x, codes)}
	shifts, err := p.prepare(start.problem(k, Regularizer{}), regularizers)
	if err != nil || len(shifts) == 0 {
		return p, err
	}
	if p.reduction, err = reduce(ctx, k, p.form.begin(), shifts); err != nil {
		return nil, err
	}
	p.form.take(p.reduction, p.reduction.Coordinates(p.form.products()))
	p.each(ctx, func(_ int, e *pathEntry, solver reducedSolver) { p.form.values(e, solver) })
	return p, ctx.Err()
}

// prepare scales the kernel matrix of the problem and makes the entries. It returns
// the shifts of those without an error.
func (p *path) prepare(of problem, regularizers []Regularizer) (shifts []solve.Shift, err error) {
	if regularizers[0].inRKHS() {
		p.form, err = newCentredForm(of)
	} else {
		p.form, err = newShiftedForm(of)
	}
	if err != nil {
		return nil, err
	}
	for _, reg := range regularizers {
		e := p.form.resolve(reg)
		if e.err == nil {
			shifts = append(shifts, p.form.shift(&e))
		}
		p.entries = append(p.entries, e)
	}
	return shifts, nil
}

// entriesAtOnce is the number of entries whose systems are solved side by side.
const entriesAtOnce = 4

// each calls f for the entries without an error, several at a time.
func (p *path) each(ctx context.Context, f func(i int, e *pathEntry, solver reducedSolver)) {
	var left []int
	for i := range p.entries {
		if p.entries[i].err == nil {
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
				f(some[k], &p.entries[some[k]], solver)
			})
		}
	})
}

// Len returns the number of regularisers.
func (p *path) Len() int {
	p.needs("Len")
	return len(p.entries)
}

// Classes returns the labels in class order.
func (p *Path[L]) Classes() []L {
	p.path.needs("Classes")
	return append([]L(nil), p.classes...)
}

// Regularizer returns regulariser i, 0-based.
func (p *path) Regularizer(i int) Regularizer {
	p.needs("Regularizer")
	return p.entries[i].reg
}

// Err returns the error of the fit with regulariser i, nil where it has none.
func (p *path) Err(i int) error {
	p.needs("Err")
	return p.entries[i].err
}

// Ridge returns the absolute ε of regulariser i, as [Model.Ridge], or 0
// where it has an error.
func (p *path) Ridge(i int) float64 {
	p.needs("Ridge")
	return p.entries[i].final
}

// Eigenvalues returns the eigenvalues with regulariser i, as [Model.Eigenvalues],
// or nil where it has an error. They are not refined: their relative error is about
// (1 + λ)/λ times the certificate's KernelRounding, which is what the rounding of K
// makes of them too.
func (p *path) Eigenvalues(i int) []float64 {
	p.needs("Eigenvalues")
	return append([]float64(nil), p.entries[i].lambda...)
}

// Certificate returns how far the eigenvalues with regulariser i can be trusted. Its
// backward error is what the reduction knows and 8√n·u for its own rounding; Forward is
// the bound of the error of the solutions that follows from it.
func (p *path) Certificate(i int) Certificate {
	p.needs("Certificate")
	return p.entries[i].certificate
}

// Model returns the model of the fit with regulariser i, whose error is p.Err(i) or
// comes from the refinement of its solution, or its measurement. Its certificate has
// the errors from residuals in doubled precision. Cost: O(n²c), of which the residuals and the
// projections of the training rows are the most.
func (p *Path[L]) Model(ctx context.Context, i int) (*Model[L], error) {
	p.path.needs("Model")
	e := &p.entries[i]
	if e.err != nil {
		return nil, e.err
	}
	s, err := p.form.model(ctx, p.reduction, e)
	if err != nil {
		return nil, err
	}
	f, err := p.start.finish(ctx, s, e.reg, nil)
	if err != nil {
		return nil, err
	}
	f.counts, f.training = append([]int(nil), p.start.counts...), p.training
	return &Model[L]{classes: p.classes, fitted: f}, nil
}
