package solve

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"runtime"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/pages"
	"github.com/seed92411348/kfda/matrix"
)

// The products that come with the residuals are those of K, less a shift, and the solution
// itself: of a refined one that is not rounded yet, in doubled precision, little more
// than u/2 of each is left.
func TestRefinedProducts(t *testing.T) {
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
		check := func(name string, kw *matrix.Dense, want func(i, j int) *big.Float) {
			t.Helper()
			for i := range n {
				for j := range r {
					if got, want := kw.At(i, j), nearest(want(i, j)); math.Abs(got-want) > 2*unit*math.Abs(want) {
						t.Errorf("%s, size %g: product (%d, %d) is %v, want %v", name, size, i, j, got, want)
					}
				}
			}
		}
		// (K + cI)X = F: KX = F − cX, and with c = −iσ, K·Re X = F − σ·Im X.
		ofRidge := bigSolve(arith.FromDense(plus), arith.FromDense(f))
		_, imaginary := bigShiftedSolve(k, 0.1, f)
		withRidge := func(i, j int) *big.Float {
			return arith.Sub(arith.Of(f.At(i, j)), arith.Mul(arith.Of(ridge), ofRidge[i][j]))
		}
		shifted := func(i, j int) *big.Float {
			return arith.Sub(arith.Of(f.At(i, j)), arith.Mul(arith.Of(0.1), imaginary[i][j]))
		}
		c := must.Get(FactorCholesky(ctx, plus.Clone()))(t)
		w, kw := f.Clone(), matrix.New(n, r)
		c.Solve(w)
		must.Get(c.Refine(ctx, Stored{plus}, Known{Shift: ridge, Inverse: 1 / ridge}, f, w, kw, 2))(t)
		check("Cholesky", kw, withRidge)

		s := must.Get(FactorShifted(ctx, k.Clone(), 0.1))(t)
		re, im := f.Clone(), matrix.New(n, r)
		s.Solve(re, im)
		must.Get(s.Refine(ctx, Stored{k}, f, re, im, kw, 2))(t)
		check("shifted", kw, shifted)

		b := must.Get(Reduce(ctx, k.Clone(), f, nil))(t)
		shift := Shift{Imag: 0.1}
		zre, zim, _, err := b.Solve(shift, b.Start())
		if err != nil {
			t.Fatal(err)
		}
		re, im = b.Vectors(zre), b.Vectors(zim)
		must.Get(b.Refine(ctx, Stored{k}, shift, f, re, im, kw, 2))(t)
		check("band", kw, shifted)
	}
}

func nearest(x *big.Float) float64 {
	v, _ := x.Float64()
	return v
}

// The errors of residuals have the bound that shiftedResidual states, where elements of a row and
// columns of the solution differ widely in size, where sums cancel, and with zeros of both
// signs. What is added to the products are four sums and products, each of at most the
// bound and those terms, with rounding errors of u that are added with errors of u.
func TestResidualBound(t *testing.T) {
	const r, sigma = 3, 0.3
	rng := newRand(10)
	for _, n := range []int{1, 5, 16, 17, 40} {
		for _, spread := range []int{0, 40, 300} { // binary orders of magnitude, both ways
			any := func() float64 {
				if rng.IntN(8) == 0 {
					return math.Copysign(0, rng.NormFloat64())
				}
				return math.Ldexp(rng.NormFloat64(), rng.IntN(2*spread+1)-spread)
			}
			k, f, re, im := matrix.New(n, n), matrix.New(n, r), matrix.New(n, r), matrix.New(n, r)
			for i := range n {
				for j := range i + 1 {
					k.Set(i, j, any())
					k.Set(j, i, k.At(i, j))
				}
				for j := range r {
					re.Set(i, j, any())
					im.Set(i, j, any())
				}
			}
			product := func(i, j int, w *matrix.Dense) (sum *big.Float, bound float64) {
				sum, total := bigWide(0), 0.0
				for l := range n {
					sum.Add(sum, new(big.Float).Mul(bigWide(k.At(i, l)), bigWide(w.At(l, j))))
					total += math.Abs(w.At(l, j))
				}
				return sum, f64.MaxAbs(k.Row(i)) * total
			}
			for i := range n {
				for j := range r {
					kw, _ := product(i, j, re)
					v, _ := kw.Float64()
					f.Set(i, j, v)
				}
			}
			rre, rim := matrix.New(n, r), matrix.New(n, r)
			complexResidual(rre, rim, Stored{k}, sigma, f, re, im)
			for i := range n {
				for j := range r {
					check := func(part string, got, b float64, w *matrix.Dense, sign float64, other *matrix.Dense) {
						want, bound := product(i, j, w)
						want.Sub(bigWide(b), want)
						shift := new(big.Float).Mul(bigWide(sign*sigma), bigWide(other.At(i, j)))
						want.Add(want, shift)
						exact, _ := want.Float64()
						wrong, _ := want.Sub(want, bigWide(got)).Float64()
						terms := bound + math.Abs(b) + math.Abs(sigma*other.At(i, j))
						m := float64(n)
						if limit := unit*math.Abs(exact) + unit*unit*(8*(m+m*m)*bound+16*terms); math.Abs(wrong) > limit {
							t.Errorf("n = %d, spread %d: %s part of (%d, %d) is %v, want %v, limit %g", n, spread, part, i, j, got, exact, limit)
						}
					}
					check("real", rre.At(i, j), f.At(i, j), re, -1, im)
					check("imaginary", rim.At(i, j), 0, im, +1, re)
				}
			}
		}
	}
}

// bigWide holds sums of products of the whole range that the test has, exactly.
func bigWide(x float64) *big.Float { return new(big.Float).SetPrec(2600).SetFloat64(x) }

// Memory that others have left full changes nothing.
func TestLeftoverMemory(t *testing.T) {
	for _, n := range []int{1, 5, 90, 150, 301} {
		k, f := randomGram(newRand(6), n, 5), randomMatrix(newRand(7), n, 2)
		solutions := func() []*matrix.Dense {
			ctx := context.Background()
			s := must.Get(FactorShifted(ctx, k.Clone(), 0.5))(t)
			re, im := f.Clone(), matrix.New(n, f.Cols)
			s.Solve(re, im)
			a := k.Clone()
			for i := range n {
				a.Row(i)[i]++
			}
			x, l, upper := f.Clone(), a.Clone(), NewUpper(a)
			c := must.Get(FactorCholesky(ctx, l))(t)
			c.Solve(x)
			must.Get(c.Refine(ctx, upper, Known{}, f, x, nil, 2))(t)
			return []*matrix.Dense{re, im, l, x}
		}
		want := solutions()
		for _, size := range []int{1, 1 << 20} {
			full := slices.Repeat([]float64{math.NaN()}, size)
			pages.Leave(&full)
			for i, got := range solutions() {
				matrixtest.SameBits(t, fmt.Sprintf("n = %d, result %d", n, i), got, want[i])
			}
			runtime.KeepAlive(full)
		}
	}
}
