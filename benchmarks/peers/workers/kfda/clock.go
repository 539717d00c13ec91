package main

import (
	"runtime"
	"time"
)

// clock returns the rate of the core's clock in GHz, the best of 12 short runs of
// multiplications of integers that wait for each other: three cycles each on the
// 64-bit x86 processors of the last decade. It is 0 on other architectures.
func clock() float64 {
	if runtime.GOARCH != "amd64" {
		return 0
	}
	const turns, cycles = 20000, 8 * 3
	best := time.Duration(1 << 62)
	x := uint64(3)
	for range 12 {
		start := time.Now()
		for range turns {
			x *= x
			x *= x
			x *= x
			x *= x
			x *= x
			x *= x
			x *= x
			x *= x
		}
		best = min(best, time.Since(start))
	}
	if x == 0 { // never: powers of an odd number. It keeps the loop.
		return 0
	}
	return turns * cycles / float64(best.Nanoseconds())
}
