package discriminant_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// A zero value that is filled takes an empty file for no model.
func TestZeroValuesAreNoModels(t *testing.T) {
	// The zero Scaler is one of no columns.
	if _, err := new(discriminant.Scaler).Transform(nil, matrix.New(1, 2)); err == nil {
		t.Error("a zero Scaler took two columns")
	}
	for _, u := range []interface{ UnmarshalBinary([]byte) error }{&discriminant.Model[string]{}, &discriminant.PCA{}, &discriminant.Regression{}} {
		if err := u.UnmarshalBinary(nil); err == nil {
			t.Errorf("%T: no error of an empty file", u)
		}
	}
}

func TestNilArguments(t *testing.T) {
	ctx := context.Background()
	x, codes := blobs(61, 2, 5, 5)
	m := fit(t, discriminant.KFDA{Classifier: discriminant.Gaussian{}}, x, codes)
	pca := fitPCA(t, discriminant.KernelPCA{}, x)
	ridge := regress(t, discriminant.KernelRidge{}, x, x)
	scaler := must.Get(discriminant.FitScaler(discriminant.Standard, x))(t)
	for what, f := range map[string]func(){
		"the method is nil": func() { discriminant.Fit(ctx, nil, x, codes) },
		"Fit: x is nil":     func() { discriminant.Fit(ctx, discriminant.LDA{}, nil, codes) },
		"Fit: x is nil ": func() {
			discriminant.FitPath(ctx, discriminant.KFDA{}, nil, codes, []discriminant.Regularizer{discriminant.Ridge(1)})
		},
		"Fit: x is nil  ":                func() { discriminant.LeaveOneOut(ctx, discriminant.KernelRidge{}, nil, codes) },
		"FitKernelPCA: x is nil":         func() { discriminant.FitKernelPCA(ctx, discriminant.KernelPCA{}, nil) },
		"FitRegression: x is nil":        func() { discriminant.FitRegression(ctx, discriminant.KernelRidge{}, nil, x) },
		"the matrix of targets is nil":   func() { discriminant.FitRegression(ctx, discriminant.KernelRidge{}, x, nil) },
		"the matrix of targets is nil ":  func() { discriminant.LeaveOneOutRegression(ctx, discriminant.KernelRidge{}, x, nil) },
		"FitScaler: x is nil":            func() { discriminant.FitScaler(discriminant.Standard, nil) },
		"Project: x is nil":              func() { m.Project(nil, nil) },
		"Predict: x is nil":              func() { m.Predict(nil, nil) },
		"Posteriors: x is nil":           func() { m.Posteriors(nil, nil) },
		"Decision: x is nil":             func() { m.Decision(nil, nil) },
		"Far: x is nil":                  func() { m.Far(nil, nil) },
		"Project: x is nil ":             func() { pca.Project(nil, nil) },
		"PreImages: z is nil":            func() { pca.PreImages(ctx, nil, nil) },
		"ReconstructionErrors: x is nil": func() { pca.ReconstructionErrors(nil, nil) },
		"Project: x is nil  ":            func() { ridge.Predict(nil, nil) },
		"Transform: x is nil":            func() { scaler.Transform(nil, nil) },
		"InverseTransform: x is nil":     func() { scaler.InverseTransform(nil, nil) },
		"Votes: x is nil":                func() { m.Votes(nil, nil) },
		"PredictProjections: z is nil":   func() { m.PredictProjections(nil, nil) },
	} {
		if text := matrixtest.PanicText(f); !strings.HasPrefix(text, "discriminant: ") || !strings.Contains(text, strings.TrimRight(what, " ")) {
			t.Errorf("want a panic with %q, got %q", what, text)
		}
	}
	// No labels at all are no misuse but no rows.
	if err := fitError(discriminant.KFDA{}, x, []int(nil)); err == nil || matrixtest.PanicText(func() { fitError(discriminant.KFDA{}, x, []int(nil)) }) != "" {
		t.Errorf("nil labels: %v", err)
	}
}

