package discriminant

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// The projections that a fit has from its last residual, from which centroids come, are
// those of the model, whichever solver was at work: up to the rounding of n products of
// kernel values and coefficients, and of the latter.
func TestTrainingProjections(t *testing.T) {
	defer tryKrylov()()
	x, codes := patches(150, 3, 4)
	for _, reg := range []Regularizer{RelativeRidge(1e-2), RelativeRidge(10), Shrink(0.3), RelativeRKHS(1e-2), RKHS(1e6)} {
		for _, kernel := range []gram.Kernel{gram.RBF{Gamma: 0.1}, gram.Linear{}, gram.Polynomial{Degree: 2, Coef0: 1e3}} {
			m := mustFit(t, KFDA{Kernel: kernel, Regularizer: reg, Classifier: NearestCentroid{}}, x, codes)
			z := must.Get(m.Project(nil, x))(t)
			k := must.Get(gram.Matrix(nil, DetailsOf(m).Kernel(), x))(t)
			alpha := DetailsOf(m).Alpha()
			for j := range z.Cols {
				sums, counts := make([]float64, 4), make([]float64, 4)
				for i, code := range codes {
					sums[code] += z.At(i, j)
					counts[code]++
				}
				size := matrix.MaxAbs(k) * 150 * matrix.MaxAbs(alpha.View(0, j, 150, 1))
				for code := range sums {
					want := sums[code] / counts[code]
					if got := DetailsOf(m).Centroids().At(code, j); math.Abs(got-want) > 4*u*size {
						t.Errorf("%v, %v (%s): centroid %d, %d is %v, of the projections %v, tolerance %g", kernel, reg, DetailsOf(m).Certificate().Solver, code, j, got, want, 4*u*size)
					}
				}
			}
		}
	}
}

// What a model predicts for rows is what it predicts for their projections.
func TestPredictProjections(t *testing.T) {
	for name, method := range savedModels {
		x, codes := patches(60, 3, 4)
		m := mustFit(t, method, x, codes)
		z := must.Get(m.Project(nil, x))(t)
		want := must.Get(m.Predict(nil, x))(t)
		if got := must.Get(m.PredictProjections(nil, z))(t); !slices.Equal(got, want) {
			t.Errorf("%s: %v of projections, %v of rows", name, got, want)
		}
		var width *FeatureError
		if _, err := m.PredictProjections(nil, matrix.New(1, m.Components()+1)); !errors.As(err, &width) {
			t.Errorf("%s: error %v of projections that are too wide, want a *FeatureError", name, err)
		}
		var finite *matrix.NotFiniteError
		z.Set(3, 0, math.NaN())
		if _, err := m.PredictProjections(nil, z); !errors.As(err, &finite) || finite.Row != 3 {
			t.Errorf("%s: error %v of a NaN", name, err)
		}
	}
}
