package gram

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

func TestParameterErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	deep := Kernel(Linear{})
	for range maxDepth + 1 {
		deep = Scaled{1, deep}
	}
	cyclic := Sum{make([]Kernel, 1)}
	cyclic.Terms[0] = cyclic
	for _, c := range []struct {
		k         Kernel
		kernel    string
		parameter string
	}{
		{RBF{-1}, "rbf", "Gamma"}, {RBF{nan}, "rbf", "Gamma"}, {RBF{inf}, "rbf", "Gamma"},
		{Laplacian{-1}, "laplacian", "Gamma"}, {ChiSquared{-0.5}, "chi2", "Gamma"},
		{Polynomial{Gamma: -1}, "polynomial", "Gamma"}, {Polynomial{Coef0: nan}, "polynomial", "Coef0"},
		{Polynomial{Degree: -1}, "polynomial", "Degree"}, {Polynomial{Degree: 101}, "polynomial", "Degree"},
		{Sigmoid{Gamma: inf}, "sigmoid", "Gamma"}, {Sigmoid{Coef0: -inf}, "sigmoid", "Coef0"},
		{FeatureMap{Map: moments.Map}, "featuremap", "Dim"}, {FeatureMap{Dim: 2}, "featuremap", "Map"},
		{Func{}, "func", "K"},
		{Sum{}, "sum", "Terms"}, {Sum{[]Kernel{Linear{}, nil}}, "sum", "Terms"}, {Sum{[]Kernel{RBF{-1}}}, "rbf", "Gamma"},
		{Product{}, "product", "Factors"}, {Product{[]Kernel{nil}}, "product", "Factors"},
		{Scaled{0, Linear{}}, "scaled", "Factor"}, {Scaled{-1, Linear{}}, "scaled", "Factor"},
		{Scaled{inf, Linear{}}, "scaled", "Factor"}, {Scaled{1, nil}, "scaled", "Kernel"},
		{Sum{[]Kernel{Linear{}, Precomputed{}}}, "precomputed", "Kernel"},
		{Product{[]Kernel{Precomputed{}}}, "precomputed", "Kernel"},
		{Scaled{2, Precomputed{}}, "precomputed", "Kernel"},
		{Columns{[]int{-1}, Linear{}}, "columns", "At"}, {Columns{[]int{1, 1}, Linear{}}, "columns", "At"},
		{Columns{nil, nil}, "columns", "Of"}, {Columns{nil, Precomputed{}}, "precomputed", "Kernel"},
		{Columns{nil, Sum{[]Kernel{Columns{nil, Linear{}}}}}, "columns", "Of"},
		{deep, "scaled", "Kernel"}, {cyclic, "sum", "Terms"},
	} {
		_, errResolve := Resolve(c.k, matrix.New(2, 2))
		_, errNew := NewEvaluator(c.k, matrix.New(2, 2))
		_, errFormat := Format(c.k)
		for _, err := range []error{c.k.Validate(), errResolve, errNew, errFormat} {
			if e, ok := errors.AsType[*ParameterError](err); !ok || e.Kernel != c.kernel || e.Parameter != c.parameter {
				t.Errorf("%v: %v", c.k, err)
			}
		}
	}
	for _, k := range []Kernel{RBF{}, Polynomial{}, Polynomial{Degree: 100}, Polynomial{Coef0: -1}, Sigmoid{}, Precomputed{}} {
		if err := k.Validate(); err != nil {
			t.Errorf("%v: %v", k, err)
		}
	}
	if _, err := NewEvaluator(nil, matrix.New(2, 2)); err == nil {
		t.Error("nil kernel: no error")
	}
}

// The relative error of a squared distance is at most (d+4)u at any offset.
func TestSquaredDistancesAreAccurate(t *testing.T) {
	for _, d := range []int{1, 2, 3, 7, 20} {
		for _, offset := range []float64{0, 1, 1e6, 1e12} {
			x := random(7, 12, d, false)
			for i := range x.Rows {
				for j := range x.Cols {
					x.Set(i, j, x.At(i, j)+offset)
				}
			}
			got := squares(x, x)
			for i := range x.Rows {
				for j := range x.Rows {
					want := new(big.Float).SetPrec(500)
					for k := range d {
						a, b := big.NewFloat(x.At(i, k)).SetPrec(500), big.NewFloat(x.At(j, k)).SetPrec(500)
						a.Sub(a, b)
						want.Add(want, a.Mul(a, a))
					}
					diff := new(big.Float).SetPrec(500).SetFloat64(got.At(i, j))
					diff.Sub(diff, want)
					e, _ := diff.Float64()
					w, _ := want.Float64()
					if math.Abs(e) > float64(d+4)*0x1p-53*w {
						t.Fatalf("d = %d, offset %g: %v, want %v", d, offset, got.At(i, j), w)
					}
				}
			}
		}
	}
}

