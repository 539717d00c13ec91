package f64

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
	"github.com/seed92411348/kfda/internal/must"
)

// TestPack packs every number of rows into every panel width of the tier, from
// sources of all orientations that end at a guard page.
func TestPack(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		shape := TileShape()
		r := rand.New(rand.NewPCG(7, 8))
		widths := []int{shape.Rows}
		for w := shape.Vector; w <= shape.Cols; w += shape.Vector {
			if w != shape.Rows {
				widths = append(widths, w)
			}
		}
		src := asmtest.NewGuarded(t, 80*40)
		dst := asmtest.NewGuarded(t, 40*shape.Cols)
		for _, width := range widths {
			for n := range width + 1 {
				for _, k := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 35} {
					for _, negate := range []bool{false, true} {
						lds := max(n, k) + 3
						size := func(rows, cols int) int { return max(0, (rows-1)*lds+cols) }
						for name, s := range map[string]Source{
							"rows":              {src.Back(size(n, k)), 0, lds, 1},
							"rows backwards":    {src.Back(size(n, k)), max(k-1, 0), lds, -1},
							"columns":           {src.Front(size(k, n)), 0, 1, lds},
							"columns backwards": {src.Back(size(k, n)), max(k-1, 0) * lds, 1, -lds},
							"every other":       {src.Back(max(0, (n-1)*2+(k-1)*80+1)), 0, 2, 80},
						} {
							asmtest.Fill(r, s.Data)
							out := dst.Back(k * width)
							asmtest.Poison(out)
							Pack(out, width, s, n, k, negate)
							for l := range k {
								for i := range width {
									want := 0.0
									if i < n {
										want = s.Data[s.Start+i*s.RowStride+l*s.ColStride]
										if negate {
											want = -want
										}
									}
									if got := out[l*width+i]; !asmtest.Same(got, want) {
										t.Fatalf("%s, %d of width %d, k = %d, negate %v: element (%d, %d) is %v, want %v", name, n, width, k, negate, i, l, got, want)
									}
								}
							}
						}
					}
				}
			}
		}
	})
}

// TestPackPanels packs several panels, the last of any width.
func TestPackPanels(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		shape := TileShape()
		r := rand.New(rand.NewPCG(11, 12))
		src := asmtest.NewGuarded(t, 60*60)
		dst := asmtest.NewGuarded(t, 20*3*shape.Cols)
		for n := range 2*shape.Cols + 3 {
			for _, k := range []int{0, 1, 2, 17} {
				lds := max(n, k) + 2
				size := func(rows, cols int) int { return max(0, (rows-1)*lds+cols) }
				for name, s := range map[string]Source{
					"rows":              {src.Back(size(n, k)), 0, lds, 1},
					"columns":           {src.Front(size(k, n)), 0, 1, lds},
					"columns backwards": {src.Back(size(k, n)), max(k-1, 0) * lds, 1, -lds},
				} {
					asmtest.Fill(r, s.Data)
					whole := n / shape.Cols
					out := dst.Back((whole*shape.Cols + shape.PanelWidth(n%shape.Cols)) * k)
					asmtest.Poison(out)
					PackPanels(out, shape, s, n, k)
					for at, got := range out {
						panel := min(at/max(1, shape.Cols*k), whole)
						width := shape.Cols
						if panel == whole {
							width = shape.PanelWidth(n % shape.Cols)
						}
						in := at - panel*shape.Cols*k
						j, l := panel*shape.Cols+in%width, in/width
						want := 0.0
						if j < n {
							want = s.Data[s.Start+j*s.RowStride+l*s.ColStride]
						}
						if !asmtest.Same(got, want) {
							t.Fatalf("%s, n = %d, k = %d: element (%d, %d) is %v, want %v", name, n, k, l, j, got, want)
						}
					}
				}
			}
		}
	})
}

