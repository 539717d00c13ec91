package discriminant_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/golden"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// The inputs of errors.json, which are about discriminants, give principal
// components and regressions that are finite, or an error.
func TestGoldenErrorsKernelPCAAndRidge(t *testing.T) {
	ctx := context.Background()
	for _, c := range golden.Errors(t) {
		field := "X"
		if c.Input.Has("K") {
			field = "K"
		}
		x, err := matrix.FromRows(c.Input.Rows(field))
		if err != nil {
			continue // rows of unequal length
		}
		kernel, got := must.Get(gram.Parse(c.Input.Kernel().Text()))(t), ""
		answered := func(err error) bool {
			if err != nil {
				got += "-"
				return false
			}
			got += "+"
			return true
		}
		for _, components := range []int{0, 1} {
			m, err := discriminant.FitKernelPCA(ctx, discriminant.KernelPCA{Kernel: kernel, Components: components}, x)
			if !answered(err) {
				continue
			}
			if z, err := m.Project(nil, x); err == nil && !finite(z) || !finite(vector(m.Eigenvalues())) || !finite(vector(m.ExplainedRatio())) || !finite(m.Alpha()) {
				t.Errorf("%s: kernel PCA: a value is not finite", c.Name)
			}
		}
		for _, reg := range []discriminant.Regularizer{{}, discriminant.Ridge(c.Input.Float("eps"))} {
			for _, intercept := range []discriminant.Intercept{discriminant.FittedIntercept(), discriminant.NoIntercept()} {
				method := discriminant.KernelRidge{Kernel: kernel, Regularizer: reg, Intercept: intercept}
				m, err := discriminant.Fit(ctx, method, x, c.Input.Ints("y"))
				if !answered(err) {
					continue
				}
				if z, err := m.Project(nil, x); err == nil && !finite(z) || !finite(discriminant.DetailsOf(m).Alpha()) || !finite(vector(m.Details().(discriminant.KernelRidgeDetails).Intercept())) {
					t.Errorf("%s: kernel ridge: a value is not finite", c.Name)
				}
				if f, err := discriminant.LeaveOneOut(ctx, method, x, c.Input.Ints("y")); err == nil && !finite(f) {
					t.Errorf("%s: leave-one-out: a value is not finite", c.Name)
				}
			}
		}
		must.Equal(t, fmt.Sprintf("%s: answered", c.Name), got, answers[c.Name])
	}
}

// answers has for each input which fits are answered, +, and which refused: kernel PCA with
// all and with one component, kernel ridge with the default ridge and ε, each with and
// without an intercept.
var answers = map[string]string{
	"single_class": "++----", "length_mismatch": "++----", // without labels there is nothing wrong
	"empty": "------", "nan_feature": "------", "inf_feature": "------", "poly_overflow": "------", "chi2_negative": "------",
	"precomputed_not_square": "------", "precomputed_asymmetric": "------",
	"negative_eps": "++++--", "one_each_eps0": "++++--", "rank_deficient_eps0": "++++--",
	"square_overflow":         "++++--", // ε is below the rounding of K
	"identical_points":        "---+++", // the centred kernel matrix is 0
	"xor_linear_no_direction": "++++++", "components_too_many": "++++++", "test_dimension": "++++++", "zero_norm_cosine": "++++++",
}
