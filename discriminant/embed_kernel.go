package discriminant

import (
	"fmt"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/plural"
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

func (e *kernelEmbedding) kernel() gram.Kernel         { return e.evaluator.Kernel() }
func (e *kernelEmbedding) expansion() *kernelEmbedding { return e }

func (e *kernelEmbedding) kind() string    { return kernelEmbeddingKind }
func (e *kernelEmbedding) dim() int        { return e.evaluator.Dim() }
func (e *kernelEmbedding) components() int { return e.alpha.Cols }

// batch returns whole tasks of rows where the kernel values allow for that.
func (e *kernelEmbedding) batch() int {
	rows := max(1, predictionValues/e.alpha.Rows)
	if rows > taskRows {
		rows -= rows % taskRows
	}
	return rows
}

// taskRows rows are embedded by one worker at a time: few enough for their kernel
// values to stay in the caches, enough for the training rows to be worth fetching.
const taskRows = 32

func (e *kernelEmbedding) embed(w *workspace, rows *matrix.Dense) error {
	resize(&w.kernel, rows.Rows, e.alpha.Rows)
	if w.alpha == nil && rows.Rows > 1 {
		w.alpha = block.PackB(block.Mat(*e.alpha), false)
	}
	if w.team == nil || rows.Rows <= taskRows {
		return e.embedRows(w, &w.kernel, &w.z, rows)
	}
	tasks := (rows.Rows + taskRows - 1) / taskRows
	errs := make([]error, tasks)
	w.team.Do(tasks, func(t int) {
		first := t * taskRows
		some := func(a *matrix.Dense) *matrix.Dense {
			return a.View(first, 0, min(taskRows, a.Rows-first), a.Cols)
		}
		errs[t] = e.embedRows(w, some(&w.kernel), some(&w.z), some(rows))
	})
	for t, err := range errs {
		if err != nil {
			return offsetRow(err, t*taskRows)
		}
	}
	return nil
}

// embedRows sets z to the image of rows by way of their kernel values k.
func (e *kernelEmbedding) embedRows(w *workspace, k, z, rows *matrix.Dense) error {
	if _, err := e.evaluator.Cross(k, rows); err != nil {
		return err
	}
	if e.centring != nil {
		e.centring.Cross(k, k)
	}
	block.Run(nil, block.Job{
		Op: f64.Product, C: block.Mat(*z), A: block.Mat(*k), B: block.Mat(*e.alpha), Panels: w.alpha,
	})
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
	} else if e.evaluator, err = r.evaluator(kernel, x, "rows"); err != nil {
		return nil, err
	}

	if centred {
		d = r.section("centring")
		c := &gram.Centring{Shift: d.Float64("shift"), Means: d.Floats("means"), Mean: d.Float64("mean")}
		if uint64(len(c.Means)) != rows {
			d.Fail("means", fmt.Sprintf("%s for %s", plural.Count(len(c.Means), "mean"), plural.Count(rows, "row")))
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
