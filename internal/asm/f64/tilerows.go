package f64

import "fmt"

// TileRows runs k steps of a product on a whole tile of C of the current TileShape, from
// rows of A that are not packed but lda apart: for i < shape.Rows and j < shape.Cols
//
//	s = c[i·ldc+j] if load, else +0
//	for l = 0 … k−1: s ← F(a[i·lda+l], b[l·shape.Cols+j], s)
//	c[i·ldc+j] = s
//
// which are the chains of Tile. It is for products with one panel of B, for which
// packing A takes as long as the work, on tiers that report [HasTileRows].
func TileRows(c []float64, ldc int, a []float64, lda int, b []float64, k int, load bool) {
	shape := TileShape()
	if !HasTileRows() || k < 1 || lda < k || ldc < shape.Cols || len(b) < k*shape.Cols ||
		len(c) < (shape.Rows-1)*ldc+shape.Cols || len(a) < (shape.Rows-1)*lda+k {
		panic(fmt.Sprintf("f64: TileRows: %d steps, len(c) = %d, ldc = %d, len(a) = %d, lda = %d, len(b) = %d", k, len(c), ldc, len(a), lda, len(b)))
	}
	tileRows(&c[0], ldc, &a[0], lda, &b[0], k, load)
}

// HasTileRows reports whether the tier has a kernel for TileRows.
func HasTileRows() bool { return hasTileRows() }
