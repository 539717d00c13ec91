package f64

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
)

// The passes as they are defined, without lanes.

func plainPairUpdate(g, rise []float64, di float64, ki []float64, dj float64, kj []float64) (best float64, at int) {
	best, at = math.Inf(-1), -1
	for t := range g {
		g[t] = math.FMA(-dj, kj[t], math.FMA(-di, ki[t], g[t]))
		if v := g[t] + rise[t]; v > best {
			best, at = v, t
		}
	}
	return best, at
}

func plainLargestGain(g, fall []float64, gi float64, ki, kd []float64, kii float64) (gap, best float64, at int) {
	gap, at = math.Inf(-1), -1
	for t := range g {
		d := gi - (g[t] + fall[t])
		if d > gap {
			gap = d
		}
		a := math.FMA(-2, ki[t], kii+kd[t])
		if !(a > 0) {
			a = LeastCurvature
		}
		if v := float64(d*d) / a; d > 0 && v > best {
			best, at = v, t
		}
	}
	return gap, best, at
}

// TestSMOPasses compares all lengths up to a few blocks, at both ends of guarded
// memory, and lengths beyond a stretch, with plain loops. The values are few, so
// that there are ties, and now and then nothing may be chosen.
func TestSMOPasses(t *testing.T) {
	var lengths []int
	for n := range 50 {
		lengths = append(lengths, n)
	}
	const most = 1<<13 + 21
	lengths = append(lengths, 1<<13-1, 1<<13, most)
	asmtest.EachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 4))
		var memory [5]*asmtest.Guarded
		for i := range memory {
			memory[i] = asmtest.NewGuarded(t, most)
		}
		some := func(x []float64, values ...float64) {
			for i := range x {
				x[i] = values[r.IntN(len(values))]
			}
		}
		for round := range 12 {
			for _, n := range lengths {
				x := make([][]float64, len(memory))
				for i, s := range memory {
					x[i] = s.Front(n)
					if round%2 == 1 {
						x[i] = s.Back(n)
					}
				}
				g, out, ki, kj, kd := x[0], x[1], x[2], x[3], x[4]
				some(g, -1, -0.5, 0, 0.25, 1, r.NormFloat64())
				some(ki, 0, 0.5, 1, -1, r.NormFloat64())
				some(kj, 0, 0.5, 1, r.NormFloat64())
				some(kd, 1, 0.5, r.Float64())

				some(out, 0, math.Inf(1))
				if round == 5 {
					some(out, math.Inf(1))
				}
				gi, kii := r.NormFloat64(), 1.0
				gap, best, at := LargestGain(g, out, gi, ki, kd, kii)
				if wantGap, wantBest, wantAt := plainLargestGain(g, out, gi, ki, kd, kii); gap != wantGap || best != wantBest || at != wantAt {
					t.Fatalf("%d numbers: gap %v, gain %v at %d, want %v, %v at %d", n, gap, best, at, wantGap, wantBest, wantAt)
				}

				for i := range out {
					out[i] = -out[i]
				}
				want := append([]float64(nil), g...)
				di := r.NormFloat64()
				dj := -di
				if round%3 == 0 {
					di, dj = 0, 0 // the ties stay
				}
				best, at = PairUpdate(g, out, di, ki, dj, kj)
				if wantBest, wantAt := plainPairUpdate(want, out, di, ki, dj, kj); best != wantBest || at != wantAt {
					t.Fatalf("%d numbers: largest %v at %d, want %v at %d", n, best, at, wantBest, wantAt)
				}
				for i, v := range want {
					if !asmtest.Same(g[i], v) {
						t.Fatalf("%d numbers: number %d becomes %v, want %v", n, i, g[i], v)
					}
				}
			}
		}
	})
}

// Numbers that are not finite are chosen by no tier, or by all.
func TestSMOPassesNotFinite(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 6))
		odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, 0, math.Copysign(0, -1), 1}
		const n = 19
		x := make([][]float64, 5)
		for range 2000 {
			for i := range x {
				x[i] = make([]float64, n)
				for j := range x[i] {
					x[i][j] = odd[r.IntN(len(odd))]
				}
			}
			gi, kii := odd[r.IntN(len(odd))], odd[r.IntN(len(odd))]
			gap, best, at := LargestGain(x[0], x[1], gi, x[2], x[3], kii)
			wantGap, wantBest, wantAt := plainLargestGain(x[0], x[1], gi, x[2], x[3], kii)
			if gap != wantGap || best != wantBest || at != wantAt {
				t.Fatalf("gap %v, gain %v at %d, want %v, %v at %d", gap, best, at, wantGap, wantBest, wantAt)
			}
			want := append([]float64(nil), x[0]...)
			best, at = PairUpdate(x[0], x[1], gi, x[2], kii, x[3])
			if wantBest, wantAt := plainPairUpdate(want, x[1], gi, x[2], kii, x[3]); best != wantBest || at != wantAt {
				t.Fatalf("largest %v at %d, want %v at %d", best, at, wantBest, wantAt)
			}
			for i, v := range want {
				if !asmtest.Same(x[0][i], v) {
					t.Fatalf("number %d becomes %v, want %v", i, x[0][i], v)
				}
			}
		}
	})
}
