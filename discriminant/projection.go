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
	evaluator *gram.Evaluator
	alpha     *matrix.Dense // n×p
	centring  *centring     // or nil
	tiles     sync.Pool     // of *tile
}

// tile holds the kernel values of a batch of rows.
type tile struct{ data []float64 }

// tileValues bounds the kernel values that are held at a time: 2 MiB.
const tileValues = 1 << 18

// rows writes the projections of x, m×d, to z, m×p.
func (p *projection) rows(z, x *matrix.Dense) error {
	n := p.alpha.Rows
	batch := min(max(1, tileValues/n), x.Rows)
	t, _ := p.tiles.Get().(*tile)
	if t == nil || len(t.data) < batch*n {
		t = &tile{data: make([]float64, batch*n)}
	}
	defer p.tiles.Put(t)
	for i := 0; i < x.Rows; i += batch {
		b := min(batch, x.Rows-i)
		k := &matrix.Dense{Rows: b, Cols: n, Stride: n, Data: t.data[:b*n]}
		if _, err := p.evaluator.Cross(k, x.View(i, 0, b, x.Cols)); err != nil {
			return offsetRow(err, i)
		}
		if p.centring != nil {
			p.centring.rows(k)
		}
		matrix.Mul(z.View(i, 0, b, z.Cols), k, matrix.NoTrans, p.alpha, matrix.NoTrans)
	}
	for i := range z.Rows {
		for j, v := range z.Row(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return &OverflowError{Row: i, Component: j}
			}
		}
	}
	return nil
}

// offsetRow makes an error about a row of a batch one about that row of the
// table.
func offsetRow(err error, first int) error {
	var kernel *gram.NotFiniteError
	if errors.As(err, &kernel) {
		return &gram.NotFiniteError{Row: kernel.Row + first, Col: kernel.Col, Value: kernel.Value}
	}
	var domain *gram.DomainError
	if errors.As(err, &domain) {
		return &gram.DomainError{Row: domain.Row + first, Col: domain.Col, Value: domain.Value}
	}
	return err
}
