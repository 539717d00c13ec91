package solve

import "math"

// strip is the number of columns of a panel that are eliminated one by one;
// everything before them comes as a product of packed panels. panelRows rows are
// taken together; it is a multiple of every tile's height and width.
const (
	strip     = 8
	panelRows = 48
)

// shiftedPanel is the work on columns lo … lo+nb-1. U stays in the matrix while
// L goes to the packed operands of the real products, whose steps are the real
// and imaginary parts of L and U in turn:
//
//	Re(i,j), lower triangle:  [ Lr  Li](i) · [−Ur +Ui](j)ᵀ
//	Im(j,i), upper triangle:  [−Ui −Ur](j) · [ Lr  Li](i)ᵀ
type shiftedPanel struct {
	lo, nb, hi, below int // hi = lo+nb; below: rows from hi on

	// The diagonal block: U and L by rows of nb pairs, D on the diagonal of u.
	u, l []pair
	t    []float64 // |D|²

	// Rows lo … hi-1 of U, strip by strip: as right operand for real parts, as
	// left operand for imaginary parts.
	re, im []*operand

	left, right *operand // [Lr Li] below the panel
	uRight      *operand // [−Ur +Ui] below the panel
	uLeft       *operand // [−Ui −Ur] below the panel

	maxL []float64 // max over i ≥ k of |L(i,k)|²
}

func newShiftedPanel(n, nb int) *shiftedPanel {
	p := &shiftedPanel{
		u: make([]pair, nb*nb), l: make([]pair, nb*nb),
		t: make([]float64, nb), maxL: make([]float64, nb),
	}
	for c := 0; c < nb; c += strip {
		w := min(strip, nb-c)
		p.re = append(p.re, newRight(w, 2*c))
		p.im = append(p.im, newLeft(w, 2*c))
	}
	below := max(n-nb, 0)
	p.left, p.right = newLeft(below, 2*nb), newRight(below, 2*nb)
	p.uLeft, p.uRight = newLeft(below, 2*nb), newRight(below, 2*nb)
	return p
}

// eliminate runs the chains of panel lo … hi-1 of s to their end, updates what
// lies below and to the right, and leaves L and D in s. It returns the max over
// the panel's k and over i, j ≥ k of |L(i,k) D(k) L(j,k)|.
func (p *shiftedPanel) eliminate(s *Shifted, lo, hi int) float64 {
	n := s.Order()
	p.lo, p.hi, p.nb, p.below = lo, hi, hi-lo, n-hi
	p.diagonal(s)
	if p.below > 0 {
		p.packDiagonal()
		for _, op := range []*operand{p.left, p.right, p.uLeft, p.uRight} {
			op.reset(p.below, 2*p.nb)
		}
		for i0 := 0; i0 < p.below; i0 += panelRows {
			p.rowsBelow(s, i0, min(i0+panelRows, p.below))
		}
		trailing := s.a.View(hi, hi, p.below, p.below)
		addLower(trailing, p.left, p.uRight, 2*p.nb)
		addUpper(trailing, s.e[hi:], p.uLeft, p.right, 2*p.nb)
		p.store(s)
	}
	var g float64
	for k := range p.nb {
		g = max(g, float64(math.Sqrt(p.t[k])*p.maxL[k]))
	}
	return g
}

// diagonal factors the diagonal block by the textbook loops.
func (p *shiftedPanel) diagonal(s *Shifted) {
	nb := p.nb
	for j := range nb {
		p.maxL[j] = 1
		var d pair
		for i := j; i < nb; i++ {
			c := pair{s.a.Row(p.lo + i)[p.lo+j], s.a.Row(p.lo + j)[p.lo+i]}
			if i == j {
				c.im = s.e[p.lo+j]
			}
			for k := range j {
				c = cmac(c, p.l[i*nb+k], p.u[j*nb+k])
			}
			p.u[i*nb+j] = c
			if i == j {
				d = c
				p.t[j] = squaredModulus(d)
				s.a.Row(p.lo + j)[p.lo+j], s.e[p.lo+j] = d.re, d.im
				continue
			}
			l := cdiv(c, d, p.t[j])
			p.l[i*nb+j] = l
			p.maxL[j] = max(p.maxL[j], squaredModulus(l))
			s.a.Row(p.lo + i)[p.lo+j], s.a.Row(p.lo + j)[p.lo+i] = l.re, l.im
		}
	}
}

