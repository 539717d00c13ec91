package solve

import "github.com/seed92411348/kfda/matrix"

// solveBlock is the number of consecutive unknowns whose products are taken
// together. It decides the order of memory accesses, never a result.
const solveBlock = 32

// Solve overwrites the n×r right-hand sides B = re + i·im by the solution X of
// (K − iσI)X = B. Each entry is one chain of complex multiply-subtracts:
//
//	i ↑:  z_i = B_i;  k = 0 … i-1 ↑: z_i −= L(i,k) z_k
//	i ↓:  x_i = z_i / D(i);  k = n-1 … i+1 ↓: x_i −= L(k,i) x_k
//
// Cost: 8n²r flops.
func (s *Shifted) Solve(re, im *matrix.Dense) {
	n := s.Order()
	mustBe("Shifted.Solve", "real part", re, n, re.Cols)
	mustBe("Shifted.Solve", "imaginary part", im, n, re.Cols)
	w := shiftedSolve{
		Shifted: s, re: re, im: im,
		l:  newLeft(panelRows, 2*solveBlock),
		ur: newRight(re.Cols, 2*solveBlock),
		ui: newRight(re.Cols, 2*solveBlock),
	}
	for lo := 0; lo < n; lo += solveBlock {
		hi := min(lo+solveBlock, n)
		for i := lo + 1; i < hi; i++ {
			for k := lo; k < i; k++ {
				w.subRow(i, k, s.lower(i, k))
			}
		}
		w.packUnknowns(lo, hi-lo, 1)
		for i0 := hi; i0 < n; i0 += panelRows {
			w.packLower(i0, min(i0+panelRows, n), lo, hi)
			w.update(i0, min(i0+panelRows, n))
		}
	}
	for i := range n {
		d := pair{s.a.Row(i)[i], s.e[i]}
		t := squaredModulus(d)
		ri, ii := re.Row(i), im.Row(i)
		for r := range ri {
			x := cdiv(pair{ri[r], ii[r]}, d, t)
			ri[r], ii[r] = x.re, x.im
		}
	}
	for hi := n; hi > 0; hi -= solveBlock {
		lo := max(hi-solveBlock, 0)
		for i := hi - 2; i >= lo; i-- {
			for k := hi - 1; k > i; k-- {
				w.subRow(i, k, s.lower(k, i))
			}
		}
		w.packUnknowns(hi-1, hi-lo, -1)
		for i0 := 0; i0 < lo; i0 += panelRows {
			w.packUpper(i0, min(i0+panelRows, lo), lo, hi)
			w.update(i0, min(i0+panelRows, lo))
		}
	}
}

// lower returns L(i,k), i > k.
func (s *Shifted) lower(i, k int) pair { return pair{s.a.Row(i)[k], s.a.Row(k)[i]} }

// shiftedSolve holds the unknowns and the operands of their real products,
//
//	Re x_i += [Lr Li](i,·) · [−Ur +Ui](·),   Im x_i += [Lr Li](i,·) · [−Ui −Ur](·)
//
// for the known unknowns U, in the order of the chain.
type shiftedSolve struct {
	*Shifted
	re, im *matrix.Dense
	l      *operand
	ur, ui *operand
}

// subRow subtracts l times row k of the unknowns from row i.
func (w *shiftedSolve) subRow(i, k int, l pair) {
	ri, ii := w.re.Row(i), w.im.Row(i)
	rk, ik := w.re.Row(k), w.im.Row(k)
	for r := range ri {
		x := cmac(pair{ri[r], ii[r]}, l, pair{rk[r], ik[r]})
		ri[r], ii[r] = x.re, x.im
	}
}

// packUnknowns packs rows k, k+step, …, count of them.
func (w *shiftedSolve) packUnknowns(k, count, step int) {
	w.ur.reset(w.re.Cols, 2*count)
	w.ui.reset(w.re.Cols, 2*count)
	for r := range w.re.Cols {
		a, as := w.ur.row(r)
		b, bs := w.ui.row(r)
		for t := range count {
			x := pair{w.re.Row(k + t*step)[r], w.im.Row(k + t*step)[r]}
			a[2*t*as], a[(2*t+1)*as] = -x.re, x.im
			b[2*t*bs], b[(2*t+1)*bs] = -x.im, -x.re
		}
	}
}

// packLower packs L(i,k) for i0 ≤ i < i1, k = lo … hi-1 ↑.
func (w *shiftedSolve) packLower(i0, i1, lo, hi int) {
	w.l.reset(i1-i0, 2*(hi-lo))
	for i := i0; i < i1; i++ {
		dst, step := w.l.row(i - i0)
		for t, v := range w.a.Row(i)[lo:hi] {
			dst[2*t*step] = v
		}
	}
	for k := lo; k < hi; k++ {
		w.l.setStep(2*(k-lo)+1, w.a.Row(k)[i0:i1])
	}
}

// packUpper packs L(k,i) for i0 ≤ i < i1, k = hi-1 … lo ↓.
func (w *shiftedSolve) packUpper(i0, i1, lo, hi int) {
	w.l.reset(i1-i0, 2*(hi-lo))
	for i := i0; i < i1; i++ {
		dst, step := w.l.row(i - i0)
		at := (2*(hi-lo) - 1) * step
		for _, v := range w.a.Row(i)[lo:hi] {
			dst[at] = v
			at -= 2 * step
		}
	}
	for k := lo; k < hi; k++ {
		w.l.setStep(2*(hi-1-k), w.a.Row(k)[i0:i1])
	}
}

// update adds the products to rows i0 … i1-1 of the unknowns.
func (w *shiftedSolve) update(i0, i1 int) {
	if w.re.Cols == 0 {
		return
	}
	addProduct(w.re.Data[i0*w.re.Stride:], w.re.Stride, w.l, 0, i1-i0, w.ur, 0, w.re.Cols, w.l.k)
	addProduct(w.im.Data[i0*w.im.Stride:], w.im.Stride, w.l, 0, i1-i0, w.ui, 0, w.im.Cols, w.l.k)
}
