//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

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

//go:noescape
func pairs8x24AVX512(c *float64, ldc int, p *float64, prs, pcs int, q *float64, qcs int, b *float64, steps int, qfirst bool)

//go:noescape
func pairs8x16AVX512(c *float64, ldc int, p *float64, prs, pcs int, q *float64, qcs int, b *float64, steps int, qfirst bool)

//go:noescape
func pairs8x8AVX512(c *float64, ldc int, p *float64, prs, pcs int, q *float64, qcs int, b *float64, steps int, qfirst bool)
