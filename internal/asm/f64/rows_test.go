package f64

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
)

// TestCentre runs Centre and Shift for all lengths up to several vectors and one
// beyond the cut, at both ends of guarded memory, with awkward numbers too.
func TestCentre(t *testing.T) {
	lengths := []int{1<<13 + 3}
	for n := range 40 {
		lengths = append(lengths, n)
	}
	special := awkward()
	asmtest.EachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		xs, ys := asmtest.NewGuarded(t, lengths[0]), asmtest.NewGuarded(t, lengths[0])
		for turn, n := range append(lengths, lengths...) {
			x, y := xs.Back(n), ys.Front(n)
			if n%2 == 0 {
				x, y = xs.Front(n), ys.Back(n)
			}
			asmtest.Fill(r, x)
			asmtest.Fill(r, y)
			m, g := r.NormFloat64(), r.NormFloat64()
			if turn > len(lengths) {
				for i := range x {
					x[i], y[i] = special[r.IntN(len(special))], special[r.IntN(len(special))]
				}
				m, g = special[r.IntN(len(special))], special[r.IntN(len(special))]
			}
			shifted, centred := make([]float64, n), make([]float64, n)
			for j, v := range x {
				shifted[j] = v + m
				centred[j] = (shifted[j] - (m + y[j])) + g
			}
			Shift(x, m)
			if at := asmtest.Diff(x, shifted); at >= 0 {
				t.Fatalf("%d numbers plus %v: number %d is %v, want %v", n, m, at, x[at], shifted[at])
			}
			Centre(x, y, m, g)
			if at := asmtest.Diff(x, centred); at >= 0 {
				t.Fatalf("%d numbers, means %v and %v: number %d is %v, want %v", n, m, g, at, x[at], centred[at])
			}
		}
	})
}

// TestShiftAndScale compares with single operations, zeros of both signs included.
func TestShiftAndScale(t *testing.T) {
	special := awkward()
	special = append(special, math.Copysign(0, -1))
	asmtest.EachTier(t, func(t *testing.T) {
		for _, c := range special {
			shifted, scaled := append([]float64(nil), special...), append([]float64(nil), special...)
			Shift(shifted, c)
			Scale(scaled, c)
			for i, v := range special {
				if want := v + c; !asmtest.Same(shifted[i], want) {
					t.Fatalf("%v + %v is %v, want %v", v, c, shifted[i], want)
				}
				if want := float64(v * c); !asmtest.Same(scaled[i], want) {
					t.Fatalf("%v · %v is %v, want %v", v, c, scaled[i], want)
				}
			}
		}
	})
}

// TestCosine compares all lengths up to a few blocks, with quotients outside of
// [−1, 1], zeros and numbers that are not finite among them.
func TestCosine(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		dots, squares := asmtest.NewGuarded(t, 1<<13+9), asmtest.NewGuarded(t, 1<<13+9)
		special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN()}
		lengths := []int{1<<13 + 9}
		for n := range 40 {
			lengths = append(lengths, n)
		}
		for _, n := range lengths {
			for _, square := range []float64{2.5, 0, 1e-300} {
				d, q := dots.Back(n), squares.Front(n)
				asmtest.Fill(r, d)
				asmtest.Fill(r, q)
				for j := range q {
					q[j] = math.Abs(q[j])
					if r.IntN(8) == 0 {
						d[j] = special[r.IntN(len(special))]
					}
				}
				want := append([]float64(nil), d...)
				for j, dot := range want {
					switch p := square * q[j]; {
					case p == 0:
						want[j] = 0
					case dot/math.Sqrt(p) > 1:
						want[j] = 1
					case dot/math.Sqrt(p) < -1:
						want[j] = -1
					default:
						want[j] = dot / math.Sqrt(p)
					}
				}
				Cosine(d, square, q)
				if at := asmtest.Diff(d, want); at >= 0 {
					t.Fatalf("%d numbers: %v at %d, want %v", n, d[at], at, want[at])
				}
			}
		}
	})
}

func TestRotate(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		xs, ys := asmtest.NewGuarded(t, 1<<13+9), asmtest.NewGuarded(t, 1<<13+9)
		lengths := []int{1<<13 + 9}
		for n := range 40 {
			lengths = append(lengths, n)
		}
		for _, n := range lengths {
			x, y := xs.Back(n), ys.Front(n)
			asmtest.Fill(r, x)
			asmtest.Fill(r, y)
			s := 2*r.Float64() - 1
			tau := s / (1 + math.Sqrt(1-s*s))
			wantX, wantY := make([]float64, n), make([]float64, n)
			for i := range x {
				wantX[i] = math.FMA(-s, math.FMA(tau, x[i], y[i]), x[i])
				wantY[i] = math.FMA(s, math.FMA(-tau, y[i], x[i]), y[i])
			}
			Rotate(x, y, s, tau)
			if i, j := asmtest.Diff(x, wantX), asmtest.Diff(y, wantY); i >= 0 || j >= 0 {
				t.Fatalf("%d pairs: x differs at %d, y at %d", n, i, j)
			}
		}
	})
}
