package benchmarks

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/inference"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/asm/isa"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// numbers returns n values in [-1, 1) without a pattern.
func numbers(n int) []float64 {
	x := make([]float64, n)
	state := uint64(n)
	for i := range x {
		state = state*6364136223846793005 + 1442695040888963407
		x[i] = float64(int64(state)) / (1 << 63)
	}
	return x
}

// classes returns n rows of d features in c classes, in turn.
func classes(n, d, c int) (x *matrix.Dense, labels []int) {
	x = &matrix.Dense{Rows: n, Cols: d, Stride: d, Data: numbers(n * d)}
	labels = make([]int, n)
	for i := range n {
		labels[i] = i % c
		x.Row(i)[labels[i]%d] += 0.5
	}
	return x, labels
}

// BenchmarkKernel is the kernels of every tier on one core, with all that they touch in
// the first two caches. An element is an entry of a vector, and a step of one of a tile.
func BenchmarkKernel(b *testing.B) {
	const n, steps = 2048, 256
	x, y, z := numbers(n), numbers(n), make([]float64, n)
	shape := f64.TileShape() // of the widest tier, enough for all
	rows, cols, c := make([]float64, steps*shape.Rows), make([]float64, steps*shape.Cols), make([]float64, shape.Rows*shape.Cols)
	tile := func(op f64.Op) func() int {
		return func() int {
			s := f64.TileShape()
			f64.Tile(op, c, s.Cols, s.Rows, s.Cols, rows[:steps*s.Rows], cols[:steps*s.Cols], steps, false, 0)
			return steps * s.Rows * s.Cols
		}
	}
	vector := func(f func()) func() int {
		return func() int { f(); return n }
	}
	for _, kernel := range []struct {
		name string
		run  func() (elements int)
	}{
		{"product", tile(f64.Product)},
		{"squared distance", tile(f64.SquaredDistance)},
		{"Manhattan distance", tile(f64.ManhattanDistance)},
		{"chi-squared", tile(f64.ChiSquared)},
		{"sum", vector(func() { new(f64.Lanes).Add(x) })},
		{"dot", vector(func() { new(f64.Lanes).AddProducts(x, y) })},
		{"max abs", vector(func() { f64.MaxAbs(x) })},
		{"copy, exp", vector(func() { copy(z, x); f64.ExpNegScale(z, 1) })},
		{"copy, tanh", vector(func() { copy(z, x); f64.TanhSlice(z) })},
		{"copy, cube", vector(func() { copy(z, x); f64.AffinePow(z, 0.5, 1, 3) })},
	} {
		for _, tier := range isa.Available() {
			b.Run(fmt.Sprintf("%s/%v", kernel.name, tier), func(b *testing.B) {
				defer isa.Override(tier)()
				elements := 0
				for b.Loop() {
					elements += kernel.run()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(elements), "ns/element")
			})
		}
	}
}

// BenchmarkPath is a path of a hundred ridges, and its ratio to one direct fit. The
// Krylov method does with large ridges, and with small ones it does not.
func BenchmarkPath(b *testing.B) {
	kfda := discriminant.KFDA{Kernel: gram.RBF{Gamma: 0.05}}
	for _, path := range []struct {
		name string
		from float64
	}{{"large", 1e-2}, {"small", 1e-6}} {
		for _, n := range []int{1000, 2000, 5000} {
			b.Run(fmt.Sprintf("%s/n=%d", path.name, n), func(b *testing.B) {
				x, labels := classes(n, 64, 10)
				var ridges []discriminant.Regularizer
				for i := range 100 {
					ridges = append(ridges, discriminant.RelativeRidge(path.from*(1+float64(i*i))))
				}
				direct := kfda
				direct.Regularizer = discriminant.RelativeRidge(1e-6) // too small for a Krylov space
				var ratios []float64
				for b.Loop() {
					start := time.Now()
					p := must.Get(discriminant.FitPath(context.Background(), kfda, x, labels, ridges))(b)
					all := time.Since(start)
					for i := range p.Len() {
						must.Do(b, p.Err(i))
					}
					start = time.Now()
					must.Get(discriminant.Fit(context.Background(), direct, x, labels))(b)
					ratios = append(ratios, all.Seconds()/time.Since(start).Seconds())
				}
				slices.Sort(ratios)
				b.ReportMetric(ratios[len(ratios)/2], "ratio")
			})
		}
	}
}

// BenchmarkPermutations is 10,000 permutations of two groups of n rows together, and its ratios to one
// product of an n×n by an n×10,000 matrix and of so many refits, of which eight are timed.
func BenchmarkPermutations(b *testing.B) {
	const count, refits = 10_000, 8
	ctx := context.Background()
	for _, n := range []int{500, 2000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			x, labels := classes(n, 16, 2)
			set := inference.Settings{Kernel: gram.RBF{Gamma: 0.1}, Ridge: 1e-3 * float64(n)}
			s := must.Get(inference.NewSample(ctx, set, x))(b)
			k := must.Get(must.Get(gram.NewEvaluator(set.Kernel, x))(b).Matrix(nil))(b)
			many := &matrix.Dense{Rows: n, Cols: count, Stride: count, Data: numbers(n * count)}
			product := matrix.New(n, count)
			seconds := func(f func()) float64 {
				start := time.Now()
				f()
				return time.Since(start).Seconds()
			}
			var ofProduct, ofRefits []float64
			for b.Loop() {
				test := func(permutations int) func() {
					return func() {
						must.Get(inference.Test(ctx, s, labels, inference.TestOptions{Permutations: permutations}))(b)
					}
				}
				one := seconds(func() { matrix.Mul(product, k, matrix.NoTrans, many, matrix.NoTrans) })
				all := seconds(test(count)) - seconds(test(0))
				fit := seconds(func() {
					for range refits {
						must.Get(discriminant.Fit(ctx, discriminant.KFDA{Kernel: set.Kernel, Regularizer: discriminant.RKHS(set.Ridge), Classifier: discriminant.NearestCentroid{}}, x, labels))(b)
					}
				})
				ofProduct, ofRefits = append(ofProduct, all/one), append(ofRefits, fit/refits*count/all)
			}
			for _, v := range []struct {
				ratios []float64
				name   string
			}{{ofProduct, "products"}, {ofRefits, "times-faster"}} {
				slices.Sort(v.ratios)
				b.ReportMetric(v.ratios[len(v.ratios)/2], v.name)
			}
		})
	}
}
