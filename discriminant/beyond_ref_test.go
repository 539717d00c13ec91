package discriminant_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/bigref"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// hard is a problem with a precomputed kernel matrix, taken exactly, whose right
// answer comes from the reference.
type hard struct {
	k     *matrix.Dense
	cross *matrix.Dense // k(y, x), new rows by training rows
	codes []int
	eps   float64
	rkhs  bool
}

func (h hard) regularizer() discriminant.Regularizer {
	if h.rkhs {
		return discriminant.RKHS(h.eps)
	}
	return discriminant.Ridge(h.eps)
}

// tolerance of λ and α, relative, in units of u. Sums of n terms give n u and are
// allowed 16 n u.
//
// With a ridge the system K − iσI is solved with a relative error ρ = u‖K‖/σ, and
// one refinement step makes that ρ².
//
// In the RKHS the entries of HKH are formed with errors of u‖HKH‖, and (HKH +
// εI)⁻¹ magnifies them by up to 1/ε, whatever the solver.
func (h hard) tolerance() float64 {
	n := float64(h.k.Rows)
	if h.rkhs {
		centred := bigref.Dense(big.CentreBoth(big.FromDense(h.k)))
		return 16*n + 4*matrix.NormFrobenius(centred)/h.eps
	}
	rho := u * matrix.NormFrobenius(h.k) / math.Sqrt(h.eps)
	return 16*n + 4*rho*rho/u
}

// check fits and compares with the reference.
func (h hard) check(t *testing.T) {
	t.Helper()
	want := must.Get(big.Solve(bigref.Problem{K: big.FromDense(h.k), Classes: h.codes, Eps: big.Of(h.eps), RKHS: h.rkhs}))(t)
	m := must.Get(discriminant.Fit(context.Background(), discriminant.KFDA{Kernel: gram.Precomputed{}, Regularizer: h.regularizer()}, h.k, h.codes))(t)
	got := discriminant.DetailsOf(m).Eigenvalues()
	if len(got) != len(want.Eigenvalues) {
		t.Fatalf("%d eigenvalues, want %d", len(got), len(want.Eigenvalues))
	}
	tol := h.tolerance()
	alpha := discriminant.DetailsOf(m).Alpha()
	z := project(t, m, h.cross)
	k, cross := big.FromDense(h.k), big.FromDense(h.cross)
	if h.rkhs { // the model projects with the doubly centred kernel
		cross = big.CentreRows(k, cross)
	}
	zWant := big.Project(cross, want.Alpha)
	for j := range got {
		lambdaError := big.RelError(got[j], want.Eigenvalues[j]) / u
		a, aWant := column(alpha, j), want.Alpha.Col(j)
		alphaError := big.ColErrorUpToSign(a, aWant) / u
		zError := big.ColErrorUpToSign(column(z, j), zWant.Col(j)) / u
		// A projection is a sum of products of α with kernel values: an error of
		// α and the rounding of the sum are magnified by what cancels in it.
		magnified := magnification(bigref.Dense(cross), bigref.Floats(aWant), bigref.Floats(zWant.Col(j)))
		zTol := (tol + float64(h.k.Rows)) * magnified
		t.Logf("λ = %-12.6g error/u: λ %-9.3g α %-9.3g tolerance %-9.3g z %-9.3g tolerance %.3g", got[j], lambdaError, alphaError, tol, zError, zTol)
		if !(lambdaError <= tol) {
			t.Errorf("eigenvalue %d is %.17g, want %.17g: error %.3g u, want ≤ %.3g u", j, got[j], bigref.Float64(want.Eigenvalues[j]), lambdaError, tol)
		}
		if !(alphaError <= tol) {
			t.Errorf("α, column %d: error %.3g u, want ≤ %.3g u", j, alphaError, tol)
		}
		if !(zError <= zTol) {
			t.Errorf("projections, column %d: error %.3g u, want ≤ %.3g u", j, zError, zTol)
		}
	}
	t.Logf("%v", discriminant.DetailsOf(m).Certificate())
}

