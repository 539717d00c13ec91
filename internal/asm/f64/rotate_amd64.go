//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

// rotateBlocks is Rotate for blocks of eight pairs, at least one. It reports whether the
// tier has it.
func rotateBlocks(x, y *float64, s, tau float64, blocks int) bool {
	switch isa.Current() {
	case isa.AVX512:
		rotateAVX512(x, y, s, tau, blocks)
	case isa.AVX2:
		rotateAVX2(x, y, s, tau, blocks)
	default:
		return false
	}
	return true
}

//go:noescape
func rotateAVX512(x, y *float64, s, tau float64, blocks int)

//go:noescape
func rotateAVX2(x, y *float64, s, tau float64, blocks int)
