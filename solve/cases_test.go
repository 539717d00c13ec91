package solve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// mustRefuse checks the pivot of a refused factorization; value NaN stands for
// any.
func mustRefuse(t *testing.T, a *matrix.Dense, pivot int, value float64) {
	t.Helper()
	_, err := FactorCholesky(context.Background(), a.Clone())
	if e, ok := errors.AsType[*NotPositiveDefiniteError](err); !ok || e.Pivot != pivot || !math.IsNaN(value) && e.Value != value {
		t.Errorf("error %v, want a *NotPositiveDefiniteError at pivot %d with value %g", err, pivot, value)
	}
}

func TestCase07DuplicateRows(t *testing.T) {
	x := matrixtest.Case(t, "07-duplicate-rows-singular-gram/train.csv")
	k := matrix.New(3, 3)
	for i := range 3 {
		for j := range 3 {
			if x.At(i, 0) != x.At(j, 0) {
				t.Fatal("rows differ")
			}
			k.Set(i, j, 1) // every kernel exp(-γ‖x−y‖²) of equal rows
		}
	}
	mustRefuse(t, k, 1, 0)
}

func TestCase16EigenOrder(t *testing.T) {
	const folder = "16-eigen-order-and-pairing"
	h := math.Sqrt(0.5)
	for _, c := range []struct {
		file    string
		values  []float64
		vectors [][]float64
	}{
		{"A.csv", []float64{3, 2, 1}, [][]float64{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}},
		{"B.csv", []float64{3, 1}, [][]float64{{h, h}, {h, -h}}},
		{"zero.csv", []float64{0, 0, 0, 0}, [][]float64{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}},
		{"one.csv", []float64{7}, [][]float64{{1}}},
	} {
		a := matrixtest.Case(t, folder+"/"+c.file)
		values, vectors := must.Get2(Jacobi(a.Clone()))(t)
		must.EqualSlices(t, fmt.Sprintf("%s: values", c.file), values, c.values)
		for i, row := range c.vectors {
			for j, v := range row {
				if math.Abs(vectors.At(i, j)-v) > 2*unit {
					t.Errorf("%s: vector component (%d, %d) is %g, want %g", c.file, i, j, vectors.At(i, j), v)
				}
			}
		}
		checkEigen(t, a, values, vectors)
	}
}

func TestCase18IterationCap(t *testing.T) {
	// The limit itself is TestNotConverged.
	for _, n := range []int{3, 64, 200} {
		if testing.Short() && n > 64 {
			continue
		}
		a := secondDifference(n)
		values, vectors := must.Get2(Jacobi(a.Clone()))(t)
		for k := range values {
			want := 2 - 2*math.Cos(float64(n-k)*math.Pi/float64(n+1))
			if math.Abs(values[k]-want) > 1e-13 {
				t.Errorf("n = %d: eigenvalue %d is %.16g, want %.16g", n, k, values[k], want)
			}
		}
		if n == 64 && (math.Abs(values[0]-3.99766445366465) > 1e-13 || math.Abs(values[63]-0.00233554633534672) > 1e-13) {
			t.Errorf("extreme eigenvalues %.16g, %.16g", values[0], values[63])
		}
		if _, orthogonality := ratios(a, values, vectors); orthogonality*float64(n)*unit > 1e-12 {
			t.Errorf("n = %d: ‖VᵀV − I‖ = %g", n, orthogonality*float64(n)*unit)
		}
	}
}

func TestCase20Arrow(t *testing.T) {
	a := matrixtest.Case(t, "20-eigen-arrow-repeated-diagonal/A.csv")
	values, vectors := must.Get2(Jacobi(a.Clone()))(t)
	want := slices.Repeat([]float64{-0.0003}, 10)
	want[0], want[9] = 0.500000414750805, -0.000300414750805472
	for i, w := range want {
		if math.Abs(values[i]-w) > 1e-15 {
			t.Errorf("eigenvalue %d is %.17g, want %.17g", i, values[i], w)
		}
	}
	checkEigen(t, a, values, vectors)
	residual, orthogonality := ratios(a, values, vectors)
	if residual*10*unit*matrix.NormFrobenius(a) > 1e-15 || orthogonality*10*unit > 1e-13 {
		t.Errorf("residual %g, orthogonality %g", residual*10*unit*matrix.NormFrobenius(a), orthogonality*10*unit)
	}
}

