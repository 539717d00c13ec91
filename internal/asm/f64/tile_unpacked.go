package f64

import "fmt"

// TileRows runs k steps of a product on rows of C of the current TileShape and a panel of B of
// that width, with a left factor that is read where it is: for i < shape.Rows and j < width
//
//	s = c[i·ldc+j] if load, else +0
//	for l = 0 … k−1: s ← F(a(i,l), b[l·width+j], s)
//	c[i·ldc+j] = s
//
// which are the chains of Tile. It is for products with one panel of B, for which
// packing A takes as long as the work, on tiers that report [HasTileRows].
func TileRows(c []float64, ldc, width int, a Source, b []float64, k int, load bool) {
	shape := TileShape()
	if !HasTileRows() || k < 1 || width < 1 || width > shape.Cols || width%shape.Vector != 0 || ldc < width ||
		len(b) < k*width || len(c) < (shape.Rows-1)*ldc+width {
		panic(fmt.Sprintf("f64: TileRows: %d columns, %d steps, len(c) = %d, ldc = %d, len(b) = %d", width, k, len(c), ldc, len(b)))
	}
	a.check(shape.Rows, k)
	tileRows(&c[0], ldc, width, &a.Data[a.Start], a.RowStride, a.ColStride, &b[0], k, load)
}

// TilePairs runs 2k steps of a product on a row of tiles of C, with a left factor that
// is read where it is, its columns in turn from two matrices: for i < rows and
// j < cols,
//
//	s = c[i·ldc+j]
//	for l = 0 … k−1:  s ← F(first(i,l), b(2l,j), s);  s ← F(second(i,l), b(2l+1,j), s)
//	c[i·ldc+j] = s
//
// b is panels as PackPanels makes them. work is memory for 2k·TileShape().Rows numbers,
// into which the left factor is packed where no kernel reads it in place: there is one
// for whole tiles where the rows of one matrix and the columns of the other are
// contiguous.
func TilePairs(c []float64, ldc, rows, cols int, first, second Source, b []float64, k int, work []float64) {
	if rows <= 0 || cols <= 0 || k <= 0 {
		return
	}
	shape := TileShape()
	inPlace := rows == shape.Rows && cols%shape.Vector == 0 && pairsInPlace(first, second)
	if !inPlace {
		PackPairs(work, shape.Rows, first, second, rows, k)
	} else {
		first.check(rows, k)
		second.check(rows, k)
	}
	for j := 0; j < cols; j += shape.Cols {
		some := min(shape.Cols, cols-j)
		panel := b[j*2*k:][:shape.PanelWidth(some)*2*k]
		if !inPlace {
			Tile(Product, c[j:], ldc, rows, some, work, panel, 2*k, true, 0)
			continue
		}
		if len(c) < (rows-1)*ldc+cols {
			panic(fmt.Sprintf("f64: TilePairs: %d×%d entries, len(c) = %d, ldc = %d", rows, cols, len(c), ldc))
		}
		pairs(&c[j], ldc, some, first, second, &panel[0], k)
	}
}
