package fisher

import (
	"testing"

	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

func TestFirstEqual(t *testing.T) {
	k := matrix.New(6, 2)
	for i, row := range [][]float64{{1, 2}, {0, 3}, {1, 2}, {1, -2}, {0, 3}, {1, 2}} {
		copy(k.Row(i), row)
	}
	must.EqualSlices(t, "first equal rows", firstEqual(k), []int{0, 1, 0, 3, 1, 0})
}
