package solve

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// Systems that are solved together have the bits of those that are solved alone,
// with shifts that cannot be solved among them, scaled right-hand sides, and memory of
// the vectors.
func TestSolveEach(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		const n, cols = 40, 3
		rng := newRand(8)
		k, f := randomGram(rng, n, n), randomMatrix(rng, n, cols)
		k.Set(n-1, n-1, -1e3) // so that small real shifts are refused
		for i := range n {
			f.Row(i)[1] *= 0x1p-600
		}
		shifts := []Shift{{Imag: 1e-3}, {Real: 1e-3}, {Imag: 10}, {}, {Imag: 1e-9}, {Imag: 0x1p300}, {Real: 1e4}, {Imag: math.NaN()}, {Imag: 0.5}}
		reduce := func(k *matrix.Dense) *Reduction {
			return must.Get(Reduce(context.Background(), k, f, nil))(t)
		}
		own := k.Clone()
		one, many, dropped := reduce(k.Clone()), reduce(k.Clone()), reduce(own)
		dropped.DropVectors(own)
		var b []*matrix.Dense
		for i := range shifts {
			start := one.Start()
			start.Row(0)[0] += float64(i) // each its own
			b = append(b, start)
		}
		together, after := many.SolveEach(shifts, b), dropped.SolveEach(shifts, b)
		for i, s := range shifts {
			re, im, backward, err := one.Solve(s, b[i])
			switch {
			case i == 3 || i == 7:
				must.Fail[*ShiftError](t, fmt.Sprintf("shift %v", s), err)
			case i == 1:
				must.Fail[*NotPositiveDefiniteError](t, fmt.Sprintf("shift %v", s), err)
			case err != nil:
				t.Errorf("shift %v: %v", s, err)
			}
			for name, other := range map[string]ReducedSolution{"together": together[i], "without vectors": after[i]} {
				if (err == nil) != (other.Err == nil) || err != nil && err.Error() != other.Err.Error() {
					t.Errorf("shift %v %s: error %v, want %v", s, name, other.Err, err)
				}
				if err == nil && (asmtest.Diff(other.Re.Clone().Data, re.Clone().Data) >= 0 || asmtest.Diff(other.Im.Clone().Data, im.Clone().Data) >= 0 || other.Backward != backward) {
					t.Errorf("shift %v %s: another solution, backward error %v, want %v", s, name, other.Backward, backward)
				}
			}
		}
	})
}

// TestDropVectors: the vectors are gone afterwards, and memory around a view
// is left alone.
func TestDropVectors(t *testing.T) {
	const n = 30
	rng := newRand(9)
	around := randomMatrix(rng, n, n+2)
	k := around.View(0, 1, n, n)
	k.CopyFrom(randomGram(rng, n, n))
	before := around.Clone()
	f := randomMatrix(rng, n, 2)
	r := must.Get(Reduce(context.Background(), k, f, nil))(t)
	r.DropVectors(k)
	if solved := r.SolveEach([]Shift{{Imag: 1}, {Imag: 2}}, []*matrix.Dense{r.Start(), r.Start()}); solved[0].Err != nil || solved[1].Err != nil {
		t.Fatal(solved)
	}
	for i := range n {
		if around.At(i, 0) != before.At(i, 0) || around.At(i, n+1) != before.At(i, n+1) {
			t.Fatalf("row %d beside the matrix was written", i)
		}
	}
	must.Panic(t, "coordinates without vectors", func() { r.Coordinates(f) })
}
