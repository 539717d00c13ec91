package benchmarks

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// cost is what one run of something takes.
type cost struct{ wall, cpu time.Duration }

// costs runs f once to warm up, then for the benchmark's iterations, each time
// after prepare, and returns the median and the least costs of f.
func costs(b *testing.B, prepare, f func()) (median, least cost) {
	var walls, cpus []time.Duration
	run := func() {
		prepare()
		wall, cpu := time.Now(), cpuTime()
		f()
		walls, cpus = append(walls, time.Since(wall)), append(cpus, cpuTime()-cpu)
	}
	run()
	walls, cpus = walls[:0], cpus[:0]
	for b.Loop() {
		run()
	}
	slices.Sort(walls)
	slices.Sort(cpus)
	return cost{walls[len(walls)/2], cpus[len(cpus)/2]}, cost{walls[0], cpus[0]}
}

// reportSolver measures f, whose floor is the given number of floating-point
// operations, on the given number of workers. "cpu-of-peak" is the rate of a worker
// by the time that it was at work: other processes on the machine, which share
// caches and memory only, disturb it least.
func reportSolver(b *testing.B, flops float64, workers int, prepare, f func()) {
	peak := asmtest.PeakFMA()
	withWorkers(workers, func() {
		median, least := costs(b, prepare, f)
		peak = max(peak, asmtest.PeakFMA())
		b.ReportMetric(median.wall.Seconds()*1e3, "ms")
		b.ReportMetric(median.cpu.Seconds()*1e3, "cpu-ms")
		if peak > 0 {
			b.ReportMetric(flops/float64(median.wall.Nanoseconds())/peak/float64(workers), "of-peak")
			b.ReportMetric(flops/float64(least.wall.Nanoseconds())/peak/float64(workers), "best")
			if median.cpu > 0 {
				b.ReportMetric(flops/float64(median.cpu.Nanoseconds())/peak, "cpu-of-peak")
			}
		}
		b.ReportMetric(0, "ns/op")
	})
}

// definite returns a symmetric positive definite matrix with entries in [-1, 1]
// off the diagonal.
func definite(n int) *matrix.Dense {
	a := &matrix.Dense{Rows: n, Cols: n, Stride: n, Data: numbers(n * n)}
	for i := range n {
		row := a.Row(i)
		for j := range i {
			a.Set(j, i, row[j])
		}
		row[i] += float64(n)
	}
	return a
}

// eachSolver runs f for both numbers of workers and each size.
func eachSolver(b *testing.B, sizes []int, f func(b *testing.B, workers, n int)) {
	for _, workers := range []int{1, 2} {
		for _, n := range sizes {
			b.Run(fmt.Sprintf("workers=%d/n=%d", workers, n), func(b *testing.B) { f(b, workers, n) })
		}
	}
}

func BenchmarkFactorCholesky(b *testing.B) {
	eachSolver(b, []int{500, 1000, 2000, 4000}, func(b *testing.B, workers, n int) {
		k, a := definite(n), matrix.New(n, n)
		reportSolver(b, float64(n)*float64(n)*float64(n)/3, workers, func() { a.CopyFrom(k) }, func() {
			if _, err := solve.FactorCholesky(context.Background(), a); err != nil {
				b.Fatal(err)
			}
		})
	})
}

func BenchmarkFactorShifted(b *testing.B) {
	eachSolver(b, []int{500, 1000, 2000, 5000}, func(b *testing.B, workers, n int) {
		k, a := definite(n), matrix.New(n, n)
		reportSolver(b, 4*float64(n)*float64(n)*float64(n)/3, workers, func() { a.CopyFrom(k) }, func() {
			if _, err := solve.FactorShifted(context.Background(), a, 0.1); err != nil {
				b.Fatal(err)
			}
		})
	})
}

// BenchmarkShiftedSolve has ten right-hand sides. It reads the factors twice:
// "of-memory" is the rate of that over the rate at which Sum reads a matrix of the
// size, with one worker.
func BenchmarkShiftedSolve(b *testing.B) {
	eachSolver(b, []int{1000, 5000}, func(b *testing.B, workers, n int) {
		const r = 10
		a := definite(n)
		s, err := solve.FactorShifted(context.Background(), a, 0.1)
		if err != nil {
			b.Fatal(err)
		}
		rights := &matrix.Dense{Rows: n, Cols: r, Stride: r, Data: numbers(n * r)}
		re, im := matrix.New(n, r), matrix.New(n, r)
		withWorkers(workers, func() {
			read, total := time.Duration(1<<62), 0.0
			for range 5 {
				start := time.Now()
				total += matrix.Sum(a.Data)
				read = min(read, time.Since(start))
			}
			if total != total {
				b.Fatal("the factors hold NaN")
			}
			median, least := costs(b, func() { re.CopyFrom(rights); im.Zero() }, func() { s.Solve(re, im) })
			b.ReportMetric(median.wall.Seconds()*1e3, "ms")
			b.ReportMetric(median.cpu.Seconds()*1e3, "cpu-ms")
			b.ReportMetric(16*float64(n)*float64(n)/float64(median.wall.Nanoseconds()), "GB/s")
			b.ReportMetric(2*float64(read)/float64(least.wall), "of-memory")
			b.ReportMetric(0, "ns/op")
		})
	})
}
