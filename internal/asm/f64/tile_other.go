//go:build purego || !(amd64 || arm64)

package f64

// fullTile is Tile for a tile of shape.Rows rows and width columns, k ≥ 1.
func fullTile(op Op, shape Shape, c *float64, ldc int, a, b *float64, k, width int, load bool, next int) {
	goTile(op, shape, c, ldc, a, b, k, width, load)
}

// productPart is a product of cols columns of C, fewer than shape.Cols, in a panel of
// B that is as wide.
func productPart(shape Shape, c *float64, ldc int, a, b *float64, k, cols int, load bool) {
	panic("f64: a panel of this tier has one vector")
}
