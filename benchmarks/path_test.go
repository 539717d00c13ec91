package benchmarks

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// ratios runs a and b in turn, once to warm up and then for the benchmark's
// iterations, and reports the medians of b's times and of the ratios a over b, by
// the clock and by the time at work.
func ratios(bench *testing.B, workers int, a, b func()) {
	measure := func(f func()) cost {
		wall, cpu := time.Now(), cpuTime()
		f()
		return cost{time.Since(wall), cpuTime() - cpu}
	}
	var walls, byWall, byCPU []float64
	withWorkers(workers, func() {
		a()
		b()
		for bench.Loop() {
			x, y := measure(a), measure(b)
			walls = append(walls, y.wall.Seconds())
			byWall = append(byWall, x.wall.Seconds()/y.wall.Seconds())
			if y.cpu > 0 {
				byCPU = append(byCPU, x.cpu.Seconds()/y.cpu.Seconds())
			}
		}
	})
	median := func(x []float64) float64 {
		slices.Sort(x)
		return x[len(x)/2]
	}
	bench.ReportMetric(median(walls)*1e3, "ms")
	bench.ReportMetric(median(byWall), "ratio")
	if len(byCPU) > 0 {
		bench.ReportMetric(median(byCPU), "cpu-ratio")
	}
	bench.ReportMetric(0, "ns/op")
}

// tiny is a relative ridge so small that no Krylov space is tried. Such a fit solves
// for the contrasts twice, which adds about a tenth to it.
const tiny = 1e-6

// BenchmarkPath is a path of a hundred ridges; its ratio is that to one direct fit.
// The Krylov method does with large ridges, and with small ones it does not.
func BenchmarkPath(b *testing.B) {
	for _, path := range []struct {
		name string
		from float64
	}{{"large", 1e-2}, {"small", 1e-6}} {
		b.Run(path.name, func(b *testing.B) {
			eachSolver(b, []int{1000, 2000, 5000}, func(b *testing.B, workers, n int) {
				x, labels := classes(n, 64, 10)
				var regs []discriminant.Regularizer
				for i := range 100 {
					regs = append(regs, discriminant.RelativeRidge(path.from*(1+float64(i*i))))
				}
				ratios(b, workers, func() {
					p, err := discriminant.FitPath(context.Background(), discriminant.KFDA{Kernel: gram.RBF{Gamma: 0.05}}, x, labels, regs)
					if err != nil {
						b.Fatal(err)
					}
					for i := range p.Len() {
						if err := p.Err(i); err != nil {
							b.Fatal(err)
						}
					}
				}, func() { fitBy(b, x, labels, tiny, "shifted") })
			})
		})
	}
}

// fitBy fits with a relative ridge, for which the given solver must be taken.
func fitBy(b *testing.B, x *matrix.Dense, labels []int, ridge float64, solver string) {
	m, err := discriminant.Fit(context.Background(), discriminant.KFDA{Kernel: gram.RBF{Gamma: 0.05}, Regularizer: discriminant.RelativeRidge(ridge)}, x, labels)
	if err != nil {
		b.Fatal(err)
	}
	if got := m.Details().(discriminant.KFDADetails).Certificate().Solver; got != solver {
		b.Fatalf("solver %q, want %q", got, solver)
	}
}

// BenchmarkKrylovFit compares direct fits with fits in a Krylov space.
func BenchmarkKrylovFit(b *testing.B) {
	eachSolver(b, []int{5000}, func(b *testing.B, workers, n int) {
		x, labels := classes(n, 64, 10)
		ratios(b, workers,
			func() { fitBy(b, x, labels, tiny, "shifted") },
			func() { fitBy(b, x, labels, 1e-1, "krylov") })
	})
}
