package solve

import (
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
)

// Shift is the number Real − i·Imag, Real and Imag ≥ 0, that is added to the
// diagonal of a real symmetric matrix K:  K + Real·I − i·Imag·I.
type Shift struct{ Real, Imag float64 }

// modulus returns |Real − i·Imag|.
func (s Shift) modulus() float64 { return hypotenuse(s.Real, s.Imag) }

// band is a real symmetric band matrix T: T[i,j] = 0 for |i − j| > width.
type band struct {
	n, width int
	a        []float64 // T[i, i−width … i], by rows; places left of column 0 hold zeros
}

func newBand(n, width int) *band {
	return &band{n: n, width: width, a: make([]float64, n*(width+1))}
}

// row returns the elements of row i from the first column of the band, which is
// returned too, to the diagonal.
func (t *band) row(i int) (elements []float64, first int) {
	first = max(0, i-t.width)
	end := (i + 1) * (t.width + 1)
	return t.a[end-(i-first+1) : end], first
}

// at returns T[i,j].
func (t *band) at(i, j int) float64 {
	i, j = max(i, j), min(i, j)
	row, first := t.row(i)
	if j < first {
		return 0
	}
	return row[j-first]
}

// set sets T[i,j] = T[j,i], i ≥ j.
func (t *band) set(i, j int, v float64) {
	row, first := t.row(i)
	row[j-first] = v
}

// norm returns ‖T‖_F.
func (t *band) norm() float64 {
	a := &matrix.Dense{Rows: t.n, Cols: t.width + 1, Stride: t.width + 1, Data: t.a}
	m := matrix.MaxAbs(a)
	scale := unitScale(m)
	var off, diag float64
	for i := range t.n {
		row, _ := t.row(i)
		for j, v := range row {
			v = float64(v * scale)
			if j == len(row)-1 {
				diag = math.FMA(v, v, diag)
			} else {
				off = math.FMA(v, v, off)
			}
		}
	}
	return math.Sqrt(math.FMA(2, off, diag)) / scale
}

// multiply returns Tz.
func (t *band) multiply(z *matrix.Dense) *matrix.Dense {
	y := matrix.New(z.Rows, z.Cols)
	for i := range t.n {
		row, first := t.row(i)
		for k, v := range row {
			addMultiple(y.Row(i), v, z.Row(first+k))
			if first+k < i {
				addMultiple(y.Row(first+k), v, z.Row(i))
			}
		}
	}
	return y
}

// bandFactor is the factorization T + sI = LDLᵀ of a shifted band matrix, with
// plain transposes and without pivoting, as in [Shifted]. Complex numbers are pairs of
// floats.
type bandFactor struct {
	n, width int
	l        []float64 // L[i, i−width … i−1], by rows
	lt       []float64 // L[j+width … j+1, j], by columns, the last row first
	d        []pair    // D
	t        []float64 // |D|²
}

// row returns the elements of row i of L left of the diagonal, from the first
// column of the band on.
func (f *bandFactor) row(i int) (l []float64, first int) {
	first = max(0, i-f.width)
	end := 2 * (i + 1) * f.width
	return f.l[end-2*(i-first) : end], first
}

// column returns the elements of column j of L below the diagonal, the last first,
// and the last row.
func (f *bandFactor) column(j int) (l []float64, last int) {
	last = min(f.n-1, j+f.width)
	end := 2 * (j + 1) * f.width
	return f.lt[end-2*(last-j) : end], last
}

// factor returns the factorization of T + sI. Each entry is one chain, k ↑ within
// the band:
//
//	U(i,j) = (T + sI)(i,j) − Σ_k U(i,k) L(j,k);  L(i,j) = U(i,j) / D(j);  D(i) = U(i,i)
//
// For a real shift a pivot that is not positive is a *NotPositiveDefiniteError.
// Cost: 4·n·width² flops.
func (t *band) factor(s Shift) (*bandFactor, error) {
	n, width := t.n, t.width
	f := &bandFactor{
		n: n, width: width, l: make([]float64, 2*n*width), lt: make([]float64, 2*n*width),
		d: make([]pair, n), t: make([]float64, n),
	}
	re, im := make([]float64, width), make([]float64, width) // row i of U
	for i := range n {
		row, first := t.row(i)
		li, _ := f.row(i)
		d := pair{row[len(row)-1] + s.Real, -s.Imag}
		re, im := re[:len(row)-1], im[:len(row)-1]
		copy(re, row)
		clear(im)
		for j := range re {
			u := pair{re[j], im[j]}
			l := cdiv(u, f.d[first+j], f.t[first+j])
			li[2*j], li[2*j+1] = l.re, l.im
			d = cmac(d, l, u)
			// What this element adds to the chains of those right of it. Their rows of
			// column j of L end with row first+j+1.
			end := 2 * (first + j + 1) * width
			column := f.lt[end-2*(len(re)-j):][:2*(len(re)-j)]
			column[0], column[1] = l.re, l.im
			column = column[2:]
			at := len(column)
			for k := j + 1; k < len(re); k++ {
				at -= 2
				c := cmac(pair{re[k], im[k]}, pair{column[at], column[at+1]}, u)
				re[k], im[k] = c.re, c.im
			}
		}
		if s.Imag == 0 && !(d.re > 0) {
			return nil, &NotPositiveDefiniteError{Pivot: i, Value: d.re}
		}
		f.d[i], f.t[i] = d, squaredModulus(d)
	}
	return f, nil
}

