package gram

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
)

// sizes are n×d of the rows that every kernel is tried on: around the groups of
// columns and the tiles, one row, one feature.
var sizes = [][2]int{{1, 1}, {1, 4}, {2, 1}, {7, 2}, {8, 3}, {9, 5}, {63, 1}, {64, 2}, {65, 3}, {130, 2}}

// forKinds runs f for every kernel at every size.
func forKinds(t *testing.T, f func(t *testing.T, kind int, e *Evaluator, x *matrix.Dense)) {
	for i, kind := range kinds {
		t.Run(strings.ReplaceAll(kind.kernel.String(), " ", ""), func(t *testing.T) {
			for _, s := range sizes {
				x := random(1, s[0], s[1], kind.nonneg)
				f(t, i, must.Get(NewEvaluator(kind.kernel, x))(t), x)
			}
		})
	}
}

func TestMatrixHasTheBitsOfTheFormula(t *testing.T) {
	forKinds(t, func(t *testing.T, kind int, e *Evaluator, x *matrix.Dense) {
		n := x.Rows
		before := x.Clone()
		want := matrix.New(n, n)
		for i := range n {
			for j := range n {
				want.Set(i, j, kinds[kind].value(x.Row(i), x.Row(j)))
			}
		}
		whole := matrixtest.NaNs(n+2, n+3)
		dst := whole.View(1, 1, n, n)
		if got := must.Get(e.Matrix(dst))(t); got != dst {
			t.Fatal("Matrix returned another matrix than dst")
		}
		matrixtest.SameBits(t, "Matrix", dst, want)
		matrixtest.SameBits(t, "its transpose", matrix.Transpose(nil, dst), want)
		matrixtest.SameBits(t, "Matrix(nil)", must.Get(e.Matrix(nil))(t), want)
		matrixtest.SameBits(t, "one-shot", must.Get(Matrix(nil, kinds[kind].kernel, x))(t), want)
		for i := range whole.Rows {
			for j := range whole.Cols {
				inside := i >= 1 && i <= n && j >= 1 && j <= n
				if !inside && !math.IsNaN(whole.At(i, j)) {
					t.Fatalf("Matrix wrote outside of its destination, at (%d, %d)", i, j)
				}
			}
		}
		matrixtest.SameBits(t, "x afterwards", x, before)
	})
}

func TestDiagRowsAndCrossHaveTheBitsOfMatrix(t *testing.T) {
	forKinds(t, func(t *testing.T, kind int, e *Evaluator, x *matrix.Dense) {
		n := x.Rows
		k := must.Get(e.Matrix(nil))(t)
		diag := matrixtest.NaNs(1, n)
		e.Diag(diag.Data)
		for i, v := range diag.Data {
			if math.Float64bits(v) != math.Float64bits(k.At(i, i)) {
				t.Fatalf("Diag[%d] = %v, want %v", i, v, k.At(i, i))
			}
		}
		oneShot := must.Get(Diag(nil, kinds[kind].kernel, x))(t)
		if !slices.Equal(oneShot, diag.Data) {
			t.Fatal("one-shot Diag differs")
		}

		for _, r := range []int{0, 1, 3, n} {
			if r > n {
				continue
			}
			for _, i0 := range []int{0, (n - r) / 2, n - r} {
				dst := matrixtest.NaNs(r, n)
				e.Rows(dst, i0)
				matrixtest.SameBits(t, fmt.Sprintf("Rows(%d, %d)", r, i0), dst, k.View(i0, 0, r, n))
			}
		}

		y := x.Clone()
		dst := matrixtest.NaNs(n, n)
		must.Get(e.Cross(dst, y))(t)
		matrixtest.SameBits(t, "Cross", dst, k)
		matrixtest.SameBits(t, "Cross(nil)", must.Get(e.Cross(nil, y))(t), k)
		matrixtest.SameBits(t, "one-shot Cross", must.Get(Cross(nil, kinds[kind].kernel, y, x))(t), k)
		for i := 0; i < n; i += 1 + n/16 {
			row := must.Get(e.Cross(nil, y.View(i, 0, 1, y.Cols)))(t)
			matrixtest.SameBits(t, "Cross of one row", row, k.View(i, 0, 1, n))
		}
		matrixtest.SameBits(t, "Cross of no rows", must.Get(e.Cross(nil, matrix.New(0, y.Cols)))(t), matrix.New(0, n))
	})
}

