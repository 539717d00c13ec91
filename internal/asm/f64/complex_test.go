package f64

import (
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
)

// TestComplexLanes runs all small sizes and several strides, backwards too, and at
// both ends of guarded memory, for the lanes of each tier and others, against the
// formulas in one lane.
func TestComplexLanes(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 4))
		const most = 1 << 12
		cs, as, us := asmtest.NewGuarded(t, most), asmtest.NewGuarded(t, most), asmtest.NewGuarded(t, most)
		for _, lanes := range []int{LanesOfTier(), 1, 3} {
			one := ComplexLanes{Lanes: 1, Im: 1}
			for trial := range 300 {
				entries, steps := 1+r.IntN(12), 1+r.IntN(9)
				s := ComplexLanes{Lanes: lanes, Im: lanes}
				c1, a1 := 2*lanes+r.IntN(3), 2*lanes+r.IntN(3) // strides
				if trial%2 == 1 {                              // real parts of all entries, then imaginary ones
					c1, a1, s.Im = lanes, lanes, entries*lanes
				}
				number := s.Im + lanes
				ak, uk := number+(entries-1)*a1, 2*lanes+r.IntN(2)
				c, a, u := cs.Back((entries-1)*c1+number), as.Front(steps*ak), us.Back((steps-1)*uk+2*lanes)
				for _, x := range [][]float64{c, a, u} {
					asmtest.Fill(r, x)
				}
				a0, u0 := 0, 0
				if trial%3 == 0 {
					a0, u0, ak, uk = (steps-1)*ak, (steps-1)*uk, -ak, -uk
				}
				want := append([]float64(nil), c...)
				for i := range entries {
					for lane := range lanes {
						x := []float64{want[i*c1+lane], want[i*c1+s.Im+lane]}
						for l := range steps {
							at, of := a0+i*a1+l*ak+lane, u0+l*uk+lane
							one.subtractGo(x, 0, []float64{a[at], a[at+s.Im]}, 0, 0, 0, []float64{u[of], u[of+lanes]}, 0, 0, 1, 1)
						}
						want[i*c1+lane], want[i*c1+s.Im+lane] = x[0], x[1]
					}
				}
				s.Subtract(c, c1, a, a0, a1, ak, u, u0, uk, entries, steps)
				if at := asmtest.Diff(c, want); at >= 0 {
					t.Fatalf("Subtract: %+v, %d entries, %d steps: element %d is %v, want %v", s, entries, steps, at, c[at], want[at])
				}

				d, squares := us.Front(2*lanes), as.Back(lanes)
				asmtest.Fill(r, d)
				asmtest.Fill(r, squares)
				for i := range entries {
					for lane := range lanes {
						x := []float64{c[i*c1+lane], c[i*c1+s.Im+lane]}
						one.divideGo(x, x, 0, []float64{d[lane], d[lanes+lane]}, squares[lane:], 1)
						want[i*c1+lane], want[i*c1+s.Im+lane] = x[0], x[1]
					}
				}
				s.Divide(c, c, c1, d, squares, entries)
				if at := asmtest.Diff(c, want); at >= 0 {
					t.Fatalf("Divide: %+v, %d entries: element %d is %v, want %v", s, entries, at, c[at], want[at])
				}
			}
		}
	})
}
