package f64

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
)

// TestSolveTile compares with the definition, at both ends of guarded memory, also
// where the diagonal makes infinities and NaN.
func TestSolveTile(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		shape := TileShape()
		r := rand.New(rand.NewPCG(1, 2))
		xs, ls := asmtest.NewGuarded(t, MaxTile), asmtest.NewGuarded(t, 64)
		for turn := range 200 {
			x, l := xs.Front(shape.Rows*shape.Cols), ls.Back(shape.Rows*shape.Rows)
			if turn%2 == 0 {
				x, l = xs.Back(len(x)), ls.Front(len(l))
			}
			asmtest.Fill(r, x)
			asmtest.Fill(r, l) // with zeros, also on the diagonal
			for i := range shape.Rows {
				for k := i + 1; k < shape.Rows; k++ {
					l[i*shape.Rows+k] = math.NaN() // not read
				}
			}
			want := append([]float64(nil), x...)
			for j := range shape.Cols {
				for i := range shape.Rows {
					s := want[i*shape.Cols+j]
					for k := range i {
						s = math.FMA(-l[i*shape.Rows+k], want[k*shape.Cols+j], s)
					}
					want[i*shape.Cols+j] = s / l[i*shape.Rows+i]
				}
			}
			SolveTile(x, l)
			if at := asmtest.Diff(x, want); at >= 0 {
				t.Fatalf("turn %d: element (%d, %d) is %v, want %v", turn, at/shape.Cols, at%shape.Cols, x[at], want[at])
			}
		}
	})
}

// TestDivideComplex runs all lengths up to several vectors, at both ends of guarded
// memory.
func TestDivideComplex(t *testing.T) {
	const longest = 35
	asmtest.EachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 4))
		var memory [6]*asmtest.Guarded
		for i := range memory {
			memory[i] = asmtest.NewGuarded(t, longest)
		}
		for n := range longest + 1 {
			for _, t0 := range []float64{1, 3, 0x1p-1000, 0, math.Inf(1)} {
				var x [6][]float64
				for i, m := range memory {
					x[i] = m.Back(n)
					if n%2 == 0 {
						x[i] = m.Front(n)
					}
					asmtest.Fill(r, x[i])
				}
				lre, lim, q, e, ure, uim := x[0], x[1], x[2], x[3], x[4], x[5]
				asmtest.Poison(lre)
				asmtest.Poison(lim)
				asmtest.Poison(q)
				dre, dim := r.NormFloat64(), r.NormFloat64()
				var want [4][]float64
				for i := range n {
					re := math.FMA(ure[i], dre, float64(uim[i]*dim)) / t0
					im := math.FMA(uim[i], dre, -float64(ure[i]*dim)) / t0
					want[0], want[1] = append(want[0], re), append(want[1], im)
					want[2] = append(want[2], math.FMA(re, re, float64(im*im)))
					want[3] = append(want[3], math.FMA(-im, ure[i], math.FMA(-re, uim[i], e[i])))
				}
				DivideComplex(lre, lim, q, e, ure, uim, dre, dim, t0)
				for i, what := range []string{"l.re", "l.im", "q", "e"} {
					if at := asmtest.Diff(x[i], want[i]); at >= 0 {
						t.Fatalf("%d numbers by %v + %vi, t = %v: %s[%d] is %v, want %v", n, dre, dim, t0, what, at, x[i][at], want[i][at])
					}
				}
			}
		}
	})
}
