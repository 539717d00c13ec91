package discriminant

import (
	"context"
	"fmt"
	"iter"
	"math/bits"
	"slices"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// Stream takes a table of any number of rows, block by block, in memory that does not grow
// with it, and fits models to all of them: of [KFDA] and [KernelRidge] with the kernel
//
//	k̂(x, y) = φ(x)·φ(y),   φ(x) = L⁻¹k(landmarks, x),   K_LL = LLᵀ
//
// in place of k, the Nyström approximation from m landmarks (see [gram.Features]), and of
// [LDA], which takes the rows as they are. A fit is exact for k̂, and its model holds the
// landmarks and m×components coefficients.
//
// Rows have numbers, in the order in which they are added. The same rows with the same
// numbers give the same models, to the bit, for any number of workers, however they are shared
// out among streams that are merged (see [Stream.From]), and whether or not a stream was saved
// and loaded on the way. Cost: m(2d + 3m) flops a row; memory is that of [PlanStream]. It is
// not safe for concurrent use.
type Stream[L Label] struct {
	classes []L
	code    map[L]int
	*streamed
	rows *fisher.Accumulator
}

// streamed is what the rows of a stream go through.
type streamed struct {
	dim       int // columns of the rows
	scaler    *Scaler
	landmarks *landmarkRows // nil without a kernel
}

// landmarkRows are the landmarks, scaled.
type landmarkRows struct {
	left     float64 // of the trace of the kernel matrix of the sample
	features *gram.Features
}

// streamFolds is the number of folds by which a ridge is chosen, and streamRows that of rows
// whose features are in memory at a time.
const (
	streamFolds = 5
	streamRows  = 2048
)

// BlockRows is the number of rows of a block of a [Stream].
const BlockRows = fisher.BlockRows

// UnknownClassError says that a row has a label that is none of the classes of a [Stream].
type UnknownClassError struct {
	Row   int
	Class string
	Known []string
}

func (e *UnknownClassError) Error() string {
	return fmt.Sprintf("discriminant: row %d has the class %q, which the sample that the stream was started with does not have: %q are known", e.Row, e.Class, e.Known)
}

// Landmarks says how many landmarks a [Stream] draws, and how.
type Landmarks struct {
	Count  int
	Method gram.LandmarkMethod
	Seed   uint64
}

// NewStream starts a stream for method with what a sample of its rows says: the classes, the
// scaling, parameters of the kernel that are zero, and the landmarks, which are drawn from it.
// The rows of the sample are not added. The method is a [KFDA], a [KernelRidge] or an [LDA]
// (of which landmarks play no part); if it leaves its ridge to be chosen, the rows are in 5 folds,
// which takes 5 times the memory. With weights of the sample all rows have weights.
//
// The errors are those of [Fit] for the sample, those of [gram.Evaluator.Landmarks], and a
// *[ParameterError] for what a stream does not do.
func NewStream[L Label](ctx context.Context, method Method, sample *matrix.Dense, labels []L, landmarks Landmarks, weights ...float64) (*Stream[L], error) {
	x, classes, of, err := checkFit(method, sample, labels, weights)
	if err != nil {
		return nil, err
	}
	misuse.NotNil("discriminant: NewStream", "ctx", ctx)
	kind, err := streamMethod(method)
	if err != nil {
		return nil, err
	}
	s := &Stream[L]{classes: classes, streamed: &streamed{dim: x.Cols}}
	set := method.Settings()
	p := &pipeline{}
	rows, err := p.fitScaler(set.Scaling, x, of.Weights)
	if err != nil {
		return nil, err
	}
	s.scaler = p.scaler
	if kind != methodLDA {
		if err := s.draw(ctx, set.Kernel, rows, of.Weights, landmarks); err != nil {
			return nil, err
		}
	}
	shape := fisher.Shape{Classes: len(classes), Features: s.width(), Folds: 1, Weighed: weights != nil}
	if streamRegularizer(method).byLeaveOneOut() {
		shape.Folds = streamFolds
	}
	s.rows = fisher.NewAccumulator(shape, 0)
	s.index()
	return s, nil
}

// draw draws the landmarks from scaled rows.
func (s *streamed) draw(ctx context.Context, kernel gram.Kernel, rows *matrix.Dense, weights fisher.Weights, how Landmarks) error {
	kernel, err := gram.Resolve(kernelOr(kernel), rows, weights...)
	if err != nil {
		return err
	}
	e, err := gram.NewEvaluator(kernel, rows)
	if err != nil {
		return err
	}
	drawn, err := e.Landmarks(ctx, how.Count, how.Method, how.Seed)
	if err != nil {
		return err
	}
	s.landmarks = &landmarkRows{left: drawn.LeftShare()}
	return s.landmarks.prepare(ctx, e.Kernel(), selectRows(rows, drawn.Rows))
}

// prepare makes the features of landmarks x, of which all that are left are independent, also
// when they are prepared again.
func (l *landmarkRows) prepare(ctx context.Context, kernel gram.Kernel, x *matrix.Dense) (err error) {
	for {
		if l.features, err = gram.NewFeatures(ctx, kernel, x); err != nil || l.features.Dim() == x.Rows {
			return err
		}
		x = l.features.Landmarks()
	}
}

// width returns the number of features of a row.
func (s *streamed) width() int {
	if s.landmarks == nil {
		return s.dim
	}
	return s.landmarks.features.Dim()
}

func (s *Stream[L]) index() {
	s.code = make(map[L]int, len(s.classes))
	for j, class := range s.classes {
		s.code[class] = j
	}
}

// needs panics for a zero stream.
func (s *Stream[L]) needs(method string) {
	if s.streamed == nil {
		panic(fmt.Sprintf("discriminant: Stream.%s: a zero Stream; NewStream makes one", method))
	}
}

// Classes returns the labels in class order.
func (s *Stream[L]) Classes() []L { return slices.Clone(s.classes) }

// Next returns the number of the next row.
func (s *Stream[L]) Next() int {
	s.needs("Next")
	return s.rows.Next()
}

// LeftShare returns the share of the trace of the kernel matrix of the sample that the landmarks
// leave out, 0 without a kernel.
func (s *Stream[L]) LeftShare() float64 {
	s.needs("LeftShare")
	if s.landmarks == nil {
		return 0
	}
	return s.landmarks.left
}

// From returns a stream with all but the rows, whose first row will have that number, a multiple
// of [BlockRows]: for a part of the table, to be merged.
func (s *Stream[L]) From(row int) *Stream[L] {
	s.needs("From")
	t := *s
	t.rows = fisher.NewAccumulator(s.rows.Shape, row)
	return &t
}

// Append adds rows with their labels and, where the sample has some, their weights; a row of
// weight 0 only has a number. With an error about labels, weights or cells nothing is added,
// with another, as that of ctx, the rows before [Stream.Next]. Errors are
// *[UnknownClassError], *[RowsError], *[WeightsError], *[FeatureError],
// *[matrix.NotFiniteError], those of the kernel, and a *[solve.BlockError] after the end
// of a block that is not whole.
func (s *Stream[L]) Append(ctx context.Context, x *matrix.Dense, labels []L, weights ...float64) error {
	s.needs("Append")
	misuse.NotNil("discriminant: Stream.Append", "ctx", ctx, "x", x)
	codes, err := s.check(x, labels, weights)
	if err != nil {
		return err
	}
	scaled, features := new(matrix.Dense), new(matrix.Dense)
	for lo := 0; lo < x.Rows; lo += streamRows {
		hi := min(lo+streamRows, x.Rows)
		rows := x.View(lo, 0, hi-lo, x.Cols)
		if s.scaler != nil {
			resize(scaled, rows.Rows, rows.Cols)
			s.scaler.apply(scaled, rows)
			rows = scaled
		}
		if s.landmarks != nil {
			resize(features, rows.Rows, s.width())
			if err := s.landmarks.features.Map(ctx, features, rows); err != nil {
				return offsetRow(err, lo)
			}
			rows = features
		}
		var some fisher.Weights
		if weights != nil {
			some = weights[lo:hi]
		}
		if err := s.rows.Append(rows, codes[lo:hi], nil, some); err != nil {
			return offsetRow(err, lo)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// check returns the codes of rows that can be added.
func (s *Stream[L]) check(x *matrix.Dense, labels []L, weights []float64) ([]int, error) {
	if x.Rows != len(labels) {
		return nil, &RowsError{Rows: x.Rows, Labels: len(labels)}
	}
	if x.Cols != s.dim {
		return nil, &FeatureError{Got: x.Cols, Want: s.dim}
	}
	if s.rows.Weighed != (weights != nil) && x.Rows > 0 {
		return nil, &WeightsError{Rows: x.Rows, Weights: len(weights), Row: -1}
	}
	if weights != nil {
		none := (*WeightsError)(nil)
		if err := CheckWeights(x.Rows, weights); err != nil {
			if none = err.(*WeightsError); none.Rows != none.Weights || none.Row >= 0 {
				return nil, err
			}
		}
	}
	codes := make([]int, len(labels))
	for i, label := range labels {
		var known bool
		if codes[i], known = s.code[label]; !known {
			e := &UnknownClassError{Row: i, Class: fmt.Sprint(label)}
			for _, class := range s.classes {
				e.Known = append(e.Known, fmt.Sprint(class))
			}
			return nil, e
		}
	}
	return codes, matrix.CheckFinite(x)
}

// AppendSeq adds the rows of a sequence, as Append does, some thousand at a time: it ends with
// the first error, with the rows before [Stream.Next] added. The rows may share memory.
func (s *Stream[L]) AppendSeq(ctx context.Context, rows iter.Seq2[[]float64, L]) error {
	s.needs("AppendSeq")
	misuse.NotNil("discriminant: Stream.AppendSeq", "ctx", ctx, "rows", rows)
	x := matrix.New(streamRows, s.dim)
	labels, first := make([]L, 0, streamRows), s.Next()
	from := first
	flush := func() error {
		err := s.Append(ctx, x.View(0, 0, len(labels), s.dim), labels)
		if unknown, ok := err.(*UnknownClassError); ok {
			unknown.Row += from - first
		}
		err = offsetRow(err, from-first)
		labels, from = labels[:0], s.Next()
		return err
	}
	for row, label := range rows {
		if len(row) != s.dim {
			return &FeatureError{Got: len(row), Want: s.dim}
		}
		copy(x.Row(len(labels)), row)
		if labels = append(labels, label); len(labels) == streamRows {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// Merge adds the rows of t, which comes of the same [NewStream] by [Stream.From] or from a file.
// The last block of both, if it is not whole, has then ended, and none can follow. A block that
// both have is a *[solve.BlockError], a stream of another start a *[ParameterError].
func (s *Stream[L]) Merge(t *Stream[L]) error {
	s.needs("Merge")
	misuse.NotNil("discriminant: Stream.Merge", "the other stream", t)
	t.needs("Merge")
	if err := s.same(t); err != nil {
		return err
	}
	if err := s.rows.End(); err != nil {
		return err
	}
	if err := t.rows.End(); err != nil {
		return err
	}
	return s.rows.Merge(t.rows)
}

// same returns an error for streams of different starts.
func (s *Stream[L]) same(t *Stream[L]) error {
	reason := ""
	switch a, b := s.streamed, t.streamed; {
	case !slices.Equal(s.classes, t.classes):
		reason = fmt.Sprintf("of the classes %v and %v", s.classes, t.classes)
	case s.rows.Shape != t.rows.Shape || a.dim != b.dim:
		reason = fmt.Sprintf("of %s and %s in %d and %d folds", plural.Count(a.width(), "feature"), plural.Count(b.width(), "feature"), s.rows.Folds, t.rows.Folds)
	case !a.equal(b):
		reason = "with other landmarks, scaling or kernel"
	default:
		return nil
	}
	return &ParameterError{Field: "Stream", Value: reason, Reason: "want parts of one stream"}
}

func (s *streamed) equal(t *streamed) bool {
	if s == t {
		return true
	}
	a, errA := s.start()
	b, errB := t.start()
	return errA == nil && errB == nil && slices.Equal(a, b)
}

// PlanStream returns what a stream of n rows, d features and that many classes will need for
// method at most, the caller's rows and the drawing from the sample left out: of each fold a factor
// of m + classes columns for every level of the tree of blocks, and some for the fit. Half of it
// is what the garbage collector leaves.
func PlanStream(method Method, n, d, classes, landmarks int) Plan {
	misuse.NotNil("discriminant: PlanStream", "the method", method)
	m, folds, model := float64(landmarks), 1.0, float64(landmarks)
	if _, lda := method.(LDA); lda {
		m, model = float64(d), 1
	}
	if streamRegularizer(method).byLeaveOneOut() {
		folds = streamFolds
	}
	width, levels := m+float64(classes), float64(1+bits.Len(uint(n/BlockRows)))
	square := float64(width * width)
	each := float64(2*square) + float64(solve.PieceRows*width) + float64(square/2*levels)
	numbers := float64(folds*each) + float64(10*square) + float64(2*streamRows*width)
	p := Plan{ModelBytes: float64(8 * float64(model*float64(d+classes)))}
	p.Bytes = processBytes + float64(16*numbers) + float64(4*p.ModelBytes)
	p.Flops = float64(float64(n) * (float64(m*float64(2*d)) + float64(3*square)))
	return p
}
