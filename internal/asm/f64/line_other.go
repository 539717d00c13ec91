//go:build purego || !(amd64 || arm64)

package f64

// No columns are left to registers.

func lineWidth(n int) int { return 0 }

func line(op Op, c, a *float64, as int, b *float64, bs, k, cols int, load bool) {}
