package solve

import (
	"fmt"
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// Upper is a symmetric positive definite matrix by its upper triangle, as a [Source].
// The lower triangle and the diagonal of the memory may be overwritten: [FactorCholesky]
// leaves what the residuals of its solutions are computed from.
type Upper struct {
	a        *matrix.Dense
	diagonal []float64
	largest  float64 // element of the diagonal
}

// NewUpper returns the matrix whose upper triangle, diagonal included, is that of a.
// It keeps a, which must not change above the diagonal, and a copy of the diagonal.
func NewUpper(a *matrix.Dense) *Upper {
	misuse.NotNil("solve: NewUpper", "a", a)
	mustSquare("NewUpper", a)
	u := &Upper{a: a, diagonal: make([]float64, a.Rows)}
	for i := range u.diagonal {
		u.diagonal[i] = a.At(i, i)
		u.largest = max(u.largest, u.diagonal[i])
	}
	return u
}

// Order returns the number of rows.
func (u *Upper) Order() int {
	misuse.NotNil("solve: Upper.Order", "the matrix of a zero Upper", u.a)
	return u.a.Rows
}

// Rows copies rows i0, i0+1, … to dst.
func (u *Upper) Rows(dst *matrix.Dense, i0 int) {
	misuse.NotNil("solve: Upper.Rows", "dst", dst, "the matrix of a zero Upper", u.a)
	n := u.a.Rows
	if dst.Cols != n || i0 < 0 || i0+dst.Rows > n {
		panic(fmt.Sprintf("solve: Upper.Rows: %d×%d from row %d on of a %d×%d matrix", dst.Rows, dst.Cols, i0, n, n))
	}
	if i0 > 0 {
		f64.Transpose(dst.Data, dst.Stride, u.a.Data[i0:], u.a.Stride, i0, dst.Rows)
	}
	for r := range dst.Rows {
		i := i0 + r
		row := dst.Row(r)
		for j := i0; j < i; j++ {
			row[j] = u.a.At(j, i)
		}
		row[i] = u.diagonal[i]
		copy(row[i+1:], u.a.Row(i)[i+1:])
	}
}

// bound returns what bounds row i of a positive definite matrix: no element is larger
// than the root of the product of the two on the diagonal.
func (u *Upper) bound(i int) float64 { return float64(math.Sqrt(u.diagonal[i]) * math.Sqrt(u.largest)) }

func (u *Upper) panel(dst []float64, i, rows, k0, k1 int) {
	// Columns before i lie in the rows of their number, those from i+rows on in rows i, ….
	before, after := min(max(i, k0), k1), min(max(i+rows, k0), k1)
	if k0 < before {
		f64.Pack(dst, panelRows, f64.Source{Data: u.a.Data, Start: k0*u.a.Stride + i, RowStride: 1, ColStride: u.a.Stride}, rows, before-k0, false)
	}
	for k := before; k < after; k++ {
		step := dst[(k-k0)*panelRows:][:panelRows]
		clear(step)
		for r := range rows {
			switch {
			case i+r < k:
				step[r] = u.a.At(i+r, k)
			case i+r > k:
				step[r] = u.a.At(k, i+r)
			default:
				step[r] = u.diagonal[k]
			}
		}
	}
	if after < k1 {
		f64.Pack(dst[(after-k0)*panelRows:], panelRows, f64.Source{Data: u.a.Data, Start: i*u.a.Stride + after, RowStride: u.a.Stride, ColStride: 1}, rows, k1-after, false)
	}
}
