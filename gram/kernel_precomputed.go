package gram

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// Precomputed says that the kernel values are given: in place of the training
// rows stands their n×n kernel matrix, and in place of m new rows the m×n
// matrix of their kernel values with the training rows. It stands alone, not
// in a Sum, Product or Scaled. The kernel matrix may differ from its transpose by
// rounding, max(n, 64)·u·max|K| at most, u = 2⁻⁵³: each pair of entries then counts as
// the mean of both. For larger differences see [Symmetrize].
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

func (k Precomputed) resolve(*matrix.Dense, []float64) (Kernel, error) { return k, nil }
func (Precomputed) rows(x *matrix.Dense) (rows, error)                 { return rows{x: x}, nil }

func (Precomputed) tile(dst tile, a rows, i0 int, _ rows, j0 int) {
	for i := range dst.rows {
		row := a.x.Row(i0 + i)[j0 : j0+dst.cols]
		for j, v := range row {
			dst.row(i)[j] = v + 0 // −0 becomes +0: equal entries get equal bits
		}
	}
}

// symmetric returns the square matrix k where it is symmetric, and [Symmetrize] of it where
// no difference is above max(n, 64)·u·max|K|, u = 2⁻⁵³. That is rounding: kernels evaluated
// by matrix products, or centred, differ by that much from their transpose.
func symmetric(k *matrix.Dense) (*matrix.Dense, error) {
	n := k.Rows
	if n != k.Cols {
		return nil, &ShapeError{What: "precomputed kernel matrix", Rows: k.Rows, Cols: k.Cols, WantRows: n, WantCols: n}
	}
	if isSymmetric(k) {
		return k, nil
	}
	limit := float64(float64(float64(max(n, 64))*f64.Roundoff) * matrix.MaxAbs(k))
	for i := range n {
		for j, v := range k.Row(i)[:i] {
			if w := k.At(j, i); math.Abs(v-w) > limit {
				return nil, &NotSymmetricError{Row: i, Col: j, A: v, B: w}
			}
		}
	}
	return Symmetrize(nil, k), nil
}

// Symmetrize sets dst to (K + Kᵀ)/2 for the n×n matrix k and returns it. dst may be k,
// must not overlap it otherwise, and nil allocates it.
func Symmetrize(dst, k *matrix.Dense) *matrix.Dense {
	misuse.NotNil("gram: Symmetrize", "k", k)
	if k.Rows != k.Cols {
		panic(fmt.Sprintf("gram: Symmetrize: the matrix is %d×%d", k.Rows, k.Cols))
	}
	if dst == nil {
		dst = matrix.New(k.Rows, k.Rows)
	}
	dst.CopyFrom(k)
	for i := range dst.Rows {
		for j, v := range dst.Row(i)[:i] {
			if w := dst.At(j, i); v != w {
				mean := float64(0.5*v) + float64(0.5*w)
				dst.Set(i, j, mean)
				dst.Set(j, i, mean)
			}
		}
	}
	return dst
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
