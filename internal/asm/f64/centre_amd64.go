//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

// centreWhole returns how many of n numbers centre takes.
func centreWhole(n int) int {
	switch isa.Current() {
	case isa.AVX512:
		return n &^ 7
	case isa.AVX2:
		return n &^ 3
	}
	return 0
}

// centre is Centre for n > 0 numbers, as centreWhole returns them.
func centre(x, y *float64, m, g float64, n int) {
	if isa.Current() == isa.AVX512 {
		centreAVX512(x, y, m, g, n/8)
	} else {
		centreAVX2(x, y, m, g, n/4)
	}
}

//go:noescape
func centreAVX512(x, y *float64, m, grand float64, vectors int)

//go:noescape
func centreAVX2(x, y *float64, m, grand float64, vectors int)
