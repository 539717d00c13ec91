//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

// complexLanes returns the lanes of the kernels.
func complexLanes() int {
	if isa.Current() == isa.NEON {
		return 2
	}
	return 1
}

func subtractLanes(c, a, u *float64, cs, as, im, ak, uk, entries, steps int) {
	subtractLanesNEON(c, a, u, cs, as, im, ak, uk, entries, steps)
}

func divideLanes(y, x, d, t *float64, xs, im, entries int) {
	divideLanesNEON(y, x, d, t, xs, im, entries)
}

//go:noescape
func subtractLanesNEON(c, a, u *float64, cs, as, im, ak, uk, entries, steps int)

//go:noescape
func divideLanesNEON(y, x, d, t *float64, xs, im, entries int)
