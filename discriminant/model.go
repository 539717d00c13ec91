package discriminant

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// Model is what [Fit] makes of a [Method]: scaling, projection and classifier. It is
// immutable and safe for concurrent use. The zero value is no model: [Model.ReadFrom]
// and [Model.UnmarshalBinary] make it one, and all other methods panic.
type Model[L Label] struct {
	classes []L
	*fitted
}

// fitted is a model on class codes 0 … c−1: rows are scaled, embedded and
// classified.
type fitted struct {
	method   *methodFacts
	counts   []int // training rows of each class
	training Training
	pipeline *pipeline
	lambda   []float64 // eigenvalues, one a component, or nil
	rule     rule
	solution solution
	own      any // what only models of the method have
	notes    notes
}

// Training identifies the table that a model was fitted on.
type Training struct {
	Rows, Cols int
	// SHA256 is that of the rows, as float64 little-endian, each followed by its
	// class number as uint64.
	SHA256 [sha256.Size]byte
}

func newTraining(x *matrix.Dense, codes []int) Training {
	h := sha256.New()
	buffer := make([]byte, 0, 8*(x.Cols+1))
	for i, code := range codes {
		buffer = buffer[:0]
		buffer = appendCells(buffer, x.Row(i))
		h.Write(binary.LittleEndian.AppendUint64(buffer, uint64(code)))
	}
	t := Training{Rows: x.Rows, Cols: x.Cols}
	h.Sum(t.SHA256[:0])
	return t
}

