package solve

import "math"

// shiftedWork factors one panel, columns lo … hi-1 of rows lo … n-1, in packed
// rows of 2·nb numbers, real and imaginary parts alternating. Row i-lo belongs
// to row i.
type shiftedWork struct {
	lo, hi, nb, rows int

	l  []float64 // Lr  Li   the panel itself while it is factored
	re []float64 // −Ur +Ui  c.re += l·re;  U itself until pack
	im []float64 // −Ui −Ur  c.im += im·l
	ut []float64 // U of the diagonal block by columns: Ur Ui of (j, k) at k·nb + j
	t  []float64 // |D|²
}

func newShiftedWork(n, nb int) *shiftedWork {
	return &shiftedWork{
		l:  make([]float64, 2*n*nb),
		re: make([]float64, 2*n*nb),
		im: make([]float64, 2*n*nb),
		ut: make([]float64, 2*nb*nb),
		t:  make([]float64, nb),
	}
}

// load copies the panel into l.
func (w *shiftedWork) load(s *Shifted, lo, hi int) {
	w.lo, w.hi, w.nb, w.rows = lo, hi, hi-lo, s.a.Rows-lo
	for i := lo; i < s.a.Rows; i++ {
		row, dst := s.a.Row(i), w.l[2*(i-lo)*w.nb:]
		for j := lo; j < min(hi, i+1); j++ {
			dst[2*(j-lo)] = row[j]
		}
		if i < hi {
			dst[2*(i-lo)+1] = s.e[i]
		}
	}
	for j := lo; j < hi; j++ {
		for i, v := range s.a.Row(j)[j+1:] {
			w.l[2*((i+j+1-lo)*w.nb+j-lo)+1] = v
		}
	}
}

// factor runs the chains inside the panel row by row: once L(i,k) is known, it
// enters the chains of all later columns of row i. It leaves L in l and U in
// re, and returns max over k of |D(k)|·max(1, max_i |L(i,k)|²).
func (w *shiftedWork) factor() float64 {
	nb := w.nb
	maxL := make([]float64, nb) // max over i of |L(i,k)|², at least 1
	for i := range w.rows {
		row := w.l[2*i*nb : 2*(i+1)*nb]
		u := w.re[2*i*nb : 2*(i+1)*nb]
		for k := range min(i, nb) {
			ur, ui := row[2*k], row[2*k+1]
			d := w.ut[2*(k*nb+k):]
			lr, li := cdiv(ur, ui, d[0], d[1], w.t[k])
			u[2*k], u[2*k+1] = ur, ui
			row[2*k], row[2*k+1] = lr, li
			maxL[k] = max(maxL[k], squaredModulus(lr, li))
			if i < nb {
				w.ut[2*(k*nb+i)], w.ut[2*(k*nb+i)+1] = ur, ui
			}
			subScaled(row[2*k+2:], w.ut[2*(k*nb+k)+2:], lr, li, min(i+1, nb)-k-1)
		}
		if i < nb {
			d := w.ut[2*(i*nb+i):]
			d[0], d[1] = row[2*i], row[2*i+1]
			w.t[i] = squaredModulus(d[0], d[1])
			maxL[i] = 1
		}
	}
	var g float64
	for k := range nb {
		// max and the caller keep a NaN
		g = max(g, float64(math.Sqrt(w.t[k])*maxL[k]))
	}
	return g
}

// subScaled subtracts l·u from the first m complex numbers of c.
func subScaled(c, u []float64, lr, li float64, m int) {
	c, u = c[:2*m], u[:2*m]
	for j := 0; j+1 < len(c) && j+1 < len(u); j += 2 {
		c[j], c[j+1] = cmac(c[j], c[j+1], lr, li, u[j], u[j+1])
	}
}

// store writes L and D back.
func (w *shiftedWork) store(s *Shifted) {
	for i := w.lo; i < s.a.Rows; i++ {
		row, src := s.a.Row(i), w.l[2*(i-w.lo)*w.nb:]
		for j := w.lo; j < min(w.hi, i+1); j++ {
			row[j] = src[2*(j-w.lo)]
		}
		if i < w.hi {
			s.e[i] = src[2*(i-w.lo)+1]
		}
	}
	for j := w.lo; j < w.hi; j++ {
		row := s.a.Row(j)[j+1:]
		for i := range row {
			row[i] = w.l[2*((i+j+1-w.lo)*w.nb+j-w.lo)+1]
		}
	}
}

// pack moves the rows below the panel to the front and turns U into the
// operands of the real products.
func (w *shiftedWork) pack() {
	below := 2 * w.nb * w.nb
	end := 2 * w.rows * w.nb
	copy(w.l, w.l[below:end])
	for x := below; x < end; x += 2 {
		ur, ui := w.re[x], w.re[x+1]
		w.re[x-below], w.re[x-below+1] = -ur, ui
		w.im[x-below], w.im[x-below+1] = -ui, -ur
	}
}
