package discriminant

import (
	"context"
	"slices"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// PathTest is what the fit with one regulariser says of rows that it was not fitted
// to.
type PathTest[L Label] struct {
	Predictions []L
	Posteriors  *matrix.Dense // rows×classes, or nil where the classifier has none
	Decision    []float64     // for two classes, as [Model.Decision], else nil

	// Err is the error of the fit with this regulariser; the rest is then nil.
	Err error
}

// TestPath fits method, whose kernel must be [gram.Precomputed], to the n×n kernel
// matrix k with each of the regularisers in place of its own, and says what these
// fits make of rows with the kernel values y, m×n. It is for cross-validation, in
// which the fits themselves are not wanted: as in [FitPath], which has the same
// conditions and errors, one reduction of k serves all regularisers, and k's memory
// is used for it. So k is overwritten. y is not changed. The rows of k may have weights, as in
// [Fit].
//
// With LeaveOneOut, which a nil Classifier means with ridges in the RKHS, and for at most
// four such ridges, each has a factorization of its own, in k's memory too, and the fits
// share all else: n³/3 flops for each, twice that for LeaveOneOut.
//
// The solutions are not refined; how far they agree with those of single fits is
// what [Path.Certificate] says of the path, and with an [SVM] for a classifier its
// tolerance. A regulariser that is too small for that has an error, though a single fit
// may not.
//
// Cost: beside the reduction, 2n²(m + c) flops for all regularisers and, for a space
// of dimension r ≤ n, O(rc(m + c)) for each; two classes, or a classifier other than
// [NearestCentroid], take 4nrc more for each.
func TestPath[L Label](ctx context.Context, method KFDA, k *matrix.Dense, labels []L, y *matrix.Dense, regularizers []Regularizer, weights ...float64) ([]PathTest[L], error) {
	if len(regularizers) > 0 {
		method.Regularizer = regularizers[0]
	}
	tests, err := testPath(ctx, method, k, labels, y, regularizers, []Classifier{method.classifier()}, weights)
	if err != nil {
		return nil, err
	}
	return tests[0], nil
}

// TestClassifiers is [TestPath] of the regulariser of the method with each of the classifiers
// in place of its own, at the cost of one: they share the projections.
func TestClassifiers[L Label](ctx context.Context, method KFDA, k *matrix.Dense, labels []L, y *matrix.Dense, classifiers []Classifier, weights ...float64) ([]PathTest[L], error) {
	byClassifier, err := testPath(ctx, method, k, labels, y, []Regularizer{method.Regularizer}, classifiers, weights)
	if err != nil {
		return nil, err
	}
	tests := make([]PathTest[L], len(classifiers))
	for j, t := range byClassifier {
		tests[j] = t[0]
	}
	return tests, nil
}

// testPath returns the tests by classifier and regulariser.
func testPath[L Label](ctx context.Context, method KFDA, k *matrix.Dense, labels []L, y *matrix.Dense, regularizers []Regularizer, classifiers []Classifier, weights []float64) ([][]PathTest[L], error) {
	if err := validatePath(method, regularizers); err != nil {
		return nil, err
	}
	method.LeaveOneOut = method.leavesOneOut()
	for _, c := range classifiers {
		if method.Classifier = c; c == nil {
			return nil, &ParameterError{Field: "classifiers", Value: "nil", Reason: "want classifiers"}
		}
		if err := method.Validate(); err != nil {
			return nil, err
		}
	}
	if !isPrecomputed(method.Kernel) {
		return nil, &ParameterError{Field: "Kernel", Value: nameOf(method.Kernel), Reason: "want gram.Precomputed, and kernel values for the rows"}
	}
	rows, classes, of, err := checkFit(method, k, labels, weights)
	if err != nil {
		return nil, err
	}
	if y.Cols != k.Rows {
		return nil, &gram.ShapeError{What: "the kernel values of new rows", Rows: y.Rows, Cols: y.Cols, WantRows: y.Rows, WantCols: k.Rows}
	}
	if rows != k {
		y = someColumns(y, weights)
	}
	if err := matrix.CheckFinite(y); err != nil {
		return nil, err
	}
	start, err := method.start(rows, of)
	if err != nil {
		return nil, err
	}
	results, err := start.testPath(ctx, start.evaluator.X(), y, regularizers, classifiers)
	if err != nil {
		return nil, err
	}
	tests := make([][]PathTest[L], len(classifiers))
	for j := range tests {
		for _, r := range results {
			one := PathTest[L]{Posteriors: r[j].posteriors, Decision: r[j].decision, Err: r[j].err}
			for _, code := range r[j].codes {
				one.Predictions = append(one.Predictions, classes[code])
			}
			tests[j] = append(tests[j], one)
		}
	}
	return tests, nil
}

func nameOf(k gram.Kernel) string {
	if k == nil {
		return "nil"
	}
	return k.String()
}

// pathResult is a PathTest on class codes.
type pathResult struct {
	codes      []int
	posteriors *matrix.Dense
	decision   []float64
	err        error
}

// testPath returns the results by regulariser and classifier.
func (s *kfdaStart) testPath(ctx context.Context, k, y *matrix.Dense, regularizers []Regularizer, classifiers []Classifier) ([][]pathResult, error) {
	wanted := fisher.Wanted{Centroids: true}
	for _, c := range classifiers {
		w := classifierOf(c).wanted(len(s.classes.Counts))
		wanted.Centroids, wanted.Equal, wanted.Signs = wanted.Centroids && w.Centroids, wanted.Equal || w.Equal, wanted.Signs || w.Signs
	}
	results := make([][]pathResult, len(regularizers))
	errs, err := fisher.Try(ctx, s.problem(k, Regularizer{}), y, solvedAll(regularizers), wanted, func(i int, t *fisher.Trial) error {
		results[i] = make([]pathResult, len(classifiers))
		for j, c := range classifiers {
			var err error
			if results[i][j], err = s.try(ctx, t, c); err != nil {
				results[i][j].err = publicError(err)
			}
		}
		return nil
	})
	for i, err := range errs {
		if err != nil {
			results[i] = slices.Repeat([]pathResult{{err: publicError(err)}}, len(classifiers))
		}
	}
	return results, publicError(err)
}

// try fits the classifier to the training rows of a trial and says what it makes of its others.
func (s *kfdaStart) try(ctx context.Context, t *fisher.Trial, c Classifier) (r pathResult, err error) {
	var rule rule = &centroidRule{centroids: t.Centroids}
	if t.Centroids == nil {
		if rule, err = s.projections(t.Solution).rule(ctx, c); err != nil {
			return r, err
		}
	}
	z, err := t.Project()
	if err != nil {
		return r, err
	}
	return s.classify(rule, z)
}

// classify says what the rule makes of rows with the projections z.
func (s *kfdaStart) classify(rule rule, z *matrix.Dense) (r pathResult, err error) {
	w := &workspace{z: *z}
	if prepared, ok := rule.(preparedRule); ok {
		if err := prepared.prepare(w); err != nil {
			return r, err
		}
	}
	r.codes = make([]int, w.z.Rows)
	if err := rule.classify(r.codes, w); err != nil {
		return r, err
	}
	if rule, ok := posteriorsOf(rule); ok {
		resize(&w.posteriors, w.z.Rows, len(s.classes.Counts))
		rule.posteriors(w)
		r.posteriors = w.posteriors.Clone()
	}
	if rule, ok := rule.(decisionRule); ok && len(s.classes.Counts) == 2 {
		r.decision = make([]float64, w.z.Rows)
		rule.decide(r.decision, w)
	}
	return r, nil
}
