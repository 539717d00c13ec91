package solve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/textbook"
	"github.com/seed92411348/kfda/matrix"
)

var sizes = func() []int {
	var s []int
	for n := range 41 {
		s = append(s, n)
	}
	return append(s, 63, 64, 65, 97, 130, 200)
}()

// The blocked factorization and solve have the bits of the textbook loops, on
// every tier and at every size, panel width and stride, for indefinite matrices with zeros too.
func TestShiftedEqualsTextbook(t *testing.T) { asmtest.EachTier(t, shiftedEqualsTextbook) }

func shiftedEqualsTextbook(t *testing.T) {
	ctx := context.Background()
	for _, n := range sizes {
		if testing.Short() && n > 100 {
			continue
		}
		rng := newRand(uint64(n))
		k := randomSymmetric(rng, n)
		for i := 0; i < n*n; i += 7 { // zeros of both signs
			r, c := i/n, i%n
			z := math.Copysign(0, float64(i%2)-0.5)
			k.Set(r, c, z)
			k.Set(c, r, z)
		}
		sigma := 0.25
		want := textbook.Shifted(k, sigma)
		for _, panel := range []int{1, 3, 8, 21, 50, 64} {
			a, whole := spread(k)
			for i := range n { // the upper triangle is not read
				for j := i + 1; j < n; j++ {
					a.Set(i, j, math.NaN())
				}
			}
			s, err := factorShifted(ctx, a, sigma, panel)
			if err != nil {
				t.Fatalf("n = %d, panel %d: %v", n, panel, err)
			}
			for i := range n {
				if !equalBits(a.At(i, i), want.D[i].Re) || !equalBits(s.e[i], want.D[i].Im) {
					t.Fatalf("n = %d, panel %d: D(%d) = (%x, %x), want %x", n, panel, i, a.At(i, i), s.e[i], want.D[i])
				}
				for j := range i {
					if !equalBits(a.At(i, j), want.L[i][j].Re) || !equalBits(a.At(j, i), want.L[i][j].Im) {
						t.Fatalf("n = %d, panel %d: L(%d,%d) = (%x, %x), want %x", n, panel, i, j, a.At(i, j), a.At(j, i), want.L[i][j])
					}
				}
			}
			mustStaySpread(t, a, whole)
			if panel != 64 {
				continue
			}
			for _, r := range []int{0, 1, 2, 4, 5, 9} {
				b, c := randomMatrix(rng, n, r), randomMatrix(rng, n, r)
				wantRe, wantIm := b.Clone(), c.Clone()
				want.Solve(wantRe, wantIm)
				re, wholeRe := spread(b)
				im, wholeIm := spread(c)
				s.Solve(re, im)
				matrixtest.SameBits(t, fmt.Sprintf("n = %d, r = %d: real part", n, r), re, wantRe)
				matrixtest.SameBits(t, fmt.Sprintf("n = %d, r = %d: imaginary part", n, r), im, wantIm)
				mustStaySpread(t, re, wholeRe)
				mustStaySpread(t, im, wholeIm)
			}
		}
	}
}

// mustStaySpread checks that whole still holds NaN outside its view.
func mustStaySpread(t *testing.T, view, whole *matrix.Dense) {
	t.Helper()
	for i := range whole.Rows {
		for j, v := range whole.Row(i) {
			inside := i >= 1 && i < 1+view.Rows && j >= 2 && j < 2+view.Cols
			if !inside && !math.IsNaN(v) {
				t.Fatalf("padding (%d, %d) was overwritten", i, j)
			}
		}
	}
}

