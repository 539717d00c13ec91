package solve

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// ratios returns ‖AV − VΛ‖ / (n u ‖A‖) and ‖VᵀV − I‖ / (n u), Frobenius norms, the
// test ratios of LAPACK's eigenvalue drivers.
func ratios(a *matrix.Dense, values []float64, vectors *matrix.Dense) (residual, orthogonality float64) {
	n := a.Rows
	scale := scaleTo(matrix.MaxAbs(a), 0)
	b := matrix.New(n, n)
	for i := range n {
		for j := range n {
			b.Set(i, j, a.At(i, j)*scale)
		}
	}
	r := matrix.Mul(nil, b, matrix.NoTrans, vectors, matrix.NoTrans)
	g := matrix.Mul(nil, vectors, matrix.Transposed, vectors, matrix.NoTrans)
	for j := range vectors.Cols {
		g.Set(j, j, g.At(j, j)-1)
		for i := range n {
			r.Set(i, j, r.At(i, j)-vectors.At(i, j)*(values[j]*scale))
		}
	}
	nu := float64(max(n, 1)) * unit
	if norm := matrix.NormFrobenius(b); norm > 0 {
		residual = matrix.NormFrobenius(r) / norm / nu
	}
	return residual, matrix.NormFrobenius(g) / nu
}

// checkEigen checks what holds for the eigensystem of every symmetric matrix.
func checkEigen(t *testing.T, a *matrix.Dense, values []float64, vectors *matrix.Dense) {
	t.Helper()
	residual, orthogonality := ratios(a, values, vectors)
	if !(residual < 30) {
		t.Errorf("‖AV − VΛ‖ is %.3g n u ‖A‖, want less than 30", residual)
	}
	if !(orthogonality < 30) {
		t.Errorf("‖VᵀV − I‖ is %.3g n u, want less than 30", orthogonality)
	}
	for k := range values[min(1, len(values)):] {
		if !(values[k] >= values[k+1]) {
			t.Errorf("eigenvalue %d is %g, the next one %g, want them descending", k, values[k], values[k+1])
		}
	}
	for k := range vectors.Cols {
		var top float64
		for i := range vectors.Rows {
			if v := vectors.At(i, k); math.Abs(v) > math.Abs(top) {
				top = v
			}
		}
		if top < 0 {
			t.Errorf("column %d: its first component of largest magnitude is %g, want it positive", k, top)
		}
	}
}

func secondDifference(n int) *matrix.Dense {
	a := matrix.New(n, n)
	for i := range n {
		a.Set(i, i, 2)
		if i > 0 {
			a.Set(i, i-1, -1)
			a.Set(i-1, i, -1)
		}
	}
	return a
}

// Elements that grow along the diagonal, with most eigenvalues rounding errors of the
// largest: in the order of the positions this matrix takes 72 sweeps.
func TestJacobiGrowing(t *testing.T) {
	if testing.Short() {
		t.Skip("some forty sweeps; a seed of FuzzJacobi is like it")
	}
	const n = 97
	a := randomSymmetric(newRand(n), n)
	for i := range n {
		for j := range n {
			a.Set(i, j, math.Ldexp(a.At(i, j), 6*((i+j)/2-n)))
		}
	}
	values, vectors := must.Get2(Jacobi(a.Clone()))(t)
	checkEigen(t, a, values, vectors)
}

func TestNotConverged(t *testing.T) {
	var e *NotConvergedError
	values, vectors, err := jacobi(secondDifference(64), 1)
	if !errors.As(err, &e) || e.Sweeps != 1 || e.Order != 64 || values != nil || vectors != nil {
		t.Errorf("Jacobi with one sweep: %v, %v, %v", values, vectors, err)
	}
	s, err := singularValues(secondDifference(64), 1)
	if !errors.As(err, &e) || s != nil {
		t.Errorf("SingularValues with one sweep: %v, %v", s, err)
	}
}

func TestSingularValues(t *testing.T) {
	rng := newRand(8)
	for _, shape := range [][2]int{{1, 1}, {5, 1}, {1, 5}, {40, 7}, {7, 40}, {200, 12}} {
		n, k := shape[0], shape[1]
		a := randomMatrix(rng, n, k)
		keep := a.Clone()
		got := must.Get(SingularValues(a))(t)
		matrixtest.SameBits(t, "argument", a, keep)
		if len(got) != min(n, k) {
			t.Fatalf("%d×%d: %d values", n, k, len(got))
		}
		g := matrix.SymRankK(nil, a, matrix.Trans(k < n))
		want, _ := must.Get2(Jacobi(g))(t)
		for i, s := range got {
			// The squares come with the condition number of the columns, below 10.
			if math.Abs(s-math.Sqrt(want[i])) > 100*float64(k)*unit*s {
				t.Errorf("%d×%d: value %d is %.17g, want %.17g", n, k, i, s, math.Sqrt(want[i]))
			}
		}
	}
}

