package discriminant_test

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/bigref"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// regularizers of both forms. u‖K‖/σ and u‖HKH‖/ε are below 1e-12 with the
// kernels of these tests.
var regularizers = []discriminant.Regularizer{
	discriminant.Ridge(1e-3), discriminant.RelativeRidge(1e-3),
	discriminant.RKHS(1e-3), discriminant.RelativeRKHS(1e-3),
}

func isRKHS(r discriminant.Regularizer) bool { return strings.Contains(r.String(), "RKHS") }

// αᵀN_εα − 1 and the residual of M α = λ N_ε α for the computed α and λ, evaluated
// in the reference's arithmetic.
//
// An error e of α, relative to its norm, changes αᵀN_εα by up to 2e‖N_ε‖‖α‖²;
// the residual likewise. With e a few n u that is the tolerance.
func TestNormalisationAndResidual(t *testing.T) {
	for _, sizes := range [][]int{{12, 9}, {9, 8, 7}, {10, 1, 4, 2}} {
		x, codes := blobs(21, 4, sizes...)
		kernel := gram.RBF{Gamma: 0.1}
		k := gramOf(t, kernel, x)
		for _, reg := range regularizers {
			t.Run(fmt.Sprint(sizes, reg), func(t *testing.T) {
				m := fit(t, discriminant.KFDA{Kernel: kernel, Regularizer: reg}, x, codes)
				ref := must.Get(big.Solve(bigref.Problem{K: big.FromDense(k), Classes: codes, Eps: big.Of(discriminant.DetailsOf(m).Ridge()), RKHS: isRKHS(reg)}))(t)
				// N_ε α, with N_ε = N + εI or N + εK.
				apply := func(a bigref.Vector) bigref.Vector {
					penalty := a
					if isRKHS(reg) {
						penalty = big.MulVec(big.FromDense(k), a)
					}
					return big.Combine(big.Int(1), big.MulVec(ref.N, a), big.Of(discriminant.DetailsOf(m).Ridge()), penalty)
				}
				n := float64(len(codes))
				normN := matrix.NormFrobenius(bigref.Dense(ref.N)) + discriminant.DetailsOf(m).Ridge()*math.Max(1, matrix.NormFrobenius(k))
				forward := 16 * n * u
				if isRKHS(reg) {
					forward *= 1 + matrix.NormFrobenius(k)/discriminant.DetailsOf(m).Ridge() // HKH itself is rounded
				}
				for j, lambda := range discriminant.DetailsOf(m).Eigenvalues() {
					a := big.FromFloats(column(discriminant.DetailsOf(m).Alpha(), j))
					size := bigref.Float64(big.Dot(a, a))
					na := apply(a)
					defect := math.Abs(bigref.Float64(big.Sub(big.Dot(a, na), big.Int(1))))
					if limit := 2 * forward * normN * size; !(defect <= limit) {
						t.Errorf("component %d: αᵀN_εα − 1 = %.3g, want ≤ %.3g", j, defect, limit)
					}
					r := big.Combine(big.Int(1), big.MulVec(ref.M, a), big.Of(-lambda), na)
					residual := bigref.Float64(big.Norm(r))
					normM := matrix.NormFrobenius(bigref.Dense(ref.M))
					if limit := 2 * forward * (normM + lambda*normN) * math.Sqrt(size); !(residual <= limit) {
						t.Errorf("component %d: ‖Mα − λN_εα‖ = %.3g, want ≤ %.3g", j, residual, limit)
					}
				}
			})
		}
	}
}

