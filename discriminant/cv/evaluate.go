package cv

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// Failure is a fold that has no result, and why.
type Failure struct {
	Fold int
	Err  error
}

// Error returns the failure as in "fold 2: …".
func (f Failure) Error() string { return fmt.Sprintf("fold %d: %v", f.Fold, f.Err) }

func (f Failure) Unwrap() error { return f.Err }

// Evaluation is the cross-validated score of a method.
type Evaluation[L discriminant.Label] struct {
	Classes []L // in class order
	Folds   string
	Scores
	// Failures are the folds without a result, whose test rows do not count in the
	// scores: an evaluation with failures is not one of the method.
	Failures []Failure
}

// Evaluate fits method to the training rows of each fold and classifies its test
// rows. Scaling, default parameters of the kernel, relative ridges, priors that are
// not given and the classifier are fitted to the training rows alone. For a
// precomputed kernel x is the n×n kernel matrix, of which a fold takes the rows
// and columns that it needs.
//
// A fold whose training rows lack a class, and one whose fit or prediction is
// refused, is a [Failure] in the result. The error is that of ctx, or says that x,
// labels and folds do not fit together: *[RowsError], *[discriminant.ClassesError], and
// for a precomputed kernel matrix *[gram.ShapeError], *[gram.NotSymmetricError].
// The result does not depend on the number of processors.
//
// Rows may have weights, as in [discriminant.Fit]: they train with them, and count with them
// in the scores. A row of weight 0 is absent from both.
func Evaluate[L discriminant.Label](ctx context.Context, method discriminant.Method, x *matrix.Dense, labels []L, folds *Folds, weights ...float64) (*Evaluation[L], error) {
	return EvaluateProgress(ctx, method, x, labels, folds, func(int, int) {}, weights...)
}

// EvaluateProgress is [Evaluate], and calls progress after each fold, from the goroutine
// that called it: how many of the folds are done.
func EvaluateProgress[L discriminant.Label](ctx context.Context, method discriminant.Method, x *matrix.Dense, labels []L, folds *Folds, progress func(done, total int), weights ...float64) (*Evaluation[L], error) {
	misuse.NotNil("cv: EvaluateProgress", "ctx", ctx, "method", method, "progress", progress)
	x, labels, folds, weights, err := weighed(x, labels, folds, weights, isPrecomputed(method))
	if err != nil {
		return nil, err
	}
	classes, codes, err := prepare(x, labels, folds)
	if err != nil {
		return nil, err
	}
	if err := method.Validate(); err != nil {
		return nil, err
	}
	if isPrecomputed(method) {
		if x, err = wholeMatrix(x); err != nil {
			return nil, err
		}
	}
	done := 0
	results, failures, err := testFolds(ctx, method, x, codes, classes, weights, folds, workersFor(0, x.Rows), func(more int) {
		done += more
		progress(done, folds.Len())
	})
	if err != nil {
		return nil, err
	}
	return evaluation(classes, folds, results, failures), nil
}

// evaluation returns what the folds say.
func evaluation[L discriminant.Label](classes []L, folds *Folds, results []*tested, failures []error) *Evaluation[L] {
	e := &Evaluation[L]{Classes: classes, Folds: folds.String(), Scores: *newScores(results, len(classes))}
	for k, err := range failures {
		if err != nil {
			e.Failures = append(e.Failures, Failure{Fold: k, Err: err})
		}
	}
	return e
}

// testFolds returns what a method makes of each fold, or why it has no result. The error is
// that of ctx.
func testFolds[L discriminant.Label](ctx context.Context, method discriminant.Method, x *matrix.Dense, codes []int, classes []L, weights []float64, folds *Folds, workers int, ticked func(folds int)) (results []*tested, failures []error, err error) {
	results, failures = make([]*tested, folds.Len()), make([]error, folds.Len())
	err = each(ctx, folds.Len(), workers, func(ctx context.Context, k int, tick func(int)) error {
		var err error
		results[k], err = evaluateFold(ctx, method, x, codes, classes, weights, folds, k)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		failures[k] = err
		tick(1)
		return nil
	}, ticked)
	return results, failures, err
}

// prepare checks that the arguments fit together, and returns the classes in order and the
// class of each row.
func prepare[L discriminant.Label](x *matrix.Dense, labels []L, folds *Folds) (classes []L, codes []int, err error) {
	misuse.NotNil("cv: the arguments", "x", x, "folds", folds)
	if x.Rows != len(labels) || x.Rows != folds.Rows() {
		return nil, nil, &RowsError{Rows: x.Rows, Labels: len(labels), Folds: folds.Rows()}
	}
	classes = discriminant.Classes(labels)
	codes = codesOf(labels, classes)
	if len(classes) < 2 {
		found := make([]string, len(classes))
		for j, c := range classes {
			found[j] = fmt.Sprint(c)
		}
		return nil, nil, &discriminant.ClassesError{Found: found}
	}
	return classes, codes, nil
}