func TestResidualEqualsTextbook(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 30, 61} {
		for _, r := range []int{0, 1, 4, 7} {
			rng := newRand(uint64(100*n + r))
			k := randomSymmetric(rng, n)
			f, wre, wim := randomMatrix(rng, n, r), randomMatrix(rng, n, r), randomMatrix(rng, n, r)
			wantRe, wantIm := matrix.New(n, r), matrix.New(n, r)
			refResidual(wantRe, wantIm, k, 0.3, f, wre, wim)
			re, wholeRe := spread(f)
			im, wholeIm := spread(f)
			complexResidual(re, im, Stored{k}, 0.3, f, wre, wim)
			matrixtest.SameBits(t, "real part", re, wantRe)
			matrixtest.SameBits(t, "imaginary part", im, wantIm)
			mustStaySpread(t, re, wholeRe)
			mustStaySpread(t, im, wholeIm)
			re, im, kre, err := ShiftedResidual(t.Context(), Stored{k}, 0.3, f, wre, wim)
			if err != nil {
				t.Fatal(err)
			}
			matrixtest.SameBits(t, "exported, real part", re, wantRe)
			matrixtest.SameBits(t, "exported, imaginary part", im, wantIm)
			product := must.Get(Product(t.Context(), Stored{k}, wre))(t)
			matrixtest.SameBits(t, "K·Re W", kre, product)
		}
	}
}

// complexResidual sets rre + i·rim to F − (K − iσI)W in doubled precision.
func complexResidual(rre, rim *matrix.Dense, src Source, sigma float64, f, wre, wim *matrix.Dense) {
	_ = shiftedResidual(context.Background(), nil, []*matrix.Dense{rre, rim}, src, sigma, []*matrix.Dense{f}, []*matrix.Dense{wre, wim}, nil)
}

// complexBackward returns the largest normwise backward error of a column.
func complexBackward(k *matrix.Dense, sigma float64, f, re, im *matrix.Dense) float64 {
	n, r := f.Rows, f.Cols
	rre, rim := matrix.New(n, r), matrix.New(n, r)
	complexResidual(rre, rim, Stored{k}, sigma, f, re, im)
	norm := matrix.NormFrobenius(k)
	var worst float64
	for c := range r {
		col := func(a *matrix.Dense) float64 { return matrix.NormFrobenius(a.View(0, c, n, 1)) }
		worst = max(worst, math.Hypot(col(rre), col(rim))/(norm*math.Hypot(col(re), col(im))+col(f)))
	}
	return worst
}

// Positive semidefinite matrices, also singular ones: small growth and a
// backward error of a few u without refinement.
func TestShiftedPositiveSemidefinite(t *testing.T) {
	sizes := []int{1, 2, 10, 60, 150}
	if testing.Short() {
		sizes = sizes[:4]
	}
	for _, n := range sizes {
		for _, d := range []int{1, 3, 200} {
			for _, sigma := range []float64{10, 1e-1, 1e-6, 1e-12} {
				rng := newRand(uint64(n*1000 + d))
				k := randomGram(rng, n, d)
				s := must.Get(FactorShifted(context.Background(), k.Clone(), sigma))(t)
				if s.Growth() < 1 || s.Growth() > 2 {
					t.Errorf("n = %d, d = %d, σ = %g: growth %g, want 1 … 2", n, d, sigma, s.Growth())
				}
				f := randomMatrix(rng, n, 3)
				re, im := f.Clone(), matrix.New(n, 3)
				s.Solve(re, im)
				// Rounding errors of chains of length n grow like √n.
				bound := 4 * math.Sqrt(float64(n)) * unit
				if b := complexBackward(k, sigma, f, re, im); b > bound {
					t.Errorf("n = %d, d = %d, σ = %g: backward error %.1f u, want at most %.1f u", n, d, sigma, b/unit, bound/unit)
				}
			}
		}
	}
}

// shiftSpectrum returns a symmetric matrix with eigenvalues down to about -9.
func sigmoidLike(n int) *matrix.Dense {
	rng := newRand(5)
	x := randomMatrix(rng, n, 2)
	k := matrix.New(n, n)
	for i := range n {
		for j := range n {
			k.Set(i, j, math.Tanh(2*(x.At(i, 0)*x.At(j, 0)+x.At(i, 1)*x.At(j, 1))-1))
		}
	}
	return k
}

