package f64

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
	"github.com/seed92411348/kfda/internal/asm/isa"
)

// A sliceMap is a map in place together with the function of one number that
// defines it.
type sliceMap struct {
	name  string
	apply func(x []float64)
	one   func(x float64) float64
}

func sliceMaps() []sliceMap {
	maps := []sliceMap{
		{"TanhSlice", TanhSlice, Tanh},
	}
	for _, n := range []int{1, 2, 3, 4, 7} {
		maps = append(maps, sliceMap{
			fmt.Sprintf("AffinePow(%d)", n),
			func(x []float64) { AffinePow(x, 0.3, -1.1, n) },
			func(x float64) float64 {
				t := math.FMA(0.3, x, -1.1)
				p := t
				for range n - 1 {
					p = float64(p * t)
				}
				return p
			},
		})
	}
	for _, gamma := range []float64{0.37, 1, 1e-9, 1e300, 0x1p-1074} {
		maps = append(maps, sliceMap{
			fmt.Sprintf("ExpNegScale(%g)", gamma),
			func(x []float64) { ExpNegScale(x, gamma) },
			func(x float64) float64 { return Exp(-float64(gamma * x)) },
		})
	}
	return maps
}

// awkward are the values at which a lane could take a wrong turn: the special
// ones, the ends of the range, and the boundaries of the reduction.
func awkward() []float64 {
	x := []float64{0, 1, math.Inf(1), math.NaN(), math.MaxFloat64, math.SmallestNonzeroFloat64,
		0x1p-1022, 0x1.fffffffffffffp-1023, 1e-300, 1e300, 0x1p-53, 0x1p-54, 0x1p53, 0x1p63, 0x1p1000,
		709.782712893384, 709.7827128933841, 710, 745.1332191019411, 745.1332191019412, 746, 747,
		708.3964185322641, 708.3964185322642, 19.061547465398498, 22, 22.000000000000004, 11, 2,
		math.Float64frombits(0x7ff0000000000001)} // a signalling NaN
	for k := 1; k < 40000; k = k*3/2 + 1 {
		x = append(x, float64(float64(k)*(math.Ln2/32)))
	}
	for _, v := range x {
		x = append(x, math.Nextafter(v, 0), math.Nextafter(v, math.Inf(1)))
	}
	for _, v := range x {
		x = append(x, -v)
	}
	return x
}

// TestSliceLengths compares every map on every tier with its definition for all
// lengths up to past four turns of the longest loop, at every offset
// in a vector, on memory that ends where the slice does, and checks that the
// numbers around it stay.
func TestSliceLengths(t *testing.T) {
	const longest = 4*32 + 3
	special := awkward()
	asmtest.EachTier(t, func(t *testing.T) {
		guarded := asmtest.NewGuarded(t, longest)
		whole := make([]float64, longest+16)
		for _, m := range sliceMaps() {
			for n := range longest + 1 {
				for _, x := range [][]float64{guarded.Front(n), guarded.Back(n)} {
					for i := range x {
						x[i] = special[(i*7+n*31)%len(special)]
					}
					checkMap(t, m, x)
				}
				offset := n % 8
				for i := range whole {
					whole[i] = float64(i)
				}
				checkMap(t, m, whole[offset:offset+n])
				for i, v := range whole {
					if v != float64(i) && (i < offset || i >= offset+n) {
						t.Fatalf("%s of %d numbers at %d wrote to %d", m.name, n, offset, i)
					}
				}
			}
		}
	})
}

// checkMap applies m to x and compares with the definition.
func checkMap(t *testing.T, m sliceMap, x []float64) {
	t.Helper()
	in := append([]float64(nil), x...)
	m.apply(x)
	for i, v := range in {
		if want := m.one(v); !asmtest.Same(x[i], want) {
			t.Fatalf("%s at %d of %d: %x becomes %x, want %x", m.name, i, len(x), v, x[i], want)
		}
	}
}

// TestSliceSpecial puts every awkward value into every lane.
func TestSliceSpecial(t *testing.T) {
	special := awkward()
	asmtest.EachTier(t, func(t *testing.T) {
		for _, m := range sliceMaps() {
			for lane := range 32 {
				x := make([]float64, lane, lane+len(special))
				checkMap(t, m, append(x, special...))
			}
		}
	})
}

// TestSliceRandom compares the tiers with the Go form over many arguments: in
// a long run more than 10⁷ of each of the three kernel maps.
func TestSliceRandom(t *testing.T) {
	base := expArguments(4000)
	in, got, want := make([]float64, len(base)), make([]float64, len(base)), make([]float64, len(base))
	for _, m := range sliceMaps() {
		turns := 2
		if !testing.Short() {
			turns = 40
			switch m.name {
			case "ExpNegScale(0.37)", "TanhSlice", "AffinePow(3)":
				turns = 700
			}
		}
		rng := rand.New(rand.NewPCG(3, 4))
		for range turns {
			rng.Shuffle(len(base), func(i, j int) { base[i], base[j] = base[j], base[i] })
			for i, v := range base {
				in[i] = float64(v * (1 + float64(rng.Float64()*0x1p-10)))
				want[i] = m.one(in[i])
			}
			for _, tier := range isa.Available() {
				restore := isa.Override(tier)
				copy(got, in)
				m.apply(got)
				restore()
				if i := asmtest.Diff(got, want); i >= 0 {
					t.Fatalf("%s on %v: %x becomes %x, want %x", m.name, tier, in[i], got[i], want[i])
				}
			}
		}
	}
}
