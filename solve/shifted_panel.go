package solve

import (
	"math"

	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// strip is the number of columns of a panel that are eliminated one by one;
// everything before them comes as a product.
const strip = 8

// sideBySide is the number of rows whose chains run side by side in a strip.
const sideBySide = 4

// shiftedPanel is the work on columns lo … hi-1. The panel's L and U become
// operands of real products whose steps are their real and imaginary parts in
// turn:
//
//	Re(i,j), lower triangle:  [ Lr  Li](i) · [−Ur +Ui](j)ᵀ
//	Im(j,i), upper triangle:  [−Ui −Ur](j) · [ Lr  Li](i)ᵀ
type shiftedPanel struct {
	lo, hi int

	// The diagonal block, by rows: L and U, D on the diagonal of U; its U as
	// operands; and |D|².
	l, u        []pair
	diag        operands
	t           []float64
	below       operands  // the rows below
	maxL        []float64 // for every chunk of them, max over i of |L(i,k)|²
	maxDiagonal []float64 // the same over the diagonal block, where L(k,k) = 1
}

// operands are rows of L and U of a panel.
type operands struct {
	l  *matrix.Dense // Lr, Li
	re *matrix.Dense // −Ur, +Ui
	im *matrix.Dense // −Ui, −Ur
}

func newOperands(rows, cols int) operands {
	return operands{matrix.New(rows, 2*cols), matrix.New(rows, 2*cols), matrix.New(rows, 2*cols)}
}

// set stores element (i, k).
func (o operands) set(i, k int, l, u pair) {
	at := i*o.l.Stride + 2*k
	*(*[2]float64)(o.l.Data[at:]) = [2]float64{l.re, l.im}
	*(*[2]float64)(o.re.Data[at:]) = [2]float64{-u.re, u.im}
	*(*[2]float64)(o.im.Data[at:]) = [2]float64{-u.im, -u.re}
}

func newShiftedPanel(n, nb int) *shiftedPanel {
	rows := max(n-nb, 0)
	return &shiftedPanel{
		l: make([]pair, nb*nb), u: make([]pair, nb*nb), diag: newOperands(nb, nb),
		t: make([]float64, nb), maxDiagonal: make([]float64, nb),
		below: newOperands(rows, nb), maxL: make([]float64, (rows+chunk-1)/chunk*nb),
	}
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
		for c := 0; c < nb; c += strip {
			w := min(strip, nb-c)
			re, im := s.a.View(hi, lo+c, rows, w), s.a.View(lo+c, hi, w, rows)
			known := p.below.l.View(0, 0, rows, 2*c)
			product(team, block.Add, block.Whole, re, known, p.diag.re.View(c, 0, w, 2*c))
			product(team, block.Add, block.Whole, im, p.diag.im.View(c, 0, w, 2*c), known)
			eachChunk(team, rows, func(i0, i1 int) {
				for i := i0; i < i1; i += sideBySide {
					p.substitute(re, im, s.e[hi:], c, i, min(i+sideBySide, i1))
				}
			})
		}
		trailing := s.a.View(hi, hi, rows, rows)
		l, re, im := p.below.l.View(0, 0, rows, 2*nb), p.below.re.View(0, 0, rows, 2*nb), p.below.im.View(0, 0, rows, 2*nb)
		product(team, block.Add, block.Lower, trailing, l, re)
		product(team, block.Add, block.StrictUpper, trailing, im, l)
	}
	return p.growth()
}

// diagonal factors the diagonal block by the textbook loops.
func (p *shiftedPanel) diagonal(s *Shifted) {
	lo, nb := p.lo, p.hi-p.lo
	for j := range nb {
		for i := j; i < nb; i++ {
			c := pair{s.a.Row(lo + i)[lo+j], s.a.Row(lo + j)[lo+i]}
			if i == j {
				c.im = s.e[lo+j]
			}
			for k := range j {
				c = cmac(c, p.l[i*nb+k], p.u[j*nb+k])
			}
			p.u[i*nb+j] = c
			d := p.u[j*nb+j]
			if i == j {
				p.t[j], p.maxDiagonal[j] = squaredModulus(d), 1
				s.a.Row(lo + j)[lo+j], s.e[lo+j] = d.re, d.im
				continue
			}
			l := cdiv(c, d, p.t[j])
			p.l[i*nb+j] = l
			p.maxDiagonal[j] = max(p.maxDiagonal[j], squaredModulus(l))
			p.diag.set(i, j, l, c)
			s.a.Row(lo + i)[lo+j], s.a.Row(lo + j)[lo+i] = l.re, l.im
		}
	}
}

// substitute eliminates the columns of a strip that begins with column c in rows
// i0 … i1-1 below the panel, at most sideBySide: once L(i,k) is known it enters the
// chains of the columns after k, and that of the imaginary part e[i] on the
// diagonal. L replaces U in re and im.
func (p *shiftedPanel) substitute(re, im *matrix.Dense, e []float64, c, i0, i1 int) {
	nb, w := p.hi-p.lo, re.Cols
	var rows [sideBySide][strip]pair
	for r := range i1 - i0 {
		for k := range w {
			rows[r][k] = pair{re.Data[(i0+r)*re.Stride+k], im.Data[k*im.Stride+i0+r]}
		}
	}
	maxL := p.maxL[i0/chunk*nb+c:][:w]
	for k := range w {
		d, t := p.u[(c+k)*nb+c+k], p.t[c+k]
		var column [strip]pair // U(j,k) of the columns j after k
		for j := k + 1; j < w; j++ {
			column[j] = p.u[(c+j)*nb+c+k]
		}
		for r := range i1 - i0 {
			row := &rows[r]
			u := row[k]
			l := cdiv(u, d, t)
			for j := k + 1; j < w; j++ {
				row[j] = cmac(row[j], l, column[j])
			}
			i := i0 + r
			e[i] = math.FMA(-l.im, u.re, math.FMA(-l.re, u.im, e[i]))
			maxL[k] = max(maxL[k], squaredModulus(l))
			p.below.set(i, c+k, l, u)
			re.Data[i*re.Stride+k], im.Data[k*im.Stride+i] = l.re, l.im
		}
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
