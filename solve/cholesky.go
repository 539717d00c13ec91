package solve

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
)

// Cholesky is the factorization A = LLᵀ of a symmetric positive definite
// matrix.
type Cholesky struct {
	l    *matrix.Dense // lower triangle; the upper one belongs to the caller
	norm float64       // ‖A‖_F
}

// choleskyPanel is the number of columns that are factored before the matrix to
// their right is updated.
const choleskyPanel = 64

// FactorCholesky factors the n×n matrix a in place: the lower triangle of a,
// diagonal included, is read and overwritten by L, and kept by the result; the
// upper triangle is neither read nor written. Each entry is one chain,
//
//	for j ↑, i = j … n-1:  s = A[i,j];  for k = 0 … j-1 ↑: s = FMA(-L[i,k], L[j,k], s)
//	                       L[j,j] = √s;  L[i,j] = s / L[j,j]
//
// A pivot that is not positive is a *NotPositiveDefiniteError, an element of
// the lower triangle that is not finite a *matrix.NotFiniteError, and a
// cancelled context its error; a is then partly overwritten, except that
// elements which are not finite are reported first. Cost: n³/3 flops.
func FactorCholesky(ctx context.Context, a *matrix.Dense) (*Cholesky, error) {
	mustSquare("FactorCholesky", a)
	return factorCholesky(ctx, a, choleskyPanel)
}

func factorCholesky(ctx context.Context, a *matrix.Dense, panel int) (*Cholesky, error) {
	maxAbs, err := maxLower(a)
	if err != nil {
		return nil, err
	}
	n, norm := a.Rows, frobeniusLower(a, maxAbs)
	pos := make([]float64, n*min(n, panel)) // packed panel, and the same negated
	neg := make([]float64, n*min(n, panel))
	for lo := 0; lo < n; lo += panel {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		hi := min(lo+panel, n)
		if err := choleskyColumns(a, lo, hi); err != nil {
			return nil, err
		}
		nb := hi - lo
		for i := hi; i < n; i++ {
			for k, v := range a.Row(i)[lo:hi] {
				pos[(i-hi)*nb+k], neg[(i-hi)*nb+k] = v, -v
			}
		}
		updateLower(a, hi, neg, pos, nb)
	}
	return &Cholesky{l: a, norm: norm}, nil
}

// choleskyColumns factors columns lo … hi-1, whose chains already hold the
// products of the columns before lo.
func choleskyColumns(a *matrix.Dense, lo, hi int) *NotPositiveDefiniteError {
	for i := lo; i < a.Rows; i++ {
		ai := a.Row(i)
		for j := lo; j < min(i, hi); j++ {
			aj := a.Row(j)
			ai[j] = negChain(ai[j], ai[lo:j], aj[lo:j]) / aj[j]
		}
		if i < hi {
			s := negChain(ai[i], ai[lo:i], ai[lo:i])
			if !(s > 0) {
				return &NotPositiveDefiniteError{Pivot: i, Value: s}
			}
			ai[i] = math.Sqrt(s)
		}
	}
	return nil
}

// negChain continues c by the negated products of a and b in ascending order.
func negChain(c float64, a, b []float64) float64 {
	b = b[:len(a)]
	for t, x := range a {
		c = math.FMA(-x, b[t], c)
	}
	return c
}

// Order returns n.
func (c *Cholesky) Order() int { return c.l.Rows }

// Solve overwrites the n×r matrix b by the solution X of AX = B, by forward and
// back substitution with one chain an entry. Cost: 2n²r flops.
func (c *Cholesky) Solve(b *matrix.Dense) {
	mustBe("Cholesky.Solve", "right-hand side", b, c.l.Rows, b.Cols)
	matrix.SolveLower(c.l, b)
	matrix.SolveLowerTrans(c.l, b)
}

// LogDet returns log det A = 2 Σ log L[j,j].
func (c *Cholesky) LogDet() float64 {
	var s float64
	for j := range c.l.Rows {
		s += f64.Log(c.l.Row(j)[j])
	}
	return float64(2 * s)
}
