package trust

import (
	"math"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/must"
)

func TestWords(t *testing.T) {
	for _, c := range []struct {
		of       discriminant.Certificate
		said     []string
		warnings int
	}{
		{discriminant.Certificate{}, nil, 0},
		{discriminant.Certificate{Solver: "centred", Forward: 1.1e-16, Refinements: 1, KernelRounding: 3e-14}, []string{
			"The equations of the fit are solved to about 15 digits (refined once: relative error at most 1.1e-16).",
			"The rounding of the kernel values to 16 digits changes the solution by about 3e-14, which plays no part.",
		}, 0},
		{discriminant.Certificate{Backward: 2e-16, Refinements: 2, KernelRounding: 1e-3, EigenvalueError: 1, CutsCluster: true}, []string{
			"The equations of the fit are solved to about 15 digits (refined 2 times: relative error at most 2.0e-16).",
		}, 3},
		{discriminant.Certificate{Solver: ConjugateSolver, Refinements: 30, EigenvalueError: 1e-4}, []string{
			"The fit is by 30 steps of conjugate gradients, after which the relative error of the eigenvalues is at most 1.0e-04.",
		}, 0},
	} {
		said, warnings := Words(c.of)
		if !slices.Equal(said, c.said) || len(warnings) != c.warnings {
			t.Errorf("%+v: %q, warnings %q", c.of, said, warnings)
		}
	}
	for e, want := range map[float64]int{2: 0, 0.2: 0, 0.02: 1, 5e-9: 8, math.SmallestNonzeroFloat64: 323} {
		must.Equal(t, "digits", digits(e), want)
	}
}
