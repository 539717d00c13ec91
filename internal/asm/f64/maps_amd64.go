//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

// expScale replaces every x by Exp(fl(s·x)).
func expScale(x []float64, s float64) {
	switch isa.Current() {
	case isa.AVX512:
		expScaleAVX512(x, s, expData)
	case isa.AVX2:
		expScaleAVX2(x, s, expData)
	default:
		expScaleGo(x, s)
	}
}

// tanh replaces every x by Tanh(x).
func tanh(x []float64) {
	switch isa.Current() {
	case isa.AVX512:
		tanhAVX512(x, expData)
	case isa.AVX2:
		tanhAVX2(x, expData)
	default:
		tanhGo(x)
	}
}

// affinePow replaces every x by F(γ, x, c)ⁿ.
func affinePow(x []float64, gamma, coef0 float64, n int) {
	switch isa.Current() {
	case isa.AVX512:
		affinePowAVX512(x, gamma, coef0, n)
	case isa.AVX2:
		affinePowAVX2(x, gamma, coef0, n)
	default:
		affinePowGo(x, gamma, coef0, n)
	}
}

//go:noescape
func expScaleAVX512(x []float64, s float64, c *expConsts)

//go:noescape
func expScaleAVX2(x []float64, s float64, c *expConsts)

//go:noescape
func tanhAVX512(x []float64, c *expConsts)

//go:noescape
func tanhAVX2(x []float64, c *expConsts)

//go:noescape
func affinePowAVX512(x []float64, gamma, coef0 float64, n int)

//go:noescape
func affinePowAVX2(x []float64, gamma, coef0 float64, n int)
