package solve

import (
	"fmt"
	"math"

	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// Orthonormalize makes the nearly orthonormal columns of the n×k matrix v
// orthonormal to working accuracy, by the Gram–Schmidt method with
// reorthogonalization ("twice is enough": Giraud, Langou, Rozložník & van den
// Eshof, Numer. Math. 101, 2005). Column j changes only by multiples of the
// columns before it and a factor near one, so the leading columns keep their
// directions. The columns must be linearly independent to working accuracy; one
// that vanishes is left zero. Cost: 4nk² flops.
func Orthonormalize(v *matrix.Dense) {
	misuse.NotNil("solve: Orthonormalize", "v", v)
	if v.Cols > v.Rows {
		panic(fmt.Sprintf("solve: Orthonormalize: %d×%d matrix has more columns than rows", v.Rows, v.Cols))
	}
	w := columnsOf(v, 0)
	for j, x := range w {
		for range 2 {
			for _, q := range w[:j] {
				h := matrix.Dot(q, x)
				for i, y := range q {
					x[i] = math.FMA(-h, y, x[i])
				}
			}
		}
		norm := math.Sqrt(matrix.SumSquares(x))
		if norm > 0 {
			for i := range x {
				x[i] /= norm
			}
		}
		for i, y := range x {
			v.Row(i)[j] = y
		}
	}
}
