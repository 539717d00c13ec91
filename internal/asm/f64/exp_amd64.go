//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

// expScale replaces every x by Exp(fl(s·x)).
func expScale(x []float64, s float64) {
	switch isa.Current() {
	case isa.AVX512:
		expScaleAVX512(x, s)
	case isa.AVX2:
		expScaleAVX2(x, s)
	default:
		expScaleGo(x, s)
	}
}

//go:noescape
func expScaleAVX512(x []float64, s float64)

//go:noescape
func expScaleAVX2(x []float64, s float64)
