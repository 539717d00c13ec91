package solve

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed92411348/kfda/internal/misuse"
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
	misuse.NotNil("solve: Pencil", "psi", psi, "sigma", sigma)
	n := sigma.Rows
	mustSquare("Pencil", sigma)
	mustBe("Pencil", "Ψ", psi, n, n)
	size, err := maxLower(nil, psi)
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
	shift := pencilExponent - largestExponent(psi, d)
	order := descending(scaledDiagonal(psi, d, shift))
	slices.Reverse(order)
	l, b := scaledPermuted(sigma, d, 0, order), scaledPermuted(psi, d, shift, order)
	if err := choleskyTriangle(l.Data, n, l.Stride); err != nil {
		err.Pivot = order[err.Pivot]
		return nil, nil, err
	}
	matrix.SolveLower(l, b)
	matrix.SolveRightLowerTrans(l, b)
	lambda, v, err := Jacobi(b)
	if err != nil {
		return nil, nil, fmt.Errorf("solve: Pencil: L⁻¹ΨL⁻ᵀ: %w", err)
	}
	for k := range lambda {
		if lambda[k] = math.Ldexp(lambda[k], -shift); math.IsInf(lambda[k], 0) {
			return nil, nil, fmt.Errorf("solve: Pencil: %w", &RangeError{What: "eigenvalue", Size: size})
		}
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

// pencilExponent is the exponent of two of the largest element of DΨD, scaled: L⁻¹ΨL⁻ᵀ,
// which is up to 1/(n·u) times as large, stays in the range of float64, and small
// elements keep their digits.
const pencilExponent = 900

// largestExponent returns the exponent of two of the largest magnitude in the lower
// triangle of DAD, D = diag(2^d), which may be beyond the range of float64; 0 where all
// are 0.
func largestExponent(a *matrix.Dense, d []int) int {
	top, any := 0, false
	for i := range d {
		for j, v := range a.Row(i)[:i+1] {
			if v == 0 {
				continue
			}
			_, e := math.Frexp(v)
			if e += d[i] + d[j]; !any || e > top {
				top, any = e, true
			}
		}
	}
	return top
}

// scaledDiagonal returns the diagonal of 2^shift·DAD.
func scaledDiagonal(a *matrix.Dense, d []int, shift int) []float64 {
	diag := make([]float64, len(d))
	for i, x := range d {
		diag[i] = math.Ldexp(a.Row(i)[i], 2*x+shift)
	}
	return diag
}

// scaledPermuted returns 2^shift·DAD with rows and columns in the given order, both
// triangles from the lower one of a.
func scaledPermuted(a *matrix.Dense, d []int, shift int, order []int) *matrix.Dense {
	b := matrix.New(len(d), len(d))
	for i, p := range order {
		for j, q := range order {
			b.Row(i)[j] = math.Ldexp(a.Row(max(p, q))[min(p, q)], d[p]+d[q]+shift)
		}
	}
	return b
}
