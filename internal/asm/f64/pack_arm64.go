//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

// transposeRows returns the number of rows that transposeBlocks works on, and how
// many of n rows such blocks make up.
func transposeRows(n int) (block, rows int) {
	if isa.Current() == isa.NEON {
		return 2, n &^ 1
	}
	return 1, 0
}

// transposeBlocks transposes a row of square blocks.
func transposeBlocks(dst *float64, ldd int, src *float64, lds, blocks int, flip uint64) {
	transpose2NEON(dst, ldd, src, lds, blocks, flip)
}

// copyCols returns how many of n columns copyRowCols can copy at once, and how many
// of the width places it then fills.
func copyCols(n, width int) (cols, places int) {
	if isa.Current() == isa.NEON && n >= 6 {
		cols = min(n&^1, 8)
	}
	return cols, cols
}

// copyRowCols copies rows of that many columns.
func copyRowCols(dst *float64, ldd int, src *float64, lds, cols, rows int, flip uint64) {
	copyRowsNEON(dst, ldd, src, lds, cols, rows, flip)
}

// copyPanels packs whole panels of rows that are contiguous in src, and reports
// whether it could.
func copyPanels(dst []float64, shape Shape, src Source, panels, k int) bool {
	if isa.Current() != isa.NEON {
		return false
	}
	copyPanelsNEON(&dst[0], shape.Cols*k, &src.Data[src.Start], src.ColStride, panels, k)
	return true
}

//go:noescape
func transpose2NEON(dst *float64, ldd int, src *float64, lds, blocks int, flip uint64)

//go:noescape
func copyRowsNEON(dst *float64, ldd int, src *float64, lds, cols, rows int, flip uint64)

//go:noescape
func copyPanelsNEON(dst *float64, ldd int, src *float64, lds, panels, rows int)
