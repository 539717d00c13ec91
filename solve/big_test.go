package solve

import (
	"math/big"
	"slices"

	"github.com/seed92411348/kfda/matrix"
)

// Plain arithmetic with 600 bits, as an independent truth.

type bigMatrix [][]*big.Float

func bigNum(x float64) *big.Float       { return new(big.Float).SetPrec(600).SetFloat64(x) }
func bigOp() *big.Float                 { return new(big.Float).SetPrec(600) }
func bigAdd(a, b *big.Float) *big.Float { return bigOp().Add(a, b) }
func bigSub(a, b *big.Float) *big.Float { return bigOp().Sub(a, b) }
func bigMul(a, b *big.Float) *big.Float { return bigOp().Mul(a, b) }
func bigQuo(a, b *big.Float) *big.Float { return bigOp().Quo(a, b) }
func bigSqrt(a *big.Float) *big.Float   { return bigOp().Sqrt(a) }

func bigZeros(n, m int) bigMatrix {
	a := make(bigMatrix, n)
	for i := range a {
		a[i] = make([]*big.Float, m)
		for j := range a[i] {
			a[i][j] = bigNum(0)
		}
	}
	return a
}

func bigOf(a *matrix.Dense) bigMatrix {
	b := bigZeros(a.Rows, a.Cols)
	for i := range b {
		for j := range b[i] {
			b[i][j].SetFloat64(a.At(i, j))
		}
	}
	return b
}

func (a bigMatrix) rounded() *matrix.Dense {
	b := matrix.New(len(a), len(a[0]))
	for i := range a {
		for j := range a[i] {
			v, _ := a[i][j].Float64()
			b.Set(i, j, v)
		}
	}
	return b
}

// bigSolve returns X with AX = B by elimination with row pivoting.
func bigSolve(a, b bigMatrix) bigMatrix {
	n := len(a)
	for k := range n {
		p := k
		for i := k + 1; i < n; i++ {
			if bigOp().Abs(a[i][k]).Cmp(bigOp().Abs(a[p][k])) > 0 {
				p = i
			}
		}
		a[k], a[p] = a[p], a[k]
		b[k], b[p] = b[p], b[k]
		for i := k + 1; i < n; i++ {
			f := bigQuo(a[i][k], a[k][k])
			for j := k; j < n; j++ {
				a[i][j] = bigSub(a[i][j], bigMul(f, a[k][j]))
			}
			for j := range b[i] {
				b[i][j] = bigSub(b[i][j], bigMul(f, b[k][j]))
			}
		}
	}
	for i := n - 1; i >= 0; i-- {
		for j := range b[i] {
			for k := i + 1; k < n; k++ {
				b[i][j] = bigSub(b[i][j], bigMul(a[i][k], b[k][j]))
			}
			b[i][j] = bigQuo(b[i][j], a[i][i])
		}
	}
	return b
}

// bigShiftedSolve solves (K − iσI)(wr + i·wi) = f as the real system
//
//	[ K   σI] [wr]   [f]
//	[−σI  K ] [wi] = [0]
func bigShiftedSolve(k *matrix.Dense, sigma float64, f *matrix.Dense) (wr, wi bigMatrix) {
	n := k.Rows
	a, b := bigZeros(2*n, 2*n), bigZeros(2*n, f.Cols)
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

// bigRotate makes (p, q) of a zero.
func bigRotate(a bigMatrix, p, q int) {
	if a[p][q].Sign() == 0 {
		return
	}
	theta := bigQuo(bigSub(a[q][q], a[p][p]), bigMul(bigNum(2), a[p][q]))
	t := bigQuo(bigNum(1), bigAdd(bigOp().Abs(theta), bigSqrt(bigAdd(bigNum(1), bigMul(theta, theta)))))
	if theta.Sign() < 0 {
		t.Neg(t)
	}
	c := bigQuo(bigNum(1), bigSqrt(bigAdd(bigNum(1), bigMul(t, t))))
	s := bigMul(t, c)
	for k := range a {
		x, y := a[k][p], a[k][q]
		a[k][p], a[k][q] = bigSub(bigMul(c, x), bigMul(s, y)), bigAdd(bigMul(s, x), bigMul(c, y))
	}
	for k := range a {
		x, y := a[p][k], a[q][k]
		a[p][k], a[q][k] = bigSub(bigMul(c, x), bigMul(s, y)), bigAdd(bigMul(s, x), bigMul(c, y))
	}
}

// bigEigenvalues returns the eigenvalues of a, descending; a is destroyed.
func bigEigenvalues(a bigMatrix) []*big.Float {
	for range 12 { // quadratic convergence: far below any error of interest
		for p := range a {
			for q := p + 1; q < len(a); q++ {
				bigRotate(a, p, q)
			}
		}
	}
	values := make([]*big.Float, len(a))
	for i := range a {
		values[i] = a[i][i]
	}
	slices.SortFunc(values, func(x, y *big.Float) int { return y.Cmp(x) })
	return values
}

// bigPencil returns the λ of Ψx = λΣx, descending.
func bigPencil(psi, sigma bigMatrix) []*big.Float {
	n := len(psi)
	l := bigZeros(n, n)
	for j := range n {
		for i := j; i < n; i++ {
			s := sigma[i][j]
			for k := range j {
				s = bigSub(s, bigMul(l[i][k], l[j][k]))
			}
			if i == j {
				l[j][j] = bigSqrt(s)
			} else {
				l[i][j] = bigQuo(s, l[j][j])
			}
		}
	}
	lower := func(b bigMatrix) bigMatrix { // L⁻¹B, transposed
		x := bigZeros(n, n)
		for c := range n {
			for i := range n {
				s := b[i][c]
				for k := range i {
					s = bigSub(s, bigMul(l[i][k], x[c][k]))
				}
				x[c][i] = bigQuo(s, l[i][i])
			}
		}
		return x
	}
	return bigEigenvalues(lower(lower(psi)))
}

// bigScaledCondition returns the condition number of a scaled to a unit diagonal.
func bigScaledCondition(a bigMatrix) float64 {
	n := len(a)
	b := bigZeros(n, n)
	for i := range n {
		for j := range n {
			b[i][j] = bigQuo(a[i][j], bigSqrt(bigMul(a[i][i], a[j][j])))
		}
	}
	values := bigEigenvalues(b)
	c, _ := bigQuo(values[0], values[n-1]).Float64()
	return c
}
