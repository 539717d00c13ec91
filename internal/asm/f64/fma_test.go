package f64

import (
	"flag"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
)

var fmaArgs = flag.Int("fma.args", 1_000_000, "the arguments of TestFMA")

// The truth is math.FMA: an instruction, or the integers of the standard library.
func TestFMA(t *testing.T) {
	if testing.Short() {
		*fmaArgs = min(*fmaArgs, 100_000)
	}
	const parts = 8
	var all sync.WaitGroup
	for part := range parts {
		all.Go(func() {
			r := rand.New(rand.NewPCG(1, uint64(part)))
			for range *fmaArgs / parts {
				x, y, s := asmtest.FMACase(r)
				if got, want := fma(x, y, s), math.FMA(x, y, s); math.Float64bits(got) != math.Float64bits(want) && (got == got || want == want) {
					t.Errorf("fma(%x, %x, %x) = %x, want %x", x, y, s, got, want)
					return
				}
			}
		})
	}
	all.Wait()
}

// Chains of the same, which are left to productGo and sqDistGo where they are not sure.
func TestFMAChains(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	sure := 0
	const n = 20_000
	for range n {
		k := 1 + r.IntN(12)
		a, b := make([]float64, 4*k), make([]float64, 4*k)
		var start [4]float64
		for i := range a {
			a[i], b[i], start[i%4] = asmtest.FMACase(r)
		}
		for _, op := range []Op{Product, SquaredDistance} {
			got, want := start, start
			goChains(op, false, &want, a, 4, b, 4, k)
			safe := noUnderflow(a) && noUnderflow(b)
			goChains(op, safe, &got, a, 4, b, 4, k)
			if safe {
				sure++
			}
			for j := range got {
				if math.Float64bits(got[j]) != math.Float64bits(want[j]) && (got[j] == got[j] || want[j] == want[j]) {
					t.Fatalf("%v of %x and %x from %x: %x, want %x", op, a, b, start, got, want)
				}
			}
		}
	}
	if sure < n/4 {
		t.Errorf("%d of %d chains were left to the formulas: the test tests little", sure, 2*n)
	}
}
