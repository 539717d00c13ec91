package f64

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
	"github.com/seed92411348/kfda/internal/must"
)

var allOps = []Op{Product, SquaredDistance, ManhattanDistance, ChiSquared}

// step is one step of a chain, as the constants of Op define it.
func step(op Op, x, y, s float64) float64 {
	switch op {
	case Product:
		return math.FMA(x, y, s)
	case SquaredDistance:
		d := x - y
		return math.FMA(d, d, s)
	case ManhattanDistance:
		return s + math.Abs(x-y)
	case ChiSquared:
		d, q := x-y, 0.0
		if d != 0 {
			q = d / (x + y)
		}
		return math.FMA(d, q, s)
	}
	panic("no such operation")
}

// tileCase is one tile with its packed operands and the entries that it must
// hold in the end.
type tileCase struct {
	op         Op
	rows, cols int
	k          int
	load       bool
}

func (tc tileCase) String() string {
	return fmt.Sprintf("%v %d×%d k=%d load=%v", tc.op, tc.rows, tc.cols, tc.k, tc.load)
}

// run fills the operands a and b (whole panels) and the tile c with rows ldc
// apart, runs Tile, and compares all of c with plain chains.
func (tc tileCase) run(t *testing.T, r *rand.Rand, c []float64, ldc int, a, b []float64) {
	t.Helper()
	shape := TileShape()
	width := shape.PanelWidth(tc.cols)
	asmtest.Fill(r, a)
	asmtest.Fill(r, b)
	if tc.op == ChiSquared {
		for _, x := range [][]float64{a, b} {
			for i := range x {
				x[i] = math.Abs(x[i])
			}
		}
	}
	// Lanes without an entry may hold anything that a panel may hold there.
	if tc.load {
		asmtest.Fill(r, c)
	} else {
		asmtest.Poison(c)
	}
	want := append([]float64(nil), c...)
	for i := range tc.rows {
		for j := range tc.cols {
			s := 0.0
			if tc.load {
				s = want[i*ldc+j]
			}
			for l := range tc.k {
				s = step(tc.op, a[l*shape.Rows+i], b[l*width+j], s)
			}
			want[i*ldc+j] = s
		}
	}
	Tile(tc.op, c, ldc, tc.rows, tc.cols, a, b, tc.k, tc.load, 0)
	if at := asmtest.Diff(c, want); at >= 0 {
		t.Fatalf("%v, ldc %d: c[%d] (row %d, column %d) = %v, want %v", tc, ldc, at, at/ldc, at%ldc, c[at], want[at])
	}
}

// TestTileLengths runs full tiles of all widths over all k up to several turns
// of the unrolled loops and beyond the point where the prefetch starts.
func TestTileLengths(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		shape := TileShape()
		r := rand.New(rand.NewPCG(1, 2))
		a := asmtest.NewGuarded(t, 67*shape.Rows)
		b := asmtest.NewGuarded(t, 67*shape.Cols)
		c := asmtest.NewGuarded(t, shape.Rows*(shape.Cols+5))
		for _, op := range allOps {
			for width := shape.Vector; width <= shape.Cols; width += shape.Vector {
				for k := range 67 {
					for _, load := range []bool{false, true} {
						tc := tileCase{op, shape.Rows, width, k, load}
						ldc := width + k%5
						n := (shape.Rows-1)*ldc + width
						tc.run(t, r, c.Back(n), ldc, a.Back(k*shape.Rows), b.Back(k*width))
						tc.run(t, r, c.Front(n), ldc, a.Front(k*shape.Rows), b.Front(k*width))
					}
				}
			}
		}
	})
}

// TestTileEdges runs every number of rows and columns.
func TestTileEdges(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		shape := TileShape()
		r := rand.New(rand.NewPCG(3, 4))
		a := asmtest.NewGuarded(t, 9*shape.Rows)
		b := asmtest.NewGuarded(t, 9*shape.Cols)
		c := asmtest.NewGuarded(t, shape.Rows*(shape.Cols+5))
		for _, op := range allOps {
			for rows := range shape.Rows + 1 {
				for cols := range shape.Cols + 1 {
					for _, k := range []int{0, 1, 9} {
						for _, load := range []bool{false, true} {
							tc := tileCase{op, rows, cols, k, load}
							ldc := cols + (rows+cols)%6
							n := max(0, (rows-1)*ldc+cols)
							tc.run(t, r, c.Back(n), ldc, a.Back(k*shape.Rows), b.Back(k*shape.PanelWidth(cols)))
						}
					}
				}
			}
		}
	})
}

