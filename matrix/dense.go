package matrix

import (
	"fmt"
	"math"

	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/internal/pages"
)

// Dense is a row-major matrix: element (i, j) is Data[i*Stride+j]. A view
// shares Data with the matrix that it was taken from. The zero value is the
// 0×0 matrix.
type Dense struct {
	Rows, Cols int
	Stride     int // distance between the starts of two rows, ≥ Cols
	Data       []float64
}

// New returns a rows×cols matrix of zeros.
func New(rows, cols int) *Dense {
	if rows < 0 || cols < 0 {
		panic(fmt.Sprintf("matrix: New: negative size %d×%d", rows, cols))
	}
	if cols > 0 && rows > math.MaxInt/8/cols {
		panic(fmt.Sprintf("matrix: New: %d×%d is more than memory can hold", rows, cols))
	}
	return &Dense{Rows: rows, Cols: cols, Stride: cols, Data: pages.Floats(rows * cols)}
}

// FromRows copies rows, which must all have the same length, into a matrix. A
// row of another length is a *RaggedError.
func FromRows(rows [][]float64) (*Dense, error) {
	if len(rows) == 0 {
		return New(0, 0), nil
	}
	a := New(len(rows), len(rows[0]))
	for i, row := range rows {
		if len(row) != a.Cols {
			return nil, &RaggedError{Row: i, Got: len(row), Want: a.Cols}
		}
		copy(a.Row(i), row)
	}
	return a, nil
}

// Column returns values as a matrix of one column, without copying them.
func Column(values []float64) *Dense {
	return &Dense{Rows: len(values), Cols: 1, Stride: 1, Data: values}
}

// At returns element (i, j).
func (a *Dense) At(i, j int) float64 {
	a.check(i, j)
	return a.Data[i*a.Stride+j]
}

// Set stores v as element (i, j).
func (a *Dense) Set(i, j int, v float64) {
	a.check(i, j)
	a.Data[i*a.Stride+j] = v
}

func (a *Dense) check(i, j int) {
	if uint(i) >= uint(a.Rows) || uint(j) >= uint(a.Cols) {
		panic(fmt.Sprintf("matrix: element (%d, %d) of a %d×%d matrix", i, j, a.Rows, a.Cols))
	}
}

// Row returns row i, of length Cols; it shares the matrix's data. A row of a
// matrix without columns is nil.
func (a *Dense) Row(i int) []float64 {
	if uint(i) >= uint(a.Rows) {
		panic(fmt.Sprintf("matrix: row %d of a %d×%d matrix", i, a.Rows, a.Cols))
	}
	if a.Cols == 0 {
		return nil
	}
	lo := i * a.Stride
	return a.Data[lo : lo+a.Cols : lo+a.Cols]
}

// View returns the rows×cols block whose first element is (i, j); it shares
// the matrix's data.
func (a *Dense) View(i, j, rows, cols int) *Dense {
	if i < 0 || j < 0 || rows < 0 || cols < 0 || i+rows > a.Rows || j+cols > a.Cols {
		panic(fmt.Sprintf("matrix: View: block %d×%d at (%d, %d) of a %d×%d matrix", rows, cols, i, j, a.Rows, a.Cols))
	}
	v := &Dense{Rows: rows, Cols: cols, Stride: a.Stride}
	if rows > 0 && cols > 0 {
		lo := i*a.Stride + j
		v.Data = a.Data[lo : lo+(rows-1)*a.Stride+cols]
	}
	return v
}

// Clone returns a copy with Stride = Cols.
func (a *Dense) Clone() *Dense {
	c := New(a.Rows, a.Cols)
	c.CopyFrom(a)
	return c
}

// CopyFrom copies b, of the same shape, into a. The two may be the same
// matrix but may not overlap otherwise.
func (a *Dense) CopyFrom(b *Dense) {
	misuse.NotNil("matrix: Dense.CopyFrom", "b", b)
	if a.Rows != b.Rows || a.Cols != b.Cols {
		panic(fmt.Sprintf("matrix: CopyFrom: %d×%d from %d×%d", a.Rows, a.Cols, b.Rows, b.Cols))
	}
	if same(a, b) {
		return
	}
	mustNotOverlap("CopyFrom", "the destination", a, "the source", b)
	for i := range a.Rows {
		copy(a.Row(i), b.Row(i))
	}
}

// Zero sets every element to +0; what lies between the rows is left alone.
func (a *Dense) Zero() {
	for i := range a.Rows {
		clear(a.Row(i))
	}
}
