package fuzz

import (
	"math"
	"testing"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// SVD and SingularValues of a rectangular matrix: reconstruction, orthogonality, and
// each against the other and against the transpose.
func FuzzSingular(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		in := input(data)
		n := in.size()
		if n > 100 {
			n = 100
		}
		a := in.symmetric(n).View(0, 0, n, min(n, in.size())).Clone()
		if in.below(2) == 1 {
			a = in.dense(n, min(in.size(), 100))
		}
		in.workers(t)
		p := in.place(a)
		before := p.Clone()
		values, err := solve.SingularValues(p.Dense)
		left, svd, right, errSVD := solve.SVD(p.Dense)
		p.checkOutside(t, "SVD")
		mustBeAlike(t, "the matrix", p.Dense, before)
		if mustNameBad(t, "SingularValues", err, a, false) {
			mustNameBad(t, "SVD", errSVD, a, false)
			return
		}
		if err != nil || errSVD != nil {
			for _, err := range []error{err, errSVD} {
				if err != nil { // one of them may be just within the range
					checkRange(t, "singular values", err, a)
				}
			}
			return
		}
		k := min(a.Rows, a.Cols)
		if len(values) != k || len(svd) != k || left.Rows != a.Rows || right.Rows != a.Cols || left.Cols != k || right.Cols != k {
			t.Fatalf("%d×%d: %d and %d values, U %d×%d, V %d×%d", a.Rows, a.Cols, len(values), len(svd), left.Rows, left.Cols, right.Rows, right.Cols)
		}
		mustBeFinite(t, "SVD", values, svd, left.Data, right.Data)
		scaled, e := unscaled(a)
		norm := matrix.NormFrobenius(scaled)
		order := float64(max(a.Rows, a.Cols))
		rounding := ratio*order*u*norm + math.Ldexp(1, -1073-e)*order
		mustBeBelow(t, "the difference of the two methods' values", valuesApart(values, svd, e), 2*rounding)
		transposed, err := solve.SingularValues(matrix.Transpose(nil, a))
		if err != nil {
			t.Fatalf("SingularValues of the transpose: %v", err)
		}
		mustBeBelow(t, "the difference of the values of A and Aᵀ", valuesApart(values, transposed, e), 2*rounding)

		us := left.Clone()
		rank := 0 // of the values that are not 0
		for j, s := range svd {
			if j > 0 && s > svd[j-1] || s < 0 {
				t.Fatalf("SVD: values %v", svd)
			}
			if s > 0 {
				rank++
			}
			for i := range us.Rows {
				us.Set(i, j, left.At(i, j)*math.Ldexp(s, -e))
			}
		}
		mustBeBelow(t, "‖A − UΣVᵀ‖", apart(product(us, matrix.NoTrans, right, matrix.Transposed), scaled), rounding)
		for _, q := range []*matrix.Dense{left, right} {
			mustBeBelow(t, "orthogonality of singular vectors", orthogonality(q.View(0, 0, q.Rows, rank))*float64(max(q.Rows, 1)), ratio*order)
		}
	})
}
