//go:build purego || !amd64

package f64

func pairsInPlace(first, second Source) bool { return false }

func pairs(c *float64, ldc, cols int, first, second Source, b *float64, k int) {}
