package discriminant

import (
	"fmt"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/section"
	"github.com/seed92411348/kfda/matrix"
)

// kernelEmbedding maps rows to z = Σᵢ αᵢ k(xᵢ, x), with the doubly centred
// kernel where there is a centring. Each entry is one chain of fused
// multiply-adds over the training rows.
type kernelEmbedding struct {
	evaluator *gram.Evaluator
	alpha     *matrix.Dense  // n×p
	centring  *gram.Centring // or nil
}

const kernelEmbeddingKind = "kernel"

func (e *kernelEmbedding) kind() string    { return kernelEmbeddingKind }
func (e *kernelEmbedding) dim() int        { return e.evaluator.Dim() }
func (e *kernelEmbedding) components() int { return e.alpha.Cols }
func (e *kernelEmbedding) batch() int      { return max(1, batchValues/e.alpha.Rows) }

func (e *kernelEmbedding) embed(w *workspace, rows *matrix.Dense) error {
	resize(&w.kernel, rows.Rows, e.alpha.Rows)
	if _, err := e.evaluator.Cross(&w.kernel, rows); err != nil {
		return err
	}
	if e.centring != nil {
		e.centring.Cross(&w.kernel, &w.kernel)
	}
	matrix.Mul(&w.z, &w.kernel, matrix.NoTrans, e.alpha, matrix.NoTrans)
	return nil
}

func (e *kernelEmbedding) encode(w *fileWriter) error {
	kernel, err := gram.Format(e.evaluator.Kernel())
	if err != nil {
		return err
	}
	s := w.section("kernel", true)
	s.String("kernel", kernel)
	s.Bool("centred", e.centring != nil)

	rows := e.evaluator.X()
	if isPrecomputed(e.evaluator.Kernel()) {
		rows = matrix.New(0, 0)
	}
	w.section("rows", true).Matrix("rows", rows)
	w.section("alpha", true).Matrix("alpha", e.alpha)
	if c := e.centring; c != nil {
		s = w.section("centring", true)
		s.Float64("shift", c.Shift)
		s.Floats("means", c.Means)
		s.Float64("mean", c.Mean)
	}
	return nil
}

func decodeKernelEmbedding(r *fileReader, shape fileShape) (*kernelEmbedding, error) {
	rows, dim := shape.rows, shape.cols
	d := r.section("kernel")
	kernel, err := gram.Parse(d.String("kernel"))
	if err != nil {
		d.Fail("kernel", err.Error())
	}
	centred := d.Bool("centred")
	if err := d.Close(); err != nil {
		return nil, err
	}

	e := &kernelEmbedding{}
	d = r.section("rows")
	x := d.Matrix("rows")
	precomputed := isPrecomputed(kernel)
	switch {
	case precomputed && (x.Rows != 0 || dim != rows):
		d.Fail("rows", fmt.Sprintf("a precomputed kernel has no rows and the dimension %d, found %d rows and %d", rows, x.Rows, dim))
	case !precomputed && (uint64(x.Rows) != rows || uint64(x.Cols) != dim):
		d.Fail("rows", fmt.Sprintf("%d×%d, want %d×%d", x.Rows, x.Cols, rows, dim))
	}
	if err := d.Close(); err != nil {
		return nil, err
	}

	d = r.section("alpha")
	e.alpha = d.Matrix("alpha")
	d.Shape("alpha", e.alpha, rows, shape.components)
	if err := d.Close(); err != nil {
		return nil, err
	}
	if precomputed {
		e.evaluator = gram.PrecomputedRows(e.alpha.Rows)
	} else if e.evaluator, err = gram.NewEvaluator(kernel, x); err != nil {
		return nil, &section.FormatError{Section: "rows", Field: "rows", Reason: err.Error()}
	}

	if centred {
		d = r.section("centring")
		c := &gram.Centring{Shift: d.Float64("shift"), Means: d.Floats("means"), Mean: d.Float64("mean")}
		if uint64(len(c.Means)) != rows {
			d.Fail("means", fmt.Sprintf("%d means for %d rows", len(c.Means), rows))
		}
		if err := d.Close(); err != nil {
			return nil, err
		}
		e.centring = c
	}
	return e, nil
}

func isPrecomputed(k gram.Kernel) bool {
	_, precomputed := k.(gram.Precomputed)
	return precomputed
}
