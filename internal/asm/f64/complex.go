package f64

import (
	"fmt"
)

// DivideComplex divides the complex numbers u by d, whose squared modulus is t,
// into l, with what a symmetric elimination needs beside: it subtracts the
// imaginary part of l·u from e and stores the squared modulus of l in q. For all i,
//
//	l.re = F(u.re, d.re, fl(u.im·d.im)) / t
//	l.im = F(u.im, d.re, −fl(u.re·d.im)) / t
//	e    ← F(−l.im, u.re, F(−l.re, u.im, e))
//	q    = F(l.re, l.re, fl(l.im·l.im))
//
// All slices have the length of the first; none overlaps another.
func DivideComplex(lre, lim, q, e, ure, uim []float64, dre, dim, t float64) {
	n := len(lre)
	if len(lim) != n || len(q) != n || len(e) != n || len(ure) != n || len(uim) != n {
		panic(fmt.Sprintf("f64: DivideComplex: slices of %d, %d, %d, %d, %d, %d", n, len(lim), len(q), len(e), len(ure), len(uim)))
	}
	done := wholeVectors(n)
	if done > 0 {
		divideComplex(&lre[0], &lim[0], &q[0], &e[0], &ure[0], &uim[0], dre, dim, t, done)
	}
	divideComplexGo(lre[done:], lim[done:], q[done:], e[done:], ure[done:], uim[done:], dre, dim, t)
}

// divideComplexGo is DivideComplex in Go.
func divideComplexGo(lre, lim, q, e, ure, uim []float64, dre, dim, t float64) {
	for i, re := range ure {
		im := uim[i]
		x := FMA(re, dre, float64(im*dim)) / t
		y := FMA(im, dre, -float64(re*dim)) / t
		lre[i], lim[i] = x, y
		e[i] = FMA(-y, re, FMA(-x, im, e[i]))
		q[i] = FMA(x, x, float64(y*y))
	}
}

// ComplexLanes is the layout of complex numbers that several systems of the same
// shape have side by side: a number of all lanes is their real parts, next to one another,
// and their imaginary parts. What happens in a lane does not depend on the others, nor
// on how many there are.
type ComplexLanes struct {
	Lanes int // of a number
	Im    int // from the real parts to the imaginary ones; in divisors and factors it is Lanes
}

// laneTerms bounds the work of a call of assembly, which cannot be preempted.
const laneTerms = 1 << 14

// Subtract does steps of an elimination in entries of a vector or matrix: for all i and,
// in ascending order, all l,
//
//	c_i ← c_i − a_il·u_l:   re = F(a.im, u.im, F(−a.re, u.re, re))
//	                        im = F(−a.im, u.re, F(−a.re, u.im, im))
//
// with c_i at c[i·cs], a_il at a[a0 + i·as + l·ak], and u_l at u[u0 + l·uk], whose
// imaginary parts are right behind the real ones. c must not overlap what is read of a
// and u.
func (s ComplexLanes) Subtract(c []float64, cs int, a []float64, a0, as, ak int, u []float64, u0, uk, entries, steps int) {
	if entries <= 0 || steps <= 0 {
		return
	}
	number := s.Im + s.Lanes
	i, l := entries-1, steps-1
	if s.Lanes <= 0 || s.Im < s.Lanes || cs < 0 || i*cs+number > len(c) ||
		a0+min(0, i*as)+min(0, l*ak) < 0 || a0+max(0, i*as)+max(0, l*ak)+number > len(a) ||
		u0+min(0, l*uk) < 0 || u0+max(0, l*uk)+2*s.Lanes > len(u) {
		panic(fmt.Sprintf("f64: Subtract: %d entries, %d steps, %+v, strides %d, %d, %d, %d, from %d of %d and %d of %d to %d", entries, steps, s, cs, as, ak, uk, a0, len(a), u0, len(u), len(c)))
	}
	if s.Lanes == 1 || s.Lanes != LanesOfTier() {
		s.subtractGo(c, cs, a, a0, as, ak, u, u0, uk, entries, steps)
		return
	}
	for l := 0; l < steps; {
		some := min(steps-l, max(1, laneTerms/entries))
		subtractLanes(&c[0], &a[a0+l*ak], &u[u0+l*uk], cs, as, s.Im, ak, uk, entries, some)
		l += some
	}
}

// subtractGo is Subtract in Go.
func (s ComplexLanes) subtractGo(c []float64, cs int, a []float64, a0, as, ak int, u []float64, u0, uk, entries, steps int) {
	for l := range steps {
		for lane := range s.Lanes {
			re, im := u[u0+l*uk+lane], u[u0+l*uk+s.Lanes+lane]
			from, to := a0+l*ak+lane, lane
			for range entries {
				are, aim := a[from], a[from+s.Im]
				c[to] = FMA(aim, im, FMA(-are, re, c[to]))
				c[to+s.Im] = FMA(-aim, re, FMA(-are, im, c[to+s.Im]))
				from, to = from+as, to+cs
			}
		}
	}
}

// Divide divides entries of x by d, whose squared moduli are t, into y: for all i
//
//	y_i = x_i/d:   re = F(x.re, d.re, fl(x.im·d.im)) / t
//	               im = F(x.im, d.re, −fl(x.re·d.im)) / t
//
// with x_i at x[i·xs] and y_i at y[i·xs]. The imaginary parts of d are right behind the
// real ones. y may be x, and must not overlap it otherwise.
func (s ComplexLanes) Divide(y, x []float64, xs int, d, t []float64, entries int) {
	if entries <= 0 {
		return
	}
	if end := (entries-1)*xs + s.Im + s.Lanes; s.Lanes <= 0 || s.Im < s.Lanes || xs < 0 || end > len(x) || end > len(y) || 2*s.Lanes > len(d) || s.Lanes > len(t) {
		panic(fmt.Sprintf("f64: Divide: %d entries, %+v, stride %d, in %d and %d, by %d and %d", entries, s, xs, len(x), len(y), len(d), len(t)))
	}
	if s.Lanes == 1 || s.Lanes != LanesOfTier() {
		s.divideGo(y, x, xs, d, t, entries)
		return
	}
	divideLanes(&y[0], &x[0], &d[0], &t[0], xs, s.Im, entries)
}

// divideGo is Divide in Go.
func (s ComplexLanes) divideGo(y, x []float64, xs int, d, t []float64, entries int) {
	for lane := range s.Lanes {
		dre, dim, t := d[lane], d[s.Lanes+lane], t[lane]
		for i := range entries {
			at := i*xs + lane
			re, im := x[at], x[at+s.Im]
			y[at] = FMA(re, dre, float64(im*dim)) / t
			y[at+s.Im] = FMA(im, dre, -float64(re*dim)) / t
		}
	}
}
