//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

// expScale replaces every x by Exp(fl(s·x)).
func expScale(x []float64, s float64) {
	if isa.Current() == isa.NEON {
		expScaleNEON(x, s, expData)
		return
	}
	expScaleGo(x, s)
}

// tanh replaces every x by Tanh(x).
func tanh(x []float64) {
	if isa.Current() == isa.NEON {
		tanhNEON(x, expData)
		return
	}
	tanhGo(x)
}

// affinePow replaces every x by F(γ, x, c)ⁿ.
func affinePow(x []float64, gamma, coef0 float64, n int) {
	if isa.Current() == isa.NEON {
		affinePowNEON(x, gamma, coef0, n)
		return
	}
	affinePowGo(x, gamma, coef0, n)
}

//go:noescape
func expScaleNEON(x []float64, s float64, c *expConsts)

//go:noescape
func tanhNEON(x []float64, c *expConsts)

//go:noescape
func affinePowNEON(x []float64, gamma, coef0 float64, n int)
