package matrix

import (
	"fmt"
	"github.com/seed92411348/kfda/internal/misuse"
	"unsafe"
)

// A destination that shares elements with an operand would be read after it
// was overwritten. Views of one matrix may be neighbours, so what counts is
// whether the rectangles meet, not whether the slices do.

// same reports whether a and b are the same elements in the same places.
func same(a, b *Dense) bool {
	if a.Rows != b.Rows || a.Cols != b.Cols {
		return false
	}
	if a.Rows == 0 || a.Cols == 0 {
		return true
	}
	return &a.Data[0] == &b.Data[0] && (a.Stride == b.Stride || a.Rows == 1)
}

// Overlap reports whether a and b share an element. Rectangles of different
// strides on one stretch of memory are taken to overlap.
func Overlap(a, b *Dense) bool {
	misuse.NotNil("matrix: Overlap", "a", a, "b", b)
	if a.Rows == 0 || a.Cols == 0 || b.Rows == 0 || b.Cols == 0 {
		return false
	}
	a0, b0 := address(a.Data), address(b.Data)
	if a0 > b0 {
		a, b, a0, b0 = b, a, b0, a0
	}
	shift := int(b0-a0) / 8 // elements from the start of a to the start of b
	if shift >= (a.Rows-1)*a.Stride+a.Cols {
		return false
	}
	if a.Rows > 1 && b.Rows > 1 && a.Stride != b.Stride {
		return true
	}
	col := shift % a.Stride // the column of a at which b starts
	return col < a.Cols || col+b.Cols > a.Stride
}

func address(x []float64) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(x))) }

func mustNotOverlap(op, dstName string, dst *Dense, srcName string, src *Dense) {
	if Overlap(dst, src) {
		panic(fmt.Sprintf("matrix: %s: %s (%d×%d) overlaps %s (%d×%d)",
			op, dstName, dst.Rows, dst.Cols, srcName, src.Rows, src.Cols))
	}
}

// vectorOf returns x as a 1×len(x) matrix.
func vectorOf(x []float64) *Dense { return &Dense{Rows: 1, Cols: len(x), Stride: len(x), Data: x} }
