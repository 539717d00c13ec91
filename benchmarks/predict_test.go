package benchmarks

import (
	"context"
	"fmt"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// BenchmarkProject projects one row, and ten thousand, on the nine directions of a
// model of 5000 training rows with 64 features: the latency and the throughput of a
// prediction. With a destination it allocates nothing.
func BenchmarkProject(b *testing.B) {
	const n, d, c = 5000, 64, 10
	x, labels := classes(n, d, c)
	model, err := discriminant.Fit(context.Background(), discriminant.KFDA{
		Kernel:      gram.RBF{Gamma: 0.05},
		Regularizer: discriminant.Shrink(1), // the directions don't matter: the fit is the cheapest
	}, x, labels)
	if err != nil {
		b.Fatal(err)
	}
	for _, rows := range []int{1, 10, 10000} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			batch, _ := classes(rows, d, c)
			z := matrix.New(rows, model.Components())
			b.ReportAllocs()
			for b.Loop() {
				if _, err := model.Project(z, batch); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
		})
	}
}
