//go:build purego || !(amd64 || arm64)

package f64

func pairUpdate(c *candidates, first int, g, rise []float64, di float64, ki []float64, dj float64, kj []float64) {
	pairUpdateGo(c, first, g, rise, di, ki, dj, kj)
}

func largestGain(c *candidates, gaps *[8]float64, first int, g, fall []float64, gi float64, ki, kd []float64, kii float64) {
	largestGainGo(c, gaps, first, g, fall, gi, ki, kd, kii)
}
