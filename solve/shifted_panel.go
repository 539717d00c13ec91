package solve

import (
	"math"
	"sync"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// shiftedPanel is the work on columns lo … hi-1. In L and in U a complex column k
// is two real ones, so that chains of complex multiply-subtracts become chains of
// real multiply-adds, whose steps are the real and imaginary parts in turn:
//
//	Re(i,j), lower triangle:  [ Lr  Li](i) · [−Ur +Ui](j)ᵀ
//	Im(j,i), upper triangle:  [−Ui −Ur](j) · [ Lr  Li](i)ᵀ
type shiftedPanel struct {
	lo, hi int
	shape  f64.Shape

	// The diagonal block, transposed like the rows below: U and L, D and |D|².
	u, l []float64
	d    []pair
	t    []float64
	// The factors of its U in the chains of the rows after it: row 2j holds −Ur(j,k)
	// and +Ui(j,k), row 2j+1 −Ui(j,k) and −Ur(j,k), for k < j; and the same for
	// every strip and the columns before it, packed as a tile wants it.
	factors *matrix.Dense
	strips  [][]float64

	below       shiftedOperands
	maxL        []float64 // for every task of them, max over i of |L(i,k)|²
	maxDiagonal []float64 // the same over the diagonal block, where L(k,k) = 1

	works sync.Pool // of *shiftedWork
}

// shiftedOperands are the rows below a panel of L and U, packed for block.Update.
type shiftedOperands struct {
	lRows []float64 // Lr, Li, as rows of the first factor
	lCols []float64 // the same as columns of the second one
	re    []float64 // −Ur, +Ui, as columns of the second one
	im    []float64 // −Ui, −Ur, as rows of the first one
}

// shiftedWork holds as many rows of a panel as a tile has columns, transposed: rows
// 2k and 2k+1 are the real and imaginary parts of column k.
type shiftedWork struct {
	u, l []float64
	q    []float64 // |L|², a row for each column
}

// stripColumns is the number of complex columns that a tile has rows for.
func (p *shiftedPanel) stripColumns() int { return p.shape.Rows / 2 }

func newShiftedPanel(n, nb int) *shiftedPanel {
	p := &shiftedPanel{
		shape: f64.TileShape(),
		u:     make([]float64, 2*nb*nb), l: make([]float64, 2*nb*nb), d: make([]pair, nb), t: make([]float64, nb),
		factors:     matrix.New(2*nb, 2*nb),
		maxDiagonal: make([]float64, nb),
	}
	for c := 0; c < nb; c += p.stripColumns() {
		p.strips = append(p.strips, make([]float64, 2*c*p.shape.Rows))
	}
	rows := max(n-nb, 0)
	size := (rows + p.shape.Rows + p.shape.Cols) * 2 * nb // whole panels
	p.below = shiftedOperands{make([]float64, size), make([]float64, size), make([]float64, size), make([]float64, size)}
	p.maxL = make([]float64, (rows+rowsInTask(p.shape)-1)/rowsInTask(p.shape)*nb)
	p.works.New = func() any {
		cols := p.shape.Cols
		return &shiftedWork{make([]float64, 2*nb*cols), make([]float64, 2*nb*cols), make([]float64, nb*cols)}
	}
	return p
}

// eliminate runs the chains of columns lo … hi-1 of s to their end, leaves L and D
// there, and updates the matrix to the right. It returns the max over these k and
// over i, j ≥ k of |L(i,k) D(k) L(j,k)|.
func (p *shiftedPanel) eliminate(team *block.Team, s *Shifted, lo, hi int) float64 {
	p.lo, p.hi = lo, hi
	n, nb := s.Order(), hi-lo
	p.diagonal(s)
	clear(p.maxL)
	if rows := n - hi; rows > 0 {
		step := rowsInTask(p.shape)
		team.Do((rows+step-1)/step, func(task int) {
			w := p.works.Get().(*shiftedWork)
			defer p.works.Put(w)
			maxL := p.maxL[task*nb:][:nb]
			for i := task * step; i < min((task+1)*step, rows); i += p.shape.Cols {
				p.substitute(s, w, i, min(p.shape.Cols, rows-i), maxL)
			}
		})
		trailing := block.Mat(*s.a.View(hi, hi, rows, rows))
		block.Update(team, block.Lower, trailing, p.below.lRows, p.below.re, 2*nb)
		block.Update(team, block.StrictUpper, trailing, p.below.im, p.below.lCols, 2*nb)
	}
	return p.growth()
}

// diagonal factors the diagonal block column by column, the rows of a column side by
// side, and prepares its factors for the rows below.
func (p *shiftedPanel) diagonal(s *Shifted) {
	lo, nb := p.lo, p.hi-p.lo
	stride := s.a.Stride
	block := s.a.Data[lo*stride+lo:]
	f64.PackPairs(p.u, nb, f64.Source{Data: block, RowStride: stride, ColStride: 1}, f64.Source{Data: block, RowStride: 1, ColStride: stride}, nb, nb)
	q := make([]float64, nb)
	for j := range nb {
		row := func(x []float64, k int) []float64 { return x[k*nb+j : (k+1)*nb] } // from the diagonal on
		ure, uim, lre, lim := row(p.u, 2*j), row(p.u, 2*j+1), row(p.l, 2*j), row(p.l, 2*j+1)
		f64.Line(f64.Product, ure, p.factors.Row(2*j), 1, p.l[j:], nb, 2*j, true)
		f64.Line(f64.Product, uim, p.factors.Row(2*j+1), 1, p.l[j:], nb, 2*j, true)
		d := pair{ure[0], s.e[lo+j]}
		p.d[j], p.t[j] = d, squaredModulus(d)
		f64.DivideComplex(lre[1:], lim[1:], q[j+1:], s.e[lo+j+1:p.hi], ure[1:], uim[1:], d.re, d.im, p.t[j])
		p.maxDiagonal[j] = max(1, f64.MaxAbs(q[j+1:]))
		for i := j + 1; i < nb; i++ {
			re, im := ure[i-j], uim[i-j]
			p.factors.Row(2 * i)[2*j], p.factors.Row(2 * i)[2*j+1] = -re, im
			p.factors.Row(2*i + 1)[2*j], p.factors.Row(2*i + 1)[2*j+1] = -im, -re
			s.a.Row(lo + i)[lo+j], s.a.Row(lo + j)[lo+i] = lre[i-j], lim[i-j]
		}
		s.a.Row(lo + j)[lo+j] = d.re
	}
	for strip, packed := range p.strips {
		c := strip * p.stripColumns()
		if c >= nb {
			break
		}
		f64.Pack(packed, p.shape.Rows, f64.Source{Data: p.factors.Data, Start: 2 * c * p.factors.Stride, RowStride: p.factors.Stride, ColStride: 1},
			min(p.shape.Rows, 2*(nb-c)), 2*c, false)
	}
}

// substitute eliminates the panel's columns in rows i … i+rows-1 below it, at most as
// many as a tile has columns. Strip after strip, the products with the columns before
// the strip enter its chains, then those of the columns within it. Once L(i,k) is
// known it enters the chain of the imaginary part e[i] on the diagonal, too.
func (p *shiftedPanel) substitute(s *Shifted, w *shiftedWork, i, rows int, maxL []float64) {
	nb, cols := p.hi-p.lo, p.shape.Cols
	stride := s.a.Stride
	re := s.a.Data[(p.hi+i)*stride+p.lo:] // real parts: a row for each row
	im := s.a.Data[p.lo*stride+p.hi+i:]   // imaginary parts: a row for each column
	f64.PackPairs(w.u, cols, f64.Source{Data: re, RowStride: stride, ColStride: 1}, f64.Source{Data: im, RowStride: 1, ColStride: stride}, rows, nb)

	e := s.e[p.hi+i:][:rows]
	for strip, factors := range p.strips {
		c := strip * p.stripColumns()
		if c >= nb {
			break
		}
		end := min(c+p.stripColumns(), nb)
		f64.Tile(f64.Product, w.u[2*c*cols:], cols, 2*(end-c), cols, factors, w.l, 2*c, true, 0)
		for j := c; j < end; j++ {
			ure, uim := w.u[2*j*cols:][:rows], w.u[(2*j+1)*cols:][:rows]
			if j > c {
				f64.Line(f64.Product, ure, p.factors.Row(2 * j)[2*c:], 1, w.l[2*c*cols:], cols, 2*(j-c), true)
				f64.Line(f64.Product, uim, p.factors.Row(2*j + 1)[2*c:], 1, w.l[2*c*cols:], cols, 2*(j-c), true)
			}
			q := w.q[j*cols:][:rows]
			d := p.d[j]
			f64.DivideComplex(w.l[2*j*cols:][:rows], w.l[(2*j+1)*cols:][:rows], q, e, ure, uim, d.re, d.im, p.t[j])
			maxL[j] = max(maxL[j], f64.MaxAbs(q))
		}
	}

	f64.Transpose(re, stride, w.l, 2*cols, nb, rows)
	f64.CopyRows(im, stride, w.l[cols:], 2*cols, nb, rows, false)
	p.below.store(p.shape, w, i, rows, nb)
}

// store packs rows i … i+rows-1 of L and U, which w holds.
func (o *shiftedOperands) store(shape f64.Shape, w *shiftedWork, i, rows, nb int) {
	cols, width, at := shape.Cols, shape.PanelWidth(rows), i*2*nb
	f64.CopyRows(o.lCols[at:], width, w.l, cols, 2*nb, width, false)
	f64.CopyRows(o.re[at:], 2*width, w.u, 2*cols, nb, width, true)
	f64.CopyRows(o.re[at+width:], 2*width, w.u[cols:], 2*cols, nb, width, false)
	for from := 0; from < rows; {
		in := (i + from) % shape.Rows // the place of the row in its panel
		n := min(shape.Rows-in, rows-from)
		at := (i+from-in)*2*nb + in
		f64.CopyRows(o.lRows[at:], shape.Rows, w.l[from:], cols, 2*nb, n, false)
		f64.CopyRows(o.im[at:], 2*shape.Rows, w.u[cols+from:], 2*cols, nb, n, true)
		f64.CopyRows(o.im[at+shape.Rows:], 2*shape.Rows, w.u[from:], 2*cols, nb, n, true)
		from += n
	}
}

// growth returns the max over the panel's k of |D(k)|·max_i |L(i,k)|².
func (p *shiftedPanel) growth() float64 {
	nb := p.hi - p.lo
	var g float64
	for k := range nb {
		m := p.maxDiagonal[k]
		for c := k; c < len(p.maxL); c += nb {
			m = max(m, p.maxL[c])
		}
		g = max(g, float64(math.Sqrt(p.t[k])*m))
	}
	return g
}
