package fisher

import (
	"cmp"
	"errors"
	"math"
	"slices"

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

// system is a linear system for contrasts, and the small problem that its solution leads to.
type system interface {
	// right returns the right-hand sides for the contrasts q.
	right(q *matrix.Dense) *matrix.Dense
	// pass returns what their solution w leads to. The products of the matrix with q are kq.
	pass(w columns, q *matrix.Dense, kq contrastProducts) (pass, error)
	// rotated returns the products with q, the contrasts of kq rotated by v: where it does
	// no more than rotate kq, a column far below the largest has few digits.
	rotated(q *matrix.Dense, kq contrastProducts, v *matrix.Dense) (contrastProducts, error)
}

// passes solve for the contrasts q and, where small eigenvalues would suffer
// from large ones, once more for contrasts that are already the discriminants, Q
// Γ diag(1+λ)^(−½): each column of the solution is then accurate relative to its
// own size.
type passes struct {
	system
	q     *matrix.Dense
	kq    contrastProducts
	rank  int
	last  pass
	count int
}

// solve makes the passes.
func (p *passes) solve(s solver) error {
	for more := true; more; {
		w, err := s.solve(p.right(p.q))
		if err != nil {
			return err
		}
		if more, err = p.take(w); err != nil {
			return err
		}
	}
	return nil
}

// take takes the solution for the contrasts, and reports whether there is to be another pass.
func (p *passes) take(w columns) (more bool, err error) {
	p.count++
	if p.last, err = p.pass(w, p.q, p.kq); err != nil || p.count == 2 {
		return false, err
	}
	lambda := p.last.lambda
	if p.q.Cols == 1 || float64(u*(1+lambda[0])) <= float64(secondPassTolerance*math.Min(1, lambda[p.rank-1])) {
		return false, nil
	}
	v := combined(p.last.gamma, lambda, func(v, lambda float64) float64 { return float64(v * (1 / math.Sqrt(1+lambda))) })
	solve.Orthonormalize(v)
	p.q = matrix.Mul(nil, p.q, matrix.NoTrans, v, matrix.NoTrans)
	p.kq, err = p.rotated(p.q, p.kq, v)
	return true, err
}

// symmetricPairs are those of the small problem (BᵀY)V = V diag(λ), Y = A⁻¹B, for Y with
// the relative error forward, where ‖A⁻¹‖₂ is at most inverse, and a quadratic form of A⁻¹
// that differs from the exact one by a factor 1 ± relative.
func symmetricPairs(b contrastProducts, y *matrix.Dense, forward, inverse, relative float64) (pass, error) {
	s := matrix.Mul(nil, b.Dense, matrix.Transposed, y, matrix.NoTrans)
	symmetrize(s)
	lambda, v, err := solve.Jacobi(s.Clone())
	if err != nil {
		return pass{}, err
	}
	return pass{w: y, lambda: lambda, gamma: v, errors: symmetricErrors(lambda, v, s, quadraticErrors(b, y, forward, inverse), relative)}, nil
}

// fromPencil solves the small problem ΨΓ = ΣΓ diag(λ), ΓᵀΣΓ = I, of a system
// with Σ + Ψ = I. Each λ above 1 is taken from ‖Γ_k‖² = 1 + λ_k, which has no
// cancellation there.
// With them come bounds of the relative errors of the eigenvalues, given those of the matrices.
func fromPencil(psi, sigma *matrix.Dense, e pencilError) (lambda []float64, gamma *matrix.Dense, bounds []float64, err error) {
	lambda, gamma, err = solve.Pencil(psi, sigma)
	if pivot := (*solve.NotPositiveDefiniteError)(nil); errors.As(err, &pivot) {
		return nil, nil, nil, &AccuracyError{What: "the rounding of the within-class scatter of the directions, relative to it,", Value: math.Inf(1), Limit: 1, Remedy: largerRidge}
	}
	if err != nil {
		return nil, nil, nil, err
	}
	for k := range lambda {
		s := 0.0
		for i := range gamma.Rows {
			v := gamma.At(i, k)
			s = math.FMA(v, v, s)
		}
		if s > 2 {
			lambda[k] = s - 1
		}
	}
	sortPairs(lambda, gamma)
	return lambda, gamma, eigenvalueErrors(lambda, gamma, psi, sigma, e), nil
}

// sortPairs sorts the eigenvalues descending, equal ones by their position, and
// the columns of gamma with them: eigenvalues of a cluster may have changed places
// by a rounding.
func sortPairs(lambda []float64, gamma *matrix.Dense) {
	order := make([]int, len(lambda))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(lambda[b], lambda[a]) })
	values, vectors := slices.Clone(lambda), gamma.Clone()
	for to, from := range order {
		lambda[to] = values[from]
		gamma.View(0, to, gamma.Rows, 1).CopyFrom(vectors.View(0, from, gamma.Rows, 1))
	}
}

// complement returns Ψ = (KQ)ᵀW = I − Σ for the real W. Each entry is taken from
// the form with the smaller rounding error: u times the norms of the two columns,
// which is far below u where a ridge is far above K and Ψ is small, or u. The bounds of the
// errors of Ψ, given those of the norms of the errors of W, are added to e, which has those
// of Σ.
func complement(sigma *matrix.Dense, kq contrastProducts, w *matrix.Dense, errors []float64, e *pencilError) *matrix.Dense {
	p := sigma.Rows
	psi := matrix.Mul(nil, kq.Dense, matrix.Transposed, w, matrix.NoTrans)
	sizeKQ, sizeW := columnNorms(kq.Dense), columnNorms(w)
	errorOf := func(i, j int) float64 {
		return e.psi.At(i, j) + innerError(kq.Rows, sizeKQ[i], kq.errors[i], sizeW[j], errors[j])
	}
	for i := range p {
		for j := range i + 1 {
			v, error := psi.At(i, j), errorOf(i, j)
			size := float64(sizeKQ[i] * sizeW[j])
			if other := float64(sizeKQ[j] * sizeW[i]); other < size {
				v, error, size = psi.At(j, i), errorOf(j, i), other
			}
			if size > 1 {
				v, error = -sigma.At(i, j), e.sigma.At(i, j)+e.contrasts
				if i == j {
					v = 1 - sigma.At(i, i)
				}
			}
			psi.Set(i, j, v)
			psi.Set(j, i, v)
			e.psi.Set(i, j, error)
			e.psi.Set(j, i, error)
		}
	}
	return psi
}
