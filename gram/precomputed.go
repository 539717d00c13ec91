package gram

import (
	"sync/atomic"

	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// Precomputed says that the kernel values are given: in place of the training
// rows stands their n×n kernel matrix, and in place of m new rows the m×n
// matrix of their kernel values with the training rows. It stands alone, not
// in a Sum, Product or Scaled.
type Precomputed struct{}

// PrecomputedRows returns the evaluator of a precomputed kernel for n training
// rows without their kernel matrix: it serves Cross, Dim, Order and Kernel.
func PrecomputedRows(n int) *Evaluator {
	x := &matrix.Dense{Rows: n, Cols: n}
	return &Evaluator{kernel: Precomputed{}, x: x, rows: rows{x: x}}
}

func (Precomputed) Validate() error { return nil }

// validate is called for the parts of other kernels only.
func (Precomputed) validate(int) error {
	return &ParameterError{Kernel: "precomputed", Parameter: "Kernel",
		Reason: "cannot be part of another kernel; combine the matrices instead"}
}

func (k Precomputed) resolve(*matrix.Dense) (Kernel, error) { return k, nil }
func (Precomputed) rows(x *matrix.Dense) (rows, error)      { return rows{x: x}, nil }

func (Precomputed) tile(dst tile, a rows, i0 int, _ rows, j0 int) {
	for i := range dst.rows {
		row := a.x.Row(i0 + i)[j0 : j0+dst.cols]
		for j, v := range row {
			dst.row(i)[j] = v + 0 // −0 becomes +0: equal entries get equal bits
		}
	}
}

// checkPrecomputed wants a square symmetric matrix.
func checkPrecomputed(k *matrix.Dense) error {
	if k.Rows != k.Cols {
		return &ShapeError{What: "precomputed kernel matrix", Rows: k.Rows, Cols: k.Cols, WantRows: k.Rows, WantCols: k.Rows}
	}
	if isSymmetric(k) {
		return nil
	}
	for i := range k.Rows {
		for j, v := range k.Row(i)[:i] {
			if w := k.At(j, i); v != w {
				return &NotSymmetricError{Row: i, Col: j, A: v, B: w}
			}
		}
	}
	return nil
}

// isSymmetric reports whether the square matrix k is symmetric, and has no NaN beside the
// diagonal.
func isSymmetric(k *matrix.Dense) bool {
	const side = 64 // of the squares whose rows and columns a cache holds
	team := block.TeamFor(k.Rows, k.Rows, 4)
	defer team.Close()
	var differ atomic.Bool
	team.Do((k.Rows+side-1)/side, func(task int) {
		first, last := task*side, min((task+1)*side, k.Rows)
		for left := 0; left < last && !differ.Load(); left += side {
			for i := first; i < last; i++ {
				for j, v := range k.Row(i)[left:max(left, min(left+side, i))] {
					if v != k.Data[(left+j)*k.Stride+i] {
						differ.Store(true)
						return
					}
				}
			}
		}
	})
	return !differ.Load()
}

func (k Precomputed) String() string { return toString(k) }
func (Precomputed) write(w *writer)  { w.open("precomputed"); w.close() }