// For two classes α = ±α_b/√q with α_b = N_ε⁻¹(M₂ − M₁) and λ = (l₁l₂/n) q.
func TestBinaryClosedForm(t *testing.T) {
	x, codes := blobs(22, 3, 13, 8)
	kernel := gram.RBF{Gamma: 0.2}
	k := gramOf(t, kernel, x)
	for _, reg := range regularizers {
		m := fit(t, discriminant.KFDA{Kernel: kernel, Regularizer: reg}, x, codes)
		ref := must.Get(big.Solve(bigref.Problem{K: big.FromDense(k), Classes: codes, Eps: big.Of(discriminant.DetailsOf(m).Ridge()), RKHS: isRKHS(reg)}))(t)
		tol := 16.0 * 21 * u
		if isRKHS(reg) {
			tol *= 1 + matrix.NormFrobenius(k)/discriminant.DetailsOf(m).Ridge()
		}
		difference := big.Combine(big.Int(1), ref.ClassMeans.Col(1), big.Int(-1), ref.ClassMeans.Col(0))
		q := big.Dot(difference, ref.AlphaBinary)
		direction := big.Scale(big.Quo(big.Int(1), big.Sqrt(q)), ref.AlphaBinary)
		if e := big.ColErrorUpToSign(column(discriminant.DetailsOf(m).Alpha(), 0), direction); !(e <= tol) {
			t.Errorf("%v: α is %.3g from ±α_b/√q, want ≤ %.3g", reg, e, tol)
		}
		lambda := big.Mul(big.Quo(big.Int(13*8), big.Int(21)), q)
		if e := big.RelError(discriminant.DetailsOf(m).Eigenvalues()[0], lambda); !(e <= tol) {
			t.Errorf("%v: λ is %.3g from (l₁l₂/n) q, want ≤ %.3g", reg, e, tol)
		}
	}
}

// With the penalty in the RKHS α has zero sum, and for two classes it is the
// solution a = (HKH + εI)⁻¹t of kernel ridge regression with an intercept, times
// a constant: with qa = (M₂ − M₁)ᵀa/n and q = qa/(1 − (l₁l₂/n) qa),
// α_b = (1 + (l₁l₂/n) q)/n · a, and λ = (l₁l₂/n) q.
func TestRidgeRegressionLink(t *testing.T) {
	x, codes := blobs(23, 3, 11, 9)
	const n, l1, l2, eps = 20.0, 11.0, 9.0, 1e-2
	kernel := gram.Polynomial{Gamma: 0.3, Coef0: 1, Degree: 2}
	m := fit(t, discriminant.KFDA{Kernel: kernel, Regularizer: discriminant.RKHS(eps)}, x, codes)

	k := gramOf(t, kernel, x)
	a := bigref.Dense(big.CentreBoth(big.FromDense(k)))
	for i := range a.Rows {
		a.Set(i, i, a.At(i, i)+eps)
	}
	factor := must.Get(solve.FactorCholesky(context.Background(), a))(t)
	target := matrix.New(int(n), 1)
	gap := make([]float64, int(n)) // M₂ − M₁
	for i, j := range codes {
		target.Set(i, 0, -n/l1)
		weight := -1 / l1
		if j == 1 {
			target.Set(i, 0, n/l2)
			weight = 1 / l2
		}
		for r := range gap {
			gap[r] += weight * k.At(r, i)
		}
	}
	factor.Solve(target)
	ridge := column(target, 0)
	qa := 0.0
	for i, v := range ridge {
		qa += gap[i] * v / n
	}
	q := qa / (1 - l1*l2/n*qa)

	// Both come from systems with the condition number ‖HKH‖/ε, one of them not
	// refined; 1 − (l₁l₂/n) qa = 1/(1+λ) loses a factor 1 + λ.
	cond := matrix.NormFrobenius(k) / eps
	alpha := column(discriminant.DetailsOf(m).Alpha(), 0)
	scale := (1 + l1*l2/n*q) / n / math.Sqrt(q) // α = ±α_b/√q
	if e := math.Min(difference(alpha, ridge, scale), difference(alpha, ridge, -scale)); !(e <= 16*n*u*cond*(1+l1*l2/n*q)) {
		t.Errorf("α and the ridge regression differ by %.3g", e)
	}
	if e := math.Abs(discriminant.DetailsOf(m).Eigenvalues()[0]-l1*l2/n*q) / (l1 * l2 / n * q); !(e <= 16*n*u*cond*(1+l1*l2/n*q)) {
		t.Errorf("λ = %v, (l₁l₂/n) q = %v", discriminant.DetailsOf(m).Eigenvalues()[0], l1*l2/n*q)
	}
	if s := math.Abs(matrix.Sum(alpha)); !(s <= 16*n*u*cond*norm2(alpha)) {
		t.Errorf("1ᵀα = %.3g for ‖α‖ = %.3g", s, norm2(alpha))
	}
}

