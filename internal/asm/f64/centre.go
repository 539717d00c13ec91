package f64

import "fmt"

// Centre centres a row of a symmetric matrix, given the means of the matrix's rows y,
// that of this row m and that of all g: for all j,
//
//	x[j] ← fl(fl(x[j] − fl(m + y[j])) + g)
//
// x and y have the same length and do not overlap.
func Centre(x, y []float64, m, g float64) {
	if len(x) != len(y) {
		panic(fmt.Sprintf("f64: Centre: a row of %d with means of %d", len(x), len(y)))
	}
	for chunk, rest := cut(x); len(chunk) > 0; chunk, rest = cut(rest) {
		whole := centreWhole(len(chunk))
		if whole > 0 {
			centre(&chunk[0], &y[0], m, g, whole)
		}
		centreGo(chunk[whole:], y[whole:], m, g)
		y = y[len(chunk):]
	}
}

// centreGo is Centre in Go.
func centreGo(x, y []float64, m, g float64) {
	for j, v := range x {
		x[j] = (v - (m + y[j])) + g
	}
}
