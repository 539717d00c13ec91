package benchmarks

import (
	"fmt"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
)

func square(n int) block.Mat {
	return block.Mat{Rows: n, Cols: n, Stride: n, Data: numbers(n * n)}
}

// BenchmarkProduct is C = A·B of square matrices.
func BenchmarkProduct(b *testing.B) {
	eachTier(b, func(b *testing.B) {
		for _, workers := range []int{1, 2} {
			for _, n := range []int{64, 128, 256, 512, 1000, 1024, 2048} {
				if workers > 1 && n < 512 {
					continue
				}
				b.Run(fmt.Sprintf("workers=%d/n=%d", workers, n), func(b *testing.B) {
					job := block.Job{Op: f64.Product, A: square(n), B: square(n), C: square(n)}
					withWorkers(workers, func() {
						reportFlops(b, 2*float64(n)*float64(n)*float64(n), workers, func() { block.Run(nil, job) })
					})
				})
			}
		}
	})
}

// BenchmarkRankK is C = A·Aᵀ of a square A, one triangle computed and mirrored.
func BenchmarkRankK(b *testing.B) {
	eachTier(b, func(b *testing.B) {
		for _, workers := range []int{1, 2} {
			for _, n := range []int{256, 1000, 2000} {
				b.Run(fmt.Sprintf("workers=%d/n=%d", workers, n), func(b *testing.B) {
					a := square(n)
					job := block.Job{Op: f64.Product, Part: block.Symmetric, A: a, B: a, TransB: true, C: square(n)}
					withWorkers(workers, func() {
						reportFlops(b, float64(n)*float64(n+1)*float64(n), workers, func() { block.Run(nil, job) })
					})
				})
			}
		}
	})
}
