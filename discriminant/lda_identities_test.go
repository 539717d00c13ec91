package discriminant_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/matrix"
)

// sameUpToSign compares columns, each up to its sign, relative to their norms.
func sameUpToSign(t *testing.T, what string, got, want *matrix.Dense, tol float64) {
	t.Helper()
	for k := range want.Cols {
		a, b := column(got, k), column(want, k)
		plus, minus := make([]float64, len(a)), make([]float64, len(a))
		for i := range a {
			plus[i], minus[i] = a[i]-b[i], a[i]+b[i]
		}
		if e := math.Min(norm2(plus), norm2(minus)) / norm2(b); !(e <= tol) {
			t.Errorf("%s: column %d differs by %.3g, want ≤ %.3g", what, k, e, tol)
		}
	}
}

func sameRelative(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for k := range want {
		if e := math.Abs(got[k]-want[k]) / math.Abs(want[k]); !(e <= tol) {
			t.Errorf("%s: value %d is %v, want %v", what, k, got[k], want[k])
		}
	}
}

// The linear kernel with a ridge in its feature space is LDA with that ridge: αᵀKα
// = ‖Xᵀα‖². The kernel's coefficients have the condition of K + εI, near 1e4 here,
// and Xᵀα of rows that are not centred cancels.
func TestLinearKernelIsLDA(t *testing.T) {
	for _, d := range []int{2, 7, 40} {
		x, codes := blobs(61, d, 12, 9, 7)
		y := rows(62, 20, d)
		for _, eps := range []float64{1e-1, 10} {
			lda := fit(t, discriminant.LDA{Regularizer: discriminant.Ridge(eps)}, x, codes)
			kernel := fit(t, discriminant.KFDA{Kernel: gram.Linear{}, Regularizer: discriminant.RKHS(eps)}, x, codes)
			name := fmt.Sprintf("d = %d, ε = %v", d, eps)
			sameRelative(t, name, discriminant.DetailsOf(lda).Eigenvalues(), discriminant.DetailsOf(kernel).Eigenvalues(), 1e-12)
			sameUpToSign(t, name, project(t, lda, y), project(t, kernel, y), 1e-11)
			sameUpToSign(t, name+", weights", lda.Details().(discriminant.LDADetails).Weights(), matrix.Mul(nil, x, matrix.Transposed, discriminant.DetailsOf(kernel).Alpha(), matrix.NoTrans), 1e-10)
		}
	}
}

// Constant, doubled and otherwise collinear features change neither λ nor the
// projections of rows that are collinear in the same way.
func TestCollinearFeatures(t *testing.T) {
	x, codes := blobs(63, 3, 10, 9, 8)
	y := rows(64, 20, 3)
	extend := func(x *matrix.Dense) *matrix.Dense {
		wide := matrix.New(x.Rows, 40)
		for i := range x.Rows {
			a, b, c := x.At(i, 0), x.At(i, 1), x.At(i, 2)
			copy(wide.Row(i), []float64{a, 7, b, a + b, c, 1e6 + a, 0, 3*c - b, -1e-3 * c})
			for j := 9; j < 40; j++ {
				wide.Set(i, j, a*float64(j)-b)
			}
		}
		return wide
	}
	plain := fit(t, discriminant.LDA{}, x, codes)
	wide := fit(t, discriminant.LDA{}, extend(x), codes)
	if s := discriminant.DetailsOf(wide).Certificate().Solver; s != "whitened" {
		t.Errorf("solver %s", s)
	}
	// The feature near 1e6 is rounded by 1e-10.
	sameRelative(t, "λ", discriminant.DetailsOf(wide).Eigenvalues(), discriminant.DetailsOf(plain).Eigenvalues(), 1e-9)
	sameUpToSign(t, "projections", project(t, wide, extend(y)), project(t, plain, y), 1e-9)
	for _, j := range []int{1, 6} {
		if w := wide.Details().(discriminant.LDADetails).Weights().Row(j); w[0] != 0 || w[1] != 0 {
			t.Errorf("the constant feature %d has the weights %v", j, w)
		}
	}
}

// Scaling each feature by a power of two, to the ends of float64's range, changes
// no bit of the projections; another scaling only rounding.
func TestFeatureScalesAreFree(t *testing.T) {
	x, codes := blobs(65, 3, 10, 9, 8)
	y := rows(66, 20, 3)
	scaled := func(x *matrix.Dense, f ...float64) *matrix.Dense {
		s := x.Clone()
		for i := range s.Rows {
			for j := range f {
				s.Row(i)[j] *= f[j]
			}
		}
		return s
	}
	m := fit(t, discriminant.LDA{}, x, codes)
	z := project(t, m, y)
	powers := []float64{0x1p-900, 1, 0x1p900}
	same := fit(t, discriminant.LDA{}, scaled(x, powers...), codes)
	sameUpToSign(t, "powers of two", project(t, same, scaled(y, powers...)), z, 0)
	sameRelative(t, "powers of two", discriminant.DetailsOf(same).Eigenvalues(), discriminant.DetailsOf(m).Eigenvalues(), 0)
	others := []float64{3e-200, -7, 1.1e200}
	sameUpToSign(t, "other factors", project(t, fit(t, discriminant.LDA{}, scaled(x, others...), codes), scaled(y, others...)), z, 1e-13)
	// An affine map of the features is undone.
	mix := rows(67, 3, 3)
	mixed := func(x *matrix.Dense) *matrix.Dense {
		return mapped(matrix.Mul(nil, x, matrix.NoTrans, mix, matrix.NoTrans), plus(3))
	}
	sameUpToSign(t, "affine map", project(t, fit(t, discriminant.LDA{}, mixed(x), codes), mixed(y)), z, 1e-12)
}

