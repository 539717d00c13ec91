package discriminant_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// What the expected.md of the cases ask of LDA.

// featureRegularizers make every scatter regular.
var featureRegularizers = []discriminant.Regularizer{
	discriminant.Ridge(1e-3), discriminant.RelativeRidge(1e-3), discriminant.Shrink(0.1), discriminant.Shrink(1), discriminant.LedoitWolf(),
}

func TestCase12WithinScatterSingularLDA(t *testing.T) {
	x, labels := matrixtest.LabelledCase(t, "12-within-scatter-singular/train.csv")
	test := rowsOf(t, []float64{1.5, 0.1, 5}, []float64{1.5, 2.9, 5})
	m := fit(t, discriminant.LDA{Regularizer: discriminant.Ridge(1e-3)}, x, labels)
	wantLabels(t, "training rows", predict(t, m, x), labels...)
	wantLabels(t, "new rows", predict(t, m, test), "a", "b")
	w := column(m.Details().(discriminant.LDADetails).Weights(), 0)
	if math.Abs(w[0]) > 1e-9*math.Abs(w[1]) || w[2] != 0 {
		t.Errorf("direction %v, want along the second feature", w)
	}
	err := fitError(discriminant.LDA{}, x, labels)
	if singular, ok := errors.AsType[*discriminant.ScatterError](err); !ok || singular.Col != 1 || singular.Zero || !strings.Contains(err.Error(), "singular") || !strings.Contains(err.Error(), "ridge") {
		t.Errorf("no ridge: error %v, want a *ScatterError that says singular and what to do", err)
	}
}

func TestCase13PerfectlySeparatedLDA(t *testing.T) {
	x, labels := matrixtest.LabelledCase(t, "13-perfectly-separated-toy/train.csv")
	test := rowsOf(t, []float64{2.1}, []float64{4.9})
	var singular *discriminant.ScatterError
	if err := fitError(discriminant.LDA{}, x, labels); !errors.As(err, &singular) || singular.Col != 0 || !singular.Zero || !strings.Contains(err.Error(), "within-class scatter is zero") {
		t.Errorf("error %v, want a *ScatterError", err)
	}
	var ridge *discriminant.RidgeError
	if err := fitError(discriminant.LDA{Regularizer: discriminant.Shrink(0.5)}, x, labels); !errors.As(err, &ridge) || !strings.Contains(err.Error(), "within-class scatter is zero") {
		t.Errorf("error %v, want a *RidgeError", err)
	}
	for _, classifier := range []discriminant.Classifier{nil, discriminant.Gaussian{}, discriminant.Gaussian{PerClass: true}, discriminant.KNN{K: 1}} {
		m := fit(t, discriminant.LDA{Regularizer: discriminant.Ridge(1e-3), Classifier: classifier}, x, labels)
		wantLabels(t, "training rows", predict(t, m, x), labels...)
		wantLabels(t, "new rows", predict(t, m, test), "lo", "hi")
	}
}

func TestCase28Directions(t *testing.T) {
	x, labels := matrixtest.LabelledCase(t, "28-linear-kfda-equals-lda/train.csv")
	at := make([]int, x.Rows)
	for i := range at {
		at[i] = i
	}
	for i, l := range labels {
		if l == "b" {
			at = append(at, i, i)
		}
	}
	for _, tripled := range []bool{false, true} {
		x, labels := x, labels
		want := []float64{0.999603489279, 0.028157844768}
		if tripled {
			x, labels = pickRows(x, at), pick(labels, at)
			m := fit(t, discriminant.KFDA{Kernel: gram.Linear{}, Regularizer: discriminant.Ridge(1e-10)}, x, labels)
			want = matrix.MulVec(nil, x, matrix.Transposed, column(discriminant.DetailsOf(m).Alpha(), 0))
			s := math.Copysign(1/norm2(want), want[0])
			want = []float64{s * want[0], s * want[1]}
		}
		// By the scatter, and by whitening: three columns of rank two.
		collinear := matrix.New(x.Rows, 3)
		for i := range x.Rows {
			collinear.Set(i, 0, x.At(i, 0))
			collinear.Set(i, 1, x.At(i, 1))
			collinear.Set(i, 2, x.At(i, 0))
		}
		for name, w := range map[string][]float64{
			"scatter":  column(fit(t, discriminant.LDA{}, x, labels).Details().(discriminant.LDADetails).Weights(), 0),
			"whitened": column(fit(t, discriminant.LDA{}, collinear, labels).Details().(discriminant.LDADetails).Weights(), 0),
		} {
			if len(w) == 3 { // the first and the last are the same feature
				w = []float64{w[0] + w[2], w[1]}
			}
			s := math.Copysign(1/norm2(w), w[0])
			tol := 1e-12
			if tripled {
				tol = 1e-8 // of the kernel discriminant
			}
			if math.Hypot(s*w[0]-want[0], s*w[1]-want[1]) > tol {
				t.Errorf("%s, tripled %v: direction ∝ %.12v, want %.12v", name, tripled, w, want)
			}
		}
	}
}

