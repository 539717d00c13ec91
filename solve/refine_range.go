package solve

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed92411348/kfda/matrix"
)

// inRange calls refine for the system AW = F with the columns of W and F times powers
// of two, where products of A and W, their rounding errors, or norms would leave the
// range of float64, and takes kw, where it is not nil, back with them. norm is ‖A‖_F. An
// element of F or W that is not finite, before or after, is a *matrix.NotFiniteError.
func inRange(norm float64, f *matrix.Dense, w []*matrix.Dense, kw *matrix.Dense, refine func(f *matrix.Dense) (Refinement, error)) (Refinement, error) {
	for _, part := range w {
		mustBe("Refine", "solution", part, f.Rows, f.Cols)
		mustBeApart("Refine", "right-hand side and solution", f, part)
	}
	if len(w) == 2 {
		mustBeApart("Refine", "real and imaginary part", w[0], w[1])
	}
	back := w
	if kw != nil {
		mustBe("Refine", "products", kw, f.Rows, f.Cols)
		for _, in := range append([]*matrix.Dense{f}, w...) {
			mustBeApart("Refine", "products and right-hand side or solution", kw, in)
		}
		back = append(slices.Clone(w), kw)
	}
	if err := checkSystem(f, w); err != nil {
		return Refinement{Forward: math.Inf(1)}, err
	}
	shifts, any := make([]int, f.Cols), false
	for c := range shifts {
		shifts[c] = columnShift(norm, columnMax(c, w...), columnMax(c, f))
		any = any || shifts[c] != 0
	}
	if any {
		f = f.Clone()
		shiftColumns(f, shifts, +1)
		for _, part := range w {
			shiftColumns(part, shifts, +1)
		}
	}
	out, err := refine(f)
	if any {
		for _, part := range back {
			shiftColumns(part, shifts, -1)
		}
	}
	if err != nil {
		return out, err
	}
	return out, checkSystem(f, w)
}

// Outside of 2^±safeProduct products and the residuals of their sums get a scale.
// topColumn is the exponent of the largest element that a column is scaled to.
const (
	safeProduct = 400
	topColumn   = 900
)

// columnShift returns the exponent of the power of two for a column of W with the
// largest magnitude w, whose column of F has the largest magnitude f.
func columnShift(norm, w, f float64) int {
	top := shiftTo(f, 0)
	if w != 0 && norm != 0 {
		product := shiftTo(norm, 0) + shiftTo(w, 0)
		if f == 0 {
			top = product
		}
		top = min(top, product)
	}
	room := min(shiftTo(w, topColumn), shiftTo(f, topColumn))
	if max(top, -top) <= safeProduct && room >= 0 {
		return 0
	}
	if w != 0 { // corrections of W and their residuals are smaller than W and products
		top = (top + shiftTo(w, 0)) / 2
	}
	return min(top, room)
}

// shiftColumns multiplies each column of a by 2^(sign·shift).
func shiftColumns(a *matrix.Dense, shifts []int, sign int) {
	for i := range a.Rows {
		row := a.Row(i)
		for c, s := range shifts {
			row[c] = math.Ldexp(row[c], sign*s)
		}
	}
}

// checkSystem returns a *matrix.NotFiniteError for the first element that is not
// finite.
func checkSystem(f *matrix.Dense, w []*matrix.Dense) error {
	if err := matrix.CheckFinite(f); err != nil {
		return fmt.Errorf("solve: Refine: right-hand side: %w", err)
	}
	for _, part := range w {
		if err := matrix.CheckFinite(part); err != nil {
			return fmt.Errorf("solve: Refine: solution: %w", err)
		}
	}
	return nil
}

// columnMax returns the largest magnitude in column c of the given matrices.
func columnMax(c int, parts ...*matrix.Dense) float64 {
	var m float64
	for _, a := range parts {
		for i := range a.Rows {
			m = max(m, math.Abs(a.Data[i*a.Stride+c]))
		}
	}
	return m
}