// packDiagonal packs U of the diagonal block as the operands of the rows below.
func (p *shiftedPanel) packDiagonal() {
	for c := strip; c < p.nb; c += strip { // nothing comes before the first strip
		w := min(strip, p.nb-c)
		re, im := p.re[c/strip], p.im[c/strip]
		re.reset(w, 2*c)
		im.reset(w, 2*c)
		for j := range w {
			packU(re, im, j, 0, p.u[(c+j)*p.nb:][:c])
		}
	}
}

// packU packs columns c, c+1, … of row j of U into both its operands.
func packU(re, im *operand, j, c int, u []pair) {
	r, rs := re.row(j)
	m, ms := im.row(j)
	for k, v := range u {
		at := 2 * (c + k)
		r[at*rs], r[(at+1)*rs] = -v.re, v.im
		m[at*ms], m[(at+1)*ms] = -v.im, -v.re
	}
}

// rowsBelow eliminates rows hi+i0 … hi+i1-1 of the panel, strip by strip.
func (p *shiftedPanel) rowsBelow(s *Shifted, i0, i1 int) {
	var row [strip]pair
	for c0 := 0; c0 < p.nb; c0 += strip {
		w := min(strip, p.nb-c0)
		re, im := s.a.Data[(p.hi+i0)*s.a.Stride+p.lo+c0:], s.a.Data[(p.lo+c0)*s.a.Stride+p.hi+i0:]
		addProduct(re, s.a.Stride, p.left, i0, i1, p.re[c0/strip], 0, w, 2*c0)
		addProduct(im, s.a.Stride, p.im[c0/strip], 0, w, p.right, i0, i1, 2*c0)
		for i := i0; i < i1; i++ {
			for k := range w {
				row[k] = pair{re[(i-i0)*s.a.Stride+k], im[k*s.a.Stride+i-i0]}
			}
			p.substitute(row[:w], c0, i)
			for k := range w {
				re[(i-i0)*s.a.Stride+k], im[k*s.a.Stride+i-i0] = row[k].re, row[k].im
			}
			packU(p.uRight, p.uLeft, i, c0, row[:w])
		}
	}
}

// substitute eliminates the columns of one strip in a row below the panel: once
// L(i,k) is known it enters the chains of the columns after k. row becomes U.
func (p *shiftedPanel) substitute(row []pair, c0, i int) {
	left, ls := p.left.row(i)
	right, rs := p.right.row(i)
	for k := range row {
		d := p.u[(c0+k)*p.nb+c0+k]
		l := cdiv(row[k], d, p.t[c0+k])
		at := 2 * (c0 + k)
		left[at*ls], left[(at+1)*ls] = l.re, l.im
		right[at*rs], right[(at+1)*rs] = l.re, l.im
		p.maxL[c0+k] = max(p.maxL[c0+k], squaredModulus(l))
		for j := k + 1; j < len(row); j++ {
			row[j] = cmac(row[j], l, p.u[(c0+j)*p.nb+c0+k])
		}
	}
}

// store overwrites U below the panel by L.
func (p *shiftedPanel) store(s *Shifted) {
	for i := range p.below {
		l, step := p.left.row(i)
		row := s.a.Row(p.hi + i)[p.lo:p.hi]
		for k := range row {
			row[k] = l[2*k*step]
		}
	}
	for k := range p.nb {
		row := s.a.Row(p.lo + k)[p.hi:]
		for i := range row {
			l, step := p.left.row(i)
			row[i] = l[(2*k+1)*step]
		}
	}
}
