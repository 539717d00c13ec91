package discriminant

import (
	"fmt"
	"math"
	"testing"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/bigref"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// What the fits without a row say of it, by 150 digits from the closed forms
// z − (1/C − ε)α and t − a/C, C = (HKH + εI)⁻¹ − 11ᵀ/(nε), for K as rounded. The entries
// of HKH are rounded, and C magnifies that by the condition number of HKH + εI where
// sums are zero. Errors are relative to the largest value or target.
func TestLeaveOneOutToAllDigits(t *testing.T) {
	const big = bigref.Default
	sizes := []int{16, 24}
	if testing.Short() {
		sizes = sizes[:1]
	}
	for _, kernel := range []gram.Kernel{gram.Laplacian{Gamma: 1}, gram.RBF{Gamma: 0.5}} {
		for _, n := range sizes {
			x, codes := blobs(n, 2, 2)
			k := must.Get(gram.Matrix(nil, kernel, x))(t)
			exact := big.FromDense(k)
			values, _ := must.Get2(big.Eigen(big.CentreBoth(exact)))(t)
			least := bigref.Float64(values[n-2]) // but for that of 1
			for _, eps := range []float64{1e-12, 1e-10, 1e-9, 1e-8, 1e-6, 1e-3, 1, 1e2} {
				tolerance := 4 * u * (float64(n) + matrix.NormFrobenius(k)/(eps+least))
				name := fmt.Sprintf("%v, n = %d, ε = %g", kernel, n, eps)
				m := mustFit(t, KFDA{Kernel: gram.Precomputed{}, Regularizer: RKHS(eps), LeaveOneOut: true}, k, codes)
				want := must.Get(big.Solve(bigref.Problem{K: exact, Classes: codes, Eps: big.Of(eps), RKHS: true}))(t)
				c, a := ridgeOfTheRest(t, exact, codes, eps)
				alpha := want.Alpha.Col(0)
				z := big.MulVec(big.CentreBoth(exact), alpha)
				left, kept, size := make([]float64, n), make([]float64, n), 0.0
				for i := range left {
					// Under a large ridge the target z + εα is what cancels.
					target := big.Add(z[i], big.Mul(big.Of(eps), alpha[i]))
					size = math.Max(size, math.Abs(bigref.Float64(target)))
					f := big.Sub(big.Quo(big.Int(1), c[i]), big.Of(eps))
					one := big.Sub(z[i], big.Mul(f, alpha[i]))
					left[i], kept[i] = bigref.Float64(one), bigref.Float64(big.Add(one, big.Quo(target, big.Int(n-1))))
				}
				compareLeft(t, name, leftOutOf(t, m, k, codes).Data, left, size, tolerance)
				means := fisher.NewClasses(codes, len(m.Counts()), nil).Centroids(matrix.Column(kept))
				compareLeft(t, name+", centroids", DetailsOf(m).Centroids().Data, means.Data, size, tolerance)

				values, err := LeaveOneOut(t.Context(), KernelRidge{Kernel: gram.Precomputed{}, Regularizer: Ridge(eps)}, k, codes)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				for i := range left {
					target := big.Int(2*codes[i] - 1)
					left[i] = bigref.Float64(big.Sub(target, big.Quo(a[i], c[i])))
				}
				compareLeft(t, name+", regression", values.Data, left, 1, tolerance)
			}
		}
	}
}

func compareLeft(t *testing.T, name string, got, want []float64, size, tolerance float64) {
	t.Helper()
	largest, worst := size, 0.0
	for i, v := range want {
		largest = math.Max(largest, math.Abs(v))
		worst = math.Max(worst, math.Abs(got[i]-v))
	}
	if t.Logf("%s: error %.2g, tolerance %.2g", name, worst/largest, tolerance); !(worst <= tolerance*largest) {
		t.Errorf("%s: %v, want %v", name, got, want)
	}
}

// ridgeOfTheRest returns the diagonal of C and, for the targets ∓1, the coefficients a.
func ridgeOfTheRest(t *testing.T, k bigref.Matrix, codes []int, eps float64) (c, a bigref.Vector) {
	const big = bigref.Default
	n := len(k)
	system, targets, mean := big.CentreBoth(k), big.Zeros(1, n)[0], big.Int(0)
	for i, code := range codes {
		system[i][i] = big.Add(system[i][i], big.Of(eps))
		mean = big.Add(mean, big.Quo(big.Int(2*code-1), big.Int(n)))
	}
	for i, code := range codes {
		targets[i] = big.Sub(big.Int(2*code-1), mean)
	}
	l := must.Get(big.Cholesky(system))(t)
	for i := range n {
		unit := big.Zeros(1, n)[0]
		unit[i] = big.Int(1)
		c = append(c, big.Sub(big.CholeskySolve(l, unit)[i], big.Quo(big.Int(1), big.Mul(big.Int(n), big.Of(eps)))))
	}
	return c, big.CholeskySolve(l, targets)
}
