package solve

import (
	"math"

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
	w := columnsOf(v, 1)
	for j, x := range w {
		for range 2 {
			for _, q := range w[:j] {
				h := scaledDot(q, 1, x, 1)
				for i, y := range q {
					x[i] = math.FMA(-h, y, x[i])
				}
			}
		}
		norm := math.Sqrt(scaledDot(x, 1, x, 1))
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
