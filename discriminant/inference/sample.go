package inference

import (
	"context"
	"fmt"
	"sync"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// Settings are a kernel and a ridge. For what is guaranteed of an answer they must be given, or
// chosen by other rows, not by those that it is about.
type Settings struct {
	Kernel gram.Kernel

	// Ridge is ε > 0, in units of kernel values: nγ for the γ of Harchaoui, Bach and Moulines. With
	// Relative it is in units of the mean eigenvalue of HKH, H = I − 11ᵀ/n.
	Ridge    float64
	Relative bool
}

func (s Settings) regularizer() fisher.Regularizer {
	if s.Relative {
		return fisher.Regularizer{Kind: fisher.RelativeRKHS, Value: s.Ridge}
	}
	return fisher.Regularizer{Kind: fisher.RKHS, Value: s.Ridge}
}

// Sample is n rows under a kernel and a ridge: HKH + εI, factored once for every question. It is
// safe for concurrent use.
type Sample struct {
	kernel gram.Kernel // with its parameters
	rows   factored

	mutex    sync.Mutex
	diagonal []float64 // see diagonalOf
}

// NewSample factors the matrix of the rows of x, n×d, which must not change as long as the sample is
// used. Errors are those of [gram.NewEvaluator] and of a fit of [discriminant.KFDA] with a ridge in
// the RKHS, and a *[discriminant.RidgeError] for one above 2.5e-4/(n·u) times the mean eigenvalue of HKH,
// u = 2⁻⁵³: a share of 1e-3 of what rows differ by would then be rounding. Far below, all answers are
// those of an infinite ridge. Cost: n³/3 flops beside the kernel values; memory 8n² bytes.
func NewSample(ctx context.Context, s Settings, x *matrix.Dense) (*Sample, error) {
	misuse.NotNil("inference: NewSample", "ctx", ctx, "x", x)
	if err := s.check(); err != nil {
		return nil, err
	}
	e, err := gram.NewEvaluator(s.Kernel, x)
	if err != nil {
		return nil, err
	}
	k, err := e.MatrixContext(ctx, nil)
	if err != nil {
		return nil, err
	}
	rows, err := fisher.NewUnlabelled(ctx, k, e, s.regularizer())
	if err != nil {
		return nil, fisher.Public(err)
	}
	return newSample(s, e.Kernel(), &allRows{rows, e})
}

// NewLandmarkSample is NewSample for the kernel φ(x)·φ(y), what some landmarks, of as many columns, say of
// k(x, y): see [gram.Features]. All answers are of that kernel, but for [Novelty], which counts what the
// landmarks leave of a row too. Tests are exact with landmarks of x that are drawn without a look at labels
// or order; what is said of new rows is with landmarks that are drawn among rows none of which is in x.
//
// Errors are those of NewSample and of [gram.NewFeatures]. Cost for n rows and m landmarks: 2nm² flops
// beside the kernel values; memory 8nm bytes, and up to twice as much for what is asked.
func NewLandmarkSample(ctx context.Context, s Settings, x, landmarks *matrix.Dense) (*Sample, error) {
	misuse.NotNil("inference: NewLandmarkSample", "ctx", ctx, "x", x, "landmarks", landmarks)
	if err := s.check(); err != nil {
		return nil, err
	}
	kernel, err := gram.Resolve(s.Kernel, x)
	if err != nil {
		return nil, err
	}
	f, err := gram.NewFeatures(ctx, kernel, landmarks)
	if err != nil {
		return nil, err
	}
	if f.Dim() == 0 {
		return nil, &discriminant.ParameterError{Field: "Landmarks", Value: fmt.Sprint(landmarks.Rows), Reason: "all of them are 0 in the space of the kernel, and none can be a landmark"}
	}
	phi, left, err := mapRows(ctx, f, x)
	if err != nil {
		return nil, err
	}
	mapped := &mappedRows{features: f, beside: left}
	mapped.Mapped, err = fisher.NewMapped(ctx, phi, offBy(f, phi), s.regularizer())
	if err != nil {
		return nil, fisher.Public(err)
	}
	if out := matrix.Sum(left); out > 0 {
		mapped.share = out / (out + float64(float64(x.Rows)*mapped.Mean()))
	}
	for i := range left {
		left[i] /= mapped.Ridge()
	}
	return newSample(s, kernel, mapped)
}

func (s Settings) check() error {
	if s.Ridge > 0 {
		return nil
	}
	return &discriminant.ParameterError{Field: "Ridge", Value: fmt.Sprint(s.Ridge), Reason: "want a number above 0"}
}

// newSample refuses a ridge beside which rows are rounding.
func newSample(s Settings, kernel gram.Kernel, rows factored) (*Sample, error) {
	most := 2.5e-4 / float64(float64(rows.Order())*f64.Roundoff)
	if relative := rows.Ridge() / rows.Mean(); rows.Mean() > 0 && relative > most {
		reason := fmt.Sprintf("it is %.2g times the mean eigenvalue of the centred kernel matrix, so that what rows differ by is lost in rounding; up to %.2g times it, a ridge of %.3g, it is kept", relative, most, float64(most*rows.Mean()))
		return nil, fisher.Public(&fisher.RidgeError{Regularizer: s.regularizer(), Ridge: rows.Ridge(), Reason: reason})
	}
	return &Sample{kernel: kernel, rows: rows}, nil
}

// Rows returns n, Ridge the ridge ε, and Kernel the kernel with its parameters resolved.
func (s *Sample) Rows() int           { return s.rows.Order() }
func (s *Sample) Ridge() float64      { return s.rows.Ridge() }
func (s *Sample) Kernel() gram.Kernel { return s.kernel }

// encode returns the classes of labels in order, and the rows' codes.
func encode[L discriminant.Label](labels []L) (classes []L, of *fisher.Classes) {
	classes = discriminant.Classes(labels)
	code := make(map[L]int, len(classes))
	for j, class := range classes {
		code[class] = j
	}
	codes := make([]int, len(labels))
	for i, label := range labels {
		codes[i] = code[label]
	}
	return classes, fisher.NewClasses(codes, len(classes), nil)
}

// tooFew is the error of fewer than two classes.
func tooFew[L discriminant.Label](classes []L) error {
	e := &discriminant.ClassesError{}
	for _, class := range classes {
		e.Found = append(e.Found, fmt.Sprint(class))
	}
	return e
}
