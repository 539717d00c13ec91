//go:build !purego

package asmtest

import "github.com/seed92411348/kfda/internal/asm/isa"

// peakRun returns the tier's run and its operations per turn.
func peakRun(tier isa.Tier) (run func(turns int), flops int) {
	if tier == isa.NEON {
		return peakNEON, 24 * 2 * 2
	}
	return nil, 0
}

//go:noescape
func peakNEON(turns int)
