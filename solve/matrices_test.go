package solve

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/matrix"
)

type named struct {
	name string
	a    *matrix.Dense
}

func testSizes() []int {
	if testing.Short() {
		return []int{1, 2, 3, 10, 33, 60}
	}
	return []int{1, 2, 3, 10, 33, 60, 150}
}

// withSpectrum returns QΛQᵀ for a random orthogonal Q, exactly symmetric.
func withSpectrum(rng *rand.Rand, lambda []float64) *matrix.Dense {
	n := len(lambda)
	q := randomMatrix(rng, n, n)
	Orthonormalize(q)
	ql := q.Clone()
	for i := range n {
		for j := range n {
			ql.Set(i, j, q.At(i, j)*lambda[j])
		}
	}
	a := matrix.Mul(nil, ql, matrix.NoTrans, q, matrix.Transposed)
	for i := range n {
		for j := range i {
			a.Set(j, i, a.At(i, j))
		}
	}
	return a
}

func spectrum(n int, f func(i int) float64) []float64 {
	s := make([]float64, n)
	for i := range s {
		s[i] = f(i)
	}
	return s
}

func scaled(a *matrix.Dense, f float64) *matrix.Dense {
	b := a.Clone()
	for i := range b.Data {
		b.Data[i] *= f
	}
	return b
}

// banded keeps the given number of diagonals on each side.
func banded(a *matrix.Dense, width int) *matrix.Dense {
	b := a.Clone()
	for i := range b.Rows {
		for j := range b.Cols {
			if max(i-j, j-i) > width {
				b.Set(i, j, 0)
			}
		}
	}
	return b
}

// graded returns DAD with d_i = 10^(-step·i).
func graded(a *matrix.Dense, step float64) *matrix.Dense {
	b := a.Clone()
	for i := range b.Rows {
		for j := range b.Cols {
			b.Set(i, j, a.At(i, j)*math.Pow(10, -step*float64(i))*math.Pow(10, -step*float64(j)))
		}
	}
	return b
}

// dominant adds to the diagonal what makes a positive definite.
func dominant(a *matrix.Dense) *matrix.Dense {
	b := a.Clone()
	for i := range b.Rows {
		var s float64
		for _, v := range a.Row(i) {
			s += math.Abs(v)
		}
		b.Set(i, i, s+1)
	}
	return b
}

// definiteMatrices returns positive definite matrices of every sort.
func definiteMatrices() []named { return ofSizes(testSizes(), definiteOfOrder) }

// indefiniteMatrices returns symmetric matrices that are not positive definite.
func indefiniteMatrices() []named { return ofSizes(testSizes(), indefiniteOfOrder) }

func ofSizes(sizes []int, ofOrder func(n int, add func(name string, a *matrix.Dense))) []named {
	var list []named
	for _, n := range sizes {
		ofOrder(n, func(name string, a *matrix.Dense) {
			list = append(list, named{fmt.Sprintf("%s, n = %d", name, n), a})
		})
	}
	return list
}

func definiteOfOrder(n int, add func(name string, a *matrix.Dense)) {
	rng := newRand(uint64(n))
	g := randomGram(rng, n, n+10)
	add("random", g)
	add("graded", graded(g, 100/float64(n)))
	add("clustered", withSpectrum(rng, spectrum(n, func(i int) float64 { return 1 + 1e-10*float64(i) })))
	add("one small eigenvalue", withSpectrum(rng, spectrum(n, func(i int) float64 {
		if i == 0 {
			return 1e-10
		}
		return 1
	})))
	add("geometric", withSpectrum(rng, spectrum(n, func(i int) float64 { return math.Pow(10, -8*float64(i)/float64(n)) })))
	add("large", scaled(g, 1e150))
	add("small", scaled(g, 1e-150))
	add("banded", dominant(banded(randomSymmetric(rng, n), 3)))
	add("tridiagonal", secondDifference(n))
	add("repeated", withSpectrum(rng, spectrum(n, func(i int) float64 { return float64(1 + i%3) })))
	add("identity", identity(n))
}

func indefiniteOfOrder(n int, add func(name string, a *matrix.Dense)) {
	rng := newRand(uint64(n))
	s := randomSymmetric(rng, n)
	add("random", s)
	add("graded", graded(s, 100/float64(n)))
	add("large", scaled(s, 1e200))
	add("small", scaled(s, 1e-200))
	add("banded", banded(s, 2))
	add("rank one", randomGram(rng, n, 1))
	add("rank three", randomGram(rng, n, 3))
	add("ones", withSpectrum(rng, spectrum(n, func(i int) float64 { return 1 - 2*float64(i%2) })))
	ones := matrix.New(n, n)
	for i := range ones.Data {
		ones.Data[i] = 1
	}
	add("all ones", ones)
	add("zero diagonal", func() *matrix.Dense {
		a := s.Clone()
		for i := range n {
			a.Set(i, i, 0)
		}
		return a
	}())
	add("zero", matrix.New(n, n))
	add("clustered around zero", withSpectrum(rng, spectrum(n, func(i int) float64 { return 1e-14 * float64(i-n/2) })))
	add("clustered in two", withSpectrum(rng, spectrum(n, func(i int) float64 { return float64(i%2) + 1e-14*float64(i) })))
	integer := matrix.New(n, n)
	for i := range n {
		for j := range n {
			integer.Set(i, j, float64((i*j+i+j)%5-2))
		}
	}
	add("integer", integer)
}