// magnification returns ‖k‖_F‖α‖₂/‖z‖₂, the condition number of z = k α.
func magnification(k *matrix.Dense, alpha, z []float64) float64 {
	return matrix.NormFrobenius(k) * norm2(alpha) / norm2(z)
}

// threeBlobs is an rbf problem of 24 rows in three classes, and 8 new rows.
func threeBlobs(t *testing.T) (k, cross *matrix.Dense, codes []int) {
	t.Helper()
	x, codes := blobs(7, 3, 9, 8, 7)
	rbf := gram.RBF{Gamma: 0.25}
	return gramOf(t, rbf, x), crossOf(t, rbf, rows(8, 8, 3), x), codes
}

// shifts of every kernel value.
var shifts = []struct {
	name string
	by   float64
}{{"0", 0}, {"1e4", 1e4}, {"1e6", 1e6}}

// A kernel with a large mean: the common mode of K, n times the shift, is no part
// of any discriminant. The shifted solver takes it out before it solves, and the
// contrasts KQ and the centred kernel are formed without it, so that the errors
// are those of K unshifted. (In N = KCK they would be magnified by (n·shift)²/ε.)
func TestLargeMean(t *testing.T) {
	k, cross, codes := threeBlobs(t)
	for _, shift := range shifts {
		h := hard{k: mapped(k, plus(shift.by)), cross: mapped(cross, plus(shift.by)), codes: codes, eps: 1e-3}
		t.Run("ridge, kernel + "+shift.name, h.check)
		h.rkhs = true
		t.Run("rkhs, kernel + "+shift.name, h.check)
	}
}

// Ridges far above the kernel matrix: Re W is about ‖K‖/σ times smaller than
// Im W, and λ about ‖K‖²/ε.
func TestHugeRidge(t *testing.T) {
	k, cross, codes := threeBlobs(t)
	for _, shift := range shifts {
		for _, eps := range []float64{1e8, 1e17} {
			h := hard{k: mapped(k, plus(shift.by)), cross: mapped(cross, plus(shift.by)), codes: codes, eps: eps}
			t.Run(fmt.Sprintf("ridge %g, kernel + %s", eps, shift.name), h.check)
			h.rkhs = true
			t.Run(fmt.Sprintf("rkhs %g, kernel + %s", eps, shift.name), h.check)
		}
	}
}

// Scaling K by a power of two and ε by its square (RKHS: by the power itself)
// changes no bit of λ, and α by the exact inverse power.
func TestPowerOfTwoScaling(t *testing.T) {
	k, _, codes := threeBlobs(t)
	solve := func(k *matrix.Dense, reg discriminant.Regularizer) *discriminant.Model[int] {
		return fit(t, discriminant.KFDA{Kernel: gram.Precomputed{}, Regularizer: reg}, k, codes)
	}
	for _, e := range []int{1, -1, 7, 500, -500} {
		s := math.Ldexp(1, e)
		scaled := mapped(k, times(s))

		plain, m := solve(k, discriminant.Ridge(1e-3)), solve(scaled, discriminant.Ridge(1e-3*s*s))
		matrixtest.SameBits(t, "λ", vector(discriminant.DetailsOf(plain).Eigenvalues()), vector(discriminant.DetailsOf(m).Eigenvalues()))
		matrixtest.SameBits(t, "α", mapped(discriminant.DetailsOf(plain).Alpha(), times(1/s)), discriminant.DetailsOf(m).Alpha())

		plain, m = solve(k, discriminant.RelativeRidge(1e-4)), solve(scaled, discriminant.RelativeRidge(1e-4))
		matrixtest.SameBits(t, "relative ridge: λ", vector(discriminant.DetailsOf(plain).Eigenvalues()), vector(discriminant.DetailsOf(m).Eigenvalues()))
		matrixtest.SameBits(t, "relative ridge: α", mapped(discriminant.DetailsOf(plain).Alpha(), times(1/s)), discriminant.DetailsOf(m).Alpha())

		plain, m = solve(k, discriminant.RKHS(1e-3)), solve(scaled, discriminant.RKHS(1e-3*s))
		matrixtest.SameBits(t, "rkhs: λ", vector(discriminant.DetailsOf(plain).Eigenvalues()), vector(discriminant.DetailsOf(m).Eigenvalues()))
		// αᵀ(N + εK)α = 1 has N ∝ s², so that α ∝ 1/s here too.
		matrixtest.SameBits(t, "rkhs: α", mapped(discriminant.DetailsOf(plain).Alpha(), times(1/s)), discriminant.DetailsOf(m).Alpha())
	}
}

