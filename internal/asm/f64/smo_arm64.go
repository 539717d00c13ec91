//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

func pairUpdate(c *candidates, first int, g, rise []float64, di float64, ki []float64, dj float64, kj []float64) {
	if isa.Current() == isa.NEON {
		pairUpdateNEON(c, first, &g[0], &rise[0], di, &ki[0], dj, &kj[0], len(g)/8)
	} else {
		pairUpdateGo(c, first, g, rise, di, ki, dj, kj)
	}
}

func largestGain(c *candidates, gaps *[8]float64, first int, g, fall []float64, gi float64, ki, kd []float64, kii float64) {
	if isa.Current() == isa.NEON {
		largestGainNEON(c, gaps, first, &g[0], &fall[0], gi, &ki[0], &kd[0], kii, len(g)/8)
	} else {
		largestGainGo(c, gaps, first, g, fall, gi, ki, kd, kii)
	}
}

//go:noescape
func pairUpdateNEON(c *candidates, first int, grad, rise *float64, di float64, ki *float64, dj float64, kj *float64, blocks int)

//go:noescape
func largestGainNEON(c *candidates, gaps *[8]float64, first int, grad, fall *float64, gi float64, ki, kd *float64, kii float64, blocks int)
