package solve

import (
	"errors"
	"math"
	"testing"

	"github.com/seed92411348/kfda/matrix"
)

// ‖A − UΣVᵀ‖, UᵀU − I and VᵀV − I are of the size of the rounding errors of some
// sweeps of rotations, and the values those of SingularValues bit for bit.
func TestSVD(t *testing.T) {
	rng := newRand(12)
	for _, shape := range [][2]int{{1, 1}, {5, 1}, {1, 5}, {40, 7}, {7, 40}, {20, 20}, {120, 12}} {
		n, k := shape[0], shape[1]
		a := randomMatrix(rng, n, k)
		view, whole := spread(a)
		u, values, v, err := SVD(view)
		if err != nil {
			t.Fatal(err)
		}
		mustEqualBits(t, "argument", view, a)
		mustStaySpread(t, view, whole)
		want, err := SingularValues(a)
		if err != nil {
			t.Fatal(err)
		}
		for j, s := range values {
			if s != want[j] {
				t.Errorf("%d×%d: value %d is %v, of SingularValues %v", n, k, j, s, want[j])
			}
			if top := largest(column(v, j)); top < 0 {
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

func column(a *matrix.Dense, j int) []float64 {
	c := make([]float64, a.Rows)
	for i := range c {
		c[i] = a.At(i, j)
	}
	return c
}

func TestSVDSpecial(t *testing.T) {
	u, values, v, err := SVD(matrix.New(4, 2))
	if err != nil || values[0] != 0 || matrix.MaxAbs(u) != 0 || v.At(0, 0) != 1 || v.At(1, 1) != 1 {
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
