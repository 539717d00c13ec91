package fisher

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// contrastProducts holds the products of a matrix with contrasts, and for each column a
// bound of the norm of its error.
type contrastProducts struct {
	*matrix.Dense
	errors []float64
}

// rotated returns the products with the contrasts that v makes of these.
func (p contrastProducts) rotated(v *matrix.Dense) contrastProducts {
	error := math.Sqrt(matrix.SumSquares(p.errors)) + float64(chainError(p.Cols)*matrix.NormFrobenius(p.Dense))
	return contrastProducts{matrix.Mul(nil, p.Dense, matrix.NoTrans, v, matrix.NoTrans), repeated(error, v.Cols)}
}

func repeated(v float64, n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = v
	}
	return values
}

// contrastRounding bounds what the inner products of p contrasts differ from those of
// orthonormal columns by: entries have the rounding of a product, a division and a root, and
// of the p products of a rotation.
func contrastRounding(p int) float64 { return float64(float64(2*p+8) * u) }

// chainError bounds the relative error of a sum of n terms, in one chain, relative to that
// of their magnitudes: n·u is never exceeded, and of many terms a few √n·u only if their
// errors conspire (Higham & Mary, "A new approach to probabilistic rounding error analysis",
// SIAM J. Sci. Comput. 41, 2019).
func chainError(n int) float64 {
	return float64((math.Min(float64(n), float64(6*math.Sqrt(float64(n)))) + 2) * u)
}

// innerError bounds what two columns of norms a and b, with errors of norms da and db,
// may make of their inner product of n terms.
func innerError(n int, a, da, b, db float64) float64 {
	chain := float64(chainError(n) * float64(a*b))
	return chain + float64(a*db) + float64(da*b) + float64(da*db)
}

// weighedContrasts is what weights add to contrastRounding.
const weighedContrasts = 8 * u

// pencilError bounds the errors of the entries of Ψ and Σ, and of Σ + Ψ − I.
type pencilError struct {
	psi, sigma *matrix.Dense
	contrasts  float64
}

func newPencilError(p int) pencilError {
	return pencilError{psi: matrix.New(p, p), sigma: matrix.New(p, p), contrasts: contrastRounding(p)}
}

// eigenvalueErrors bounds the relative errors of the eigenvalues λ of the pencil (Ψ, Σ),
// computed with the vectors Γ, whose matrices have errors within e.
//
// In the coordinates of Γ the exact pencil is (Λ + E, I + F) with the bounds of E and F
// below, which also measure what the computed pairs leave of the equations. With
// η = ‖TET‖, T = diag(λᵢ + λ_k)^(−½), and φ = ‖F‖ every Rayleigh quotient t is changed to
// one between (t ∓ η(t + λ_k))/(1 ± φ), which grows with t, and so by Courant and Fischer is
// λ_k (of one below 0, its magnitude). Norms are largest sums of rows. Where the bound is 1 or
// more, nothing is certain of λ_k.
func eigenvalueErrors(lambda []float64, gamma, psi, sigma *matrix.Dense, e pencilError) []float64 {
	p := len(lambda)
	left, f := transformed(gamma, psi, e.psi), transformed(gamma, sigma, e.sigma)
	phi := 0.0
	for i := range p {
		left.bound.Row(i)[i] += math.Abs(left.value.At(i, i) - lambda[i])
		f.bound.Row(i)[i] += math.Abs(f.value.At(i, i) - 1)
		sum := 0.0
		for j := range p {
			if j != i {
				left.bound.Row(i)[j] += math.Abs(left.value.At(i, j))
				f.bound.Row(i)[j] += math.Abs(f.value.At(i, j))
			}
			sum += f.bound.At(i, j)
		}
		phi = math.Max(phi, sum)
	}
	errors := make([]float64, p)
	roots := make([]float64, p)
	for k, l := range lambda {
		for i, other := range lambda {
			roots[i] = math.Sqrt(math.Max(other, 0) + math.Abs(l))
		}
		eta := 0.0
		for i := range p {
			sum := 0.0
			for j := range p {
				sum += left.bound.At(i, j) / roots[i] / roots[j]
			}
			eta = math.Max(eta, sum)
		}
		errors[k] = relativeToExact(float64(2*eta) + float64(2*phi))
		if l == 0 {
			errors[k] = math.Inf(1)
		}
	}
	return errors
}

// relativeToExact returns the bound of |computed − exact|/exact, given that of
// |computed − exact|/computed; one of 1 or more says that nothing is certain.
func relativeToExact(error float64) float64 {
	if !(error < 0.5) {
		return float64(2 * error)
	}
	return error / (1 - error)
}

// withErrors is a matrix with bounds of the errors of its entries.
type withErrors struct{ value, bound *matrix.Dense }

// transformed returns ΓᵀAΓ for the symmetric A with errors within e.
func transformed(gamma, a, e *matrix.Dense) withErrors {
	p := a.Rows
	size, all := matrix.New(p, gamma.Cols), matrix.New(p, p)
	rounding := float64(float64(2*(p+2)) * u)
	for i := range p {
		for j := range p {
			all.Set(i, j, e.At(i, j)+float64(rounding*math.Abs(a.At(i, j))))
		}
		for j, v := range gamma.Row(i) {
			size.Set(i, j, math.Abs(v))
		}
	}
	return withErrors{
		value: matrix.Mul(nil, gamma, matrix.Transposed, matrix.Mul(nil, a, matrix.NoTrans, gamma, matrix.NoTrans), matrix.NoTrans),
		bound: matrix.Mul(nil, size, matrix.Transposed, matrix.Mul(nil, all, matrix.NoTrans, size, matrix.NoTrans), matrix.NoTrans),
	}
}

// symmetricErrors is eigenvalueErrors for a symmetric matrix with errors within e and its
// eigenvectors v, of a matrix that differs from the exact one by the factor 1 ± relative in
// its quadratic form, besides.
func symmetricErrors(lambda []float64, v, a, e *matrix.Dense, relative float64) []float64 {
	unit := matrix.New(a.Rows, a.Rows)
	for i := range unit.Rows {
		unit.Set(i, i, 1)
	}
	errors := eigenvalueErrors(lambda, v, a, unit, pencilError{psi: e, sigma: matrix.New(a.Rows, a.Rows)})
	for k, error := range errors {
		errors[k] = error + float64((1+error)*relativeToExact(relative))
	}
	return errors
}

// quadraticErrors bounds the errors of BᵀY, Y = A⁻¹B, for columns of B with errors of some
// norms and columns of Y with some relative error, where ‖A⁻¹‖₂ is at most inverse.
func quadraticErrors(b contrastProducts, y *matrix.Dense, forward, inverse float64) *matrix.Dense {
	sizeB, sizeY := columnNorms(b.Dense), columnNorms(y)
	e := matrix.New(b.Cols, b.Cols)
	for i := range b.Cols {
		for j := range b.Cols {
			// The error of B is in Y, too.
			moved := float64(b.errors[j]*sizeY[i]) + float64(float64(inverse*b.errors[i])*b.errors[j])
			error := moved + innerError(b.Rows, sizeB[i], b.errors[i], sizeY[j], float64(forward*sizeY[j]))
			e.Set(i, j, math.Max(error, e.At(j, i)))
			e.Set(j, i, e.At(i, j))
		}
	}
	return e
}
