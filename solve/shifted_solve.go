package solve

import (
	"sync"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/internal/pages"
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
	misuse.NotNil("solve: Shifted.Solve", "re", re, "im", im, "the factors of a zero Shifted", s.a)
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
	w.substitute()
	team.Rows(n, w.divide)
	w.backward = true
	w.substitute()
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
	works sync.Pool     // of *[]float64, for TilePairs

	backward bool // whether the chains go from the last unknown to the first

	known, next *knownBlock
	l           []float64 // the factors within a block, columns of [Lr Li] in turn

	release func() // the scratch memory
}

// knownBlock is the unknowns of a block in the order of the chains: rows 2t and 2t+1 of
// u are those of unknown t, and b is u in panels.
type knownBlock struct {
	lo, hi int
	u      *matrix.Dense
	b      []float64
}

func newShiftedSolve(s *Shifted, team *block.Team, r int) *shiftedSolve {
	w := &shiftedSolve{s: s, team: team, shape: f64.TileShape(), r: r}
	whole := 2 * r / w.shape.Cols * w.shape.Cols
	cols := whole + w.shape.PanelWidth(2*r-whole)
	memory := pages.Take(s.Order() * cols)
	w.x, _ = cut(*memory, s.Order(), cols)
	w.release = func() { pages.Leave(memory) }
	w.x.Zero()
	newBlock := func() *knownBlock {
		return &knownBlock{u: matrix.New(2*solveColumns, cols), b: make([]float64, 2*solveColumns*cols)}
	}
	w.known, w.next = newBlock(), newBlock()
	w.l = make([]float64, 2*solveColumns*solveColumns)
	w.works.New = func() any {
		a := make([]float64, 2*solveColumns*w.shape.Rows)
		return &a
	}
	return w
}

// substitute finds all unknowns, block after block. While one worker finds those of
// the next block, the others continue the chains of the unknowns beyond by those that
// are known.
func (w *shiftedSolve) substitute() {
	n := w.s.Order()
	blocks := (n + solveColumns - 1) / solveColumns
	if blocks == 0 || w.x.Cols == 0 {
		return
	}
	// The unknowns of block i, in the order of the chains.
	bounds := func(i int) (lo, hi int) {
		if w.backward {
			i = blocks - 1 - i
		}
		return i * solveColumns, min((i+1)*solveColumns, n)
	}
	lo, hi := bounds(0)
	w.find(w.known, lo, hi)
	for i := 1; i < blocks; i++ {
		w.team.Do(blocks-i, func(task int) {
			lo, hi := bounds(i + task)
			w.update(lo, hi)
			if task == 0 {
				w.find(w.next, lo, hi)
			}
		})
		w.known, w.next = w.next, w.known
	}
}

// factors returns the real and imaginary parts of L that unknown i and those after it
// have for the unknowns lo … hi-1 in the order of the chains. Real parts of L are in
// the lower triangle of the matrix; imaginary parts, transposed, in the upper one.
func (w *shiftedSolve) factors(i, lo, hi int) (re, im f64.Source) {
	a, stride := w.s.a.Data, w.s.a.Stride
	if w.backward {
		// L(k,i), k ↓
		return f64.Source{Data: a, Start: (hi-1)*stride + i, RowStride: 1, ColStride: -stride},
			f64.Source{Data: a, Start: i*stride + hi - 1, RowStride: stride, ColStride: -1}
	}
	return f64.Source{Data: a, Start: i*stride + lo, RowStride: stride, ColStride: 1},
		f64.Source{Data: a, Start: lo*stride + i, RowStride: 1, ColStride: stride}
}

// find ends the chains of the unknowns lo … hi-1 by the products with one another.
func (w *shiftedSolve) find(known *knownBlock, lo, hi int) {
	nb, u := hi-lo, known.u
	known.lo, known.hi = lo, hi
	re, im := w.factors(lo, lo, hi)
	f64.PackPairs(w.l, nb, re, im, nb, nb)
	for t := range nb {
		i := t
		if w.backward {
			i = nb - 1 - t
		}
		x := w.x.Row(lo + i)
		f64.Line(f64.Product, x, w.l[i:], nb, u.Data, u.Stride, 2*t, true)
		even, odd := u.Row(2*t), u.Row(2*t+1)
		for c := range w.r {
			re, im := x[c], x[w.r+c]
			even[c], even[w.r+c] = -re, -im
			odd[c], odd[w.r+c] = im, -re
		}
	}
	f64.PackPanels(known.b, w.shape, f64.Source{Data: u.Data, RowStride: 1, ColStride: u.Stride}, u.Cols, 2*nb)
}

// divide divides the unknowns lo … hi-1 by D.
func (w *shiftedSolve) divide(lo, hi int) {
	for i := lo; i < hi; i++ {
		d, t := divisor(pair{w.s.a.Row(i)[i], w.s.e[i]})
		re, im := w.x.Row(i)[:w.r], w.x.Row(i)[w.r:2*w.r]
		for r := range re {
			q := cdiv(pair{re[r], im[r]}, d, t)
			re[r], im[r] = q.re, q.im
		}
	}
}

// update continues the chains of unknowns lo … hi-1 by the known ones.
func (w *shiftedSolve) update(lo, hi int) {
	known, k := w.known, w.known.hi-w.known.lo
	work := w.works.Get().(*[]float64)
	defer w.works.Put(work)
	for i := lo; i < hi; i += w.shape.Rows {
		rows := min(w.shape.Rows, hi-i)
		re, im := w.factors(i, known.lo, known.hi)
		f64.TilePairs(w.x.Data[i*w.x.Stride:], w.x.Stride, rows, w.x.Cols, re, im, known.b, k, *work)
	}
}
