package matrix_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/matrix"
)

// op is op(A) as a function of its indices.
func op(a *matrix.Dense, t matrix.Trans) func(i, k int) float64 {
	if t {
		return func(i, k int) float64 { return a.At(k, i) }
	}
	return a.At
}

// refProduct returns C ± op(A)·op(B) with inner dimension inner, in the textbook loop: what
// the package computes must have exactly these bits.
func refProduct(c, a *matrix.Dense, ta matrix.Trans, b *matrix.Dense, tb matrix.Trans, inner int, sign float64) *matrix.Dense {
	out := c.Clone()
	opA, opB := op(a, ta), op(b, tb)
	for i := range c.Rows {
		for j := range c.Cols {
			s := c.At(i, j)
			for k := range inner {
				s = math.FMA(sign*opA(i, k), opB(k, j), s)
			}
			out.Set(i, j, s)
		}
	}
	return out
}

// poison fills the gaps of padded matrices: no operation may read or write it.
var poison = math.Float64frombits(0x7ff8_0000_dead_beef)

// padded is a matrix inside of a larger slice, with poison all around.
type padded struct {
	*matrix.Dense
	whole []float64
	lo    int
}

// pad returns a rows×cols matrix with gaps of that many elements.
func pad(rows, cols, gap int) padded {
	stride := cols + gap
	lo := gap
	p := padded{whole: make([]float64, lo+rows*stride+gap), lo: lo}
	for i := range p.whole {
		p.whole[i] = poison
	}
	p.Dense = &matrix.Dense{Rows: rows, Cols: cols, Stride: stride, Data: p.whole[lo : lo+rows*stride]}
	return p
}

// padCopy returns a padded copy of a.
func padCopy(a *matrix.Dense, gap int) padded {
	p := pad(a.Rows, a.Cols, gap)
	p.CopyFrom(a)
	return p
}

// checkGaps fails the test if something was written outside of the matrix.
func (p padded) checkGaps(t testing.TB, what string) {
	t.Helper()
	for i, v := range p.whole {
		k := i - p.lo
		if k >= 0 && p.Stride > 0 && k/p.Stride < p.Rows && k%p.Stride < p.Cols {
			continue
		}
		if math.Float64bits(v) != math.Float64bits(poison) {
			t.Errorf("%s: wrote %v into a gap, at %d", what, v, i)
			return
		}
	}
}

// random returns a matrix of numbers of mixed size and sign, with some zeros
// of both signs.
func random(rng *rand.Rand, rows, cols int) *matrix.Dense {
	a := matrix.New(rows, cols)
	for i := range a.Data {
		switch rng.IntN(16) {
		case 0:
			a.Data[i] = 0
		case 1:
			a.Data[i] = math.Copysign(0, -1)
		default:
			a.Data[i] = math.Ldexp(rng.Float64()-0.5, rng.IntN(12))
		}
	}
	return a
}

func randomFor(rng *rand.Rand, rows, cols int, t matrix.Trans) *matrix.Dense {
	if t {
		return random(rng, cols, rows)
	}
	return random(rng, rows, cols)
}

func generator(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 92411348)) }
