package discriminant_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/cases"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// The tests of this file follow testdata/cases/*/expected.md.

func fitError[L discriminant.Label](method discriminant.Method, x *matrix.Dense, labels []L) error {
	_, err := discriminant.Fit(context.Background(), method, x, labels)
	return err
}

func wantLabels(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	must.EqualSlices(t, fmt.Sprintf("%s: predicted", what), got, want)
}

func rowsOf(t *testing.T, r ...[]float64) *matrix.Dense {
	t.Helper()
	return must.Get(matrix.FromRows(r))(t)
}

func TestCase04SquaredDistanceOverflow(t *testing.T) {
	x := matrixtest.Case(t, "04-sqdist-overflow-1e160/X.csv")
	labels := []string{"a", "a", "b"}
	k := gramOf(t, gram.RBF{Gamma: 1}, x)
	want := rowsOf(t, []float64{1, math.Exp(-1), 0}, []float64{math.Exp(-1), 1, 0}, []float64{0, 0, 1})
	for i := range want.Data {
		if math.Abs(k.Data[i]-want.Data[i]) > 2*u {
			t.Errorf("K = %v, want %v", k.Data, want.Data)
			break
		}
	}
	m := fit(t, discriminant.KFDA{Kernel: gram.RBF{Gamma: 1}}, x, labels)
	wantLabels(t, "rbf", predict(t, m, x), labels...)
	if !finite(discriminant.DetailsOf(m).Alpha()) {
		t.Errorf("α = %v", discriminant.DetailsOf(m).Alpha().Data)
	}
	var overflow *gram.NotFiniteError
	if err := fitError(discriminant.KFDA{Kernel: gram.Linear{}}, x, labels); !errors.As(err, &overflow) {
		t.Errorf("linear kernel: error %v, want a *gram.NotFiniteError", err)
	} else {
		t.Log(err)
	}
}

func TestCase07DuplicateRows(t *testing.T) {
	x, _ := matrixtest.LabelledCase(t, "07-duplicate-rows-singular-gram/train.csv")
	for _, reg := range regularizers {
		err := fitError(discriminant.KFDA{Kernel: gram.RBF{Gamma: 1}, Regularizer: reg}, x, []string{"a", "a", "b"})
		if err == nil {
			t.Errorf("%v: no error for classes that coincide", reg)
			continue
		}
		t.Log(err)
		requireTyped(t, err)
	}
}

func TestCase12WithinScatterSingular(t *testing.T) {
	x, labels := matrixtest.LabelledCase(t, "12-within-scatter-singular/train.csv")
	test := rowsOf(t, []float64{1.5, 0.1, 5}, []float64{1.5, 2.9, 5})
	for _, reg := range []discriminant.Regularizer{discriminant.Ridge(1e-3), discriminant.RelativeRidge(1e-3), discriminant.RKHS(1e-3)} {
		m := fit(t, discriminant.KFDA{Kernel: gram.Linear{}, Regularizer: reg}, x, labels)
		wantLabels(t, reg.String(), predict(t, m, x), labels...)
		wantLabels(t, reg.String(), predict(t, m, test), "a", "b")
	}
	err := fitError(discriminant.KFDA{Kernel: gram.Linear{}, Regularizer: discriminant.Ridge(0)}, x, labels)
	if _, ok := errors.AsType[*discriminant.RidgeError](err); !ok || !strings.Contains(err.Error(), "singular") || !strings.Contains(err.Error(), "ridge") {
		t.Errorf("ridge 0: error %v, want a *RidgeError that says singular and what to do", err)
	}
}

func TestCase13PerfectlySeparated(t *testing.T) {
	x, labels := matrixtest.LabelledCase(t, "13-perfectly-separated-toy/train.csv")
	test := rowsOf(t, []float64{2.1}, []float64{4.9})
	for _, kernel := range []gram.Kernel{gram.Linear{}, gram.RBF{Gamma: 1}} {
		// Every class is one repeated value: a ridge relative to the scatter has
		// nothing to be relative to.
		var ridge *discriminant.RidgeError
		if err := fitError(discriminant.KFDA{Kernel: kernel, Regularizer: discriminant.RelativeRidge(1e-3)}, x, labels); !errors.As(err, &ridge) {
			t.Errorf("%v: error %v, want a *RidgeError", kernel, err)
		} else if !strings.Contains(err.Error(), "within-class scatter is zero") {
			t.Errorf("%v: the error does not name the zero within-class scatter: %v", kernel, err)
		}
		for _, reg := range []discriminant.Regularizer{discriminant.Ridge(1e-3), discriminant.RKHS(1e-3), discriminant.RelativeRKHS(1e-3)} {
			m := fit(t, discriminant.KFDA{Kernel: kernel, Regularizer: reg}, x, labels)
			wantLabels(t, reg.String(), predict(t, m, x), labels...)
			wantLabels(t, reg.String(), predict(t, m, test), "lo", "hi")
		}
	}
}

