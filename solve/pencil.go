package solve

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed92411348/kfda/matrix"
)

// Pencil solves the symmetric definite eigenvalue problem
//
//	Ψ Γ = Σ Γ diag(λ),   ΓᵀΣΓ = I
//
// for symmetric n×n matrices Ψ and Σ, Σ positive definite: λ descending, the
// component of largest magnitude of each column of Γ positive. Only the lower
// triangles are read; nothing is changed.
//
// Σ is scaled to a diagonal near one by powers of two, factored as LLᵀ, and
// L⁻¹ΨL⁻ᵀ goes to Jacobi. Rows are taken in ascending order of Ψ_ii/Σ_ii, so that
// the triangular factor never adds large entries to small ones. For positive
// definite Ψ every λ, however small or large, then has a relative error of a
// small multiple of n·u·(κ_Ψ + κ_Σ), the condition numbers of both matrices
// scaled to a unit diagonal.
//
// An element that is not finite is a *matrix.NotFiniteError, a Σ that is not
// positive definite a *NotPositiveDefiniteError whose value is that of the scaled
// matrix. Cost: that of [Jacobi].
func Pencil(psi, sigma *matrix.Dense) (lambda []float64, gamma *matrix.Dense, err error) {
	n := sigma.Rows
	mustSquare("Pencil", sigma)
	mustBe("Pencil", "Ψ", psi, n, n)
	if _, err := maxLower(nil, psi); err != nil {
		return nil, nil, fmt.Errorf("solve: Pencil: Ψ: %w", err)
	}
	if _, err := maxLower(nil, sigma); err != nil {
		return nil, nil, fmt.Errorf("solve: Pencil: Σ: %w", err)
	}
	d := make([]float64, n) // d_i² Σ_ii in [1/2, 2)
	for i := range d {
		s := sigma.Row(i)[i]
		if !(s > 0) {
			return nil, nil, &NotPositiveDefiniteError{Pivot: i, Value: s}
		}
		_, e := math.Frexp(s)
		d[i] = math.Ldexp(1, -(e >> 1))
	}
	order := descending(scaledDiagonal(psi, d))
	slices.Reverse(order)
	l, b := scaledPermuted(sigma, d, order), scaledPermuted(psi, d, order)
	if err := choleskyBlock(l); err != nil {
		err.Pivot = order[err.Pivot]
		return nil, nil, err
	}
	matrix.SolveLower(l, b)
	matrix.SolveRightLowerTrans(l, b)
	lambda, v, err := Jacobi(b)
	if err != nil { // an overflow: λ beyond the range of float64
		return nil, nil, fmt.Errorf("solve: Pencil: L⁻¹ΨL⁻ᵀ: %w", err)
	}
	matrix.SolveLowerTrans(l, v)
	gamma = matrix.New(n, n)
	column := make([]float64, n)
	for k := range n {
		for i, from := range order {
			column[from] = float64(d[from] * v.Row(i)[k])
		}
		setColumn(gamma, k, column)
	}
	return lambda, gamma, nil
}

// scaledDiagonal returns the diagonal of DAD.
func scaledDiagonal(a *matrix.Dense, d []float64) []float64 {
	diag := make([]float64, len(d))
	for i, x := range d {
		diag[i] = float64(float64(a.Row(i)[i]*x) * x)
	}
	return diag
}

// scaledPermuted returns DAD with rows and columns in the given order, both
// triangles from the lower one of a.
func scaledPermuted(a *matrix.Dense, d []float64, order []int) *matrix.Dense {
	b := matrix.New(len(d), len(d))
	for i, p := range order {
		for j, q := range order {
			b.Row(i)[j] = float64(float64(a.Row(max(p, q))[min(p, q)]*d[p]) * d[q])
		}
	}
	return b
}
