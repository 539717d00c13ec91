package discriminant

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// RegressionStream is a [Stream] of [KernelRidge] for rows with numbers to be predicted, some outputs of
// each, in place of labels. All outputs have one ridge: where it is chosen, the squared differences of each
// count in units of its squares about its mean.
type RegressionStream struct{ streamed }

// NewRegressionStream starts a stream for method, a [KernelRidge] or a [Prepared] one, and so many
// outputs, at least 1, with a sample of rows, whose targets play no part. The errors are those of [NewStream],
// and a *[TargetsError] for no rows or no outputs.
func NewRegressionStream(ctx context.Context, method Method, sample *matrix.Dense, outputs int, landmarks Landmarks, weights ...float64) (*RegressionStream, error) {
	misuse.NotNil("discriminant: NewRegressionStream", "ctx", ctx, "the method", method, "sample", sample)
	if err := method.Validate(); err != nil {
		return nil, err
	}
	if sample.Rows == 0 || outputs < 1 {
		return nil, &TargetsError{Rows: sample.Rows, Targets: sample.Rows, Cols: outputs}
	}
	if err := isRegression(method); err != nil {
		return nil, err
	}
	t, err := newWeighed(sample, weights, isPrecomputed(method.Settings().Kernel))
	if err != nil {
		return nil, err
	}
	if err := checkCells(missingOf(method), t.x); err != nil {
		return nil, err
	}
	shape := fisher.Shape{Classes: 1, Targets: outputs, Weighed: weights != nil}
	s := new(RegressionStream)
	s.streamed, err = newStreamed(ctx, method, t.x, t.weights, landmarks, shape)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// isRegression returns an error for a method that takes no targets.
func isRegression(method Method) error {
	method = unprepared(method)
	if _, ok := method.(KernelRidge); !ok {
		return &ParameterError{Field: "Method", Value: fmt.Sprintf("%T", method), Reason: "want a KernelRidge, or a Prepared one"}
	}
	return nil
}

// Outputs returns the number of columns of the targets.
func (s *RegressionStream) Outputs() int {
	s.needs("Outputs")
	return s.rows.Targets
}

// From is [Stream.From].
func (s *RegressionStream) From(row int) *RegressionStream { return &RegressionStream{s.from(row)} }

// Append is [Stream.Append] of n×d rows with targets, n×[RegressionStream.Outputs]. Those of another shape
// are a *[TargetsError], and one that is not finite is a *[matrix.NotFiniteError].
func (s *RegressionStream) Append(ctx context.Context, x, targets *matrix.Dense, weights ...float64) error {
	s.needs("Append")
	misuse.NotNil("discriminant: RegressionStream.Append", "ctx", ctx, "x", x, "the matrix of targets", targets)
	if x.Rows != targets.Rows || targets.Cols != s.Outputs() {
		return &TargetsError{Rows: x.Rows, Targets: targets.Rows, Cols: targets.Cols, Want: s.Outputs()}
	}
	if err := matrix.CheckFinite(targets); err != nil {
		return fmt.Errorf("discriminant: targets: %w", err)
	}
	return s.append(ctx, x, nil, targets, weights)
}

// AppendSeq is [Stream.AppendSeq] for rows with their targets, as many as there are outputs.
func (s *RegressionStream) AppendSeq(ctx context.Context, rows iter.Seq2[[]float64, []float64]) error {
	s.needs("AppendSeq")
	misuse.NotNil("discriminant: RegressionStream.AppendSeq", "ctx", ctx, "rows", rows)
	kept := func(yield func([]float64, []float64) bool) {
		for row, targets := range rows {
			if !yield(row, slices.Clone(targets)) {
				return
			}
		}
	}
	return inBatches(s.columns, kept, func(x *matrix.Dense, with [][]float64) error {
		targets := matrix.New(len(with), s.Outputs())
		for i, row := range with {
			if len(row) != targets.Cols {
				return &TargetsError{Rows: x.Rows, Targets: x.Rows, Cols: len(row), Want: targets.Cols}
			}
			copy(targets.Row(i), row)
		}
		return s.Append(ctx, x, targets)
	})
}

// Merge is [Stream.Merge].
func (s *RegressionStream) Merge(t *RegressionStream) error {
	s.needs("Merge")
	misuse.NotNil("discriminant: RegressionStream.Merge", "the other stream", t)
	t.needs("Merge")
	return s.merge(&t.streamed)
}

// Model is [Stream.Model]: the regression on the rows so far. Without rows the error is a
// *[RowsError].
func (s *RegressionStream) Model(ctx context.Context, method Method) (*Regression, error) {
	s.needs("Model")
	misuse.NotNil("discriminant: RegressionStream.Model", "ctx", ctx, "the method", method)
	if err := isRegression(method); err != nil {
		return nil, err
	}
	fit, err := s.start(ctx, method)
	if err != nil {
		return nil, err
	}
	if fit.moments.Counts[0] == 0 {
		return nil, &RowsError{}
	}
	f, err := fit.model(ctx)
	if err != nil {
		return nil, publicError(err)
	}
	f.method, f.rule = methodRegression, nil
	return newRegression(f), nil
}
