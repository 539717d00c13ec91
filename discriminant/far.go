package discriminant

import (
	"slices"

	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// Far writes to dst for each row of x, m×Dim, whether all its kernel values with the
// training rows are 0 (for an [SVM] with the rows that support its machines); a nil
// dst is allocated. With an rbf or another local kernel such a row is so far from
// all of them that the model knows nothing about it: its projection and its class
// are those of any other such row. No row is far for a model of [LDA], which has no
// kernel. The errors are those of Project. Cost: O(mnd).
func (f *fitted) Far(dst []bool, x *matrix.Dense) ([]bool, error) {
	f.needs("Far")
	misuse.NotNil("discriminant: Far", "x", x)
	if dst == nil {
		dst = make([]bool, x.Rows)
	}
	checkLength("Far", len(dst), x.Rows)
	if err := f.checkRows(x); err != nil {
		return nil, err
	}
	if err := f.pipeline.far(dst, x); err != nil {
		return nil, err
	}
	return dst, nil
}

// Far is [Model.Far].
func (m unlabelled) Far(dst []bool, x *matrix.Dense) ([]bool, error) { return m.f.Far(dst, x) }

// kernelRows is an embedding by way of kernel values.
type kernelRows interface {
	// kernelWidth returns how many kernel values a row has.
	kernelWidth() int
	// kernelValues writes those of some rows to dst.
	kernelValues(dst, rows *matrix.Dense) error
}

func (e *kernelEmbedding) kernelWidth() int { return e.evaluator.Order() }

func (e *kernelEmbedding) kernelValues(dst, rows *matrix.Dense) error {
	_, err := e.evaluator.Cross(dst, rows)
	return err
}

func (m *machines) kernelWidth() int { return len(m.support) }

// far is Far for rows that have been checked.
func (p *pipeline) far(dst []bool, x *matrix.Dense) error {
	e, ok := p.embedding.(kernelRows)
	if !ok {
		clear(dst)
		return nil
	}
	width := e.kernelWidth()
	batch := min(max(1, batchValues/width), x.Rows)
	values, prepared, scaled := matrix.New(batch, width), new(matrix.Dense), new(matrix.Dense)
	for first := 0; first < x.Rows; first += batch {
		rows := p.scaled(x.View(first, 0, min(batch, x.Rows-first), x.Cols), prepared, scaled)
		k := values.View(0, 0, rows.Rows, width)
		if err := e.kernelValues(k, rows); err != nil {
			return p.inTable(err, first)
		}
		for i := range k.Rows {
			dst[first+i] = !slices.ContainsFunc(k.Row(i), func(v float64) bool { return v != 0 })
		}
	}
	return nil
}
