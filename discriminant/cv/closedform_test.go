package cv

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/golden"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

func closedForm[L discriminant.Label](t testing.TB, m discriminant.KFDA, x *matrix.Dense, labels []L) *HeldOut[L] {
	t.Helper()
	return must.Get(ClosedForm(context.Background(), m, x, labels))(t)
}

func TestClosedFormGolden(t *testing.T) {
	files := golden.Dir(t, "loo")
	if len(files) != 6 {
		t.Errorf("%d files, want 6", len(files))
	}
	for _, p := range files {
		x, y, eps := p.Input.Matrix("X"), p.Input.Ints("y"), p.Input.Float("eps")
		kernel := must.Get(gram.Parse(p.Input.Kernel().Text()))(t)
		for form, reg := range map[string]discriminant.Regularizer{
			"rkhs": discriminant.RKHS(eps), "identity_fixed_centres": discriminant.Ridge(eps),
		} {
			h := closedForm(t, discriminant.KFDA{Kernel: kernel, Regularizer: reg}, x, y)
			worst := p.Compare(t, "loo_"+form, h.Values, false)
			t.Logf("%s, %s: error %.2g of the tolerance", p.Name, form, worst)
			for i, want := range p.Expected.Ints("labels_" + form) {
				must.Equal(t, fmt.Sprintf("%s, %s: row %d", p.Name, form, i), h.Predictions[i], want)
			}
		}

		// The third has no closed form: it is the refit without each row.
		refits := make([]float64, len(y))
		m := discriminant.KFDA{Kernel: kernel, Regularizer: discriminant.Ridge(eps)}
		for i := range y {
			refits[i], _ = refit(t, m, x, y, i)
		}
		p.Compare(t, "loo_identity", refits, false)
	}
}

// refit fits the method without row i, and returns where the row lies between the
// means of the training rows (for two classes) and its class.
func refit(t *testing.T, m discriminant.KFDA, x *matrix.Dense, y []int, i int) (value float64, predicted int) {
	t.Helper()
	var rest []int
	for k := range y {
		if k != i {
			rest = append(rest, k)
		}
	}
	row := part(x, []int{i}, allColumns(x))
	f := must.Get(discriminant.Fit(context.Background(), m, part(x, rest, allColumns(x)), take(y, rest)))(t)
	classes := must.Get(f.Predict(nil, row))(t)
	z := must.Get(f.Project(nil, row))(t)
	mu1, mu2 := f.Details().(discriminant.KFDADetails).Centroids().At(0, 0), f.Details().(discriminant.KFDADetails).Centroids().At(1, 0)
	return (z.At(0, 0) - (mu1+mu2)/2) / (mu2 - mu1), classes[0]
}

// Brute force: the predictions of any number of classes are those of the n refits, and the values of
// two classes agree to many digits.
func TestClosedFormIsTheRefits(t *testing.T) {
	wine := golden.Load(t, "medium/wine_std_rbf")
	iris := golden.Load(t, "medium/iris_rbf")
	wrong := 0
	for _, p := range []*golden.Problem{iris, wine} {
		x, y := p.Input.Matrix("X"), p.Input.Ints("y")
		var rows []int
		for i := range y {
			if !testing.Short() || i%3 == 0 {
				rows = append(rows, i)
			}
		}
		x, y = part(x, rows, allColumns(x)), take(y, rows)
		for _, components := range []int{0, 1} {
			m := discriminant.KFDA{Kernel: gram.RBF{Gamma: 0.1}, Regularizer: discriminant.RKHS(0.5), Components: components, Classifier: discriminant.NearestCentroid{}}
			h := closedForm(t, m, x, y)
			for i := range y {
				if _, want := refit(t, m, x, y, i); h.Predictions[i] != want {
					t.Errorf("%s, %d components: row %d is %d, refitted %d", p.Name, components, i, h.Predictions[i], want)
				}
			}
			wrong += h.Errors
		}

		// Fixed centres: the kernel values with all rows are the features, and the ridge is
		// in their space.
		m := discriminant.KFDA{Kernel: gram.RBF{Gamma: 0.1}, Regularizer: discriminant.Ridge(0.5)}
		h := closedForm(t, m, x, y)
		k := must.Get(gram.Matrix(nil, m.Kernel, x))(t)
		m = discriminant.KFDA{Kernel: gram.Linear{}, Regularizer: discriminant.RKHS(0.5), Classifier: discriminant.NearestCentroid{}}
		for i := range y {
			if _, want := refit(t, m, k, y, i); h.Predictions[i] != want {
				t.Errorf("%s, fixed centres: row %d is %d, refitted %d", p.Name, i, h.Predictions[i], want)
			}
		}
	}
	if wrong == 0 {
		t.Error("no errors, so that nothing tells the predictions from the labels")
	}
}

