package discriminant

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
)

// With averaged scatter N is formed, so that its rounding governs: a ridge that is
// small against it is refused, and the certificate owns up to the condition number.
func TestAveragedScatterRefusesSmallRidges(t *testing.T) {
	x, codes := blobs(12, 2, 2)
	for _, ridge := range []float64{1e-14, 1e-16, 1e-18} {
		_, err := Fit(context.Background(), KFDA{Kernel: gram.Linear{}, Scatter: AveragedScatter, Regularizer: Ridge(ridge)}, x, codes)
		must.Fail[*AccuracyError](t, fmt.Sprintf("ridge %g", ridge), err)
	}
	m := mustFit(t, KFDA{Kernel: gram.Linear{}, Scatter: AveragedScatter, Regularizer: Ridge(1e-6)}, x, codes)
	if c := DetailsOf(m).Certificate(); c.EigenvalueError < u*c.CondBound || c.KernelRounding < u*c.CondBound {
		t.Errorf("certificate %+v: errors below u times the condition number", c)
	}
}

// Extreme priors move the threshold far, never out of the numbers.
func TestExtremePriors(t *testing.T) {
	x, codes := blobs(20, 2, 2)
	for _, priors := range [][]float64{{1, 5e-324}, {5e-324, 1}} {
		m := mustFit(t, KFDA{Priors: priors}, x, codes)
		d := must.Get(m.Decision(nil, x))(t)
		for i, v := range d {
			if math.IsNaN(v) || math.IsInf(v, 0) || (v > 0) != (priors[1] == 1) {
				t.Errorf("priors %v: row %d has the decision %v", priors, i, v)
			}
		}
		if _, err := m.MarshalBinary(); err != nil {
			t.Errorf("priors %v: %v", priors, err)
		}
	}
}

// A fit that is cancelled before it starts does no work.
func TestCancelledFit(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	x, codes := blobs(40, 2, 2)
	for name, m := range savedModels {
		if _, err := Fit(ctx, m, x, codes); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v, want that of the context", name, err)
		}
	}
}

// A bound C·weight that underflows to 0 would leave no row to support a machine.
func TestVanishingBounds(t *testing.T) {
	x, codes := blobs(6, 1, 2)
	for _, m := range []SVM{{C: 1e-200, Weights: []float64{1, 1e-200}}, {C: 5e-324, Weights: []float64{0.1, 0.1}}} {
		must.Refuse[*ParameterError](Fit(context.Background(), m, x, codes))(t, fmt.Sprintf("%v", m))
	}
	mustFit(t, SVM{Weights: []float64{1, 2}}, x, codes)
}
