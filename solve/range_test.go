package solve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// Matrices and right-hand sides at both ends of the range of float64: the solution is
// refined, and its backward error is what it is in the middle of the range.
func TestRefineAtTheEndsOfTheRange(t *testing.T) {
	ctx := context.Background()
	const n = 5
	k := randomGram(newRand(1), n, n+4)
	k = scaled(k, 0.25/matrix.MaxAbs(k))
	f := randomMatrix(newRand(2), n, 2)
	f = scaled(f, 0.25/matrix.MaxAbs(f))
	measure := func(a, b int, most int) (Refinement, error) {
		at := scaled(scaled(k, math.Ldexp(1, a/2)), math.Ldexp(1, a-a/2))
		c := must.Get(FactorCholesky(ctx, at.Clone()))(t)
		w := scaled(scaled(f, math.Ldexp(1, b/2)), math.Ldexp(1, b-b/2))
		rhs := w.Clone()
		c.Solve(w)
		return c.Refine(ctx, Stored{at}, Known{}, rhs, w, nil, most)
	}
	want, err := measure(0, 0, 3)
	if err != nil || !(want.Backward > 0) {
		t.Fatal(want, err)
	}
	for _, c := range [][2]int{{1025, 1025}, {1025, 0}, {1025, 500}, {1000, 1025}, {0, 1010}, {-900, -900}, {-900, 0}, {-900, 100}, {0, -900}, {0, 1000}} {
		got, err := measure(c[0], c[1], 3)
		if err != nil || c[0] <= 1000 && c[1]-c[0] > -900 && got != want {
			t.Errorf("A times 2^%d, F times 2^%d: %+v, %v, want %+v", c[0], c[1], got, err, want)
		}
		// The largest float64 stands for ‖A‖_F where that is more, here by less than
		// n; W is rounded to subnormal numbers where A is so much larger than F.
		if !(got.Backward > 0 && got.Backward < 4*n*unit) && c[1] >= 500 {
			t.Errorf("A times 2^%d, F times 2^%d: backward error %g", c[0], c[1], got.Backward)
		}
	}
	// Every element of W is within the range, and its norm is not.
	tiny := scaled(identity(n), 0x1p-900)
	c := must.Get(FactorCholesky(ctx, tiny.Clone()))(t)
	w, ones := matrix.New(n, 1), matrix.New(n, 1)
	for i := range n {
		w.Set(i, 0, math.MaxFloat64)
		ones.Set(i, 0, 0x1p124)
	}
	// One residual is u/2 of ‖A‖‖W‖/√n.
	if r, err := c.Refine(ctx, Stored{tiny}, Known{}, ones, w, nil, 0); err != nil || !(r.Backward > 0 && r.Backward < unit) {
		t.Errorf("a norm beyond the range: %+v, %v", r, err)
	}
	// Solutions beyond the range, and what is not finite.
	for _, c := range [][2]int{{-1000, 1000}, {-600, 800}} {
		var e *matrix.NotFiniteError
		if r, err := measure(c[0], c[1], 3); !errors.As(err, &e) {
			t.Errorf("A times 2^%d, F times 2^%d: %+v, %v, want a *matrix.NotFiniteError", c[0], c[1], r, err)
		}
	}
	s := must.Get(FactorShifted(ctx, k.Clone(), 0.1))(t)
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		g := f.Clone()
		g.Set(3, 1, bad)
		var e *matrix.NotFiniteError
		if _, err := s.Refine(ctx, Stored{k}, g, f.Clone(), f.Clone(), nil, 2); !errors.As(err, &e) || e.Row != 3 || e.Col != 1 {
			t.Errorf("F(3, 1) = %v: %v", bad, err)
		}
		if _, err := s.Refine(ctx, Stored{k}, f, f.Clone(), g, nil, 2); !errors.As(err, &e) || e.Row != 3 || e.Col != 1 {
			t.Errorf("Im W(3, 1) = %v: %v", bad, err)
		}
	}
	re, im := scaled(f, 0x1p1020), matrix.New(n, 2)
	rhs := re.Clone()
	s.Solve(re, im)
	if r, err := s.Refine(ctx, Stored{k}, rhs, re, im, nil, 3); err != nil || !(r.Backward > 0 && r.Backward < 2*unit) {
		t.Errorf("shifted, F of 2^1018: %+v, %v", r, err)
	}
}

