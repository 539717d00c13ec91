package solve

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/matrix"
)

// ldexp returns 2^e·a, also where 2^e is out of range.
func ldexp(a *matrix.Dense, e int) *matrix.Dense {
	b := a.Clone()
	for i := range b.Data {
		b.Data[i] = math.Ldexp(b.Data[i], e)
	}
	return b
}

// The reductions of matrices and right-hand sides at the ends of the range are those of
// the middle, times powers of two to the last bit; so are solutions and their errors.
func TestReductionsAtTheEndsOfTheRange(t *testing.T) {
	ctx := context.Background()
	const n = 40
	k := randomGram(newRand(1), n, 12)
	k = scaled(k, 0.5/matrix.MaxAbs(k))
	for i := range n {
		k.Set(i, i, k.At(i, i)+0.125) // a complete space is not needed
	}
	f := randomMatrix(newRand(2), n, 3)
	methods := map[string]func(k, f *matrix.Dense, s Shift) (*Reduction, error){
		"Lanczos": func(k, f *matrix.Dense, s Shift) (*Reduction, error) {
			return Lanczos(ctx, k, f, []Shift{s}, everything)
		},
		"band": func(k, f *matrix.Dense, s Shift) (*Reduction, error) { return Reduce(ctx, k, f, nil) },
	}
	for name, reduce := range methods {
		type result struct {
			r        *Reduction
			wre, wim *matrix.Dense
			backward float64
			refined  Refinement
		}
		solve := func(what string, a, b, most int) result {
			s := Shift{Imag: math.Ldexp(0.25, a)}
			at, rhs := ldexp(k, a), ldexp(f, b)
			r, err := reduce(at.Clone(), rhs, s)
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			re, im, backward, err := r.Solve(s, r.Start())
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			measured, err := r.Measure(ctx, Stored{at}, s, r.Start(), re, im, nil)
			if err != nil || !(measured.Backward <= 2*backward+20*unit) {
				t.Errorf("%s: measured %+v, %v, said to be %g", what, measured, err, backward)
			}
			wre, wim := r.Vectors(re), r.Vectors(im)
			refined, err := r.Refine(ctx, Stored{at}, s, rhs, wre, wim, nil, most)
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			return result{r, wre, wim, backward, refined}
		}
		want := solve(name, 0, 0, 2)
		for _, e := range [][2]int{{480, 0}, {-480, 0}, {-497, -497}, {499, 499}, {0, 900}, {0, -900}, {0, 1019}, {-480, 500}, {480, 1000}, {480, -400}} {
			what := fmt.Sprintf("%s, K times 2^%d, F times 2^%d", name, e[0], e[1])
			got := solve(what, e[0], e[1], 2)
			matrixtest.SameBits(t, what+": V", got.r.Vectors(identity(got.r.Size())), want.r.Vectors(identity(want.r.Size())))
			matrixtest.SameBits(t, what+": start", got.r.Start(), ldexp(want.r.Start(), e[1]))
			matrixtest.SameBits(t, what+": Re W", got.wre, ldexp(want.wre, e[1]-e[0]))
			matrixtest.SameBits(t, what+": Im W", got.wim, ldexp(want.wim, e[1]-e[0]))
			if got.backward != want.backward || got.refined != want.refined {
				t.Errorf("%s: backward error %g, refined to %+v, want %g and %+v", what, got.backward, got.refined, want.backward, want.refined)
			}
		}
	}
}

// Columns of the right-hand sides whose sizes are far apart are all solved for, each
// to its own size.
func TestReductionsOfColumnsFarApart(t *testing.T) {
	const n = 50
	k := randomGram(newRand(1), n, 12)
	f := randomMatrix(newRand(2), n, 4)
	for i := range n {
		row := f.Row(i)
		row[1] = math.Ldexp(row[1], -60)
		row[2] = math.Ldexp(row[2], -800)
		row[3] = math.Ldexp(row[3], 900)
	}
	s := Shift{Imag: 0.5}
	for name, r := range reductions(t, k, f, []Shift{s}) {
		re, im, backward, err := r.Solve(s, r.Start())
		if err != nil {
			t.Fatal(err)
		}
		// A few u for the products with V.
		got, err := r.Refine(context.Background(), Stored{k}, s, f, r.Vectors(re), r.Vectors(im), nil, 0)
		if err != nil || !(got.Backward <= 2*backward+20*unit) {
			t.Errorf("%s: backward error %g, %v, said to be %g", name, got.Backward, err, backward)
		}
	}
}
