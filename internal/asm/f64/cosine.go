package f64

import "math"

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