// Solutions of shifted systems near the ends of the range are those of the middle, times
// powers of two to the last bit. The products of z and D are not in the range.
func TestShiftedSolveOverTheWholeRange(t *testing.T) {
	const n = 12
	rng := newRand(6)
	k := randomSymmetric(rng, n)
	re, im := randomMatrix(rng, n, 3), randomMatrix(rng, n, 3)
	solve := func(a, b int) (x, y *matrix.Dense) {
		s := must.Get(FactorShifted(context.Background(), ldexp(k, a), math.Ldexp(0.3, a)))(t)
		x, y = ldexp(re, b), ldexp(im, b)
		s.Solve(x, y)
		return x, y
	}
	x, y := solve(0, 0)
	for _, e := range [][2]int{{0, 1000}, {0, -900}, {490, 600}, {490, 1015}, {490, -450}, {-480, -600}, {-480, -900}, {-480, 450}} {
		gotX, gotY := solve(e[0], e[1])
		what := fmt.Sprintf("K times 2^%d, B times 2^%d", e[0], e[1])
		matrixtest.SameBits(t, what+": real part", gotX, ldexp(x, e[1]-e[0]))
		matrixtest.SameBits(t, what+": imaginary part", gotY, ldexp(y, e[1]-e[0]))
	}
}

// Times a power of two, as far as that is exact, singular values and vectors are those
// of the matrix times that power. Subnormal matrices of small integers are exact.
func TestSingularValuesOverTheWholeRange(t *testing.T) {
	rng := newRand(5)
	for _, n := range []int{1, 3, 12, 40} {
		a := matrix.New(n, (n+2)/2)
		for i := range a.Data {
			a.Data[i] = float64(rng.IntN(9) - 4)
		}
		for j := range a.Cols / 3 { // dependent columns
			for i := range n {
				a.Set(i, 3*j, a.At(i, 3*j+1))
			}
		}
		a.Set(0, 0, 5)
		want := must.Get(SingularValues(a))(t)
		wantU, wantSVD, wantV, err := SVD(a)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range []int{-1074, -1050, -1000, -665, 665, 1010} {
			at := a.Clone()
			for i, v := range a.Data {
				at.Data[i] = math.Ldexp(v, e)
			}
			got, err := SingularValues(at)
			if err != nil {
				t.Fatalf("2^%d: %v", e, err)
			}
			u, svd, v, err := SVD(at)
			if err != nil {
				t.Fatalf("2^%d: %v", e, err)
			}
			for i := range got {
				if got[i] != math.Ldexp(want[i], e) || svd[i] != math.Ldexp(wantSVD[i], e) {
					t.Errorf("2^%d: value %d is %g and %g, want %g and %g", e, i, got[i], svd[i], math.Ldexp(want[i], e), math.Ldexp(wantSVD[i], e))
				}
			}
			matrixtest.SameBits(t, fmt.Sprintf("U for 2^%d", e), u, wantU)
			matrixtest.SameBits(t, fmt.Sprintf("V for 2^%d", e), v, wantV)
		}
	}
}

// Columns from the top of the range to the bottom, without a rotation that would be as
// small: values of columns that are nearly orthogonal, and vectors that are orthogonal.
func TestSVDOfNormsFarApart(t *testing.T) {
	a := matrix.New(3, 3)
	copy(a.Data, []float64{
		1e308, 2, 1e-250,
		0, 1, 1e-250,
		0, 0, 1e-250,
	})
	// The second column is (0, 1, 0) and the third (0, 0, 1) times 1e-250 but for
	// their parts along those before them.
	want := []float64{1e308, 1, 1e-250}
	values := must.Get(SingularValues(a))(t)
	u, svd, v, err := SVD(a)
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range want {
		if !(math.Abs(values[i]-w) <= 4*unit*w) || !(math.Abs(svd[i]-w) <= 4*unit*w) {
			t.Errorf("value %d is %g and %g, want %g", i, values[i], svd[i], w)
		}
	}
	for _, q := range []*matrix.Dense{u, v} {
		if r := orthonormalRatio(q); !(r < 5) {
			t.Errorf("vectors are orthonormal to %g n u", r)
		}
	}
}

