package f64

import "fmt"

// SolveTile overwrites a whole tile x of the current TileShape, shape.Rows rows of
// shape.Cols values one after the other, by the solution of LX = B. For every
// column,
//
//	for i = 0 … Rows−1:  s = x[i];  for l = 0 … i−1: s ← F(−L[i,l], x[l], s)
//	                     x[i] = s / L[i,i]
//
// with L[i,l] = l[i·Rows+l].
func SolveTile(x, l []float64) {
	shape := TileShape()
	if len(x) < shape.Rows*shape.Cols || len(l) < shape.Rows*shape.Rows {
		panic(fmt.Sprintf("f64: SolveTile: len(x) = %d, len(l) = %d for a %d×%d tile", len(x), len(l), shape.Rows, shape.Cols))
	}
	solveTile(shape, x, l)
}

// solveTileGo is SolveTile in Go.
func solveTileGo(shape Shape, x, l []float64) {
	for i := range shape.Rows {
		xi, li := x[i*shape.Cols:][:shape.Cols], l[i*shape.Rows:][:i+1]
		for k, v := range li[:i] {
			for j, y := range x[k*shape.Cols:][:shape.Cols] {
				xi[j] = FMA(-v, y, xi[j])
			}
		}
		for j := range xi {
			xi[j] /= li[i]
		}
	}
}
