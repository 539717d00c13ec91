package discriminant_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/bigref"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// Averaged scatter is solved with N + εI formed and factored, so that the error
// is up to n u times its condition number.
func TestAveragedScatter(t *testing.T) {
	x, codes := blobs(51, 3, 9, 3, 1, 11)
	kernel := gram.RBF{Gamma: 0.25}
	k := gramOf(t, kernel, x)
	for _, eps := range []float64{1e-5, 1e-2, 10} {
		want := must.Get(big.Solve(bigref.Problem{K: big.FromDense(k), Classes: codes, Eps: big.Of(eps), Averaged: true}))(t)
		cond := matrix.NormFrobenius(bigref.Dense(want.System)) / eps
		m := fit(t, discriminant.KFDA{Kernel: kernel, Regularizer: discriminant.Ridge(eps), Scatter: discriminant.AveragedScatter}, x, codes)
		agree(t, fmt.Sprintf("ε = %g", eps), m, want.Eigenvalues, want.Alpha, 4*24*cond)
	}
}

// Shrinkage: M α = λ((1−s)N + s·tr(N)/n·I)α.
func TestShrink(t *testing.T) {
	x, codes := blobs(52, 3, 9, 8, 7)
	kernel := gram.RBF{Gamma: 0.25}
	k := big.FromDense(gramOf(t, kernel, x))
	for _, scatter := range []discriminant.Scatter{discriminant.SummedScatter, discriminant.AveragedScatter} {
		averaged := scatter == discriminant.AveragedScatter
		unit := must.Get(big.Solve(bigref.Problem{K: k, Classes: codes, Eps: big.Int(1), Averaged: averaged}))(t)
		mean := big.Int(0) // tr(N)/n
		for i := range unit.N {
			mean.Add(mean, unit.N[i][i])
		}
		mean.Quo(mean, big.Int(len(codes)))
		for _, s := range []float64{1e-3, 0.25, 0.9, 1} {
			var lambda bigref.Vector
			var alpha bigref.Matrix
			if s < 1 {
				rest := big.Sub(big.Int(1), big.Of(s))
				eps := big.Quo(big.Mul(big.Of(s), mean), rest)
				want := must.Get(big.Solve(bigref.Problem{K: k, Classes: codes, Eps: eps, Averaged: averaged}))(t)
				alpha = want.Alpha
				for j := range want.Eigenvalues {
					lambda = append(lambda, big.Quo(want.Eigenvalues[j], rest))
					for i := range alpha {
						alpha[i][j].Quo(alpha[i][j], big.Sqrt(rest))
					}
				}
			} else {
				values, vectors := must.Get2(big.Eigen(unit.M))(t)
				for j := range 2 {
					lambda = append(lambda, big.Quo(values[j], mean))
					alpha = append(alpha, big.Scale(big.Quo(big.Int(1), big.Sqrt(mean)), vectors[j]))
				}
				alpha = alpha.Transpose()
			}
			m := fit(t, discriminant.KFDA{Kernel: kernel, Regularizer: discriminant.Shrink(s), Scatter: scatter}, x, codes)
			// ‖N‖/(s tr(N)/n) ≤ n/s; summed scatter does not square it, but one
			// tolerance does for both.
			agree(t, fmt.Sprintf("%v, s = %g", scatter, s), m, lambda, alpha, 4*24*24/s)
		}
	}
}

// agree fails unless λ and α agree within tol u.
func agree(t *testing.T, what string, m *discriminant.Model[int], lambda bigref.Vector, alpha bigref.Matrix, tol float64) {
	t.Helper()
	got := discriminant.DetailsOf(m).Eigenvalues()
	if len(got) != len(lambda) {
		t.Fatalf("%s: %d eigenvalues, want %d", what, len(got), len(lambda))
	}
	worst := 0.0
	for j, l := range got {
		lambdaError := big.RelError(l, lambda[j]) / u
		alphaError := big.ColErrorUpToSign(column(discriminant.DetailsOf(m).Alpha(), j), alpha.Col(j)) / u
		worst = math.Max(worst, math.Max(lambdaError, alphaError))
		if !(lambdaError <= tol) || !(alphaError <= tol) {
			t.Errorf("%s: eigenvalue %d is %.17g, want %.17g: errors of λ %.3g u and of α %.3g u, want ≤ %.3g u", what, j, l, bigref.Float64(lambda[j]), lambdaError, alphaError, tol)
		}
	}
	t.Logf("%s: largest error %.3g u, tolerance %.3g u", what, worst, tol)
}
