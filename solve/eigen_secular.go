package solve

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// secular is the problem diag(d) + ρzzᵀ with d strictly ascending, ρ > 0 and no
// zero in z. Its eigenvalues are the roots of
//
//	f(λ) = 1/ρ + Σ z_i²/(d_i − λ)
//
// root j between d_j and d_(j+1), the last one above d_(k-1) by at most ρ‖z‖².
type secular struct {
	d, z []float64
	rho  float64
}

// root returns root j, and in delta the differences d_i − λ, each with a small
// relative error: the unknown is μ = λ − d_o for the pole d_o that is nearest to
// the root. It reports false where the iterations did not suffice.
//
// In each step the terms of the poles up to j and those beyond are replaced by
// r + s/(d_j − λ) and by r′ + s′/(d_(j+1) − λ) with the same values and
// derivatives at μ, and the root of that is taken (Bunch, Nielsen & Sorensen,
// Numer. Math. 31, 1978); for the last root the two poles are the last ones.
// Steps that leave the interval in which the root must be are replaced by
// bisection. It stops where |f| is below its own rounding error (Gu & Eisenstat).
func (q *secular) root(j int, delta []float64, iterations int) (lambda float64, ok bool) {
	k := len(q.d)
	if k == 1 {
		mu := float64(q.rho * float64(q.z[0]*q.z[0]))
		delta[0] = -mu
		return q.d[0] + mu, true
	}
	left := min(j, k-2) // the poles left and left+1 are those of the model
	origin := j
	var lo, hi float64 // μ is in (lo, hi)
	if j == k-1 {
		hi = float64(q.rho * matrix.SumSquares(q.z))
		hi = math.FMA(hi, 0x1p-50, hi)
	} else {
		half := float64(0.5 * (q.d[j+1] - q.d[j]))
		q.shift(delta, j, half)
		if f := q.at(left, delta); f.value >= 0 {
			hi = half
		} else {
			origin = j + 1
			lo = -half
		}
	}
	mu := float64(0.5 * (lo + hi))
	for range iterations {
		q.shift(delta, origin, mu)
		f := q.at(left, delta)
		if math.Abs(f.value) <= float64(unit*f.error) {
			return q.d[origin] + mu, true
		}
		if f.value < 0 {
			lo = mu
		} else {
			hi = mu
		}
		next := mu + f.step(delta[left], delta[left+1], j == k-1)
		if !(next > lo && next < hi) {
			next = between(lo, hi)
		}
		if next == mu || next == lo || next == hi {
			// No number is left between the two signs of f.
			return q.d[origin] + mu, true
		}
		mu = next
	}
	return 0, false
}

// between returns a number inside (lo, hi), which have no opposite signs: in the
// middle of their exponents where those are far apart.
func between(lo, hi float64) float64 {
	small, large := min(math.Abs(lo), math.Abs(hi)), max(math.Abs(lo), math.Abs(hi))
	if large <= float64(4*small) {
		return float64(0.5*lo) + float64(0.5*hi)
	}
	small = max(small, float64(large*0x1p-100))
	return math.Copysign(float64(math.Sqrt(small)*math.Sqrt(large)), lo+hi)
}

// shift sets delta to d − d_origin − μ.
func (q *secular) shift(delta []float64, origin int, mu float64) {
	o := q.d[origin]
	for i, d := range q.d {
		delta[i] = (d - o) - mu
	}
}

// secularValue is f at some λ, with the derivatives of the terms of the poles on
// the left and on the right, and a bound of the rounding error of f over u.
type secularValue struct {
	value         float64
	dLeft, dRight float64
	error         float64
}

// at evaluates f given delta = d − λ. The sums run towards the root, so that the
// small terms come first.
func (q *secular) at(left int, delta []float64) secularValue {
	var psi, phi, e float64
	var v secularValue
	for i := 0; i <= left; i++ {
		t := q.z[i] / delta[i]
		psi = math.FMA(q.z[i], t, psi)
		v.dLeft = math.FMA(t, t, v.dLeft)
		e += math.Abs(psi)
	}
	for i := len(delta) - 1; i > left; i-- {
		t := q.z[i] / delta[i]
		phi = math.FMA(q.z[i], t, phi)
		v.dRight = math.FMA(t, t, v.dRight)
		e += math.Abs(phi)
	}
	inverse := 1 / q.rho
	v.value = (inverse + psi) + phi
	// Each delta has a relative error of 2u, so each term one of 4u.
	v.error = e + float64(8*(math.Abs(psi)+math.Abs(phi))) + inverse
	return v
}

// step returns the change of μ to the root of the model
//
//	c + s/(Δ₁ − η) + s′/(Δ₂ − η) = 0,   s = ψ′Δ₁²,  s′ = φ′Δ₂²,  c = f − ψ′Δ₁ − φ′Δ₂
//
// that is between the poles Δ₁ and Δ₂ or, for the last eigenvalue, beyond both:
// one of the roots of cη² − aη + b = 0.
func (f secularValue) step(delta1, delta2 float64, last bool) float64 {
	product := float64(delta1 * delta2)
	a := math.FMA(delta1+delta2, f.value, -float64(product*(f.dLeft+f.dRight)))
	b := float64(product * f.value)
	c := math.FMA(-delta2, f.dRight, math.FMA(-delta1, f.dLeft, f.value))
	root := math.Sqrt(math.Abs(math.FMA(a, a, -float64(float64(4*b)*c))))
	if last {
		if a >= 0 {
			return (a + root) / float64(2*c)
		}
		return float64(2*b) / (a - root)
	}
	if a <= 0 {
		return (a - root) / float64(2*c)
	}
	return float64(2*b) / (a + root)
}

// vectors overwrites row j of s, which holds d − λ_j, by the normalised eigenvector
// of λ_j for the vector
//
//	ẑ_i² = (λ_i − d_i) Π_(j≠i) (λ_j − d_i)/(d_j − d_i)
//
// close to z, for which the computed λ are exact eigenvalues: so the vectors are
// orthogonal to working accuracy (Gu & Eisenstat, SIAM J. Matrix Anal. Appl. 15,
// 1994).
func (q *secular) vectors(s *matrix.Dense) {
	k := len(q.d)
	w := make([]float64, k)
	for i := range w {
		w[i] = -s.Row(i)[i]
	}
	for j := range k {
		row := s.Row(j)
		for i, d := range q.d {
			if i != j {
				w[i] = float64(w[i] * (row[i] / (d - q.d[j])))
			}
		}
	}
	for i := range w {
		w[i] = math.Copysign(math.Sqrt(math.Abs(w[i])), q.z[i])
	}
	for j := range k {
		row := s.Row(j)
		for i, v := range w {
			row[i] = v / row[i]
		}
		norm := math.Sqrt(matrix.SumSquares(row))
		for i := range row {
			row[i] /= norm
		}
	}
}
