package solve

import (
	"math"
	"testing"

	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/matrix"
)

// orthogonality returns ‖XXᵀ − I‖_F of the rows of x, in units of u.
func orthogonality(x *matrix.Dense) float64 {
	g := matrix.Mul(nil, x, matrix.NoTrans, x, matrix.Transposed)
	for i := range g.Rows {
		g.Row(i)[i]--
	}
	return matrix.NormFrobenius(g) / unit
}

// Rows that depend on others, to within rounding or exactly, are left out, and the
// others are orthonormal with coefficients that give them back.
func TestOrthonormalizeRows(t *testing.T) {
	const n = 60
	rng := newRand(4)
	x := randomMatrix(rng, 9, n)
	for k, v := range x.Row(1) {
		x.Row(4)[k] = 2*v - x.Row(0)[k]                   // dependent
		x.Row(5)[k] = x.Row(2)[k] + 1e-6*x.Row(6)[k]      // nearly
		x.Row(7)[k] = 1e-30 * x.Row(7)[k]                 // negligible
		x.Row(8)[k] = x.Row(3)[k] + 1e-17*float64(k)*v/10 // equal up to rounding
	}
	given := x.Clone()
	q, r, lost, shrunk := orthonormalizeRows(x, 1e-14, n)
	if q.Rows != 6 || !shrunk || !(lost < 1e-13) {
		t.Fatalf("%d of 9 rows are kept, %.3g lost, shrunk: %v", q.Rows, lost, shrunk)
	}
	q, r, shrunk = refineRows(q, r, n)
	if shrunk {
		t.Error("orthonormal rows shrink")
	}
	if o := orthogonality(q); !(o < 10*6) {
		t.Errorf("‖QQᵀ − I‖ = %.3g u", o)
	}
	back := matrix.Mul(nil, r, matrix.Transposed, q, matrix.NoTrans)
	for i := range 9 {
		for k, v := range given.Row(i) {
			if math.Abs(back.At(i, k)-v) > 1e-13 {
				t.Fatalf("row %d is not RᵀQ", i)
			}
		}
	}
	for i := range r.Rows {
		for j := range i {
			if r.At(i, j) != 0 {
				t.Fatalf("R(%d,%d) = %v below the diagonal", i, j, r.At(i, j))
			}
		}
	}
	if q, _, _, _ := orthonormalizeRows(given.Clone(), 1e-14, 3); q.Rows != 3 {
		t.Errorf("%d rows where there can be 3", q.Rows)
	}
	if q, r, _, _ := orthonormalizeRows(matrix.New(3, n), 0, n); q.Rows != 0 || r.Cols != 3 {
		t.Errorf("%d rows from zeros", q.Rows)
	}
}

// Vectors and coordinates in a basis of several parts.
func TestRowBasis(t *testing.T) {
	const n = 300
	v := rowBasis{n: n}
	x := randomMatrix(newRand(5), 260, n)
	q, _, _, _ := orthonormalizeRows(x, 0, n)
	for i := 0; i < q.Rows; i += 7 {
		some := min(7, q.Rows-i)
		v.room(7).View(0, 0, some, n).CopyFrom(q.View(i, 0, some, n))
		v.add(some)
	}
	if len(v.parts) != 4 || v.count != 260 {
		t.Fatalf("%d vectors in %d parts", v.count, len(v.parts))
	}
	z := randomMatrix(newRand(6), 260, 4)
	y := matrix.New(n, 4)
	v.combine(nil, y, z)
	want := matrix.Mul(nil, q, matrix.Transposed, z, matrix.NoTrans)
	matrixtest.SameBits(t, "combination", y, want)
	rows := matrix.New(4, n)
	v.combineRows(nil, rows, z)
	matrixtest.SameBits(t, "combination in rows", rows, matrix.Transpose(nil, want))
	matrixtest.SameBits(t, "coordinates", v.inner(nil, y), matrix.Mul(nil, q, matrix.NoTrans, y, matrix.NoTrans))
	rest := matrix.Transpose(nil, y)
	v.project(nil, rest)
	if e := matrix.NormFrobenius(rest) / matrix.NormFrobenius(y); !(e < 100*unit) {
		t.Errorf("%.3g of a combination is left", e)
	}
}
