package gram

import (
	"errors"
	"math"
	"testing"

	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// A kernel matrix may differ from its transpose by max(n, 64)·u·max|K|: the evaluator has
// the means then, and the caller's matrix stays as it is. More is refused by the entries.
func TestPrecomputedAveragesRounding(t *testing.T) {
	for _, n := range []int{2, 5, 16, 70, 150} {
		for _, size := range []float64{0x1p-900, 1, 0x1p900} {
			k := matrix.New(n, n)
			for i := range n {
				for j := range n {
					k.Set(i, j, size*math.Exp(-0.01*float64((i-j)*(i-j))))
				}
			}
			matrixtest.SameBits(t, "a symmetric matrix", must.Get(NewEvaluator(Precomputed{}, k))(t).X(), k)
			limit := float64(max(n, 64)) * 0x1p-53 * size
			i, j := n-1, n/3
			k.Set(i, j, 0.25*size+limit)
			k.Set(j, i, 0.25*size)
			before := k.Clone()
			e, err := NewEvaluator(Precomputed{}, k)
			if err != nil {
				t.Errorf("n = %d, max %g: %v", n, size, err)
				continue
			}
			matrixtest.SameBits(t, "the caller's matrix", k, before)
			whole := must.Get(e.Matrix(nil))(t)
			if mean := 0.125*size + (0.125*size + 0.5*limit); whole.At(i, j) != mean || whole.At(j, i) != mean {
				t.Errorf("n = %d: entries %v and %v, want their mean %v", n, whole.At(i, j), whole.At(j, i), mean)
			}
			matrixtest.SameBits(t, "Symmetrize", Symmetrize(nil, k), whole)
			k.Set(i, j, 0.25*size+limit+0x1p-53*size)
			var refused *NotSymmetricError
			if _, err := NewEvaluator(Precomputed{}, k); !errors.As(err, &refused) || refused.Row != i || refused.Col != j {
				t.Errorf("n = %d: a difference above the limit: %v", n, err)
			}
			matrixtest.SameBits(t, "Symmetrize in place", Symmetrize(k, k), must.Get(NewEvaluator(Precomputed{}, k))(t).X())
		}
	}
}
