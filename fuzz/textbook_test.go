package fuzz

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// The loops of docs/numerics.md, as plain as they stand there.

// textbookCholesky returns L in the lower triangle, and the first pivot that is not
// positive with its value, or −1.
func textbookCholesky(a *matrix.Dense) (l *matrix.Dense, pivot int, value float64) {
	l = a.Clone()
	for j := range l.Rows {
		for i := j; i < l.Rows; i++ {
			s := l.At(i, j)
			for k := range j {
				s = math.FMA(-l.At(i, k), l.At(j, k), s)
			}
			switch {
			case i > j:
				l.Set(i, j, s/l.At(j, j))
			case s > 0:
				l.Set(j, j, math.Sqrt(s))
			default:
				return l, j, s
			}
		}
	}
	return l, -1, 0
}

// solveLower solves LX = B, and with trans LᵀX = B, in place of B.
func solveLower(l, b *matrix.Dense, trans bool) {
	n := l.Rows
	for r := range b.Cols {
		for step := range n {
			i := step
			if trans {
				i = n - 1 - step
			}
			s := b.At(i, r)
			if trans {
				for k := n - 1; k > i; k-- {
					s = math.FMA(-l.At(k, i), b.At(k, r), s)
				}
			} else {
				for k := range i {
					s = math.FMA(-l.At(i, k), b.At(k, r), s)
				}
			}
			b.Set(i, r, s/l.At(i, i))
		}
	}
}

// pair is a complex number in parts.
type pair struct{ re, im float64 }

func cmac(c, l, u pair) pair {
	re := math.FMA(-l.re, u.re, c.re)
	re = math.FMA(l.im, u.im, re)
	im := math.FMA(-l.re, u.im, c.im)
	im = math.FMA(-l.im, u.re, im)
	return pair{re, im}
}

func cdiv(u, d pair) pair {
	t := math.FMA(d.re, d.re, float64(d.im*d.im))
	return pair{
		math.FMA(u.re, d.re, float64(u.im*d.im)) / t,
		math.FMA(u.im, d.re, -float64(u.re*d.im)) / t,
	}
}

// cdivInRange is cdiv with d and |d|² times the power of two that brings d near 1/8, so
// that products with a u near the ends of the range do not leave it.
func cdivInRange(u, d pair) pair {
	_, e := math.Frexp(math.Max(math.Abs(d.re), math.Abs(d.im)))
	t := math.Ldexp(math.FMA(d.re, d.re, float64(d.im*d.im)), -2-e)
	d = pair{math.Ldexp(d.re, -2-e), math.Ldexp(d.im, -2-e)}
	return pair{
		math.FMA(u.re, d.re, float64(u.im*d.im)) / t,
		math.FMA(u.im, d.re, -float64(u.re*d.im)) / t,
	}
}

// ldlt is K − iσI = LDLᵀ.
type ldlt struct {
	l [][]pair // strictly lower
	d []pair
}

func textbookShifted(k *matrix.Dense, sigma float64) ldlt {
	n := k.Rows
	f := ldlt{l: make([][]pair, n), d: make([]pair, n)}
	u := make([][]pair, n)
	for i := range n {
		f.l[i], u[i] = make([]pair, n), make([]pair, n)
	}
	for j := range n {
		for i := j; i < n; i++ {
			c := pair{k.At(i, j), 0}
			if i == j {
				c.im = -sigma
			}
			for t := range j {
				c = cmac(c, f.l[i][t], u[j][t])
			}
			u[i][j] = c
		}
		f.d[j] = u[j][j]
		for i := j + 1; i < n; i++ {
			f.l[i][j] = cdiv(u[i][j], f.d[j])
		}
	}
	return f
}

// solve overwrites re + i·im by the solution.
func (f ldlt) solve(re, im *matrix.Dense) {
	n := len(f.d)
	x := make([]pair, n)
	for r := range re.Cols {
		for i := range n {
			x[i] = pair{re.At(i, r), im.At(i, r)}
			for k := range i {
				x[i] = cmac(x[i], f.l[i][k], x[k])
			}
		}
		for i := range n {
			x[i] = cdivInRange(x[i], f.d[i])
		}
		for i := n - 1; i >= 0; i-- {
			for k := n - 1; k > i; k-- {
				x[i] = cmac(x[i], f.l[k][i], x[k])
			}
			re.Set(i, r, x[i].re)
			im.Set(i, r, x[i].im)
		}
	}
}

// finite reports whether all of L and D are finite.
func (f ldlt) finite() bool {
	ok := func(p pair) bool { return p.re-p.re == 0 && p.im-p.im == 0 }
	for i, row := range f.l {
		for _, p := range row[:i] {
			if !ok(p) {
				return false
			}
		}
		if !ok(f.d[i]) {
			return false
		}
	}
	return true
}