// The cosine does not feel the size of features, is exactly 1 for a row with
// itself, and 0 with a row of zeros.
func TestCosineScales(t *testing.T) {
	x := random(8, 20, 3, false)
	for j := range 3 {
		x.Set(4, j, 0)
	}
	want := must.Get(Matrix(nil, Cosine{}, x))(t)
	for i := range x.Rows {
		for j := range x.Rows {
			if v := want.At(i, j); i == 4 || j == 4 {
				if v != 0 {
					t.Errorf("with a row of zeros: %v", v)
				}
			} else if i == j && v != 1 || math.Abs(v) > 1 {
				t.Errorf("entry (%d, %d) is %v", i, j, v)
			}
		}
	}
	scaled := matrix.New(20, 3)
	for _, e := range []int{-1000, -600, -300, -241, -100, 100, 239, 300, 600, 1000} {
		for i := range x.Rows {
			for j := range 3 {
				shift := e
				if i%2 == 0 {
					shift = -e // large rows with small ones
				}
				scaled.Set(i, j, math.Ldexp(x.At(i, j), shift))
			}
		}
		before := scaled.Clone()
		matrixtest.SameBits(t, "scaled", must.Get(Matrix(nil, Cosine{}, scaled))(t), want)
		matrixtest.SameBits(t, "scaled, new rows", must.Get(Cross(nil, Cosine{}, x, scaled))(t), want)
		matrixtest.SameBits(t, "features afterwards", scaled, before)
	}
	tiny := matrixtest.Rows([]float64{5e-324, 0}, []float64{math.MaxFloat64, 0}, []float64{0, 5e-324})
	k := must.Get(Matrix(nil, Cosine{}, tiny))(t)
	matrixtest.SameBits(t, "extremes", k, matrixtest.Rows([]float64{1, 1, 0}, []float64{1, 1, 0}, []float64{0, 0, 1}))
}

func TestChiSquaredAtTheLimits(t *testing.T) {
	x := matrixtest.Rows([]float64{0, 0}, []float64{0, 5e-324}, []float64{0x1p1022, 1})
	k := must.Get(Matrix(nil, ChiSquared{1}, x))(t)
	matrixtest.SameBits(t, "chi2", k, matrixtest.Rows([]float64{1, 1, 0}, []float64{1, 1, 0}, []float64{0, 0, 1}))
	x.Set(2, 1, math.MaxFloat64)
	var bad *DomainError
	if _, err := Matrix(nil, ChiSquared{}, x); !errors.As(err, &bad) || bad.Row != 2 || bad.Col != 1 {
		t.Errorf("a feature too large: %v", err)
	}
}

// A feature map or function that panics, or returns what is not a number, is
// the caller's to handle; the evaluator can be used again.
func TestCallbacks(t *testing.T) {
	x := random(9, 70, 2, false)
	trip := false
	k := Func{Name: "trip", K: func(x, y []float64) float64 {
		if trip && x[0] == y[0] {
			panic("tripped")
		}
		return refDot(x, y)
	}}
	for _, kernel := range []Kernel{k, Sum{[]Kernel{Linear{}, k}}, Product{[]Kernel{k, k}}} {
		trip = false
		e := must.Get(NewEvaluator(kernel, x))(t)
		want := must.Get(e.Matrix(nil))(t)
		trip = true
		for name, f := range map[string]func(){
			"Matrix": func() { e.Matrix(nil) },
			"Cross":  func() { e.Cross(nil, x) },
			"Rows":   func() { e.Rows(matrix.New(3, 70), 1) },
			"Diag":   func() { e.Diag(nil) },
		} {
			if got := matrixtest.PanicText(f); got != "tripped" {
				t.Errorf("%s of %v: panic %q", name, kernel, got)
			}
		}
		trip = false
		matrixtest.SameBits(t, "afterwards", must.Get(e.Matrix(nil))(t), want)
	}

	_, err := Matrix(nil, Func{K: func(x, y []float64) float64 { return math.NaN() }}, x)
	var bad *NotFiniteError
	if !errors.As(err, &bad) || bad.What != "kernel value" || bad.Row != 0 || bad.Col != 0 {
		t.Errorf("function that returns NaN: %v", err)
	}
	bump := FeatureMap{Dim: 2, Map: func(dst, x []float64) { dst[1] = 1 / x[0] }}
	x.Set(5, 0, 0)
	for i := range 5 {
		x.Set(i, 0, 1)
	}
	_, err = NewEvaluator(bump, x)
	if !errors.As(err, &bad) || bad.What != "mapped feature" || bad.Row != 5 || bad.Col != 1 {
		t.Errorf("map to infinity: %v", err)
	}
	e := must.Get(NewEvaluator(bump, x.View(0, 0, 2, 2)))(t)
	if _, err = e.Cross(nil, x.View(5, 0, 1, 2)); !errors.As(err, &bad) || bad.Row != 0 {
		t.Errorf("map of a new row to infinity: %v", err)
	}
}

