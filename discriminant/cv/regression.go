package cv

import (
	"context"
	"fmt"
	"math"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// RegressionScores say how far predicted numbers are from the targets. Where rows have weights,
// all means are weighted.
type RegressionScores struct {
	Rows          int     // that were tested, once for each fold that tested them
	SquaredError  float64 // the mean (t − f)²
	AbsoluteError float64 // the mean |t − f|

	// MeanSquaredError and MeanAbsoluteError are those of always predicting the mean of the
	// targets of these rows.
	MeanSquaredError, MeanAbsoluteError float64
}

// R2 returns the coefficient of determination, 1 − SquaredError/MeanSquaredError: 1 for
// predictions without error, 0 for those that are no better than the mean. It is NaN where all
// targets are equal.
func (s RegressionScores) R2() float64 {
	if s.MeanSquaredError == 0 {
		return math.NaN()
	}
	return 1 - s.SquaredError/s.MeanSquaredError
}

// CompareNumbers returns the scores of predictions of the targets. Rows may have weights. Other
// lengths than that of targets are a programmer's misuse. A row of weight 0 is absent; all scores
// of no rows are NaN.
func CompareNumbers(predicted, targets []float64, weights ...float64) RegressionScores {
	if len(predicted) != len(targets) || weights != nil && len(weights) != len(targets) {
		panic(fmt.Sprintf("cv: CompareNumbers: %d predictions and %d weights for %d targets", len(predicted), len(weights), len(targets)))
	}
	weight := func(i int) float64 {
		if weights == nil {
			return 1
		}
		return weights[i]
	}
	var s RegressionScores
	total, mean := 0.0, 0.0
	for i, t := range targets { // a mean without a sum of all targets
		if w := weight(i); w > 0 {
			s.Rows++
			total += w
			mean += float64((t - mean) * float64(w/total))
		}
	}
	if s.Rows == 0 {
		nan := math.NaN()
		return RegressionScores{0, nan, nan, nan, nan}
	}
	for i, t := range targets {
		if weight(i) == 0 {
			continue
		}
		share := weight(i) / total
		d, m := t-predicted[i], t-mean
		s.SquaredError += float64(float64(d*d) * share)
		s.AbsoluteError += float64(math.Abs(d) * share)
		s.MeanSquaredError += float64(float64(m*m) * share)
		s.MeanAbsoluteError += float64(math.Abs(m) * share)
	}
	return s
}

// RegressionEvaluation is the cross-validated score of a regression.
type RegressionEvaluation struct {
	Folds string
	RegressionScores

	// Predictions are those of the test rows of each fold, in their order; nil for a fold
	// without a result.
	Predictions [][]float64

	// Failures are the folds without a result, as in [Evaluation].
	Failures []Failure
}

// EvaluateRegression fits method, as [discriminant.FitRegression] takes it, to the training rows
// of each fold and predicts the targets of its test rows: it is to targets what
// [EvaluateProgress] is to classes.
func EvaluateRegression(ctx context.Context, method discriminant.Method, x *matrix.Dense, targets []float64, folds *Folds, progress func(done, total int), weights ...float64) (*RegressionEvaluation, error) {
	misuse.NotNil("cv: EvaluateRegression", "ctx", ctx, "method", method, "folds", folds, "progress", progress)
	t, err := newRegression(Search{Method: method}, x, targets, folds, weights)
	if err != nil {
		return nil, err
	}
	if err := method.Validate(); err != nil {
		return nil, err
	}
	done := 0
	return t.regress(ctx, method, func(more int) {
		done += more
		progress(done, t.folds.Len())
	})
}

// newRegression returns a search whose rows have targets in place of classes, in folds, nil for
// those of DefaultFolds.
func newRegression(s Search, x *matrix.Dense, targets []float64, folds *Folds, weights []float64) (*tuning, error) {
	misuse.NotNil("cv: the arguments", "x", x)
	rows, weights, err := positive(x.Rows, weights)
	if err != nil {
		return nil, err
	}
	if divided := x.Rows; x.Rows != len(targets) || folds != nil && x.Rows != folds.Rows() {
		if folds != nil {
			divided = folds.Rows()
		}
		return nil, &RowsError{Rows: x.Rows, Labels: len(targets), Folds: divided}
	}
	if s.precomputed() {
		if x, err = wholeMatrix(x); err != nil {
			return nil, err
		}
	}
	if rows != nil {
		columns := allColumns(x)
		if s.precomputed() {
			columns = rows
		}
		x, targets = part(x, rows, columns), take(targets, rows)
		if folds != nil {
			folds = folds.among(rows)
		}
	}
	if folds == nil {
		if folds, err = DefaultFolds(make([]int, x.Rows), s.Seed); err != nil {
			return nil, err
		}
	}
	if folds.withoutEmpty().Len() == 0 {
		return nil, &FoldsError{Rows: x.Rows, Reason: "none of them tests a row"}
	}
	return &tuning{search: s, x: x, targets: targets, weights: weights, folds: folds, workers: workersFor(s.Workers, x.Rows)}, nil
}

// regress returns what a method makes of the targets of each fold. The error is that of ctx.
func (t *tuning) regress(ctx context.Context, method discriminant.Method, ticked func(folds int)) (*RegressionEvaluation, error) {
	predictions, failures := make([][]float64, t.folds.Len()), make([]error, t.folds.Len())
	err := each(ctx, t.folds.Len(), t.workers, func(ctx context.Context, k int, tick func(int)) error {
		predictions[k], failures[k] = t.regressFold(ctx, method, k)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		tick(1)
		return nil
	}, ticked)
	if err != nil {
		return nil, err
	}
	return t.evaluated(predictions, failures), nil
}

// evaluated returns what the predictions of all folds say, of which some may have failed.
func (t *tuning) evaluated(predictions [][]float64, failures []error) *RegressionEvaluation {
	e := &RegressionEvaluation{Folds: t.folds.String(), Predictions: predictions}
	var predicted, truth, weights []float64
	for k, err := range failures {
		if err != nil {
			e.Failures = append(e.Failures, Failure{Fold: k, Err: err})
			continue
		}
		predicted = append(predicted, predictions[k]...)
		truth = append(truth, take(t.targets, t.folds.tests[k])...)
		weights = append(weights, takeWeights(t.weights, t.folds.tests[k])...)
	}
	e.RegressionScores = CompareNumbers(predicted, truth, weights...)
	return e
}

// regressFold returns the predictions of the test rows of fold k.
func (t *tuning) regressFold(ctx context.Context, method discriminant.Method, k int) ([]float64, error) {
	train, test := t.folds.Train(k), t.folds.tests[k]
	if len(test) == 0 { // its rows are absent
		return nil, nil
	}
	columns := allColumns(t.x)
	if isPrecomputed(method) {
		columns = train
	}
	m, err := discriminant.FitRegression(ctx, method, part(t.x, train, columns), matrix.Column(take(t.targets, train)), takeWeights(t.weights, train)...)
	if err != nil {
		return nil, err
	}
	return predictedBy(m, part(t.x, test, columns))
}

// predictedBy returns the predictions of the first target.
func predictedBy(m *discriminant.Regression, x *matrix.Dense) ([]float64, error) {
	values, err := m.Predict(nil, x)
	if err != nil {
		return nil, err
	}
	predicted := make([]float64, x.Rows)
	for i := range predicted {
		predicted[i] = values.At(i, 0)
	}
	return predicted, nil
}

// regressed returns the candidate with what its folds say; e is nil where the search was
// cancelled.
func (t *tuning) regressed(c Candidate, e *RegressionEvaluation) Candidate {
	if e == nil {
		return c
	}
	for _, f := range e.Failures {
		c.fail(f)
	}
	c.Rows, c.Score = e.Rows, Number(e.SquaredError)
	return c
}

// TunedRegression is the result of [TuneRegression].
type TunedRegression struct {
	Model  *discriminant.Regression // with the record under [RecordNote]
	Record Record                   // its scores are mean squared errors
}

// TuneRegression is [Tune] for targets: it searches kernel, scaling, γ and relative ridge of a
// [discriminant.KernelRidge], which a nil Method stands for, by the mean squared error of all test
// rows. Nil Folds are those of [DefaultFolds] for rows of one class. A Criterion, Classifiers and
// Refinements have no meaning, and are refused.
func TuneRegression(ctx context.Context, s Search, x *matrix.Dense, targets []float64, weights ...float64) (*TunedRegression, error) {
	misuse.NotNil("cv: TuneRegression", "ctx", ctx, "x", x)
	s, err := s.ofRegression()
	if err != nil {
		return nil, err
	}
	s.Criterion = bySquaredError
	t, err := newRegression(s, x, targets, s.Folds, weights)
	if err != nil {
		return nil, err
	}
	prepared, _, _, err := s.prepared(t.x, nil, t.weights)
	if err != nil {
		return nil, err
	}
	if err := matrix.CheckFinite(prepared); err != nil {
		return nil, err
	}
	var g grid
	g, t.refused = s.firstGrid(prepared, t.weights)
	record := Record{Folds: t.folds.String(), Criterion: s.Criterion.String(), Rows: t.x.Rows, Features: t.x.Cols}
	if err := t.tryRound(ctx, &record, 0, g, 0, steps{}); err != nil {
		return nil, err
	}
	s.progress("fit", 0, 1)
	best := record.Candidates[record.Best]
	m, err := discriminant.FitRegression(ctx, s.Candidate(best), t.x, matrix.Column(t.targets), t.weights...)
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		return nil, &BestFitError{Candidate: best, Err: err}
	}
	s.progress("fit", 1, 1)
	text, err := record.MarshalText()
	if err != nil {
		return nil, err
	}
	return &TunedRegression{Model: m.WithNote(RecordNote, string(text)), Record: record}, nil
}

// ofRegression returns the search with its method, or why it is none of a regression.
func (s Search) ofRegression() (Search, error) {
	if s.Method == nil {
		s.Method = discriminant.KernelRidge{}
	}
	if _, ok := s.inner().(discriminant.KernelRidge); !ok {
		return s, &ParameterError{Field: "Method", Value: fmt.Sprintf("%T", s.inner()), Reason: "want a KernelRidge, or a Prepared one"}
	}
	if s.Criterion != 0 {
		return s, &ParameterError{Field: "Criterion", Value: s.Criterion.String(), Reason: "a regression is searched by its squared error"}
	}
	if s.KernelWeights != 0 {
		return s, &ParameterError{Field: "KernelWeights", Value: fmt.Sprint(s.KernelWeights), Reason: "kernels are weighed by classes"}
	}
	return s, s.validate()
}
