//go:build purego || !(amd64 || arm64)

package f64

func rotateBlocks(x, y *float64, s, tau float64, blocks int) bool { return false }
