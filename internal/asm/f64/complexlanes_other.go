//go:build purego || !(amd64 || arm64)

package f64

func complexLanes() int { return 1 }

func subtractLanes(c, a, u *float64, cs, as, im, ak, uk, entries, steps int) {}

func divideLanes(y, x, d, t *float64, xs, im, entries int) {}
