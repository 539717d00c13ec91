package discriminant_test

import (
	"context"
	"errors"
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/bigref"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

var randomProblems = flag.Int("problems", 120, "random problems to compare with the reference")

// randomProblem is a small problem with 2 to 5 classes of 1 to 9 rows in 1 to 5
// dimensions, one of several kernels shifted by up to 1e6, at times with the same
// row in two classes, and a ridge from 1e-14 to 1e10.
func randomProblem(t *testing.T, seed uint64) (h hard, kernel gram.Kernel) {
	r := rand.New(rand.NewPCG(seed, 3))
	sizes := make([]int, 2+r.IntN(4))
	rows := 0
	for j := range sizes {
		sizes[j] = 1 + r.IntN(9)
		rows += sizes[j]
	}
	if rows == len(sizes) {
		sizes[0]++
	}
	d := 1 + r.IntN(5)
	x, codes := blobs(seed, d, sizes...)
	if r.IntN(4) == 0 {
		copy(x.Row(0), x.Row(x.Rows-1))
	}
	h.rkhs = r.IntN(3) == 0
	kernels := []gram.Kernel{
		gram.RBF{Gamma: math.Ldexp(1, r.IntN(6)-4)}, gram.Laplacian{Gamma: 0.5}, gram.Linear{},
		gram.Polynomial{Gamma: 1, Coef0: 1, Degree: 3}, gram.Sigmoid{Gamma: 0.3, Coef0: -0.2},
	}
	if h.rkhs { // not for an indefinite kernel
		kernels = kernels[:4]
	}
	kernel = kernels[r.IntN(len(kernels))]
	shift := []float64{0, 0, 1, 1e3, 1e6}[r.IntN(5)]
	h.k, h.codes = mapped(gramOf(t, kernel, x), plus(shift)), codes
	h.eps = math.Pow(10, 24*r.Float64()-14)
	return h, kernel
}

// TestRandomProblems compares λ and α with the reference: K is taken as exact, so
// that most answers must be far better than a rounding of K would change them. Sums of n
// terms give n u and are allowed 16 n u, however small λ is beside the largest, and:
//
//   - λ/(1+λ) is an inner product of KQv with Re W, or 1 − 1/(1+λ): u times the
//     norms, or u, relative to it;
//   - α is made from Re W, whose share of W = (Re W, Im W) may be small: what a step of
//     refinement leaves, ρ² with ρ = u‖K‖/σ times the growth of the factors, and after
//     more steps n u at most, is relative to W, whose norm is 1/(σ√(1+λ)), and Re W's is
//     ‖α‖√λ/(1+λ);
//   - a direction is only as good as that over the gap to the next eigenvalue;
//   - in the RKHS HKH is rounded, as hard says, and K is not summed anew in doubled
//     precision for a second pass: a small λ is as good as the largest.
//
// An error must be a refusal for the ridge, the rounding of K, or a K that its
// rounding has made indefinite.
func TestRandomProblems(t *testing.T) {
	count := *randomProblems
	if testing.Short() {
		count = min(count, 14)
	}
	// Some that are hard on the form of Ψ: small eigenvalues beside large ones, and σ
	// far below K; on the rotation of KQ; and on W where most of W_Q is a share of w₀, up
	// to 1e6 w₀.
	seeds := []uint64{339, 615, 861, 1025, 1127, 2046, 735, 3431, 6240}
	for seed := range uint64(count) {
		seeds = append(seeds, seed)
	}
	answered, checks, worst := 0, 0, 0.0
	for _, seed := range seeds {
		h, kernel := randomProblem(t, seed)
		reg := h.regularizer()
		m, err := discriminant.Fit(context.Background(), discriminant.KFDA{Kernel: gram.Precomputed{}, Regularizer: reg}, h.k, h.codes)
		if err != nil {
			var (
				ridge      *discriminant.RidgeError
				accuracy   *discriminant.AccuracyError
				coincident *discriminant.CoincidentMeansError
				indefinite *solve.NotPositiveDefiniteError
			)
			if !errors.As(err, &ridge) && !errors.As(err, &accuracy) && !errors.As(err, &coincident) && !errors.As(err, &indefinite) {
				t.Errorf("problem %d, %v, %v: error %T: %v", seed, kernel, reg, err, err)
			}
			if rounding := u * matrix.NormFrobenius(h.k); rounding < 1e-3*h.eps && rounding < 1e-3*math.Sqrt(h.eps) && !errors.As(err, &coincident) {
				t.Errorf("problem %d, %v, %v: refused although K's rounding is %.2g: %v", seed, kernel, reg, rounding, err)
			}
			continue
		}
		answered++
		want, err := big.Solve(bigref.Problem{K: big.FromDense(h.k), Classes: h.codes, Eps: big.Of(h.eps), RKHS: h.rkhs})
		if err != nil {
			t.Errorf("problem %d, %v, %v: %v", seed, kernel, reg, err)
			continue
		}
		lambda, right := discriminant.DetailsOf(m).Eigenvalues(), bigref.Floats(want.Eigenvalues)
		if len(lambda) > len(right) {
			t.Errorf("problem %d, %v, %v: eigenvalues %v, want %v", seed, kernel, reg, lambda, right)
			continue
		}
		for j, l := range lambda {
			alpha := want.Alpha.Col(j)
			tolLambda, tolAlpha := h.tolerances(discriminant.DetailsOf(m).Certificate(), want, right, j)
			lambdaError := big.RelError(l, want.Eigenvalues[j]) / u / tolLambda
			alphaError := big.ColErrorUpToSign(column(discriminant.DetailsOf(m).Alpha(), j), alpha) / u / tolAlpha
			checks += 2
			worst = max(worst, lambdaError, alphaError)
			if !(lambdaError <= 1) || !(alphaError <= 1) {
				t.Errorf("problem %d, %v, %v, n = %d: eigenvalue %d of %.4g: errors of λ %.3g and of α %.3g times their tolerances %.3g u and %.3g u\n%v",
					seed, kernel, reg, len(h.codes), j, right, lambdaError, alphaError, tolLambda, tolAlpha, discriminant.DetailsOf(m).Certificate())
			}
		}
	}
	t.Logf("%d problems, %d answered, %d comparisons, the worst at %.2g of its tolerance", len(seeds), answered, checks, worst)
	if answered < count/2 {
		t.Errorf("only %d of %d problems answered", answered, count)
	}
}

// tolerances of λ_j and α_j, relative, in units of u: see TestRandomProblems.
func (h hard) tolerances(c discriminant.Certificate, want *bigref.Solution, lambda []float64, j int) (ofLambda, ofAlpha float64) {
	n := float64(h.k.Rows)
	l := lambda[j]
	gap := 1.0
	for k, other := range lambda {
		if k != j {
			gap = math.Min(gap, math.Abs(other-l)/math.Max(other, l))
		}
	}
	if h.rkhs {
		ofLambda = h.tolerance() * (1 + lambda[0]) / math.Min(1, l)
		return ofLambda, ofLambda / gap
	}
	alpha := bigref.Floats(want.Alpha.Col(j))
	first := 16 * n
	rho := u * matrix.NormFrobenius(h.k) / math.Sqrt(h.eps) * c.Growth
	second := math.Min(first, 4*rho*rho/u) * math.Max(1, 1/(math.Sqrt(h.eps*l)*norm2(alpha)))

	// KQv = Mα/√λ and Re W = α√λ/(1+λ).
	product := bigref.Float64(big.Norm(big.MulVec(want.M, want.Alpha.Col(j)))) * norm2(alpha) / (1 + l)
	magnified := math.Max(1, math.Min(1, product)*(1+l)/l)
	return first * magnified, (first + second) / gap
}