func TestCase15RealEigenvalues(t *testing.T) {
	x, labels := matrixtest.LabelledCase(t, "15-discriminant-eigenvalues-real/train.csv")
	wide := matrix.New(x.Rows, x.Cols+6)
	wide.View(0, 0, x.Rows, x.Cols).CopyFrom(x)
	for _, c := range []struct {
		method discriminant.Method
		tol    float64
	}{
		{discriminant.KFDA{Kernel: gram.Linear{}, Regularizer: discriminant.Ridge(1e-9)}, 3e-8},
		{discriminant.LDA{}, 1e-10},
	} {
		for _, x := range []*matrix.Dense{x, wide} {
			m := fit(t, c.method, x, labels)
			got := discriminant.DetailsOf(m).Eigenvalues()
			if len(got) != 2 {
				t.Fatalf("eigenvalues %v, want 2", got)
			}
			for i, want := range []float64{17.2111025509, 2.78889744907} {
				if math.Abs(got[i]-want) > c.tol*want {
					t.Errorf("%T, %d columns: eigenvalue %d is %.12g, want %.12g", c.method, x.Cols, i, got[i], want)
				}
			}
			wantLabels(t, "training rows", predict(t, m, x), labels...)
		}
	}
}

func TestCase24FarRow(t *testing.T) {
	x, labels := matrixtest.LabelledCase(t, "24-rbf-underflow-far-point/train.csv")
	test := matrixtest.Case(t, "24-rbf-underflow-far-point/test.csv")
	for _, reg := range regularizers {
		m := fit(t, discriminant.KFDA{Kernel: gram.RBF{Gamma: 1}, Regularizer: reg}, x, labels)
		z := project(t, m, test)
		if !finite(z) {
			t.Fatalf("%v: projections %v", reg, z.Data)
		}
		matrixtest.SameBits(t, "rows 500 and 1e6", z.View(0, 0, 1, 1), z.View(2, 0, 1, 1))
		// The documented way to see that a row carries no information.
		if !isRKHS(reg) && z.At(0, 0) != 0 {
			t.Errorf("%v: the projection of a row without kernel values is %v, want 0", reg, z.At(0, 0))
		}
		y := predict(t, m, test)
		if y[1] != "a" || y[0] != y[2] {
			t.Errorf("%v: predicted %q", reg, y)
		}
		d := must.Get(m.Decision(nil, test))(t)
		if !finite(vector(d)) || d[1] >= 0 || d[0] != d[2] {
			t.Errorf("%v: decisions %v", reg, d)
		}
		// Halfway between two equal classes: nothing like a confident score.
		if math.Abs(d[0]) > 1e-6*math.Abs(d[1]) {
			t.Errorf("%v: decision %v for the far row, %v for row 0.5", reg, d[0], d[1])
		}
	}
}

