package f64

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
)

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