// The kernel matrix of permuted rows is the permuted kernel matrix.
func TestPermutedRows(t *testing.T) {
	forKinds(t, func(t *testing.T, kind int, e *Evaluator, x *matrix.Dense) {
		n := x.Rows
		rng := splitmix.Random(3)
		p := randomSample(&rng, n, n)
		permuted := matrix.New(n, x.Cols)
		for i, from := range p {
			copy(permuted.Row(i), x.Row(from))
		}
		k := must.Get(e.Matrix(nil))(t)
		got := must.Get(Matrix(nil, e.Kernel(), permuted))(t)
		for i := range n {
			for j := range n {
				if got.At(i, j) != k.At(p[i], p[j]) {
					t.Fatalf("entry (%d, %d)", i, j)
				}
			}
		}
	})
}

// Where positive semidefiniteness is claimed, rounding of the entries moves an
// eigenvalue by at most the norm of the errors: n times the error of an
// entry, which is below (d + 8)·u times the largest entry here, with a factor
// of two for those of the test's own eigenvalues.
func TestPositiveSemidefinite(t *testing.T) {
	forKinds(t, func(t *testing.T, kind int, e *Evaluator, x *matrix.Dense) {
		if !kinds[kind].definite || x.Rows > 9 && (testing.Short() || x.Rows != 65) {
			return
		}
		k := must.Get(e.Matrix(nil))(t)
		values := eigenvalues(k)
		n, d := float64(x.Rows), float64(x.Cols)
		if low := slices.Min(values); low < -2*n*(d+8)*0x1p-53*matrix.MaxAbs(k) {
			t.Errorf("%d×%d: eigenvalue %g, the largest is %g", x.Rows, x.Cols, low, slices.Max(values))
		}
	})
}

func TestResolveIsIdempotent(t *testing.T) {
	x := random(2, 6, 4, true)
	defaults := []Kernel{RBF{}, Laplacian{}, ChiSquared{}, NewPolynomial(0), NewSigmoid(), Polynomial{},
		Sum{[]Kernel{RBF{}, Scaled{2, Laplacian{}}}}, Product{[]Kernel{NewPolynomial(2), Cosine{}}}}
	for _, kind := range kinds {
		defaults = append(defaults, kind.kernel)
	}
	for _, k := range defaults {
		first := must.Get(Resolve(k, x))(t)
		second := must.Get(Resolve(first, random(3, 5, 2, true)))(t)
		if first.String() != second.String() || strings.Contains(first.String(), "default") {
			t.Errorf("%v resolves to %v and then to %v", k, first, second)
		}
	}
	scale := must.Get(GammaScale(x))(t)
	for k, want := range map[Kernel]Kernel{
		RBF{}:                          RBF{scale},
		Laplacian{}:                    Laplacian{0.25},
		ChiSquared{}:                   ChiSquared{1},
		NewPolynomial(0):               Polynomial{0.25, 1, 3},
		Polynomial{}:                   Polynomial{0.25, 0, 3},
		NewSigmoid():                   Sigmoid{0.25, 1},
		Polynomial{Gamma: 2, Coef0: 5}: Polynomial{2, 5, 3},
	} {
		must.Equal(t, fmt.Sprintf("%v resolves to", k), must.Get(Resolve(k, x))(t), want)
	}
	s := Sum{[]Kernel{RBF{}}}
	if resolved := must.Get(Resolve(s, x))(t).(Sum); resolved.Terms[0] != (RBF{scale}) || s.Terms[0] != (RBF{}) {
		t.Error("Resolve does not resolve terms, or changes its argument")
	}
}

// Features and shapes that cannot be used are errors with the place in them.
func TestInputErrors(t *testing.T) {
	forKinds(t, func(t *testing.T, kind int, e *Evaluator, x *matrix.Dense) {
		i, j := x.Rows-1, x.Cols/2
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			y := x.Clone()
			y.Set(i, j, bad)
			_, errX := NewEvaluator(kinds[kind].kernel, y)
			_, errY := e.Cross(nil, y)
			_, errK := Resolve(kinds[kind].kernel, y)
			for _, err := range []error{errX, errY, errK} {
				if e, ok := errors.AsType[*matrix.NotFiniteError](err); !ok || e.Row != i || e.Col != j {
					t.Fatalf("%v at (%d, %d): %v", bad, i, j, err)
				}
			}
		}
		_, err := e.Cross(nil, matrix.New(3, x.Cols+1))
		if shape, ok := errors.AsType[*ShapeError](err); !ok || *shape != (ShapeError{"new rows", 3, x.Cols + 1, 3, x.Cols}) {
			t.Fatalf("a column too many: %v", err)
		}
		if kinds[kind].nonneg {
			y := x.Clone()
			y.Set(i, j, -0.5)
			_, errX := NewEvaluator(kinds[kind].kernel, y)
			_, errY := e.Cross(nil, y)
			for _, err := range []error{errX, errY} {
				if e, ok := errors.AsType[*DomainError](err); !ok || e.Row != i || e.Col != j || e.Value != -0.5 {
					t.Fatalf("negative at (%d, %d): %v", i, j, err)
				}
			}
		}
	})
}

