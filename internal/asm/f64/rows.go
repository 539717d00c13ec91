package f64

import (
	"fmt"
	"math"
)

// Centre centres a row of a symmetric matrix, given the means of the matrix's rows y,
// that of this row m and that of all g: for all j,
//
//	x[j] ← fl(fl(x[j] − fl(m + y[j])) + g)
//
// x and y have the same length and do not overlap.
func Centre(x, y []float64, m, g float64) {
	if len(x) != len(y) {
		panic(fmt.Sprintf("f64: Centre: a row of %d with means of %d", len(x), len(y)))
	}
	for chunk, rest := cut(x); len(chunk) > 0; chunk, rest = cut(rest) {
		whole := wholeVectors(len(chunk))
		if whole > 0 {
			centre(&chunk[0], &y[0], m, g, whole)
		}
		centreGo(chunk[whole:], y[whole:], m, g)
		y = y[len(chunk):]
	}
}

// centreGo is Centre in Go.
func centreGo(x, y []float64, m, g float64) {
	for j, v := range x {
		x[j] = (v - (m + y[j])) + g
	}
}

// Cosine replaces dot products of a row with others by cosines, given the squares of
// the row's norm and of the others': for every j
//
//	q = fl(square·squares[j])
//	dots[j] = dots[j]/√q between −1 and 1, where rounding may lead just out of; +0
//	where q = 0
//
// with √ and the quotient rounded once.
func Cosine(dots []float64, square float64, squares []float64) {
	squares = squares[:len(dots)]
	for chunk, rest := cut(dots); len(chunk) > 0; chunk, rest = cut(rest) {
		done := 0
		if whole := len(chunk) / 8; whole > 0 && cosineBlocks(&chunk[0], square, &squares[0], whole) {
			done = 8 * whole
		}
		cosineGo(chunk[done:], square, squares[done:])
		squares = squares[len(chunk):]
	}
}

func cosineGo(dots []float64, square float64, squares []float64) {
	for j, dot := range dots {
		q := float64(square * squares[j])
		if q == 0 {
			dots[j] = 0
			continue
		}
		dots[j] = math.Max(-1, math.Min(dot/math.Sqrt(q), 1))
	}
}

// Rotate rotates the pairs (x[i], y[i]) of two vectors of the same length by the plane
// rotation with sine s and tau = s/(1 + cosine), in the form of small corrections:
//
//	x[i], y[i] ← F(−s, F(tau, x[i], y[i]), x[i]), F(s, F(−tau, y[i], x[i]), y[i])
func Rotate(x, y []float64, s, tau float64) {
	y = y[:len(x)]
	for chunk, rest := cut(x); len(chunk) > 0; chunk, rest = cut(rest) {
		done := 0
		if whole := len(chunk) / 8; whole > 0 && rotateBlocks(&chunk[0], &y[0], s, tau, whole) {
			done = 8 * whole
		}
		for i := done; i < len(chunk); i++ {
			chunk[i], y[i] = FMA(-s, FMA(tau, chunk[i], y[i]), chunk[i]), FMA(s, FMA(-tau, y[i], chunk[i]), y[i])
		}
		y = y[len(chunk):]
	}
}
