package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

// The kernels of tiles and lines: products and distances along k.

// lineWidth returns how many of n columns the next call of line takes, 0 for none.
func lineWidth(n int) int {
	switch isa.Current() {
	case isa.AVX512:
		return min(n, 24)
	case isa.AVX2:
		if n >= 12 {
			return 12
		}
		if n >= 4 {
			return 4
		}
	case isa.NEON:
		if n >= 8 {
			return 8
		}
		if n >= 2 {
			return 2
		}
	}
	return 0
}

// lineAVX512, lineAVX2 and lineNEON are Line for lineWidth columns.

func lineAVX512(op Op, c, a *float64, as int, b *float64, bs, k, cols int, load bool) {
	wide := cols > 8
	switch op {
	case Product:
		if wide {
			productLine24AVX512(c, a, as, b, bs, k, cols, load)
		} else {
			productLine8AVX512(c, a, as, b, bs, k, cols, load)
		}
	case SquaredDistance:
		if wide {
			sqDistLine24AVX512(c, a, as, b, bs, k, cols, load)
		} else {
			sqDistLine8AVX512(c, a, as, b, bs, k, cols, load)
		}
	case ManhattanDistance:
		if wide {
			l1DistLine24AVX512(c, a, as, b, bs, k, cols, load)
		} else {
			l1DistLine8AVX512(c, a, as, b, bs, k, cols, load)
		}
	case ChiSquared:
		if wide {
			chiSqLine24AVX512(c, a, as, b, bs, k, cols, load)
		} else {
			chiSqLine8AVX512(c, a, as, b, bs, k, cols, load)
		}
	}
}

func lineAVX2(op Op, c, a *float64, as int, b *float64, bs, k, cols int, load bool) {
	wide := cols > 4
	switch op {
	case Product:
		if wide {
			productLine12AVX2(c, a, as, b, bs, k, cols, load)
		} else {
			productLine4AVX2(c, a, as, b, bs, k, cols, load)
		}
	case SquaredDistance:
		if wide {
			sqDistLine12AVX2(c, a, as, b, bs, k, cols, load)
		} else {
			sqDistLine4AVX2(c, a, as, b, bs, k, cols, load)
		}
	case ManhattanDistance:
		if wide {
			l1DistLine12AVX2(c, a, as, b, bs, k, cols, load)
		} else {
			l1DistLine4AVX2(c, a, as, b, bs, k, cols, load)
		}
	case ChiSquared:
		if wide {
			chiSqLine12AVX2(c, a, as, b, bs, k, cols, load)
		} else {
			chiSqLine4AVX2(c, a, as, b, bs, k, cols, load)
		}
	}
}

func lineNEON(op Op, c, a *float64, as int, b *float64, bs, k, cols int, load bool) {
	wide := cols > 2
	switch op {
	case Product:
		if wide {
			productLine8NEON(c, a, as, b, bs, k, cols, load)
		} else {
			productLine2NEON(c, a, as, b, bs, k, cols, load)
		}
	case SquaredDistance:
		if wide {
			sqDistLine8NEON(c, a, as, b, bs, k, cols, load)
		} else {
			sqDistLine2NEON(c, a, as, b, bs, k, cols, load)
		}
	case ManhattanDistance:
		if wide {
			l1DistLine8NEON(c, a, as, b, bs, k, cols, load)
		} else {
			l1DistLine2NEON(c, a, as, b, bs, k, cols, load)
		}
	case ChiSquared:
		if wide {
			chiSqLine8NEON(c, a, as, b, bs, k, cols, load)
		} else {
			chiSqLine2NEON(c, a, as, b, bs, k, cols, load)
		}
	}
}

// fullTile is Tile for a tile of shape.Rows rows and width columns, k ≥ 1.
func fullTile(op Op, shape Shape, c *float64, ldc int, a, b *float64, k, width int, load bool, next int) {
	switch isa.Current() {
	case isa.AVX512:
		tileAVX512(op, c, ldc, a, b, k, width, load, next)
	case isa.AVX2:
		tileAVX2(op, c, ldc, a, b, k, width, load, next)
	case isa.NEON:
		tileNEON(op, c, ldc, a, b, k, load, next)
	default:
		goTile(op, shape, c, ldc, a, b, k, width, load)
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

func tileNEON(op Op, c *float64, ldc int, a, b *float64, k int, load bool, next int) {
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
// B that is as wide. The other tiers have one vector in a panel.
func productPart(c *float64, ldc int, a, b *float64, k, cols int, load bool) {
	switch tier := isa.Current(); {
	case tier == isa.AVX512 && cols == 16:
		product8x16of24AVX512(c, ldc, a, b, k, load, 0)
	case tier == isa.AVX512:
		product8x8of24AVX512(c, ldc, a, b, k, load, 0)
	case tier == isa.AVX2 && cols == 8:
		product4x8of12AVX2(c, ldc, a, b, k, load, 0)
	case tier == isa.AVX2:
		product4x4of12AVX2(c, ldc, a, b, k, load, 0)
	default:
		panic("f64: a panel of this tier has one vector")
	}
}

// HasTileRows reports whether the tier has a kernel for TileRows.
func HasTileRows() bool { return isa.Current() == isa.AVX512 }

func tileRows(c *float64, ldc, width int, a *float64, ars, acs int, b *float64, k int, load bool) {
	switch width {
	case 24:
		tileRows8x24AVX512(c, ldc, a, ars, acs, b, k, load)
	case 16:
		tileRows8x16AVX512(c, ldc, a, ars, acs, b, k, load)
	case 8:
		tileRows8x8AVX512(c, ldc, a, ars, acs, b, k, load)
	}
}

// pairsInPlace reports whether pairs can read the two matrices.
func pairsInPlace(first, second Source) bool {
	rows := func(s Source) bool { return s.ColStride == 1 || s.ColStride == -1 }
	return isa.Current() == isa.AVX512 &&
		(rows(first) && second.RowStride == 1 || first.RowStride == 1 && rows(second))
}

// pairs is TilePairs for a whole tile of cols columns, a multiple of a vector.
func pairs(c *float64, ldc, cols int, first, second Source, b *float64, k int) {
	// Rows of p and columns of q are contiguous.
	p, q, qFirst := first, second, false
	if q.RowStride != 1 {
		p, q, qFirst = second, first, true
	}
	pAt, qAt := &p.Data[p.Start], &q.Data[q.Start]
	switch cols {
	case 24:
		pairs8x24AVX512(c, ldc, pAt, p.RowStride, p.ColStride, qAt, q.ColStride, b, 2*k, qFirst)
	case 16:
		pairs8x16AVX512(c, ldc, pAt, p.RowStride, p.ColStride, qAt, q.ColStride, b, 2*k, qFirst)
	case 8:
		pairs8x8AVX512(c, ldc, pAt, p.RowStride, p.ColStride, qAt, q.ColStride, b, 2*k, qFirst)
	}
}