// Kernel values of 1e300 and 1e-300, whose squares are out of range.
func TestExtremeScale(t *testing.T) {
	k, cross, codes := threeBlobs(t)
	for _, s := range []float64{1e300, 1e-300} {
		k, cross := mapped(k, times(s)), mapped(cross, times(s))
		// The ε of the RKHS scales with K, that of a ridge with its square, which
		// is out of range.
		h := hard{k: k, cross: cross, codes: codes, eps: 1e-3 * s, rkhs: true}
		t.Run(fmt.Sprintf("rkhs, all times %g", s), h.check)

		for _, reg := range regularizers {
			t.Run(fmt.Sprintf("%v, kernel times %g", reg, s), func(t *testing.T) {
				m, err := discriminant.Fit(context.Background(), discriminant.KFDA{Kernel: gram.Precomputed{}, Regularizer: reg}, k, codes)
				if err != nil {
					t.Log(err)
					requireTyped(t, err)
					return
				}
				checkAnswer(t, m, reg, k, cross)
			})
		}
	}
	// Scales where ε as the square is just within range.
	for _, c := range []struct{ scale, eps float64 }{{1e150, 1e297}, {1e-150, 1e-303}} {
		h := hard{k: mapped(k, times(c.scale)), cross: mapped(cross, times(c.scale)), codes: codes, eps: c.eps}
		t.Run(fmt.Sprintf("ridge %g, kernel times %g", c.eps, c.scale), h.check)
	}
}

// checkAnswer compares an answer that was not refused with the reference at the
// model's own ε: u‖HKH‖/ε is below 1e-12. An eigenvalue out of the range of
// float64 can't be right.
func checkAnswer(t *testing.T, m *discriminant.Model[int], reg discriminant.Regularizer, k, cross *matrix.Dense) {
	t.Helper()
	_, _, codes := threeBlobs(t)
	want := must.Get(big.Solve(bigref.Problem{K: big.FromDense(k), Classes: codes, Eps: big.Of(discriminant.DetailsOf(m).Ridge()), RKHS: isRKHS(reg)}))(t)
	alpha := discriminant.DetailsOf(m).Alpha()
	z, err := m.Project(nil, cross)
	if err != nil {
		t.Log(err)
		requireTyped(t, err)
	} else if !finite(z) {
		t.Error("projections are not finite")
	}
	for j, l := range discriminant.DetailsOf(m).Eigenvalues() {
		le := big.RelError(l, want.Eigenvalues[j])
		ae := big.ColErrorUpToSign(column(alpha, j), want.Alpha.Col(j))
		t.Logf("ε = %g: λ = %g error %.2g, α error %.2g", discriminant.DetailsOf(m).Ridge(), l, le, ae)
		if !(le <= 1e-12) || !(ae <= 1e-12) {
			t.Errorf("component %d: λ = %g has error %.2g, α has error %.2g", j, l, le, ae)
		}
	}
}