// checkTrain returns a *[MissingClassError] for the first class that train has no
// row of.
func checkTrain[L discriminant.Label](train, codes []int, classes []L) error {
	present := make([]bool, len(classes))
	for _, i := range train {
		present[codes[i]] = true
	}
	if j := slices.Index(present, false); j >= 0 {
		return &MissingClassError{Class: fmt.Sprint(classes[j])}
	}
	return nil
}

func evaluateFold[L discriminant.Label](ctx context.Context, method discriminant.Method, x *matrix.Dense, codes []int, classes []L, weights []float64, folds *Folds, k int) (*tested, error) {
	train, test := folds.Train(k), folds.tests[k]
	if err := checkTrain(train, codes, classes); err != nil {
		return nil, err
	}
	if len(test) == 0 { // its rows are absent
		return nil, nil
	}
	columns := allColumns(x)
	if isPrecomputed(method) {
		columns = train
	}
	t, err := fitAndTest(ctx, method, part(x, train, columns), part(x, test, columns), take(codes, train), take(codes, test), takeWeights(weights, train))
	return t.weighed(takeWeights(weights, test)), err
}

// fitAndTest fits the method to training rows of all classes, whose numbers are
// their labels, and says what it makes of the test rows.
func fitAndTest(ctx context.Context, method discriminant.Method, train, test *matrix.Dense, trainCodes, testCodes []int, weights []float64) (*tested, error) {
	m, err := discriminant.Fit(ctx, method, train, trainCodes, weights...)
	if err != nil {
		return nil, err
	}
	return testModel(m, test, testCodes)
}

// testModel says what the model makes of test rows of those classes, −1 for none of its own.
func testModel[L discriminant.Label](m *discriminant.Model[L], test *matrix.Dense, codes []int) (*tested, error) {
	t, classes := &tested{truth: codes}, m.Classes()
	predicted, err := m.Predict(nil, test)
	if err != nil {
		return nil, err
	}
	t.predicted = codesOf(predicted, classes)
	var noPosteriors *discriminant.PosteriorsError
	if t.posteriors, err = m.Posteriors(nil, test); err != nil && !errors.As(err, &noPosteriors) {
		return nil, err
	}
	if len(classes) == 2 {
		var noDecision *discriminant.DecisionError
		decision, err := m.Decision(nil, test)
		if err != nil && !errors.As(err, &noDecision) {
			return nil, err
		}
		t.setValues(decision)
	} else {
		t.setValues(nil)
	}
	return t, nil
}

// codesOf returns the number of the class of each label, −1 for another.
func codesOf[L discriminant.Label](labels, classes []L) []int {
	code := make(map[L]int, len(classes))
	for j, c := range classes {
		code[c] = j + 1
	}
	codes := make([]int, len(labels))
	for i, l := range labels {
		codes[i] = code[l] - 1
	}
	return codes
}

// setValues sets the values that AUC compares: the decision values of two classes
// where there are such, else the posteriors.
func (t *tested) setValues(decision []float64) {
	t.values = t.posteriors
	if decision == nil {
		return
	}
	t.values = matrix.New(len(decision), 2)
	for i, v := range decision {
		t.values.Set(i, 0, -v)
		t.values.Set(i, 1, v)
	}
}

// isPrecomputed reports whether the table of the method is a kernel matrix.
func isPrecomputed(method discriminant.Method) bool {
	_, ok := method.Settings().Kernel.(gram.Precomputed)
	return ok
}

// wholeMatrix returns the kernel matrix that a table is as a whole, or an error: folds see
// parts of it.
func wholeMatrix(x *matrix.Dense) (*matrix.Dense, error) {
	e, err := gram.NewEvaluator(gram.Precomputed{}, x)
	if err != nil {
		return nil, err
	}
	return e.X(), nil
}

func allColumns(x *matrix.Dense) []int { return upTo(x.Cols) }
func allRows(x *matrix.Dense) []int    { return upTo(x.Rows) }

// upTo returns 0, …, n−1.
func upTo(n int) []int {
	v := make([]int, n)
	for i := range v {
		v[i] = i
	}
	return v
}

// part returns those rows and columns of a.
func part(a *matrix.Dense, rows, columns []int) *matrix.Dense {
	p := matrix.New(len(rows), len(columns))
	fillPart(p, a, rows, columns)
	return p
}

func fillPart(dst, a *matrix.Dense, rows, columns []int) {
	team := block.TeamFor(len(rows), len(columns), 4)
	defer team.Close()
	team.Rows(len(rows), func(lo, hi int) {
		for i, row := range rows[lo:hi] {
			from, to := a.Row(row), dst.Row(lo+i)
			for j, column := range columns {
				to[j] = from[column]
			}
		}
	})
}

// take returns those entries of v.
func take[T any](v []T, at []int) []T {
	t := make([]T, len(at))
	for i, k := range at {
		t[i] = v[k]
	}
	return t
}
