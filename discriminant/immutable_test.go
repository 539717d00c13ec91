package discriminant_test

import (
	"context"
	"math"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// TestPriorsAreCopied checks that a model does not change with the slice of
// priors that it was fitted with.
func TestPriorsAreCopied(t *testing.T) {
	x := must.Get(matrix.FromRows([][]float64{{0}, {1}, {3}, {4}}))(t)
	priors := []float64{0.25, 0.75}
	m := must.Get(discriminant.Fit(context.Background(), discriminant.KFDA{Kernel: gram.RBF{Gamma: 1}, Priors: priors}, x, []int{0, 0, 1, 1}))(t)
	priors[0] = math.NaN()
	if got := discriminant.DetailsOf(m).Priors(); got[0] != 0.25 || got[1] != 0.75 {
		t.Errorf("priors %v after the caller changed his slice, want [0.25 0.75]", got)
	}
	if _, err := m.MarshalBinary(); err != nil {
		t.Errorf("after the caller changed his slice: %v", err)
	}
}
