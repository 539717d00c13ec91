package fuzz

import (
	"math"
	"math/rand/v2"

	"github.com/seed92411348/kfda/matrix"
)

// kind makes an n×n symmetric matrix with elements of the size of one; p is a byte
// that each kind takes its own way.
type kind struct {
	name     string
	definite bool // positive semidefinite but for rounding
	make     func(rng *rand.Rand, n, p int) *matrix.Dense
}

var kinds = []kind{
	{"random", false, func(rng *rand.Rand, n, _ int) *matrix.Dense {
		return filled(n, func(i, j int) float64 { return rng.NormFloat64() })
	}},
	{"gram", true, func(rng *rand.Rand, n, p int) *matrix.Dense {
		x := matrix.New(n, 1+p%(2*n+2))
		for i := range x.Data {
			x.Data[i] = rng.NormFloat64() / math.Sqrt(float64(x.Cols))
		}
		return matrix.SymRankK(nil, x, matrix.NoTrans)
	}},
	{"dominant", true, func(rng *rand.Rand, n, p int) *matrix.Dense {
		a := filled(n, func(i, j int) float64 { return rng.NormFloat64() })
		for i := range n {
			s := math.Ldexp(1, -p%60)
			for j, v := range a.Row(i) {
				if j != i {
					s += math.Abs(v)
				}
			}
			a.Set(i, i, s)
		}
		return a
	}},
	{"geometric", true, func(rng *rand.Rand, n, p int) *matrix.Dense {
		return withSpectrum(rng, n, func(i int) float64 { return math.Pow(2, -float64(p*i)/float64(n)) })
	}},
	{"repeated", true, func(rng *rand.Rand, n, p int) *matrix.Dense {
		return withSpectrum(rng, n, func(i int) float64 { return float64(1 + i%(1+p%5)) })
	}},
	{"clustered", true, func(rng *rand.Rand, n, p int) *matrix.Dense {
		return withSpectrum(rng, n, func(i int) float64 { return 1 + math.Ldexp(float64(i), -p%70) })
	}},
	{"one small", true, func(rng *rand.Rand, n, p int) *matrix.Dense {
		return withSpectrum(rng, n, func(i int) float64 {
			if i == 0 {
				return math.Ldexp(1, -p%70)
			}
			return 1
		})
	}},
	{"signs", false, func(rng *rand.Rand, n, p int) *matrix.Dense {
		return withSpectrum(rng, n, func(i int) float64 { return 1 - 2*float64((i>>(p%3))%2) })
	}},
	{"near zero", false, func(rng *rand.Rand, n, p int) *matrix.Dense {
		return withSpectrum(rng, n, func(i int) float64 {
			if i < 1+p%3 {
				return 1
			}
			return math.Ldexp(float64(i%5-2), -40-p%30)
		})
	}},
	{"integer", false, func(_ *rand.Rand, n, p int) *matrix.Dense {
		return filled(n, func(i, j int) float64 { return float64((i*j+i+j+p)%5 - 2) })
	}},
	{"banded", false, func(rng *rand.Rand, n, p int) *matrix.Dense {
		return filled(n, func(i, j int) float64 {
			if i-j > p%4 {
				return 0
			}
			return rng.NormFloat64()
		})
	}},
	{"second difference", true, func(_ *rand.Rand, n, _ int) *matrix.Dense {
		return filled(n, func(i, j int) float64 {
			switch i - j {
			case 0:
				return 2
			case 1:
				return -1
			}
			return 0
		})
	}},
	{"arrow", false, func(_ *rand.Rand, n, p int) *matrix.Dense {
		return filled(n, func(i, j int) float64 {
			switch {
			case i == j && i < n-1:
				return -0.0003 * float64(p%2)
			case i == j:
				return 0.5
			case i == n-1:
				return 0.004
			}
			return 0
		})
	}},
	{"ones", true, func(_ *rand.Rand, n, _ int) *matrix.Dense {
		return filled(n, func(i, j int) float64 { return 1 })
	}},
	{"zero", true, func(_ *rand.Rand, n, _ int) *matrix.Dense { return matrix.New(n, n) }},
	{"identity", true, func(_ *rand.Rand, n, _ int) *matrix.Dense {
		return filled(n, func(i, j int) float64 {
			if i == j {
				return 1
			}
			return 0
		})
	}},
	{"Hilbert", true, func(_ *rand.Rand, n, p int) *matrix.Dense {
		return filled(n, func(i, j int) float64 { return 1 / float64(i+j+1+p%4) })
	}},
	{"Wilkinson", false, func(_ *rand.Rand, n, p int) *matrix.Dense {
		return filled(n, func(i, j int) float64 {
			switch i - j {
			case 0:
				return math.Abs(float64(i%(21+p)) - 10)
			case 1:
				return 1
			}
			return 0
		})
	}},
	{"equal rows", true, func(rng *rand.Rand, n, p int) *matrix.Dense {
		points := make([]float64, n)
		for i := range points {
			if i%2 == 0 {
				points[i] = rng.NormFloat64()
			} else {
				points[i] = points[i-1]
			}
		}
		return filled(n, func(i, j int) float64 {
			d := points[i] - points[j]
			v := math.Exp(-d * d)
			if i == j {
				v += math.Ldexp(1, -p%64)
			}
			return v
		})
	}},
	{"diagonal", false, func(rng *rand.Rand, n, p int) *matrix.Dense {
		return filled(n, func(i, j int) float64 {
			if i != j {
				return 0
			}
			return math.Ldexp(rng.Float64()-0.5*float64(p%2), -rng.IntN(1+p*4))
		})
	}},
}

