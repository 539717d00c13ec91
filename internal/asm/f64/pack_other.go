//go:build purego || !(amd64 || arm64)

package f64

// No rows are left to registers.

func transposeRows(n int) (block, rows int) { return 1, 0 }

func transposeBlocks(dst *float64, ldd int, src *float64, lds, blocks int, flip uint64) {}

func copyCols(n, width int) (cols, places int) { return 0, 0 }

func copyRowCols(dst *float64, ldd int, src *float64, lds, cols, rows int, flip uint64) {}

func copyPanels(dst []float64, shape Shape, src Source, panels, k int) bool { return false }
