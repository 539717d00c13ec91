package f64

import (
	"fmt"
	"math"
	"unsafe"
)

// Source is a matrix that is read for packing: element (i, l) is
// Data[Start + i·RowStride + l·ColStride]. Strides may be negative, which walks
// rows or columns backwards.
type Source struct {
	Data                        []float64
	Start, RowStride, ColStride int
}

// Pack copies n rows and k columns of src, from its element (0, 0), into a panel
// of the given width, negated where negate is set:
//
//	dst[l·width+i] = ±src(i, l) for i < n, +0 for n ≤ i < width    l = 0 … k−1
//
// A panel of A holds rows of A in this way, a panel of B the rows of Bᵀ.
func Pack(dst []float64, width int, src Source, n, k int, negate bool) {
	if n < 0 || n > width || k < 0 || len(dst) < k*width {
		panic(fmt.Sprintf("f64: Pack: %d rows and %d columns in a panel of width %d, len(dst) = %d", n, k, width, len(dst)))
	}
	if k == 0 || width == 0 {
		return
	}
	src.pack(dst, width, width, n, k, negate)
}

// PackPairs packs two matrices of n rows and k columns into one panel, their columns
// in turn:
//
//	dst[2l·width+i] = first(i, l),  dst[(2l+1)·width+i] = second(i, l)    i < n
//
// with +0 for n ≤ i < width, for l = 0 … k−1.
func PackPairs(dst []float64, width int, first, second Source, n, k int) {
	if n < 0 || n > width || k < 0 || len(dst) < 2*k*width {
		panic(fmt.Sprintf("f64: PackPairs: %d rows and twice %d columns in a panel of width %d, len(dst) = %d", n, k, width, len(dst)))
	}
	if k == 0 || width == 0 {
		return
	}
	first.pack(dst, 2*width, width, n, k, false)
	second.pack(dst[width:], 2*width, width, n, k, false)
}

// CopyRows copies rows rows of n values, lds apart in src and ldd apart in dst,
// negated where negate is set. Nothing else in dst is written, and the two must not
// overlap.
func CopyRows(dst []float64, ldd int, src []float64, lds, rows, n int, negate bool) {
	if rows <= 0 || n <= 0 {
		return
	}
	if len(src) < (rows-1)*lds+n || len(dst) < (rows-1)*ldd+n {
		panic(fmt.Sprintf("f64: CopyRows: %d rows of %d, lds = %d, len(src) = %d, ldd = %d, len(dst) = %d", rows, n, lds, len(src), ldd, len(dst)))
	}
	Source{Data: src, RowStride: 1, ColStride: lds}.pack(dst, ldd, n, n, rows, negate)
}

// pack copies n rows and k columns of s, both positive but for n = 0, into a panel of
// the given width whose steps are ldd apart.
func (s Source) pack(dst []float64, ldd, width, n, k int, negate bool) {
	var flip uint64
	if negate {
		flip = 1 << 63
	}
	done := 0 // rows that are packed
	if n > 0 {
		s.check(n, k)
		switch {
		case s.ColStride == 1:
			var block int
			block, done = transposeRows(n)
			for i := 0; i < done; i += block {
				transposeStrip(dst, i, ldd, s.Data, s.Start+i*s.RowStride, s.RowStride, block, k, flip)
			}
		case s.ColStride == -1:
			// The columns from the last to the first, into steps from the last to the first.
			var block int
			block, done = transposeRows(n)
			for i := 0; i < done; i += block {
				transposeStrip(dst, (k-1)*ldd+i, -ldd, s.Data, s.Start+i*s.RowStride-(k-1), s.RowStride, block, k, flip)
			}
		case s.RowStride == 1:
			done = copyRows(dst, ldd, width, s.Data, s.Start, s.ColStride, n, k, flip)
		}
	}
	if done == width {
		return
	}
	for l := range k {
		at := s.Start + l*s.ColStride
		step := dst[l*ldd : l*ldd+width]
		for i := done; i < n; i++ {
			step[i] = flipped(s.Data[at+i*s.RowStride], flip)
		}
		clear(step[n:])
	}
}

