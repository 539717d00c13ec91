package solve

import (
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// SVD returns the singular value decomposition A = U diag(values) Vᵀ of the n×k
// matrix a: with m = min(n, k), U is n×m, V k×m, and the values descend. The
// component of largest magnitude of each column of V, the first such, is positive.
// The columns of U and V are orthonormal, except that those that belong to a value
// of 0 may be 0. A value below 2⁻¹⁹⁰⁰ times the largest counts as 0. a is not changed.
//
// A (or Aᵀ, for n < k) is first factored as QR by the Gram–Schmidt method in
// blocks, with reorthogonalization; the one-sided Jacobi method then works on the
// rows of R (Drmač & Veselić, "New fast and accurate Jacobi SVD algorithm", SIAM J.
// Matrix Anal. Appl. 29, 2008). A column that depends on those before it up to n·u
// times its norm is taken to lie in their span. The error of a value is a small
// multiple of √n·k·u times the largest; that of U and V is that of a matrix that
// differs from A by as much.
//
// An element that is not finite is a *matrix.NotFiniteError, a value that is not a
// *RangeError; should the sweeps not suffice, the error is a *NotConvergedError.
// Cost: 6nk² flops for n ≥ k, and 9k³ a sweep.
func SVD(a *matrix.Dense) (u *matrix.Dense, values []float64, v *matrix.Dense, err error) {
	misuse.NotNil("solve: SVD", "a", a)
	return svd(a, maxSweeps)
}

func svd(a *matrix.Dense, sweeps int) (u *matrix.Dense, values []float64, v *matrix.Dense, err error) {
	if err := matrix.CheckFinite(a); err != nil {
		return nil, nil, nil, err
	}
	tall := a
	if a.Cols > a.Rows {
		tall = matrix.Transpose(nil, a)
	}
	maxAbs := matrix.MaxAbs(a)
	shift := shiftTo(maxAbs, topExponent)
	q, r := thinQR(tall, shift)
	k := r.Rows
	// R = W diag(norms) Vᵀ: the rows that are not 0, rotated by Wᵀ, are orthogonal. The
	// diagonal of such a row may have become 0 below the range, the rest of it is not.
	var rows [][]float64
	var at []int
	for i := range k {
		if f64.MaxAbs(r.Row(i)) != 0 {
			rows, at = append(rows, r.Row(i)), append(at, i)
		}
	}
	rotations := identity(len(rows))
	if err := orthogonalizeAll(rows, rotations, sweeps); err != nil {
		return nil, nil, nil, err
	}
	norms := make([]float64, len(rows))
	for j, row := range rows {
		if norms[j] = scaledNorm(row); norms[j] < leastMagnitude {
			norms[j] = 0
		}
	}
	values = make([]float64, k)
	left := matrix.New(k, k)
	v = matrix.New(k, k)
	for to, from := range descending(norms) {
		if values[to] = math.Ldexp(norms[from], -shift); math.IsInf(values[to], 1) {
			return nil, nil, nil, &RangeError{What: "singular value", Size: maxAbs}
		}
		for i, x := range rotations.Row(from) {
			left.Row(at[i])[to] = x
		}
		if norms[from] > 0 {
			for i, x := range rows[from] {
				v.Row(i)[to] = x / norms[from]
			}
		}
	}
	u = matrix.Mul(nil, q, matrix.NoTrans, left, matrix.NoTrans)
	if tall != a {
		u, v = v, u
	}
	for j := range k {
		if largest(columnOf(v, j)) < 0 {
			for _, f := range []*matrix.Dense{u, v} {
				for i := range f.Rows {
					f.Row(i)[j] = -f.Row(i)[j]
				}
			}
		}
	}
	return u, values, v, nil
}

func columnOf(a *matrix.Dense, j int) []float64 {
	c := make([]float64, a.Rows)
	for i := range c {
		c[i] = a.Row(i)[j]
	}
	return c
}
