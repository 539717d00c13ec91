package asmtest

import (
	"time"

	"github.com/seed92411348/kfda/internal/asm/isa"
)

// PeakFMA measures the rate of independent fused multiply-adds on one core with
// the current tier's registers, in 10⁹ operations per second (two per multiply-add
// and lane): the best of 12 short runs. It is 0 on the portable tier.
//
// One run keeps enough accumulators to hide the latency of the pipes: 24 on
// AVX-512 and NEON, 14 on AVX2.
func PeakFMA() float64 {
	const turns = 2000
	run, flops := peakRun(isa.Current())
	if run == nil {
		return 0
	}
	best := time.Duration(1 << 62)
	for range 12 {
		start := time.Now()
		run(turns)
		best = min(best, time.Since(start))
	}
	return float64(turns*flops) / float64(best.Nanoseconds())
}
