package discriminant_test

import (
	"context"
	"math"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/golden"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// goldenTable returns the training rows and the test rows as Fit and Project
// take them: for a kernel matrix K and the transpose of the file's n×m K_test.
func goldenTable(p *golden.Problem) (x, test *matrix.Dense) {
	switch p.Input.Kernel().Type {
	case "precomputed":
		return p.Input.Matrix("K"), matrix.Transpose(nil, p.Input.Matrix("K_test"))
	case "circle_map":
		return p.Expected.Matrix("K"), matrix.Transpose(nil, p.Expected.Matrix("K_test"))
	}
	return p.Input.Matrix("X"), p.Input.Matrix("X_test")
}

func goldenRegularizer(p *golden.Problem) discriminant.Regularizer {
	if eps := p.Input.Float("eps"); p.Input.String("regularizer") == "rkhs" {
		return discriminant.RKHS(eps)
	} else {
		return discriminant.Ridge(eps)
	}
}

// worst keeps, by field, the largest error in units of its tolerance.
type worst map[string]float64

// TestGolden fits every problem of folder kfda, compares in the tolerances of the
// files, and counts. For summed scatter those are the tight ones, of a method that
// doesn't square the condition number, where there are such.
func TestGolden(t *testing.T) {
	var fitted []*golden.Problem
	refused := 0
	ratios := worst{}
	for _, p := range golden.Dir(t, "kfda") {
		t.Run(p.Name, func(t *testing.T) {
			if goldenFit(t, p, ratios) {
				fitted = append(fitted, p)
			} else {
				refused++
			}
		})
	}
	performed, total := golden.Count(fitted)
	t.Logf("%d problems fitted, %d refused where they may be; %d of %d checks performed", len(fitted), refused, performed, total)
	t.Logf("largest error over tolerance, by field: %v", ratios)
	if len(fitted) < 80 || performed < 1000 {
		t.Errorf("only %d problems and %d checks", len(fitted), performed)
	}
}

// goldenFit reports whether the problem was answered, not refused.
func goldenFit(t *testing.T, p *golden.Problem, ratios worst) bool {
	x, test := goldenTable(p)
	y := p.Input.Ints("y")
	averaged := p.Input.String("scatter") == "averaged"
	method := discriminant.KFDA{Kernel: must.Get(gram.Parse(p.Input.Kernel().Text()))(t), Regularizer: goldenRegularizer(p), Classifier: discriminant.NearestCentroid{}}
	if averaged {
		method.Scatter = discriminant.AveragedScatter
	}
	m, err := discriminant.Fit(context.Background(), method, x, y)
	if err != nil {
		if !p.MayRefuse() {
			t.Fatal(err)
		}
		t.Logf("refused, as it may be: %v", err)
		return false
	}
	compare := func(field string, got any) {
		t.Helper()
		if p.HasCheck(field) {
			ratios[field] = math.Max(ratios[field], p.Compare(t, field, got, !averaged))
		}
	}
	alpha := discriminant.DetailsOf(m).Alpha()
	z := project(t, m, test)
	if !finite(alpha) || !finite(z) || !finite(vector(discriminant.DetailsOf(m).Eigenvalues())) || !finite(discriminant.DetailsOf(m).Centroids()) {
		t.Fatal("a value is not finite")
	}
	compare("classes", m.Classes())
	compare("counts", m.Counts())
	compare("eigenvalues", discriminant.DetailsOf(m).Eigenvalues())
	compare("alpha", alpha)
	compare("alpha_alphaT", matrix.Mul(nil, alpha, matrix.NoTrans, alpha, matrix.Transposed))
	compare("nearest_centroid_test", predict(t, m, test))

	// A ridge in the RKHS projects with the centred kernel; the file has the
	// projections with the plain one too.
	kernel := must.Get(gram.NewEvaluator(method.Kernel, x))(t)
	k := must.Get(kernel.Matrix(nil))(t)
	cross := must.Get(kernel.Cross(nil, test))(t)
	compare("K", k)
	compare("K_test", matrix.Transpose(nil, cross))
	plain := z
	if p.Input.String("regularizer") == "rkhs" {
		plain = matrix.Mul(nil, cross, matrix.NoTrans, alpha, matrix.NoTrans)
		compare("proj_test_centred", z)
		compare("proj_train_centred", project(t, m, x))
	}
	compare("proj_test", plain)
	compare("proj_test_gram", matrix.Mul(nil, plain, matrix.NoTrans, plain, matrix.Transposed))
	if len(m.Classes()) == 2 {
		goldenBinary(t, p, method, m, plain, compare)
	}
	return true
}

// goldenBinary checks what the binary closed form gives: α_b = √q α up to sign
// with λ = (l₁l₂/n) q (averaged scatter: λ = q), oriented so that the later class
// projects higher, and the thresholds, which are the projection on α_b minus the
// decision value.
func goldenBinary(t *testing.T, p *golden.Problem, method discriminant.KFDA, m *discriminant.Model[int], plain *matrix.Dense, compare func(string, any)) {
	l := m.Counts()
	l1, l2 := float64(l[0]), float64(l[1])
	q := discriminant.DetailsOf(m).Eigenvalues()[0]
	if m.Details().(discriminant.KFDADetails).Scatter() == discriminant.SummedScatter {
		q *= (l1 + l2) / (l1 * l2)
	}
	scale := math.Sqrt(q)
	if c := discriminant.DetailsOf(m).Centroids(); c.At(1, 0) < c.At(0, 0) {
		scale = -scale
	}
	alpha := mapped(discriminant.DetailsOf(m).Alpha(), times(scale))
	compare("alpha_binary", alpha)
	b := column(mapped(plain, times(scale)), 0)
	compare("proj_binary_test", b)

	x, test := goldenTable(p)
	threshold := func(m *discriminant.Model[int]) float64 {
		d := must.Get(m.Decision(nil, test))(t)
		return b[0] - d[0]
	}
	method.Priors, method.Classifier = nil, discriminant.NearestCentroid{}
	compare("binary_midpoint", threshold(fit(t, method, x, p.Input.Ints("y"))))
	method.Priors = []float64{l1 / (l1 + l2), l2 / (l1 + l2)}
	compare("binary_threshold_empirical", threshold(fit(t, method, x, p.Input.Ints("y"))))
	if p.HasCheck("binary_threshold_priors") {
		method.Priors = p.Input.Vector("priors")
		compare("binary_threshold_priors", threshold(fit(t, method, x, p.Input.Ints("y"))))
	}
	// The class means of the projections on α_b, from the plain kernel.
	evaluator := must.Get(gram.NewEvaluator(method.Kernel, x))(t)
	k := must.Get(evaluator.Matrix(nil))(t)
	train := column(matrix.Mul(nil, k, matrix.NoTrans, alpha, matrix.NoTrans), 0)
	var sum [2]float64
	for i, y := range p.Input.Ints("y") {
		if y == m.Classes()[0] {
			sum[0] += train[i]
		} else {
			sum[1] += train[i]
		}
	}
	compare("binary_mu1", sum[0]/l1)
	compare("binary_mu2", sum[1]/l2)
}

// TestGoldenMedium fits iris and wine: all rows, and the five folds.
func TestGoldenMedium(t *testing.T) {
	if testing.Short() {
		t.Skip("six fits of 150 rows for each of 13 problems")
	}
	var fitted []*golden.Problem
	ratios := worst{}
	for _, p := range golden.Dir(t, "medium") {
		if p.Kind != "kfda_cv" {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			if goldenMedium(t, p, ratios) {
				fitted = append(fitted, p)
			}
		})
	}
	performed, total := golden.Count(fitted)
	t.Logf("%d problems; %d of %d checks performed", len(fitted), performed, total)
	t.Logf("largest error over tolerance, by field: %v", ratios)
	if performed < 50 {
		t.Errorf("only %d checks", performed)
	}
}

