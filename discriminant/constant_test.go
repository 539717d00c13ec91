package discriminant_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// Every column whose values differ only by rounding becomes exactly 0, also after a
// round trip through a file; one whose spread is above that is scaled to unit spread.
func TestScalerTakesRoundingForConstant(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		n := 2 + rng.IntN(40)
		size := math.Ldexp(1+rng.Float64(), rng.IntN(2000)-1000)
		x := matrix.New(n, 2)
		for i := range n {
			v := size
			for range rng.IntN(3) - 1 {
				v = math.Nextafter(v, 0)
			}
			x.Set(i, 0, v)
			x.Set(i, 1, size+float64(float64(n)*0x1p-50*size*float64(i%2)))
		}
		for _, kind := range []discriminant.Scaling{discriminant.Standard, discriminant.MinMax} {
			s := must.Get(discriminant.FitScaler(kind, x))(t)
			if got := s.Constant(); !slices.Equal(got, []int{0}) {
				t.Fatalf("%v: columns %v of %v are constant, want the first", kind, got, x)
			}
			z := must.Get(s.Transform(nil, x))(t)
			for i := range n {
				if z.At(i, 0) != 0 {
					t.Fatalf("%v: %v of a constant column becomes %v", kind, x.At(i, 0), z.At(i, 0))
				}
			}
			if spread := z.At(1, 1) - z.At(0, 1); !(spread >= 0.9) {
				t.Fatalf("%v: the spread of a column that is not constant becomes %v", kind, spread)
			}
		}
	}
}

// A spread of 1e-9 about 1 is information: it is scaled as any other.
func TestScalerKeepsTinySpread(t *testing.T) {
	x := rowsOf(t, []float64{1, 100}, []float64{1 + 1e-9, -300}, []float64{1 - 1e-9, 7}, []float64{1, 9})
	s := must.Get(discriminant.FitScaler(discriminant.Standard, x))(t)
	if got := s.Constant(); got != nil {
		t.Errorf("columns %v are taken for constant", got)
	}
	if got, want := s.Scale()[0], 1e-9/math.Sqrt2; math.Abs(got-want) > 1e-6*want {
		t.Errorf("scale %v, want %v", got, want)
	}
}

func TestCase160ColumnConstantButForRounding(t *testing.T) {
	const dir = "160-column-constant-but-for-rounding/"
	x, labels := matrixtest.LabelledCase(t, dir+"train.csv")
	exact, _ := matrixtest.LabelledCase(t, dir+"const.csv")
	rows := matrixtest.Case(t, dir+"new.csv")
	for _, scaling := range []discriminant.Scaling{discriminant.Standard, discriminant.MinMax} {
		for _, m := range []discriminant.Method{
			discriminant.KFDA{Scaling: scaling}, discriminant.KFDA{Scaling: scaling, Kernel: gram.Linear{}, Classifier: discriminant.KNN{}},
			discriminant.LDA{Scaling: scaling}, discriminant.LDA{Scaling: scaling, Regularizer: discriminant.LedoitWolf()},
			discriminant.KernelPCA{Scaling: scaling, Components: 3}, discriminant.KernelRidge{Scaling: scaling}, discriminant.SVM{Scaling: scaling},
		} {
			model := fit(t, m, x, labels)
			wantLabels(t, "new rows", predict(t, model, rows), "setosa", "setosa", "setosa")
			if got := model.Scaler().Constant(); !slices.Equal(got, []int{4}) {
				t.Errorf("%T: columns %v are constant, want the total", m, got)
			}
			data := must.Get(model.MarshalBinary())(t)
			loaded := new(discriminant.Model[string])
			must.Do(t, loaded.UnmarshalBinary(data))
			if !slices.Equal(loaded.Scaler().Constant(), []int{4}) {
				t.Errorf("%T: a file forgets which columns are constant", m)
			}
			matrixtest.SameBits(t, "projections of a loaded model", project(t, model, x), project(t, loaded, x))
			matrixtest.SameBits(t, "projections of an exact constant", project(t, model, x), project(t, fit(t, m, exact, labels), exact))
		}
	}
	// With and without a scaling LDA has the same directions.
	above := math.Nextafter(.3, 1) // 0.1 + 0.2
	x = rowsOf(t, []float64{1, .3}, []float64{2, above}, []float64{1.5, .3}, []float64{4, above}, []float64{5, .3}, []float64{4.4, .3})
	codes := []int{0, 0, 0, 1, 1, 1}
	row := rowsOf(t, []float64{1, .3001})
	for _, scaling := range []discriminant.Scaling{discriminant.NoScaling, discriminant.Standard, discriminant.MinMax} {
		if got := predict(t, fit(t, discriminant.LDA{Scaling: scaling}, x, codes), row); got[0] != 0 {
			t.Errorf("scaling %v: class %v, want 0", scaling, got[0])
		}
	}
}