// requireTyped fails unless err is one of the documented types.
func requireTyped(t *testing.T, err error) {
	t.Helper()
	var (
		ridge      *discriminant.RidgeError
		accuracy   *discriminant.AccuracyError
		coincident *discriminant.CoincidentMeansError
		overflow   *discriminant.OverflowError
		scatter    *discriminant.ScatterError
		column     *discriminant.ColumnRangeError
		kernel     *gram.NotFiniteError
		entry      *matrix.NotFiniteError
	)
	for _, target := range []any{&ridge, &accuracy, &coincident, &overflow, &scatter, &column, &kernel, &entry} {
		if errors.As(err, target) {
			return
		}
	}
	t.Errorf("error of type %T, want a documented one: %v", err, err)
}

// Three classes of which two are equal but for one row, at ε = 1e-12: one
// eigenvalue is about 1e12 (the third class against the two), the other 1/7. In
// one pass the small one would only be as good as u(1+λ₁); the second pass, with
// the discriminants for contrasts, makes it as good as the large one.
func TestTwoClassesEqualButForOneRow(t *testing.T) {
	a, _ := blobs(11, 3, 8)
	far, _ := blobs(12, 3, 8)
	x := matrix.New(24, 3)
	codes := make([]int, 24)
	for i := range 8 { // the third class first, so that no contrast is a discriminant
		for k, v := range far.Row(i) {
			x.Set(i, k, v+3)
		}
		copy(x.Row(8+i), a.Row(i))
		codes[8+i] = 1
		copy(x.Row(16+i), a.Row(i))
		codes[16+i] = 2
	}
	for k := range 3 {
		x.Set(23, k, x.At(23, k)+0.7)
	}
	rbf := gram.RBF{Gamma: 0.25}
	h := hard{k: gramOf(t, rbf, x), cross: crossOf(t, rbf, rows(13, 8, 3), x), codes: codes, eps: 1e-12}
	h.check(t)
}

// Identical rows within each class: N = 0. A relative ridge has nothing to be
// relative to; an absolute one, and one in the RKHS, give the right answer.
func TestNoWithinScatter(t *testing.T) {
	points, _ := matrix.FromRows([][]float64{{0, 0}, {1, 0.5}, {-0.5, 2}})
	x := matrix.New(9, 2)
	codes := make([]int, 9)
	for i := range 9 {
		codes[i] = i % 3
		copy(x.Row(i), points.Row(i%3))
	}
	rbf := gram.RBF{Gamma: 0.5}
	k := gramOf(t, rbf, x)
	for _, kernel := range []gram.Kernel{rbf, gram.Linear{}, gram.Polynomial{Gamma: 1, Coef0: 1, Degree: 3}} {
		_, err := discriminant.Fit(context.Background(), discriminant.KFDA{Kernel: kernel, Regularizer: discriminant.RelativeRidge(1e-3)}, x, codes)
		must.Fail[*discriminant.RidgeError](t, fmt.Sprintf("%v: relative ridge without within-class scatter", kernel), err)
	}
	for _, eps := range []float64{1, 1e-3, 1e-9} {
		h := hard{k: k, cross: crossOf(t, rbf, rows(14, 8, 2), x), codes: codes, eps: eps}
		t.Run(h.regularizer().String(), h.check)
		h.rkhs = true
		t.Run(h.regularizer().String(), h.check)
	}
}

// A linear kernel on integers in three dimensions: K is exact and of rank 3. ε =
// 1e-12 is answered; at 1e-28 σ is below the rounding of K, and it is refused.
func TestLowRank(t *testing.T) {
	x, codes := blobs(15, 3, 9, 8, 7)
	for i := range x.Data {
		x.Data[i] = math.Round(4 * x.Data[i])
	}
	y := mapped(rows(16, 8, 3), math.Round)
	h := hard{k: gramOf(t, gram.Linear{}, x), cross: crossOf(t, gram.Linear{}, y, x), codes: codes, eps: 1e-12}
	t.Run("1e-12", h.check)

	_, err := discriminant.Fit(context.Background(), discriminant.KFDA{Kernel: gram.Linear{}, Regularizer: discriminant.Ridge(1e-28)}, x, codes)
	must.Fail[*discriminant.AccuracyError](t, "ε = 1e-28", err)
}
