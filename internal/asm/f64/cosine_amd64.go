//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

// cosineBlocks is Cosine for blocks of eight numbers, at least one. It reports whether
// the tier has it.
func cosineBlocks(dots *float64, square float64, squares *float64, blocks int) bool {
	switch isa.Current() {
	case isa.AVX512:
		cosineAVX512(dots, square, squares, blocks)
	case isa.AVX2:
		cosineAVX2(dots, square, squares, blocks)
	default:
		return false
	}
	return true
}

//go:noescape
func cosineAVX512(dots *float64, square float64, squares *float64, blocks int)

//go:noescape
func cosineAVX2(dots *float64, square float64, squares *float64, blocks int)
