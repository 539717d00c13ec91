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

// checkLeading checks pairs against the complete decomposition.
func checkLeading(t *testing.T, a *matrix.Dense, p *Pairs, k int) {
	t.Helper()
	n := a.Rows
	all, _ := must.Get2(Eigen(context.Background(), a.Clone()))(t)
	norm := math.Max(math.Abs(all[0]), math.Abs(all[n-1]))
	tolerance := 40 * math.Sqrt(float64(n)) * unit * norm // of the method, and of the norm's estimate
	if len(p.Values) != k || p.Vectors.Rows != n || p.Vectors.Cols != k {
		t.Fatalf("%d values and %d×%d vectors", len(p.Values), p.Vectors.Rows, p.Vectors.Cols)
	}
	for i, v := range p.Values {
		if !(math.Abs(v-all[i]) <= tolerance) {
			t.Errorf("eigenvalue %d is %.17g, want %.17g", i, v, all[i])
		}
	}
	r := matrix.Mul(nil, a, matrix.NoTrans, p.Vectors, matrix.NoTrans)
	for i := range n {
		for j := range k {
			r.Set(i, j, r.At(i, j)-p.Vectors.At(i, j)*p.Values[j])
		}
	}
	for j := range k {
		if e := columnNorm(j, r); !(e <= tolerance) {
			t.Errorf("pair %d: residual %g, want at most %g", j, e, tolerance)
		}
	}
	g := matrix.Mul(nil, p.Vectors, matrix.Transposed, p.Vectors, matrix.NoTrans)
	for i := range k {
		g.Set(i, i, g.At(i, i)-1)
	}
	if e := matrix.NormFrobenius(g); !(e <= 30*float64(k)*unit+float64(n)*unit) {
		t.Errorf("‖VᵀV − I‖ is %g u", e/unit)
	}
	if p.Least < all[n-1]-tolerance || p.Complete && p.Least > all[n-1]+tolerance {
		t.Errorf("least eigenvalue %g, want at least %g", p.Least, all[n-1])
	}
}

func TestLeading(t *testing.T) {
	const n = 160
	ofSpectrum := func(f func(i int) float64) func() *matrix.Dense {
		return func() *matrix.Dense { return withSpectrum(newRand(10), spectrum(n, f)) }
	}
	gram := func(d int, scale float64) func() *matrix.Dense {
		return func() *matrix.Dense { return scaled(randomGram(newRand(10), n, d), scale) }
	}
	for _, m := range []struct {
		name string
		a    func() *matrix.Dense
		k    int
	}{
		{"random", func() *matrix.Dense { return randomSymmetric(newRand(10), n) }, 5},
		{"fast decay", ofSpectrum(func(i int) float64 { return math.Ldexp(1, -i) }), 8},
		{"slow decay", ofSpectrum(func(i int) float64 { return 1 / float64(1+i) }), 8},
		{"repeated", ofSpectrum(func(i int) float64 { return float64(6 - i/7) }), 8},
		{"largest repeated often", ofSpectrum(func(i int) float64 { return float64(1 - i/50) }), 8},
		{"clustered", ofSpectrum(func(i int) float64 {
			if i < 20 {
				return 1 + 1e-12*float64(i)
			}
			return 1 / float64(i)
		}), 8},
		{"cluster as wide as the tolerance", ofSpectrum(func(i int) float64 {
			if i < 30 {
				return 1 + 1e-14*float64(i)
			}
			return 1 / float64(i-28)
		}), 7},
		{"rank three", gram(3, 1), 8},
		{"negative definite", ofSpectrum(func(i int) float64 { return -1 - float64(i) }), 4},
		{"leading ones relatively close", ofSpectrum(func(i int) float64 { return -float64(1 + i*i) }), 20},
		{"one positive", ofSpectrum(func(i int) float64 { return 1 - float64(i) }), 4},
		{"zero", func() *matrix.Dense { return matrix.New(n, n) }, 4},
		{"identity", func() *matrix.Dense { return identity(n) }, 4},
		{"large", gram(200, 1e300), 4},
		{"small", gram(200, 1e-300), 4},
		{"tridiagonal", func() *matrix.Dense { return secondDifference(n) }, 4},
	} {
		if testing.Short() && !slices.Contains([]string{"fast decay", "rank three", "zero"}, m.name) {
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			a := m.a()
			p := must.Get(Leading(context.Background(), a.Clone(), m.k))(t)
			if p.Complete {
				t.Error("all pairs were computed")
			}
			checkLeading(t, a, p, m.k)
		})
	}
}

// Restarts with the smallest basis, and blocks smaller than a multiplicity is.
func TestLeadingRestarts(t *testing.T) {
	const n = 90
	a := withSpectrum(newRand(11), spectrum(n, func(i int) float64 { return math.Pow(0.9, float64(i)) }))
	for i, size := range []krylovSize{{6, 45}, {5, 15}, {5, 20}, {8, 24}} {
		if testing.Short() && i > 0 {
			break
		}
		p, err := leadingInPlace(context.Background(), a.Clone(), 4, size, leadingSteps)
		if err != nil {
			t.Fatalf("%v: %v", size, err)
		}
		checkLeading(t, a, p, 4)
	}
}