// 1ᵀα = 0 for more classes too.
func TestRKHSZeroSum(t *testing.T) {
	x, codes := blobs(24, 4, 9, 8, 7, 6)
	kernel := gram.Laplacian{Gamma: 0.3}
	m := fit(t, discriminant.KFDA{Kernel: kernel, Regularizer: discriminant.RKHS(1e-3)}, x, codes)
	cond := matrix.NormFrobenius(gramOf(t, kernel, x)) / 1e-3
	for j := range m.Components() {
		a := column(discriminant.DetailsOf(m).Alpha(), j)
		// (HKH + εI)1 = ε1 holds up to n u‖K‖, so that 1ᵀα is that over ε.
		if s := math.Abs(matrix.Sum(a)); !(s <= 16*30*u*cond*norm2(a)) {
			t.Errorf("component %d: 1ᵀα = %.3g for ‖α‖ = %.3g", j, s, norm2(a))
		}
	}
}

// A shift of the feature space by b = Σ βᵢφ(xᵢ) changes K to K + f1ᵀ + 1fᵀ + g,
// f = Kβ, g = βᵀKβ, and no discriminant with the penalty in the RKHS.
func TestRKHSShiftInvariance(t *testing.T) {
	x, codes := blobs(25, 3, 10, 9, 8)
	y := rows(26, 10, 3)
	kernel := gram.RBF{Gamma: 0.2}
	k, cross := gramOf(t, kernel, x), crossOf(t, kernel, y, x)
	beta := make([]float64, 27)
	for i := range beta {
		beta[i] = math.Ldexp(float64(i%5-2), -1)
	}
	f := matrix.MulVec(nil, k, matrix.NoTrans, beta)
	fy := matrix.MulVec(nil, cross, matrix.NoTrans, beta)
	g := 0.0
	for i, b := range beta {
		g += b * f[i]
	}
	shifted, shiftedCross := k.Clone(), cross.Clone()
	for i := range shifted.Rows {
		for j := range i + 1 {
			v := k.At(i, j) + f[i] + f[j] + g
			shifted.Set(i, j, v)
			shifted.Set(j, i, v)
		}
	}
	for i := range cross.Rows {
		for j := range cross.Cols {
			shiftedCross.Set(i, j, cross.At(i, j)+fy[i]+f[j]+g)
		}
	}
	method := discriminant.KFDA{Kernel: gram.Precomputed{}, Regularizer: discriminant.RKHS(1e-3)}
	a, b := fit(t, method, k, codes), fit(t, method, shifted, codes)
	// Entries of the shifted matrix are rounded at the size of its norm.
	tol := 16 * 27 * u * (matrix.NormFrobenius(k) + matrix.NormFrobenius(shifted)) / 1e-3
	for j, l := range discriminant.DetailsOf(a).Eigenvalues() {
		if e := math.Abs(discriminant.DetailsOf(b).Eigenvalues()[j]-l) / l; !(e <= tol) {
			t.Errorf("λ[%d] changes by %.3g, want ≤ %.3g", j, e, tol)
		}
	}
	if e := upToSign(t, discriminant.DetailsOf(b).Alpha(), discriminant.DetailsOf(a).Alpha()); !(e <= tol) {
		t.Errorf("α changes by %.3g, want ≤ %.3g", e, tol)
	}
	za, zb := project(t, a, cross), project(t, b, shiftedCross)
	if e := upToSign(t, zb, za); !(e <= tol*magnification(k, column(discriminant.DetailsOf(a).Alpha(), 1), column(za, 1))) {
		t.Errorf("projections change by %.3g, want ≤ %.3g", e, tol)
	}
}

