// Package gonummat converts matrices from and to those of gonum.org/v1/gonum/mat. They
// share their data where both can hold them: what is written to one is in the other.
package gonummat

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/seed92411348/kfda/matrix"
)

// FromMat returns a as a matrix: with the data of a where that is a *mat.Dense, a
// *mat.VecDense or another matrix with a RawMatrix method, else with a copy of them, as
// of a transpose.
func FromMat(a mat.Matrix) *matrix.Dense {
	switch a := a.(type) {
	case mat.RawMatrixer:
		r := a.RawMatrix()
		return &matrix.Dense{Rows: r.Rows, Cols: r.Cols, Stride: r.Stride, Data: r.Data}
	case *mat.VecDense:
		if r := a.RawVector(); r.N > 0 {
			return &matrix.Dense{Rows: r.N, Cols: 1, Stride: r.Inc, Data: r.Data}
		}
	}
	rows, cols := a.Dims()
	c := matrix.New(rows, cols)
	for i := range rows {
		for j, row := 0, c.Row(i); j < cols; j++ {
			row[j] = a.At(i, j)
		}
	}
	return c
}

// ToMat returns a as a matrix of gonum with the data of a. One without rows or columns
// is the empty matrix of gonum, which has neither.
func ToMat(a *matrix.Dense) *mat.Dense {
	m := new(mat.Dense)
	if a.Rows > 0 && a.Cols > 0 {
		m.SetRawMatrix(blas64.General{Rows: a.Rows, Cols: a.Cols, Stride: a.Stride, Data: a.Data})
	}
	return m
}