// factors holds, of each of n rows y of r complex numbers, real parts before
// imaginary ones, the rows −y and −iy, so that a real product with pairs subtracts
// the complex one: with l·y = (Re l)y + (Im l)(iy), each entry is the chain of cmac.
// In reverse the last row comes first.
type factors struct {
	n, cols int
	reverse bool
	a       []float64
}

func newFactors(n, cols int, reverse bool) *factors {
	return &factors{n: n, cols: cols, reverse: reverse, a: make([]float64, 2*n*cols)}
}

// from returns the rows from that of y_i on.
func (f *factors) from(i int) []float64 {
	if f.reverse {
		i = f.n - 1 - i
	}
	return f.a[2*i*f.cols:]
}

// set sets y_i.
func (f *factors) set(i int, y []float64) {
	h := len(y) / 2
	to := f.from(i)
	minus, turned := to[:2*h], to[2*h:4*h]
	for r := range h {
		re, im := y[r], y[h+r]
		minus[r], minus[h+r] = -re, -im
		turned[r], turned[h+r] = im, -re
	}
}

// subtract subtracts from x the product of the complex numbers l with as many rows
// from y_i on.
func (f *factors) subtract(x, l []float64, i int) {
	f64.Line(f64.Product, x, l, 1, f.from(i), f.cols, len(l), true)
}

// solve overwrites the n×2r right-hand sides x, real parts before imaginary ones,
// by the solutions. Cost: 16·n·width·r flops.
func (f *bandFactor) solve(x *matrix.Dense) {
	y := newFactors(f.n, x.Cols, false)
	for i := range f.n {
		l, first := f.row(i)
		if len(l) > 0 {
			y.subtract(x.Row(i), l, first)
		}
		y.set(i, x.Row(i))
	}
	y.reverse = true
	for i := f.n - 1; i >= 0; i-- {
		row := x.Row(i)
		re, im := row[:len(row)/2], row[len(row)/2:]
		for r := range re {
			q := cdiv(pair{re[r], im[r]}, f.d[i], f.t[i])
			re[r], im[r] = q.re, q.im
		}
		if l, last := f.column(i); len(l) > 0 {
			y.subtract(row, l, last)
		}
		y.set(i, row)
	}
}

// residual sets r to [F 0] − (T + sI)x for a real F of n×r, given as its leading
// rows, the others being zeros.
func (t *band) residual(r *matrix.Dense, s Shift, f, x *matrix.Dense) {
	r.Zero()
	r.View(0, 0, f.Rows, f.Cols).CopyFrom(f)
	y := newFactors(t.n, x.Cols, false)
	for i := range t.n {
		y.set(i, x.Row(i))
	}
	for i := range t.n {
		row, first := t.row(i)
		before := len(row) - 1
		to := r.Row(i)
		if before > 0 {
			f64.Line(f64.Product, to, row[:before], 1, y.from(first), 2*y.cols, before, true)
		}
		y.subtract(to, []float64{row[before] + s.Real, -s.Imag}, i)
		if after := min(t.width, t.n-1-i); after > 0 {
			// T[i+1 … i+after, i] lie width places apart.
			f64.Line(f64.Product, to, t.a[(i+2)*(t.width+1)-2:], t.width, y.from(i+1), 2*y.cols, after, true)
		}
	}
}

// bandSteps bounds the steps of refinement of a solve, which only the growth of
// the factors of an indefinite matrix makes necessary.
const bandSteps = 4

// solve returns x = (T + sI)⁻¹F as n×2r, real parts before imaginary ones, F being
// real and given by its leading rows. backward is the largest normwise backward
// error of a column; where it is not near u the solution is refined.
func (t *band) solve(s Shift, f *matrix.Dense) (x *matrix.Dense, backward float64, err error) {
	factor, err := t.factor(s)
	if err != nil {
		return nil, 0, err
	}
	norm := t.norm()
	x = matrix.New(t.n, 2*f.Cols)
	x.View(0, 0, f.Rows, f.Cols).CopyFrom(f)
	factor.solve(x)
	r := matrix.New(t.n, 2*f.Cols)
	for step := 0; ; step++ {
		t.residual(r, s, f, x)
		backward = 0
		for j := range f.Cols {
			backward = max(backward, backwardError(norm, columnNorm(0, halves(r, j)...), columnNorm(0, halves(x, j)...), columnNorm(j, f)))
		}
		if backward <= 8*unit || math.IsNaN(backward) || step == bandSteps {
			return x, backward, nil
		}
		factor.solve(r)
		add(x, r)
	}
}

// halves returns the real and the imaginary part of column j of x.
func halves(x *matrix.Dense, j int) []*matrix.Dense {
	r := x.Cols / 2
	return []*matrix.Dense{x.View(0, j, x.Rows, 1), x.View(0, r+j, x.Rows, 1)}
}