// TestTilePart runs every range of columns of panels of all widths: wanted entries are
// those of Tile, and nothing outside the tile is touched.
func TestTilePart(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		shape := TileShape()
		r := rand.New(rand.NewPCG(7, 8))
		a := asmtest.NewGuarded(t, 37*shape.Rows)
		b := asmtest.NewGuarded(t, 37*shape.Cols)
		c := asmtest.NewGuarded(t, shape.Rows*(shape.Cols+2))
		for width := shape.Vector; width <= shape.Cols; width += shape.Vector {
			for to := 1; to <= width; to++ {
				for from := range to {
					k, load, op := r.IntN(38), r.IntN(2) == 0, allOps[(to+from)%2]
					ldc := width + r.IntN(3)
					x, y, z := a.Back(k*shape.Rows), b.Back(k*width), c.Back((shape.Rows-1)*ldc+width)
					asmtest.Fill(r, x)
					asmtest.Fill(r, y)
					asmtest.Fill(r, z)
					before, want := append([]float64(nil), z...), append([]float64(nil), z...)
					Tile(op, want, ldc, shape.Rows, width, x, y, k, load, 0)
					TilePart(op, z, ldc, from, to, x, y, width, k, load)
					for i := range z {
						if j := i % ldc; j >= width {
							want[i] = before[i]
						} else if j < from || j >= to {
							want[i] = z[i]
						}
					}
					if at := asmtest.Diff(z, want); at >= 0 {
						t.Fatalf("%v, columns %d to %d of %d, k=%d load=%v: c[%d] = %v, want %v", op, from, to, width, k, load, at, z[at], want[at])
					}
				}
			}
		}
	})
}

// TestTileLongChain cuts long chains: the parts, continued through c, have the
// bits of the whole.
func TestTileLongChain(t *testing.T) {
	const k = 300
	asmtest.EachTier(t, func(t *testing.T) {
		shape := TileShape()
		r := rand.New(rand.NewPCG(5, 6))
		a, b := make([]float64, k*shape.Rows), make([]float64, k*shape.Cols)
		whole, parts := make([]float64, shape.Rows*shape.Cols), make([]float64, shape.Rows*shape.Cols)
		for _, op := range allOps {
			tileCase{op, shape.Rows, shape.Cols, k, false}.run(t, r, whole, shape.Cols, a, b)
			for _, cut := range []int{1, 32, 33, 256, 299} {
				asmtest.Poison(parts)
				Tile(op, parts, shape.Cols, shape.Rows, shape.Cols, a, b, cut, false, 0)
				Tile(op, parts, shape.Cols, shape.Rows, shape.Cols, a[cut*shape.Rows:], b[cut*shape.Cols:], k-cut, true, 0)
				if at := asmtest.Diff(parts, whole); at >= 0 {
					t.Fatalf("%v cut at %d: entry %d = %v, whole %v", op, cut, at, parts[at], whole[at])
				}
			}
		}
	})
}

// TestTileNotFinite sends NaN, infinities, subnormal and huge values through
// every lane: a lane must not disturb another, and 0/0 counts as 0 only where
// both arguments are 0.
func TestTileNotFinite(t *testing.T) {
	special := []float64{0, math.Inf(1), math.NaN(), 5e-324, 1e308, 0, 1, 2}
	asmtest.EachTier(t, func(t *testing.T) {
		shape := TileShape()
		for _, op := range allOps {
			a, b := make([]float64, shape.Rows), make([]float64, shape.Cols)
			for i := range a {
				a[i] = special[i%len(special)]
			}
			for shift := range special {
				for j := range b {
					b[j] = special[(j+shift)%len(special)]
				}
				c := make([]float64, shape.Rows*shape.Cols)
				asmtest.Poison(c)
				Tile(op, c, shape.Cols, shape.Rows, shape.Cols, a, b, 1, false, 0)
				for i := range a {
					for j := range b {
						if got, want := c[i*shape.Cols+j], step(op, a[i], b[j], 0); !asmtest.Same(got, want) {
							t.Fatalf("%v of %v and %v = %v, want %v", op, a[i], b[j], got, want)
						}
					}
				}
			}
		}
	})
}

func TestTileRefuses(t *testing.T) {
	shape := TileShape()
	c, a, b := make([]float64, shape.Rows*shape.Cols), make([]float64, 2*shape.Rows), make([]float64, 2*shape.Cols)
	for name, call := range map[string]func(){
		"too many rows":    func() { Tile(Product, c, shape.Cols, shape.Rows+1, 1, a, b, 1, false, 0) },
		"too many columns": func() { Tile(Product, c, shape.Cols, 1, shape.Cols+1, a, b, 1, false, 0) },
		"short a":          func() { Tile(Product, c, shape.Cols, 1, 1, a, b, 3, false, 0) },
		"short b":          func() { Tile(Product, c, shape.Cols, 1, shape.Cols, a, b[:1], 1, false, 0) },
		"short c":          func() { Tile(Product, c[1:], shape.Cols, shape.Rows, shape.Cols, a, b, 2, false, 0) },
		"negative k":       func() { Tile(Product, c, shape.Cols, 1, 1, a, b, -1, false, 0) },
	} {
		must.Panic(t, name, call)
	}
}