func TestCase28LinearKFDAIsLDA(t *testing.T) {
	x, labels := matrixtest.LabelledCase(t, "28-linear-kfda-equals-lda/train.csv")
	direction := func(x *matrix.Dense, labels []string) []float64 {
		m := fit(t, discriminant.KFDA{Kernel: gram.Linear{}, Regularizer: discriminant.Ridge(1e-10)}, x, labels)
		w := matrix.MulVec(nil, x, matrix.Transposed, column(discriminant.DetailsOf(m).Alpha(), 0)) // w = Xᵀα
		s := 1 / norm2(w)
		if w[0] < 0 {
			s = -s
		}
		return []float64{s * w[0], s * w[1]}
	}
	check := func(what string, got []float64, want ...float64) {
		t.Helper()
		if math.Hypot(got[0]-want[0], got[1]-want[1]) > 1e-8 {
			t.Errorf("%s: direction %.12v, want %.12v", what, got, want)
		}
	}
	check("equal classes", direction(x, labels), 0.999603489279, 0.028157844768)

	// Rows of class b three times: S_w = S_a + 3 S_b with the same means.
	tripled := append([]string(nil), labels...)
	at := make([]int, len(labels))
	for i := range at {
		at[i] = i
	}
	for i, l := range labels {
		if l == "b" {
			at = append(at, i, i)
			tripled = append(tripled, l, l)
		}
	}
	var s [2][2]float64
	for c, mean := range [][2]float64{{2, 2.25}, {7, 6.25}} {
		for i, l := range labels {
			if (l == "b") == (c == 1) {
				weight := float64(1 + 2*c)
				dx, dy := x.At(i, 0)-mean[0], x.At(i, 1)-mean[1]
				s[0][0] += weight * dx * dx
				s[0][1] += weight * dx * dy
				s[1][1] += weight * dy * dy
			}
		}
	}
	w := []float64{s[1][1]*5 - s[0][1]*4, s[0][0]*4 - s[0][1]*5} // ∝ S_w⁻¹(5, 4)
	norm := math.Hypot(w[0], w[1])
	check("class b tripled", direction(pickRows(x, at), tripled), w[0]/norm, w[1]/norm)
}

func TestCase29PrecomputedTestShape(t *testing.T) {
	const dir = "29-precomputed-test-shape/"
	k := matrixtest.Case(t, dir+"K-train.csv")
	var labels []string
	for _, record := range cases.Records(t, dir+"y.csv") {
		labels = append(labels, record[0])
	}
	method := discriminant.KFDA{Kernel: gram.Precomputed{}}
	m := fit(t, method, k, labels)
	wantLabels(t, "K-test", predict(t, m, matrixtest.Case(t, dir+"K-test.csv")), "neg", "pos", "pos")
	for _, file := range []string{"bad-one-column.csv", "bad-test-by-test.csv", "bad-transposed.csv"} {
		bad := matrixtest.Case(t, dir+file)
		_, err := m.Predict(nil, bad)
		var shape *gram.ShapeError
		if !errors.As(err, &shape) {
			t.Errorf("%s: error %v, want a *gram.ShapeError", file, err)
			continue
		}
		if shape.Rows != bad.Rows || shape.Cols != bad.Cols || shape.WantRows != bad.Rows || shape.WantCols != 6 {
			t.Errorf("%s: %+v", file, shape)
		}
		if text := err.Error(); !strings.Contains(text, "6") || !strings.Contains(text, strconv.Itoa(bad.Cols)) {
			t.Errorf("%s: the message does not name both shapes: %v", file, err)
		}
	}
	if err := fitError(method, k.View(0, 0, 6, 5).Clone(), labels); err == nil {
		t.Error("6×5: no error")
	} else {
		t.Log(err)
	}
	asymmetric := k.Clone()
	asymmetric.Set(1, 4, asymmetric.At(1, 4)+1)
	must.Fail[*gram.NotSymmetricError](t, "asymmetric", fitError(method, asymmetric, labels))
}

func TestCase30InputUntouched(t *testing.T) {
	const dir = "30-precomputed-input-untouched/"
	k := matrixtest.Case(t, dir+"K.csv")
	var labels []string
	for _, record := range cases.Records(t, dir+"y.csv") {
		labels = append(labels, record[0])
	}
	before, names := k.Clone(), slices.Clone(labels)
	for _, reg := range append([]discriminant.Regularizer{discriminant.Ridge(1e-300)}, regularizers...) { // the first is refused
		method := discriminant.KFDA{Kernel: gram.Precomputed{}, Regularizer: reg}
		first, err := discriminant.Fit(context.Background(), method, k, labels)
		matrixtest.SameBits(t, "K", before, k)
		if !slices.Equal(names, labels) {
			t.Errorf("labels are %q, were %q", labels, names)
		}
		if err != nil {
			if reg != discriminant.Ridge(1e-300) {
				t.Errorf("%v: %v", reg, err)
			}
			continue
		}
		project(t, first, k)
		matrixtest.SameBits(t, "K", before, k)
		again := fit(t, method, k, labels)
		matrixtest.SameBits(t, "α", discriminant.DetailsOf(first).Alpha(), discriminant.DetailsOf(again).Alpha())
		matrixtest.SameBits(t, "λ", vector(discriminant.DetailsOf(first).Eigenvalues()), vector(discriminant.DetailsOf(again).Eigenvalues()))
	}
	// The model keeps what it needs: a caller may reuse x.
	x, codes := blobs(41, 2, 5, 5)
	y := rows(42, 4, 2)
	m := fit(t, discriminant.KFDA{}, x, codes)
	z := project(t, m, y)
	x.Zero()
	matrixtest.SameBits(t, "projections after the caller's x changed", z, project(t, m, y))
}

