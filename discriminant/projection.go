package discriminant

import (
	"errors"
	"math"
	"sync"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// projection maps rows to z = Σᵢ αᵢ k(xᵢ, x), with the doubly centred kernel
// where there is a centring. Each entry is one chain of fused multiply-adds over
// the training rows, so that a row has the same bits alone or in a batch.
type projection struct {
	scaler     *Scaler // of the rows to project, or nil
	evaluator  *gram.Evaluator
	alpha      *matrix.Dense  // n×p
	centring   *gram.Centring // or nil
	workspaces sync.Pool      // of *workspace
}

// workspace holds a batch of rows on its way, so that a projection allocates
// nothing once one has been made.
type workspace struct {
	rows   matrix.Dense // of the caller's table
	scaled matrix.Dense
	kernel matrix.Dense // b×n kernel values
	z      matrix.Dense // b×p
}

// batchValues bounds the kernel values that are held at a time: 2 MiB.
const batchValues = 1 << 18

// each projects x, m×d, in batches of bounded memory, and calls use with the
// first row of each and its projections.
func (p *projection) each(x *matrix.Dense, use func(first int, z *matrix.Dense)) error {
	n := p.alpha.Rows
	w, _ := p.workspaces.Get().(*workspace)
	if w == nil {
		w = new(workspace)
	}
	defer p.workspaces.Put(w)
	batch := max(1, batchValues/n)
	for first := 0; first < x.Rows; first += batch {
		b := min(batch, x.Rows-first)
		w.rows = matrix.Dense{Rows: b, Cols: x.Cols, Stride: x.Stride, Data: x.Data[first*x.Stride:]}
		rows := &w.rows
		if p.scaler != nil {
			resize(&w.scaled, b, x.Cols)
			p.scaler.apply(&w.scaled, rows)
			rows = &w.scaled
		}
		resize(&w.kernel, b, n)
		if _, err := p.evaluator.Cross(&w.kernel, rows); err != nil {
			return offsetRow(err, first)
		}
		if p.centring != nil {
			p.centring.Cross(&w.kernel, &w.kernel)
		}
		resize(&w.z, b, p.alpha.Cols)
		matrix.Mul(&w.z, &w.kernel, matrix.NoTrans, p.alpha, matrix.NoTrans)
		for i := range b {
			for j, v := range w.z.Row(i) {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return &OverflowError{Row: first + i, Component: j}
				}
			}
		}
		use(first, &w.z)
	}
	return nil
}

// resize makes a a rows×cols matrix of undefined values, in its own memory where
// that is large enough.
func resize(a *matrix.Dense, rows, cols int) {
	if cap(a.Data) < rows*cols {
		a.Data = make([]float64, rows*cols)
	}
	a.Rows, a.Cols, a.Stride, a.Data = rows, cols, cols, a.Data[:rows*cols]
}

// offsetRow makes an error about a row of a batch one about that row of the
// table.
func offsetRow(err error, first int) error {
	var value *matrix.NotFiniteError
	if errors.As(err, &value) {
		return &matrix.NotFiniteError{Row: value.Row + first, Col: value.Col, Value: value.Value}
	}
	var kernel *gram.NotFiniteError
	if errors.As(err, &kernel) {
		return &gram.NotFiniteError{What: kernel.What, Row: kernel.Row + first, Col: kernel.Col, Value: kernel.Value}
	}
	var domain *gram.DomainError
	if errors.As(err, &domain) {
		return &gram.DomainError{Kernel: domain.Kernel, Row: domain.Row + first, Col: domain.Col, Value: domain.Value, Reason: domain.Reason}
	}
	return err
}
