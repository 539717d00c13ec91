package solve

// The trailing updates of both factorizations are products of packed panels.
// A packed panel is a row-major matrix whose rows are the operands of one chain:
// k numbers in the order in which the chain takes them.

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// tileSize is the number of rows and columns of a tile of the trailing matrix.
// It decides which chains run side by side, never a result.
const tileSize = 64

// updateTile adds A·Bᵀ to the m×n tile C whose rows start stride apart:
//
//	for t = 0 … k-1 ↑:  c[i][j] = FMA(a[i][t], b[j][t], c[i][j])
//
// a holds m and b holds n packed rows of length k.
func updateTile(c []float64, stride, m, n int, a, b []float64, k int) {
	i := 0
	for ; i+2 <= m; i += 2 {
		a0, a1 := a[i*k:(i+1)*k], a[(i+1)*k:(i+2)*k]
		c0, c1 := c[i*stride:i*stride+n], c[(i+1)*stride:(i+1)*stride+n]
		j := 0
		for ; j+4 <= n; j += 4 {
			update2x4(c0[j:j+4:j+4], c1[j:j+4:j+4], a0, a1, b[j*k:(j+4)*k])
		}
		for ; j < n; j++ {
			bj := b[j*k : (j+1)*k]
			c0[j] = chain(c0[j], a0, bj)
			c1[j] = chain(c1[j], a1, bj)
		}
	}
	for ; i < m; i++ {
		ai, ci := a[i*k:(i+1)*k], c[i*stride:i*stride+n]
		for j := range ci {
			ci[j] = chain(ci[j], ai, b[j*k:(j+1)*k])
		}
	}
}

// update2x4 runs eight chains side by side; b holds four packed rows.
func update2x4(c0, c1, a0, a1, b []float64) {
	k := len(a0)
	a1 = a1[:k]
	b0, b1, b2, b3 := b[:k], b[k:2*k], b[2*k:3*k], b[3*k:4*k]
	c00, c01, c02, c03 := c0[0], c0[1], c0[2], c0[3]
	c10, c11, c12, c13 := c1[0], c1[1], c1[2], c1[3]
	for t, x := range a0 {
		y := a1[t]
		z := b0[t]
		c00 = math.FMA(x, z, c00)
		c10 = math.FMA(y, z, c10)
		z = b1[t]
		c01 = math.FMA(x, z, c01)
		c11 = math.FMA(y, z, c11)
		z = b2[t]
		c02 = math.FMA(x, z, c02)
		c12 = math.FMA(y, z, c12)
		z = b3[t]
		c03 = math.FMA(x, z, c03)
		c13 = math.FMA(y, z, c13)
	}
	c0[0], c0[1], c0[2], c0[3] = c00, c01, c02, c03
	c1[0], c1[1], c1[2], c1[3] = c10, c11, c12, c13
}

// chain continues c by the products of a and b in ascending order.
func chain(c float64, a, b []float64) float64 {
	b = b[:len(a)]
	for t, x := range a {
		c = math.FMA(x, b[t], c)
	}
	return c
}

// updateLower adds A·Bᵀ to the lower triangle, diagonal included, of the
// trailing matrix of c from row and column lo on. Packed row t belongs to row
// lo+t. The upper triangle is not touched.
func updateLower(c *matrix.Dense, lo int, a, b []float64, k int) {
	n := c.Rows - lo
	var scratch [tileSize * tileSize]float64
	for i0 := 0; i0 < n; i0 += tileSize {
		m := min(tileSize, n-i0)
		ai := a[i0*k : (i0+m)*k]
		for j0 := 0; j0 < i0; j0 += tileSize {
			off := (lo+i0)*c.Stride + lo + j0
			updateTile(c.Data[off:], c.Stride, m, tileSize, ai, b[j0*k:(j0+tileSize)*k], k)
		}
		for i := range m {
			copy(scratch[i*tileSize:i*tileSize+i+1], c.Data[(lo+i0+i)*c.Stride+lo+i0:])
		}
		updateTile(scratch[:], tileSize, m, m, ai, b[i0*k:(i0+m)*k], k)
		for i := range m {
			copy(c.Data[(lo+i0+i)*c.Stride+lo+i0:], scratch[i*tileSize:i*tileSize+i+1])
		}
	}
}

// updateUpper adds A·Bᵀ to the strict upper triangle of the trailing matrix of
// c from row and column lo on, and to diag, which stands for its diagonal. The
// lower triangle is not touched.
func updateUpper(c *matrix.Dense, diag []float64, lo int, a, b []float64, k int) {
	n := c.Rows - lo
	var scratch [tileSize * tileSize]float64
	for i0 := 0; i0 < n; i0 += tileSize {
		m := min(tileSize, n-i0)
		ai := a[i0*k : (i0+m)*k]
		for i := range m {
			row := scratch[i*tileSize : i*tileSize+m]
			row[i] = diag[lo+i0+i]
			copy(row[i+1:], c.Data[(lo+i0+i)*c.Stride+lo+i0+i+1:])
		}
		updateTile(scratch[:], tileSize, m, m, ai, b[i0*k:(i0+m)*k], k)
		for i := range m {
			row := scratch[i*tileSize : i*tileSize+m]
			diag[lo+i0+i] = row[i]
			copy(c.Data[(lo+i0+i)*c.Stride+lo+i0+i+1:], row[i+1:])
		}
		for j0 := i0 + m; j0 < n; j0 += tileSize {
			w := min(tileSize, n-j0)
			off := (lo+i0)*c.Stride + lo + j0
			updateTile(c.Data[off:], c.Stride, m, w, ai, b[j0*k:(j0+w)*k], k)
		}
	}
}
