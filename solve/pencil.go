package solve

import (
	"errors"
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
// matrix, a λ beyond the range of float64 a *RangeError. Cost: that of [Jacobi].
func Pencil(psi, sigma *matrix.Dense) (lambda []float64, gamma *matrix.Dense, err error) {
	n := sigma.Rows
	mustSquare("Pencil", sigma)
	mustBe("Pencil", "Ψ", psi, n, n)
	maxAbs, err := maxLower(nil, psi)
	if err != nil {
		return nil, nil, fmt.Errorf("solve: Pencil: Ψ: %w", err)
	}
	if _, err := maxLower(nil, sigma); err != nil {
		return nil, nil, fmt.Errorf("solve: Pencil: Σ: %w", err)
	}
	d := make([]int, n) // 4^d_i Σ_ii in [1/2, 2)
	for i := range d {
		s := sigma.Row(i)[i]
		if !(s > 0) {
			return nil, nil, &NotPositiveDefiniteError{Pivot: i, Value: s}
		}
		_, e := math.Frexp(s)
		d[i] = -(e >> 1)
	}
	order := descending(scaledDiagonal(psi, d))
	slices.Reverse(order)
	l, b := scaledPermuted(sigma, d, order), scaledPermuted(psi, d, order)
	if err := choleskyBlock(l, make([]float64, n*n)); err != nil {
		err.Pivot = order[err.Pivot]
		return nil, nil, err
	}
	matrix.SolveLower(l, b)
	matrix.SolveRightLowerTrans(l, b)
	lambda, v, err := Jacobi(b)
	if notFinite := (*matrix.NotFiniteError)(nil); errors.As(err, &notFinite) {
		err = &RangeError{What: "eigenvalue", Size: maxAbs}
	}
	if err != nil {
		return nil, nil, fmt.Errorf("solve: Pencil: L⁻¹ΨL⁻ᵀ: %w", err)
	}
	matrix.SolveLowerTrans(l, v)
	gamma = matrix.New(n, n)
	column := make([]float64, n)
	for k := range n {
		for i, from := range order {
			column[from] = math.Ldexp(v.Row(i)[k], d[from])
		}
		setColumn(gamma, k, column)
	}
	return lambda, gamma, nil
}

// scaledDiagonal returns the diagonal of DAD, D = diag(2^d).
func scaledDiagonal(a *matrix.Dense, d []int) []float64 {
	diag := make([]float64, len(d))
	for i, x := range d {
		diag[i] = math.Ldexp(a.Row(i)[i], 2*x)
	}
	return diag
}

// scaledPermuted returns DAD with rows and columns in the given order, both
// triangles from the lower one of a.
func scaledPermuted(a *matrix.Dense, d []int, order []int) *matrix.Dense {
	b := matrix.New(len(d), len(d))
	for i, p := range order {
		for j, q := range order {
			b.Row(i)[j] = math.Ldexp(a.Row(max(p, q))[min(p, q)], d[p]+d[q])
		}
	}
	return b
}
