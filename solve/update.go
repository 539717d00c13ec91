package solve

import "github.com/seed92411348/kfda/matrix"

// rowBlock is the number of rows of the left operand that pass while they stay
// in the second cache.
const rowBlock = 384

// addLower adds A·Bᵀ to the lower triangle, diagonal included, of the square c.
// Its upper triangle is neither read nor written.
func addLower(c *matrix.Dense, a, b *operand, k int) {
	n := c.Rows
	for lo := 0; lo < n; lo += rowBlock {
		hi := min(lo+rowBlock, n)
		for j := 0; j < hi; j += b.group {
			cols := min(b.group, n-j)
			i := max(lo, j/a.group*a.group)
			for ; i < hi && i < j+cols-1; i += a.group { // the tile holds elements above the diagonal
				lowerTile(c, a, i, b, j, k)
			}
			if i < hi {
				addProduct(c.Data[i*c.Stride+j:], c.Stride, a, i, hi, b, j, j+cols, k)
			}
		}
	}
}

// lowerTile is addLower for one tile across the diagonal.
func lowerTile(c *matrix.Dense, a *operand, i int, b *operand, j, k int) {
	rows, cols := min(a.group, c.Rows-i), min(b.group, c.Rows-j)
	var scratch [tileRows * tileCols]float64
	each := func(f func(s, c []float64)) {
		for r := range rows {
			if m := min(i+r-j+1, cols); m > 0 {
				f(scratch[r*cols:r*cols+m], c.Row(i + r)[j:j+m])
			}
		}
	}
	each(func(s, c []float64) { copy(s, c) })
	addProduct(scratch[:], cols, a, i, i+rows, b, j, j+cols, k)
	each(func(s, c []float64) { copy(c, s) })
}

// addUpper adds A·Bᵀ to the strict upper triangle of the square c, and to diag,
// which stands for its diagonal. The lower triangle is neither read nor written.
func addUpper(c *matrix.Dense, diag []float64, a, b *operand, k int) {
	n := c.Rows
	for lo := 0; lo < n; lo += rowBlock {
		hi := min(lo+rowBlock, n)
		for j := lo / b.group * b.group; j < n; j += b.group {
			cols := min(b.group, n-j)
			i := lo
			if whole := min(hi, j) / a.group * a.group; whole > lo { // rows before column j
				addProduct(c.Data[lo*c.Stride+j:], c.Stride, a, lo, whole, b, j, j+cols, k)
				i = whole
			}
			for ; i < hi && i < j+cols; i += a.group {
				upperTile(c, diag, a, i, b, j, k)
			}
		}
	}
}

// upperTile is addUpper for one tile across the diagonal.
func upperTile(c *matrix.Dense, diag []float64, a *operand, i int, b *operand, j, k int) {
	rows, cols := min(a.group, c.Rows-i), min(b.group, c.Rows-j)
	var scratch [tileRows * tileCols]float64
	for r := range rows {
		s := scratch[r*cols : (r+1)*cols]
		from := max(i+r-j+1, 0)
		if from < cols {
			copy(s[from:], c.Row(i + r)[j+from:j+cols])
		}
		if from > 0 && from <= cols {
			s[from-1] = diag[i+r]
		}
	}
	addProduct(scratch[:], cols, a, i, i+rows, b, j, j+cols, k)
	for r := range rows {
		s := scratch[r*cols : (r+1)*cols]
		from := max(i+r-j+1, 0)
		if from < cols {
			copy(c.Row(i + r)[j+from:j+cols], s[from:])
		}
		if from > 0 && from <= cols {
			diag[i+r] = s[from-1]
		}
	}
}
