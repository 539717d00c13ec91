package fisher

import (
	"math"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// Eigenvalues of a cluster come out in descending order to the last bit.
func TestSortPairs(t *testing.T) {
	lambda := []float64{3, 2, math.Nextafter(2, 3), 1}
	gamma, _ := matrix.FromRows([][]float64{{1, 2, 3, 4}, {5, 6, 7, 8}})
	sortPairs(lambda, gamma)
	if !slices.IsSortedFunc(lambda, func(a, b float64) int {
		if a > b {
			return -1
		}
		return 1
	}) {
		t.Errorf("eigenvalues %v", lambda)
	}
	must.EqualSlices(t, "vectors", gamma.Data, []float64{1, 3, 2, 4, 5, 7, 6, 8})
}

// The first entry within 2⁻²⁶ of the largest magnitude gets the sign +, one further below
// does not count.
func TestSignRule(t *testing.T) {
	for _, c := range []struct {
		below   float64 // what the first entry lies below the largest, relative to it
		negated bool
	}{{0, true}, {0x1p-27, true}, {0x1p-26, true}, {0x1.01p-26, false}, {0x1p-25, false}, {0.5, false}} {
		alpha := &matrix.Dense{Rows: 3, Cols: 1, Stride: 1, Data: []float64{0.25, -3 * (1 - c.below), 3}}
		want := append([]float64(nil), alpha.Data...)
		if c.negated {
			for i := range want {
				want[i] = -want[i]
			}
		}
		if got := fixSigns(alpha); got[0] != c.negated || !slices.Equal(alpha.Data, want) {
			t.Errorf("an entry %g below the largest: negated %v to %v, want %v", c.below, got[0], alpha.Data, c.negated)
		}
	}
}
