package benchmarks

import (
	"fmt"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/f64"
)

// BenchmarkTile is one full tile of 256 steps, with all that it touches in the first
// two caches. "of-peak" counts one multiply-add for each step of an entry.
func BenchmarkTile(b *testing.B) {
	const k = 256
	eachTier(b, func(b *testing.B) {
		shape := f64.TileShape()
		x, y := numbers(k*shape.Rows), numbers(k*shape.Cols)
		for i := range x {
			x[i] *= x[i]
		}
		for i := range y {
			y[i] *= y[i]
		}
		c := make([]float64, shape.Rows*shape.Cols)
		for _, op := range []f64.Op{f64.Product, f64.SquaredDistance, f64.ManhattanDistance, f64.ChiSquared} {
			b.Run(op.String(), func(b *testing.B) {
				const tiles = 16
				reportFlops(b, 2*tiles*k*float64(len(c)), 1, func() {
					for range tiles {
						f64.Tile(op, c, shape.Cols, shape.Rows, shape.Cols, x, y, k, false, 0)
					}
				})
			})
		}
	})
}

// reportElements measures f, which works on n elements.
func reportElements(b *testing.B, n int, f func()) {
	median, best := times(b, f)
	b.ReportMetric(median/float64(n), "ns/element")
	b.ReportMetric(best/float64(n), "best")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkVector is the kernels on vectors of 2048 numbers, in the first cache.
func BenchmarkVector(b *testing.B) {
	const n, repeat = 2048, 16
	x, y, z := numbers(n), numbers(n), make([]float64, n)
	sink := 0.0
	for _, k := range []struct {
		name string
		f    func()
	}{
		{"sum", func() { var s f64.Lanes; s.Add(x); sink += s.Total() }},
		{"dot", func() { var s f64.Lanes; s.AddProducts(x, y); sink += s.Total() }},
		{"scaled dot", func() { var s f64.Lanes; s.AddScaledProducts(x, 0.5, y, 2); sink += s.Total() }},
		{"max abs", func() { sink += f64.MaxAbs(x) }},
		{"all finite", func() { f64.AllFinite(x) }},
		{"copy", func() { copy(z, x) }},
		{"copy, exp", func() { copy(z, x); f64.ExpNegScale(z, 1) }},
		{"copy, tanh", func() { copy(z, x); f64.TanhSlice(z) }},
		{"copy, cube", func() { copy(z, x); f64.AffinePow(z, 0.5, 1, 3) }},
	} {
		b.Run(k.name, func(b *testing.B) {
			eachTier(b, func(b *testing.B) {
				reportElements(b, n*repeat, func() {
					for range repeat {
						k.f()
					}
				})
			})
		})
	}
	_ = sink
}

// BenchmarkPack packs a panel of B of 256 steps, from rows and from columns of a
// matrix in the second cache.
func BenchmarkPack(b *testing.B) {
	const k, stride = 256, 264
	eachTier(b, func(b *testing.B) {
		shape := f64.TileShape()
		src := numbers(k * stride)
		dst := make([]float64, k*shape.Cols)
		for _, orientation := range []struct {
			name string
			src  f64.Source
		}{
			{"rows", f64.Source{Data: src, RowStride: stride, ColStride: 1}},
			{"columns", f64.Source{Data: src, RowStride: 1, ColStride: stride}},
		} {
			b.Run(orientation.name, func(b *testing.B) {
				reportElements(b, len(dst), func() { f64.Pack(dst, shape.Cols, orientation.src, shape.Cols, k, false) })
			})
		}
	})
}

// BenchmarkLine is one row of a result against rows of 9, 24 and 960 columns.
func BenchmarkLine(b *testing.B) {
	const k = 256
	x := numbers(k)
	eachTier(b, func(b *testing.B) {
		for _, cols := range []int{9, 24, 960} {
			y, c := numbers(k*cols), make([]float64, cols)
			b.Run(fmt.Sprintf("cols=%d", cols), func(b *testing.B) {
				reportFlops(b, 2*float64(k*cols), 1, func() { f64.Line(f64.Product, c, x, 1, y, cols, k, false) })
			})
		}
	})
}
