package discriminant

import (
	"context"
	"fmt"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/matrix"
)

// Regression is a fitted [KernelRidge] for numbers. It is immutable and safe for
// concurrent use.
type Regression struct {
	unlabelled
	ridgeDetails
}

func newRegression(f *fitted) *Regression { return &Regression{unlabelled{f}, ridgeDetailsOf(f)} }

var methodRegression = newMethod(methodFacts{
	name:      "regression",
	embedding: func() embedding { return new(offsetEmbedding) },
	plausible: func(s fileShape) bool { return s.classes == 0 },
	fields:    (*fitted).ridgeFields,
})

// FitRegression fits m, a [KernelRidge] or a [Prepared] one, to x, n rows of d features, and
// targets, n×p: p functions of the features from one factorization. Targets in a
// slice y are the matrix [matrix.Column](y). Rows may have weights, as in [Fit]:
// Σ wᵢ(tᵢ − f(xᵢ))² is minimised. It neither changes nor keeps x and targets. ctx can cancel it;
// the error is then ctx's.
func FitRegression(ctx context.Context, m Method, x, targets *matrix.Dense, weights ...float64) (*Regression, error) {
	misuse.NotNil("discriminant: FitRegression", "the method", m, "x", x, "the matrix of targets", targets)
	t, targets, err := weighedTargets(m, x, targets, weights)
	if err != nil {
		return nil, err
	}
	f, err := fitRegression(ctx, m, t.x, targets, t.weights)
	if err != nil {
		return nil, err
	}
	f.method, f.training = methodRegression, trainingOf(t.x, targets)
	return newRegression(f), nil
}

// weighedTargets returns the rows with a weight, and their targets.
func weighedTargets(m Method, x, targets *matrix.Dense, weights []float64) (weighed, *matrix.Dense, error) {
	if x.Rows != targets.Rows {
		return weighed{x: x}, targets, nil // the fit says so
	}
	t, err := newWeighed(x, weights, isPrecomputed(m.Settings().Kernel))
	if t.rows != nil {
		targets = selectRows(targets, t.rows)
	}
	return t, targets, err
}

func fitRegression(ctx context.Context, m Method, x, targets *matrix.Dense, weights fisher.Weights) (*fitted, error) {
	switch m := m.(type) {
	case KernelRidge:
		return m.fitTargets(ctx, x, targets, weights, nil)
	case Prepared:
		if err := m.Validate(); err != nil {
			return nil, err
		}
		return m.fitPrepared(x, weights, func(method Method, rows *matrix.Dense) (*fitted, error) {
			return fitRegression(ctx, method, rows, targets, weights)
		})
	}
	return nil, &ParameterError{Field: "Method", Value: fmt.Sprintf("%T", m), Reason: "want a KernelRidge, or a Prepared one"}
}

// fitTargets checks the arguments of a regression and fits it.
func (m KernelRidge) fitTargets(ctx context.Context, x, targets *matrix.Dense, weights fisher.Weights, use func(*fisher.Regression) error) (*fitted, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if m.Intercept.kind == givenOffset {
		return nil, &ParameterError{Field: "Intercept", Value: m.Intercept.String(), Reason: "a given offset is a threshold between two classes; for a regression subtract it from the targets"}
	}
	if x.Rows != targets.Rows || x.Rows == 0 || targets.Cols == 0 {
		return nil, &TargetsError{Rows: x.Rows, Targets: targets.Rows, Cols: targets.Cols}
	}
	if err := matrix.CheckFinite(x); err != nil {
		return nil, err
	}
	if err := matrix.CheckFinite(targets); err != nil {
		return nil, fmt.Errorf("discriminant: targets: %w", err)
	}
	return m.regress(ctx, x, targets, weights, true, use)
}

// TargetsError says that a table and the targets of a regression do not have the
// same number of rows, or that there are none.
type TargetsError struct {
	Rows          int // of the table
	Targets, Cols int // rows and columns of the targets
	Want          int // columns of the targets, or 0 for any number from one on
}

func (e *TargetsError) Error() string {
	if e.Want > 0 {
		return fmt.Sprintf("discriminant: %s with %d×%d targets: want as many rows of %s", plural.Count(e.Rows, "row"), e.Targets, e.Cols, plural.Count(e.Want, "target"))
	}
	return fmt.Sprintf("discriminant: %s to fit with %d×%d targets: want as many rows of targets, at least one, and at least one column", plural.Count(e.Rows, "row"), e.Targets, e.Cols)
}

// Outputs returns the number p of columns of a prediction.
func (m *Regression) Outputs() int { return m.f.Components() }

// Predict writes f(x) for the rows of x, m×Dim, to dst, m×Outputs; a nil dst is
// allocated. A row has the same bits alone or in a batch. The errors are those of
// [Model.Project]. Cost: O(mn(d + p)).
func (m *Regression) Predict(dst, x *matrix.Dense) (*matrix.Dense, error) { return m.f.Project(dst, x) }

// TrainedOn reports whether these are exactly the rows and targets of the fit, as
// [Model.TrainedOn] does.
func (m *Regression) TrainedOn(x, targets *matrix.Dense) bool {
	m.f.needs("TrainedOn")
	misuse.NotNil("discriminant: TrainedOn", "x", x, "the matrix of targets", targets)
	return trainingOf(x, targets) == m.Training()
}

// WithNote returns the same model with a text under a key, as [Model.WithNote]
// does.
func (m *Regression) WithNote(key, text string) *Regression {
	m.f.needs("WithNote")
	return newRegression(m.f.withNote(key, text))
}
