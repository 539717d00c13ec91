package gram

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// squares returns the squared distances of all rows of a and b.
func squares(a, b *matrix.Dense) *matrix.Dense {
	d := matrixtest.NaNs(a.Rows, b.Rows)
	pairs(f64.SquaredDistance, tile{d.Data, b.Rows, a.Rows, b.Rows}, a, 0, b, 0)
	return d
}

func TestCaseLargeOffset(t *testing.T) {
	x := matrixtest.Case(t, "01-sqdist-large-offset/X.csv")
	want := matrixtest.Rows([]float64{0, 1, 2}, []float64{1, 0, 1}, []float64{2, 1, 0})
	matrixtest.SameBits(t, "squared distances", squares(x, x), want)
	matrixtest.SameBits(t, "squared distances to a copy", squares(x, x.Clone()), want)
	k := must.Get(Matrix(nil, RBF{Gamma: 0.5}, x))(t)
	matrixtest.SameBits(t, "both forms", must.Get(Cross(nil, RBF{Gamma: 0.5}, x.Clone(), x))(t), k)
	a, b := 0.6065306597126334, 0.36787944117144233
	within(t, "rbf", k, matrixtest.Rows([]float64{1, a, b}, []float64{a, 1, a}, []float64{b, a, 1}), 2*0x1p-53)
}

func TestCaseNearDuplicates(t *testing.T) {
	x := matrixtest.Case(t, "03-sqdist-negative-near-duplicates/X.csv")
	d := squares(x, x)
	if got := d.At(0, 1); math.Abs(got-6.16298e-32) > 1e-36 {
		t.Errorf("squared distance %v", got)
	}
	for i := range d.Data {
		if !(d.Data[i] >= 0) || math.IsNaN(math.Sqrt(d.Data[i])) {
			t.Errorf("squared distance %v", d.Data[i])
		}
	}
	for _, gamma := range []float64{1, 1e16} {
		k := must.Get(Matrix(nil, RBF{gamma}, x))(t)
		for i := range k.Rows {
			if k.At(i, i) != 1 {
				t.Errorf("diagonal %v", k.At(i, i))
			}
		}
		low := map[float64]float64{1: 1 - 1e-15, 1e16: 0.999}[gamma]
		if got := k.At(0, 1); !(got >= low && got <= 1) {
			t.Errorf("gamma %v: %v", gamma, got)
		}
	}
}

func TestCaseOverflow(t *testing.T) {
	x := matrixtest.Case(t, "04-sqdist-overflow-1e160/X.csv")
	k := must.Get(Matrix(nil, RBF{1}, x))(t)
	e := 0.36787944117144233
	within(t, "rbf", k, matrixtest.Rows([]float64{1, e, 0}, []float64{e, 1, 0}, []float64{0, 0, 1}), 2*0x1p-53)

	_, err := Matrix(nil, Linear{}, x)
	if overflow, ok := errors.AsType[*NotFiniteError](err); !ok || overflow.Row != 0 || overflow.Col != 0 || !math.IsInf(overflow.Value, 1) ||
		!strings.Contains(err.Error(), "overflow") {
		t.Errorf("linear: %v", err)
	}
	must.Refuse[*NotFiniteError](Cross(nil, Linear{}, x, x))(t, "linear, new rows")
	must.Refuse[*NotFiniteError](Diag(nil, Linear{}, x))(t, "linear, diagonal")
}

func TestCaseBitwiseSymmetric(t *testing.T) {
	x := matrixtest.Case(t, "05-gram-bitwise-symmetric/X.csv")
	k := must.Get(Matrix(nil, RBF{9}, x))(t)
	matrixtest.SameBits(t, "transpose", matrix.Transpose(nil, k), k)
	matrixtest.SameBits(t, "both forms", must.Get(Cross(nil, RBF{9}, x.Clone(), x))(t), k)
	for i := range k.Rows {
		for j, v := range k.Row(i) {
			if !(v > 0 && v <= 1) || i == j && v != 1 {
				t.Errorf("entry (%d, %d) is %v", i, j, v)
			}
		}
	}
	values := eigenvalues(k)
	if high := slices.Max(values); math.Abs(high-19.86368661) > 1e-9*high {
		t.Errorf("largest eigenvalue %v", high)
	}
	if low := slices.Min(values); low < -1e-13 {
		t.Errorf("smallest eigenvalue %v", low)
	}
}

