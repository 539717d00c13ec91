//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

// centreWhole returns how many of n numbers centre takes.
func centreWhole(n int) int {
	if isa.Current() == isa.NEON {
		return n &^ 1
	}
	return 0
}

// centre is Centre for n > 0 numbers, as centreWhole returns them.
func centre(x, y *float64, m, g float64, n int) { centreNEON(x, y, m, g, n/2) }

//go:noescape
func centreNEON(x, y *float64, m, grand float64, vectors int)