func goldenMedium(t *testing.T, p *golden.Problem, ratios worst) bool {
	x, y, fold := p.Input.Matrix("X"), p.Input.Ints("y"), p.Input.Ints("fold")
	method := discriminant.KFDA{Kernel: must.Get(gram.Parse(p.Input.Kernel().Text()))(t), Regularizer: goldenRegularizer(p), Classifier: discriminant.NearestCentroid{}}
	compare := func(field string, got any) {
		t.Helper()
		if p.HasCheck(field) {
			ratios[field] = math.Max(ratios[field], p.Compare(t, field, got, true))
		}
	}
	m, err := discriminant.Fit(context.Background(), method, x, y)
	if err != nil {
		if !p.MayRefuse() {
			t.Fatal(err)
		}
		t.Logf("refused, as it may be: %v", err)
		return false
	}
	z := project(t, m, x)
	compare("eigenvalues", discriminant.DetailsOf(m).Eigenvalues())
	compare("alpha", discriminant.DetailsOf(m).Alpha())
	if p.Input.String("regularizer") == "rkhs" {
		compare("proj_train_centred", z)
		compare("proj_train", matrix.Mul(nil, gramOf(t, method.Kernel, x), matrix.NoTrans, discriminant.DetailsOf(m).Alpha(), matrix.NoTrans))
	} else {
		compare("proj_train", z)
	}

	predicted := make([]int, len(y))
	right := 0
	for f := range 5 {
		var train, test []int
		for i, g := range fold {
			if g == f {
				test = append(test, i)
			} else {
				train = append(train, i)
			}
		}
		m, err := discriminant.Fit(context.Background(), method, pickRows(x, train), pick(y, train))
		if err != nil {
			if !p.MayRefuse() {
				t.Fatal(err)
			}
			t.Logf("fold %d refused, as it may be: %v", f, err)
			return true
		}
		for i, label := range predict(t, m, pickRows(x, test)) {
			predicted[test[i]] = label
			if label == y[test[i]] {
				right++
			}
		}
	}
	compare("cv_pred", predicted)
	compare("cv_accuracy", float64(right)/float64(len(y)))
	return true
}

