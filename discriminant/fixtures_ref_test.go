package discriminant_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/bigref"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

const u = f64.Roundoff

// big is the arithmetic of the reference.
const big = bigref.Default

// blobs returns c Gaussian classes of the given sizes in d dimensions, with
// centres about two standard deviations apart, rows in mixed class order, and
// the class code of each row.
func blobs(seed uint64, d int, sizes ...int) (*matrix.Dense, []int) {
	r := rand.New(rand.NewPCG(seed, 1))
	var codes []int
	for j, l := range sizes {
		for range l {
			codes = append(codes, j)
		}
	}
	r.Shuffle(len(codes), func(i, j int) { codes[i], codes[j] = codes[j], codes[i] })
	centres := matrix.New(len(sizes), d)
	for i := range centres.Data {
		centres.Data[i] = 2 * r.NormFloat64()
	}
	x := matrix.New(len(codes), d)
	for i, j := range codes {
		for k := range d {
			x.Set(i, k, centres.At(j, k)+r.NormFloat64())
		}
	}
	return x, codes
}

// rows returns m Gaussian rows as new points.
func rows(seed uint64, m, d int) *matrix.Dense {
	r := rand.New(rand.NewPCG(seed, 2))
	x := matrix.New(m, d)
	for i := range x.Data {
		x.Data[i] = 2 * r.NormFloat64()
	}
	return x
}

func gramOf(t testing.TB, k gram.Kernel, x *matrix.Dense) *matrix.Dense {
	t.Helper()
	return must.Get(gram.Matrix(nil, k, x))(t)
}

// crossOf returns k(y_i, x_j), rows of y by rows of x.
func crossOf(t testing.TB, k gram.Kernel, y, x *matrix.Dense) *matrix.Dense {
	t.Helper()
	return must.Get(gram.Cross(nil, k, y, x))(t)
}

// mapped returns f applied to every entry.
func mapped(a *matrix.Dense, f func(float64) float64) *matrix.Dense {
	b := a.Clone()
	for i := range b.Data {
		b.Data[i] = f(b.Data[i])
	}
	return b
}

func plus(s float64) func(float64) float64  { return func(v float64) float64 { return v + s } }
func times(s float64) func(float64) float64 { return func(v float64) float64 { return v * s } }

func fit[L discriminant.Label](t testing.TB, method discriminant.Method, x *matrix.Dense, labels []L) *discriminant.Model[L] {
	t.Helper()
	return must.Get(discriminant.Fit(context.Background(), method, x, labels))(t)
}

func project[L discriminant.Label](t testing.TB, m *discriminant.Model[L], x *matrix.Dense) *matrix.Dense {
	t.Helper()
	return must.Get(m.Project(nil, x))(t)
}

func predict[L discriminant.Label](t testing.TB, m *discriminant.Model[L], x *matrix.Dense) []L {
	t.Helper()
	return must.Get(m.Predict(nil, x))(t)
}

// column returns a copy of column j.
func column(a *matrix.Dense, j int) []float64 {
	v := make([]float64, a.Rows)
	for i := range v {
		v[i] = a.At(i, j)
	}
	return v
}

func norm2(x []float64) float64 {
	a := matrix.New(1, len(x))
	copy(a.Data, x)
	return matrix.NormFrobenius(a)
}

// difference returns ‖a − s b‖₂/‖b‖₂.
func difference(a, b []float64, s float64) float64 {
	d := make([]float64, len(a))
	for i := range d {
		d[i] = a[i] - s*b[i]
	}
	return norm2(d) / norm2(b)
}

// upToSign returns the largest, over the columns, of ‖a_k ∓ b_k‖₂/‖b_k‖₂.
func upToSign(t testing.TB, a, b *matrix.Dense) float64 {
	t.Helper()
	if a.Rows != b.Rows || a.Cols != b.Cols {
		t.Fatalf("%d×%d and %d×%d", a.Rows, a.Cols, b.Rows, b.Cols)
	}
	worst := 0.0
	for k := range a.Cols {
		x, y := column(a, k), column(b, k)
		worst = math.Max(worst, math.Min(difference(x, y, 1), difference(x, y, -1)))
	}
	return worst
}

func vector(x []float64) *matrix.Dense {
	return &matrix.Dense{Rows: 1, Cols: len(x), Stride: len(x), Data: x}
}

func finite(a *matrix.Dense) bool { return matrix.CheckFinite(a) == nil }
