package discriminant

import (
	"context"
	"fmt"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
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
	start    *kfdaStart
	training Training
	solved   *fisher.Path
}

// FitPath fits method to x with each of the regularisers in place of its own, at the
// price of about one or two fits in all: K, or HKH, is reduced once to a band matrix
// on a space that holds the class contrasts (a Krylov space, where a small one does,
// and else all), in which a further ridge costs O(m c²) for a space of dimension
// m ≤ n. The regularisers must be all ridges on the coefficients ([Ridge],
// [RelativeRidge], [Shrink] below 1) or all in the RKHS ([RKHS], [RelativeRKHS]);
// the scatter must be the summed one, LeaveOneOut is for single fits, and a nil Classifier
// is NearestCentroid{}. Rows may have weights, as in [Fit].
//
// Eigenvalues and certificates are found for all; [Path.Model] makes the model of
// one. What is wrong with a single regulariser, a ridge that is too small for K for
// one (in the RKHS whatever K is, where [Fit] finds out how near to singular it is), is in
// [Path.Err]; other errors are those of [Fit]. The path keeps x, which
// must not be changed as long as models are made, and the memory of the reduction,
// up to an n×n matrix.
func FitPath[L Label](ctx context.Context, method KFDA, x *matrix.Dense, labels []L, regularizers []Regularizer, weights ...float64) (*Path[L], error) {
	method.Regularizer = Regularizer{}
	if err := validatePath(method, regularizers); err != nil {
		return nil, err
	}
	if method.LeaveOneOut {
		return nil, &ParameterError{Field: "LeaveOneOut", Value: "true", Reason: "leave-one-out projections need the factorization of a single fit"}
	}
	x, classes, of, err := checkFit(method, x, labels, weights)
	if err != nil {
		return nil, err
	}
	p, err := method.fitPath(ctx, x, of, regularizers, solve.Reduce)
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
	if method.Conjugate != nil {
		return method.conjugateRefuses("a path of fits", "leave out Conjugate")
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

func (m KFDA) fitPath(ctx context.Context, x *matrix.Dense, of *fisher.Classes, regularizers []Regularizer, reduce fisher.Reducer) (*path, error) {
	start, err := m.start(x, of)
	if err != nil {
		return nil, err
	}
	k, err := start.evaluator.MatrixContext(ctx, nil)
	if err != nil {
		return nil, err
	}
	solved, err := fisher.NewPath(ctx, start.problem(k, Regularizer{}), solvedAll(regularizers), reduce)
	if err != nil {
		return nil, publicError(err)
	}
	return &path{start: start, training: newTraining(x, of.Codes), solved: solved}, nil
}

// solvedAll returns the regularisers for the solvers.
func solvedAll(regularizers []Regularizer) []fisher.Regularizer {
	all := make([]fisher.Regularizer, len(regularizers))
	for i, r := range regularizers {
		all[i] = r.solved()
	}
	return all
}

// Len returns the number of regularisers.
func (p *path) Len() int {
	p.needs("Len")
	return len(p.solved.Entries)
}

// Classes returns the labels in class order.
func (p *Path[L]) Classes() []L {
	p.path.needs("Classes")
	return append([]L(nil), p.classes...)
}

// Regularizer returns regulariser i, 0-based.
func (p *path) Regularizer(i int) Regularizer {
	p.needs("Regularizer")
	return regularizerOf(p.solved.Entries[i].Regularizer)
}

// Err returns the error of the fit with regulariser i, nil where it has none.
func (p *path) Err(i int) error {
	p.needs("Err")
	return publicError(p.solved.Entries[i].Err)
}

// Ridge returns the absolute ε of regulariser i, as of [KFDADetails], or 0
// where it has an error.
func (p *path) Ridge(i int) float64 {
	p.needs("Ridge")
	return p.solved.Entries[i].Ridge
}

// Eigenvalues returns the eigenvalues with regulariser i, as of [KFDADetails],
// or nil where it has an error. They are not refined: their relative error is about
// (1 + λ)/λ times the certificate's KernelRounding, which is what the rounding of K
// makes of them too.
func (p *path) Eigenvalues(i int) []float64 {
	p.needs("Eigenvalues")
	return append([]float64(nil), p.solved.Entries[i].Lambda...)
}

// Certificate returns how far the eigenvalues with regulariser i can be trusted. Its
// backward error is what the reduction knows and 8√n·u for its own rounding; Forward is
// the bound of the error of the solutions that follows from it.
func (p *path) Certificate(i int) Certificate {
	p.needs("Certificate")
	return Certificate(p.solved.Entries[i].Certificate)
}

// Model returns the model of the fit with regulariser i, whose error is p.Err(i) or
// comes from the refinement of its solution, or its measurement. Its certificate has
// the errors from residuals in doubled precision. Cost: O(n²c), of which the residuals and the
// projections of the training rows are the most.
func (p *Path[L]) Model(ctx context.Context, i int) (*Model[L], error) {
	p.path.needs("Model")
	s, err := p.solved.Solution(ctx, i)
	if err != nil {
		return nil, publicError(err)
	}
	f, err := p.start.finish(ctx, s, p.Regularizer(i), nil)
	if err != nil {
		return nil, err
	}
	f.counts, f.training = append([]int(nil), p.start.classes.Counts...), p.training
	return &Model[L]{classes: p.classes, fitted: f}, nil
}

// needs panics where p is missing: in the zero value of a [Path].
func (p *path) needs(method string) {
	if p == nil {
		panic("discriminant: " + method + " of a Path that is not from FitPath")
	}
}
