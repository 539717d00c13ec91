package f64

import (
	"flag"
	"math"
	"math/rand/v2"
	"slices"
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

// What the functions of Emulation leave is done in Go. Here they copy a part of the result, 8 numbers a row.
func TestEmulationSameBits(t *testing.T) {
	if !emulated {
		t.Skip("the compiler has the instruction")
	}
	r := rand.New(rand.NewPCG(5, 6))
	const k = 5
	x, a, b, c := make([]float64, 64), make([]float64, k*DoubledRows), make([]float64, k*8), make([]float64, 64)
	for i := range a {
		a[i], b[i%len(b)], x[i%len(x)] = asmtest.FMACase(r)
	}
	for name, compute := range map[string]func(x []float64){
		"tile":    func(x []float64) { goTile(Product, shapes[0], &x[0], 8, &a[0], &b[0], k, 8, true) },
		"doubled": func(x []float64) { clear(c); doubledGo(&x[0], &c[0], &a[0], DoubledRows, &b[0], 8, k, 4) },
		"exp":     func(x []float64) { expScaleGo(x, 1) },
	} {
		want := slices.Clone(x)
		compute(want)
		low := slices.Clone(c)
		for rows := range 9 {
			got := slices.Clone(x)
			part := func() int { return copy(got, want[:8*rows]) }
			Emulation.Tile = func(Op, *float64, int, *float64, *float64, int, bool) int { return part() / 8 }
			Emulation.Doubled = func(_, _, _ *float64, _ int, _ *float64, _, _, _ int) int { copy(c, low[:8*rows]); return part() / 8 }
			Emulation.Exp = func([]float64) int { return part() }
			compute(got)
			Emulation.Tile, Emulation.Doubled, Emulation.Exp = nil, nil, nil
			if i := asmtest.Diff(got, want); i >= 0 {
				t.Errorf("%s, %d rows done: place %d is %x, want %x", name, rows, i, got[i], want[i])
			}
			if i := asmtest.Diff(c, low); i >= 0 {
				t.Errorf("%s, %d rows done: remainder %d is %x, want %x", name, rows, i, c[i], low[i])
			}
		}
	}
}
