package solve

import (
	"math"
	"sync"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// choleskyPanel is the work on columns lo … hi-1 of a.
type choleskyPanel struct {
	a      *matrix.Dense
	lo, hi int
	shape  f64.Shape

	// The triangle of the diagonal block, in strips of as many rows as a tile has:
	// the columns before the strip, negated and packed as a tile wants them, and the
	// strip's own triangle, with ones on the diagonal where there is no row.
	before, own [][]float64

	works sync.Pool // of *[]float64: as many rows below as a tile has columns, transposed
}

func newCholeskyPanel(a *matrix.Dense, nb int) *choleskyPanel {
	p := &choleskyPanel{a: a, shape: f64.TileShape()}
	rows := p.shape.Rows
	for c := 0; c < nb; c += rows {
		p.before = append(p.before, make([]float64, c*rows))
		p.own = append(p.own, make([]float64, rows*rows))
	}
	p.works.New = func() any {
		x := make([]float64, len(p.own)*rows*p.shape.Cols)
		return &x
	}
	return p
}

// eliminate runs the chains of columns lo … hi-1 to their end and updates the lower
// triangle to the right.
func (p *choleskyPanel) eliminate(team *block.Team, lo, hi int) error {
	p.lo, p.hi = lo, hi
	rows, nb := p.a.Rows-hi, hi-lo
	diag := p.a.View(lo, lo, nb, nb)
	if err := choleskyBlock(diag); err != nil {
		err.Pivot += lo
		return err
	}
	if rows == 0 {
		return nil
	}
	p.pack(diag)
	step := chunk / p.shape.Cols * p.shape.Cols
	team.Do((rows+step-1)/step, func(task int) {
		x := p.works.Get().(*[]float64)
		defer p.works.Put(x)
		for i := task * step; i < min((task+1)*step, rows); i += p.shape.Cols {
			p.substitute(*x, p.a.View(hi+i, lo, min(p.shape.Cols, rows-i), nb))
		}
	})
	panel := p.a.View(hi, lo, rows, nb)
	product(team, block.Subtract, block.Lower, p.a.View(hi, hi, rows, rows), panel, panel)
	return nil
}

// pack prepares the triangle of the diagonal block.
func (p *choleskyPanel) pack(diag *matrix.Dense) {
	rows, nb := p.shape.Rows, diag.Rows
	for strip, own := range p.own {
		c := strip * rows
		if c >= nb {
			break
		}
		n := min(rows, nb-c)
		f64.Pack(p.before[strip], rows, f64.Source{Data: diag.Data, Start: c * diag.Stride, RowStride: diag.Stride, ColStride: 1}, n, c, true)
		clear(own)
		for i := range rows {
			own[i*rows+i] = 1
			if i < n {
				copy(own[i*rows:], diag.Row(c + i)[c:c+i+1])
			}
		}
	}
}

// substitute overwrites the rows b, at most as many as a tile has columns, by the
// solution of YLᵀ = B.
func (p *choleskyPanel) substitute(x []float64, b *matrix.Dense) {
	rows, cols := p.shape.Rows, p.shape.Cols
	f64.Pack(x, cols, f64.Source{Data: b.Data, RowStride: b.Stride, ColStride: 1}, b.Rows, b.Cols, false)
	for strip, own := range p.own {
		c := strip * rows
		if c >= b.Cols {
			break
		}
		tile := x[c*cols:][:rows*cols]
		f64.Tile(f64.Product, tile, cols, rows, cols, p.before[strip], x, c, true, 0)
		f64.SolveTile(tile, own)
	}
	f64.Transpose(b.Data, b.Stride, x, cols, b.Cols, b.Rows)
}

// choleskyBlock factors the square a in place by the textbook loops, four rows side
// by side.
func choleskyBlock(a *matrix.Dense) *NotPositiveDefiniteError {
	n := a.Rows
	for j := range n {
		aj := a.Row(j)
		s := negChain(aj[j], aj[:j], aj[:j])
		if !(s > 0) {
			return &NotPositiveDefiniteError{Pivot: j, Value: s}
		}
		d := math.Sqrt(s)
		aj[j] = d
		i := j + 1
		for ; i+4 <= n; i += 4 {
			r0, r1, r2, r3 := a.Row(i)[:j+1], a.Row(i + 1)[:j+1], a.Row(i + 2)[:j+1], a.Row(i + 3)[:j+1]
			s0, s1, s2, s3 := r0[j], r1[j], r2[j], r3[j]
			for k, v := range aj[:j] {
				s0 = math.FMA(-r0[k], v, s0)
				s1 = math.FMA(-r1[k], v, s1)
				s2 = math.FMA(-r2[k], v, s2)
				s3 = math.FMA(-r3[k], v, s3)
			}
			r0[j], r1[j], r2[j], r3[j] = s0/d, s1/d, s2/d, s3/d
		}
		for ; i < n; i++ {
			ai := a.Row(i)
			ai[j] = negChain(ai[j], ai[:j], aj[:j]) / d
		}
	}
	return nil
}

// negChain continues c by the negated products of a and b in ascending order.
func negChain(c float64, a, b []float64) float64 {
	b = b[:len(a)]
	for t, x := range a {
		c = math.FMA(-x, b[t], c)
	}
	return c
}
