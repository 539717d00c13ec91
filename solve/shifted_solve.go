package solve

import (
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
// Cost: 8n²r flops.
func (s *Shifted) Solve(re, im *matrix.Dense) {
	n, r := s.Order(), re.Cols
	mustBe("Shifted.Solve", "real part", re, n, r)
	mustBe("Shifted.Solve", "imaginary part", im, n, r)
	team := newTeam(4, n, n, r)
	defer team.Close()
	w := &shiftedSolve{
		Shifted: s, team: team,
		x: matrix.New(n, 2*r), l: matrix.New(n, 2*solveColumns), u: matrix.New(2*solveColumns, 2*r),
	}
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
	*Shifted
	team *block.Team
	x    *matrix.Dense // Re | Im
	l    *matrix.Dense
	u    *matrix.Dense
}

// forward finds the unknowns lo … hi-1 and continues the chains of those after
// them.
func (w *shiftedSolve) forward(lo, hi int) {
	for i := lo; i < hi; i++ {
		for k := lo; k < i; k++ {
			w.subRow(i, k, pair{w.a.Row(i)[k], w.a.Row(k)[i]})
		}
		w.setUnknown(i-lo, i)
	}
	// Real parts of L lie in rows hi … n-1, imaginary parts in rows lo … hi-1.
	rows, nb := w.Order()-hi, hi-lo
	eachChunk(w.team, rows, func(i0, i1 int) {
		for i := i0; i < i1; i++ {
			l := w.l.Row(i)
			for t, v := range w.a.Row(hi + i)[lo:hi] {
				l[2*t] = v
			}
		}
		setColumns(w.l.View(i0, 0, i1-i0, w.l.Cols), 1, 2, w.a.View(lo, hi+i0, nb, i1-i0))
	})
	w.update(hi, rows, nb)
}

// backward finds the unknowns hi-1 … lo and continues the chains of those before
// them.
func (w *shiftedSolve) backward(lo, hi int) {
	for i := hi - 1; i >= lo; i-- {
		for k := hi - 1; k > i; k-- {
			w.subRow(i, k, pair{w.a.Row(k)[i], w.a.Row(i)[k]})
		}
		w.setUnknown(hi-1-i, i)
	}
	// Imaginary parts of L lie in rows 0 … lo-1, real parts in rows lo … hi-1.
	eachChunk(w.team, lo, func(i0, i1 int) {
		for i := i0; i < i1; i++ {
			l := w.l.Row(i)
			for t, v := range w.a.Row(i)[lo:hi] {
				l[2*(hi-1-lo-t)+1] = v
			}
		}
		setColumns(w.l.View(i0, 0, i1-i0, w.l.Cols), 2*(hi-1-lo), -2, w.a.View(lo, i0, hi-lo, i1-i0))
	})
	w.update(0, lo, hi-lo)
}

// setColumns copies row t of src to column first + t·step of dst, eight rows of dst
// at a time so that they stay in the first cache.
func setColumns(dst *matrix.Dense, first, step int, src *matrix.Dense) {
	for i0 := 0; i0 < dst.Rows; i0 += 8 {
		i1 := min(i0+8, dst.Rows)
		for t := range src.Rows {
			at := i0*dst.Stride + first + t*step
			for _, v := range src.Row(t)[i0:i1] {
				dst.Data[at] = v
				at += dst.Stride
			}
		}
	}
}

// divide divides unknown i by D(i).
func (w *shiftedSolve) divide(i int) {
	d := pair{w.a.Row(i)[i], w.e[i]}
	t := squaredModulus(d)
	x := w.x.Row(i)
	re, im := x[:len(x)/2], x[len(x)/2:]
	for r := range re {
		q := cdiv(pair{re[r], im[r]}, d, t)
		re[r], im[r] = q.re, q.im
	}
}

// subRow subtracts l times unknown k from unknown i.
func (w *shiftedSolve) subRow(i, k int, l pair) {
	x, y := w.x.Row(i), w.x.Row(k)
	h := len(x) / 2
	for r := range h {
		c := cmac(pair{x[r], x[h+r]}, l, pair{y[r], y[h+r]})
		x[r], x[h+r] = c.re, c.im
	}
}

// setUnknown makes unknown i the t-th of the known ones.
func (w *shiftedSolve) setUnknown(t, i int) {
	x, even, odd := w.x.Row(i), w.u.Row(2*t), w.u.Row(2*t+1)
	h := len(x) / 2
	for r := range h {
		even[r], even[h+r] = -x[r], -x[h+r]
		odd[r], odd[h+r] = x[h+r], -x[r]
	}
}

// update continues the chains of the given number of unknowns from i on by nb
// known ones.
func (w *shiftedSolve) update(i, rows, nb int) {
	c, a, b := w.x.View(i, 0, rows, w.x.Cols), w.l.View(0, 0, rows, 2*nb), w.u.View(0, 0, 2*nb, w.x.Cols)
	block.Run(w.team, block.Job{Op: f64.Product, Mode: block.Add, C: block.Mat(*c), A: block.Mat(*a), B: block.Mat(*b)})
}