// Elements near the limits of the range of float64 give what the matrix scaled by a
// power of two gives, also where eigenvalues are beyond it.
func TestLeadingRange(t *testing.T) {
	for _, n := range []int{30, 60, 160} {
		if testing.Short() && n > 60 {
			break
		}
		a := randomSymmetric(newRand(14), n)
		for j := range n { // a row and column of zeros
			a.Set(7, j, 0)
			a.Set(j, 7, 0)
		}
		_, e := math.Frexp(matrix.MaxAbs(a))
		want := must.Get(Leading(context.Background(), a.Clone(), 4))(t)
		for _, exponent := range []int{1024 - e, 1023 - e, 450, -450, -960} { // the elements keep all digits
			b := a.Clone()
			for i, v := range b.Data {
				b.Data[i] = math.Ldexp(v, exponent)
			}
			p, err := Leading(context.Background(), b.Clone(), 4)
			if err != nil {
				t.Fatalf("n = %d, 2^%d: %v", n, exponent, err)
			}
			for k, v := range want.Values {
				if p.Values[k] != math.Ldexp(v, exponent) {
					t.Errorf("n = %d, 2^%d: eigenvalue %d is %g, want %g·2^%d", n, exponent, k, p.Values[k], v, exponent)
				}
			}
			if p.Residual != want.Residual || p.Norm != math.Ldexp(want.Norm, exponent) || p.Next != math.Ldexp(want.Next, exponent) || p.Least != math.Ldexp(want.Least, exponent) {
				t.Errorf("n = %d, 2^%d: %g, %g, %g, %g; want those of %+v", n, exponent, p.Residual, p.Norm, p.Next, p.Least, want)
			}
			matrixtest.SameBits(t, fmt.Sprintf("n = %d, 2^%d: vectors", n, exponent), p.Vectors, want.Vectors)
		}
	}
}

// What is not finite is refused, and the matrix is as before.
func TestLeadingNotFinite(t *testing.T) {
	for _, n := range []int{30, 150} {
		a := randomSymmetric(newRand(15), n)
		a.Set(20, 9, math.Inf(-1))
		a.Set(9, 20, math.NaN())
		b := a.Clone()
		_, err := Leading(context.Background(), b, 3)
		if e, ok := errors.AsType[*matrix.NotFiniteError](err); !ok || e.Row != 9 || e.Col != 20 || !math.IsNaN(e.Value) {
			t.Errorf("n = %d: error %v", n, err)
		}
		matrixtest.SameBits(t, "the matrix", b, a)
	}
}

// A matrix with gaps between its rows.
func TestLeadingOfView(t *testing.T) {
	const n = 140
	whole := randomSymmetric(newRand(16), n+3)
	a := whole.View(0, 0, n, n)
	want := must.Get(Leading(context.Background(), a.Clone(), 3))(t)
	got := must.Get(Leading(context.Background(), a, 3))(t)
	matrixtest.SameBits(t, "vectors", got.Vectors, want.Vectors)
}

func TestLeadingSmall(t *testing.T) {
	for n := 1; n <= 40; n++ {
		if testing.Short() && n%7 != 1 {
			continue
		}
		a := randomSymmetric(newRand(uint64(n)), n)
		for _, k := range []int{1, (n + 1) / 2, n} {
			p := must.Get(Leading(context.Background(), a.Clone(), k))(t)
			if !p.Complete {
				t.Errorf("n = %d, k = %d: not all pairs were computed", n, k)
			}
			checkLeading(t, a, p, k)
		}
	}
}

func TestLeadingRank(t *testing.T) {
	for _, n := range []int{30, 200} {
		p := must.Get(Leading(context.Background(), randomGram(newRand(12), n, 3), 7))(t)
		if r := p.Above(float64(n) * unit * p.Norm); r != 3 {
			t.Errorf("n = %d: rank %d of a matrix of rank 3: values %v", n, r, p.Values)
		}
		if p.Complete != (n == 30) || p.Complete != (len(p.All) == n) {
			t.Errorf("n = %d: complete: %v, with %d eigenvalues", n, p.Complete, len(p.All))
		}
	}
	p, err := Leading(context.Background(), matrix.New(3, 3), 3)
	if err != nil || p.Above(0) != 0 || p.Residual != 0 {
		t.Errorf("zero: %+v, %v", p, err)
	}
}

// Where the steps do not suffice all pairs are computed, also of a matrix that was scaled.
func TestLeadingOfAllAfterTooManySteps(t *testing.T) {
	const n, k = 150, 3
	for _, scale := range []float64{1, 0x1p600, 0x1p-600} {
		a := scaled(randomSymmetric(newRand(17), n), scale)
		want := must.Get(complete(context.Background(), a, k))(t)
		whole := matrix.New(n, n+3)
		view := whole.View(0, 0, n, n)
		view.CopyFrom(a)
		for name, pairs := range map[string]func() (*Pairs, error){
			"whole":     func() (*Pairs, error) { return leading(context.Background(), a.Clone(), k, 5) },
			"with gaps": func() (*Pairs, error) { return leading(context.Background(), view, k, 5) },
		} {
			got, err := pairs()
			if err != nil {
				t.Fatalf("%s, times %g: %v", name, scale, err)
			}
			if !got.Complete || !slices.Equal(got.All, want.All) || got.Residual != want.Residual || got.Next != want.Next {
				t.Errorf("%s, times %g: values %v, want %v", name, scale, got.Values, want.Values)
			}
			matrixtest.SameBits(t, name+": vectors", got.Vectors, want.Vectors)
		}
	}
}

func TestLeadingLimit(t *testing.T) {
	a := randomSymmetric(newRand(13), 200)
	_, err := leadingInPlace(context.Background(), a.Clone(), 4, krylovSize{8, 40}, 1)
	must.Fail[*NotConvergedError](t, "one step", err)
	for _, k := range []int{0, 201} {
		got := matrixtest.PanicText(func() { Leading(context.Background(), a.Clone(), k) })
		if want := fmt.Sprintf("solve: Leading: %d pairs of a 200×200 matrix", k); got != want {
			t.Errorf("%d pairs: no panic %q", k, want)
		}
	}
}
