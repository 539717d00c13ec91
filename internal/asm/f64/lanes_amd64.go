//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

// The kernels work on blocks of eight numbers, at least one.

func addLanes(s *Lanes, x []float64) {
	switch isa.Current() {
	case isa.AVX512:
		addLanesAVX512(s, &x[0], len(x)/8)
	case isa.AVX2:
		addLanesAVX2(s, &x[0], len(x)/8)
	default:
		addLanesGo(s, x)
	}
}

func addProductLanes(s *Lanes, x, y []float64) {
	switch isa.Current() {
	case isa.AVX512:
		addProductLanesAVX512(s, &x[0], &y[0], len(x)/8)
	case isa.AVX2:
		addProductLanesAVX2(s, &x[0], &y[0], len(x)/8)
	default:
		addProductLanesGo(s, x, y)
	}
}

func addScaledProductLanes(s *Lanes, x, y []float64, sx, sy float64) {
	switch isa.Current() {
	case isa.AVX512:
		addScaledProductLanesAVX512(s, &x[0], &y[0], len(x)/8, sx, sy)
	case isa.AVX2:
		addScaledProductLanesAVX2(s, &x[0], &y[0], len(x)/8, sx, sy)
	default:
		addScaledProductLanesGo(s, x, y, sx, sy)
	}
}

func maxAbsBits(x []float64) uint64 {
	switch isa.Current() {
	case isa.AVX512:
		return maxAbsBitsAVX512(&x[0], len(x)/8)
	case isa.AVX2:
		return maxAbsBitsAVX2(&x[0], len(x)/8)
	}
	return maxAbsBitsGo(x)
}

func allFinite(x []float64) bool {
	switch isa.Current() {
	case isa.AVX512:
		return allFiniteAVX512(&x[0], len(x)/8)
	case isa.AVX2:
		return allFiniteAVX2(&x[0], len(x)/8)
	}
	return allFiniteGo(x)
}

//go:noescape
func addLanesAVX512(s *Lanes, x *float64, blocks int)

//go:noescape
func addLanesAVX2(s *Lanes, x *float64, blocks int)

//go:noescape
func addProductLanesAVX512(s *Lanes, x, y *float64, blocks int)

//go:noescape
func addProductLanesAVX2(s *Lanes, x, y *float64, blocks int)

//go:noescape
func addScaledProductLanesAVX512(s *Lanes, x, y *float64, blocks int, sx, sy float64)

//go:noescape
func addScaledProductLanesAVX2(s *Lanes, x, y *float64, blocks int, sx, sy float64)

//go:noescape
func maxAbsBitsAVX512(x *float64, blocks int) uint64

//go:noescape
func maxAbsBitsAVX2(x *float64, blocks int) uint64

//go:noescape
func allFiniteAVX512(x *float64, blocks int) bool

//go:noescape
func allFiniteAVX2(x *float64, blocks int) bool
