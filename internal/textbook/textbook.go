// Package textbook has the loops of docs/numerics.md, as plain as they stand there, for
// tests: solvers must have their bits.
package textbook

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// Cholesky returns L in the lower triangle, and the first pivot that is not
// positive with its value, or −1.
func Cholesky(a *matrix.Dense) (l *matrix.Dense, pivot int, value float64) {
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

// SolveLower solves LX = B, and with trans LᵀX = B, in place of B.
func SolveLower(l, b *matrix.Dense, trans bool) {
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

// Pair is a complex number in parts.
type Pair struct{ Re, Im float64 }

func cmac(c, l, u Pair) Pair {
	re := math.FMA(-l.Re, u.Re, c.Re)
	re = math.FMA(l.Im, u.Im, re)
	im := math.FMA(-l.Re, u.Im, c.Im)
	im = math.FMA(-l.Im, u.Re, im)
	return Pair{re, im}
}

func cdiv(u, d Pair) Pair {
	t := math.FMA(d.Re, d.Re, float64(d.Im*d.Im))
	return Pair{
		math.FMA(u.Re, d.Re, float64(u.Im*d.Im)) / t,
		math.FMA(u.Im, d.Re, -float64(u.Re*d.Im)) / t,
	}
}

// cdivInRange is cdiv with d and |d|² times the power of two that brings d near 1/8, so
// that products with a u near the ends of the range do not leave it.
func cdivInRange(u, d Pair) Pair {
	_, e := math.Frexp(math.Max(math.Abs(d.Re), math.Abs(d.Im)))
	t := math.Ldexp(math.FMA(d.Re, d.Re, float64(d.Im*d.Im)), -2-e)
	d = Pair{math.Ldexp(d.Re, -2-e), math.Ldexp(d.Im, -2-e)}
	return Pair{
		math.FMA(u.Re, d.Re, float64(u.Im*d.Im)) / t,
		math.FMA(u.Im, d.Re, -float64(u.Re*d.Im)) / t,
	}
}

// LDLT is K − iσI = LDLᵀ.
type LDLT struct {
	L [][]Pair // strictly lower
	D []Pair
}

// Shifted factors K − iσI.
func Shifted(k *matrix.Dense, sigma float64) LDLT {
	n := k.Rows
	f := LDLT{L: make([][]Pair, n), D: make([]Pair, n)}
	u := make([][]Pair, n)
	for i := range n {
		f.L[i], u[i] = make([]Pair, n), make([]Pair, n)
	}
	for j := range n {
		for i := j; i < n; i++ {
			c := Pair{k.At(i, j), 0}
			if i == j {
				c.Im = -sigma
			}
			for t := range j {
				c = cmac(c, f.L[i][t], u[j][t])
			}
			u[i][j] = c
		}
		f.D[j] = u[j][j]
		for i := j + 1; i < n; i++ {
			f.L[i][j] = cdiv(u[i][j], f.D[j])
		}
	}
	return f
}

// Solve overwrites re + i·im by the solution.
func (f LDLT) Solve(re, im *matrix.Dense) {
	n := len(f.D)
	x := make([]Pair, n)
	for r := range re.Cols {
		for i := range n {
			x[i] = Pair{re.At(i, r), im.At(i, r)}
			for k := range i {
				x[i] = cmac(x[i], f.L[i][k], x[k])
			}
		}
		for i := range n {
			x[i] = cdivInRange(x[i], f.D[i])
		}
		for i := n - 1; i >= 0; i-- {
			for k := n - 1; k > i; k-- {
				x[i] = cmac(x[i], f.L[k][i], x[k])
			}
			re.Set(i, r, x[i].Re)
			im.Set(i, r, x[i].Im)
		}
	}
}

// Finite reports whether all of L and D are finite.
func (f LDLT) Finite() bool {
	ok := func(p Pair) bool { return p.Re-p.Re == 0 && p.Im-p.Im == 0 }
	for i, row := range f.L {
		for _, p := range row[:i] {
			if !ok(p) {
				return false
			}
		}
		if !ok(f.D[i]) {
			return false
		}
	}
	return true
}