func TestCase31SingleClass(t *testing.T) {
	x, labels := matrixtest.LabelledCase(t, "31-single-class-labels/train.csv")
	err := fitError(discriminant.KFDA{}, x, labels)
	var classes *discriminant.ClassesError
	if !errors.As(err, &classes) || !slices.Equal(classes.Found, []string{"only"}) {
		t.Fatalf("error %v, want a *ClassesError that found only", err)
	}
	if want := "need at least two classes, found 1: only"; !strings.Contains(err.Error(), want) {
		t.Errorf("message %q, want %q in it", err, want)
	}
}

func TestCase33ClassWithOneRow(t *testing.T) {
	x, labels := matrixtest.LabelledCase(t, "33-class-with-one-row/train.csv")
	for _, reg := range append([]discriminant.Regularizer{{}}, regularizers...) {
		m := fit(t, discriminant.KFDA{Kernel: gram.RBF{Gamma: 0.1}, Regularizer: reg}, x, labels)
		wantLabels(t, reg.String(), predict(t, m, x), labels...)
		wantLabels(t, reg.String(), predict(t, m, rowsOf(t, []float64{4.8, 5.1})), "solo")
		if !finite(discriminant.DetailsOf(m).Alpha()) {
			t.Errorf("%v: α = %v", reg, discriminant.DetailsOf(m).Alpha().Data)
		}
	}
}

func TestCase34TooManyComponents(t *testing.T) {
	x, labels := matrixtest.LabelledCase(t, "34-too-many-components/train.csv")
	at := func(components int) discriminant.KFDA {
		return discriminant.KFDA{Kernel: gram.Linear{}, Components: components}
	}
	for _, components := range []int{0, 1} { // 0 is documented as all
		if m := fit(t, at(components), x, labels); m.Components() != 1 || discriminant.DetailsOf(m).Alpha().Cols != 1 {
			t.Errorf("components %d: the model has %d", components, m.Components())
		}
	}
	for _, components := range []int{2, 5} {
		err := fitError(at(components), x, labels)
		if limit, ok := errors.AsType[*discriminant.ComponentsError](err); !ok || limit.Asked != components || limit.Classes != 2 || !strings.Contains(err.Error(), "1") {
			t.Errorf("components %d: error %v, want a *ComponentsError", components, err)
		}
	}
	var parameter *discriminant.ParameterError
	if err := fitError(at(-1), x, labels); !errors.As(err, &parameter) || parameter.Field != "Components" {
		t.Errorf("components −1: error %v, want a *ParameterError", err)
	}
}

func TestCase35SignFollowsNoRow(t *testing.T) {
	const dir = "35-sign-follows-first-row/"
	test := rowsOf(t, []float64{1.5})
	for _, kernel := range []gram.Kernel{gram.Linear{}, gram.RBF{Gamma: 0.5}} {
		for _, reg := range regularizers {
			var values []float64
			for _, file := range []string{"minus-first.csv", "plus-first.csv", "zero-one.csv"} {
				x, labels := matrixtest.LabelledCase(t, dir+file)
				m := fit(t, discriminant.KFDA{Kernel: kernel, Regularizer: reg}, x, labels)
				d := must.Get(m.Decision(nil, test))(t)
				values = append(values, d[0])
				want := []string{"-1", "+1"}
				if file == "zero-one.csv" {
					want = []string{"0", "1"}
				}
				must.EqualSlices(t, fmt.Sprintf("%s: classes", file), m.Classes(), want)
				wantLabels(t, file, predict(t, m, test), want[1])
			}
			for i, v := range values {
				if !(v > 0) || math.Abs(v-values[0]) > 1e-12*values[0] {
					t.Errorf("%v %v: file %d: decision %v, want the positive %v", kernel, reg, i, v, values[0])
				}
			}
		}
	}
}

