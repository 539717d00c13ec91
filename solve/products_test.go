package solve

import (
	"context"
	"math"
	"testing"

	"github.com/seed92411348/kfda/matrix"
)

// The products that come with a residual are those of K and the refined solution, less a
// shift, rounded once: of sums in doubled precision little more than u/2 of each is left.
func TestRefineProducts(t *testing.T) {
	ctx := context.Background()
	const n, r, ridge = 40, 3, 1e-3
	k := randomGram(newRand(4), n, 50)
	plus := k.Clone()
	for i := range n {
		plus.Set(i, i, plus.At(i, i)+ridge)
	}
	for _, size := range []float64{1, 0x1p-700} { // the second is refined times a power of two
		f := randomMatrix(newRand(5), n, r)
		for i := range f.Data {
			f.Data[i] *= size
		}
		check := func(name string, k, w, kw *matrix.Dense, shift float64) {
			t.Helper()
			for i := range n {
				for j := range r {
					exact := bigNum(0)
					for l := range n {
						exact = bigAdd(exact, bigMul(bigNum(k.At(i, l)), bigNum(w.At(l, j))))
					}
					exact = bigSub(exact, bigMul(bigNum(shift), bigNum(w.At(i, j))))
					want, _ := exact.Float64()
					if got := kw.At(i, j); math.Abs(got-want) > 2*unit*math.Abs(want) {
						t.Errorf("%s, size %g: product (%d, %d) is %v, want %v", name, size, i, j, got, want)
					}
				}
			}
		}
		c, err := FactorCholesky(ctx, plus.Clone())
		if err != nil {
			t.Fatal(err)
		}
		w, kw := f.Clone(), matrix.New(n, r)
		c.Solve(w)
		if _, err := c.RefineProducts(ctx, stored{plus}, f, w, ridge, kw, 2); err != nil {
			t.Fatal(err)
		}
		check("Cholesky", plus, w, kw, ridge)

		s, err := FactorShiftedIn(ctx, k.Clone(), 0.1, ShiftedMemory(n))
		if err != nil {
			t.Fatal(err)
		}
		re, im := f.Clone(), matrix.New(n, r)
		s.Solve(re, im)
		if _, err := s.RefineProducts(ctx, stored{k}, f, re, im, kw, 2); err != nil {
			t.Fatal(err)
		}
		check("shifted", k, re, kw, 0)

		b, err := BandReduction(ctx, k.Clone(), f)
		if err != nil {
			t.Fatal(err)
		}
		shift := Shift{Imag: 0.1}
		zre, zim, _, err := b.Solve(shift, b.Start())
		if err != nil {
			t.Fatal(err)
		}
		re, im = b.Vectors(zre), b.Vectors(zim)
		if _, err := b.RefineProducts(ctx, stored{k}, shift, f, re, im, kw, 2); err != nil {
			t.Fatal(err)
		}
		check("band", k, re, kw, 0)
	}
}

// Memory that others have left full changes nothing.
func TestGivenMemory(t *testing.T) {
	ctx := context.Background()
	const n = 90
	k, f := randomGram(newRand(6), n, 5), randomMatrix(newRand(7), n, 2)
	full := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = math.NaN()
		}
		return x
	}
	solution := func(memory []float64) (re, im *matrix.Dense) {
		s, err := FactorShiftedIn(ctx, k.Clone(), 0.5, memory)
		if err != nil {
			t.Fatal(err)
		}
		re, im = f.Clone(), matrix.New(n, f.Cols)
		s.Solve(re, im)
		return re, im
	}
	re, im := solution(nil)
	for _, size := range []int{1, len(ShiftedMemory(n))} {
		gotRe, gotIm := solution(full(size))
		mustEqualBits(t, "real part", gotRe, re)
		mustEqualBits(t, "imaginary part", gotIm, im)
	}
	coordinates := func(memory []float64) *matrix.Dense {
		r, err := Lanczos(ctx, k.Clone(), f, []Shift{{Imag: 0.5}}, LanczosLimit{Cost: math.Inf(1), Vectors: n, Memory: memory})
		if err != nil {
			t.Fatal(err)
		}
		return r.Coordinates(f)
	}
	want := coordinates(nil)
	for _, size := range []int{1, 64 * n, 200 * n} {
		mustEqualBits(t, "coordinates", coordinates(full(size)), want)
	}
}