// With scaling, a relative ridge and a kernel without parameters, all three are
// those of the fit to all rows, and the values are those of refits with them.
func TestClosedFormHoldsTheFit(t *testing.T) {
	p := golden.Load(t, "loo/blobs2_laplacian_1")
	x, y := p.Input.Matrix("X"), p.Input.Ints("y")
	m := discriminant.KFDA{Regularizer: discriminant.RelativeRKHS(0.1), Scaling: discriminant.Standard}
	h := closedForm(t, m, x, y)
	fit := must.Get(discriminant.Fit(context.Background(), m, x, y))(t)
	scaled := must.Get(fit.Scaler().Transform(nil, x))(t)
	fixed := discriminant.KFDA{Kernel: fit.Details().(discriminant.KFDADetails).Kernel(), Regularizer: discriminant.RKHS(h.Ridge), Classifier: discriminant.NearestCentroid{}}
	for i := range y {
		want, predicted := refit(t, fixed, scaled, y, i)
		// Two solutions of a system with a condition number below 1e4.
		if math.Abs(h.Values[i]-want) > 1e-11*math.Max(1, math.Abs(want)) || h.Predictions[i] != predicted {
			t.Errorf("row %d: value %v and class %d, refitted %v and %d", i, h.Values[i], h.Predictions[i], want, predicted)
		}
	}
	if h.Ridge != fit.Details().(discriminant.KFDADetails).Ridge() || len(h.AUC) != 2 || h.Rows != len(y) {
		t.Errorf("ridge %v, AUC %v of %d rows", h.Ridge, h.AUC, h.Rows)
	}

	// The kernel matrix in place of the rows.
	k := must.Get(gram.Matrix(nil, fixed.Kernel, scaled))(t)
	fixed.Kernel = gram.Precomputed{}
	for i, v := range closedForm(t, fixed, k, y).Values {
		if v != h.Values[i] {
			t.Errorf("row %d: %v from the rows, %v from the kernel matrix", i, h.Values[i], v)
		}
	}
}

func TestClosedFormErrors(t *testing.T) {
	x, labels := matrixtest.LabelledCase(t, "92-ties-follow-list-order/train.csv")
	fail := func(m discriminant.KFDA) error {
		_, err := ClosedForm(context.Background(), m, x, labels)
		return err
	}
	must.Fail[*ParameterError](t, "shrinkage", fail(discriminant.KFDA{Regularizer: discriminant.Shrink(0.5)}))
	must.Fail[*ParameterError](t, "averaged", fail(discriminant.KFDA{Scatter: discriminant.AveragedScatter}))
	must.Fail[*ParameterError](t, "leave-one-out projections", fail(discriminant.KFDA{Regularizer: discriminant.RKHS(1), LeaveOneOut: true}))
	must.Fail[*ParameterError](t, "classifier", fail(discriminant.KFDA{Classifier: discriminant.KNN{}}))
	must.Fail[*discriminant.AccuracyError](t, "a ridge below the rounding of K²", fail(discriminant.KFDA{Regularizer: discriminant.Ridge(1e-17)}))
	labels[0] = "solo"
	must.Fail[*RareClassError](t, "a class of one row", fail(discriminant.KFDA{}))
}
