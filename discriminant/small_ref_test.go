package discriminant_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// Classes of which several have the same means: the contrasts have a low rank, and the
// columns beyond it are rounding. The directions must be as many as there are different
// class means less one, and N + εI must have them at unit length.
func TestClassesWithEqualMeans(t *testing.T) {
	x := dense(t, [][]float64{{1}, {0}, {0}, {1}, {1}, {0}})
	labels := []int{0, 1, 2, 3, 4, 5}
	for _, reg := range []discriminant.Regularizer{discriminant.Ridge(1e-3), discriminant.RKHS(1e-3)} {
		m := fit(t, discriminant.KFDA{Kernel: gram.RBF{Gamma: 0.3}, Regularizer: reg}, x, labels)
		if m.Components() != 1 {
			t.Errorf("%v: %d directions of two different rows", reg, m.Components())
		}
		// Each class is one row and has no scatter: by symmetry α = a(1, −1, −1, 1, 1, −1)
		// with 6a² = 1/ε for the ridge.
		if reg == discriminant.Ridge(1e-3) {
			for i, v := range discriminant.DetailsOf(m).Alpha().Data {
				want := math.Copysign(math.Sqrt(1e3/6), x.At(i, 0)-0.5) * sign(discriminant.DetailsOf(m).Alpha().At(0, 0))
				if math.Abs(v-want) > 64*0x1p-53*math.Abs(want) { // a few roundings of a short computation
					t.Errorf("coefficient %d is %v, want %v", i, v, want)
				}
			}
		}
	}

	rng, tables := rand.New(rand.NewPCG(1, 2)), 20
	if testing.Short() {
		tables = 1
	}
	for range tables {
		const classes, each = 30, 4
		x, labels := matrix.New(classes*each, 1), make([]int, classes*each)
		for i := range labels {
			x.Data[i], labels[i] = float64(rng.IntN(10)), i/each
		}
		for _, method := range []discriminant.Method{
			discriminant.KFDA{},
			discriminant.LDA{Regularizer: discriminant.RelativeRidge(1e-3)},
			discriminant.LDA{Regularizer: discriminant.Shrink(1)},
		} {
			if m := fit(t, method, x, labels); m.Components() > 9 {
				t.Errorf("%T: %d directions of ten different rows", method, m.Components())
			}
		}
	}
}

func sign(v float64) float64 { return math.Copysign(1, v) }

func dense(t *testing.T, values [][]float64) *matrix.Dense {
	t.Helper()
	return must.Get(matrix.FromRows(values))(t)
}

// Where the scatter is a multiple of the identity, as it always is for one feature,
// shrinking it does not change it: λ is that of the unregularised discriminant.
func TestLedoitWolfOfSphericalScatter(t *testing.T) {
	for name, c := range map[string]struct {
		x      [][]float64
		labels []int
		lambda float64
	}{
		// Class means 1/2 and 19/6, S_B = 2·3/5·(8/3)² = 128/15, S_W = 1/2 + 13/6 = 8/3.
		"one feature": {[][]float64{{0}, {1}, {2}, {3.5}, {4}}, []int{0, 0, 1, 1, 1}, 3.2},
		// S_W = 36 I, S_B = 4·4/8·5² = 50 in the first direction.
		"two features": {
			[][]float64{{3, 0}, {-3, 0}, {0, 3}, {0, -3}, {8, 0}, {2, 0}, {5, 3}, {5, -3}},
			[]int{0, 0, 0, 0, 1, 1, 1, 1}, 50. / 36,
		},
	} {
		m := fit(t, discriminant.LDA{Regularizer: discriminant.LedoitWolf()}, dense(t, c.x), c.labels)
		if got := discriminant.DetailsOf(m).Eigenvalues()[0]; math.Abs(got-c.lambda) > 16*0x1p-53*c.lambda { // some roundings
			t.Errorf("%s: λ = %v, want %v", name, got, c.lambda)
		}
	}
}

// Fits of few rows that a single fit accepts are accepted along a path, too.
func TestPathOfFewRows(t *testing.T) {
	for _, c := range []struct {
		x      [][]float64
		labels []int
		kernel gram.Kernel
		ridge  float64
	}{
		{[][]float64{{0}, {0.5}, {1}}, []int{0, 0, 1}, gram.RBF{Gamma: 1}, 1e6},
		{[][]float64{{0}, {1.5}}, []int{0, 1}, gram.Linear{}, 1e5},
	} {
		x, reg := dense(t, c.x), discriminant.Ridge(c.ridge)
		m := fit(t, discriminant.KFDA{Kernel: c.kernel, Regularizer: reg}, x, c.labels)
		p := must.Get(discriminant.FitPath(context.Background(), discriminant.KFDA{Kernel: c.kernel}, x, c.labels, []discriminant.Regularizer{reg}))(t)
		if err := p.Err(0); err != nil {
			t.Errorf("%d rows: %v", x.Rows, err)
			continue
		}
		got, want := p.Eigenvalues(0)[0], discriminant.DetailsOf(m).Eigenvalues()[0]
		if math.Abs(got-want) > 64*0x1p-53*want { // the limit of the backward error, 8u, amplified by a condition near 1
			t.Errorf("%d rows: λ = %v along the path, %v of a fit", x.Rows, got, want)
		}
	}
}

// A linear kernel of features near 1e-155 has values among the subnormal numbers, whose
// rounding is no sign of an indefinite kernel.
func TestKernelPCAOfSubnormalValues(t *testing.T) {
	x := dense(t, [][]float64{{0}, {0.5e-155}, {1e-155}})
	m := must.Get(discriminant.FitKernelPCA(context.Background(), discriminant.KernelPCA{Kernel: gram.Linear{}}, x))(t)
	// The centred features are −1, 0, 1 in units of 0.5e-155: λ = 2·(0.5e-155)² to the
	// rounding of a subnormal number of some forty bits.
	if got, want := m.Eigenvalues()[0], 0.5e-310; math.Abs(got-want) > 8*math.SmallestNonzeroFloat64 {
		t.Errorf("λ = %v, want %v", got, want)
	}
}
