//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

// cosineBlocks is Cosine for blocks of eight numbers, at least one. It reports whether
// the tier has it.
func cosineBlocks(dots *float64, square float64, squares *float64, blocks int) bool {
	if isa.Current() != isa.NEON {
		return false
	}
	cosineNEON(dots, square, squares, blocks)
	return true
}

//go:noescape
func cosineNEON(dots *float64, square float64, squares *float64, blocks int)
