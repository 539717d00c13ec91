package discriminant

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
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
// is used for it. So k is overwritten. y is not changed.
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
func TestPath[L Label](ctx context.Context, method KFDA, k *matrix.Dense, labels []L, y *matrix.Dense, regularizers []Regularizer) ([]PathTest[L], error) {
	if err := validatePath(method, regularizers); err != nil {
		return nil, err
	}
	method.Regularizer = regularizers[0]
	method.Classifier, method.LeaveOneOut = method.classifier(), method.leavesOneOut()
	if !isPrecomputed(method.Kernel) {
		return nil, &ParameterError{Field: "Kernel", Value: nameOf(method.Kernel), Reason: "want gram.Precomputed, and kernel values for the rows"}
	}
	classes, codes, err := checkFit(method, k, labels)
	if err != nil {
		return nil, err
	}
	if y.Cols != k.Rows {
		return nil, &gram.ShapeError{What: "the kernel values of new rows", Rows: y.Rows, Cols: y.Cols, WantRows: y.Rows, WantCols: k.Rows}
	}
	if err := matrix.CheckFinite(y); err != nil {
		return nil, err
	}
	start, err := method.start(k, codes, len(classes))
	if err != nil {
		return nil, err
	}
	test := start.testPath
	if method.LeaveOneOut || regularizers[0].inRKHS() && len(regularizers) <= fewFactors {
		test = start.testFactors
	}
	results, err := test(ctx, start.evaluator.X(), y, regularizers)
	if err != nil {
		return nil, err
	}
	tests := make([]PathTest[L], len(results))
	for i, r := range results {
		tests[i] = PathTest[L]{Posteriors: r.posteriors, Decision: r.decision, Err: r.err}
		for _, code := range r.codes {
			tests[i].Predictions = append(tests[i].Predictions, classes[code])
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

func (s *kfdaStart) testPath(ctx context.Context, k, y *matrix.Dense, regularizers []Regularizer) ([]pathResult, error) {
	p := &path{start: s}
	of := s.problem(k, Regularizer{})
	of.source = nil // k is all there is, and it is overwritten
	shifts, err := p.prepare(of, regularizers)
	if err != nil {
		return nil, err
	}
	results := make([]pathResult, len(regularizers))
	if len(shifts) > 0 {
		scale, centring := p.form.units()
		h := &heldOut{start: s, scale: scaleBy(-scale.exp)}
		classMeans := matrix.Mul(nil, k, matrix.NoTrans, classWeights(s.codes, s.counts), matrix.NoTrans)
		if _, ok := s.method.Classifier.(KNN); ok {
			h.equal = firstEqual(k)
		}
		if p.reduction, err = solve.Reduce(ctx, k, p.form.begin(), shifts); err != nil {
			return nil, err
		}
		h.reduction = p.reduction
		if centring != nil {
			y = centring.Cross(nil, y)
		}
		products := p.form.products()
		first, second := products.Cols, products.Cols+classMeans.Cols
		columns := matrix.New(k.Rows, second+y.Rows)
		columns.View(0, 0, k.Rows, first).CopyFrom(products)
		columns.View(0, first, k.Rows, classMeans.Cols).CopyFrom(classMeans)
		matrix.Transpose(columns.View(0, second, k.Rows, y.Rows), y)
		columns = h.reduction.Coordinates(columns)
		p.form.take(h.reduction, columns.View(0, 0, columns.Rows, first))
		h.means, h.rows = columns.View(0, first, columns.Rows, classMeans.Cols), columns.View(0, second, columns.Rows, y.Rows)
		h.packed = block.PackB(block.Mat(*h.rows), false)
		if h.byMeans() {
			h.reduction.DropVectors(k)
		}
		p.each(ctx, func(i int, e *pathEntry, solver reducedSolver) {
			if found := p.form.values(e, solver); found != nil {
				results[i], e.err = h.test(ctx, found)
			}
		})
	}
	for i, e := range p.entries {
		results[i].err = e.err
	}
	return results, ctx.Err()
}

// classWeights returns the n×c matrix with 1/l_j in row i of column j for a row i of
// class j.
func classWeights(codes, counts []int) *matrix.Dense {
	w := matrix.New(len(codes), len(counts))
	for i, j := range codes {
		w.Set(i, j, 1/float64(counts[j]))
	}
	return w
}

// heldOut projects rows on the solutions of a path, in coordinates of its reduction
// K ≈ V T Vᵀ, which α = V a is given in: new rows with the kernel values Y have the
// projections Yα = (VᵀYᵀ)ᵀa, the class means (VᵀKL)ᵀa with the weights L, and the
// training rows Kα = V(Ta).
type heldOut struct {
	start     *kfdaStart
	reduction *solve.Reduction
	scale     binaryScale   // from the units of the reduction to those of the caller
	rows      *matrix.Dense // VᵀYᵀ
	packed    *block.Panels // the same
	means     *matrix.Dense // VᵀKL, in the units of the reduction

	// equal is, for neighbours, the first training row that is equal to each: as in a
	// single fit, equal rows are to be equally far from a new one to the last bit.
	equal []int
}

// test classifies the rows by a solution.
func (h *heldOut) test(ctx context.Context, found *solution) (r pathResult, err error) {
	rule, err := h.rule(ctx, found)
	if err != nil {
		return r, err
	}
	return h.start.classify(rule, h.project(found.alpha))
}

// classify says what the rule makes of rows with the projections z.
func (s *kfdaStart) classify(rule rule, z *matrix.Dense) (r pathResult, err error) {
	w := &workspace{z: *z}
	if err := checkProjections(&w.z); err != nil {
		return r, err
	}
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
		resize(&w.posteriors, w.z.Rows, len(s.counts))
		rule.posteriors(w)
		r.posteriors = w.posteriors.Clone()
	}
	if rule, ok := rule.(decisionRule); ok && len(s.counts) == 2 {
		r.decision = make([]float64, w.z.Rows)
		rule.decide(r.decision, w)
	}
	return r, nil
}

// byMeans reports whether the classifier needs no more of the training rows than the class
// means.
func (h *heldOut) byMeans() bool {
	_, ok := classifierOf(h.start.method.Classifier).(NearestCentroid)
	return ok && len(h.start.counts) > 2
}

// project returns the projections of the rows, (VᵀYᵀ)ᵀa. They are computed as their
// transpose, with the same chains.
func (h *heldOut) project(a *matrix.Dense) *matrix.Dense {
	z := matrix.New(a.Cols, h.rows.Cols)
	block.Run(nil, block.Job{
		Op: f64.Product, C: block.Mat(*z), A: block.Mat(*a), TransA: true,
		B: block.Mat(*h.rows), Panels: h.packed,
	})
	return matrix.Transpose(nil, z)
}

// rule fits the classifier. That of more than two classes by centroids needs no
// more than the class means.
func (h *heldOut) rule(ctx context.Context, found *solution) (rule, error) {
	s := h.start
	classifier := classifierOf(s.method.Classifier)
	if h.byMeans() {
		centroids := matrix.Mul(nil, h.means, matrix.Transposed, found.alpha, matrix.NoTrans)
		h.scale.matrix(centroids)
		return &centroidRule{centroids: centroids}, checkProjections(centroids)
	}
	negated := make([]bool, found.alpha.Cols)
	if _, ok := classifier.(SVM); ok {
		negated = h.fixSigns(found.alpha)
	}
	z := h.reduction.Vectors(h.reduction.Multiply(found.alpha))
	for i, first := range h.equal {
		copy(z.Row(i), z.Row(first))
	}
	h.scale.matrix(z)
	if err := checkProjections(z); err != nil {
		return nil, err
	}
	return s.rule(ctx, z, found, negated[0])
}

// fixSigns gives a the signs of a single fit: the default γ of machines is that of the
// variance of all components' values together, which depends on them.
func (h *heldOut) fixSigns(a *matrix.Dense) []bool {
	negated := fixSigns(h.reduction.Vectors(a))
	negate(a, negated)
	return negated
}

// checkProjections returns an *[OverflowError] for the first that is not finite.
func checkProjections(z *matrix.Dense) error {
	for i := range z.Rows {
		for j, v := range z.Row(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return &OverflowError{Row: i, Component: j}
			}
		}
	}
	return nil
}
