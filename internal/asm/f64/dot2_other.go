//go:build purego || !(amd64 || arm64)

package f64

// dot2Width returns how many of n columns the next call of dot2 takes.
func dot2Width(n int) int { return 4 }

// dot2 runs k ≥ 1 steps of Dot2 for four rows, ld apart in s and c and lda apart in
// a, and dot2Width columns.
func dot2(s, c *float64, ld int, a *float64, lda int, b *float64, width, k, cols int) {
	dot2Go(s, c, ld, a, lda, b, width, k)
}