// TestPackPairs packs pairs of every two orientations.
func TestPackPairs(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		shape := TileShape()
		r := rand.New(rand.NewPCG(11, 12))
		const lds = 40
		memory, dst := asmtest.NewGuarded(t, lds*lds), asmtest.NewGuarded(t, 2*35*shape.Cols)
		for _, width := range []int{shape.Rows, shape.Cols} {
			for n := range width + 1 {
				for _, k := range []int{0, 1, 2, 5, 8, 16, 35} {
					data := memory.Back(lds * lds)
					asmtest.Fill(r, data)
					sources := []Source{
						{data, 3, lds, 1},
						{data, 2 + max(k-1, 0), lds, -1},
						{data, 5, 1, lds},
						{data, max(k-1, 0) * lds, 1, -lds},
					}
					for _, first := range sources {
						for _, second := range sources {
							out := dst.Back(2 * k * width)
							asmtest.Poison(out)
							PackPairs(out, width, first, second, n, k)
							for at, got := range out {
								l, i := at/width, at%width
								s, want := first, 0.0
								if l%2 == 1 {
									s = second
								}
								if i < n {
									want = data[s.Start+i*s.RowStride+l/2*s.ColStride]
								}
								if !asmtest.Same(got, want) {
									t.Fatalf("%v and %v, %d of width %d, k = %d: element (%d, %d) is %v, want %v", first, second, n, width, k, i, l, got, want)
								}
							}
						}
					}
				}
			}
		}
	})
}

func TestCopyRows(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(13, 14))
		src, dst := asmtest.NewGuarded(t, 40*40), asmtest.NewGuarded(t, 40*40)
		for rows := range 6 {
			for n := range 35 {
				for _, negate := range []bool{false, true} {
					lds, ldd := n+rows%3, n+rows%4
					x, y := src.Back(max(0, (rows-1)*lds+n)), dst.Front(max(0, (rows-1)*ldd+n))
					asmtest.Fill(r, x)
					asmtest.Poison(y)
					CopyRows(y, ldd, x, lds, rows, n, negate)
					for at, got := range y {
						want := math.NaN()
						if n > 0 && at%ldd < n {
							if want = x[at/ldd*lds+at%ldd]; negate {
								want = -want
							}
						}
						if !asmtest.Same(got, want) {
							t.Fatalf("%d rows of %d, negate %v: value %d is %v, want %v", rows, n, negate, at, got, want)
						}
					}
				}
			}
		}
	})
}

func TestTranspose(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(9, 10))
		src, dst := asmtest.NewGuarded(t, 40*40), asmtest.NewGuarded(t, 40*40)
		for rows := range 20 {
			for cols := range 35 {
				lds, ldd := cols+rows%3, rows+cols%4
				x := src.Back(max(0, (rows-1)*lds+cols))
				y := dst.Back(max(0, (cols-1)*ldd+rows))
				asmtest.Fill(r, x)
				asmtest.Poison(y)
				if rows == 0 || cols == 0 {
					Transpose(y, ldd, x, lds, rows, cols)
					continue
				}
				Transpose(y, ldd, x, lds, rows, cols)
				for j := range cols {
					for i := range min(ldd, len(y)-j*ldd) {
						if got := y[j*ldd+i]; i < rows && !asmtest.Same(got, x[i*lds+j]) || i >= rows && !math.IsNaN(got) {
							t.Fatalf("%d×%d: element (%d, %d) of the transpose is %v", rows, cols, j, i, got)
						}
					}
				}
			}
		}
	})
}

func TestPackRefuses(t *testing.T) {
	dst, src := make([]float64, 100), make([]float64, 50)
	for i, call := range []func(){
		func() { Pack(dst, 8, Source{src, 0, 10, 1}, 9, 5, false) },
		func() { Pack(dst, 8, Source{src, 0, 10, 1}, 8, 13, false) },
		func() { Pack(dst, 8, Source{src, 1, 10, 1}, 5, 10, false) },
		func() { Pack(dst, 8, Source{src, 0, 10, -1}, 5, 10, false) },
		func() { PackPairs(dst, 8, Source{src, 0, 10, 1}, Source{src, 0, 10, 1}, 5, 7) },
		func() { PackPairs(dst, 8, Source{src, 0, 10, 1}, Source{src, 1, 10, 1}, 5, 10) },
		func() { CopyRows(dst, 10, src, 10, 6, 5, false) },
		func() { CopyRows(dst[:49], 10, src, 5, 5, 10, false) },
		func() { Transpose(dst, 5, src, 10, 6, 10) },
		func() { Transpose(dst, 5, src[:49], 10, 5, 10) },
	} {
		must.Panic(t, fmt.Sprintf("call %d", i), call)
	}
}
