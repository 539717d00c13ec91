package discriminant

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/pages"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/matrix"
)

// streamed is what streams of classes and of numbers have in common.
type streamed struct {
	*streamStart
	rows *fisher.Accumulator
	kept *keptRows // of the classes; nil without landmarks, and from a file with rows that has none
}

// streamStart is what is learnt from the sample, and the notes; it does not change.
type streamStart struct {
	columns     int           // of the table
	preparation *Preparation  // or nil
	scaler      *Scaler       // or nil
	landmarks   *landmarkRows // nil without a kernel
	notes       notes
}

// landmarkRows are the landmarks, scaled.
type landmarkRows struct {
	left     float64 // of the trace of the kernel matrix of the sample
	features *gram.Features
}

// newStreamed starts a stream with a sample of checked rows, of a shape whose features and folds follow.
func newStreamed(ctx context.Context, method Method, x *matrix.Dense, weights fisher.Weights, landmarks Landmarks, shape fisher.Shape) (streamed, error) {
	inner := unprepared(method)
	kind, err := streamMethod(inner)
	if err != nil {
		return streamed{}, err
	}
	s := &streamStart{columns: x.Cols}
	if p, ok := method.(Prepared); ok {
		if s.preparation, err = p.learn(x, weights, true); err != nil {
			return streamed{}, err
		}
		if inner, err = s.preparation.method(inner); err != nil {
			return streamed{}, err
		}
	}
	shape.Features, err = s.learn(ctx, inner.Settings(), kind != methodLDA, x, weights, landmarks)
	if err != nil {
		return streamed{}, s.preparation.OfTable(err)
	}
	shape.Folds, shape.Left = 1, s.landmarks != nil
	if streamRegularizer(inner).byLeaveOneOut() {
		shape.Folds = StreamFolds
	}
	return s.begin(shape, 0), nil
}

// begin returns a stream without rows, whose first will have that number.
func (s *streamStart) begin(shape fisher.Shape, first int) streamed {
	t := streamed{streamStart: s, rows: fisher.NewAccumulator(shape, first)}
	if s.keeps(shape) {
		t.kept = newKeptRows(s.columns, shape)
	}
	return t
}

// keeps reports whether a stream keeps rows by which posteriors are calibrated.
func (s *streamStart) keeps(shape fisher.Shape) bool { return s.landmarks != nil && shape.Classes > 1 }

// learn sets the scaling and the landmarks, and returns the number of features.
func (s *streamStart) learn(ctx context.Context, set Settings, landmarks bool, x *matrix.Dense, weights fisher.Weights, how Landmarks) (int, error) {
	p := &pipeline{preparation: s.preparation}
	rows, err := p.fitScaler(set.Scaling, p.scaled(x, new(matrix.Dense), nil), weights)
	if err != nil {
		return 0, err
	}
	if s.scaler = p.scaler; !landmarks {
		return rows.Cols, nil
	}
	kernel, err := gram.Resolve(kernelOr(set.Kernel), rows, weights...)
	if err != nil {
		return 0, err
	}
	e, err := gram.NewEvaluator(kernel, rows)
	if err != nil {
		return 0, err
	}
	if s.landmarks = new(landmarkRows); how.Rows != nil {
		if err := s.checkRows(how.Rows); err != nil {
			return 0, fmt.Errorf("discriminant: landmarks: %w", err)
		}
		given := p.scaled(how.Rows.Clone(), new(matrix.Dense), new(matrix.Dense))
		if err := s.landmarks.prepare(ctx, e.Kernel(), given); err != nil {
			return 0, err
		}
		if s.landmarks.features.Dim() == 0 {
			return 0, noLandmarks("Landmarks.Rows", how.Rows.Rows, "of the landmarks")
		}
		return s.landmarks.features.Dim(), s.landmarks.measure(ctx, rows)
	}
	drawn, err := e.Landmarks(ctx, how.Count, how.Method, how.Seed)
	if err != nil {
		return 0, err
	}
	if len(drawn.Rows) == 0 {
		return 0, noLandmarks("Landmarks", how.Count, "of the sample")
	}
	s.landmarks.left = drawn.LeftShare()
	err = s.landmarks.prepare(ctx, e.Kernel(), selectRows(rows, drawn.Rows))
	return s.landmarks.features.Dim(), err
}

