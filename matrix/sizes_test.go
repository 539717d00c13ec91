package matrix

import (
	"fmt"
	"math"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
)

// The sizes of a matrix, rows of which differ by hundreds of orders of magnitude, are those
// of MaxAbs and, to the rounding of a sum of 24 squares, of the norm that is summed in
// units of the largest element, also of a multiple beyond the range of float64.
func TestSizes(t *testing.T) {
	a := New(4, 6)
	for i := range a.Rows {
		for j := range a.Cols {
			a.Set(i, j, math.Ldexp(float64(1+i*j)-3.5, 300*i-600))
		}
	}
	for _, rows := range []int{0, 1, 4} {
		a := a.View(0, 0, rows, 6)
		sizes := NewSizes(rows)
		for i := range rows {
			sizes.Add(i, a.Row(i))
		}
		must.Equal(t, fmt.Sprintf("%d rows: largest", rows), sizes.MaxAbs(), MaxAbs(a))
		unit, sum := max(MaxAbs(a), 0x1p-1000), 0.0
		for i := range rows {
			for _, v := range a.Row(i) {
				sum += float64((v / unit) * (v / unit))
			}
		}
		want := float64(math.Sqrt(sum) * unit)
		for _, exp := range []int{0, -200, 600} {
			if got, want := sizes.NormFrobenius(exp), math.Ldexp(want, exp); math.Abs(got-want) > 24*0x1p-53*want && got != want {
				t.Errorf("%d rows: norm of 2^%d times the matrix %g, want %g", rows, exp, got, want)
			}
		}
	}
}
