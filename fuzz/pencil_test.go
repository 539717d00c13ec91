package fuzz

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// ΨΓ = ΣΓΛ with ΓᵀΣΓ = I.
func FuzzPencil(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		in := input(data)
		n := in.size() % 41
		psi, sigma := in.symmetric(n), in.symmetric(n)
		p, s := in.place(psi.Dense).hideUpper(), in.place(sigma.Dense).hideUpper()
		p0, s0 := p.Clone(), s.Clone()
		lambda, gamma, err := solve.Pencil(p.Dense, s.Dense)
		p.checkOutside(t, "Pencil: Ψ")
		s.checkOutside(t, "Pencil: Σ")
		mustBeAlike(t, "Pencil: Ψ", p.Dense, p0)
		mustBeAlike(t, "Pencil: Σ", s.Dense, s0)
		if mustNameBad(t, "Pencil", err, psi.Dense, true) || mustNameBad(t, "Pencil", err, sigma.Dense, true) {
			return
		}
		if indefinite, ok := errors.AsType[*solve.NotPositiveDefiniteError](err); ok {
			// The row is that of the caller, and its leading block with those taken
			// before it is refused; which those were is not known here.
			if i := indefinite.Pivot; i < 0 || i >= n || indefinite.Value > 0 {
				t.Fatalf("Pencil: %v", err)
			}
			checkIndefinite(t, sigma)
			return
		}
		// With D scaling Σ to a unit diagonal: DΣD and DΨD.
		d := make([]int, n)
		for i := range d {
			d[i] = -exponentHalf(sigma.At(i, i))
		}
		scaledBy := func(a *matrix.Dense, shift int) *matrix.Dense {
			return filled(n, func(i, j int) float64 { return math.Ldexp(a.At(i, j), d[i]+d[j]+shift) })
		}
		h := scaledBy(sigma.Dense, 0)
		top := math.Inf(-1) // exponent of DΨD
		for i := range n {
			for j := range i + 1 {
				if v := psi.At(i, j); v != 0 {
					_, e := math.Frexp(v)
					top = math.Max(top, float64(e+d[i]+d[j]))
				}
			}
		}
		values, _ := must.Get2(solve.Jacobi(h.Clone()))(t)
		least := 0.0
		if n > 0 {
			least = values[n-1]
		}
		if err != nil {
			if _, ok := errors.AsType[*solve.RangeError](err); !ok || !(top > 960) && least > 1e-12 {
				t.Fatalf("Pencil: %v", err)
			}
			return
		}
		mustBeFinite(t, "Pencil", lambda, gamma.Data)
		if !slices.IsSortedFunc(lambda, func(x, y float64) int { return -cmpFloat(x, y) }) {
			t.Fatalf("Pencil: values %v do not descend", lambda)
		}
		kappa := float64(n) / least // ≥ the condition number of DΣD
		if n == 0 || math.IsInf(top, -1) || !(kappa > 0) || float64(n)*u*kappa > 0.01 {
			return
		}
		// In y = D⁻¹Γ the problem is (DΨD)Y = (DΣD)YΛ, Yᵀ(DΣD)Y = I.
		y := matrix.New(n, n)
		for i := range n {
			for k := range n {
				y.Set(i, k, math.Ldexp(gamma.At(i, k), -d[i]))
			}
		}
		if exponentOf(y) < -900 || lost(gamma) {
			return // digits of Γ are lost below the range of float64
		}
		unit := product(y, matrix.Transposed, product(h, matrix.NoTrans, y, matrix.NoTrans), matrix.NoTrans)
		for i := range n {
			unit.Set(i, i, unit.At(i, i)-1)
		}
		order := float64(n)
		mustBeBelow(t, "‖ΓᵀΣΓ − I‖", matrix.NormFrobenius(unit), ratio*order*u*kappa)
		// The forms are L⁻¹ΨL⁻ᵀ's up to errors of n·u·κ·‖L⁻¹ΨL⁻ᵀ‖ ≤ n·u·κ·λ_max.
		shift := -int(top)
		form := product(y, matrix.Transposed, product(scaledBy(psi.Dense, shift), matrix.NoTrans, y, matrix.NoTrans), matrix.NoTrans)
		largest := 0.0
		for i := range n {
			l := math.Ldexp(lambda[i], shift)
			largest = math.Max(largest, math.Abs(l))
			form.Set(i, i, form.At(i, i)-l)
		}
		mustBeBelow(t, "‖ΓᵀΨΓ − Λ‖", matrix.NormFrobenius(form), ratio*order*u*kappa*largest+math.Ldexp(order, -1070+shift))
	})
}

// exponentHalf returns half of the exponent of two of x > 0, rounded down, 0 otherwise.
func exponentHalf(x float64) int {
	if !(x > 0) {
		return 0
	}
	_, e := math.Frexp(x)
	return e >> 1
}

// lost reports whether a holds elements so small that they have lost digits.
func lost(a *matrix.Dense) bool {
	for _, v := range a.Data {
		if v != 0 && math.Abs(v) < 0x1p-1000 {
			return true
		}
	}
	return false
}

// checkIndefinite fails where a matrix is safely definite; see checkRefusal.
func checkIndefinite(t *testing.T, a symmetric) {
	t.Helper()
	n := a.Rows
	for i := range n {
		if !(a.At(i, i) > 0) {
			return
		}
	}
	checkRefusal(t, a, n-1)
}