// noLandmarks is the error where no row can be a landmark.
func noLandmarks(field string, count int, rows string) error {
	return &ParameterError{Field: field, Value: fmt.Sprint(count), Reason: "all rows " + rows + " are 0 in the space of the kernel, and none can be a landmark"}
}

// measure sets what the landmarks leave of a sample.
func (l *landmarkRows) measure(ctx context.Context, rows *matrix.Dense) error {
	all, err := gram.Diag(nil, l.features.Kernel(), rows)
	if err != nil {
		return err
	}
	left, err := l.mapRows(ctx, matrix.New(rows.Rows, l.features.Dim()), rows)
	if sum := matrix.Sum(left); sum > 0 {
		l.left = sum / matrix.Sum(all)
	}
	return err
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
func (s *streamStart) width() int {
	switch {
	case s.landmarks != nil:
		return s.landmarks.features.Dim()
	case s.preparation != nil:
		return s.preparation.width
	}
	return s.columns
}

// needs panics for a zero stream.
func (s *streamed) needs(method string) {
	if s.streamStart == nil {
		panic(fmt.Sprintf("discriminant: Stream.%s: a zero stream; NewStream and NewRegressionStream make one", method))
	}
}

// Next returns the number of the next row.
func (s *streamed) Next() int {
	s.needs("Next")
	return s.rows.Next()
}

// RowSpan is the rows First ≤ number < End.
type RowSpan struct{ First, End int }

// Spans returns the numbers of the rows that the stream has, ascending, as spans that do not touch.
func (s *streamed) Spans() []RowSpan {
	s.needs("Spans")
	var all []RowSpan
	for _, span := range s.rows.Spans() {
		all = append(all, RowSpan{span[0], span[1]})
	}
	return all
}

// LeftShare returns the share of the trace of the kernel matrix of the sample that the landmarks
// leave out, 0 without a kernel. The details of a model say what they leave of all rows.
func (s *streamed) LeftShare() float64 {
	s.needs("LeftShare")
	if s.landmarks == nil {
		return 0
	}
	return s.landmarks.left
}

// Landmarks returns the number of landmarks, 0 without a kernel. There are fewer than were asked for
// where the sample has no more rows that are not, up to rounding, combinations of others.
func (s *streamed) Landmarks() int {
	s.needs("Landmarks")
	if s.landmarks == nil {
		return 0
	}
	return s.landmarks.features.Dim()
}

// Note returns the text under a key, and whether there is one.
func (s *streamed) Note(key string) (text string, ok bool) {
	s.needs("Note")
	text, ok = s.notes[key]
	return text, ok
}

// SetNote keeps a text under a key, which travels with the stream into its file, its parts and its
// models: the names of the columns, say. The library does not read notes.
func (s *streamed) SetNote(key, text string) {
	s.needs("SetNote")
	start := *s.streamStart
	start.notes = s.notes.with(key, text)
	s.streamStart = &start
}

func (s *streamed) from(row int) streamed {
	s.needs("From")
	if row < 0 || row%BlockRows != 0 {
		panic(fmt.Sprintf("discriminant: Stream.From: row %d, want a multiple of %d", row, BlockRows))
	}
	return s.begin(s.rows.Shape, row)
}

// append checks rows and weights and adds them.
func (s *streamed) append(ctx context.Context, x *matrix.Dense, codes []int, targets *matrix.Dense, weights []float64) error {
	if err := s.check(x, weights); err != nil {
		return err
	}
	p := &pipeline{preparation: s.preparation, scaler: s.scaler}
	prepared, scaled := new(matrix.Dense), new(matrix.Dense)
	memory := pages.Take(min(streamRows, x.Rows) * s.width())
	defer pages.Leave(memory)
	for lo := 0; lo < x.Rows; lo += streamRows {
		hi := min(lo+streamRows, x.Rows)
		batch := fisher.Rows{Features: p.scaled(x.View(lo, 0, hi-lo, x.Cols), prepared, scaled)}
		if s.landmarks != nil {
			features := &matrix.Dense{Data: *memory}
			resize(features, hi-lo, s.width())
			var err error
			if batch.Left, err = s.landmarks.mapRows(ctx, features, batch.Features); err != nil {
				return p.inTable(err, lo)
			}
			batch.Features = features
		}
		if codes != nil {
			batch.Codes = codes[lo:hi]
		}
		if targets != nil {
			batch.Targets = targets.View(lo, 0, hi-lo, targets.Cols)
		}
		if weights != nil {
			batch.Weights = weights[lo:hi]
		}
		first := s.rows.Next()
		if err := s.rows.Append(batch); err != nil {
			return p.inTable(err, lo)
		}
		if s.kept != nil {
			s.kept.add(first, x.View(lo, 0, hi-lo, x.Cols), batch.Codes, batch.Weights)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// mapRows sets features to φ of rows, and returns of each what it leaves of k(x, x).
func (l *landmarkRows) mapRows(ctx context.Context, features, rows *matrix.Dense) ([]float64, error) {
	left, err := gram.Diag(nil, l.features.Kernel(), rows)
	if err != nil {
		return nil, err
	}
	if err := l.features.Map(ctx, features, rows); err != nil {
		return nil, err
	}
	for i, k := range left {
		row := features.Row(i)
		left[i] = math.Max(0, k-matrix.Dot(row, row))
	}
	return left, nil
}

// check looks at rows that are to be added, but for what is to be predicted.
func (s *streamed) check(x *matrix.Dense, weights []float64) error {
	switch {
	case x.Rows == 0:
	case s.rows.Weighed && weights == nil:
		return &WeightsError{Rows: x.Rows, Row: -1}
	case !s.rows.Weighed && weights != nil:
		return &ParameterError{Field: "weights", Value: fmt.Sprintf("%d numbers", len(weights)), Reason: "the stream was started by a sample without weights"}
	}
	if weights != nil {
		if err, bad := CheckWeights(x.Rows, weights).(*WeightsError); bad && (err.Rows != err.Weights || err.Row >= 0) {
			return err
		}
	}
	return s.checkRows(x)
}

// checkRows looks at rows of the table.
func (s *streamStart) checkRows(x *matrix.Dense) error {
	if x.Cols != s.columns {
		return &FeatureError{Got: x.Cols, Want: s.columns}
	}
	if s.preparation != nil {
		return checkCells(s.preparation.missing, x)
	}
	return matrix.CheckFinite(x)
}

// inBatches calls use with some rows of a sequence at a time, and what comes with each. Errors
// are about the rows of the sequence.
func inBatches[T any](columns int, rows iter.Seq2[[]float64, T], use func(x *matrix.Dense, with []T) error) error {
	x, with, first := matrix.New(streamRows, columns), make([]T, 0, streamRows), 0
	flush := func() error {
		err := offsetRow(use(x.View(0, 0, len(with), columns), with), first)
		with, first = with[:0], first+len(with)
		return err
	}
	for row, of := range rows {
		if len(row) != columns {
			return &FeatureError{Got: len(row), Want: columns}
		}
		copy(x.Row(len(with)), row)
		if with = append(with, of); len(with) == streamRows {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// merge adds the rows of t, of the same start.
func (s *streamed) merge(t *streamed) error {
	switch a, b := s.streamStart, t.streamStart; {
	case s.rows.Shape != t.rows.Shape || a.columns != b.columns:
		return otherStream(fmt.Sprintf("of %s and %s in %d and %d folds", plural.Count(a.width(), "feature"), plural.Count(b.width(), "feature"), s.rows.Folds, t.rows.Folds))
	case !a.equal(b):
		return otherStream("with other landmarks, scaling, kernel, filled values or notes")
	}
	if err := s.rows.Merge(t.rows); err != nil || s.kept == nil {
		return err
	}
	if t.kept == nil { // of some of the rows there would be none
		s.kept = nil
		return nil
	}
	s.kept.merge(t.kept)
	return nil
}

// otherStream is the error of streams of different starts.
func otherStream(what string) error {
	return &ParameterError{Field: "Stream", Value: what, Reason: "want parts of one stream"}
}

func (s *streamStart) equal(t *streamStart) bool {
	if s == t {
		return true
	}
	a, errA := s.marshal()
	b, errB := t.marshal()
	return errA == nil && errB == nil && slices.Equal(a, b)
}
