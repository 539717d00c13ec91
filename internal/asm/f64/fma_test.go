package f64

import (
	"flag"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
)

var fmaArgs = flag.Int("fma.args", 1_000_000, "the arguments of TestFMA")

// fmaCase draws arguments of which most are hard: sums that nearly cancel, that end near the middle
// between two numbers, and factors with few digits, with zeros or ones in their middle, or of any size.
func fmaCase(r *rand.Rand) (x, y, s float64) {
	factor := func() float64 {
		bits := r.Uint64() >> 12
		switch r.IntN(4) {
		case 0:
			bits &= math.MaxUint64 << r.IntN(52)
		case 1:
			bits |= 1<<r.IntN(53) - 1
		}
		v := math.Float64frombits(1023<<52 | bits)
		if r.IntN(2) == 0 {
			v = -v
		}
		return v
	}
	x, y = factor(), factor()
	p := x * y
	rest := math.FMA(x, y, -p)
	switch r.IntN(6) {
	case 0:
		s = math.Ldexp(factor(), r.IntN(220)-110)
	case 1: // cancels but for some digits
		s = -p * (1 + float64(r.IntN(9)-4)*0x1p-52)
	case 2: // a tie of the sum, or nearly
		s = math.Ldexp(p, r.IntN(4)) + math.Ldexp(1, r.IntN(12)-56)
	case 3: // the product is near half a unit of the sum
		s = math.Ldexp(factor(), 52+r.IntN(4))
	case 4: // what remains of the product decides
		s = math.Ldexp(float64(1+r.IntN(3)), 52+r.IntN(3)) - p
	case 5:
		s = -rest
	}
	if r.IntN(8) == 0 {
		e, f := r.IntN(2100)-1050, r.IntN(2100)-1050
		if r.IntN(2) == 0 { // the product is about the largest number
			f = 1020 + r.IntN(5) - e
		}
		return math.Ldexp(x, e), math.Ldexp(y, f), math.Ldexp(s, r.IntN(2100)-1050)
	}
	if r.IntN(16) == 0 {
		special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.NaN(), 5e-324, math.MaxFloat64, 0x1p-1022}
		at := []*float64{&x, &y, &s}
		*at[r.IntN(3)] = special[r.IntN(len(special))]
	}
	return x, y, s
}

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
				x, y, s := fmaCase(r)
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
			a[i], b[i], start[i%4] = fmaCase(r)
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
