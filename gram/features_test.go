package gram

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/internal/bigref"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// TestFeaturesAccuracy compares φ(x)·φ(y) with K̂(x, y) in 500 bits, for landmarks of which
// many are equal or nearly so, with condition numbers up to 1/u.
func TestFeaturesAccuracy(t *testing.T) {
	const n, m = 60, 40
	largest := 0.0
	for c, kernel := range []Kernel{RBF{Gamma: 1}, RBF{Gamma: 1e-2}, RBF{Gamma: 1e-6}, Linear{}, Laplacian{Gamma: 1e-9},
		Polynomial{Gamma: 1, Coef0: 1, Degree: 5}, Cosine{}, Sum{[]Kernel{Linear{}, Scaled{1e-10, RBF{Gamma: 1}}}}} {
		x := random(uint64(c), n, 7, false)
		landmarks := x.View(0, 0, m, 7).Clone()
		rng := rand.New(rand.NewPCG(1, uint64(c)))
		for i := m / 2; i < m; i++ { // near other landmarks, at all distances
			for j, v := range landmarks.Row(i - m/2) {
				landmarks.Set(i, j, v+math.Ldexp(rng.NormFloat64(), -3*(i-m/2)))
			}
		}
		f := must.Get(NewFeatures(t.Context(), kernel, landmarks))(t)
		kept := f.Landmarks()
		must.Equal(t, "landmarks", kept.Rows, f.Dim())
		h := newNystrom(t, must.Get(Matrix(nil, f.Kernel(), kept))(t), must.Get(Cross(nil, f.Kernel(), x, kept))(t))
		phi := matrix.New(n, f.Dim())
		must.Do(t, f.Map(t.Context(), phi, x))
		for i := range n {
			for j := range i + 1 {
				want := h.p.Dot(h.columns[i], h.coef[j])
				got := h.p.Dot(h.p.FromFloats(phi.Row(i)), h.p.FromFloats(phi.Row(j)))
				bound := 4 * float64(f.Dim()+2) * 0x1p-53 * h.size[i] * h.size[j]
				ratio := math.Abs(bigref.Float64(h.p.Sub(got, want))) / bound
				if largest = max(largest, ratio); ratio > 1 {
					t.Fatalf("%v, rows %d and %d: φ·φ = %v, K̂ = %v, bound %g", kernel, i, j, bigref.Float64(got), bigref.Float64(want), bound)
				}
			}
		}
	}
	t.Logf("largest error: %.2g of the bound", largest)
}

// plainFeatures factors the kernel matrix k of landmarks by the documented chains, and leaves
// out those that depend on the ones before.
func plainFeatures(k *matrix.Dense) (kept []int, l *matrix.Dense) {
	l = matrix.New(k.Rows, k.Rows)
	for i := range k.Rows {
		left := k.At(i, i)
		for c, j := range kept {
			s := k.At(i, j)
			for b := range c {
				s = math.FMA(-l.At(len(kept), b), l.At(c, b), s)
			}
			s /= l.At(c, c)
			l.Set(len(kept), c, s)
			left = math.FMA(-s, s, left)
		}
		if left > 0x1p-40*k.At(i, i) {
			l.Set(len(kept), len(kept), math.Sqrt(left))
			kept = append(kept, i)
		} else {
			clear(l.Row(len(kept)))
		}
	}
	return kept, l.View(0, 0, len(kept), len(kept)).Clone()
}

// TestFeaturesPlain compares every kernel, bit for bit, with the plain reference, with some
// equal landmarks and more than a block of them, in rows alone and together, and on any
// number of workers.
func TestFeaturesPlain(t *testing.T) {
	for c, kind := range kinds {
		if !kind.definite {
			continue
		}
		const m, n = 150, 300
		x := random(uint64(c), m+n, 6, kind.nonneg)
		landmarks, x := x.View(0, 0, m, 6), x.View(m, 0, n, 6)
		among, cross := must.Get(Matrix(nil, kind.kernel, landmarks))(t), must.Get(Cross(nil, kind.kernel, x, landmarks))(t)
		kept, l := plainFeatures(among)
		phi := matrix.New(n, len(kept))
		columns := matrix.New(n, len(kept))
		for i := range n {
			for c, j := range kept {
				s := cross.At(i, j)
				columns.Set(i, c, s)
				for b := range c {
					s = math.FMA(-l.At(c, b), phi.At(i, b), s)
				}
				phi.Set(i, c, s/l.At(c, c))
			}
		}
		for _, given := range []bool{false, true} {
			k, y := kind.kernel, landmarks
			if given {
				k, y, x = Precomputed{}, among, columns
			}
			f := must.Get(NewFeatures(t.Context(), k, y))(t)
			name := fmt.Sprintf("%v, %v", kind.kernel, f.Kernel())
			must.EqualSlices(t, name, f.Kept(), kept)
			matrixtest.SameBits(t, name, f.Factor(), l)
			for _, workers := range []int{1, 3} {
				former := matrix.SetWorkers(workers)
				got := matrixtest.NaNs(n, len(kept)+3)
				must.Do(t, f.Map(t.Context(), got.View(0, 1, n, len(kept)), x))
				matrix.SetWorkers(former)
				matrixtest.SameBits(t, name, got.View(0, 1, n, len(kept)).Clone(), phi)
			}
			one := matrix.New(1, len(kept))
			for i := 0; i < n; i += 37 {
				must.Do(t, f.Map(t.Context(), one, x.View(i, 0, 1, x.Cols)))
				matrixtest.SameBits(t, name, one, phi.View(i, 0, 1, len(kept)).Clone())
			}
		}
	}
}

