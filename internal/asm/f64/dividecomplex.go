package f64

import (
	"fmt"
	"math"
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
	done := divideVectors(n)
	if done > 0 {
		divideComplex(&lre[0], &lim[0], &q[0], &e[0], &ure[0], &uim[0], dre, dim, t, done)
	}
	divideComplexGo(lre[done:], lim[done:], q[done:], e[done:], ure[done:], uim[done:], dre, dim, t)
}

// divideComplexGo is DivideComplex in Go.
func divideComplexGo(lre, lim, q, e, ure, uim []float64, dre, dim, t float64) {
	for i, re := range ure {
		im := uim[i]
		x := math.FMA(re, dre, float64(im*dim)) / t
		y := math.FMA(im, dre, -float64(re*dim)) / t
		lre[i], lim[i] = x, y
		e[i] = math.FMA(-y, re, math.FMA(-x, im, e[i]))
		q[i] = math.FMA(x, x, float64(y*y))
	}
}