// Columns that grow from first to last and depend on one another but for rounding:
// what the second orthogonalization leaves of one is rounding again.
func TestThinQROfGrowingDependentColumns(t *testing.T) {
	for _, step := range []float64{6, 15} {
		const n, k = 12, 7
		a := matrix.New(n, k)
		rng := newRand(67)
		for i := range n {
			for j := range k {
				v := float64((i*j+i+j)%5 - 2)
				if step > 10 {
					v = rng.NormFloat64() * unit
					if i == j {
						v = 1
					}
				}
				a.Set(i, j, math.Ldexp(v, int(step)*(i+j)))
			}
		}
		q, r := thinQR(a, 0)
		rank := 0
		for j := range k {
			if r.At(j, j) != 0 {
				q.View(0, rank, n, 1).CopyFrom(q.View(0, j, n, 1).Clone())
				rank++
			}
		}
		if o := orthonormalRatio(q.View(0, 0, n, rank)); !(o < 5) {
			t.Errorf("step %g: QᵀQ − I is %.3g n u", step, o)
		}
		u, s, v, err := SVD(a)
		if err != nil {
			t.Fatal(err)
		}
		back := a.Clone()
		matrix.SubMul(back, scaleColumns(u, s), matrix.NoTrans, v, matrix.Transposed)
		if e := matrix.NormFrobenius(back) / matrix.NormFrobenius(a) / (n * unit); !(e < 30) {
			t.Errorf("step %g: ‖A − UΣVᵀ‖ is %.3g n u ‖A‖", step, e)
		}
	}
}

// A steeply graded band: every column is nearly a combination of those before it, and
// two passes over all of them are not enough.
func TestThinQROfSteepBand(t *testing.T) {
	for _, n := range []int{24, 48, 96} {
		a := banded(randomSymmetric(newRand(48), n), 1)
		for i := range n {
			for j := range n {
				a.Set(i, j, math.Ldexp(a.At(i, j), -15*(i+j)/(n/24)))
			}
		}
		q, _ := thinQR(a, topExponent)
		if o := orthonormalRatio(q); !(o < 5) {
			t.Errorf("n = %d: QᵀQ − I is %.3g n u", n, o)
		}
	}
}

// Results beyond the range of float64 are errors.
func TestRangeErrors(t *testing.T) {
	ctx := context.Background()
	for _, n := range []int{4, 40} {
		a := matrix.New(n, n)
		for i := range a.Data {
			a.Data[i] = math.MaxFloat64 // one eigenvalue n times as large
		}
		_, _, errJacobi := Jacobi(a.Clone())
		_, _, errEigen := Eigen(ctx, a.Clone())
		_, errSingular := SingularValues(a)
		_, _, _, errSVD := SVD(a)
		for name, err := range map[string]error{"Jacobi": errJacobi, "Eigen": errEigen, "SingularValues": errSingular, "SVD": errSVD} {
			if e, ok := errors.AsType[*RangeError](err); !ok || e.Size != math.MaxFloat64 {
				t.Errorf("%s, n = %d: error %v, want a *RangeError", name, n, err)
			}
		}
	}
	c := must.Get(FactorCholesky(ctx, scaled(identity(3), 0x1p-1060)))(t)
	var e *RangeError
	if d, err := c.InverseDiagonal(ctx); !errors.As(err, &e) {
		t.Errorf("inverse of a subnormal matrix: %v, %v", d, err)
	}
}

// The bounds of a pair of rows may be so large that the objective overflows while the
// gradient does not.
func TestSMOObjectiveBeyondTheRange(t *testing.T) {
	k := squareOf(2, 1e-300, 0, 0, 1e-300)
	m, err := SMO(context.Background(), denseEntries{k: k}, []bool{true, false}, constant(2, 1.7e308), SMOOptions{})
	var e *IterationLimitError
	if err == nil && (math.IsInf(m.Objective, 0) || math.IsNaN(m.Objective)) || err != nil && !errors.As(err, &e) {
		t.Errorf("%+v, %v", m, err)
	}
}

