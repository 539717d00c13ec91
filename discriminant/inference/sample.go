package inference

import (
	"context"
	"fmt"
	"math"
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
	evaluator *gram.Evaluator
	rows      *fisher.Unlabelled

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
	if !(s.Ridge > 0) {
		return nil, &discriminant.ParameterError{Field: "Ridge", Value: fmt.Sprint(s.Ridge), Reason: "want a number above 0"}
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
	if most := 2.5e-4 / float64(float64(x.Rows)*f64.Roundoff); rows.Mean() > 0 && rows.Ridge()/rows.Mean() > most {
		reason := fmt.Sprintf("it is %.2g times the mean eigenvalue of the centred kernel matrix, so that what rows differ by is lost in rounding; up to %.2g times it, a ridge of %.3g, it is kept", rows.Ridge()/rows.Mean(), most, float64(most*rows.Mean()))
		return nil, fisher.Public(&fisher.RidgeError{Regularizer: s.regularizer(), Ridge: rows.Ridge(), Reason: reason})
	}
	return &Sample{evaluator: e, rows: rows}, nil
}

// Rows returns n, Ridge the ridge ε, and Kernel the kernel with its parameters resolved.
func (s *Sample) Rows() int           { return s.rows.Order() }
func (s *Sample) Ridge() float64      { return s.rows.Ridge() }
func (s *Sample) Kernel() gram.Kernel { return s.evaluator.Kernel() }

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

// cross returns k_c(x)/ε of the rows of y as columns, n×r, and k_c(x, x)/ε. Errors are those of
// [gram.Evaluator.Cross], and a *[gram.NotFiniteError] for k(x, x).
func (s *Sample) cross(y *matrix.Dense) (columns *matrix.Dense, own []float64, err error) {
	values, err := s.evaluator.Cross(nil, y)
	if err != nil {
		return nil, nil, err
	}
	of, err := gram.NewEvaluator(s.evaluator.Kernel(), y)
	if err != nil {
		return nil, nil, err
	}
	own = of.Diag(nil)
	for i, v := range own {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, nil, &gram.NotFiniteError{What: "kernel value", Row: i, Col: i, Value: v}
		}
	}
	return s.rows.Cross(values, own), own, nil
}
