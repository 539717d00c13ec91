package solve

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/seed92411348/kfda/internal/bigref"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// pencilResiduals returns the largest entries of ΓᵀΣΓ − I and ΓᵀΨΓ − Λ, the
// latter relative to √(λ_i λ_j).
func pencilResiduals(psi, sigma *matrix.Dense, lambda []float64, gamma *matrix.Dense) (unitary, diagonal float64) {
	form := func(a *matrix.Dense) bigref.Matrix {
		n := a.Rows
		g, b := arith.FromDense(gamma), arith.FromDense(a)
		out := arith.Zeros(n, n)
		for i := range n {
			for j := range n {
				for p := range n {
					for q := range n {
						out[i][j] = arith.Add(out[i][j], arith.Mul(g[p][i], arith.Mul(b[p][q], g[q][j])))
					}
				}
			}
		}
		return out
	}
	s, p := bigref.Dense(form(sigma)), form(psi)
	for i := range lambda {
		s.Set(i, i, s.At(i, i)-1)
		for j := range lambda {
			want := 0.0
			if i == j {
				want = lambda[i]
			}
			d, _ := arith.Sub(p[i][j], arith.Of(want)).Float64()
			unitary = max(unitary, math.Abs(s.At(i, j)))
			diagonal = max(diagonal, math.Abs(d)/math.Sqrt(math.Abs(lambda[i]))/math.Sqrt(math.Abs(lambda[j])))
		}
	}
	return unitary, diagonal
}

// smallRotations returns an orthogonal matrix that is a product of rotations by
// random angles up to the given one, to 600 bits.
func smallRotations(seed uint64, n int, angle float64) bigref.Matrix {
	rng := newRand(seed)
	q := arith.FromDense(identity(n))
	for i := range n {
		for j := i + 1; j < n; j++ {
			t := arith.Of(angle * (2*rng.Float64() - 1))
			c := arith.Quo(arith.Of(1), arith.Sqrt(arith.Add(arith.Of(1), arith.Mul(t, t))))
			s := arith.Mul(t, c)
			for k := range n {
				x, y := q[k][i], q[k][j]
				q[k][i], q[k][j] = arith.Sub(arith.Mul(c, x), arith.Mul(s, y)), arith.Add(arith.Mul(s, x), arith.Mul(c, y))
			}
		}
	}
	return q
}

func bigConjugate(q bigref.Matrix, diag []*big.Float) bigref.Matrix {
	n := len(q)
	a := arith.Zeros(n, n)
	for i := range n {
		for j := range n {
			for k := range n {
				a[i][j] = arith.Add(a[i][j], arith.Mul(q[i][k], arith.Mul(diag[k], q[j][k])))
			}
		}
	}
	return a
}

// The discriminant's pencil: Σ with eigenvalues 1/(1+λ), Ψ = I − Σ, λ from 1e-10
// to 1e12, nearly diagonal as after rotation into the directions, in any order.
// Every λ must be as good as the scaled condition numbers allow, against 600
// bits; so must Γ.
func TestPencilExtreme(t *testing.T) {
	const n = 8
	for _, angle := range []float64{0, 1e-14, 1e-10, 1e-7, 1e-5, 1e-3} {
		seeds := uint64(4)
		if testing.Short() {
			seeds = 1
		}
		for seed := range seeds {
			rng := newRand(seed)
			diag := make([]*big.Float, n)
			for i, p := range rng.Perm(n) {
				lambda := arith.Of(math.Pow(10, -10+22*float64(p)/(n-1)))
				diag[i] = arith.Quo(arith.Of(1), arith.Add(arith.Of(1), lambda))
			}
			s := bigConjugate(smallRotations(seed, n, angle), diag)
			p := arith.Zeros(n, n)
			for i := range n {
				for j := range n {
					p[i][j] = arith.Sub(p[i][j], s[i][j])
				}
				p[i][i] = arith.Add(p[i][i], arith.Of(1))
			}
			sigma, psi := bigref.Dense(s), bigref.Dense(p)
			want := bigPencil(t, arith.FromDense(psi), arith.FromDense(sigma))
			lambda, gamma, err := Pencil(psi, sigma)
			if err != nil {
				t.Errorf("angle %g: %v", angle, err)
				continue
			}
			kappa := bigScaledCondition(t, arith.FromDense(sigma)) + bigScaledCondition(t, arith.FromDense(psi))
			bound := 4 * n * unit * kappa
			var worst float64
			for k := range n {
				e, _ := arith.Quo(arith.Sub(arith.Of(lambda[k]), want[k]), want[k]).Float64()
				worst = max(worst, math.Abs(e))
			}
			unitary, diagonal := pencilResiduals(psi, sigma, lambda, gamma)
			t.Logf("angle %g: κ %.2g, errors in u·κ: λ %.2g, ΓᵀΣΓ %.2g, ΓᵀΨΓ %.2g",
				angle, kappa, worst/unit/kappa, unitary/unit/kappa, diagonal/unit/kappa)
			if !(max(worst, unitary, diagonal) < bound) {
				t.Errorf("angle %g: relative errors of λ %.3g, ΓᵀΣΓ %.3g, ΓᵀΨΓ %.3g, want below %.3g", angle, worst, unitary, diagonal, bound)
			}
			// Σ + Ψ = I: ‖Γ_k‖² = 1 + λ_k.
			for k := range n {
				col := gamma.View(0, k, n, 1)
				q := matrix.NormFrobenius(col)
				if e := math.Abs(q*q/(1+lambda[k]) - 1); !(e < bound) {
					t.Errorf("angle %g: ‖Γ_%d‖² is off 1 + λ by %.3g, want below %.3g", angle, k, e, bound)
				}
			}
		}
	}
}

