package discriminant_test

import (
	"context"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/golden"
	"github.com/seed92411348/kfda/matrix"
)

// The inputs of errors.json, which are about discriminants, give principal
// components and regressions that are finite, or an error.
func TestGoldenErrorsKernelPCAAndRidge(t *testing.T) {
	for _, c := range golden.Errors(t) {
		field := "X"
		if c.Input.Has("K") {
			field = "K"
		}
		x, err := matrix.FromRows(c.Input.Rows(field))
		if err != nil {
			continue // rows of unequal length
		}
		kernel := goldenKernel(t, c.Input.Kernel())
		for _, components := range []int{0, 1} {
			m, err := discriminant.FitKernelPCA(context.Background(), discriminant.KernelPCA{Kernel: kernel, Components: components}, x)
			if err != nil {
				continue
			}
			if z, err := m.Project(nil, x); err == nil && !finite(z) || !finite(vector(m.Eigenvalues())) || !finite(vector(m.ExplainedRatio())) || !finite(m.Alpha()) {
				t.Errorf("%s: kernel PCA: a value is not finite", c.Name)
			}
		}
		for _, reg := range []discriminant.Regularizer{{}, discriminant.Ridge(c.Input.Float("eps"))} {
			for _, intercept := range []discriminant.Intercept{discriminant.FittedIntercept(), discriminant.NoIntercept()} {
				m, err := discriminant.Fit(context.Background(), discriminant.KernelRidge{Kernel: kernel, Regularizer: reg, Intercept: intercept}, x, c.Input.Ints("y"))
				if err != nil {
					continue
				}
				if z, err := m.Project(nil, x); err == nil && !finite(z) || !finite(m.Alpha()) || !finite(vector(m.Intercept())) {
					t.Errorf("%s: kernel ridge: a value is not finite", c.Name)
				}
				if f, err := discriminant.LeaveOneOut(context.Background(), discriminant.KernelRidge{Kernel: kernel, Regularizer: reg, Intercept: intercept}, x, c.Input.Ints("y")); err == nil && !finite(f) {
					t.Errorf("%s: leave-one-out: a value is not finite", c.Name)
				}
			}
		}
	}
}
