//go:build purego || !(amd64 || arm64)

package f64

func cosineBlocks(dots *float64, square float64, squares *float64, blocks int) bool { return false }
