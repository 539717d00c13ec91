package bigref

import (
	"fmt"
	"math/big"
)

// Cholesky returns the lower triangular L with A = L Lᵀ, by the textbook
// recurrence; it reads the lower triangle of A.
func (p Arith) Cholesky(a Matrix) (Matrix, error) {
	l := p.Zeros(len(a), len(a))
	for j := range a {
		for i := j; i < len(a); i++ {
			s := p.Sub(a[i][j], p.Dot(l[i][:j], l[j][:j]))
			if i == j {
				if s.Sign() <= 0 {
					return nil, fmt.Errorf("bigref: pivot %d is %g: not positive definite", j, s)
				}
				l[j][j] = p.Sqrt(s)
			} else {
				l[i][j] = p.Quo(s, l[j][j])
			}
		}
	}
	return l, nil
}

// CholeskySolve returns x with L Lᵀ x = b.
func (p Arith) CholeskySolve(l Matrix, b Vector) Vector {
	n := len(l)
	x := make(Vector, n)
	for i := range n {
		x[i] = p.Quo(p.Sub(b[i], p.Dot(l[i][:i], x[:i])), l[i][i])
	}
	for i := n - 1; i >= 0; i-- {
		s, t := p.num().Set(x[i]), p.num()
		for k := i + 1; k < n; k++ {
			s.Sub(s, t.Mul(l[k][i], x[k]))
		}
		x[i] = p.Quo(s, l[i][i])
	}
	return x
}

// choleskySolveColumns solves with the columns of B.
func (p Arith) choleskySolveColumns(l, b Matrix) Matrix {
	bt := b.Transpose()
	for j := range bt {
		bt[j] = p.CholeskySolve(l, bt[j])
	}
	return bt.Transpose()
}

// Eigen returns the eigenvalues of the symmetric matrix A, descending, and the
// orthonormal eigenvectors as rows in the same order, by cyclic Jacobi
// rotations until the off-diagonal part is below 2^(20−p)‖A‖.
func (p Arith) Eigen(a Matrix) (values Vector, vectors Matrix, err error) {
	n := len(a)
	w := p.Zeros(n, n)
	v := p.Zeros(n, n)
	for i := range n {
		v[i][i] = p.Int(1)
		for j := range n {
			w[i][j] = p.Ldexp(p.Add(a[i][j], a[j][i]), -1)
		}
	}
	tol := p.Ldexp(p.frobenius(w), 20-int(p))
	converged := false
	for sweep := 0; sweep < 100 && !converged; sweep++ {
		off := p.num()
		for i := range n {
			off.Add(off, p.Dot(w[i][:i], w[i][:i]))
		}
		if converged = off.Sqrt(off).Cmp(tol) <= 0; converged {
			break
		}
		for i := range n {
			for j := range i {
				p.rotate(w, v, i, j)
			}
		}
	}
	if !converged {
		return nil, nil, fmt.Errorf("bigref: Jacobi did not converge on a %d×%d matrix", n, n)
	}
	values = make(Vector, n)
	for i := range n {
		values[i] = w[i][i]
	}
	for i := range values { // selection sort
		top := i
		for j := i + 1; j < n; j++ {
			if values[j].Cmp(values[top]) > 0 {
				top = j
			}
		}
		values[i], values[top] = values[top], values[i]
		v[i], v[top] = v[top], v[i]
	}
	return values, v, nil
}

// rotate annihilates w_ij of the symmetric w by a rotation in the plane (i, j), in place, and applies
// it to the rows of v.
func (p Arith) rotate(w, v Matrix, i, j int) {
	if w[i][j].Sign() == 0 {
		return
	}
	// θ = (w_jj − w_ii)/(2 w_ij),  t = sign(θ)/(|θ| + √(1 + θ²)),  c = 1/√(1+t²),  s = t c
	theta := p.Quo(p.Sub(w[j][j], w[i][i]), p.Ldexp(w[i][j], 1))
	one := p.Int(1)
	abs := p.num().Abs(theta)
	t := p.Quo(one, p.Add(abs, p.Sqrt(p.Add(one, p.Mul(theta, theta)))))
	if theta.Signbit() {
		t.Neg(t)
	}
	c := p.Quo(one, p.Sqrt(p.Add(one, p.Mul(t, t))))
	s := p.Mul(t, c)
	cx, sy, sx, cy := p.num(), p.num(), p.num(), p.num()
	mix := func(x, y *big.Float) {
		cx.Mul(c, x)
		sy.Mul(s, y)
		sx.Mul(s, x)
		cy.Mul(c, y)
		x.Sub(cx, sy)
		y.Add(sx, cy)
	}
	for k := range w {
		mix(v[i][k], v[j][k])
		if k != i && k != j {
			mix(w[i][k], w[j][k])
			w[k][i].Set(w[i][k])
			w[k][j].Set(w[j][k])
		}
	}
	for _, k := range []int{i, j} {
		mix(w[k][i], w[k][j])
	}
	for _, k := range []int{i, j} {
		mix(w[i][k], w[j][k])
	}
	w[i][j], w[j][i] = p.num(), p.num()
}