// Indefinite matrices: growth may be large, refinement brings the backward error
// to u.
func TestShiftedIndefinite(t *testing.T) {
	ctx := context.Background()
	n := 60
	k := sigmoidLike(n)
	for _, sigma := range []float64{1e-1, 1e-3, 1e-5, 1e-7, 1e-9} {
		s := must.Get(FactorShifted(ctx, k.Clone(), sigma))(t)
		f := randomMatrix(newRand(6), n, 2)
		re, im := f.Clone(), matrix.New(n, 2)
		s.Solve(re, im)
		before := must.Get(s.Refine(ctx, Stored{k}, f, re, im, nil, 0))(t)
		after := must.Get(s.Refine(ctx, Stored{k}, f, re, im, nil, 2))(t)
		t.Logf("σ = %g: growth %.3g, backward error %.2g u, refined %.2g u", sigma, s.Growth(), before.Backward/unit, after.Backward/unit)
		if s.Growth() > 10*matrix.NormFrobenius(k)/sigma {
			t.Errorf("σ = %g: growth %g above ‖K‖/σ", sigma, s.Growth())
		}
		// The rounding of W alone makes u/2.
		if after.Backward > 2*unit {
			t.Errorf("σ = %g: backward error %.2g u after refinement, want at most 2 u", sigma, after.Backward/unit)
		}
		if b := complexBackward(k, sigma, f, re, im); b > after.Backward {
			t.Errorf("σ = %g: Refine reports a backward error of at most %g, it is %g", sigma, after.Backward, b)
		}
	}
}

func TestShiftedErrors(t *testing.T) {
	ctx := context.Background()
	for _, sigma := range []float64{0, -1, math.Inf(1), math.Inf(-1), math.NaN(), 1e-320, 1e-200, 1e200} {
		_, err := FactorShifted(ctx, identity(3), sigma)
		if e, ok := errors.AsType[*ShiftError](err); !ok || !equalBits(e.Sigma, sigma) {
			t.Errorf("σ = %g: error %v, want a *ShiftError with σ", sigma, err)
		}
	}
	k := identity(3)
	k.Set(2, 1, 1e200)
	var shift *ShiftError
	if _, err := FactorShifted(ctx, k, 1); !errors.As(err, &shift) || shift.MaxAbs != 1e200 {
		t.Errorf("entry 1e200: error %v, want a *ShiftError", err)
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		k := identity(3)
		k.Set(0, 2, bad)
		if _, err := FactorShifted(ctx, k.Clone(), 1); err != nil {
			t.Errorf("%v in the unread triangle: %v", bad, err)
		}
		k.Set(2, 1, bad)
		var e *matrix.NotFiniteError
		if _, err := FactorShifted(ctx, k, 1); !errors.As(err, &e) || e.Row != 2 || e.Col != 1 {
			t.Errorf("%v in (2, 1): error %v, want a *matrix.NotFiniteError", bad, err)
		}
	}
	// Indefinite with an overflow: 2^500 / 2^-500 · 2^500.
	k = matrix.New(2, 2)
	k.Set(1, 0, 0x1p500)
	must.Refuse[*ShiftError](FactorShifted(ctx, k, 0x1p-500))(t, "overflowing factors")
}

// The zero matrix is a valid K: K − iσI = −iσI.
func TestShiftedZero(t *testing.T) {
	s := must.Get(FactorShifted(context.Background(), matrix.New(4, 4), 0.5))(t)
	re, im := identity(4), matrix.New(4, 4)
	s.Solve(re, im)
	for i := range 4 {
		for j := range 4 {
			want := 0.0
			if i == j {
				want = 2 // 1/(−iσ) = i/σ
			}
			if re.At(i, j) != 0 || im.At(i, j) != want {
				t.Fatalf("(%d, %d) is %g + %g i", i, j, re.At(i, j), im.At(i, j))
			}
		}
	}
	must.Equal(t, "growth", s.Growth(), 1)
}
