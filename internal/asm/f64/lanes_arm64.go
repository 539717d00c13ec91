//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

// The kernels work on blocks of eight numbers, at least one.

func addLanes(s *Lanes, x []float64) {
	if isa.Current() == isa.NEON {
		addLanesNEON(s, &x[0], len(x)/8)
	} else {
		addLanesGo(s, x)
	}
}

func addProductLanes(s *Lanes, x, y []float64) {
	if isa.Current() == isa.NEON {
		addProductLanesNEON(s, &x[0], &y[0], len(x)/8)
	} else {
		addProductLanesGo(s, x, y)
	}
}

func addScaledProductLanes(s *Lanes, x, y []float64, sx, sy float64) {
	if isa.Current() == isa.NEON {
		addScaledProductLanesNEON(s, &x[0], &y[0], len(x)/8, sx, sy)
	} else {
		addScaledProductLanesGo(s, x, y, sx, sy)
	}
}

func maxAbsBits(x []float64) uint64 {
	if isa.Current() == isa.NEON {
		return maxAbsBitsNEON(&x[0], len(x)/8)
	}
	return maxAbsBitsGo(x)
}

func allFinite(x []float64) bool {
	if isa.Current() == isa.NEON {
		return allFiniteNEON(&x[0], len(x)/8)
	}
	return allFiniteGo(x)
}

//go:noescape
func addLanesNEON(s *Lanes, x *float64, blocks int)

//go:noescape
func addProductLanesNEON(s *Lanes, x, y *float64, blocks int)

//go:noescape
func addScaledProductLanesNEON(s *Lanes, x, y *float64, blocks int, sx, sy float64)

//go:noescape
func maxAbsBitsNEON(x *float64, blocks int) uint64

//go:noescape
func allFiniteNEON(x *float64, blocks int) bool