func TestCase36LabelsLikeNumbers(t *testing.T) {
	x, labels := matrixtest.LabelledCase(t, "36-labels-that-look-like-numbers/train.csv")
	m := fit(t, discriminant.KFDA{}, x, labels)
	// Not all are integers, so that the order is that of the bytes.
	must.EqualSlices(t, "classes", m.Classes(), []string{"02", "2", "2.0", "2.10", "TRUE", "true"})
	wantLabels(t, "training rows", predict(t, m, x), labels...)
	for _, reg := range regularizers {
		m := fit(t, discriminant.KFDA{Regularizer: reg}, x, labels)
		wantLabels(t, reg.String(), predict(t, m, x), labels...)
	}
}

func TestCase38OneRow(t *testing.T) {
	x := matrixtest.Case(t, "38-one-row-transform/train.csv")
	wide := matrix.New(2, 8) // more columns than rows
	for i := range wide.Rows {
		for j := range wide.Cols {
			wide.Set(i, j, x.At(j, i))
		}
	}
	for _, x := range []*matrix.Dense{x, wide} {
		codes := make([]int, x.Rows)
		for i := range codes {
			codes[i] = i % 2
		}
		for _, kernel := range []gram.Kernel{gram.Linear{}, gram.RBF{}} {
			m := fit(t, discriminant.KFDA{Kernel: kernel, Regularizer: discriminant.Ridge(1e-3)}, x, codes)
			all := project(t, m, x)
			for i := range x.Rows {
				matrixtest.SameBits(t, kernel.String(), all.View(i, 0, 1, 1), project(t, m, x.View(i, 0, 1, x.Cols)))
			}
		}
	}
}

func TestCase40EmptyInput(t *testing.T) {
	for _, x := range []*matrix.Dense{{}, matrix.New(0, 0), matrix.New(0, 3)} {
		must.Fail[*discriminant.RowsError](t, fmt.Sprintf("%d×%d", x.Rows, x.Cols), fitError[string](discriminant.KFDA{}, x, nil))
	}
	labels := []string{"p", "q", "q"}
	for _, kernel := range []gram.Kernel{nil, gram.Linear{}, gram.RBF{Gamma: 1}, gram.Laplacian{}, gram.NewPolynomial(2), gram.NewSigmoid(), gram.Cosine{}, gram.ChiSquared{}, gram.Precomputed{}} {
		for _, scaling := range []discriminant.Scaling{discriminant.NoScaling, discriminant.Standard, discriminant.MinMax} {
			if err := fitError(discriminant.KFDA{Kernel: kernel, Scaling: scaling}, matrix.New(3, 0), labels); err == nil {
				t.Errorf("3×0, %v, scaling %v: no error", kernel, scaling)
			}
		}
	}
	x, codes := blobs(43, 2, 4, 4)
	m := fit(t, discriminant.KFDA{}, x, codes)
	none := matrix.New(0, 2)
	if y := predict(t, m, none); len(y) != 0 {
		t.Errorf("0 rows: predicted %v", y)
	}
	if z := project(t, m, none); z.Rows != 0 || z.Cols != 1 {
		t.Errorf("0 rows: projected to %d×%d", z.Rows, z.Cols)
	}
	if d, err := m.Decision(nil, none); err != nil || len(d) != 0 {
		t.Errorf("0 rows: decisions %v, error %v", d, err)
	}
}

func TestCase104ProbabilityAgainstDecision(t *testing.T) {
	x, labels := matrixtest.LabelledCase(t, "104-probability-against-decision/noise.csv")
	for _, m := range []discriminant.Method{discriminant.SVM{Scaling: discriminant.Standard, Probability: true}, discriminant.SVM{Probability: true}} {
		model := fit(t, m, x, labels)
		p := must.Get(model.Posteriors(nil, x))(t)
		for i := range p.Rows {
			if p.At(i, 0) != 0.5 || p.At(i, 1) != 0.5 {
				t.Errorf("row %d: posteriors %v, want 0.5: the machine is worse than chance on rows left out", i, p.Row(i))
			}
		}
	}
}
