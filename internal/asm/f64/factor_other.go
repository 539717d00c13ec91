//go:build purego || !(amd64 || arm64)

package f64

// The kernels of factorizations.

func solveTile(shape Shape, x, l []float64) { solveTileGo(shape, x, l) }

func divideVectors(n int) int { return 0 }

func divideComplex(lre, lim, q, e, ure, uim *float64, dre, dim, t float64, n int) {}
