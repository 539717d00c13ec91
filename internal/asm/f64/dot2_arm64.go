//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

// dot2Width returns how many of n columns the next call of dot2 takes.
func dot2Width(n int) int { return 4 }

// dot2 runs k ≥ 1 steps of Dot2 for four rows, ld apart in s and c and lda apart in
// a, and dot2Width columns.
func dot2(s, c *float64, ld int, a *float64, lda int, b *float64, width, k, cols int) {
	if isa.Current() == isa.NEON {
		dot2x4NEON(s, c, ld, a, lda, b, width, k)
	} else {
		dot2Go(s, c, ld, a, lda, b, width, k)
	}
}

//go:noescape
func dot2x4NEON(s, c *float64, ld int, a *float64, lda int, b *float64, width, k int)
