//go:build purego || !(amd64 || arm64)

package f64

func centreWhole(n int) int { return 0 }

func centre(x, y *float64, m, g float64, n int) {}
