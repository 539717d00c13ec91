package discriminant

import (
	"context"
	"fmt"
	"math"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// ConjugateGradients, as the field Conjugate of [KFDA], has it fit without the n×n kernel matrix, in
// memory of some Rank numbers a row, by block conjugate gradients on kernel values that are made
// on the way, preconditioned by randomly pivoted Cholesky (Díaz, Epperly, Frangella, Tropp and
// Webber 2023). The eigenvalues have intervals, which need no condition number: the widest,
// relative to its lower end, is EigenvalueError of the [Certificate], and one that stays wider than
// Width is an *[IntervalError]. Rows have no weights, and the kernel is not [gram.Precomputed]:
// else the error is a *[ParameterError]. With a ridge in the RKHS the intervals hold for positive
// semidefinite kernels only: a [gram.Sigmoid] is refused, of others the caller has to know.
// Cost: n²(d + 2c + 14) flops for each step, and 4n·Rank² flops.
//
// With LeaveOneOut, which is the default of KFDA with a ridge in the RKHS, the leverage of each
// row, of which the leave-one-out projections are made, is an estimate, by the preconditioner and
// the leverages of 7 rows. Of the first 4000 rows of letter, with a relative ridge of 0.1, fits take 1148
// of the other 16,000 wrongly, and by exact leverages 1140; with a kernel so narrow that the ridge hardly
// matters (γ = 0.3) 1223 and 1162. Of the even rows of digits it is 7 of
// the 898 odd ones, and 8.
type ConjugateGradients struct {
	// Rank is that of the preconditioner; 0 means a twentieth of the rows, but 500 at least, and
	// 3000 or what 2.4 GB hold at most. A larger one takes fewer steps, and more memory.
	Rank int

	// Seed is that of the random choice of landmarks and rows.
	Seed uint64

	// Width is the largest width of the interval of an eigenvalue relative to its lower end;
	// 0 means 1e-4.
	Width float64
}

const defaultWidth = 1e-4

// conjugateRank returns the default rank for n rows.
func conjugateRank(n int) int { return min(n, max(500, min(n/20, 3000, 3e8/max(n, 1)))) }

// search returns c for n rows with defaults made explicit.
func (c ConjugateGradients) search(n int) fisher.Search {
	s := fisher.Search{Rank: c.Rank, Seed: c.Seed, Width: c.Width}
	if s.Rank == 0 {
		s.Rank = conjugateRank(n)
	}
	if s.Width == 0 {
		s.Width = defaultWidth
	}
	return s
}

// conjugateRefuses returns the error for what conjugate gradients do not do.
func (m KFDA) conjugateRefuses(what, want string) error {
	return &ParameterError{Field: "Conjugate", Value: fmt.Sprintf("%+v", *m.Conjugate), Reason: fmt.Sprintf("conjugate gradients are not for %s: %s", what, want)}
}

func (m KFDA) validateConjugate() error {
	switch c := m.Conjugate; {
	case c.Rank < 0:
		return &ParameterError{Field: "Conjugate.Rank", Value: fmt.Sprint(c.Rank), Reason: "want a number of landmarks, or 0"}
	case !(c.Width >= 0) || c.Width >= 1:
		return &ParameterError{Field: "Conjugate.Width", Value: fmt.Sprint(c.Width), Reason: "want a relative width below 1, or 0"}
	case m.Scatter != SummedScatter:
		return m.conjugateRefuses(fmt.Sprintf("Scatter %v", m.Scatter), "want SummedScatter")
	case isPrecomputed(m.Kernel):
		return m.conjugateRefuses("a precomputed kernel matrix", "leave out Conjugate")
	case m.Regularizer == Shrink(1):
		return m.conjugateRefuses("Shrink(1)", "leave out Conjugate, or shrink less")
	}
	if _, indefinite := m.Kernel.(gram.Sigmoid); indefinite && m.regularizer().inRKHS() {
		return m.conjugateRefuses("an indefinite kernel with a ridge in the RKHS", "want a ridge on the coefficients, or leave out Conjugate")
	}
	return nil
}

// fitConjugate fits by conjugate gradients, with the ridge and the scaling chosen.
func (m KFDA) fitConjugate(ctx context.Context, x *matrix.Dense, of *fisher.Classes) (*fitted, error) {
	start, err := m.start(x, of)
	if err != nil {
		return nil, err
	}
	found, err := fisher.Solve(ctx, fisher.Conjugate(start.evaluator, m.Conjugate.search(x.Rows)), start.problem(nil, m.Regularizer))
	if err != nil {
		return nil, publicError(err)
	}
	return start.finish(ctx, found, m.Regularizer, nil)
}

// planConjugate is Plan of a fit by conjugate gradients.
func (m KFDA) planConjugate(n, d, classes int) Plan {
	p := newPlanner(m.Kernel, n, d)
	reg := m.regularizer()
	rank := float64(min(n, m.Conjugate.search(n).Rank))
	contrasts := float64(max(classes-1, 1))
	columns := contrasts
	if m.leavesOneOut() {
		columns += fisher.SampledRows
	}
	p.Bytes += conjugateBytes + p.numbers(rank) + float64(8*float64(3*float64(rank*rank))) + float64(conjugateGarbage*p.numbers(columns))
	p.coefficients(contrasts, 4)
	p.classifier(m.Classifier, false)
	p.choice(m.Scaling, reg)
	squares := float64(p.rows * p.rows)
	step := float64(squares*float64(p.features+float64(2*columns)+10)) + float64(8*float64(float64(p.rows*rank)*columns))
	p.Flops += float64(conjugateSteps(reg)*step) + float64(float64(p.rows*rank)*float64(float64(2*p.features)+float64(4*rank)))
	return p.Plan
}

// conjugateBytes is what tiles take, and what small problems leave to be collected;
// conjugateGarbage is the number of vectors for each column that a step makes.
const (
	conjugateBytes   = 8e6
	conjugateGarbage = 24
)

// conjugateSteps is about the number of products with the kernel matrix that the search takes
// for a relative ridge, or one of 0.01 where it is not known; the residuals in doubled precision
// are as many as the first number.
func conjugateSteps(reg Regularizer) float64 {
	ridge := 0.01
	if reg.kind == fisher.RelativeRKHS || reg.kind == fisher.RelativeRidge {
		ridge = reg.value
	}
	if reg.inRKHS() {
		return 9 + 2.5/math.Sqrt(ridge)
	}
	return 21 + 1.2/math.Sqrt(ridge) // two products a step, and two residuals
}
