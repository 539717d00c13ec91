//go:build !purego

package asmtest

import "github.com/seed92411348/kfda/internal/asm/isa"

// peakRun returns the tier's run and its operations per turn.
func peakRun(tier isa.Tier) (run func(turns int), flops int) {
	switch tier {
	case isa.AVX512:
		return peakAVX512, 24 * 8 * 2
	case isa.AVX2:
		return peakAVX2, 14 * 4 * 2
	}
	return nil, 0
}

//go:noescape
func peakAVX512(turns int)

//go:noescape
func peakAVX2(turns int)
