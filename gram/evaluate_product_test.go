package gram

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

func gaussianRows(n, d int) *matrix.Dense {
	r := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	x := matrix.New(n, d)
	for i := range x.Data {
		x.Data[i] = r.NormFloat64()
	}
	return x
}

// Products on tiles are those with the whole matrix, centred or not, of one tile and of more,
// with the same bits for one worker and two.
func TestProduct(t *testing.T) {
	for _, n := range []int{1, 5, productSide, productSide + 1, 3*productSide - 7} {
		x, v := gaussianRows(n, 4), gaussianRows(n, 3)
		for _, kernel := range []Kernel{RBF{Gamma: 0.2}, NewPolynomial(2), Func{K: skew}, Precomputed{}} {
			if _, ok := kernel.(Precomputed); ok {
				x = must.Get(Matrix(nil, Linear{}, x))(t)
			}
			e := must.Get(NewEvaluator(kernel, x))(t)
			k := must.Get(e.Matrix(nil))(t)
			c := NewCentring(k)
			for _, centring := range []*Centring{nil, c} {
				if centring != nil {
					k = c.Matrix(nil, k)
				}
				want := matrix.Mul(nil, k, matrix.NoTrans, v, matrix.NoTrans)
				got := must.Get(e.Product(t.Context(), v, centring))(t)
				limit := 0x1p-48 * matrix.NormFrobenius(k) * matrix.NormFrobenius(v)
				for i, w := range want.Data {
					if !(math.Abs(got.Data[i]-w) <= limit) {
						t.Fatalf("%v, n = %d, centred %t: entry %d is %v, want %v", kernel, n, centring != nil, i, got.Data[i], w)
					}
				}
				former := matrix.SetWorkers(1)
				alone := must.Get(e.Product(t.Context(), v, centring))(t)
				matrix.SetWorkers(former)
				must.EqualSlices(t, "the bits of one worker", alone.Data, got.Data)
			}
		}
	}
}

// A value that is not finite is named; a context that is done ends a product.
func TestProductErrors(t *testing.T) {
	const n = productSide + 40
	x, v := gaussianRows(n, 2), gaussianRows(n, 1)
	x.Set(n-3, 0, 1e200)
	_, err := must.Get(NewEvaluator(Linear{}, x))(t).Product(t.Context(), v, nil)
	e := must.Fail[*NotFiniteError](t, "an overflow", err)
	if e.Row != n-3 || e.Col != n-3 {
		t.Errorf("named (%d, %d), want (%d, %[3]d)", e.Row, e.Col, n-3)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := must.Get(NewEvaluator(RBF{Gamma: 1}, x))(t).Product(ctx, v, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	must.Panic(t, "a vector of another length", func() {
		must.Get(NewEvaluator(RBF{Gamma: 1}, x))(t).Product(t.Context(), matrix.New(3, 1), nil)
	})
}

// The factor has the landmarks of Landmarks, and leaves of the diagonal what these do.
func TestPartialFactor(t *testing.T) {
	e := must.Get(NewEvaluator(RBF{Gamma: 0.3}, gaussianRows(300, 3)))(t)
	want := must.Get(e.Landmarks(t.Context(), 40, RPCholesky, 7))(t)
	f, got := must.Get2(e.PartialFactor(t.Context(), 40, 7))(t)
	must.EqualSlices(t, "landmarks", got.Rows, want.Rows)
	k := must.Get(e.Matrix(nil))(t)
	matrix.SubMul(k, f, matrix.NoTrans, f, matrix.Transposed)
	left := 0.0
	for i := range k.Rows {
		left += k.At(i, i)
	}
	if math.Abs(left-got.Left) > 1e-12 {
		t.Errorf("the factor leaves %v of the trace, want %v", left, got.Left)
	}
	for _, i := range got.Rows {
		if off := matrix.MaxAbs(k.View(i, 0, 1, k.Cols)); off > 1e-13 {
			t.Errorf("row %d of a landmark is off by %g", i, off)
		}
	}
	must.Refuse[*ParameterError](func() (*matrix.Dense, error) { f, _, err := e.PartialFactor(t.Context(), 0, 1); return f, err }())(t, "no landmark")
}