// Rows of Ψ and Σ of sizes so far apart that the product of an element and one of its
// scales leaves the range: λ is that of rows of one size.
func TestPencilGraded(t *testing.T) {
	const n = 4
	psi, sigma := randomGram(newRand(1), n, 9), randomGram(newRand(2), n, 9)
	want, _ := must.Get2(Pencil(psi, sigma))(t)
	grade := func(a *matrix.Dense) *matrix.Dense {
		b := a.Clone()
		d := []int{-500, 500, 0, -250}
		for i := range n {
			for j := range n {
				b.Set(i, j, math.Ldexp(a.At(i, j), d[i]+d[j]))
			}
		}
		return b
	}
	got, _, err := Pencil(grade(psi), grade(sigma))
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("λ = %v, %v, want %v", got, err, want)
	}
	// And a Ψ of subnormal numbers is none for what comes of it.
	hilbert, small, one := matrix.New(n, n), matrix.New(n, n), matrix.New(n, n)
	for i := range n {
		for j := range n {
			hilbert.Set(i, j, 1/float64(i+j+1))
			one.Set(i, j, float64(5-i-j))
			small.Set(i, j, math.Ldexp(one.At(i, j), -1074))
		}
	}
	want, wantGamma := must.Get2(Pencil(one, hilbert))(t)
	got, gotGamma := must.Get2(Pencil(small, hilbert))(t)
	matrixtest.SameBits(t, "Γ", gotGamma, wantGamma)
	for i := range got {
		must.Equal(t, fmt.Sprintf("λ_%d", i), got[i], math.Ldexp(want[i], -1074))
	}
}

// Every solver that takes a context asks it before it begins, also where there is
// nothing to do.
func TestCancelledBeforeItBegins(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	ctx := context.Background()
	for _, n := range []int{0, 1, 2, 33, 64, 200} {
		k, f := randomGram(newRand(1), n, n+3), randomMatrix(newRand(2), n, 1)
		c := must.Get(FactorCholesky(ctx, k.Clone()))(t)
		s := must.Get(FactorShifted(ctx, k.Clone(), 1))(t)
		solvers := map[string]func() error{
			"FactorCholesky":           func() error { _, err := FactorCholesky(cancelled, k.Clone()); return err },
			"Cholesky.Refine":          func() error { _, err := c.Refine(cancelled, Stored{k}, Known{}, f, f.Clone(), nil, 1); return err },
			"Cholesky.InverseDiagonal": func() error { _, err := c.InverseDiagonal(cancelled); return err },
			"FactorShifted":            func() error { _, err := FactorShifted(cancelled, k.Clone(), 1); return err },
			"Shifted.Refine":           func() error { _, err := s.Refine(cancelled, Stored{k}, f, f.Clone(), f.Clone(), nil, 1); return err },
			"Eigen":                    func() error { _, _, err := Eigen(cancelled, k.Clone()); return err },
			"Product":                  func() error { _, err := Product(cancelled, Stored{k}, f); return err },
		}
		if n > 0 { // the others have no empty problems
			solvers["Leading"] = func() error { _, err := Leading(cancelled, k.Clone(), 1); return err }
			solvers["Lanczos"] = func() error {
				_, err := Lanczos(cancelled, k.Clone(), f, []Shift{{Imag: 1}}, everything)
				return err
			}
			solvers["Reduce"] = func() error { _, err := Reduce(cancelled, k.Clone(), f, []Shift{{Imag: 1}}); return err }
		}
		if n > 1 {
			positive := make([]bool, n)
			positive[0] = true
			solvers["SMO"] = func() error {
				_, err := SMO(cancelled, denseEntries{k: k}, positive, constant(n, 1), SMOOptions{})
				return err
			}
		}
		for name, solver := range solvers {
			if err := solver(); err != context.Canceled {
				t.Errorf("%s, n = %d: error %v, want that of the context", name, n, err)
			}
		}
	}
}
