//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

// doubled runs k ≥ 1 steps of Doubled for up to doubledColumns columns.
func doubled(s, c, a *float64, lda int, b *float64, ldb, k, cols int) {
	switch isa.Current() {
	case isa.AVX512:
		doubled16AVX512(s, c, a, lda, b, ldb, k, cols)
	case isa.AVX2:
		doubled16AVX2(s, c, a, lda, b, ldb, k, cols)
	default:
		doubledGo(s, c, a, lda, b, ldb, k, cols)
	}
}

//go:noescape
func doubled16AVX512(s, c, a *float64, lda int, b *float64, ldb, k, cols int)

//go:noescape
func doubled16AVX2(s, c, a *float64, lda int, b *float64, ldb, k, cols int)
