package benchmarks

import (
	"fmt"
	"testing"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// BenchmarkGram is the kernel matrix of n rows with d features, into a buffer that
// is there. "of-peak" counts one multiply-add per feature for half of the entries.
func BenchmarkGram(b *testing.B) {
	kernels := map[string]gram.Kernel{
		"linear": gram.Linear{}, "rbf": gram.RBF{Gamma: 0.01}, "laplacian": gram.Laplacian{Gamma: 0.01},
		"polynomial": gram.NewPolynomial(3), "sigmoid": gram.NewSigmoid(), "cosine": gram.Cosine{}, "chi2": gram.ChiSquared{},
	}
	const n = 2000
	eachTier(b, func(b *testing.B) {
		for _, name := range []string{"linear", "rbf", "laplacian", "polynomial", "sigmoid", "cosine", "chi2"} {
			for _, workers := range []int{1, 2} {
				for _, d := range []int{2, 16, 64, 500} {
					if name != "rbf" && (d != 64 || workers > 1) {
						continue
					}
					b.Run(fmt.Sprintf("%s/workers=%d/n=%d/d=%d", name, workers, n, d), func(b *testing.B) {
						x := &matrix.Dense{Rows: n, Cols: d, Stride: d, Data: numbers(n * d)}
						if name == "chi2" {
							for i, v := range x.Data {
								x.Data[i] = v * v
							}
						}
						dst := matrix.New(n, n)
						e, err := gram.NewEvaluator(kernels[name], x)
						if err != nil {
							b.Fatal(err)
						}
						withWorkers(workers, func() {
							reportFlops(b, float64(n)*float64(n+1)*float64(d), workers, func() {
								if _, err := e.Matrix(dst); err != nil {
									b.Fatal(err)
								}
							})
						})
					})
				}
			}
		}
	})
}
