package solve

import (
	"math"

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
// plain transposes and without pivoting, as in [Shifted].
type bandFactor struct {
	n, width int
	l        []pair    // L[i, i−width … i−1], by rows
	d        []pair    // D
	t        []float64 // |D|²
}

// row returns the elements of row i of L left of the diagonal, from the first
// column of the band on.
func (f *bandFactor) row(i int) (l []pair, first int) {
	first = max(0, i-f.width)
	end := (i + 1) * f.width
	return f.l[end-(i-first) : end], first
}

// factor returns the factorization of T + sI. Each entry is one chain, k ↑ within
// the band:
//
//	U(i,j) = (T + sI)(i,j) − Σ_k U(i,k) L(j,k);  L(i,j) = U(i,j) / D(j);  D(i) = U(i,i)
//
// For a real shift a pivot that is not positive is a *NotPositiveDefiniteError.
// Cost: 4·n·width² flops.
func (t *band) factor(s Shift) (*bandFactor, error) {
	f := &bandFactor{n: t.n, width: t.width, l: make([]pair, t.n*t.width), d: make([]pair, t.n), t: make([]float64, t.n)}
	u := make([]pair, t.width)
	for i := range t.n {
		row, first := t.row(i)
		li, _ := f.row(i)
		d := pair{row[len(row)-1] + s.Real, -s.Imag}
		for j := range li {
			lj, firstJ := f.row(first + j)
			lj = lj[first-firstJ:]
			c := pair{row[j], 0}
			for k, l := range lj {
				c = cmac(c, l, u[k])
			}
			u[j] = c
			li[j] = cdiv(c, f.d[first+j], f.t[first+j])
			d = cmac(d, li[j], c)
		}
		if s.Imag == 0 && !(d.re > 0) {
			return nil, &NotPositiveDefiniteError{Pivot: i, Value: d.re}
		}
		f.d[i], f.t[i] = d, squaredModulus(d)
	}
	return f, nil
}

// solve overwrites the n×2r right-hand sides x, real parts before imaginary ones,
// by the solutions. Cost: 16·n·width·r flops.
func (f *bandFactor) solve(x *matrix.Dense) {
	for i := range f.n {
		l, first := f.row(i)
		for k, v := range l {
			subPair(x.Row(i), v, x.Row(first+k))
		}
	}
	for i := range f.n {
		row := x.Row(i)
		re, im := row[:len(row)/2], row[len(row)/2:]
		for r := range re {
			q := cdiv(pair{re[r], im[r]}, f.d[i], f.t[i])
			re[r], im[r] = q.re, q.im
		}
	}
	for i := f.n - 1; i >= 0; i-- {
		l, first := f.row(i)
		for k, v := range l {
			subPair(x.Row(first+k), v, x.Row(i))
		}
	}
}

// subPair subtracts l·y from x, both with real parts before imaginary ones.
func subPair(x []float64, l pair, y []float64) {
	h := len(x) / 2
	xr, xi, yr, yi := x[:h], x[h:2*h], y[:h], y[h:2*h]
	for r := range xr {
		c := cmac(pair{xr[r], xi[r]}, l, pair{yr[r], yi[r]})
		xr[r], xi[r] = c.re, c.im
	}
}

// residual sets r to [F 0] − (T + sI)x for a real F of n×r, given as its leading
// rows, the others being zeros.
func (t *band) residual(r *matrix.Dense, s Shift, f, x *matrix.Dense) {
	r.Zero()
	r.View(0, 0, f.Rows, f.Cols).CopyFrom(f)
	for i := range t.n {
		row, first := t.row(i)
		diag := len(row) - 1
		for k, v := range row[:diag] {
			subPair(r.Row(i), pair{v, 0}, x.Row(first+k))
			subPair(r.Row(first+k), pair{v, 0}, x.Row(i))
		}
		subPair(r.Row(i), pair{row[diag] + s.Real, -s.Imag}, x.Row(i))
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
