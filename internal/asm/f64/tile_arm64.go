//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

// fullTile is Tile for a tile of shape.Rows rows and width columns, k ≥ 1.
func fullTile(op Op, shape Shape, c *float64, ldc int, a, b *float64, k, width int, load bool, next int) {
	if isa.Current() != isa.NEON {
		goTile(op, shape, c, ldc, a, b, k, width, load)
		return
	}
	switch op {
	case Product:
		product6x8NEON(c, ldc, a, b, k, load, next)
	case SquaredDistance:
		sqDist6x8NEON(c, ldc, a, b, k, load, next)
	case ManhattanDistance:
		l1Dist6x8NEON(c, ldc, a, b, k, load, next)
	case ChiSquared:
		chiSq6x8NEON(c, ldc, a, b, k, load, next)
	}
}

// productPart is a product of cols columns of C, fewer than shape.Cols, in a panel of
// B that is as wide.
func productPart(shape Shape, c *float64, ldc int, a, b *float64, k, cols int, load bool) {
	panic("f64: a panel of this tier has one vector")
}

// The kernels: a tile of C in registers, see the drawing in tile_neon_arm64.h.
// Rows of c are ldc apart; a and b are packed panels.

//go:noescape
func product6x8NEON(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func sqDist6x8NEON(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func l1Dist6x8NEON(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func chiSq6x8NEON(c *float64, ldc int, a, b *float64, k int, load bool, next int)
