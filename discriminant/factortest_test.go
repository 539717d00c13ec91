package discriminant_test

import (
	"fmt"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
)

// With leave-one-out projections, and for a few ridges in the RKHS, what TestPath says of
// new rows is what single fits and their models say, for every kind of classifier, two
// and three classes, equal rows, and ridges far below and above the kernel values.
func TestTestPathOfFactorizations(t *testing.T) {
	kernel := gram.RBF{Gamma: 0.3}
	regs := []discriminant.Regularizer{discriminant.RelativeRKHS(1e-5), discriminant.RKHS(1), discriminant.RelativeRKHS(1000)}
	for _, classifier := range []discriminant.Classifier{
		nil, discriminant.NearestCentroid{}, discriminant.Gaussian{}, discriminant.Gaussian{PerClass: true},
		discriminant.KNN{K: 3}, discriminant.SVM{Tolerance: 1e-9},
	} {
		for _, leaveOneOut := range []bool{false, true} {
			for _, counts := range [][]int{{14, 11}, {14, 11, 9}, {12, 1, 9}} {
				what := fmt.Sprintf("%v, leave-one-out %v, %v", classifier, leaveOneOut, counts)
				x, codes := blobs(51, 3, counts...)
				copy(x.Row(1), x.Row(0))
				k := must.Get(gram.Matrix(nil, kernel, x))(t)
				y := must.Get(gram.Cross(nil, kernel, rows(52, 25, 3), x))(t)
				method := discriminant.KFDA{Kernel: gram.Precomputed{}, Classifier: classifier, LeaveOneOut: leaveOneOut}
				tests := must.Get(discriminant.TestPath(t.Context(), method, k.Clone(), codes, y, regs))(t)
				for i, reg := range regs {
					method.Regularizer = reg
					want, got := fit(t, method, k, codes), tests[i]
					if got.Err != nil {
						t.Errorf("%s, %v: %v", what, reg, got.Err)
						continue
					}
					for r, label := range predict(t, want, y) {
						if got.Predictions[r] != label {
							t.Errorf("%s, %v: row %d is %v, want %v", what, reg, r, got.Predictions[r], label)
						}
					}
					posteriors, err := want.Posteriors(nil, y)
					if (err == nil) != (got.Posteriors != nil) {
						t.Errorf("%s, %v: posteriors %v, a model has the error %v", what, reg, got.Posteriors, err)
					} else if err == nil {
						if e := largestDifference(posteriors, got.Posteriors); !(e <= 1e4*discriminant.DetailsOf(want).Certificate().KernelRounding+1e4*u) {
							t.Errorf("%s, %v: posteriors differ by %.3g", what, reg, e)
						}
					}
				}
			}
		}
	}
}

// Ridges that have no fit of their own have an error, and the others a result.
func TestTestPathOfFactorizationsErrors(t *testing.T) {
	x, codes := blobs(53, 2, 8, 7)
	copy(x.Row(1), x.Row(0)) // a singular matrix
	k := must.Get(gram.Matrix(nil, gram.RBF{Gamma: 0.3}, x))(t)
	method := discriminant.KFDA{Kernel: gram.Precomputed{}}
	regs := []discriminant.Regularizer{discriminant.RKHS(1e-40), discriminant.RKHS(1)}
	tests, err := discriminant.TestPath(t.Context(), method, k.Clone(), codes, k, regs)
	if err != nil || !is[*discriminant.RidgeError](tests[0].Err) || tests[0].Predictions != nil || tests[1].Err != nil {
		t.Errorf("a ridge below the rounding of K: %v, %v", tests, err)
	}
	method.LeaveOneOut = true
	if _, err := discriminant.TestPath(t.Context(), method, k, codes, k, []discriminant.Regularizer{discriminant.Ridge(1)}); !is[*discriminant.ParameterError](err) {
		t.Errorf("leave-one-out with a ridge on the coefficients: %v", err)
	}
}
