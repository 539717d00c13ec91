//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

// The kernels of factorizations.

func solveTile(shape Shape, x, l []float64) {
	if isa.Current() == isa.NEON {
		solveTile6x8NEON(&x[0], &l[0])
	} else {
		solveTileGo(shape, x, l)
	}
}

// divideVectors returns how many of n numbers divideComplex takes.
func divideVectors(n int) int {
	if isa.Current() == isa.NEON {
		return n &^ 1
	}
	return 0
}

// divideComplex is DivideComplex for n > 0 numbers, as divideVectors returns them.
func divideComplex(lre, lim, q, e, ure, uim *float64, dre, dim, t float64, n int) {
	divideComplexNEON(lre, lim, q, e, ure, uim, dre, dim, t, n/2)
}

//go:noescape
func solveTile6x8NEON(x, l *float64)

//go:noescape
func divideComplexNEON(lre, lim, q, e, ure, uim *float64, dre, dim, t float64, vectors int)
