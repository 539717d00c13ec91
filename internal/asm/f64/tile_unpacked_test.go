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
				width := shape.Vector * (1 + r.IntN(shape.Cols/shape.Vector))
				ldc, at := width+r.IntN(5), Source{RowStride: k + r.IntN(5), ColStride: 1}
				if r.IntN(2) == 0 {
					at = Source{RowStride: 1, ColStride: shape.Rows + r.IntN(5)}
				}
				c, a, b := guardedC.Back((shape.Rows-1)*ldc+width), guardedA.Back((shape.Rows-1)*at.RowStride+(k-1)*at.ColStride+1), guardedB.Back(k*width)
				if trial%2 == 1 {
					c, a, b = guardedC.Front(len(c)), guardedA.Front(len(a)), guardedB.Front(len(b))
				}
				for _, x := range [][]float64{c, a, b} {
					asmtest.Fill(r, x)
				}
				load := trial < 2
				want := append([]float64(nil), c...)
				for i := range shape.Rows {
					for j := range width {
						s := 0.0
						if load {
							s = c[i*ldc+j]
						}
						for l := range k {
							s = math.FMA(a[i*at.RowStride+l*at.ColStride], b[l*width+j], s)
						}
						want[i*ldc+j] = s
					}
				}
				at.Data = a
				TileRows(c, ldc, width, at, b, k, load)
				if at := asmtest.Diff(c, want); at >= 0 {
					t.Fatalf("%d columns, %d steps, load %v: element %d is %v, want %v", width, k, load, at, c[at], want[at])
				}
			}
		}
	})
}

// TestTilePairs compares with plain chains for every number of columns, all ways in
// which the two matrices may lie, forwards and backwards, at both ends of guarded
// memory.
func TestTilePairs(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		const most = 19
		shape := TileShape()
		r := rand.New(rand.NewPCG(9, 10))
		left := [2]*asmtest.Guarded{asmtest.NewGuarded(t, 400), asmtest.NewGuarded(t, 400)}
		b := asmtest.NewGuarded(t, 4*most*shape.Cols)
		c := asmtest.NewGuarded(t, shape.Rows*(2*shape.Cols+5))
		for turn := range 2000 {
			rows, cols, k := shape.Rows, 1+turn%(2*shape.Cols), r.IntN(most+1)
			if turn%3 == 0 {
				rows = 1 + r.IntN(rows)
			}
			var source [2]Source
			for i := range source {
				s := Source{RowStride: 1, ColStride: rows + r.IntN(3)}
				if (i+turn)%2 == 0 && turn%7 > 0 || turn%7 == 1 {
					s = Source{RowStride: max(k, 1) + r.IntN(3), ColStride: 1}
				}
				n := (rows-1)*s.RowStride + max(k-1, 0)*s.ColStride + 1
				if turn%5 < 2 && k > 0 { // the last column first
					s.Start = (k - 1) * s.ColStride
					s.ColStride = -s.ColStride
				}
				s.Data = left[i].Back(n)
				if turn%2 == 0 {
					s.Data = left[i].Front(n)
				}
				asmtest.Fill(r, s.Data)
				source[i] = s
			}
			whole, ldc := cols/shape.Cols*shape.Cols, cols+r.IntN(6)
			width := whole + shape.PanelWidth(cols-whole)
			x, z := b.Back(2*k*width), c.Back((rows-1)*ldc+cols)
			if turn%2 == 0 {
				x, z = b.Front(len(x)), c.Front(len(z))
			}
			asmtest.Fill(r, x)
			asmtest.Fill(r, z)
			want := append([]float64(nil), z...)
			for i := range rows {
				for j := range cols {
					s := want[i*ldc+j]
					for l := range k {
						for part, m := range source {
							panel, lane := j-j%shape.Cols, j%shape.Cols
							y := x[panel*2*k+(2*l+part)*shape.PanelWidth(min(shape.Cols, cols-panel))+lane]
							s = math.FMA(m.Data[m.Start+i*m.RowStride+l*m.ColStride], y, s)
						}
					}
					want[i*ldc+j] = s
				}
			}
			TilePairs(z, ldc, rows, cols, source[0], source[1], x, k, make([]float64, 2*k*shape.Rows))
			if at := asmtest.Diff(z, want); at >= 0 {
				t.Fatalf("turn %d: %d×%d entries, %d steps, %+v: c[%d] = %v, want %v", turn, rows, cols, k, source, at, z[at], want[at])
			}
		}
	})
}