// Matrix names the first entry of the lower triangle that is not finite, also
// when a later tile is computed before it.
func TestFirstEntryThatIsNotFinite(t *testing.T) {
	x := random(10, 150, 1, false)
	x.Set(70, 0, 1e200)
	x.Set(140, 0, -1e200)
	_, err := Matrix(nil, Linear{}, x)
	var bad *NotFiniteError
	if !errors.As(err, &bad) || bad.Row != 70 || bad.Col != 70 {
		t.Errorf("%v", err)
	}
	_, err = Cross(nil, Linear{}, x.View(100, 0, 50, 1), x)
	if !errors.As(err, &bad) || bad.Row != 40 || bad.Col != 70 || !math.IsInf(bad.Value, -1) {
		t.Errorf("%v", err)
	}
}

func TestPrecomputedZerosHaveOneSign(t *testing.T) {
	negZero := math.Copysign(0, -1)
	k := matrixtest.Rows([]float64{1, negZero}, []float64{0, negZero})
	e := must.Get(NewEvaluator(Precomputed{}, k))(t)
	want := matrixtest.Rows([]float64{1, 0}, []float64{0, 0})
	got := must.Get(e.Matrix(nil))(t)
	matrixtest.SameBits(t, "Matrix", got, want)
	e.Rows(got, 0)
	matrixtest.SameBits(t, "Rows", got, want)
}

// A single new row costs no memory when there is a destination.
func TestCrossOfOneRowDoesNotAllocate(t *testing.T) {
	if asmtest.Race {
		t.Skip("the race detector makes pools forget")
	}
	x := random(11, 100, 5, true)
	y, dst := x.View(3, 0, 1, 5), matrix.New(1, 100)
	for _, k := range []Kernel{Linear{}, NewPolynomial(3), RBF{}, Laplacian{}, NewSigmoid(), ChiSquared{}} {
		e := must.Get(NewEvaluator(k, x))(t)
		if got := testing.AllocsPerRun(10, func() { e.Cross(dst, y) }); got != 0 {
			t.Errorf("%v: %v allocations", k, got)
		}
	}
}

func TestStrings(t *testing.T) {
	for want, k := range map[string]Kernel{
		"linear()":             Linear{},
		"rbf(gamma=0.5)":       RBF{0.5},
		"rbf(gamma=default)":   RBF{},
		"laplacian(gamma=0.1)": Laplacian{0.1},
		"polynomial(gamma=default, coef0=1, degree=3)": NewPolynomial(3),
		"sigmoid(gamma=default, coef0=1)":              NewSigmoid(),
		"cosine()":                                     Cosine{},
		"chi2(gamma=1)":                                ChiSquared{1},
		"precomputed()":                                Precomputed{},
		`featuremap(name="circle", dim=3)`:             circle,
		"featuremap(dim=2)":                            FeatureMap{Dim: 2},
		`func(name="mine")`:                            Func{Name: "mine"},
		"func()":                                       Func{},
		"sum(rbf(gamma=2), scaled(factor=1.5, linear()), product(cosine(), func()))": Sum{[]Kernel{RBF{2}, Scaled{1.5, Linear{}}, Product{[]Kernel{Cosine{}, Func{}}}}},
		"columns(0, 3, rbf(gamma=2))": Columns{[]int{0, 3}, RBF{2}},
		"sum(?)":                      Sum{[]Kernel{nil}},
		"sum()":                       Sum{},
	} {
		if got := k.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	cyclic := Sum{make([]Kernel, 1)}
	cyclic.Terms[0] = cyclic
	if got := cyclic.String(); !strings.Contains(got, "sum(?)") {
		t.Errorf("a sum of itself: %s", got)
	}
}

// New rows of a precomputed kernel need the number of training rows only.
func TestPrecomputedRows(t *testing.T) {
	e := PrecomputedRows(3)
	if e.Order() != 3 || e.Dim() != 3 || e.Kernel() != (Precomputed{}) {
		t.Errorf("order %d, dim %d, kernel %v", e.Order(), e.Dim(), e.Kernel())
	}
	y := matrixtest.Rows([]float64{1, 2, 3}, []float64{4, 5, 6})
	matrixtest.SameBits(t, "Cross", must.Get(e.Cross(nil, y))(t), y)
	matrixtest.SameBits(t, "Cross into dst", must.Get(e.Cross(matrixtest.NaNs(2, 3), y))(t), y)
	var shape *ShapeError
	if _, err := e.Cross(nil, y.View(0, 0, 2, 2)); !errors.As(err, &shape) || shape.WantCols != 3 {
		t.Errorf("two columns: %v", err)
	}
}
