package inference

import (
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
)

// chiSquaredSurvival returns P(χ²_k ≥ x) for k ≥ 1 degrees of freedom, with y = x/2 and m = ⌊k/2⌋ a
// finite sum of positive terms (Abramowitz and Stegun 26.4.4 and 26.4.5):
//
//	k even:  e^(−y) Σ_{j<m} y^j/j!
//	k odd:   erfc(√y) + e^(−y) Σ_{0<j≤m} y^(j−½)/Γ(j+½)
//
// so that its relative error is below (6 + k/50)u, u = 2⁻⁵³, in the far tail too, where it is above 1e-300.
func chiSquaredSurvival(x float64, k int) float64 {
	if x == math.Inf(1) {
		return 0
	}
	y, m := float64(x/2), k/2
	if !(y > 0) {
		return 1
	}
	s := scaledSum{}
	term, step, base := 1.0, 1, 0.0 // a term, and j + base of the first that it is multiplied by y over
	if k%2 == 1 {
		term, base = float64(2*math.Sqrt(float64(y/math.Pi))), 0.5
		if y < 1 {
			s.add(float64((1 - erfBelowOne(y)) * f64.Exp(y)))
		} else {
			s.add(erfcScaled(y))
		}
	}
	t := scaledSum{sum: term}
	for range m {
		s.join(t)
		t.sum = float64(t.sum*y) / (float64(step) + base)
		t.rescale()
		step++
	}
	return math.Min(1, s.timesExp(-y))
}

// scaledSum is sum·2^exp.
type scaledSum struct {
	sum float64
	exp int
}

func (s *scaledSum) add(v float64) { s.join(scaledSum{sum: v}) }

// join adds t, of an exponent that is not below that of s, unless s is 0.
func (s *scaledSum) join(t scaledSum) {
	s.sum = math.Ldexp(s.sum, s.exp-t.exp) + t.sum
	s.exp = t.exp
}

func (s *scaledSum) rescale() {
	const bits = 400
	if s.sum > 0x1p400 {
		s.sum, s.exp = float64(s.sum*0x1p-400), s.exp+bits
	}
}

// timesExp returns the sum times e^v, v ≤ 0, by as many factors as it takes for none to underflow.
func (s *scaledSum) timesExp(v float64) float64 {
	factors := 1
	for v < -600 {
		v, factors = v/2, 2*factors
		if factors > 1<<20 {
			return 0
		}
	}
	e, exp := math.Frexp(s.sum)
	for range factors {
		more := 0
		e, more = math.Frexp(float64(e * f64.Exp(v)))
		exp += more
	}
	return math.Ldexp(e, exp+s.exp)
}

// erfBelowOne returns erf(√y) = 2√(y/π) e^(−y) Σ (2y)^j/(1·3·…·(2j+1)) for y < 1.
func erfBelowOne(y float64) float64 {
	sum, term := 1.0, 1.0
	for j := 1; j < 40; j++ {
		term = float64(term*float64(2*y)) / float64(2*j+1)
		sum += term
	}
	return float64(float64(2*math.Sqrt(float64(y/math.Pi))) * float64(f64.Exp(-y)*sum))
}

// erfcScaled returns e^y erfc(√y) for y ≥ 1, by a continued fraction (Abramowitz and Stegun 6.5.31,
// every second of its convergents):
//
//	√(y/π) / (y + ½ − ½·1/(y + 2½ − 1½·2/(y + 4½ − 2½·3/(…))))
func erfcScaled(y float64) float64 {
	const terms = 100
	f := y + 2*terms + 0.5
	for j := terms; j > 0; j-- {
		f = y + (float64(2*j) - 1.5) - float64(float64(j)*(float64(j)-0.5))/f
	}
	return math.Sqrt(float64(y/math.Pi)) / f
}