func pickRows(x *matrix.Dense, at []int) *matrix.Dense {
	p := matrix.New(len(at), x.Cols)
	for i, r := range at {
		copy(p.Row(i), x.Row(r))
	}
	return p
}

func pick[T any](x []T, at []int) []T {
	p := make([]T, len(at))
	for i, r := range at {
		p[i] = x[r]
	}
	return p
}

// TestGoldenErrors hands every input of errors.json to Fit.
func TestGoldenErrors(t *testing.T) {
	cases := golden.Errors(t)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			m, err := fitErrorCase(t, c)
			switch {
			case err != nil && c.Expect == "finite":
				t.Error(err)
			case err != nil:
				t.Log(err)
			case c.Expect == "error":
				t.Errorf("no error: %s", c.Why)
			case !finite(vector(discriminant.DetailsOf(m).Eigenvalues())) || !finite(discriminant.DetailsOf(m).Alpha()) || !finite(discriminant.DetailsOf(m).Centroids()):
				t.Errorf("a value is not finite: λ = %v", discriminant.DetailsOf(m).Eigenvalues())
			case c.Expect == "error_or_zero":
				for _, l := range discriminant.DetailsOf(m).Eigenvalues() {
					if l != 0 {
						t.Errorf("λ = %v, want an error or 0", discriminant.DetailsOf(m).Eigenvalues())
					}
				}
			}
		})
	}
	t.Logf("%d inputs", len(cases))
}

func fitErrorCase(t *testing.T, c golden.ErrorCase) (*discriminant.Model[int], error) {
	field := "X"
	if c.Input.Has("K") {
		field = "K"
	}
	x, err := matrix.FromRows(c.Input.Rows(field))
	if err != nil {
		return nil, err
	}
	method := discriminant.KFDA{
		Kernel:      must.Get(gram.Parse(c.Input.Kernel().Text()))(t),
		Regularizer: discriminant.Ridge(c.Input.Float("eps")),
	}
	if c.Input.Has("components") {
		method.Components = c.Input.Int("components")
	}
	m, err := discriminant.Fit(context.Background(), method, x, c.Input.Ints("y"))
	if err == nil && c.Input.Has("X_test") {
		_, err = m.Project(nil, c.Input.Matrix("X_test"))
	}
	return m, err
}
