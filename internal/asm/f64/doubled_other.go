//go:build purego || !(amd64 || arm64)

package f64

// doubled runs k ≥ 1 steps of Doubled for up to doubledColumns columns.
func doubled(s, c, a *float64, lda int, b *float64, ldb, k, cols int) {
	doubledGo(s, c, a, lda, b, ldb, k, cols)
}