// Projections do not depend on the order of the rows, nor of the classes, but
// for rounding and the sign.
func TestOrderOfRowsAndClasses(t *testing.T) {
	x, codes := blobs(27, 3, 12, 10, 9)
	n := len(codes)
	y := rows(28, 12, 3)
	order := make([]int, n) // a fixed shuffle: 7 and 31 are coprime
	for i := range order {
		order[i] = (7*i + 3) % n
	}
	rename := []string{"zeta", "alpha", "mu"} // another order of the same classes
	for _, reg := range regularizers {
		method := discriminant.KFDA{Kernel: gram.RBF{Gamma: 0.2}, Regularizer: reg}
		m := fit(t, method, x, codes)
		permuted := fit(t, method, pickRows(x, order), pick(codes, order))
		labels := make([]string, n)
		for i, j := range codes {
			labels[i] = rename[j]
		}
		renamed := fit(t, method, x, labels)

		tol := 64 * float64(n) * u * 32 // 32 ≥ ‖k(y)‖‖α‖/‖z‖ here
		if isRKHS(reg) {
			tol *= float64(n) / discriminant.DetailsOf(m).Ridge()
		}
		z := project(t, m, y)
		if e := upToSign(t, project(t, permuted, y), z); !(e <= tol) {
			t.Errorf("%v: permuted rows: projections differ by %.3g, want ≤ %.3g", reg, e, tol)
		}
		if e := upToSign(t, project(t, renamed, y), z); !(e <= tol) {
			t.Errorf("%v: renamed classes: projections differ by %.3g, want ≤ %.3g", reg, e, tol)
		}
		want, got, gotPermuted := predict(t, m, y), predict(t, renamed, y), predict(t, permuted, y)
		for i, j := range want {
			if got[i] != rename[j] || gotPermuted[i] != j {
				t.Errorf("%v: row %d is %d, renamed %q, permuted %d", reg, i, j, got[i], gotPermuted[i])
			}
		}
	}
}

// Names in the same order, of whatever type, change nothing but the names.
func TestRenamedClassesKeepBits(t *testing.T) {
	x, codes := blobs(29, 3, 9, 8, 7)
	y := rows(30, 12, 3)
	names := []string{"a", "b", "c"}
	numbers := []uint8{3, 7, 200}
	for _, reg := range regularizers {
		method := discriminant.KFDA{Kernel: gram.RBF{Gamma: 0.2}, Regularizer: reg}
		m := fit(t, method, x, codes)
		texts, bytes := make([]string, len(codes)), make([]uint8, len(codes))
		for i, j := range codes {
			texts[i], bytes[i] = names[j], numbers[j]
		}
		a, b := fit(t, method, x, texts), fit(t, method, x, bytes)
		matrixtest.SameBits(t, "α, text", discriminant.DetailsOf(m).Alpha(), discriminant.DetailsOf(a).Alpha())
		matrixtest.SameBits(t, "α, uint8", discriminant.DetailsOf(m).Alpha(), discriminant.DetailsOf(b).Alpha())
		matrixtest.SameBits(t, "projections, text", project(t, m, y), project(t, a, y))
		matrixtest.SameBits(t, "centroids, uint8", discriminant.DetailsOf(m).Centroids(), discriminant.DetailsOf(b).Centroids())
		pa, pb := predict(t, a, y), predict(t, b, y)
		for i, j := range predict(t, m, y) {
			if pa[i] != names[j] || pb[i] != numbers[j] {
				t.Errorf("%v: row %d: %d, %q, %d", reg, i, j, pa[i], pb[i])
			}
		}
	}
}