// No landmark that was drawn is left out, however singular their kernel matrix, and what they
// leave of the trace is what the features leave of it.
func TestFeaturesOfLandmarks(t *testing.T) {
	x, count := random(6, 700, 4, false), 300
	if testing.Short() {
		count = 80
	}
	for _, kernel := range []Kernel{RBF{Gamma: 1}, RBF{Gamma: 1e-3}, Laplacian{Gamma: 1}, Polynomial{Gamma: 1, Coef0: 1, Degree: 6}} {
		e := must.Get(NewEvaluator(kernel, x))(t)
		for _, method := range landmarkMethods {
			l := must.Get(e.Landmarks(t.Context(), count, method, 3))(t)
			rows := matrix.New(len(l.Rows), 4)
			for r, i := range l.Rows {
				copy(rows.Row(r), x.Row(i))
			}
			f := must.Get(NewFeatures(t.Context(), kernel, rows))(t)
			must.Equal(t, fmt.Sprintf("%v, %v: landmarks kept", kernel, method), f.Dim(), len(l.Rows))
			phi := matrix.New(700, f.Dim())
			must.Do(t, f.Map(t.Context(), phi, x))
			left := 0.0
			for i := range phi.Rows {
				left += max(0, must.Get(Diag(nil, kernel, x.View(i, 0, 1, 4)))(t)[0]-matrix.SumSquares(phi.Row(i)))
			}
			if math.Abs(left-l.Left) > 1e-12*l.Trace {
				t.Errorf("%v, %v: the features leave %v, the landmarks %v", kernel, method, left, l.Left)
			}
		}
	}
}

func TestFeaturesErrors(t *testing.T) {
	landmarks := random(4, 20, 3, true)
	f := must.Get(NewFeatures(t.Context(), ChiSquared{Gamma: 1}, landmarks))(t)
	dst := matrix.New(2, f.Dim())
	must.Refuse[*ShapeError](0, f.Map(t.Context(), dst, matrix.New(2, 4)))(t, "other columns")
	bad := matrix.New(2, 3)
	bad.Set(1, 2, -1)
	must.Equal(t, "row", must.Refuse[*DomainError](0, f.Map(t.Context(), dst, bad))(t, "a negative feature").Row, 1)
	bad.Set(1, 2, math.NaN())
	must.Refuse[*matrix.NotFiniteError](0, f.Map(t.Context(), dst, bad))(t, "NaN")
	must.Refuse[*IndefiniteError](NewFeatures(t.Context(), Precomputed{}, matrixtest.Rows([]float64{1, 2}, []float64{2, 1})))(t, "an indefinite matrix")

	linear := must.Get(NewFeatures(t.Context(), Linear{}, matrixtest.Rows([]float64{1e200}).View(0, 0, 0, 1)))(t)
	must.Equal(t, "features of no landmarks", linear.Dim(), 0)
	must.Do(t, linear.Map(t.Context(), matrix.New(3, 0), matrix.New(3, 1)))
	linear = must.Get(NewFeatures(t.Context(), Linear{}, matrixtest.Rows([]float64{1e150})))(t)
	rows := matrix.New(600, 1)
	rows.Set(555, 0, 1e200)
	must.Equal(t, "row", must.Refuse[*NotFiniteError](0, linear.Map(t.Context(), matrix.New(600, 1), rows))(t, "overflow").Row, 555)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := linear.Map(ctx, matrix.New(600, 1), matrix.New(600, 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("with the context done: %v", err)
	}
	must.Panic(t, "another shape", func() { linear.Map(t.Context(), matrix.New(2, 1), matrix.New(3, 1)) })
	must.Panic(t, "zero features", func() { new(Features).Map(t.Context(), dst, bad) })
}
