package gram

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// TestMatrixContext ends the context before, and in the middle of the kernel matrix.
func TestMatrixContext(t *testing.T) {
	const n = 600
	rng := rand.New(rand.NewPCG(1, 2))
	x := matrix.New(n, 3)
	for i := range x.Data {
		x.Data[i] = rng.NormFloat64()
	}
	for _, kernel := range []Kernel{RBF{}, Linear{}, Laplacian{}, Func{K: skew}} {
		e := must.Get(NewEvaluator(kernel, x))(t)
		ctx, cancel := context.WithCancel(context.Background())
		want := must.Get(e.Matrix(nil))(t)
		got := must.Get(e.MatrixContext(ctx, nil))(t)
		for i, v := range want.Data {
			if got.Data[i] != v {
				t.Fatalf("%v: value %d is %v, without a context %v", kernel, i, got.Data[i], v)
			}
		}
		cancel()
		if _, err := e.MatrixContext(ctx, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%v, with the context done: error %v", kernel, err)
		}
	}

	ctx, cancel := context.WithCancel(context.Background())
	var calls atomic.Int64
	e := must.Get(NewEvaluator(Func{K: func(x, y []float64) float64 {
		if calls.Add(1) == 100 {
			cancel()
		}
		return 1
	}}, x))(t)
	if _, err := e.MatrixContext(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("with the context done in the middle: error %v", err)
	}
	// The tiles of all workers that had begun, out of 45.
	if c := calls.Load(); c > 10*side*side {
		t.Errorf("%d values were computed", c)
	}
}
