package gram

import (
	"context"
	"fmt"
	"slices"

	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// Features is the map φ(x) = L⁻¹·k(landmarks, x) to as many numbers as there are landmarks,
// with K_LL = LLᵀ the Cholesky factorization of their kernel matrix. φ(x)·φ(y) is K̂(x, y), the
// Nyström approximation of k(x, y), which is k(x, y) where x or y is a landmark:
//
//	|φ(x)·φ(y) − K̂(x, y)| ≤ 4(m+2)·u·a(x)·a(y),  a(x) = Σ |cᵢ|·√k(lᵢ, lᵢ),  c = K_LL⁻¹k(L, x),
//
// for the kernel values as they are rounded and m landmarks. It is safe for concurrent use.
type Features struct {
	e      *Evaluator
	kept   []int
	factor *matrix.Dense
}

// NewFeatures factors the kernel matrix of the landmarks, in m³/6 multiply-adds for m of
// them. Those whose k(x, x) the ones before leave less than 2⁻⁴⁰ of are left out, such as
// repetitions; among those that [Evaluator.Landmarks] draws there are none, in their order.
//
// The errors are those of [NewEvaluator] and [Evaluator.Landmarks].
func NewFeatures(ctx context.Context, k Kernel, landmarks *matrix.Dense) (*Features, error) {
	misuse.NotNil("gram: NewFeatures", "ctx", ctx, "landmarks", landmarks)
	e, err := NewEvaluator(k, landmarks)
	if err != nil {
		return nil, err
	}
	n := e.Order()
	team := block.TeamUntil(ctx, n, n, n/3+e.Dim())
	defer team.Close()
	p, err := newPartial(e, team, n)
	if err != nil {
		return nil, err
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	for lo := 0; lo < n; lo += proposals {
		hi := min(lo+proposals, n)
		c, err := p.candidates(all[lo:hi])
		if err != nil {
			return nil, err
		}
		for r := range c.rows {
			left, err := c.leaves(r)
			if err != nil {
				return nil, err
			}
			if !p.dependent(lo+r, left) {
				c.take(r, left)
			}
		}
		if err := c.extend(hi, nil); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return p.features()
}

// features returns the map of the pivots.
func (p *partial) features() (*Features, error) {
	m := len(p.pivots)
	f := &Features{e: p.e, kept: p.pivots, factor: p.f.View(0, 0, m, m)}
	if m == p.f.Rows {
		return f, nil
	}
	for r, i := range p.pivots { // ascending
		copy(f.factor.Row(r), p.f.Row(i))
	}
	x := p.e.gather(p.pivots)
	if _, ok := p.e.kernel.(Precomputed); ok {
		values := matrix.New(m, m)
		if err := p.e.fillColumns(values, nil, rows{x: x}, 0, rows{}, p.pivots); err != nil {
			return nil, err
		}
		x = values
	}
	var err error
	f.e, err = NewEvaluator(p.e.kernel, x)
	return f, err
}

// Kernel returns the kernel with its parameters resolved.
func (f *Features) Kernel() Kernel {
	misuse.NotNil("gram: Features.Kernel", "the evaluator of zero Features", f.e)
	return f.e.Kernel()
}

// Landmarks returns the landmarks, but for those left out; they must not be changed. For
// Precomputed it is their kernel matrix.
func (f *Features) Landmarks() *matrix.Dense {
	misuse.NotNil("gram: Features.Landmarks", "the evaluator of zero Features", f.e)
	return f.e.X()
}

// Kept returns the places of these among the landmarks that were given.
func (f *Features) Kept() []int { return slices.Clone(f.kept) }

// Dim returns the length of φ(x).
func (f *Features) Dim() int { return len(f.kept) }

// Factor returns the lower triangular L, which must not be changed.
func (f *Features) Factor() *matrix.Dense { return f.factor }

// mapRows is the number of rows that a worker maps at a time.
const mapRows = 256

// Map sets dst to φ of the rows of x, a row for each, in m²/2 multiply-adds a row beside
// the kernel values. A row has the same bits alone or in any matrix. The errors are those of
// [Evaluator.Cross], and that of a context that is done; dst is then incomplete.
func (f *Features) Map(ctx context.Context, dst, x *matrix.Dense) error {
	misuse.NotNil("gram: Features.Map", "ctx", ctx, "dst", dst, "x", x, "the evaluator of zero Features", f.e)
	if dst.Rows != x.Rows || dst.Cols != f.Dim() {
		panic(fmt.Sprintf("gram: Features.Map: destination %d×%d for a %d×%d result", dst.Rows, dst.Cols, x.Rows, f.Dim()))
	}
	f.e.checkOverlap("Features.Map", dst, x)
	a, err := f.e.newRows(x)
	if err != nil {
		return err
	}
	team := block.TeamUntil(ctx, x.Rows, f.Dim(), f.Dim()/2+f.e.Dim()+mapTerms)
	defer team.Close()
	tasks := (x.Rows + mapRows - 1) / mapRows
	errs := make([]error, tasks)
	team.Do(tasks, func(task int) {
		lo := task * mapRows
		rows := dst.View(lo, 0, min(mapRows, x.Rows-lo), dst.Cols)
		if !fill(nil, f.e.kernel, block.Whole, whole(rows), a, lo, f.e.rows, 0) {
			err := firstNotFinite(rows, false)
			err.Row += lo
			errs[task] = err
			return
		}
		substitute(rows, f.factor, nil)
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}