// Kernel values that underflow are 0, and stay harmless when they are centred.
func TestCaseFarPoints(t *testing.T) {
	train := matrixtest.Rows([]float64{0}, []float64{1}, []float64{1000}, []float64{1001})
	test := matrixtest.Case(t, "24-rbf-underflow-far-point/test.csv")
	e := must.Get(NewEvaluator(RBF{1}, train))(t)
	k := must.Get(e.Cross(nil, test))(t)
	for _, i := range []int{0, 2} {
		for j, v := range k.Row(i) {
			if v != 0 {
				t.Errorf("entry (%d, %d) is %v", i, j, v)
			}
		}
	}
	c := NewCentring(must.Get(e.Matrix(nil))(t))
	c.Cross(k, k)
	if err := matrix.CheckFinite(k); err != nil {
		t.Error(err)
	}
	matrixtest.SameBits(t, "far rows", k.View(0, 0, 1, 4), k.View(2, 0, 1, 4))
	sums := Sum{[]Kernel{RBF{1}, Product{[]Kernel{RBF{1}, Laplacian{1}}}}}
	for _, v := range must.Get(Cross(nil, sums, test, train))(t).Row(0) {
		if v != 0 {
			t.Errorf("sum of vanishing kernels is %v", v)
		}
	}
}

func TestCasePrecomputedShapes(t *testing.T) {
	const name = "29-precomputed-test-shape"
	train := matrixtest.Case(t, name+"/K-train.csv")
	e := must.Get(NewEvaluator(Precomputed{}, train))(t)
	if e.Order() != 6 || e.Dim() != 6 {
		t.Errorf("order %d, dim %d", e.Order(), e.Dim())
	}
	matrixtest.SameBits(t, "K", must.Get(e.Matrix(nil))(t), train)
	test := matrixtest.Case(t, name+"/K-test.csv")
	matrixtest.SameBits(t, "new rows", must.Get(e.Cross(nil, test))(t), test)
	for file, found := range map[string]string{
		"bad-test-by-test.csv": "must be 3×6, not 3×3",
		"bad-transposed.csv":   "must be 6×6, not 6×3",
		"bad-one-column.csv":   "must be 3×6, not 3×1",
	} {
		_, err := e.Cross(nil, matrixtest.Case(t, name+"/"+file))
		if _, ok := errors.AsType[*ShapeError](err); !ok || !strings.Contains(err.Error(), found) {
			t.Errorf("%s: %v", file, err)
		}
	}
	_, err := NewEvaluator(Precomputed{}, train.View(0, 0, 6, 5))
	if _, ok := errors.AsType[*ShapeError](err); !ok || !strings.Contains(err.Error(), "must be 6×6, not 6×5") {
		t.Errorf("6×5: %v", err)
	}
	skewed := train.Clone()
	skewed.Set(4, 2, 0.5)
	_, err = NewEvaluator(Precomputed{}, skewed)
	if asymmetric, ok := errors.AsType[*NotSymmetricError](err); !ok || asymmetric.Row != 4 || asymmetric.Col != 2 || asymmetric.A != 0.5 || asymmetric.B != train.At(2, 4) {
		t.Errorf("not symmetric: %v", err)
	}
}

func TestCasePrecomputedInputIsUntouched(t *testing.T) {
	k := matrixtest.Case(t, "30-precomputed-input-untouched/K.csv")
	before := k.Clone()
	e := must.Get(NewEvaluator(Precomputed{}, k))(t)
	copied := must.Get(e.Matrix(nil))(t)
	c := NewCentring(copied)
	c.Matrix(copied, copied)
	first := c.Matrix(nil, must.Get(e.Matrix(nil))(t))
	e.Cross(nil, k)
	matrixtest.SameBits(t, "K afterwards", k, before)
	matrixtest.SameBits(t, "centred in place", copied, first)
}

func TestCaseGammaFromVariance(t *testing.T) {
	const name = "93-gamma-from-variance"
	x, x10 := matrixtest.Case(t, name+"/X.csv"), matrixtest.Case(t, name+"/X10.csv")
	gamma, gamma10 := must.Get(GammaScale(x))(t), must.Get(GammaScale(x10))(t)
	if want := 0.018072289156626505; math.Abs(gamma-want) > 4*0x1p-53*want {
		t.Errorf("gamma %v, want %v", gamma, want)
	}
	if ratio := gamma10 / gamma; math.Abs(ratio-0.01) > 1e-16 {
		t.Errorf("ratio %v", ratio)
	}
	k, k10 := must.Get(Matrix(nil, RBF{}, x))(t), must.Get(Matrix(nil, RBF{}, x10))(t)
	within(t, "rbf", k10, k, 1e-12)
}

// Nothing of the size n×n×d is held: there are the matrix itself and at most 16 MiB.
func TestCaseNoLargeTemporary(t *testing.T) {
	if testing.Short() {
		t.Skip("short mode: 0.6 s")
	}
	const n, d = 1500, 400
	x := matrix.New(n, d)
	for i := range n {
		for j := range d {
			x.Set(i, j, float64((i*31+j*17)%101)/100)
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	must.Get(Matrix(nil, RBF{}, x))(t)
	runtime.ReadMemStats(&after)
	got := after.TotalAlloc - before.TotalAlloc
	t.Logf("allocated %d bytes beside a matrix of %d", got-8*n*n, 8*n*n)
	if got > 8*n*n+16<<20 {
		t.Errorf("allocated %d bytes for a matrix of %d", got, 8*n*n)
	}
}
