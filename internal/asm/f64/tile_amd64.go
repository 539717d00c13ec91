//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

// fullTile is Tile for a tile of shape.Rows rows and width columns, k ≥ 1.
func fullTile(op Op, shape Shape, c *float64, ldc int, a, b *float64, k, width int, load bool, next int) {
	switch isa.Current() {
	case isa.AVX512:
		tileAVX512(op, c, ldc, a, b, k, width, load, next)
	case isa.AVX2:
		tileAVX2(op, c, ldc, a, b, k, width, load, next)
	default:
		goTile(op, shape, c, ldc, a, b, k, width, load)
	}
}

// productPart is a product of cols columns of C, fewer than shape.Cols, in a panel of
// B that is as wide.
func productPart(shape Shape, c *float64, ldc int, a, b *float64, k, cols int, load bool) {
	switch isa.Current() {
	case isa.AVX512:
		if cols == 16 {
			product8x16of24AVX512(c, ldc, a, b, k, load, 0)
		} else {
			product8x8of24AVX512(c, ldc, a, b, k, load, 0)
		}
	case isa.AVX2:
		if cols == 8 {
			product4x8of12AVX2(c, ldc, a, b, k, load, 0)
		} else {
			product4x4of12AVX2(c, ldc, a, b, k, load, 0)
		}
	}
}

func tileAVX512(op Op, c *float64, ldc int, a, b *float64, k, width int, load bool, next int) {
	switch op {
	case Product:
		switch width {
		case 24:
			product8x24AVX512(c, ldc, a, b, k, load, next)
		case 16:
			product8x16AVX512(c, ldc, a, b, k, load, next)
		case 8:
			product8x8AVX512(c, ldc, a, b, k, load, next)
		}
	case SquaredDistance:
		switch width {
		case 24:
			sqDist8x24AVX512(c, ldc, a, b, k, load, next)
		case 16:
			sqDist8x16AVX512(c, ldc, a, b, k, load, next)
		case 8:
			sqDist8x8AVX512(c, ldc, a, b, k, load, next)
		}
	case ManhattanDistance:
		switch width {
		case 24:
			l1Dist8x24AVX512(c, ldc, a, b, k, load, next)
		case 16:
			l1Dist8x16AVX512(c, ldc, a, b, k, load, next)
		case 8:
			l1Dist8x8AVX512(c, ldc, a, b, k, load, next)
		}
	case ChiSquared:
		switch width {
		case 24:
			chiSq8x24AVX512(c, ldc, a, b, k, load, next)
		case 16:
			chiSq8x16AVX512(c, ldc, a, b, k, load, next)
		case 8:
			chiSq8x8AVX512(c, ldc, a, b, k, load, next)
		}
	}
}

func tileAVX2(op Op, c *float64, ldc int, a, b *float64, k, width int, load bool, next int) {
	switch op {
	case Product:
		switch width {
		case 12:
			product4x12AVX2(c, ldc, a, b, k, load, next)
		case 8:
			product4x8AVX2(c, ldc, a, b, k, load, next)
		case 4:
			product4x4AVX2(c, ldc, a, b, k, load, next)
		}
	case SquaredDistance:
		switch width {
		case 12:
			sqDist4x12AVX2(c, ldc, a, b, k, load, next)
		case 8:
			sqDist4x8AVX2(c, ldc, a, b, k, load, next)
		case 4:
			sqDist4x4AVX2(c, ldc, a, b, k, load, next)
		}
	case ManhattanDistance:
		switch width {
		case 12:
			l1Dist4x12AVX2(c, ldc, a, b, k, load, next)
		case 8:
			l1Dist4x8AVX2(c, ldc, a, b, k, load, next)
		case 4:
			l1Dist4x4AVX2(c, ldc, a, b, k, load, next)
		}
	case ChiSquared:
		switch width {
		case 12:
			chiSq4x12AVX2(c, ldc, a, b, k, load, next)
		case 8:
			chiSq4x8AVX2(c, ldc, a, b, k, load, next)
		case 4:
			chiSq4x4AVX2(c, ldc, a, b, k, load, next)
		}
	}
}

// The kernels: a tile of C in registers, see the drawings in tile_avx512_amd64.h
// and tile_avx2_amd64.h. Rows of c are ldc apart; a and b are packed panels.

//go:noescape
func product8x24AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func product8x16AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func product8x8AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func product8x16of24AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func product8x8of24AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func sqDist8x24AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func sqDist8x16AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func sqDist8x8AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func l1Dist8x24AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func l1Dist8x16AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func l1Dist8x8AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func chiSq8x24AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func chiSq8x16AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func chiSq8x8AVX512(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func product4x12AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func product4x8AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func product4x4AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func product4x8of12AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func product4x4of12AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func sqDist4x12AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func sqDist4x8AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func sqDist4x4AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func l1Dist4x12AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func l1Dist4x8AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func l1Dist4x4AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func chiSq4x12AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func chiSq4x8AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)

//go:noescape
func chiSq4x4AVX2(c *float64, ldc int, a, b *float64, k int, load bool, next int)
