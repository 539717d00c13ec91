package solve

import (
	"math/big"
	"testing"

	"github.com/seed92411348/kfda/internal/bigref"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// arith is an independent truth.
const arith = bigref.Arith(600)

// bigSolve returns X with AX = B by elimination with row pivoting.
func bigSolve(a, b bigref.Matrix) bigref.Matrix {
	n := len(a)
	for k := range n {
		p := k
		for i := k + 1; i < n; i++ {
			if new(big.Float).Abs(a[i][k]).Cmp(new(big.Float).Abs(a[p][k])) > 0 {
				p = i
			}
		}
		a[k], a[p] = a[p], a[k]
		b[k], b[p] = b[p], b[k]
		for i := k + 1; i < n; i++ {
			f := arith.Quo(a[i][k], a[k][k])
			for j := k; j < n; j++ {
				a[i][j] = arith.Sub(a[i][j], arith.Mul(f, a[k][j]))
			}
			for j := range b[i] {
				b[i][j] = arith.Sub(b[i][j], arith.Mul(f, b[k][j]))
			}
		}
	}
	for i := n - 1; i >= 0; i-- {
		for j := range b[i] {
			for k := i + 1; k < n; k++ {
				b[i][j] = arith.Sub(b[i][j], arith.Mul(a[i][k], b[k][j]))
			}
			b[i][j] = arith.Quo(b[i][j], a[i][i])
		}
	}
	return b
}

// bigShiftedSolve solves (K − iσI)(wr + i·wi) = f as the real system
//
//	[ K   σI] [wr]   [f]
//	[−σI  K ] [wi] = [0]
func bigShiftedSolve(k *matrix.Dense, sigma float64, f *matrix.Dense) (wr, wi bigref.Matrix) {
	n := k.Rows
	a, b := arith.Zeros(2*n, 2*n), arith.Zeros(2*n, f.Cols)
	for i := range n {
		for j := range n {
			a[i][j].SetFloat64(k.At(i, j))
			a[n+i][n+j].SetFloat64(k.At(i, j))
		}
		a[i][n+i].SetFloat64(sigma)
		a[n+i][i].SetFloat64(-sigma)
		for c := range f.Cols {
			b[i][c].SetFloat64(f.At(i, c))
		}
	}
	x := bigSolve(a, b)
	return x[:n], x[n:]
}

// bigPencil returns the λ of Ψx = λΣx, descending.
func bigPencil(t *testing.T, psi, sigma bigref.Matrix) bigref.Vector {
	t.Helper()
	l := must.Get(arith.Cholesky(sigma))(t)
	lower := func(b bigref.Matrix) bigref.Matrix { // L⁻¹B, transposed
		x := b.Transpose()
		for _, column := range x {
			for i := range column {
				column[i] = arith.Quo(arith.Sub(column[i], arith.Dot(l[i][:i], column[:i])), l[i][i])
			}
		}
		return x
	}
	return bigEigenvalues(t, lower(lower(psi)))
}

// bigScaledCondition returns the condition number of a scaled to a unit diagonal.
func bigScaledCondition(t *testing.T, a bigref.Matrix) float64 {
	t.Helper()
	b := arith.Zeros(len(a), len(a))
	for i := range a {
		for j := range a {
			b[i][j] = arith.Quo(a[i][j], arith.Sqrt(arith.Mul(a[i][i], a[j][j])))
		}
	}
	values := bigEigenvalues(t, b)
	return bigref.Float64(arith.Quo(values[0], values[len(values)-1]))
}

// bigEigenvalues returns the eigenvalues of a, descending.
func bigEigenvalues(t *testing.T, a bigref.Matrix) bigref.Vector {
	t.Helper()
	values, _ := must.Get2(arith.Eigen(a))(t)
	return values
}