func TestMisusePanics(t *testing.T) {
	x := random(4, 5, 3, false)
	e := must.Get(NewEvaluator(Linear{}, x))(t)
	k := must.Get(e.Matrix(nil))(t)
	c := NewCentring(k)
	big := matrix.New(10, 10)
	v := must.Get(NewEvaluator(Linear{}, big.View(0, 0, 5, 5)))(t)
	for want, f := range map[string]func(){
		"Matrix: destination 4×5 for a 5×5":                     func() { e.Matrix(matrix.New(4, 5)) },
		"Cross: destination 5×4 for a 2×5":                      func() { e.Cross(matrix.New(5, 4), matrix.New(2, 3)) },
		"Rows: 3×5 at row 3 of a 5×5":                           func() { e.Rows(matrix.New(3, 5), 3) },
		"Rows: 1×4 at row 0 of a 5×5":                           func() { e.Rows(matrix.New(1, 4), 0) },
		"Rows: 1×5 at row -1 of a 5×5":                          func() { e.Rows(matrix.New(1, 5), -1) },
		"Diag: dst of 4 for a 5×5":                              func() { e.Diag(make([]float64, 4)) },
		"Matrix: destination 5×5 overlaps rows 5×5":             func() { v.Matrix(big.View(2, 2, 5, 5)) },
		"Rows: destination 2×5 overlaps rows 5×5":               func() { v.Rows(big.View(4, 4, 2, 5), 0) },
		"Cross: destination 2×5 overlaps rows 2×5":              func() { v.Cross(big.View(8, 0, 2, 5), big.View(7, 0, 2, 5)) },
		"NewCentring: kernel matrix is 5×3":                     func() { NewCentring(x) },
		"Centring.Matrix: kernel values are 4×5, the means are": func() { c.Matrix(nil, matrix.New(4, 5)) },
		"Centring.Cross: kernel values are 2×4, the means are":  func() { c.Cross(nil, matrix.New(2, 4)) },
		"Centring.Cross: destination 2×5 for a 3×5":             func() { c.Cross(matrix.New(2, 5), matrix.New(3, 5)) },
		"Centring.Cross: destination 2×5 overlaps":              func() { c.Cross(big.View(0, 0, 2, 5), big.View(1, 0, 2, 5)) },
	} {
		if got := matrixtest.PanicText(f); !strings.HasPrefix(got, "gram: "+want) {
			t.Errorf("panic %q, want %q", got, want)
		}
	}
}

// An evaluator may be used from many goroutines at once.
func TestConcurrentUse(t *testing.T) {
	for _, kind := range kinds {
		x := random(5, 70, 3, kind.nonneg)
		e := must.Get(NewEvaluator(kind.kernel, x))(t)
		want := must.Get(e.Matrix(nil))(t)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				got, err := e.Cross(nil, x)
				if err != nil {
					t.Error(err)
					return
				}
				rows := matrix.New(70, 70)
				e.Rows(rows, 0)
				for i := range want.Data {
					if got.Data[i] != want.Data[i] || rows.Data[i] != want.Data[i] {
						t.Errorf("%v: element %d differs", kind.kernel, i)
						return
					}
				}
			})
		}
		wg.Wait()
	}
}

// No rows, or no columns, are no reason to panic.
func TestEmpty(t *testing.T) {
	for _, kind := range kinds {
		for _, s := range [][2]int{{0, 0}, {0, 3}, {3, 0}} {
			x := matrix.New(s[0], s[1])
			e := must.Get(NewEvaluator(kind.kernel, x))(t)
			k := must.Get(e.Matrix(nil))(t)
			if k.Rows != s[0] || k.Cols != s[0] || len(e.Diag(nil)) != s[0] {
				t.Errorf("%v of %v: %d×%d", kind.kernel, s, k.Rows, k.Cols)
			}
			e.Rows(k, 0)
			must.Get(e.Cross(nil, matrix.New(2, s[1])))(t)
		}
	}
	for _, k := range []Kernel{RBF{}, Laplacian{}, NewPolynomial(2), NewSigmoid()} {
		var bad *ParameterError
		if _, err := NewEvaluator(k, matrix.New(3, 0)); !errors.As(err, &bad) || bad.Parameter != "Gamma" {
			t.Errorf("default of %v without features: %v", k, err)
		}
	}
	c := NewCentring(matrix.New(0, 0))
	c.Matrix(nil, matrix.New(0, 0))
	c.Cross(nil, matrix.New(2, 0))
}
