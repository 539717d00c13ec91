package solve

import (
	"math"
	"math/rand/v2"

	"github.com/seed92411348/kfda/matrix"
)

// refResidual is the residual of a shifted system as [shiftedResidual] states it.
func refResidual(rre, rim, k *matrix.Dense, sigma float64, f, wre, wim *matrix.Dense) {
	exponent := func(x float64) int { _, e := math.Frexp(x); return e }
	// product returns the product of row i of K and column r of w in two parts.
	product := func(i, r int, w *matrix.Dense) (high, low float64) {
		largest, total := 0.0, 0.0
		for j := range k.Rows {
			largest, total = max(largest, math.Abs(k.At(i, j))), total+math.Abs(w.At(j, r))
		}
		anchor := math.Ldexp(1.5, exponent(largest)+exponent(total)+1)
		s := anchor
		for j := range k.Rows {
			t := math.FMA(k.At(i, j), w.At(j, r), s)
			z := t - s
			low += math.FMA(k.At(i, j), w.At(j, r), -z)
			s = t
		}
		return s - anchor, low
	}
	add := func(s, c *float64, a, b float64) {
		p := float64(a * b)
		e := math.FMA(a, b, -p)
		t := *s + p
		z := t - *s
		*c += ((*s - (t - z)) + (p - z)) + e
		*s = t
	}
	for i := range k.Rows {
		for r := range f.Cols {
			high, low := product(i, r, wre)
			s, c := f.At(i, r), 0.0
			add(&s, &c, -1, high)
			add(&s, &c, -sigma, wim.At(i, r))
			rre.Set(i, r, s+(c-low))
			high, low = product(i, r, wim)
			s, c = 0, 0
			add(&s, &c, -1, high)
			add(&s, &c, sigma, wre.At(i, r))
			rim.Set(i, r, s+(c-low))
		}
	}
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func randomMatrix(rng *rand.Rand, rows, cols int) *matrix.Dense {
	a := matrix.New(rows, cols)
	for i := range a.Data {
		a.Data[i] = rng.NormFloat64()
	}
	return a
}

func randomSymmetric(rng *rand.Rand, n int) *matrix.Dense {
	a := randomMatrix(rng, n, n)
	for i := range n {
		for j := range i {
			a.Set(j, i, a.At(i, j))
		}
	}
	return a
}

// randomGram returns XXᵀ of random n×d points, scaled to a diagonal near one.
func randomGram(rng *rand.Rand, n, d int) *matrix.Dense {
	x := randomMatrix(rng, n, d)
	for i := range x.Data {
		x.Data[i] /= math.Sqrt(float64(d))
	}
	return matrix.SymRankK(nil, x, matrix.NoTrans)
}

// spread returns a copy of a inside a wider matrix full of NaN, as a view.
func spread(a *matrix.Dense) (view, whole *matrix.Dense) {
	whole = matrix.New(a.Rows+2, a.Cols+3)
	for i := range whole.Data {
		whole.Data[i] = math.NaN()
	}
	view = whole.View(1, 2, a.Rows, a.Cols)
	view.CopyFrom(a)
	return view, whole
}

func equalBits(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
