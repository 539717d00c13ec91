package f64

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
)

// TestLine runs all widths up to several calls of each kernel, for packed and for
// spread operands that end at a guard page.
func TestLine(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		as, bs, cs := asmtest.NewGuarded(t, 2000), asmtest.NewGuarded(t, 100*100), asmtest.NewGuarded(t, 100)
		for _, op := range allOps {
			for n := range 80 {
				for _, k := range []int{0, 1, 2, 9, 17, longLine + 3} {
					for _, load := range []bool{false, true} {
						stepA, stepB := r.IntN(9), n+r.IntN(4)
						a := as.Back(max(0, (k-1)*stepA+1))
						b := bs.Back(max(0, (k-1)*stepB+n))
						c := cs.Back(n)
						if n%2 == 0 {
							a, b, c = as.Front(len(a)), bs.Front(len(b)), cs.Front(n)
						}
						asmtest.Fill(r, a)
						asmtest.Fill(r, b)
						if op == ChiSquared {
							for _, x := range [][]float64{a, b} {
								for i := range x {
									x[i] = math.Abs(x[i])
								}
							}
						}
						asmtest.Poison(c)
						if load {
							asmtest.Fill(r, c)
						}
						want := make([]float64, n)
						for j := range want {
							if load {
								want[j] = c[j]
							}
							for l := range k {
								want[j] = step(op, a[l*stepA], b[l*stepB+j], want[j])
							}
						}
						Line(op, c, a, stepA, b, stepB, k, load)
						if at := asmtest.Diff(c, want); at >= 0 {
							t.Fatalf("%v, %d columns, k = %d, as = %d, bs = %d, load %v: c[%d] = %v, want %v", op, n, k, stepA, stepB, load, at, c[at], want[at])
						}
					}
				}
			}
		}
	})
}
