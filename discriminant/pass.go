package discriminant

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// secondPassTolerance bounds u(1+λ₁)/min(1, λ_last), the loss of relative
// accuracy in the smallest eigenvalue, above which the contrasts are rotated and
// solved for again.
const secondPassTolerance = 0x1p-44

// pass is the small problem that contrasts Q lead to.
type pass struct {
	w      *matrix.Dense // n×(c−1), α is in its span
	kw     *matrix.Dense // KW, or nil
	lambda []float64
	gamma  *matrix.Dense
	errors []float64 // bounds of the relative errors of lambda
}

// passes solves for the contrasts q and, where small eigenvalues would suffer
// from large ones, once more for contrasts that are already the discriminants, Q
// Γ diag(1+λ)^(−½): each column of the solution is then accurate relative to its
// own size. It returns the last pass and how many there were.
//
// product returns KQ for the rotated contrasts, exactly but for its last rounding. Where
// it is nil, KQ is rotated: a column far below the largest then has few digits.
func passes(one func(q *matrix.Dense, kq contrastProducts) (pass, error), q *matrix.Dense, kq contrastProducts, rank int, product func(q *matrix.Dense) (contrastProducts, error)) (p pass, count int, err error) {
	if p, err = one(q, kq); err != nil {
		return p, 1, err
	}
	last := math.Min(1, p.lambda[rank-1])
	if q.Cols == 1 || float64(u*(1+p.lambda[0])) <= float64(secondPassTolerance*last) {
		return p, 1, nil
	}
	v := p.gamma.Clone()
	for k, l := range p.lambda {
		f := 1 / math.Sqrt(1+l)
		for i := range v.Rows {
			v.Set(i, k, float64(v.At(i, k)*f))
		}
	}
	solve.Orthonormalize(v)
	q = matrix.Mul(nil, q, matrix.NoTrans, v, matrix.NoTrans)
	if product == nil {
		kq = kq.rotated(v)
	} else if kq, err = product(q); err != nil {
		return p, 1, err
	}
	p, err = one(q, kq)
	return p, 2, err
}
