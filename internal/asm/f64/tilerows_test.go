package f64

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
)

// TestTileRows compares with the chains, for all small numbers of steps, at both ends of
// guarded memory.
func TestTileRows(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		if !HasTileRows() {
			t.Skip("no kernel")
		}
		r := rand.New(rand.NewPCG(5, 6))
		shape := TileShape()
		guardedC, guardedA, guardedB := asmtest.NewGuarded(t, 1000), asmtest.NewGuarded(t, 1000), asmtest.NewGuarded(t, 2000)
		for k := 1; k < 40; k++ {
			for trial := range 4 {
				ldc, lda := shape.Cols+r.IntN(5), k+r.IntN(5)
				c, a, b := guardedC.Back((shape.Rows-1)*ldc+shape.Cols), guardedA.Back((shape.Rows-1)*lda+k), guardedB.Back(k*shape.Cols)
				if trial%2 == 1 {
					c, a, b = guardedC.Front(len(c)), guardedA.Front(len(a)), guardedB.Front(len(b))
				}
				for _, x := range [][]float64{c, a, b} {
					asmtest.Fill(r, x)
				}
				load := trial < 2
				want := append([]float64(nil), c...)
				for i := range shape.Rows {
					for j := range shape.Cols {
						s := 0.0
						if load {
							s = c[i*ldc+j]
						}
						for l := range k {
							s = math.FMA(a[i*lda+l], b[l*shape.Cols+j], s)
						}
						want[i*ldc+j] = s
					}
				}
				TileRows(c, ldc, a, lda, b, k, load)
				if at := asmtest.Diff(c, want); at >= 0 {
					t.Fatalf("%d steps, load %v: element %d is %v, want %v", k, load, at, c[at], want[at])
				}
			}
		}
	})
}
