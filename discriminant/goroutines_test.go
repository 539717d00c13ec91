package discriminant_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// Case 57-leftover-goroutines, recipe.txt: 500 calls of Gram and fit on 300×5
// with 8 workers, a third normal, a third cancelled after 1 ms, a third failing.
func TestCase57LeftoverGoroutines(t *testing.T) {
	calls, sizes := 500, []int{100, 120, 80}
	if testing.Short() {
		calls, sizes = 11, []int{60, 80, 60}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	defer block.SetWorkers(block.SetWorkers(8))
	x, codes := blobs(57, 5, sizes...)
	bad := x.Clone()
	bad.Set(7, 3, math.NaN())
	kernel := gram.RBF{Gamma: 0.1}
	method := discriminant.KFDA{Kernel: kernel, Regularizer: discriminant.Ridge(1e-3)}
	call := func(ctx context.Context, x *matrix.Dense) error {
		e, err := gram.NewEvaluator(kernel, x)
		if err != nil {
			return err
		}
		if _, err := e.MatrixContext(ctx, nil); err != nil {
			return err
		}
		_, err = discriminant.Fit(ctx, method, x, codes)
		return err
	}
	heap := func() uint64 {
		runtime.GC()
		runtime.GC() // what sync.Pool holds goes with the second one
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	must.Do(t, call(context.Background(), x))
	goroutines, memory := runtime.NumGoroutine(), heap()
	cancelled := 0
	for i := range calls {
		switch i % 3 {
		case 0:
			must.Do(t, call(context.Background(), x))
		case 1:
			ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
			if err := call(ctx, x); errors.Is(err, context.DeadlineExceeded) {
				cancelled++
			} else if err != nil {
				t.Fatalf("cancelled: %v", err)
			}
			cancel()
		case 2:
			var e *matrix.NotFiniteError
			if err := call(context.Background(), bad); !errors.As(err, &e) || e.Row != 7 || e.Col != 3 {
				t.Fatalf("NaN in row 7: %v", err)
			}
		}
	}
	if cancelled == 0 {
		t.Error("no call was cancelled")
	}
	// One second is what the case allows for the last of them to end.
	for end := time.Now().Add(time.Second); runtime.NumGoroutine() > goroutines && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > goroutines {
		t.Errorf("%d goroutines after %d calls, %d before", n, calls, goroutines)
	}
	// Not one kernel matrix is left.
	if m := heap(); m > memory+uint64(6*x.Rows*x.Rows) {
		t.Errorf("%d bytes after %d calls, %d before", m, calls, memory)
	}
}