// destinations calls apply with no dst, with one of the right shape that is not
// empty and with wrong ones, and compares what comes out, bit for bit.
func destinations(t *testing.T, what string, rows, cols int, apply func(dst *matrix.Dense) (*matrix.Dense, error)) {
	t.Helper()
	want, err := apply(nil)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	if want.Rows != rows || want.Cols != cols {
		t.Errorf("%s: %d×%d, want %d×%d", what, want.Rows, want.Cols, rows, cols)
	}
	// A view of something larger, whose other entries must stay.
	large := matrix.New(rows+2, cols+3)
	for i := range large.Data {
		large.Data[i] = 0.5
	}
	dst := large.View(1, 2, rows, cols)
	got, err := apply(dst)
	if err != nil || got != dst {
		t.Errorf("%s: dst is not what is returned (error %v)", what, err)
	}
	matrixtest.SameBits(t, what, want, dst.Clone())
	for i := range large.Rows {
		for j, v := range large.Row(i) {
			if inside := i >= 1 && i <= rows && j >= 2 && j < cols+2; !inside && v != 0.5 {
				t.Errorf("%s: entry (%d, %d) around dst was written", what, i, j)
			}
		}
	}
	for _, wrong := range [][2]int{{rows + 1, cols}, {rows - 1, cols}, {rows, cols + 1}, {cols + 7, rows + 7}} {
		text := matrixtest.PanicText(func() { apply(matrix.New(wrong[0], wrong[1])) })
		if !strings.HasPrefix(text, "discriminant: ") || !strings.Contains(text, fmt.Sprintf("%d×%d", wrong[0], wrong[1])) || !strings.Contains(text, fmt.Sprintf("want %d×%d", rows, cols)) {
			t.Errorf("%s: a dst of %d×%d panics with %q", what, wrong[0], wrong[1], text)
		}
	}
}

// lines is destinations for a slice.
func lines[T comparable](t *testing.T, what string, rows int, apply func(dst []T) ([]T, error)) {
	t.Helper()
	want, err := apply(nil)
	if err != nil || len(want) != rows {
		t.Errorf("%s: %d values, want %d (error %v)", what, len(want), rows, err)
		return
	}
	dst := make([]T, rows)
	got, err := apply(dst)
	if err != nil || &got[0] != &dst[0] {
		t.Errorf("%s: dst is not what is returned (error %v)", what, err)
	}
	for i := range want {
		if dst[i] != want[i] {
			t.Errorf("%s: row %d is %v in a dst, %v without", what, i, dst[i], want[i])
		}
	}
	for _, wrong := range []int{rows - 1, rows + 1} {
		text := matrixtest.PanicText(func() { apply(make([]T, wrong)) })
		if !strings.HasPrefix(text, "discriminant: ") || !strings.Contains(text, fmt.Sprintf("length %d, want %d", wrong, rows)) {
			t.Errorf("%s: a dst of length %d panics with %q", what, wrong, text)
		}
	}
}