// PackPanels packs n columns of B into panels of shape.Cols columns, each k steps
// long and right behind the one before; the last is as wide as PanelWidth of its
// columns. src is Bᵀ: what Pack gets for the first panel.
func PackPanels(dst []float64, shape Shape, src Source, n, k int) {
	done := 0
	if whole := n / shape.Cols; src.RowStride == 1 && whole > 0 && k > 0 {
		if len(dst) < whole*shape.Cols*k {
			panic(fmt.Sprintf("f64: PackPanels: %d columns, %d steps, len(dst) = %d", n, k, len(dst)))
		}
		src.check(whole*shape.Cols, k)
		// A row of B at a time, through all panels: it is contiguous.
		if copyPanels(dst, shape, src, whole, k) {
			done = whole * shape.Cols
		}
	}
	for j := done; j < n; j += shape.Cols {
		cols := min(shape.Cols, n-j)
		panel := src
		panel.Start += j * src.RowStride
		Pack(dst[j*k:], shape.PanelWidth(cols), panel, cols, k, false)
	}
}

// check panics unless the elements (0, 0) to (n−1, k−1) are in the data.
func (s Source) check(n, k int) {
	r, c := (n-1)*s.RowStride, (k-1)*s.ColStride
	first := s.Start + min(r, 0) + min(c, 0)
	last := s.Start + max(r, 0) + max(c, 0)
	if first < 0 || last >= len(s.Data) {
		panic(fmt.Sprintf("f64: Pack: %d×%d elements from %d on with strides %d and %d reach from %d to %d of %d",
			n, k, s.Start, s.RowStride, s.ColStride, first, last, len(s.Data)))
	}
}

// Transpose stores the transpose of the rows×cols elements of src in dst:
//
//	dst[j·ldd+i] = src[i·lds+j]    i < rows, j < cols
//
// The two must not overlap.
func Transpose(dst []float64, ldd int, src []float64, lds, rows, cols int) {
	if rows <= 0 || cols <= 0 {
		return
	}
	if len(src) < (rows-1)*lds+cols || len(dst) < (cols-1)*ldd+rows {
		panic(fmt.Sprintf("f64: Transpose: %d×%d elements, lds = %d, len(src) = %d, ldd = %d, len(dst) = %d",
			rows, cols, lds, len(src), ldd, len(dst)))
	}
	block, done := transposeRows(rows)
	for i := 0; i < done; i += block {
		transposeStrip(dst, i, ldd, src, i*lds, lds, block, cols, 0)
	}
	for i := done; i < rows; i++ {
		for j, v := range src[i*lds : i*lds+cols] {
			dst[j*ldd+i] = v
		}
	}
}

// transposeStrip transposes the rows of one block of transposeRows, flipping bits:
//
//	dst[to+j·ldd+i] = src[from+i·lds+j]    i < block, j < cols
func transposeStrip(dst []float64, to, ldd int, src []float64, from, lds, block, cols int, flip uint64) {
	whole := cols / block
	if whole > 0 {
		transposeBlocks(&dst[to], ldd, &src[from], lds, whole, flip)
	}
	for j := whole * block; j < cols; j++ {
		for i := range block {
			dst[to+j*ldd+i] = flipped(src[from+i*lds+j], flip)
		}
	}
}

// transpose4Go is the kernel in Go. ldd may be negative.
func transpose4Go(dst *float64, ldd int, src *float64, lds, blocks int, flip uint64) {
	s := unsafe.Slice(src, 3*lds+4*blocks)
	row := func(i int) []float64 { return s[i*lds:][:4*blocks] }
	s0, s1, s2, s3 := row(0), row(1), row(2), row(3)
	for j := range s0 {
		d := (*[4]float64)(unsafe.Add(unsafe.Pointer(dst), 8*j*ldd))
		d[0], d[1], d[2], d[3] = flipped(s0[j], flip), flipped(s1[j], flip), flipped(s2[j], flip), flipped(s3[j], flip)
	}
}

// copyRows packs as many of n columns of rows that are contiguous in src as go
// through registers, and returns how many of the panel's width places it has
// filled:
//
//	dst[l·ldd+j] = src[from+l·lds+j]    l < rows
func copyRows(dst []float64, ldd, width int, src []float64, from, lds, n, rows int, flip uint64) (done int) {
	cols, done := copyCols(n, width)
	if cols > 0 {
		copyRowCols(&dst[0], ldd, &src[from], lds, cols, rows, flip)
	}
	return done
}

func flipped(x float64, flip uint64) float64 {
	return math.Float64frombits(math.Float64bits(x) ^ flip)
}
