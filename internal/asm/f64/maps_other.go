//go:build purego || !(amd64 || arm64)

package f64

// expScale replaces every x by Exp(fl(s·x)).
func expScale(x []float64, s float64) { expScaleGo(x, s) }

// tanh replaces every x by Tanh(x).
func tanh(x []float64) { tanhGo(x) }

// affinePow replaces every x by F(γ, x, c)ⁿ.
func affinePow(x []float64, gamma, coef0 float64, n int) { affinePowGo(x, gamma, coef0, n) }