// Every method of every kind of model writes to the dst that it is given, which it
// checks, and takes rows of kernel values for a precomputed kernel: m×n.
func TestDestinations(t *testing.T) {
	x, codes := blobs(62, 3, 8, 7)
	three, threeCodes := blobs(63, 3, 6, 6, 6)
	y := rows(64, 5, 3)
	kernel := gram.RBF{Gamma: 0.3}
	square := func(x *matrix.Dense) *matrix.Dense {
		return must.Get(gram.Matrix(nil, kernel, x))(t)
	}
	between := func(y, x *matrix.Dense) *matrix.Dense {
		return must.Get(gram.Cross(nil, kernel, y, x))(t)
	}
	classifiers := []discriminant.Classifier{nil, discriminant.Gaussian{}, discriminant.KNN{}, discriminant.SVM{Kernel: kernel, Probability: true}}
	methods := func(k gram.Kernel) (all []discriminant.Method) {
		for _, c := range classifiers {
			all = append(all, discriminant.KFDA{Kernel: k, Classifier: c}, discriminant.KernelPCA{Kernel: k, Components: 2, Classifier: c})
		}
		return append(all, discriminant.KFDA{Kernel: k, Regularizer: discriminant.RelativeRKHS(1e-3)}, discriminant.KernelRidge{Kernel: k}, discriminant.SVM{Kernel: k, Probability: true})
	}
	check := func(name string, m *discriminant.Model[int], y *matrix.Dense, classes int) {
		t.Helper()
		destinations(t, name+", Project", y.Rows, m.Components(), func(dst *matrix.Dense) (*matrix.Dense, error) { return m.Project(dst, y) })
		lines(t, name+", Predict", y.Rows, func(dst []int) ([]int, error) { return m.Predict(dst, y) })
		lines(t, name+", Far", y.Rows, func(dst []bool) ([]bool, error) { return m.Far(dst, y) })
		if classes == 2 {
			lines(t, name+", Decision", y.Rows, func(dst []float64) ([]float64, error) { return m.Decision(dst, y) })
		} else if _, err := m.Decision(nil, y); err == nil {
			t.Errorf("%s: a decision between %d classes", name, classes)
		}
		var none *discriminant.PosteriorsError
		if _, err := m.Posteriors(nil, y); !errors.As(err, &none) {
			destinations(t, name+", Posteriors", y.Rows, classes, func(dst *matrix.Dense) (*matrix.Dense, error) { return m.Posteriors(dst, y) })
		}
		var silent *discriminant.VotesError
		if _, err := m.Votes(nil, y); !errors.As(err, &silent) {
			destinations(t, name+", Votes", y.Rows, classes, func(dst *matrix.Dense) (*matrix.Dense, error) { return m.Votes(dst, y) })
		} else if silent.Rule == "vote" || silent.Rule == "svm" {
			t.Errorf("%s: %v", name, err)
		}
		for i, want := range predict(t, m, y) {
			if got, err := m.PredictRow(y.Row(i)); err != nil || got != want {
				t.Errorf("%s: row %d alone is %d, error %v; in the table %d", name, i, got, err, want)
			}
		}
		if _, err := m.PredictRow(y.Row(0)[1:]); err == nil {
			t.Errorf("%s: a row with a column too few was classified", name)
		}
		// Rows of another width are an error, not a panic.
		for _, cols := range []int{m.Dim() - 1, m.Dim() + 1} {
			if _, err := m.Project(nil, matrix.New(2, cols)); err == nil {
				t.Errorf("%s: rows of %d columns were projected, the model has %d", name, cols, m.Dim())
			}
			if _, err := m.Predict(nil, matrix.New(2, cols)); err == nil {
				t.Errorf("%s: rows of %d columns were classified", name, cols)
			}
		}
	}
	for _, set := range []struct {
		x     *matrix.Dense
		codes []int
		c     int
	}{{x, codes, 2}, {three, threeCodes, 3}} {
		direct, precomputed := methods(kernel), methods(gram.Precomputed{})
		for i, method := range direct {
			name := fmt.Sprintf("%T %d, %d classes", method, i, set.c)
			m := fit(t, method, set.x, set.codes)
			check(name, m, y, set.c)
			// The kernel matrix and the kernel values of new rows give what the kernel
			// gives: the chains of operations are the same.
			k := fit(t, precomputed[i], square(set.x), set.codes)
			values := between(y, set.x)
			check(name+", precomputed", k, values, set.c)
			matrixtest.SameBits(t, name+": projections of kernel values", project(t, m, y), project(t, k, values))
		}
		for _, c := range classifiers {
			check(fmt.Sprintf("LDA, %v, %d classes", c, set.c), fit(t, discriminant.LDA{Classifier: c}, set.x, set.codes), y, set.c)
		}
	}

	for _, k := range []gram.Kernel{kernel, gram.Precomputed{}} {
		table, new := x, y
		if k == (gram.Precomputed{}) {
			table, new = square(x), between(y, x)
		}
		pca := fitPCA(t, discriminant.KernelPCA{Kernel: k, Components: 2}, table)
		destinations(t, "PCA", 5, 2, func(dst *matrix.Dense) (*matrix.Dense, error) { return pca.Project(dst, new) })
		ridge := regress(t, discriminant.KernelRidge{Kernel: k}, table, x)
		destinations(t, "Regression", 5, 3, func(dst *matrix.Dense) (*matrix.Dense, error) { return ridge.Predict(dst, new) })
		lines(t, "PCA, Far", 5, func(dst []bool) ([]bool, error) { return pca.Far(dst, new) })
	}
	pca := fitPCA(t, discriminant.KernelPCA{Kernel: kernel, Components: 2}, x)
	z := scores(t, pca, y)
	destinations(t, "PreImages", 5, 3, func(dst *matrix.Dense) (*matrix.Dense, error) {
		dst, _, err := pca.PreImages(context.Background(), dst, z)
		return dst, err
	})
	lines(t, "ReconstructionErrors", 5, func(dst []float64) ([]float64, error) { return pca.ReconstructionErrors(dst, y) })
	scaler := must.Get(discriminant.FitScaler(discriminant.Standard, x))(t)
	destinations(t, "Transform", 5, 3, func(dst *matrix.Dense) (*matrix.Dense, error) { return scaler.Transform(dst, y) })
}

