package solve

import (
	"context"
	"errors"
	"math"
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
