//go:build purego || !(amd64 || arm64)

package f64

// expScale replaces every x by Exp(fl(s·x)).
func expScale(x []float64, s float64) { expScaleGo(x, s) }
