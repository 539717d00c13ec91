package discriminant_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// What a path says of new rows is what the single fits say, for every kind of
// classifier, for two and for three classes, with a ridge on the coefficients and in
// the RKHS.
func TestTestPath(t *testing.T) {
	kernel := gram.RBF{Gamma: 0.3}
	ridges := []discriminant.Regularizer{discriminant.RelativeRidge(1e-4), discriminant.Ridge(0.1), discriminant.Shrink(0.25), discriminant.RelativeRidge(10)}
	rkhs := []discriminant.Regularizer{discriminant.RelativeRKHS(1e-4), discriminant.RKHS(1)}
	for what, c := range map[string]struct {
		method discriminant.KFDA
		counts []int
		regs   []discriminant.Regularizer
	}{
		"centroids":              {discriminant.KFDA{}, []int{14, 11, 9}, ridges},
		"centroids, 1 component": {discriminant.KFDA{Components: 1}, []int{14, 11, 9}, ridges},
		"centroids in the RKHS":  {discriminant.KFDA{Classifier: discriminant.NearestCentroid{}}, []int{14, 11, 9}, rkhs},
		"two classes":            {discriminant.KFDA{Priors: []float64{0.7, 0.3}}, []int{14, 11}, ridges},
		"two in the RKHS":        {discriminant.KFDA{Classifier: discriminant.NearestCentroid{}}, []int{14, 11}, rkhs},
		"gaussian":               {discriminant.KFDA{Classifier: discriminant.Gaussian{}}, []int{14, 11, 9}, ridges},
		"gaussian in the RKHS":   {discriminant.KFDA{Classifier: discriminant.Gaussian{PerClass: true}}, []int{14, 11}, rkhs},
		"neighbours":             {discriminant.KFDA{Classifier: discriminant.KNN{K: 3}, Priors: []float64{0.5, 0.25, 0.25}}, []int{14, 11, 9}, ridges},
	} {
		x, codes := blobs(51, 3, c.counts...)
		labels := make([]string, len(codes))
		for i, j := range codes {
			labels[i] = []string{"b", "a", "c"}[j]
		}
		k := must.Get(gram.Matrix(nil, kernel, x))(t)
		y := must.Get(gram.Cross(nil, kernel, rows(52, 25, 3), x))(t)
		c.method.Kernel = gram.Precomputed{}
		given := y.Clone()
		tests := must.Get(discriminant.TestPath(context.Background(), c.method, k.Clone(), labels, y, c.regs))(t)
		matrixtest.SameBits(t, "the kernel values", y, given)
		for i, reg := range c.regs {
			c.method.Regularizer = reg
			want := fit(t, c.method, k, labels)
			got := tests[i]
			if got.Err != nil {
				t.Errorf("%s, %v: %v", what, reg, got.Err)
				continue
			}
			for r, label := range predict(t, want, y) {
				must.Equal(t, fmt.Sprintf("%s, %v: row %d", what, reg, r), got.Predictions[r], label)
			}
			// The solutions have errors of the order of the rounding of K, which no bound
			// of this size is near to but for rows at a threshold.
			tol := 1e3*discriminant.DetailsOf(want).Certificate().KernelRounding + 1e3*u
			if posteriors, err := want.Posteriors(nil, y); err == nil {
				if e := largestDifference(posteriors, got.Posteriors); !(e <= tol) {
					t.Errorf("%s, %v: posteriors differ by %.3g", what, reg, e)
				}
			} else if got.Posteriors != nil {
				t.Errorf("%s, %v: posteriors, where a model has none", what, reg)
			}
			if decision, err := want.Decision(nil, y); err == nil {
				size := 0.0
				for _, v := range decision {
					size = math.Max(size, math.Abs(v))
				}
				for r, v := range decision {
					if e := math.Abs(v - got.Decision[r]); !(e <= tol*size) {
						t.Errorf("%s, %v: decision %v of row %d, want %v", what, reg, got.Decision[r], r, v)
					}
				}
			} else if got.Decision != nil {
				t.Errorf("%s, %v: a decision, where a model has none", what, reg)
			}
		}
	}
}

func largestDifference(a, b *matrix.Dense) float64 {
	largest := 0.0
	for i := range a.Rows {
		for j, v := range a.Row(i) {
			largest = math.Max(largest, math.Abs(v-b.At(i, j)))
		}
	}
	return largest
}

func TestTestPathErrors(t *testing.T) {
	x, codes := blobs(53, 2, 8, 7)
	k := must.Get(gram.Matrix(nil, gram.RBF{Gamma: 0.3}, x))(t)
	regs := []discriminant.Regularizer{discriminant.Ridge(1e-40), discriminant.Ridge(1)}
	try := func(method discriminant.KFDA, k, y *matrix.Dense) ([]discriminant.PathTest[int], error) {
		return discriminant.TestPath(context.Background(), method, k.Clone(), codes, y, regs)
	}
	precomputed := discriminant.KFDA{Kernel: gram.Precomputed{}}
	if _, err := try(discriminant.KFDA{}, k, k); !is[*discriminant.ParameterError](err) {
		t.Errorf("no precomputed kernel: %v", err)
	}
	if _, err := try(precomputed, k, matrix.New(2, 14)); !is[*gram.ShapeError](err) {
		t.Errorf("rows of another length: %v", err)
	}
	y := k.Clone()
	y.Set(1, 2, math.NaN())
	if _, err := try(precomputed, k, y); !is[*matrix.NotFiniteError](err) {
		t.Errorf("a NaN: %v", err)
	}
	tests, err := try(precomputed, k, k)
	if err != nil || tests[1].Err != nil || !is[*discriminant.AccuracyError](tests[0].Err) || tests[0].Predictions != nil {
		t.Errorf("a ridge far below the rounding of K: %v, %v", tests, err)
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := discriminant.TestPath(cancelled, precomputed, k.Clone(), codes, k, regs); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

func is[E error](err error) bool {
	var want E
	return errors.As(err, &want)
}