func TestCase33ClassWithOneRowLDA(t *testing.T) {
	x, labels := matrixtest.LabelledCase(t, "33-class-with-one-row/train.csv")
	for _, classifier := range []discriminant.Classifier{nil, discriminant.Gaussian{}, discriminant.Gaussian{PerClass: true}, discriminant.KNN{K: 1}} {
		for _, reg := range append([]discriminant.Regularizer{{}}, featureRegularizers...) {
			m := fit(t, discriminant.LDA{Regularizer: reg, Classifier: classifier}, x, labels)
			wantLabels(t, reg.String(), predict(t, m, x), labels...)
			wantLabels(t, reg.String(), predict(t, m, rowsOf(t, []float64{4.8, 5.1})), "solo")
			if p, err := m.Posteriors(nil, x); err == nil && !finite(p) {
				t.Errorf("%v: posteriors %v", reg, p.Data)
			}
		}
	}
}

func TestCase34TooManyComponentsLDA(t *testing.T) {
	x, labels := matrixtest.LabelledCase(t, "34-too-many-components/train.csv")
	for _, components := range []int{0, 1} {
		if m := fit(t, discriminant.LDA{Components: components, Regularizer: discriminant.Shrink(0.1)}, x, labels); m.Components() != 1 {
			t.Errorf("components %d: the model has %d", components, m.Components())
		}
	}
	for _, components := range []int{2, 5} {
		var limit *discriminant.ComponentsError
		if err := fitError(discriminant.LDA{Components: components}, x, labels); !errors.As(err, &limit) || limit.Asked != components || limit.Classes != 2 || !strings.Contains(err.Error(), "1") {
			t.Errorf("components %d: error %v, want a *ComponentsError", components, err)
		}
	}
	var parameter *discriminant.ParameterError
	if err := fitError(discriminant.LDA{Components: -1}, x, labels); !errors.As(err, &parameter) || parameter.Field != "Components" {
		t.Errorf("components −1: error %v, want a *ParameterError", err)
	}
	// More classes than features.
	one, codes := blobs(51, 1, 5, 5, 5)
	var limit *discriminant.ComponentsError
	if err := fitError(discriminant.LDA{Components: 2}, one, codes); !errors.As(err, &limit) || limit.Rank != 1 {
		t.Errorf("two components of one feature: error %v, want a *ComponentsError", err)
	}
}

func TestCase30InputUntouchedLDA(t *testing.T) {
	x, codes := blobs(52, 3, 6, 5)
	before, names := x.Clone(), slices.Clone(codes)
	m := fit(t, discriminant.LDA{Classifier: discriminant.KNN{}}, x, codes)
	matrixtest.SameBits(t, "x", before, x)
	if !slices.Equal(names, codes) {
		t.Error("the labels changed")
	}
	y := rows(53, 4, 3)
	z := project(t, m, y)
	labels := predict(t, m, y)
	x.Zero()
	clear(codes)
	matrixtest.SameBits(t, "projections after the caller's x changed", z, project(t, m, y))
	if !slices.Equal(labels, predict(t, m, y)) {
		t.Error("predictions after the caller's labels changed")
	}
}

func TestCase40EmptyInputLDA(t *testing.T) {
	for _, x := range []*matrix.Dense{{}, matrix.New(0, 0), matrix.New(0, 3)} {
		must.Fail[*discriminant.RowsError](t, fmt.Sprintf("%d×%d", x.Rows, x.Cols), fitError[string](discriminant.LDA{}, x, nil))
	}
	for _, scaling := range []discriminant.Scaling{discriminant.NoScaling, discriminant.Standard, discriminant.MinMax} {
		if err := fitError(discriminant.LDA{Scaling: scaling}, matrix.New(3, 0), []string{"p", "q", "q"}); err == nil {
			t.Errorf("3×0, scaling %v: no error", scaling)
		}
	}
	x, codes := blobs(43, 2, 4, 4)
	m := fit(t, discriminant.LDA{Classifier: discriminant.Gaussian{}}, x, codes)
	none := matrix.New(0, 2)
	if p, err := m.Posteriors(nil, none); err != nil || p.Rows != 0 || p.Cols != 2 {
		t.Errorf("0 rows: posteriors %v, error %v", p, err)
	}
	if y := predict(t, m, none); len(y) != 0 {
		t.Errorf("0 rows: predicted %v", y)
	}
}

// Inputs that a fit must refuse by a typed error, or answer with finite numbers.
func TestGoldenErrorsLDA(t *testing.T) {
	for name, x := range map[string]*matrix.Dense{
		"constant":         rowsOf(t, []float64{1, 2}, []float64{1, 2}, []float64{1, 2}, []float64{1, 2}),
		"equal means":      rowsOf(t, []float64{1, 2}, []float64{-1, 2}, []float64{1, 2}, []float64{-1, 2}),
		"not finite":       rowsOf(t, []float64{1, 2}, []float64{math.NaN(), 2}, []float64{1, 2}, []float64{-1, 2}),
		"one row a class":  rowsOf(t, []float64{1, 2}, []float64{1, 2}, []float64{3, 1}, []float64{3, 1}),
		"rounding only":    rowsOf(t, []float64{1e16, 1}, []float64{1e16 + 2, 1}, []float64{1e16, 1}, []float64{1e16 + 2, 1}),
		"more than double": rowsOf(t, []float64{1e-320, 1}, []float64{2e-320, 1}, []float64{8e-320, 1}, []float64{9e-320, 1}),
	} {
		err := fitError(discriminant.LDA{}, x, []string{"a", "a", "b", "b"})
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		t.Logf("%s: %v", name, err)
		if name == "not finite" {
			continue
		}
		requireTyped(t, err)
	}
}
