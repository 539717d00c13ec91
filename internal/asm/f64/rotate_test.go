package f64

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
)

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
