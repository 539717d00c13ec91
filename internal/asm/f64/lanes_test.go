package f64

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
)

// TestLanes compares all lengths up to a few blocks, at both ends of guarded
// memory, with plain loops, and one length beyond the cut.
func TestLanes(t *testing.T) {
	lengths := make([]int, 0, 150)
	for n := range 40 {
		lengths = append(lengths, n)
	}
	lengths = append(lengths, 1<<13-1, 1<<13, 1<<13+9)
	asmtest.EachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		xs, ys := asmtest.NewGuarded(t, 1<<13+9), asmtest.NewGuarded(t, 1<<13+9)
		for _, n := range lengths {
			for _, x := range [][]float64{xs.Front(n), xs.Back(n)} {
				y := ys.Back(n)
				asmtest.Fill(r, x)
				asmtest.Fill(r, y)
				scale := math.Ldexp(1, r.IntN(5))
				var add, products, scaled, wantAdd, wantProducts, wantScaled Lanes
				add[3], wantAdd[3] = 7, 7
				largest := 0.0
				for i, v := range x {
					wantAdd[i%8] += v
					wantProducts[i%8] = math.FMA(v, y[i], wantProducts[i%8])
					wantScaled[i%8] = math.FMA(v*scale, y[i]*3, wantScaled[i%8])
					largest = math.Max(largest, math.Abs(v))
				}
				add.Add(x)
				products.AddProducts(x, y)
				scaled.AddScaledProducts(x, scale, y, 3)
				if add != wantAdd || products != wantProducts || scaled != wantScaled {
					t.Fatalf("%d numbers: lanes %v, %v, %v, want %v, %v, %v", n, add, products, scaled, wantAdd, wantProducts, wantScaled)
				}
				if got := MaxAbs(x); got != largest {
					t.Fatalf("%d numbers: MaxAbs %v, want %v", n, got, largest)
				}
				if !AllFinite(x) {
					t.Fatalf("%d numbers: not all finite", n)
				}
			}
		}
	})
}

// TestNotFinite puts a number that is not finite at every place.
func TestNotFinite(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		for n := 1; n < 40; n++ {
			x := make([]float64, n)
			for i := range x {
				x[i] = -math.MaxFloat64
			}
			if !AllFinite(x) || MaxAbs(x) != math.MaxFloat64 {
				t.Fatalf("%d times the largest number: finite %v, MaxAbs %v", n, AllFinite(x), MaxAbs(x))
			}
			for i := range x {
				for _, v := range []float64{math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(math.NaN(), -1)} {
					x[i] = v
					if AllFinite(x) {
						t.Fatalf("%v at %d of %d passes for finite", v, i, n)
					}
					if got := MaxAbs(x); !asmtest.Same(got, math.Abs(v)) {
						t.Fatalf("%v at %d of %d: MaxAbs %v", v, i, n, got)
					}
				}
				x[i] = -math.MaxFloat64
			}
		}
	})
}

func TestLanesTotal(t *testing.T) {
	s := Lanes{1, 0x1p60, 3, -0x1p60, 5, 6, 7, 8}
	// ((1+5)+(3+7)) + ((2⁶⁰+6)+(−2⁶⁰+8)): 2⁶⁰+6 rounds to 2⁶⁰, and so does −2⁶⁰+8 to −2⁶⁰.
	if got := s.Total(); got != 16 {
		t.Errorf("total %v, want 16", got)
	}
}