// filled returns the symmetric matrix with the elements f(i, j) for i ≥ j.
func filled(n int, f func(i, j int) float64) *matrix.Dense {
	a := matrix.New(n, n)
	for i := range n {
		for j := range i + 1 {
			v := f(i, j)
			a.Set(i, j, v)
			a.Set(j, i, v)
		}
	}
	return a
}

// withSpectrum returns a symmetric matrix with these eigenvalues, up to rounding: the
// diagonal matrix of them, reflected from both sides by four random reflections.
func withSpectrum(rng *rand.Rand, n int, lambda func(i int) float64) *matrix.Dense {
	a := matrix.New(n, n)
	for i := range n {
		a.Set(i, i, lambda(i))
	}
	v, av := make([]float64, n), make([]float64, n)
	for range 4 {
		square := 0.0
		for i := range v {
			v[i] = rng.NormFloat64()
			square += v[i] * v[i]
		}
		tau := 2 / square
		// A − vwᵀ − wvᵀ with w = τ(Av − ½τ(vᵀAv)v).
		vav := 0.0
		for i := range v {
			av[i] = 0
			for j, x := range a.Row(i) {
				av[i] += x * v[j]
			}
			vav += v[i] * av[i]
		}
		for i := range v {
			av[i] = tau * (av[i] - tau/2*vav*v[i])
		}
		for i := range n {
			for j := range i + 1 {
				x := a.At(i, j) - v[i]*av[j] - av[i]*v[j]
				a.Set(i, j, x)
				a.Set(j, i, x)
			}
		}
	}
	return a
}

// symmetric is a symmetric matrix as the bytes describe it.
type symmetric struct {
	*matrix.Dense
	kind  kind
	plain bool // as the kind makes it, but for a power of two that leaves it in range
}

// symmetric returns an n×n matrix: its kind, what that takes, the seed, a power of two,
// a grading and special elements.
func (in *input) symmetric(n int) symmetric {
	s := symmetric{kind: kinds[in.below(len(kinds))]}
	p := in.byte()
	s.Dense = s.kind.make(in.numbers(), n, p)
	e, grading := in.exponent(), in.signed()
	for i := range n {
		for j := range n {
			s.Set(i, j, math.Ldexp(s.At(i, j), e+grading*(i+j)/8))
		}
	}
	before := s.Clone()
	in.disturb(s.Dense, true)
	s.plain = grading == 0 && e > -900 && e < 1000
	for i, v := range s.Data {
		s.plain = s.plain && sameBits(v, before.Data[i])
	}
	return s
}
