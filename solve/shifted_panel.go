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

	// The diagonal block, by rows: L and U, D on the diagonal of U, and |D|².
	l, u []pair
	t    []float64
	// The factors of its U in the chains of the rows below: row 2j holds −Ur(j,k)
	// and +Ui(j,k), row 2j+1 −Ui(j,k) and −Ur(j,k), for k < j; and the same for
	// every strip and the columns before it, packed as a tile wants it.
	factors *matrix.Dense
	strips  [][]float64

	below operands  // of the rows below
	maxL  []float64 // for every task of them, max over i of |L(i,k)|²
	// max |L(i,k)|² over the diagonal block, where L(k,k) = 1.
	maxDiagonal []float64

	works sync.Pool // of *shiftedWork
}

// operands are the rows below a panel of L and U, transposed: real and imaginary
// parts by row in turn.
type operands struct {
	l  *matrix.Dense // Lr, Li
	re *matrix.Dense // −Ur, +Ui
	im *matrix.Dense // −Ui, −Ur
}

// shiftedWork holds as many rows of a panel as a tile has columns, transposed: rows
// 2k and 2k+1 are the real and imaginary parts of column k.
type shiftedWork struct {
	u, l []float64
	q    []float64 // |L|², a row for each column
}

// stripColumns is the number of complex columns that a tile has rows for.
func (p *shiftedPanel) stripColumns() int { return p.shape.Rows / 2 }

// rowsInTask is the number of rows in a task: some tiles, about a chunk.
func (p *shiftedPanel) rowsInTask() int { return chunk / p.shape.Cols * p.shape.Cols }

func newShiftedPanel(n, nb int) *shiftedPanel {
	p := &shiftedPanel{
		shape: f64.TileShape(),
		l:     make([]pair, nb*nb), u: make([]pair, nb*nb), t: make([]float64, nb), maxDiagonal: make([]float64, nb),
		factors: matrix.New(2*nb, 2*nb),
	}
	for c := 0; c < nb; c += p.stripColumns() {
		p.strips = append(p.strips, make([]float64, 2*c*p.shape.Rows))
	}
	rows := max(n-nb, 0)
	p.below = operands{matrix.New(2*nb, rows), matrix.New(2*nb, rows), matrix.New(2*nb, rows)}
	p.maxL = make([]float64, (rows+p.rowsInTask()-1)/p.rowsInTask()*nb)
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
		step := p.rowsInTask()
		team.Do((rows+step-1)/step, func(task int) {
			w := p.works.Get().(*shiftedWork)
			defer p.works.Put(w)
			maxL := p.maxL[task*nb:][:nb]
			for i := task * step; i < min((task+1)*step, rows); i += p.shape.Cols {
				p.substitute(s, w, i, min(p.shape.Cols, rows-i), maxL)
			}
		})
		trailing := s.a.View(hi, hi, rows, rows)
		l, re, im := p.below.l.View(0, 0, 2*nb, rows), p.below.re.View(0, 0, 2*nb, rows), p.below.im.View(0, 0, 2*nb, rows)
		for _, job := range []block.Job{
			{Part: block.Lower, A: block.Mat(*l), B: block.Mat(*re)},
			{Part: block.StrictUpper, A: block.Mat(*im), B: block.Mat(*l)},
		} {
			job.Op, job.Mode, job.C, job.TransA = f64.Product, block.Add, block.Mat(*trailing), true
			block.Run(team, job)
		}
	}
	return p.growth()
}

// diagonal factors the diagonal block by the textbook loops, four rows side by side,
// and prepares its factors for the rows below.
func (p *shiftedPanel) diagonal(s *Shifted) {
	lo, nb := p.lo, p.hi-p.lo
	for j := range nb {
		for i := j; i < nb; i += 4 {
			rows := min(4, nb-i)
			var c [4]pair
			for r := range rows {
				c[r] = pair{s.a.Row(lo + i + r)[lo+j], s.a.Row(lo + j)[lo+i+r]}
			}
			if i == j {
				c[0].im = s.e[lo+j]
			}
			p.chains(&c, i, j, rows)
			for r := range rows {
				p.set(s, i+r, j, c[r])
			}
		}
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

// chains runs the chains of rows i … i+rows-1, at most four, and column j of the
// diagonal block.
func (p *shiftedPanel) chains(c *[4]pair, i, j, rows int) {
	nb := p.hi - p.lo
	u := p.u[j*nb:][:j]
	if rows < 4 {
		for r := range rows {
			for k, l := range p.l[(i+r)*nb:][:j] {
				c[r] = cmac(c[r], l, u[k])
			}
		}
		return
	}
	l0, l1, l2, l3 := p.l[i*nb:][:j], p.l[(i+1)*nb:][:j], p.l[(i+2)*nb:][:j], p.l[(i+3)*nb:][:j]
	c0, c1, c2, c3 := c[0], c[1], c[2], c[3]
	for k, v := range u {
		c0 = cmac(c0, l0[k], v)
		c1 = cmac(c1, l1[k], v)
		c2 = cmac(c2, l2[k], v)
		c3 = cmac(c3, l3[k], v)
	}
	*c = [4]pair{c0, c1, c2, c3}
}

// set makes c the element (i, j) of U of the diagonal block, i ≥ j.
func (p *shiftedPanel) set(s *Shifted, i, j int, c pair) {
	lo, nb := p.lo, p.hi-p.lo
	p.u[i*nb+j] = c
	if i == j {
		p.t[j], p.maxDiagonal[j] = squaredModulus(c), 1
		s.a.Row(lo + j)[lo+j], s.e[lo+j] = c.re, c.im
		return
	}
	l := cdiv(c, p.u[j*nb+j], p.t[j])
	p.l[i*nb+j] = l
	p.maxDiagonal[j] = max(p.maxDiagonal[j], squaredModulus(l))
	p.factors.Row(2 * i)[2*j], p.factors.Row(2 * i)[2*j+1] = -c.re, c.im
	p.factors.Row(2*i + 1)[2*j], p.factors.Row(2*i + 1)[2*j+1] = -c.im, -c.re
	s.a.Row(lo + i)[lo+j], s.a.Row(lo + j)[lo+i] = l.re, l.im
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
			d := p.u[j*nb+j]
			f64.DivideComplex(w.l[2*j*cols:][:rows], w.l[(2*j+1)*cols:][:rows], q, e, ure, uim, d.re, d.im, p.t[j])
			maxL[j] = max(maxL[j], f64.MaxAbs(q))
		}
	}

	f64.Transpose(re, stride, w.l, 2*cols, nb, rows)
	f64.CopyRows(im, stride, w.l[cols:], 2*cols, nb, rows, false)
	ld := p.below.l.Stride
	f64.CopyRows(p.below.l.Data[i:], ld, w.l, cols, 2*nb, rows, false)
	f64.CopyRows(p.below.re.Data[i:], 2*ld, w.u, 2*cols, nb, rows, true)
	f64.CopyRows(p.below.re.Data[ld+i:], 2*ld, w.u[cols:], 2*cols, nb, rows, false)
	f64.CopyRows(p.below.im.Data[i:], 2*ld, w.u[cols:], 2*cols, nb, rows, true)
	f64.CopyRows(p.below.im.Data[ld+i:], 2*ld, w.u, 2*cols, nb, rows, true)
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
