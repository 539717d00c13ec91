//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

// rotateBlocks is Rotate for blocks of eight pairs, at least one. It reports whether the
// tier has it.
func rotateBlocks(x, y *float64, s, tau float64, blocks int) bool {
	if isa.Current() != isa.NEON {
		return false
	}
	rotateNEON(x, y, s, tau, blocks)
	return true
}

//go:noescape
func rotateNEON(x, y *float64, s, tau float64, blocks int)
