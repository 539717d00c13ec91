package solve

import (
	"context"
	"math"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// A product in doubled precision has one rounding, u, relative to itself. The rest is
// summed apart, n numbers of up to u times the anchor, which is at most 8 times the largest
// element of the row and the sum of the vector's magnitudes: that makes 8n²u² of these,
// which are 1e9 times as large as the product here.
func TestProduct(t *testing.T) {
	const n, cols = 33, 5
	a := randomGram(newRand(1), n, 3)
	for i := range a.Data {
		a.Data[i] += 1e9
	}
	w := randomMatrix(newRand(2), n, cols)
	for j := range cols {
		column := make([]float64, n)
		for i := range column {
			column[i] = w.At(i, j)
		}
		mean := matrix.Sum(column) / n
		for i := range n {
			w.Set(i, j, w.At(i, j)-mean)
		}
	}
	got := must.Get(Product(context.Background(), Stored{a}, w))(t)
	for i := range n {
		for j := range cols {
			exact, largest, sum := arith.Of(0), 0.0, 0.0
			for k := range n {
				exact = arith.Add(exact, arith.Mul(arith.Of(a.At(i, k)), arith.Of(w.At(k, j))))
				largest, sum = max(largest, math.Abs(a.At(i, k))), sum+math.Abs(w.At(k, j))
			}
			size, _ := exact.Float64()
			e, _ := arith.Sub(arith.Of(got.At(i, j)), exact).Float64()
			if tol := unit*math.Abs(size) + 8*n*n*unit*unit*largest*sum; math.Abs(e) > tol {
				t.Errorf("element (%d, %d) is %v, want %v: error %.3g, want ≤ %.3g", i, j, got.At(i, j), size, e, tol)
			}
		}
	}
}
