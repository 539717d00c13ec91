package benchmarks

import (
	"slices"
	"testing"
	"time"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
	"github.com/seed92411348/kfda/internal/asm/isa"
	"github.com/seed92411348/kfda/internal/block"
)

// eachTier runs f as a sub-benchmark on every tier but the portable one, which is
// included where it is the only one.
func eachTier(b *testing.B, f func(b *testing.B)) {
	tiers := isa.Available()
	if len(tiers) > 1 {
		tiers = tiers[:len(tiers)-1]
	}
	for _, tier := range tiers {
		b.Run(tier.String(), func(b *testing.B) {
			defer isa.Override(tier)()
			f(b)
		})
	}
}

// withWorkers bounds the workers within f.
func withWorkers(n int, f func()) {
	defer block.SetWorkers(block.SetWorkers(n))
	f()
}

// times runs f once to warm up, then for the benchmark's iterations, and returns
// the median and the shortest time in ns.
func times(b *testing.B, f func()) (median, best float64) {
	f()
	var samples []time.Duration
	for b.Loop() {
		start := time.Now()
		f()
		samples = append(samples, time.Since(start))
	}
	slices.Sort(samples)
	return float64(samples[len(samples)/2].Nanoseconds()), float64(samples[0].Nanoseconds())
}

// reportFlops measures f, which does the given number of floating-point operations
// on the given number of workers.
func reportFlops(b *testing.B, flops float64, workers int, f func()) {
	peak := asmtest.PeakFMA()
	median, best := times(b, f)
	peak = max(peak, asmtest.PeakFMA()) * float64(workers)
	b.ReportMetric(flops/median, "GFLOP/s")
	if peak > 0 {
		b.ReportMetric(flops/median/peak, "of-peak")
		b.ReportMetric(flops/best/peak, "best")
	}
	b.ReportMetric(0, "ns/op")
}

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
