package solve

import (
	"errors"
	"math"
	"testing"

	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// ‖A − UΣVᵀ‖, UᵀU − I and VᵀV − I are of the size of the rounding errors of some
// sweeps of rotations, and the values those of SingularValues.
func TestSVD(t *testing.T) {
	rng := newRand(12)
	for _, shape := range [][2]int{{1, 1}, {5, 1}, {1, 5}, {40, 7}, {7, 40}, {20, 20}, {120, 12}, {200, 70}} {
		n, k := shape[0], shape[1]
		a := randomMatrix(rng, n, k)
		view, whole := spread(a)
		u, values, v, err := SVD(view)
		if err != nil {
			t.Fatal(err)
		}
		matrixtest.SameBits(t, "argument", view, a)
		mustStaySpread(t, view, whole)
		want := must.Get(SingularValues(a))(t)
		for j, s := range values {
			if math.Abs(s-want[j]) > 1e-13*want[0] {
				t.Errorf("%d×%d: value %d is %v, of SingularValues %v", n, k, j, s, want[j])
			}
			if top := largest(columnOf(v, j)); top < 0 {
				t.Errorf("%d×%d: the largest component of column %d of V is %v", n, k, j, top)
			}
		}
		tol := 20 * float64(min(n, k)) * unit
		back := matrix.Mul(nil, scaleColumns(u, values), matrix.NoTrans, v, matrix.Transposed)
		for i := range back.Data {
			back.Data[i] -= a.Data[i]
		}
		if e := matrix.NormFrobenius(back); e > tol*matrix.NormFrobenius(a) {
			t.Errorf("%d×%d: ‖A − UΣVᵀ‖ = %.3g ‖A‖", n, k, e/matrix.NormFrobenius(a))
		}
		for _, q := range []*matrix.Dense{u, v} {
			g := matrix.SymRankK(nil, q, matrix.Transposed)
			for i := range g.Rows {
				g.Set(i, i, g.At(i, i)-1)
			}
			if e := matrix.MaxAbs(g); e > tol {
				t.Errorf("%d×%d: columns of a %d×%d factor are orthonormal to %.3g", n, k, q.Rows, q.Cols, e)
			}
		}
	}
}

func scaleColumns(a *matrix.Dense, f []float64) *matrix.Dense {
	b := a.Clone()
	for i := range b.Rows {
		for j, v := range b.Row(i) {
			b.Set(i, j, v*f[j])
		}
	}
	return b
}

func TestSVDSpecial(t *testing.T) {
	u, values, v, err := SVD(matrix.New(4, 2))
	if err != nil || values[0] != 0 || matrix.MaxAbs(u) != 0 || matrix.MaxAbs(v) != 0 {
		t.Errorf("zero matrix: %v, %v, %v, %v", u, values, v, err)
	}
	u, values, v, err = SVD(matrix.New(0, 3))
	if err != nil || len(values) != 0 || u.Rows != 0 || v.Rows != 3 || v.Cols != 0 {
		t.Errorf("no rows: %v, %v, %v, %v", u, values, v, err)
	}
	a := matrix.New(2, 2)
	a.Set(1, 0, math.NaN())
	var notFinite *matrix.NotFiniteError
	if _, _, _, err := SVD(a); !errors.As(err, &notFinite) || notFinite.Row != 1 {
		t.Errorf("NaN: %v", err)
	}
	var e *NotConvergedError
	if _, s, _, err := svd(secondDifference(64), 1); !errors.As(err, &e) || s != nil {
		t.Errorf("one sweep: %v, %v", s, err)
	}
}

// Columns that depend on others up to rounding, in the same panel and in another:
// values of rounding size, and the columns of U that belong to the others remain
// orthonormal.
func TestSVDDependentColumns(t *testing.T) {
	rng := newRand(13)
	base := randomMatrix(rng, 90, 30)
	a := matrix.New(90, 80)
	a.View(0, 0, 90, 30).CopyFrom(base)
	a.View(0, 30, 90, 50).CopyFrom(matrix.Mul(nil, base, matrix.NoTrans, randomMatrix(rng, 30, 50), matrix.NoTrans))
	for _, tall := range []bool{true, false} {
		x := a
		if !tall {
			x = matrix.Transpose(nil, a)
		}
		u, values, v, err := SVD(x)
		if err != nil {
			t.Fatal(err)
		}
		if values[29] < 1e-2*values[0] || values[30] > 1e-14*values[0] {
			t.Errorf("values %v of a matrix of rank 30", values)
		}
		for _, q := range []*matrix.Dense{u, v} {
			g := matrix.SymRankK(nil, q.View(0, 0, q.Rows, 30), matrix.Transposed)
			for i := range g.Rows {
				g.Set(i, i, g.At(i, i)-1)
			}
			if e := matrix.MaxAbs(g); e > 1e-13 {
				t.Errorf("columns of a %d×%d factor are orthonormal to %.3g", q.Rows, q.Cols, e)
			}
		}
		back := matrix.Mul(nil, scaleColumns(u, values), matrix.NoTrans, v, matrix.Transposed)
		for i := range back.Data {
			back.Data[i] -= x.Data[i]
		}
		if e := matrix.NormFrobenius(back) / matrix.NormFrobenius(x); e > 1e-14 {
			t.Errorf("‖A − UΣVᵀ‖ = %.3g ‖A‖", e)
		}
	}
}

// QR = A and QᵀQ = I, also for columns that are nearly dependent and for columns of
// sizes far apart, each relative to its own size.
func TestThinQR(t *testing.T) {
	rng := newRand(14)
	for _, k := range []int{1, 5, 33, 70} {
		a := randomMatrix(rng, 100, k)
		for j := 1; j < k; j += 2 {
			size := math.Ldexp(1, j%60-30)
			for i := range a.Rows {
				a.Set(i, j, size*(a.At(i, j-1)+1e-9*a.At(i, j)))
			}
		}
		q, r := thinQR(a, 0)
		g := matrix.SymRankK(nil, q, matrix.Transposed)
		for i := range k {
			g.Set(i, i, g.At(i, i)-1)
			for j := range i {
				if r.At(i, j) != 0 {
					t.Errorf("R(%d, %d) = %v", i, j, r.At(i, j))
				}
			}
		}
		if e := matrix.MaxAbs(g); e > 100*unit {
			t.Errorf("%d columns: QᵀQ − I = %.3g", k, e)
		}
		back := matrix.Mul(nil, q, matrix.NoTrans, r, matrix.NoTrans)
		for j := range k {
			e, size := 0.0, 0.0
			for i := range a.Rows {
				e = math.Max(e, math.Abs(back.At(i, j)-a.At(i, j)))
				size = math.Max(size, math.Abs(a.At(i, j)))
			}
			if e > 100*unit*size {
				t.Errorf("%d columns: column %d of QR − A is %.3g of its size", k, j, e/size)
			}
		}
	}
}

// Each column lies close to the one before it, and the sizes fall fast: a pass over the
// panel makes only a few more of the columns orthogonal.
func TestThinQROfChain(t *testing.T) {
	a := secondDifference(qrPanel)
	for i := range a.Rows {
		for j := range a.Cols {
			a.Set(i, j, math.Ldexp(a.At(i, j), -9*(i+j)))
		}
	}
	q, _ := thinQR(a, 0)
	// An element of QᵀQ is a sum of as many products as Q has rows, each with a rounding.
	if e := orthonormalRatio(q); !(e < 30) {
		t.Errorf("‖QᵀQ − I‖ is %.3g n u, want less than 30", e)
	}
}
