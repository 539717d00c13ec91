package solve

import (
	"fmt"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
)

// Upper is a symmetric matrix by its upper triangle, as a [Source]. The lower triangle
// and the diagonal of the memory may be overwritten: [FactorCholesky] leaves what the
// residuals of its solutions are computed from.
type Upper struct {
	a        *matrix.Dense
	diagonal []float64
}

// NewUpper returns the matrix whose upper triangle, diagonal included, is that of a.
// It keeps a, which must not change above the diagonal, and a copy of the diagonal.
func NewUpper(a *matrix.Dense) *Upper {
	mustSquare("NewUpper", a)
	u := &Upper{a: a, diagonal: make([]float64, a.Rows)}
	for i := range u.diagonal {
		u.diagonal[i] = a.At(i, i)
	}
	return u
}

// Order returns the number of rows.
func (u *Upper) Order() int { return u.a.Rows }

// Rows copies rows i0, i0+1, … to dst.
func (u *Upper) Rows(dst *matrix.Dense, i0 int) {
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
