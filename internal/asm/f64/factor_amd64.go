//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

// The kernels of factorizations.

func solveTile(shape Shape, x, l []float64) {
	switch isa.Current() {
	case isa.AVX512:
		solveTile8x24AVX512(&x[0], &l[0])
	case isa.AVX2:
		solveTile4x12AVX2(&x[0], &l[0])
	default:
		solveTileGo(shape, x, l)
	}
}

// divideVectors returns how many of n numbers divideComplex takes.
func divideVectors(n int) int {
	switch isa.Current() {
	case isa.AVX512:
		return n &^ 7
	case isa.AVX2:
		return n &^ 3
	}
	return 0
}

// divideComplex is DivideComplex for n > 0 numbers, as divideVectors returns them.
func divideComplex(lre, lim, q, e, ure, uim *float64, dre, dim, t float64, n int) {
	if isa.Current() == isa.AVX512 {
		divideComplexAVX512(lre, lim, q, e, ure, uim, dre, dim, t, n/8)
	} else {
		divideComplexAVX2(lre, lim, q, e, ure, uim, dre, dim, t, n/4)
	}
}

//go:noescape
func solveTile8x24AVX512(x, l *float64)

//go:noescape
func solveTile4x12AVX2(x, l *float64)

//go:noescape
func divideComplexAVX512(lre, lim, q, e, ure, uim *float64, dre, dim, t float64, vectors int)

//go:noescape
func divideComplexAVX2(lre, lim, q, e, ure, uim *float64, dre, dim, t float64, vectors int)