// Columns of any scale: relative accuracy stays.
func TestSingularValuesGraded(t *testing.T) {
	rng := newRand(9)
	a := randomMatrix(rng, 30, 6)
	Orthonormalize(a)
	scales := []float64{1e-300, 1e200, 1, 1e-150, 1e100, 3e-8}
	for i := range 30 {
		for j, s := range scales {
			a.Set(i, j, a.At(i, j)*s)
		}
	}
	got := must.Get(SingularValues(a))(t)
	slices.Sort(scales)
	slices.Reverse(scales)
	for i, s := range got {
		if math.Abs(s-scales[i]) > 100*unit*scales[i] {
			t.Errorf("value %d is %g, want %g", i, s, scales[i])
		}
	}
}

// Columns that grow from the first to the last and depend on one another up to
// rounding are found as fast as those that shrink, with the same values up to it.
func TestSingularValuesGrowing(t *testing.T) {
	const n = 97
	rng := newRand(n)
	up, down := randomMatrix(rng, n, n), matrix.New(n, n)
	for i := range n {
		for j := range n {
			up.Set(i, j, math.Ldexp(up.At(i, j), i+j-2*n))
			down.Set(i, n-1-j, up.At(i, j))
		}
	}
	got := must.Get(singularValues(up, 30))(t)
	want := must.Get(singularValues(down, 30))(t)
	for k, v := range want {
		// 30 is the bound of all test ratios here.
		if e := math.Abs(got[k]-v) / (n * unit * want[0]); !(e < 30) {
			t.Errorf("value %d: %g, want %g", k, got[k], v)
		}
	}
}

// Two columns that are orthogonal but for their last digits, which a rotation by so
// little does not change: of 2×2 matrices with a constant diagonal one in forty.
func TestSingularValuesOfSmallSymmetric(t *testing.T) {
	a := matrix.New(2, 2)
	copy(a.Data, []float64{6.0093558973977476, 2.0691552777582996, 2.0691552777582996, 6.0093558973977476})
	got := must.Get(SingularValues(a))(t)
	for i, want := range []float64{6.0093558973977476 + 2.0691552777582996, 6.0093558973977476 - 2.0691552777582996} {
		if math.Abs(got[i]-want) > 4*unit*want {
			t.Errorf("value %d is %.17g, want %.17g", i, got[i], want)
		}
	}
	for seed := range uint64(1000) {
		a := randomSymmetric(newRand(seed), 2)
		a.Set(1, 1, a.At(0, 0))
		if _, err := SingularValues(a); err != nil {
			t.Errorf("%v: %v", a.Data, err)
		}
		if _, _, _, err := SVD(a); err != nil {
			t.Errorf("%v: %v", a.Data, err)
		}
	}
}

func TestSingularValuesRank(t *testing.T) {
	rng := newRand(10)
	a := matrix.Mul(nil, randomMatrix(rng, 50, 3), matrix.NoTrans, randomMatrix(rng, 3, 8), matrix.NoTrans)
	got := must.Get(SingularValues(a))(t)
	if got[2] < 1e-3*got[0] || got[3] > 100*unit*got[0] {
		t.Errorf("values of a matrix of rank 3: %v", got)
	}
	if got, err := SingularValues(matrix.New(5, 3)); err != nil || !slices.Equal(got, []float64{0, 0, 0}) {
		t.Errorf("values of the zero matrix: %v, %v", got, err)
	}
}

func TestOrthonormalize(t *testing.T) {
	rng := newRand(11)
	for _, shape := range [][2]int{{1, 1}, {5, 5}, {40, 9}, {300, 3}, {4, 0}} {
		n, k := shape[0], shape[1]
		v := randomMatrix(rng, n, k)
		Orthonormalize(v)
		before := v.Clone()
		for i := range v.Data {
			v.Data[i] += 1e-6 * rng.NormFloat64()
		}
		view, whole := spread(v)
		Orthonormalize(view)
		mustStaySpread(t, view, whole)
		g := matrix.Mul(nil, view, matrix.Transposed, view, matrix.NoTrans)
		for i := range k {
			for j := range k {
				want := 0.0
				if i == j {
					want = 1
				}
				if math.Abs(g.At(i, j)-want) > 8*math.Sqrt(float64(n))*unit {
					t.Errorf("%d×%d: (VᵀV)(%d,%d) is %g", n, k, i, j, g.At(i, j))
				}
			}
		}
		for i := range n {
			for j := range k {
				if math.Abs(view.At(i, j)-before.At(i, j)) > 1e-4 {
					t.Errorf("%d×%d: (%d, %d) moved from %g to %g", n, k, i, j, before.At(i, j), view.At(i, j))
				}
			}
		}
	}
}
