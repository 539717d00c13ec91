package solve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/textbook"
	"github.com/seed92411348/kfda/matrix"
)

// The blocked factorization and the solves have the bits of the textbook loops.
func TestCholeskyEqualsTextbook(t *testing.T) { asmtest.EachTier(t, choleskyEqualsTextbook) }

func choleskyEqualsTextbook(t *testing.T) {
	ctx := context.Background()
	for _, n := range sizes {
		if testing.Short() && n > 100 {
			continue
		}
		rng := newRand(uint64(n))
		k := randomGram(rng, n, n+3)
		want, _, _ := textbook.Cholesky(k)
		for _, panel := range []int{1, 3, 8, 21, 50, 96} {
			a, whole := spread(k)
			for i := range n {
				for j := i + 1; j < n; j++ {
					a.Set(i, j, math.NaN())
				}
			}
			c, err := factorCholesky(ctx, a, panel)
			if err != nil {
				t.Fatalf("n = %d, panel %d: %v", n, panel, err)
			}
			mustStaySpread(t, a, whole)
			for i := range n {
				for j := range n {
					if j > i && !math.IsNaN(a.At(i, j)) {
						t.Fatalf("n = %d, panel %d: the upper triangle was written", n, panel)
					}
					if j <= i && !equalBits(a.At(i, j), want.At(i, j)) {
						t.Fatalf("n = %d, panel %d: L(%d,%d) = %x, want %x", n, panel, i, j, a.At(i, j), want.At(i, j))
					}
				}
			}
			for _, r := range []int{0, 1, 5} {
				b := randomMatrix(rng, n, r)
				x := b.Clone()
				textbook.SolveLower(want, x, false)
				textbook.SolveLower(want, x, true)
				c.Solve(b)
				matrixtest.SameBits(t, fmt.Sprintf("n = %d, r = %d: solution", n, r), b, x)
			}
		}
	}
}

// The pivot that ends a factorization is the first that is not positive, with the value of
// its chain, wherever blocks and tiles end and however many workers there are.
func TestCholeskyFirstPivot(t *testing.T) {
	if testing.Short() {
		t.Skip("factors matrices that are large enough for several workers")
	}
	const n = 300
	k := randomGram(newRand(11), n, n+3)
	l, _, _ := textbook.Cholesky(k)
	asmtest.EachTier(t, func(t *testing.T) {
		for _, workers := range []int{1, 2, 3} {
			defer matrix.SetWorkers(matrix.SetWorkers(workers))
			for _, at := range []int{0, 7, 24, 143, 144, 151, 168, 287, 288, n - 1} {
				a := k.Clone()
				a.Set(at, at, -1)
				for i := at + 1; i < n; i += 50 {
					a.Set(i, i, -2)
				}
				value := -1.0
				for j := range at {
					value = math.FMA(-l.At(at, j), l.At(at, j), value)
				}
				_, err := FactorCholesky(context.Background(), a)
				if pivot, ok := errors.AsType[*NotPositiveDefiniteError](err); !ok || pivot.Pivot != at || !equalBits(pivot.Value, value) {
					t.Errorf("%d workers: %v, want pivot %d, %v", workers, err, at, value)
				}
			}
		}
	})
}

// InverseDiagonal is the diagonal of the inverse that the factor solves for.
func TestInverseDiagonal(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 127, 128, 129, 300} {
		if testing.Short() && n > 150 {
			continue
		}
		a := randomGram(newRand(uint64(n)), n, n+20)
		for i := range n {
			a.Set(i, i, a.At(i, i)+0.5)
		}
		c := must.Get(FactorCholesky(context.Background(), a))(t)
		inverse := identity(n)
		c.Solve(inverse)
		got, err := c.InverseDiagonal(context.Background())
		if err != nil || len(got) != n {
			t.Fatal(err)
		}
		for i, v := range got {
			// The condition number of these matrices is below 20.
			if want := inverse.At(i, i); !(math.Abs(v-want) <= 20*float64(n)*unit*want) {
				t.Errorf("n = %d: element %d is %.17g, want %.17g", n, i, v, want)
			}
		}
	}
}