// Each column twice doubles every squared distance, which half the γ undoes.
func TestDoubledColumns(t *testing.T) {
	x, codes := blobs(31, 3, 12, 10, 9)
	y := rows(32, 12, 3)
	twice := func(a *matrix.Dense) *matrix.Dense {
		b := matrix.New(a.Rows, 2*a.Cols)
		b.View(0, 0, a.Rows, a.Cols).CopyFrom(a)
		b.View(0, a.Cols, a.Rows, a.Cols).CopyFrom(a)
		return b
	}
	double := func(a *matrix.Dense) *matrix.Dense { return mapped(a, times(2)) }
	for _, reg := range regularizers {
		at := func(gamma float64) discriminant.KFDA {
			return discriminant.KFDA{Kernel: gram.RBF{Gamma: gamma}, Regularizer: reg}
		}
		m := fit(t, at(0.2), x, codes)
		z := project(t, m, y)

		// K changes by the rounding of sums in another order, u‖K‖/σ in α.
		tol := 64 * 31 * u * 32 * (1 + 31/math.Sqrt(discriminant.DetailsOf(m).Ridge()))
		if isRKHS(reg) {
			tol = 64 * 31 * u * 32 * (1 + 31/discriminant.DetailsOf(m).Ridge())
		}
		d := fit(t, at(0.1), twice(x), codes)
		if e := upToSign(t, project(t, d, twice(y)), z); !(e <= tol) {
			t.Errorf("%v: each column twice: projections differ by %.3g, want ≤ %.3g", reg, e, tol)
		}
		// Doubled values at γ/4: exact in binary arithmetic.
		d = fit(t, at(0.05), double(x), codes)
		matrixtest.SameBits(t, reg.String()+": doubled values", z, project(t, d, double(y)))
	}
}

// A row has the same bits alone and in any batch.
func TestRowByRow(t *testing.T) {
	x, codes := blobs(33, 5, 20, 15, 12)
	y := rows(34, 23, 5)
	kernels := []gram.Kernel{gram.RBF{}, gram.Linear{}, gram.Laplacian{}, gram.NewPolynomial(3), gram.Cosine{}, gram.NewSigmoid()}
	for _, kernel := range kernels {
		for _, reg := range []discriminant.Regularizer{discriminant.RelativeRidge(1e-2), discriminant.RelativeRKHS(1e-2)} {
			method := discriminant.KFDA{Kernel: kernel, Regularizer: reg, Scaling: discriminant.Standard}
			m, err := discriminant.Fit(context.Background(), method, x, codes)
			if err != nil && isRKHS(reg) && strings.HasPrefix(kernel.String(), "sigmoid") {
				continue // HKH of an indefinite kernel
			} else if err != nil {
				t.Fatalf("%v %v: %v", kernel, reg, err)
			}
			all := project(t, m, y)
			for i := range y.Rows {
				matrixtest.SameBits(t, fmt.Sprintf("%v %v row %d", kernel, reg, i), all.View(i, 0, 1, all.Cols), project(t, m, y.View(i, 0, 1, y.Cols)))
			}
			for i := 0; i+7 <= y.Rows; i += 5 {
				matrixtest.SameBits(t, fmt.Sprintf("%v %v rows %d…", kernel, reg, i), all.View(i, 0, 7, all.Cols), project(t, m, y.View(i, 0, 7, y.Cols)))
			}
		}
	}
}

// The number of processors changes no bit.
func TestProcessors(t *testing.T) {
	sizes := []int{260, 230, 150}
	if testing.Short() {
		sizes = []int{60, 50, 40}
	}
	x, codes := blobs(35, 8, sizes...)
	y := rows(36, 100, 8)
	for _, reg := range []discriminant.Regularizer{discriminant.Ridge(1e-3), discriminant.RKHS(1e-3)} {
		method := discriminant.KFDA{Kernel: gram.RBF{Gamma: 0.05}, Regularizer: reg}
		at := func(processors int) *discriminant.Model[int] {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
			return fit(t, method, x, codes)
		}
		one, four := at(1), at(4)
		matrixtest.SameBits(t, "λ", vector(discriminant.DetailsOf(one).Eigenvalues()), vector(discriminant.DetailsOf(four).Eigenvalues()))
		matrixtest.SameBits(t, "α", discriminant.DetailsOf(one).Alpha(), discriminant.DetailsOf(four).Alpha())
		matrixtest.SameBits(t, "centroids", discriminant.DetailsOf(one).Centroids(), discriminant.DetailsOf(four).Centroids())
		matrixtest.SameBits(t, "projections", project(t, one, y), project(t, four, y))
		if a, b := discriminant.DetailsOf(one).Certificate(), discriminant.DetailsOf(four).Certificate(); a != b {
			t.Errorf("certificates differ:\n%v%v", a, b)
		}
	}
}
