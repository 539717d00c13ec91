package solve

import (
	"sync"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// solveColumns is the number of consecutive unknowns whose products are taken
// together. It decides the order of memory accesses, never a result.
const solveColumns = 64

// Solve overwrites the n×r right-hand sides B = re + i·im by the solution X of
// (K − iσI)X = B. Each entry is one chain of complex multiply-subtracts:
//
//	i ↑:  z_i = B_i;  k = 0 … i-1 ↑: z_i −= L(i,k) z_k
//	i ↓:  x_i = z_i / D(i);  k = n-1 … i+1 ↓: x_i −= L(k,i) x_k
//
// Cost: 8n²r flops. For few right-hand sides the time is that of reading L twice.
func (s *Shifted) Solve(re, im *matrix.Dense) {
	n, r := s.Order(), re.Cols
	mustBe("Shifted.Solve", "real part", re, n, r)
	mustBe("Shifted.Solve", "imaginary part", im, n, r)
	mustBeApart("Shifted.Solve", "real and imaginary part", re, im)
	mustBeApart("Shifted.Solve", "real part and factors", re, s.a)
	mustBeApart("Shifted.Solve", "imaginary part and factors", im, s.a)
	team := newTeam(4, n, n, r)
	defer team.Close()
	w := newShiftedSolve(s, team, r)
	defer w.release()
	w.x.View(0, 0, n, r).CopyFrom(re)
	w.x.View(0, r, n, r).CopyFrom(im)
	for lo := 0; lo < n; lo += solveColumns {
		w.forward(lo, min(lo+solveColumns, n))
	}
	for i := range n {
		w.divide(i)
	}
	for hi := n; hi > 0; hi -= solveColumns {
		w.backward(max(hi-solveColumns, 0), hi)
	}
	re.CopyFrom(w.x.View(0, 0, n, r))
	im.CopyFrom(w.x.View(0, r, n, r))
}

// shiftedSolve holds the unknowns and the operands of their products: with the
// known unknowns u in the order of the chains,
//
//	[Re x_i  Im x_i]  +=  [Lr Li](i,·) · [−Ur −Ui]
//	                                     [+Ui −Ur]
type shiftedSolve struct {
	s     *Shifted
	team  *block.Team
	shape f64.Shape
	r     int
	x     *matrix.Dense // Re | Im, and zeros up to whole vectors, in scratch memory
	u     *matrix.Dense // known unknowns of a block
	l     []float64     // the factors of one unknown of a block
	b     []float64     // u in panels
	works sync.Pool     // of *[]float64, for the factors of as many unknowns as a tile has rows

	release func() // the scratch memory
}

func newShiftedSolve(s *Shifted, team *block.Team, r int) *shiftedSolve {
	w := &shiftedSolve{s: s, team: team, shape: f64.TileShape(), r: r}
	whole := 2 * r / w.shape.Cols * w.shape.Cols
	cols := whole + w.shape.PanelWidth(2*r-whole)
	memory, release := s.scratch.take(s.Order() * cols)
	w.x, _ = cut(memory, s.Order(), cols)
	w.release = release
	w.x.Zero()
	w.u = matrix.New(2*solveColumns, cols)
	w.l, w.b = make([]float64, 2*solveColumns), make([]float64, 2*solveColumns*cols)
	w.works.New = func() any {
		a := make([]float64, 2*solveColumns*w.shape.Rows)
		return &a
	}
	return w
}

// forward finds the unknowns lo … hi-1 and continues the chains of those after
// them. Of the L in the rows of the latter, real parts lie there and imaginary parts
// in rows lo … hi-1.
func (w *shiftedSolve) forward(lo, hi int) {
	stride := w.s.a.Stride
	for i := lo; i < hi; i++ {
		l := w.l[:2*(i-lo)]
		for t, re := range w.s.a.Row(i)[lo:i] {
			l[2*t], l[2*t+1] = re, w.s.a.Data[(lo+t)*stride+i]
		}
		w.find(i, l)
	}
	w.update(hi, w.s.Order(), hi-lo, func(i int) (re, im f64.Source) {
		return f64.Source{Data: w.s.a.Data, Start: i*stride + lo, RowStride: stride, ColStride: 1},
			f64.Source{Data: w.s.a.Data, Start: lo*stride + i, RowStride: 1, ColStride: stride}
	})
}

// backward finds the unknowns hi-1 … lo and continues the chains of those before
// them. Of the L in the columns of the latter, imaginary parts lie in their rows and
// real parts in rows lo … hi-1.
func (w *shiftedSolve) backward(lo, hi int) {
	stride := w.s.a.Stride
	for i := hi - 1; i >= lo; i-- {
		l := w.l[:2*(hi-1-i)]
		for t, im := range w.s.a.Row(i)[i+1 : hi] {
			k := hi - 2 - i - t // place of unknown i+1+t in the order of the chains
			l[2*k], l[2*k+1] = w.s.a.Data[(i+1+t)*stride+i], im
		}
		w.find(i, l)
	}
	w.update(0, lo, hi-lo, func(i int) (re, im f64.Source) {
		return f64.Source{Data: w.s.a.Data, Start: (hi-1)*stride + i, RowStride: 1, ColStride: -stride},
			f64.Source{Data: w.s.a.Data, Start: i*stride + hi - 1, RowStride: stride, ColStride: -1}
	})
}

// find subtracts from unknown i those of its block that are known before it, with the
// factors l, and makes it the next of them.
func (w *shiftedSolve) find(i int, l []float64) {
	x := w.x.Row(i)
	f64.Line(f64.Product, x, l, 1, w.u.Data, w.u.Stride, len(l), true)
	even, odd := w.u.Row(len(l)), w.u.Row(len(l)+1)
	for c := range w.r {
		re, im := x[c], x[w.r+c]
		even[c], even[w.r+c] = -re, -im
		odd[c], odd[w.r+c] = im, -re
	}
}

// divide divides unknown i by D(i).
func (w *shiftedSolve) divide(i int) {
	d := pair{w.s.a.Row(i)[i], w.s.e[i]}
	t := squaredModulus(d)
	re, im := w.x.Row(i)[:w.r], w.x.Row(i)[w.r:2*w.r]
	for r := range re {
		q := cdiv(pair{re[r], im[r]}, d, t)
		re[r], im[r] = q.re, q.im
	}
}

// update continues the chains of unknowns lo … hi-1 by the nb known ones. factors
// returns the real and imaginary parts of L for unknown i and those after it.
func (w *shiftedSolve) update(lo, hi, nb int, factors func(i int) (re, im f64.Source)) {
	if lo == hi || w.x.Cols == 0 {
		return
	}
	f64.PackPanels(w.b, w.shape, f64.Source{Data: w.u.Data, RowStride: 1, ColStride: w.u.Stride}, w.u.Cols, 2*nb)
	w.team.Rows(hi-lo, func(i0, i1 int) {
		a := w.works.Get().(*[]float64)
		defer w.works.Put(a)
		for i := lo + i0; i < lo+i1; i += w.shape.Rows {
			rows := min(w.shape.Rows, lo+i1-i)
			re, im := factors(i)
			f64.PackPairs(*a, w.shape.Rows, re, im, rows, nb)
			for j := 0; j < w.x.Cols; j += w.shape.Cols {
				cols := min(w.shape.Cols, w.x.Cols-j)
				f64.Tile(f64.Product, w.x.Data[i*w.x.Stride+j:], w.x.Stride, rows, cols, *a, w.b[j*2*nb:], 2*nb, true, 0)
			}
		}
	})
}
