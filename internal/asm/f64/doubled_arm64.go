//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

// doubled runs k ≥ 1 steps of Doubled for up to doubledColumns columns.
func doubled(s, c, a *float64, lda int, b *float64, ldb, k, cols int) {
	if isa.Current() == isa.NEON {
		doubled16NEON(s, c, a, lda, b, ldb, k, cols)
	} else {
		doubledGo(s, c, a, lda, b, ldb, k, cols)
	}
}

//go:noescape
func doubled16NEON(s, c, a *float64, lda int, b *float64, ldb, k, cols int)
