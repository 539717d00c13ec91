package discriminant

import (
	"context"
	"math"
	"sync"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/pages"
	"github.com/seed92411348/kfda/matrix"
)

// embedding maps rows to the space in which they are classified. A row has the
// same bits alone or in a batch.
type embedding interface {
	// kind names the embedding in a file.
	kind() string
	// dim returns the number of columns of the rows.
	dim() int
	// components returns the number of columns of what they are mapped to.
	components() int
	// batch returns how many rows to map at a time for bounded memory.
	batch() int
	// embed fills w.z with the image of rows.
	embed(w *workspace, rows *matrix.Dense) error
	// fields names those of the embedding's sections.
	fields(c *codec)
}

// pipeline prepares rows, scales and embeds them.
type pipeline struct {
	preparation *Preparation // or nil
	scaler      *Scaler      // or nil
	embedding   embedding
	workspaces  sync.Pool // of *workspace
}

// scaled returns what the embedding sees of rows, in the given memory.
func (p *pipeline) scaled(rows, prepared, scaled *matrix.Dense) *matrix.Dense {
	if p.preparation != nil {
		resize(prepared, rows.Rows, p.preparation.width)
		p.preparation.apply(prepared, rows)
		rows = prepared
	}
	if p.scaler != nil {
		resize(scaled, rows.Rows, rows.Cols)
		p.scaler.apply(scaled, rows)
		rows = scaled
	}
	return rows
}

// inTable makes an error about what the embedding sees one about a table of which its
// rows begin at first.
func (p *pipeline) inTable(err error, first int) error {
	return offsetRow(p.preparation.OfTable(err), first)
}

// workspace holds a batch of rows on its way, so that a model that was used once
// allocates nothing when it is used again.
type workspace struct {
	rows     matrix.Dense // of the caller's table
	prepared matrix.Dense
	scaled   matrix.Dense
	kernel   matrix.Dense // kernel values
	z        matrix.Dense
	codes    []int
	team     *block.Team   // for large batches, or nil
	alpha    *block.Panels // the coefficients of a kernel embedding, packed

	// for the rules
	standard           matrix.Dense // standardised z
	posteriors         matrix.Dense // rows × classes
	distances, nearest matrix.Dense // of one row from training rows

	// for machines
	values             matrix.Dense // rows × machines
	part, coefficients matrix.Dense // views of a batch, or of a class
	terms              matrix.Dense // of one class
	votes              matrix.Dense // of one row
	coupling           matrix.Dense // classes × classes
}

// batchValues bounds the kernel values that a fit holds at a time beside its matrix:
// 2 MiB.
const batchValues = 1 << 18

// predictionValues bounds the kernel values of new rows that are held at a time:
// 8 MiB.
const predictionValues = 1 << 20

// each maps x in batches of bounded memory, and calls use with the first row of
// each and a workspace that holds its image z. The values of x are finite.
func (p *pipeline) each(x *matrix.Dense, use func(first int, w *workspace) error) error {
	w, _ := p.workspaces.Get().(*workspace)
	if w == nil {
		w = new(workspace)
	}
	defer p.workspaces.Put(w)
	return p.eachIn(w, x, use)
}

// eachIn is each in a given workspace.
func (p *pipeline) eachIn(w *workspace, x *matrix.Dense, use func(first int, w *workspace) error) error {
	batch := p.embedding.batch()
	w.team = block.TeamFor(x.Rows, predictionValues/batch, x.Cols)
	defer func() { w.team.Close(); w.team = nil }()
	for first := 0; first < x.Rows; first += batch {
		b := min(batch, x.Rows-first)
		w.rows = matrix.Dense{Rows: b, Cols: x.Cols, Stride: x.Stride, Data: x.Data[first*x.Stride:]}
		rows := p.scaled(&w.rows, &w.prepared, &w.scaled)
		resize(&w.z, b, p.embedding.components())
		if err := p.embedding.embed(w, rows); err != nil {
			return p.inTable(err, first)
		}
		for i := range b {
			for j, v := range w.z.Row(i) {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return &OverflowError{Row: first + i, Component: j}
				}
			}
		}
		if err := use(first, w); err != nil {
			return offsetRow(err, first)
		}
	}
	return nil
}

// fitScaler fits a scaler to x, where there is to be one, and returns the scaled
// rows: x itself where there is not.
func (p *pipeline) fitScaler(scaling Scaling, x *matrix.Dense, weights fisher.Weights) (*matrix.Dense, error) {
	if scaling == NoScaling {
		return x, nil
	}
	scaler, err := newScaler(scaling, x, weights)
	if err != nil {
		return nil, err
	}
	p.scaler = scaler
	rows := matrix.New(x.Rows, x.Cols)
	scaler.apply(rows, x)
	return rows, matrix.CheckFinite(rows)
}

// all returns the image of x. Kernel values are held in memory, where that is not
// nil. The context is checked after each batch.
func (p *pipeline) all(ctx context.Context, x *matrix.Dense, memory []float64) (*matrix.Dense, error) {
	z := matrix.New(x.Rows, p.embedding.components())
	w := &workspace{kernel: matrix.Dense{Data: memory}}
	return z, p.eachIn(w, x, func(first int, w *workspace) error {
		z.View(first, 0, w.z.Rows, w.z.Cols).CopyFrom(&w.z)
		return ctx.Err()
	})
}

// resize makes a a rows×cols matrix of undefined values, in its own memory where
// that is large enough.
func resize(a *matrix.Dense, rows, cols int) {
	if cap(a.Data) < rows*cols {
		a.Data = pages.Floats(rows * cols)
	}
	a.Rows, a.Cols, a.Stride, a.Data = rows, cols, cols, a.Data[:rows*cols]
}

// offsetRow makes an error about a row of a batch one about that row of the
// table.
func offsetRow(err error, first int) error {
	switch e := err.(type) {
	case *matrix.NotFiniteError:
		return &matrix.NotFiniteError{Row: e.Row + first, Col: e.Col, Value: e.Value}
	case *gram.NotFiniteError:
		return &gram.NotFiniteError{What: e.What, Row: e.Row + first, Col: e.Col, Value: e.Value}
	case *gram.DomainError:
		return &gram.DomainError{Kernel: e.Kernel, Row: e.Row + first, Col: e.Col, Value: e.Value, Reason: e.Reason}
	case *UnknownClassError:
		return &UnknownClassError{Row: e.Row + first, Class: e.Class, Known: e.Known}
	case *OverflowError:
		return &OverflowError{Row: e.Row + first, Component: e.Component}
	}
	return err
}