// appendCells appends numbers, little-endian; all NaN, which are missing cells, are one.
func appendCells(b []byte, cells []float64) []byte {
	for _, v := range cells {
		if math.IsNaN(v) {
			v = math.NaN()
		}
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

// Fit fits method to x, n rows of d features, and the label of each row. It
// neither changes nor keeps x and labels. ctx can cancel it; the error is then
// ctx's.
//
// Rows may have weights, one for each: Fit(ctx, method, x, labels, weights...). A row of
// weight 2 is as good as two rows, in everything but what leaves out rows, which leaves out a
// row with all its weight; relative ridges are relative to the sum of the weights. A row of
// weight 0 is absent, and without weights all weigh 1. [Balanced] and [ClassWeights] make
// weights of classes. A weight that is none is a *[WeightsError].
//
// Cost of a [KFDA]: the n×n kernel matrix, once, and 4n³/3 flops for a ridge,
// n³/3 for one in the RKHS. The other methods say theirs.
func Fit[L Label](ctx context.Context, method Method, x *matrix.Dense, labels []L, weights ...float64) (*Model[L], error) {
	x, classes, of, err := checkFit(method, x, labels, weights)
	if err != nil {
		return nil, err
	}
	misuse.NotNil("discriminant: Fit", "ctx", ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, err := method.fit(ctx, x, of)
	if err != nil {
		return nil, err
	}
	f.counts, f.training = slices.Clone(of.Counts), newTraining(x, of.Codes)
	return &Model[L]{classes: classes, fitted: f}, nil
}

// Method returns the name of the method that was fitted: "kfda", "lda", "kpca",
// "ridge" or "svm".
func (f *fitted) Method() string {
	f.needs("Method")
	return f.method.name
}

// checkFit checks the arguments of a fit and returns the rows with a weight, the classes in
// order and each row's.
func checkFit[L Label](method Method, x *matrix.Dense, labels []L, weights []float64) (rows *matrix.Dense, classes []L, of *fisher.Classes, err error) {
	misuse.NotNil("discriminant: Fit", "the method", method, "x", x)
	if err := method.Validate(); err != nil {
		return nil, nil, nil, err
	}
	if x.Rows != len(labels) || x.Rows == 0 {
		return nil, nil, nil, &RowsError{Rows: x.Rows, Labels: len(labels)}
	}
	classes, codes := encode(labels)
	if len(classes) < 2 {
		return nil, nil, nil, &ClassesError{Found: []string{fmt.Sprint(classes[0])}}
	}
	t, err := newWeighed(x, weights, isPrecomputed(method.Settings().Kernel))
	if err != nil {
		return nil, nil, nil, err
	}
	if of, err = classesOf(t, classes, codes); err != nil {
		return nil, nil, nil, err
	}
	return t.x, classes, of, checkCells(missingOf(method), t.x)
}

// Dim returns the number of columns that a row to project must have: the
// features of the training rows or, for a precomputed kernel, their number.
func (f *fitted) Dim() int {
	f.needs("Dim")
	if p := f.pipeline.preparation; p != nil {
		return len(p.columns)
	}
	return f.pipeline.embedding.dim()
}

// Components returns the number of columns of a projection: discriminant
// directions, principal components, or values of a kernel ridge classifier or of
// the machines of an [SVM].
func (f *fitted) Components() int {
	f.needs("Components")
	return f.pipeline.embedding.components()
}

// Counts returns the number of training rows of each class.
func (f *fitted) Counts() []int {
	f.needs("Counts")
	return append([]int(nil), f.counts...)
}

// TrainedOn reports whether x and labels are the table of the fit, to the bit and in its
// order.
func (m *Model[L]) TrainedOn(x *matrix.Dense, labels []L) bool {
	m.needs("TrainedOn")
	misuse.NotNil("discriminant: TrainedOn", "x", x)
	t := m.training
	if x.Rows != len(labels) || x.Rows != t.Rows || x.Cols != t.Cols {
		return false
	}
	code := make(map[L]int, len(m.classes))
	for j, class := range m.classes {
		code[class] = j
	}
	codes := make([]int, len(labels))
	for i, label := range labels {
		var known bool
		if codes[i], known = code[label]; !known {
			return false
		}
	}
	return newTraining(x, codes) == t
}

// Training returns the shape and a hash of the table of the fit.
func (f *fitted) Training() Training {
	f.needs("Training")
	return f.training
}

// Preparation returns what a fit of [Prepared] learnt of the columns, or nil for another.
func (f *fitted) Preparation() *Preparation {
	f.needs("Preparation")
	return f.pipeline.preparation
}

// Scaler returns the scaling of the features, or nil where there is none.
func (f *fitted) Scaler() *Scaler {
	f.needs("Scaler")
	return f.pipeline.scaler
}

// Classes returns the labels in class order.
func (m *Model[L]) Classes() []L {
	m.fitted.needs("Classes")
	return append([]L(nil), m.classes...)
}

// WithNote returns the same model with a text under a key, which travels with it
// into its file: the names of the columns, say. The library does not read notes.
func (m *Model[L]) WithNote(key, text string) *Model[L] {
	m.fitted.needs("WithNote")
	return &Model[L]{classes: m.classes, fitted: m.withNote(key, text)}
}

// withNote returns a copy of f with a text under a key.
func (f *fitted) withNote(key, text string) *fitted {
	g := *f
	g.notes = f.notes.with(key, text)
	return &g
}

// Note returns the text under a key, and whether there is one.
func (f *fitted) Note(key string) (text string, ok bool) {
	f.needs("Note")
	text, ok = f.notes[key]
	return text, ok
}

// Project writes the projections z = Σᵢ αᵢ k(xᵢ, x) of the rows of x, m×Dim, to
// dst, m×Components, which may not overlap x; a nil dst is allocated. A model with a ridge in the RKHS
// projects with the doubly centred kernel, which differs by one constant a
// component. A row has the same bits alone or in a batch. With an rbf or another
// local kernel a row far from all training rows has kernel values of 0, and so
// the projection 0 exactly: it carries no information. An [SVM] has the values of
// its machines for a projection.
//
// The errors are *[FeatureError] for another number of columns (a
// *[gram.ShapeError] for a precomputed kernel), *[matrix.NotFiniteError],
// *[gram.NotFiniteError], *[gram.DomainError] and *[OverflowError]; dst is then
// undefined. Cost: O(mn(d + components)). With a dst it allocates nothing, but for
// what it takes to start goroutines where there are rows for several.
func (f *fitted) Project(dst, x *matrix.Dense) (*matrix.Dense, error) {
	f.needs("Project")
	misuse.NotNil("discriminant: Project", "x", x)
	if dst == nil {
		dst = matrix.New(x.Rows, f.Components())
	}
	checkDestination("Project", dst, x, x.Rows, f.Components())
	err := f.each(x, func(first int, w *workspace) error {
		for i := range w.z.Rows {
			copy(dst.Row(first+i), w.z.Row(i))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return dst, nil
}

// each checks the rows of x and calls use with their projections, batch by
// batch.
func (f *fitted) each(x *matrix.Dense, use func(first int, w *workspace) error) error {
	if err := f.checkRows(x); err != nil {
		return err
	}
	return f.pipeline.each(x, use)
}

// eachClassified is each for the methods of the rule.
func (f *fitted) eachClassified(x *matrix.Dense, use func(first int, w *workspace) error) error {
	prepared, ok := f.rule.(preparedRule)
	if !ok {
		return f.each(x, use)
	}
	return f.each(x, func(first int, w *workspace) error {
		if err := prepared.prepare(w); err != nil {
			return err
		}
		return use(first, w)
	})
}

// Predict writes the class of each row of x to dst, by the model's classifier. A
// nil dst is allocated. The errors are those of Project.
func (m *Model[L]) Predict(dst []L, x *matrix.Dense) ([]L, error) {
	m.fitted.needs("Predict")
	misuse.NotNil("discriminant: Predict", "x", x)
	if dst == nil {
		dst = make([]L, x.Rows)
	}
	checkLength("Predict", len(dst), x.Rows)
	err := m.eachClassified(x, func(first int, w *workspace) error {
		w.codes = slices.Grow(w.codes[:0], w.z.Rows)[:w.z.Rows]
		if err := m.rule.classify(w.codes, w); err != nil {
			return err
		}
		for i, code := range w.codes {
			dst[first+i] = m.classes[code]
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return dst, nil
}

// PredictProjections writes to dst the class that the model gives each row of z, m×Components,
// a projection of whatever row: what Predict does after Project. A nil dst is allocated.
func (m *Model[L]) PredictProjections(dst []L, z *matrix.Dense) ([]L, error) {
	m.fitted.needs("PredictProjections")
	misuse.NotNil("discriminant: PredictProjections", "z", z)
	if dst == nil {
		dst = make([]L, z.Rows)
	}
	checkLength("PredictProjections", len(dst), z.Rows)
	if z.Cols != m.Components() {
		return nil, &FeatureError{Got: z.Cols, Want: m.Components()}
	}
	if err := matrix.CheckFinite(z); err != nil {
		return nil, err
	}
	w := &workspace{z: *z.Clone(), codes: make([]int, z.Rows)}
	if r, ok := m.rule.(preparedRule); ok {
		if err := r.prepare(w); err != nil {
			return nil, err
		}
	}
	if err := m.rule.classify(w.codes, w); err != nil {
		return nil, err
	}
	for i, code := range w.codes {
		dst[i] = m.classes[code]
	}
	return dst, nil
}

// PredictRow returns the class of one row, which is that of Predict, and allocates
// nothing once the model has been used. The errors are those of Project.
func (m *Model[L]) PredictRow(row []float64) (L, error) {
	m.fitted.needs("PredictRow")
	var label [1]L
	x := matrix.Dense{Rows: 1, Cols: len(row), Stride: len(row), Data: row}
	_, err := m.Predict(label[:], &x)
	return label[0], err
}

// Posteriors writes the probability of each class for each row of x, m×Dim, to
// dst, m×classes in class order; a nil dst is allocated. A row sums to one up to
// rounding, and the first class with its largest entry is the prediction, except
// with an [SVM], see there. The errors are those of Project, and a
// *[PosteriorsError] where the classifier has no posteriors: [Gaussian] and [KNN]
// have them, and an SVM with Probability.
func (f *fitted) Posteriors(dst, x *matrix.Dense) (*matrix.Dense, error) {
	f.needs("Posteriors")
	misuse.NotNil("discriminant: Posteriors", "x", x)
	r, ok := posteriorsOf(f.rule)
	if !ok {
		return nil, &PosteriorsError{Rule: f.rule.kind()}
	}
	if dst == nil {
		dst = matrix.New(x.Rows, len(f.counts))
	}
	checkDestination("Posteriors", dst, x, x.Rows, len(f.counts))
	err := f.eachClassified(x, func(first int, w *workspace) error {
		r.posteriors(w)
		for i := range w.posteriors.Rows {
			copy(dst.Row(first+i), w.posteriors.Row(i))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return dst, nil
}

// Decision writes, for a model of two classes, a value for each row of x to dst,
// positive exactly where the later class is predicted; neither its sign nor its scale
// depends on the order of the training rows. What it is, each [Classifier] says, and
// [KernelRidge] and [SVM]. The errors are those of Project, and a *[DecisionError] for more
// than two classes.
func (m *Model[L]) Decision(dst []float64, x *matrix.Dense) ([]float64, error) {
	m.fitted.needs("Decision")
	misuse.NotNil("discriminant: Decision", "x", x)
	r, ok := m.rule.(decisionRule)
	if !ok || len(m.classes) != 2 {
		return nil, &DecisionError{Classes: len(m.classes)}
	}
	if dst == nil {
		dst = make([]float64, x.Rows)
	}
	checkValues("Decision", dst, x)
	err := m.eachClassified(x, func(first int, w *workspace) error {
		r.decide(dst[first:first+w.z.Rows], w)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return dst, nil
}

// checkDestination panics where dst, for what is computed of x, has another shape than
// rows×cols or overlaps x.
func checkDestination(name string, dst, x *matrix.Dense, rows, cols int) {
	if dst.Rows != rows || dst.Cols != cols {
		panic(fmt.Sprintf("discriminant: %s: dst is %d×%d, want %d×%d", name, dst.Rows, dst.Cols, rows, cols))
	}
	checkOverlap(name, dst, x)
}

func checkOverlap(name string, dst, x *matrix.Dense) {
	if matrix.Overlap(dst, x) {
		panic(fmt.Sprintf("discriminant: %s: dst (%d×%d) overlaps the rows that are read (%d×%d)", name, dst.Rows, dst.Cols, x.Rows, x.Cols))
	}
}

// checkValues panics where dst does not have a value for each row of x, or overlaps x.
func checkValues(name string, dst []float64, x *matrix.Dense) {
	checkLength(name, len(dst), x.Rows)
	checkOverlap(name, &matrix.Dense{Rows: 1, Cols: len(dst), Stride: len(dst), Data: dst}, x)
}

func checkLength(name string, got, want int) {
	if got != want {
		panic(fmt.Sprintf("discriminant: %s: dst has length %d, want %d", name, got, want))
	}
}

// needs panics where f is missing: in the zero value of a [Model], [PCA] or
// [Regression].
func (f *fitted) needs(method string) {
	if f == nil {
		panic("discriminant: " + method + " of a model that was neither fitted nor loaded")
	}
}

// checkRows returns an error for rows of another width than the model's, or with a
// value that is not finite.
func (f *fitted) checkRows(x *matrix.Dense) error {
	if x.Cols != f.Dim() {
		if k := f.kernel(); k != nil && isPrecomputed(k) {
			return &gram.ShapeError{What: "the kernel values of new rows", Rows: x.Rows, Cols: x.Cols, WantRows: x.Rows, WantCols: f.Dim()}
		}
		return &FeatureError{Got: x.Cols, Want: f.Dim()}
	}
	if p := f.pipeline.preparation; p != nil {
		return checkCells(p.missing, x)
	}
	return matrix.CheckFinite(x)
}
