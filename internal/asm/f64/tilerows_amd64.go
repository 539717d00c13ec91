//go:build !purego

package f64

import "github.com/seed92411348/kfda/internal/asm/isa"

func hasTileRows() bool { return isa.Current() == isa.AVX512 }

func tileRows(c *float64, ldc int, a *float64, lda int, b *float64, k int, load bool) {
	tileRows8x24AVX512(c, ldc, a, lda, b, k, load)
}

//go:noescape
func tileRows8x24AVX512(c *float64, ldc int, a *float64, lda int, b *float64, k int, load bool)
