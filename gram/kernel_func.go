package gram

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// Func is a kernel of the caller's. It cannot be saved in a model file;
// FeatureMap can.
//
// A kernel is a symmetric function. So that rounding inside of K does not
// disturb that, K is always called with its two rows in one fixed order, that of
// their bits, and kernel matrices are exactly symmetric. Whether values have the
// same bits on every platform is up to K.
type Func struct {
	Name string // for String
	// K returns k(x, y). It must depend on x and y alone, must not change or keep
	// them, and must be safe for concurrent use. A panic reaches the caller of the
	// method that evaluates the kernel.
	K func(x, y []float64) float64
}

func (k Func) Validate() error {
	if k.K == nil {
		return &ParameterError{Kernel: "func", Parameter: "K", Reason: "is nil"}
	}
	return nil
}

func (k Func) validate(int) error                               { return k.Validate() }
func (k Func) resolve(*matrix.Dense, []float64) (Kernel, error) { return k, nil }
func (Func) rows(x *matrix.Dense) (rows, error)                 { return rows{x: x}, nil }

func (k Func) tile(dst tile, a rows, i0 int, b rows, j0 int) {
	for i := range dst.rows {
		row := dst.row(i)
		for j := range row {
			x, y := a.x.Row(i0+i), b.x.Row(j0+j)
			if bitsLess(y, x) {
				x, y = y, x
			}
			row[j] = k.K(x, y)
		}
	}
}

// bitsLess is a total order of rows: that of the first bits in which they
// differ, as unsigned integers.
func bitsLess(x, y []float64) bool {
	for k, v := range x {
		if p, q := math.Float64bits(v), math.Float64bits(y[k]); p != q {
			return p < q
		}
	}
	return false
}

func (k Func) String() string { return toString(k) }

func (k Func) write(w *writer) {
	w.unsavable(k, "a function cannot be saved; use a registered feature map, or save the kernel matrix")
	w.open("func")
	if k.Name != "" {
		w.quoted("name", k.Name)
	}
	w.close()
}
