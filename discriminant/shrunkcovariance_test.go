package discriminant

import (
	"math"
	"testing"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// The covariance of rows that are left out is (S + p·s̄·I)/(ν + p), s̄ = tr(S)/(pν), for the
// scatter S of ν degrees of freedom.
func TestPriorRowsShrinkTheCovariance(t *testing.T) {
	d, _ := overlapping(3, 9, 4, 3, 1)
	const freedom, p = 6.0, 4.0
	s := matrix.SymRankK(nil, d, matrix.Transposed)
	got := matrix.SymRankK(nil, withPriorRows(d, freedom), matrix.Transposed)
	trace := 0.0
	for k := range d.Cols {
		trace += s.At(k, k)
	}
	for i := range d.Cols {
		for j := range d.Cols {
			want := s.At(i, j)
			if i == j {
				want += p * trace / (p * freedom)
			}
			if math.Abs(got.At(i, j)-want) > 1e-14*trace {
				t.Errorf("entry %d, %d: %v, want %v", i, j, got.At(i, j), want)
			}
		}
	}
}

// Two rows a class leave as many degrees of freedom as there are discriminants, and a
// covariance that is not shrunk has twice the errors of the nearest mean.
func TestDefaultOfTwoRowsAClass(t *testing.T) {
	const classes = 20
	centres, _ := overlapping(5, classes, 6, 1, 3)
	draw := func(seed uint64, each int) (*matrix.Dense, []int) {
		noise, _ := overlapping(seed, classes*each, 6, 1, 1)
		codes := make([]int, noise.Rows)
		for i := range codes {
			codes[i] = i % classes
			for j, v := range centres.Row(codes[i]) {
				noise.Row(i)[j] += v
			}
		}
		return noise, codes
	}
	wrong := func(m KFDA, seed uint64) (n int) {
		x, codes := draw(seed, 2)
		test, truth := draw(seed+100, 20)
		predicted := must.Get(mustFit(t, m, x, codes).Predict(nil, test))(t)
		for i, code := range truth {
			if predicted[i] != code {
				n++
			}
		}
		return n
	}
	ours, nearest := 0, 0
	for seed := range uint64(8) {
		ours += wrong(KFDA{}, seed)
		nearest += wrong(KFDA{Classifier: NearestCentroid{}}, seed)
	}
	if t.Logf("%d wrong, %d by the nearest mean", ours, nearest); 5*ours > 6*nearest {
		t.Errorf("%d wrong, many more than the %d of the nearest mean", ours, nearest)
	}
}

// Case 24 is a mirror image of itself: of a row that is far from all others nothing can be
// said, whatever γ and the order of the rows.
func TestCase24FarRowsByDefault(t *testing.T) {
	for _, gamma := range []float64{0.3, 1, 2} {
		for _, order := range [][]float64{{0, 1, 1000, 1001}, {1000, 1001, 0, 1}} {
			x := matrix.Column(order)
			labels := make([]int, 4)
			for i, v := range order {
				if v > 500 {
					labels[i] = 1
				}
			}
			m := mustFit(t, KFDA{Kernel: gram.RBF{Gamma: gamma}}, x, labels)
			p := must.Get(m.Posteriors(nil, matrix.Column([]float64{500, 1e6, 0.5})))(t)
			for i := range 2 {
				if math.Abs(p.At(i, 0)-0.5) > 1e-6 {
					t.Errorf("γ = %g, rows %v: posteriors %v", gamma, order, p.Row(i))
				}
			}
			if !(p.At(2, 0) > 0.9) {
				t.Errorf("γ = %g, rows %v: posteriors %v between rows of class 0", gamma, order, p.Row(2))
			}
		}
	}
}
