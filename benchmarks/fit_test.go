package benchmarks

import (
	"context"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// classes returns n rows of d features in c classes, in turn.
func classes(n, d, c int) (x *matrix.Dense, labels []int) {
	x = &matrix.Dense{Rows: n, Cols: d, Stride: d, Data: numbers(n * d)}
	labels = make([]int, n)
	for i := range n {
		labels[i] = i % c
		x.Row(i)[labels[i]%d] += 0.5
	}
	return x, labels
}

// BenchmarkFit is a whole fit of an rbf kernel with 64 features and 10 classes.
// The floor that its time is compared with is the factorization alone at the
// rate of independent multiply-adds.
func BenchmarkFit(b *testing.B) {
	const d, c = 64, 10
	for _, method := range []struct {
		name  string
		reg   discriminant.Regularizer
		flops float64 // over n³
	}{
		{"ridge", discriminant.RelativeRidge(1e-3), 4. / 3},
		{"rkhs", discriminant.RelativeRKHS(1e-3), 1. / 3},
	} {
		b.Run(method.name, func(b *testing.B) {
			eachSolver(b, []int{1000, 2000, 5000}, func(b *testing.B, workers, n int) {
				x, labels := classes(n, d, c)
				kfda := discriminant.KFDA{Kernel: gram.RBF{Gamma: 0.05}, Regularizer: method.reg}
				reportSolver(b, method.flops*float64(n)*float64(n)*float64(n), workers, func() {}, func() {
					if _, err := discriminant.Fit(context.Background(), kfda, x, labels); err != nil {
						b.Fatal(err)
					}
				})
			})
		})
	}
}