func TestCase21NonFinite(t *testing.T) {
	const folder = "21-eigen-nonfinite-input-hang"
	for _, c := range []struct {
		file           string
		row, col       int // first bad element of the lower triangle
		anyRow, anyCol int // and of the whole matrix
	}{
		{"a.csv", 1, 0, 0, 1},
		{"b.csv", 1, 1, 1, 1},
		{"c.csv", 2, 0, 0, 2},
		{"d.csv", 1, 1, 1, 1},
	} {
		a := matrixtest.Case(t, folder+"/"+c.file)
		check := func(what string, err error, row, col int) {
			t.Helper()
			if e, ok := errors.AsType[*matrix.NotFiniteError](err); !ok || e.Row != row || e.Col != col {
				t.Errorf("%s: %s: error %v, want a *matrix.NotFiniteError at (%d, %d)", c.file, what, err, row, col)
			}
		}
		ctx := context.Background()
		_, _, err := Jacobi(a.Clone())
		check("Jacobi", err, c.row, c.col)
		_, err = FactorCholesky(ctx, a.Clone())
		check("FactorCholesky", err, c.row, c.col)
		_, err = FactorShifted(ctx, a.Clone(), 1)
		check("FactorShifted", err, c.row, c.col)
		_, err = SingularValues(a)
		check("SingularValues", err, c.anyRow, c.anyCol)
		_, _, _, err = SVD(a)
		check("SVD", err, c.anyRow, c.anyCol)
		f := randomMatrix(newRand(1), a.Rows, 1)
		_, err = Reduce(ctx, a.Clone(), f, nil)
		check("Reduce", err, c.row, c.col)
		_, err = Lanczos(ctx, a.Clone(), f, []Shift{{Imag: 1}}, everything)
		check("Lanczos", err, c.row, c.col)
		_, _, err = Pencil(a, identity(a.Rows))
		check("Pencil, Ψ", err, c.row, c.col)
		_, _, err = Pencil(identity(a.Rows), a)
		check("Pencil, Σ", err, c.row, c.col)
	}
}

func TestCase22NaNPivot(t *testing.T) {
	const folder = "22-cholesky-nan-pivot"
	ctx := context.Background()
	for _, c := range []struct {
		file     string
		row, col int
	}{{"diag.csv", 1, 1}, {"off.csv", 1, 0}, {"inf.csv", 0, 0}} {
		_, err := FactorCholesky(ctx, matrixtest.Case(t, folder+"/"+c.file))
		if e, ok := errors.AsType[*matrix.NotFiniteError](err); !ok || e.Row != c.row || e.Col != c.col {
			t.Errorf("%s: error %v, want a *matrix.NotFiniteError at (%d, %d)", c.file, err, c.row, c.col)
		}
	}
	mustRefuse(t, matrixtest.Case(t, folder+"/indef.csv"), 1, -3)
	mustRefuse(t, matrixtest.Case(t, folder+"/semi.csv"), 1, 0)

	// The same faults far inside a large matrix.
	const n, at = 150, 131
	a := identity(n)
	a.Set(at, at, math.NaN())
	var e *matrix.NotFiniteError
	if _, err := FactorCholesky(ctx, a.Clone()); !errors.As(err, &e) || e.Row != at || e.Col != at {
		t.Errorf("NaN at (%d, %d): error %v", at, at, err)
	}
	a.Set(at, at, 1)
	a.Set(at, 3, 1)
	mustRefuse(t, a, at, 0)
	a.Set(at, 3, 2)
	mustRefuse(t, a, at, -3)
	a.Set(at, 3, 0)
	for i := range n {
		for j := i + 1; j < n; j++ {
			a.Set(i, j, math.NaN()) // the unread triangle
		}
	}
	if _, err := FactorCholesky(ctx, a); err != nil {
		t.Errorf("NaN in the upper triangle: %v", err)
	}
	if !math.IsNaN(a.At(3, at)) {
		t.Error("the upper triangle was written")
	}
	// Overflow on the way must not end in a NaN factor.
	b := identity(3)
	b.Set(0, 0, 1e-300)
	b.Set(1, 0, 1e300)
	b.Set(2, 0, 1e300)
	mustRefuse(t, b, 1, math.NaN())
}

func TestCase23ZeroRidge(t *testing.T) {
	x := matrixtest.Case(t, "23-kernel-ridge-zero-ridge/train.csv")
	k := matrix.SymRankK(nil, x.View(0, 0, 3, 1), matrix.NoTrans)
	mustRefuse(t, k, 1, 0)
	for i := range 3 {
		k.Set(i, i, k.At(i, i)+1)
	}
	c := must.Get(FactorCholesky(context.Background(), k))(t)
	w := x.View(0, 1, 3, 1).Clone()
	c.Solve(w)
	slope := w.At(0, 0) + 2*w.At(1, 0) + 3*w.At(2, 0)
	if math.Abs(slope-28./15) > 1e-14 {
		t.Errorf("slope %.17g, want 28/15", slope)
	}
}
