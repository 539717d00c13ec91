//go:build purego || !amd64

package f64

func hasTileRows() bool { return false }

func tileRows(c *float64, ldc int, a *float64, lda int, b *float64, k int, load bool) {}