// A dst that overlaps the rows that are read would be read after it was written: it is
// refused. Transform may write to the rows themselves.
func TestOverlappingDestinations(t *testing.T) {
	x, codes := blobs(65, 2, 6, 6)
	memory := make([]float64, 40)
	at := func(from, rows, cols int) *matrix.Dense {
		return &matrix.Dense{Rows: rows, Cols: cols, Stride: cols, Data: memory[from:]}
	}
	at(0, 12, 2).CopyFrom(x)
	y := at(0, 12, 2)
	kernel := gram.RBF{Gamma: 0.3}
	lda := fit(t, discriminant.LDA{Classifier: discriminant.Gaussian{}}, x, codes)
	pca := fitPCA(t, discriminant.KernelPCA{Kernel: kernel, Components: 2}, x)
	ridge := regress(t, discriminant.KernelRidge{Kernel: kernel}, x, x)
	scaler := must.Get(discriminant.FitScaler(discriminant.Standard, x))(t)
	e := must.Get(gram.NewEvaluator(kernel, y))(t)
	other := must.Get(gram.NewEvaluator(kernel, x))(t)
	before := y.Clone()
	for what, apply := range map[string]func(){
		"Model.Project":            func() { lda.Project(at(1, 12, 1), y) },
		"Model.Project, in place":  func() { lda.Project(at(0, 12, 1), y) },
		"Model.Posteriors":         func() { lda.Posteriors(at(2, 12, 2), y) },
		"Model.Decision":           func() { lda.Decision(memory[5:17], y) },
		"PCA.Project":              func() { pca.Project(at(2, 12, 2), y) },
		"PCA.PreImages":            func() { pca.PreImages(context.Background(), at(2, 12, 2), y) },
		"PCA.ReconstructionErrors": func() { pca.ReconstructionErrors(memory[23:35], y) },
		"Regression.Predict":       func() { ridge.Predict(at(1, 12, 2), y) },
		"Scaler.Transform":         func() { scaler.Transform(at(2, 12, 2), y) },
		"Evaluator.Diag":           func() { e.Diag(memory[3:15]) },
		"Lines.Cross":              func() { gram.NewLines(other).Cross(at(20, 1, 12), at(21, 1, 2)) },
		"Evaluator.Cross":          func() { other.Cross(at(20, 1, 12), at(20, 1, 2)) },
		"Symmetrize":               func() { gram.Symmetrize(at(2, 3, 3), at(0, 3, 3)) },
	} {
		if text := matrixtest.PanicText(apply); !strings.Contains(text, "overlap") {
			t.Errorf("%s: no panic that says so, but %q", what, text)
		}
		matrixtest.SameBits(t, what+": the rows", y, before)
	}
	want := must.Get(scaler.Transform(nil, x))(t)
	if got, err := scaler.Transform(y, y); err != nil || got != y {
		t.Errorf("Transform in place: %v", err)
	}
	matrixtest.SameBits(t, "Transform in place", want, y)
}
