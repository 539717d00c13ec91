//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

// complexLanes returns the lanes of the kernels. Those of AVX2 serve both tiers: what
// they wait for is memory and, with few entries, the call.
func complexLanes() int {
	switch isa.Current() {
	case isa.AVX512, isa.AVX2:
		return 4
	}
	return 1
}

func subtractLanes(c, a, u *float64, cs, as, im, ak, uk, entries, steps int) {
	subtractLanesAVX2(c, a, u, cs, as, im, ak, uk, entries, steps)
}

func divideLanes(y, x, d, t *float64, xs, im, entries int) {
	divideLanesAVX2(y, x, d, t, xs, im, entries)
}

//go:noescape
func subtractLanesAVX2(c, a, u *float64, cs, as, im, ak, uk, entries, steps int)

//go:noescape
func divideLanesAVX2(y, x, d, t *float64, xs, im, entries int)
