package solve

import (
	"fmt"
	"math"

	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// Append makes c the factorization of A with a row and a column more, the last
// ones: row holds its n elements left of the diagonal, diagonal the one there. The
// new row of L is the solution l of Ll = row and √(diagonal − lᵀl). The entries are
// those of [FactorCholesky] of the larger matrix, bit for bit.
//
// Where the larger matrix is not positive definite the error is a
// *NotPositiveDefiniteError with the pivot n, for an element that is not finite a
// *matrix.NotFiniteError, both with c unchanged. Cost: n² flops. From the first
// row on c has memory of its own, which grows by half each time that it is full.
func (c *Cholesky) Append(row []float64, diagonal float64) error {
	misuse.NotNil("solve: Cholesky.Append", "the factor of a zero Cholesky", c.l)
	n := c.Order()
	mustHave("Cholesky.Append", "row", row, n)
	all := append(append(make([]float64, 0, n+1), row...), diagonal)
	for j, v := range all {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return &matrix.NotFiniteError{Row: n, Col: j, Value: v}
		}
	}
	l := all[:n]
	for j := range l {
		l[j] = negChain(l[j], c.l.Row(j)[:j], l[:j]) / c.l.Row(j)[j]
	}
	s := negChain(diagonal, l, l)
	if !(s > 0) {
		return &NotPositiveDefiniteError{Pivot: n, Value: s}
	}
	all[n] = math.Sqrt(s)
	if c.store == nil || c.store.Rows == n {
		c.store = matrix.New(n+n/2+8, n+n/2+8)
		for i := range n {
			copy(c.store.Row(i), c.l.Row(i)[:i+1])
		}
	}
	scale := c.scaleForRow(append(row[:n:n], diagonal))
	change := scale.ofRow(row, diagonal)
	c.l = c.store.View(0, 0, n+1, n+1)
	copy(c.l.Row(n), all)
	scale.renew(c, change)
	return nil
}

// Remove makes c the factorization of A without row and column i, 0-based. The rows
// of L below lose their element i; these elements x go into the part of L to their
// right by the rotations of [Cholesky.Update], since that part had been factored
// with xxᵀ taken out. It is backward stable. Cost: at most 3n² multiplications.
func (c *Cholesky) Remove(i int) {
	misuse.NotNil("solve: Cholesky.Remove", "the factor of a zero Cholesky", c.l)
	n := c.Order()
	if i < 0 || i >= n {
		panic(fmt.Sprintf("solve: Cholesky.Remove: row %d of a %d×%d matrix", i, n, n))
	}
	scale := c.normScale(rootScale(c.norm))
	change := -scale.ofOwnRow(c.l, i)
	x := make([]float64, 0, n-1-i)
	for r := i + 1; r < n; r++ {
		from, to := c.l.Row(r)[:r+1], c.l.Row(r - 1)[:r]
		x = append(x, from[i])
		copy(to, from[:i])
		copy(to[i:], from[i+1:])
	}
	c.l = c.l.View(0, 0, n-1, n-1)
	c.rotateIn(i, x)
	scale.renew(c, change)
}

// negChain continues c by the negated products of a and b in ascending order.
func negChain(c float64, a, b []float64) float64 {
	b = b[:len(a)]
	for t, x := range a {
		c = math.FMA(-x, b[t], c)
	}
	return c
}
