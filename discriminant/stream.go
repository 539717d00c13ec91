package discriminant

import (
	"context"
	"fmt"
	"iter"
	"math/bits"
	"runtime/metrics"
	"slices"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// Stream takes a table of any number of rows, part by part, in memory that does not grow
// with it, and fits models to all of them. [NewStream] starts it by a sample, [Stream.Append] adds
// rows, those of the sample too, and [Stream.Model] fits a model to what there is. Models are of
// [KFDA], [KernelRidge] and [KernelPCA] with the kernel
//
//	k̂(x, y) = φ(x)·φ(y),   φ(x) = L⁻¹k(landmarks, x),   K_LL = LLᵀ
//
// in place of k, the Nyström approximation from m landmarks (see [gram.Features]), and of
// [LDA], which takes the rows as they are. A fit is exact for k̂, all of it: shares of variance are of
// that of k̂. Its model holds the landmarks and m×components coefficients.
//
// A stream keeps 4096 rows at random, an equal share of each class, to calibrate the posteriors of
// KFDA with a ridge in the RKHS (see [KFDA].LeaveOneOut): the means and the covariance of [Gaussian]
// are of the projections of all rows, and its scores become the most probable ones for the rows that
// are kept, each projected as if it had been left out of the fit. Where these are all rows, all is as
// in [Fit]. So of new rows like those of the stream, about 80 in 100 of posterior 0.8 are of the class; posteriors
// of a class of a few rows are too large. Other posteriors, those of LDA, of a ridge on the coefficients and of Gaussian{} without LeaveOneOut, are
// right where projections are normal.
//
// Rows have numbers, in the order in which they are added, and blocks of [BlockRows] of them are
// factored and joined in a fixed order. So the same rows with the same numbers give the same
// models, to the bit, for any number of workers, however whole blocks are shared out among streams
// that are merged (see [Stream.From]), and whether or not a stream was saved and loaded on the way.
// Cost: m(2d + 3m) flops a row, 3d² of LDA, and 4096m² for what is kept; memory is that of
// [PlanStream]. It is not safe for concurrent use.
type Stream[L Label] struct {
	classes []L
	code    map[L]int
	streamed
}

// StreamFolds is the number of folds by which a [Stream] chooses a ridge.
const StreamFolds = 5

// streamRows is the number of rows whose features are in memory at a time.
const streamRows = 2048

// BlockRows is the number of rows of a block of a [Stream].
const BlockRows = fisher.BlockRows

// Landmarks says how many landmarks a [Stream] draws, and how, or which rows they are: of those, one
// that is, up to rounding, a combination of the ones before is left out.
type Landmarks struct {
	Count  int                 // at least 1 where there is a kernel
	Method gram.LandmarkMethod // the zero value is gram.RPCholesky, randomly pivoted Cholesky
	Seed   uint64              // of the random choice; 0 is one like others
	Rows   *matrix.Dense       // the landmarks, with the columns of the table, in place of all that; nil to draw them
}

// NewStream starts a stream for method with what a sample of its rows says: the classes, the
// scaling, parameters of the kernel that are zero, and the landmarks, which are drawn from it,
// at most as many as it has rows: of 10,000 rows, or four times as many as landmarks, means are known
// to a hundredth of a deviation, and more hardly improve landmarks. The sample's rows are not added.
// The method is a [KFDA], a [KernelRidge], a [KernelPCA], an [LDA], in which landmarks play no part, or
// a [Prepared] one of them: what fills missing cells is of the sample, and all of Levels have columns,
// also where the sample lacks some. If the method leaves its ridge to be chosen, the rows are in 5 folds,
// which takes 5 times the memory. Where the sample has weights, all rows that are added must have some.
//
// What the sample does not show is not learnt later: a column that is constant in it is only
// shifted by the scaling, whatever rows have there. [Landmarks] drawn from a sample unlike the rows
// leave much of them out, which the LeftShare of a model's details says.
//
// The errors are those of [Fit] for the sample, those of [gram.Evaluator.Landmarks], a *[FeatureError]
// for landmarks of other columns, and a *[ParameterError] for what a stream does not do: what keeps rows,
// or takes all of them a second time.
func NewStream[L Label](ctx context.Context, method Method, sample *matrix.Dense, labels []L, landmarks Landmarks, weights ...float64) (*Stream[L], error) {
	x, classes, of, err := checkFit(method, sample, labels, weights)
	if err != nil {
		return nil, err
	}
	misuse.NotNil("discriminant: NewStream", "ctx", ctx)
	s := &Stream[L]{classes: classes}
	shape := fisher.Shape{Classes: len(classes), Weighed: weights != nil}
	if s.streamed, err = newStreamed(ctx, method, x, of.Weights, landmarks, shape); err != nil {
		return nil, err
	}
	s.index()
	return s, nil
}

func (s *Stream[L]) index() {
	s.code = make(map[L]int, len(s.classes))
	for j, class := range s.classes {
		s.code[class] = j
	}
}

// Classes returns the labels in class order.
func (s *Stream[L]) Classes() []L { return slices.Clone(s.classes) }

// From returns a stream that was started as s, without rows, whose first will have that number,
// a multiple of [BlockRows]: for a part of the table, to be merged with those of other parts.
func (s *Stream[L]) From(row int) *Stream[L] {
	t := *s
	t.streamed = s.from(row)
	return &t
}

// Append adds rows with their labels and, where the sample has some, their weights; a row of
// weight 0 only has a number. With an error about labels, weights or cells nothing is added,
// with another, as that of ctx, the rows before [Stream.Next]. Errors are a *[ParameterError]
// for weights where the sample has none,
// *[UnknownClassError], *[RowsError], *[WeightsError], *[FeatureError],
// *[matrix.NotFiniteError], those of the kernel, and a *[solve.BlockError] after the end
// of a block that is not whole.
func (s *Stream[L]) Append(ctx context.Context, x *matrix.Dense, labels []L, weights ...float64) error {
	s.needs("Append")
	misuse.NotNil("discriminant: Stream.Append", "ctx", ctx, "x", x)
	if x.Rows != len(labels) {
		return &RowsError{Rows: x.Rows, Labels: len(labels)}
	}
	codes := make([]int, len(labels))
	for i, label := range labels {
		var known bool
		if codes[i], known = s.code[label]; !known {
			e := &UnknownClassError{Row: i, Class: fmt.Sprint(label)}
			for _, class := range s.classes {
				e.Known = append(e.Known, fmt.Sprint(class))
			}
			return e
		}
	}
	return s.append(ctx, x, codes, nil, weights)
}

// AppendSeq adds the rows of a sequence, as Append does, some thousand at a time: it ends with
// the first error, with the rows before [Stream.Next] added. The rows may share memory. Rows with
// weights are for Append: a sequence of pairs has no place for them.
func (s *Stream[L]) AppendSeq(ctx context.Context, rows iter.Seq2[[]float64, L]) error {
	s.needs("AppendSeq")
	misuse.NotNil("discriminant: Stream.AppendSeq", "ctx", ctx, "rows", rows)
	return inBatches(s.columns, rows, func(x *matrix.Dense, labels []L) error { return s.Append(ctx, x, labels) })
}

// Merge adds the rows of t, which comes of the same [NewStream] by [Stream.From] or from a file, and
// has the same notes.
// The last block of both, if it is not whole, has then ended, and none can follow. A block that
// both have is a *[solve.BlockError], a stream of another start a *[ParameterError]; s has its own rows
// then, as before.
func (s *Stream[L]) Merge(t *Stream[L]) error {
	s.needs("Merge")
	misuse.NotNil("discriminant: Stream.Merge", "the other stream", t)
	t.needs("Merge")
	if !slices.Equal(s.classes, t.classes) {
		return otherStream(fmt.Sprintf("of the classes %v and %v", s.classes, t.classes))
	}
	return s.merge(&t.streamed)
}

// PlanStream returns what a stream of n rows, d columns of the table and that many classes, or outputs of
// a [RegressionStream], will need for method at most, where it is dropped when its model is made; the
// caller's rows and the drawing from the sample are left out. Each fold has a triangular matrix of
// m + classes columns, of m landmarks, or columns for LDA, for each power of two up to n/[BlockRows];
// a fit takes some more, and 4096 rows are kept. Garbage is counted as GOGC allows it.
func PlanStream(method Method, n, d, classes, landmarks int) Plan {
	misuse.NotNil("discriminant: PlanStream", "the method", method)
	kept := float64(min(n, mostKept) * d)
	if p, ok := method.(Prepared); ok {
		method, d = p.method(), p.width(d)
	}
	m, folds, model := float64(landmarks), 1.0, float64(landmarks)
	if _, lda := method.(LDA); lda {
		m, model, kept = float64(d), 1, 0
	}
	if streamRegularizer(method).byLeaveOneOut() {
		folds = StreamFolds
	}
	c, width := float64(classes), m+float64(classes+1)
	square, levels := float64(width*width), float64(bits.Len(uint(n/BlockRows+1))-1)
	triangle := square / 2
	stream := float64(folds * (float64(triangle*(levels+1)) + float64((solve.PieceRows+8)*width)))
	rows := float64(min(n, streamRows))
	add, parts, fit := float64(4*triangle)+float64(rows*(m+width/folds)), float64((5+folds)*triangle), float64((14+float64(2*folds))*triangle)+float64(2*rows*m)
	numbers := float64(m*m) + max(stream+add, stream+parts, fit) + float64(2*rows*float64(d)) + float64(9*float64(c*c)) + float64(2*kept)
	p := Plan{ModelBytes: float64(8 * float64(model*float64(d+classes)))}
	p.Bytes = processBytes + float64(8*float64(numbers*(1.2+garbageShare()))) + float64(4*p.ModelBytes)
	p.Flops = float64(float64(n) * (float64(m*float64(2*d)) + float64(3*square)))
	if folds > 1 { // a factor of each for every ridge
		ridges := float64(folds * float64(len(relativeRidges)))
		p.Flops += float64(ridges * float64(square*width) / 1.5)
	}
	return p
}

// garbageShare is what a collection may leave for the next, relative to what is in use.
func garbageShare() float64 {
	percent := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(percent)
	return min(float64(percent[0].Value.Uint64())/100, 1)
}