// wᵀSw = 1 and S_B w = λSw by the definitions, in plain float64.
func TestFeatureEquations(t *testing.T) {
	for _, d := range []int{3, 30} {
		x, codes := blobs(68, d, 9, 8, 7)
		for _, reg := range append([]discriminant.Regularizer{{}}, featureRegularizers...) {
			if d == 30 && reg == (discriminant.Regularizer{}) {
				continue
			}
			m := fit(t, discriminant.LDA{Regularizer: reg}, x, codes)
			within, between := matrix.New(d, d), matrix.New(d, d)
			mean := matrix.RowMeans(nil, matrix.Transpose(nil, x))
			for j, l := range m.Counts() {
				at := []int{}
				for i, c := range codes {
					if c == j {
						at = append(at, i)
					}
				}
				own := pickRows(x, at)
				mj := matrix.RowMeans(nil, matrix.Transpose(nil, own))
				for i := range own.Rows {
					for k := range d {
						own.Row(i)[k] -= mj[k]
					}
				}
				matrix.AddSymRankK(within, own, matrix.Transposed)
				for a := range d {
					for b := range d {
						between.Row(a)[b] += float64(l) * (mj[a] - mean[a]) * (mj[b] - mean[b])
					}
				}
			}
			for a := range d {
				for b := range d {
					within.Row(a)[b] *= 1 - m.Details().(discriminant.LDADetails).Shrinkage()
				}
				within.Row(a)[a] += discriminant.DetailsOf(m).Ridge()
			}
			w := m.Details().(discriminant.LDADetails).Weights()
			sw := matrix.Mul(nil, within, matrix.NoTrans, w, matrix.NoTrans)
			bw := matrix.Mul(nil, between, matrix.NoTrans, w, matrix.NoTrans)
			wsw := matrix.Mul(nil, w, matrix.Transposed, sw, matrix.NoTrans)
			tol := 1e-12 * discriminant.DetailsOf(m).Certificate().CondBound
			for k, l := range discriminant.DetailsOf(m).Eigenvalues() {
				for r := range wsw.Rows {
					want := 0.0
					if r == k {
						want = 1
					}
					if math.Abs(wsw.At(r, k)-want) > tol {
						t.Errorf("d = %d, %v: wᵀSw = %v", d, reg, wsw.Data)
					}
				}
				b, s := column(bw, k), column(sw, k)
				for i := range b {
					b[i] -= l * s[i]
				}
				if e := norm2(b) / (l * norm2(s)); !(e <= tol) {
					t.Errorf("d = %d, %v: ‖S_B w − λSw‖ = %.3g ‖λSw‖", d, reg, e)
				}
			}
		}
	}
}

func TestLDASettings(t *testing.T) {
	x, codes := blobs(69, 3, 6, 5)
	for _, reg := range []discriminant.Regularizer{
		discriminant.RKHS(1), discriminant.RelativeRKHS(1), discriminant.Ridge(-1), discriminant.Ridge(math.NaN()), discriminant.Ridge(math.Inf(1)), discriminant.Shrink(1.5), discriminant.RelativeRidge(-1),
	} {
		if err := fitError(discriminant.LDA{Regularizer: reg}, x, codes); err == nil {
			t.Errorf("%v: no error", reg)
		} else {
			t.Log(err)
		}
	}
	for _, reg := range []discriminant.Regularizer{discriminant.Ridge(0), discriminant.Shrink(0), discriminant.RelativeRidge(0)} {
		matrixtest.SameBits(t, reg.String(), fit(t, discriminant.LDA{Regularizer: reg}, x, codes).Details().(discriminant.LDADetails).Weights(), fit(t, discriminant.LDA{}, x, codes).Details().(discriminant.LDADetails).Weights())
	}
	if err := fitError(discriminant.KFDA{Regularizer: discriminant.LedoitWolf()}, x, codes); err == nil {
		t.Error("Ledoit–Wolf shrinkage of a kernel method: no error")
	}
	for _, priors := range [][]float64{{1}, {0.5, 0.6}, {0, 1}} {
		var parameter *discriminant.ParameterError
		if err := fitError(discriminant.LDA{Priors: priors}, x, codes); !errors.As(err, &parameter) || parameter.Field != "Priors" {
			t.Errorf("priors %v: error %v", priors, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, d := range []int{3, 30} {
		x, codes := blobs(70, d, 6, 5)
		if _, err := discriminant.Fit(ctx, discriminant.LDA{Regularizer: discriminant.Ridge(1)}, x, codes); !errors.Is(err, context.Canceled) {
			t.Errorf("d = %d, cancelled: error %v", d, err)
		}
	}
}
