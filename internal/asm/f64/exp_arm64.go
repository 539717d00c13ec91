//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

// expScale replaces every x by Exp(fl(s·x)).
func expScale(x []float64, s float64) {
	if isa.Current() == isa.NEON {
		expScaleNEON(x, s)
		return
	}
	expScaleGo(x, s)
}

//go:noescape
func expScaleNEON(x []float64, s float64)
