package f64

import "unsafe"

// Emulation has what a program can set, before it calls anything else of this package, where it does faster than
// Go what the compiler has no instructions for: the multiply-add is emulated there. A function may stop early, and
// returns how much it has done, of the same bits; the rest is as it was.
var Emulation struct {
	// Tile is Tile for whole tiles of 8×8, a product or squared distance, and returns the rows that it has done.
	Tile func(op Op, c *float64, ldc int, a, b *float64, k int, load bool) int
	// Doubled is the kernel of Doubled, and returns how many times eight sums it has done.
	Doubled func(s, c, a *float64, lda int, b *float64, ldb, k, cols int) int
	// Exp replaces every x by Exp(x).
	Exp func(x []float64) int
}

// ExpData returns the constants of Exp: each of 25 four times, four numbers of masks and eight of lanes, and then
// 2^(j/8) and what it lacks, for j = 0 … 7.
func ExpData() []float64 {
	return unsafe.Slice(&expData.min[0], unsafe.Sizeof(*expData)/unsafe.Sizeof(expData.min[0]))
}