// Well-conditioned pencils of every small size, in any scale; only the lower
// triangles are read and nothing is changed.
func TestPencil(t *testing.T) {
	for n := range 13 {
		for _, scale := range []float64{1, 1e-200, 1e150} {
			rng := newRand(uint64(n))
			sigma, psi := randomGram(rng, n, 2*n+3), scaled(randomSymmetric(rng, n), scale)
			s, wholeS := spread(sigma)
			p, wholeP := spread(psi)
			for i := range n {
				for j := i + 1; j < n; j++ {
					s.Set(i, j, math.NaN())
					p.Set(i, j, math.NaN())
				}
			}
			lambda, gamma := must.Get2(Pencil(p, s))(t)
			for i := range n {
				for j := range i + 1 {
					if s.At(i, j) != sigma.At(i, j) || p.At(i, j) != psi.At(i, j) {
						t.Fatal("an argument was changed")
					}
				}
			}
			mustStaySpread(t, s, wholeS)
			mustStaySpread(t, p, wholeP)
			if n == 0 {
				continue
			}
			unitary, diagonal := pencilResiduals(psi, sigma, lambda, gamma)
			smallest := math.Inf(1)
			for _, l := range lambda {
				smallest = min(smallest, math.Abs(l))
			}
			// Ψ is indefinite: errors are relative to the largest λ.
			diagonal *= smallest / max(lambda[0], -lambda[n-1])
			bound := 100 * float64(n) * unit
			if unitary > bound || diagonal > bound {
				t.Errorf("n = %d: ΓᵀΣΓ − I %.3g, ΓᵀΨΓ − Λ %.3g, want below %.3g", n, unitary, diagonal, bound)
			}
		}
	}
}

func TestPencilErrors(t *testing.T) {
	for pivot := range 3 {
		for _, v := range []float64{0, -1} {
			sigma := identity(3)
			sigma.Set(pivot, pivot, v)
			_, _, err := Pencil(identity(3), sigma)
			if e, ok := errors.AsType[*NotPositiveDefiniteError](err); !ok || e.Pivot != pivot {
				t.Errorf("Σ(%d,%d) = %g: error %v, want a *NotPositiveDefiniteError there", pivot, pivot, v, err)
			}
		}
	}
	// Indefinite with a positive diagonal, rows taken in the order 2, 0, 1.
	sigma := identity(3)
	sigma.Set(2, 0, 3)
	psi := identity(3)
	psi.Set(2, 2, 0.5)
	psi.Set(1, 1, 2)
	_, _, err := Pencil(psi, sigma)
	if e, ok := errors.AsType[*NotPositiveDefiniteError](err); !ok || e.Pivot != 0 || e.Value != -8 {
		t.Errorf("error %v, want a *NotPositiveDefiniteError at pivot 0 of value -8", err)
	}

	// λ = 1e310.
	psi, sigma = scaled(identity(2), 1e155), scaled(identity(2), 1e-155)
	var f *RangeError
	if _, _, err := Pencil(psi, sigma); !errors.As(err, &f) || f.Size != 1e155 {
		t.Errorf("overflowing λ: error %v, want a *RangeError", err)
	}
}
