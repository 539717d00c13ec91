//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

func pairUpdate(c *candidates, first int, g, rise []float64, di float64, ki []float64, dj float64, kj []float64) {
	switch isa.Current() {
	case isa.AVX512:
		pairUpdateAVX512(c, first, &g[0], &rise[0], di, &ki[0], dj, &kj[0], len(g)/8)
	case isa.AVX2:
		pairUpdateAVX2(c, first, &g[0], &rise[0], di, &ki[0], dj, &kj[0], len(g)/8)
	default:
		pairUpdateGo(c, first, g, rise, di, ki, dj, kj)
	}
}

func largestGain(c *candidates, gaps *[8]float64, first int, g, fall []float64, gi float64, ki, kd []float64, kii float64) {
	switch isa.Current() {
	case isa.AVX512:
		largestGainAVX512(c, gaps, first, &g[0], &fall[0], gi, &ki[0], &kd[0], kii, len(g)/8)
	case isa.AVX2:
		largestGainAVX2(c, gaps, first, &g[0], &fall[0], gi, &ki[0], &kd[0], kii, len(g)/8)
	default:
		largestGainGo(c, gaps, first, g, fall, gi, ki, kd, kii)
	}
}

//go:noescape
func pairUpdateAVX512(c *candidates, first int, grad, rise *float64, di float64, ki *float64, dj float64, kj *float64, blocks int)

//go:noescape
func pairUpdateAVX2(c *candidates, first int, grad, rise *float64, di float64, ki *float64, dj float64, kj *float64, blocks int)

//go:noescape
func largestGainAVX512(c *candidates, gaps *[8]float64, first int, grad, fall *float64, gi float64, ki, kd *float64, kii float64, blocks int)

//go:noescape
func largestGainAVX2(c *candidates, gaps *[8]float64, first int, grad, fall *float64, gi float64, ki, kd *float64, kii float64, blocks int)
