//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

// transposeRows returns the number of rows that transposeBlocks works on, and how
// many of n rows such blocks make up.
func transposeRows(n int) (block, rows int) {
	switch isa.Current() {
	case isa.AVX512:
		return 8, n &^ 7
	case isa.AVX2:
		return 4, n &^ 3
	}
	return 1, 0
}

// transposeBlocks transposes a row of square blocks.
func transposeBlocks(dst *float64, ldd int, src *float64, lds, blocks int, flip uint64) {
	if isa.Current() == isa.AVX512 {
		transpose8AVX512(dst, ldd, src, lds, blocks, flip)
	} else {
		transpose4AVX2(dst, ldd, src, lds, blocks, flip)
	}
}

// copyCols returns how many of n columns copyRowCols can copy at once, and how many
// of the width places it then fills.
func copyCols(n, width int) (cols, places int) {
	switch isa.Current() {
	case isa.AVX512:
		cols = min(n, 24)
		if places = (cols + 7) &^ 7; places > width {
			cols &^= 7
			places = cols
		}
		return cols, places
	case isa.AVX2:
		cols = min(n&^3, 12)
		return cols, cols
	}
	return 0, 0
}

// copyRowCols copies rows of that many columns.
func copyRowCols(dst *float64, ldd int, src *float64, lds, cols, rows int, flip uint64) {
	if isa.Current() == isa.AVX512 {
		copyRowsAVX512(dst, ldd, src, lds, cols, rows, flip)
	} else {
		copyRowsAVX2(dst, ldd, src, lds, cols, rows, flip)
	}
}

// copyPanels packs whole panels of rows that are contiguous in src, and reports
// whether it could.
func copyPanels(dst []float64, shape Shape, src Source, panels, k int) bool {
	switch isa.Current() {
	case isa.AVX512:
		copyPanelsAVX512(&dst[0], shape.Cols*k, &src.Data[src.Start], src.ColStride, panels, k)
	case isa.AVX2:
		copyPanelsAVX2(&dst[0], shape.Cols*k, &src.Data[src.Start], src.ColStride, panels, k)
	default:
		return false
	}
	return true
}

//go:noescape
func transpose8AVX512(dst *float64, ldd int, src *float64, lds, blocks int, flip uint64)

//go:noescape
func transpose4AVX2(dst *float64, ldd int, src *float64, lds, blocks int, flip uint64)

//go:noescape
func copyRowsAVX512(dst *float64, ldd int, src *float64, lds, cols, rows int, flip uint64)

//go:noescape
func copyRowsAVX2(dst *float64, ldd int, src *float64, lds, cols, rows int, flip uint64)

//go:noescape
func copyPanelsAVX512(dst *float64, ldd int, src *float64, lds, panels, rows int)

//go:noescape
func copyPanelsAVX2(dst *float64, ldd int, src *float64, lds, panels, rows int)
