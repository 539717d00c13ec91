package solve

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// The cases for eigensolvers, with every one of them.

func TestCase16EveryEigensolver(t *testing.T) {
	const folder = "16-eigen-order-and-pairing"
	h := math.Sqrt(0.5)
	for _, c := range []struct {
		file    string
		values  []float64
		vectors [][]float64 // of Jacobi
	}{
		{"A.csv", []float64{3, 2, 1}, [][]float64{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}},
		{"B.csv", []float64{3, 1}, [][]float64{{h, h}, {h, -h}}},
		{"zero.csv", []float64{0, 0, 0, 0}, [][]float64{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}},
		{"one.csv", []float64{7}, [][]float64{{1}}},
	} {
		a := matrixtest.Case(t, folder+"/"+c.file)
		for _, solver := range eigensolvers {
			values, vectors := must.Get2(solver.solve(a.Clone()))(t)
			for i, v := range values {
				if math.Abs(v-c.values[i]) > 4*unit*c.values[0] {
					t.Errorf("%s: %s: values %v, want %v", solver.name, c.file, values, c.values)
				}
			}
			checkEigen(t, a, values, vectors) // pairs, order and signs
			if solver.name != "Jacobi" {
				continue
			}
			must.EqualSlices(t, c.file+": values", values, c.values)
			for i, row := range c.vectors {
				for j, v := range row {
					if math.Abs(vectors.At(i, j)-v) > 2*unit {
						t.Errorf("%s: vector component (%d, %d) is %g, want %g", c.file, i, j, vectors.At(i, j), v)
					}
				}
			}
		}
	}
}

func TestCase18EveryEigensolver(t *testing.T) {
	// The limits are TestNotConverged, TestEigenLimits and TestLeadingLimit.
	for _, solver := range eigensolvers {
		for _, n := range []int{3, 64, 200} {
			if testing.Short() && n > 64 {
				continue
			}
			a := secondDifference(n)
			values, vectors, err := solver.solve(a.Clone())
			if err != nil {
				t.Fatalf("%s: %v", solver.name, err)
			}
			for k := range values {
				want := 2 - 2*math.Cos(float64(n-k)*math.Pi/float64(n+1))
				if math.Abs(values[k]-want) > 1e-13 {
					t.Errorf("%s: n = %d: eigenvalue %d is %.16g, want %.16g", solver.name, n, k, values[k], want)
				}
			}
			if n == 64 && (math.Abs(values[0]-3.99766445366465) > 1e-13 || math.Abs(values[63]-0.00233554633534672) > 1e-13) {
				t.Errorf("%s: extreme eigenvalues %.16g, %.16g", solver.name, values[0], values[63])
			}
			if _, orthogonality := ratios(a, values, vectors); orthogonality*float64(n)*unit > 1e-12 {
				t.Errorf("%s: n = %d: ‖VᵀV − I‖ = %g", solver.name, n, orthogonality*float64(n)*unit)
			}
		}
	}
}

func TestCase20EveryEigensolver(t *testing.T) {
	a := matrixtest.Case(t, "20-eigen-arrow-repeated-diagonal/A.csv")
	want := slices.Repeat([]float64{-0.0003}, 10)
	want[0], want[9] = 0.500000414750805, -0.000300414750805472
	for _, solver := range eigensolvers {
		values, vectors, err := solver.solve(a.Clone())
		if err != nil {
			t.Fatalf("%s: %v", solver.name, err)
		}
		for i, w := range want {
			if math.Abs(values[i]-w) > 1e-15 {
				t.Errorf("%s: eigenvalue %d is %.17g, want %.17g", solver.name, i, values[i], w)
			}
		}
		checkEigen(t, a, values, vectors)
		residual, orthogonality := ratios(a, values, vectors)
		if residual*10*unit*matrix.NormFrobenius(a) > 1e-15 || orthogonality*10*unit > 1e-13 {
			t.Errorf("%s: residual %g, orthogonality %g", solver.name, residual*10*unit*matrix.NormFrobenius(a), orthogonality*10*unit)
		}
	}
}

func TestCase21EveryEigensolver(t *testing.T) {
	const folder = "21-eigen-nonfinite-input-hang"
	wantBad := func(what string, err error) {
		t.Helper()
		must.Fail[*matrix.NotFiniteError](t, what, err)
	}
	for _, file := range []string{"a.csv", "b.csv", "c.csv", "d.csv"} {
		a := matrixtest.Case(t, folder+"/"+file)
		for _, solver := range eigensolvers {
			_, _, err := solver.solve(a.Clone())
			wantBad(solver.name+": "+file, err)
		}
	}
	// Deep inside a large matrix.
	const n, at = 200, 131
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		a := secondDifference(n)
		a.Set(at, 7, v)
		a.Set(7, at, v)
		for _, solver := range eigensolvers {
			_, _, err := solver.solve(a.Clone())
			wantBad(solver.name, err)
		}
		_, err := Leading(context.Background(), a.Clone(), 2)
		if e, ok := errors.AsType[*matrix.NotFiniteError](err); !ok || e.Row != 7 || e.Col != at {
			t.Errorf("Leading: error %v, want a *matrix.NotFiniteError at (7, %d)", err, at)
		}
	}
}
