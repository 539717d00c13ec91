package discriminant

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// withWorkers runs f with n workers on at least as many processors.
func withWorkers(n int, f func()) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(n, runtime.GOMAXPROCS(0))))
	defer matrix.SetWorkers(matrix.SetWorkers(n))
	f()
}

// Case same-bits-for-any-worker-count: kernel matrix, KFDA, kernel PCA and kernel
// ridge of a formula-made table, repeatedly and from several goroutines at once.
// Sines differ between platforms and are computed once.
func TestCaseSameBitsForAnyWorkerCount(t *testing.T) {
	n, repeats := 200, 20
	if testing.Short() {
		n, repeats = 60, 2 // fused multiply-adds may be in software
	}
	x, labels := matrix.New(n, 7), make([]int, n)
	for i := range n {
		labels[i] = i % 3
		for j := range 7 {
			x.Set(i, j, math.Sin(1+float64(i)*0.7+float64(j)*1.3)*float64(1+j))
		}
	}
	kernel := gram.RBF{Gamma: 0.1}
	bits := func() string {
		var all bytes.Buffer
		k, err := gram.Matrix(nil, kernel, x)
		if err != nil {
			t.Error(err)
			return ""
		}
		for _, v := range k.Data {
			fmt.Fprintf(&all, "%x ", math.Float64bits(v))
		}
		for _, m := range []Method{KFDA{Kernel: kernel}, KernelPCA{Kernel: kernel, Components: 5}, KernelRidge{Kernel: kernel}} {
			model, err := Fit(context.Background(), m, x, labels)
			if err != nil {
				t.Error(err)
				return ""
			}
			if _, err := model.WriteTo(&all); err != nil {
				t.Error(err)
			}
		}
		return all.String()
	}
	var want string
	withWorkers(1, func() { want = bits() })
	for _, workers := range []int{1, 2, 3, 8, 64} {
		withWorkers(workers, func() {
			for range repeats {
				if bits() != want {
					t.Fatalf("%d workers: other bits", workers)
				}
			}
			var wait sync.WaitGroup
			for range 5 {
				wait.Go(func() {
					if bits() != want {
						t.Errorf("%d workers, five goroutines: other bits", workers)
					}
				})
			}
			wait.Wait()
		})
	}
}

// Case panic-in-a-worker: a user's kernel that panics for one pair can be
// recovered from, one that returns NaN is an error that names the pair, and no
// goroutine is left.
func TestCasePanicInAWorker(t *testing.T) {
	x, codes := blobs(40, 2, 2)
	for i := range x.Rows {
		x.Set(i, 0, float64(i))
	}
	bad := func(a, b []float64) bool { return a[0] == 17 && b[0] == 3 || a[0] == 3 && b[0] == 17 }
	before := runtime.NumGoroutine()
	withWorkers(8, func() {
		for range 20 {
			func() {
				defer func() {
					if r := recover(); r == nil || fmt.Sprint(r) == "" {
						t.Error("the panic did not reach the caller")
					}
				}()
				Fit(context.Background(), KFDA{Kernel: gram.Func{Name: "bad", K: func(a, b []float64) float64 {
					if bad(a, b) {
						panic("pair 17, 3")
					}
					return a[0] * b[0]
				}}}, x, codes)
			}()
			_, err := Fit(context.Background(), KFDA{Kernel: gram.Func{Name: "nan", K: func(a, b []float64) float64 {
				if bad(a, b) {
					return math.NaN()
				}
				return a[0] * b[0]
			}}}, x, codes)
			if kernel, ok := errors.AsType[*gram.NotFiniteError](err); !ok || kernel.Row != 17 || kernel.Col != 3 {
				t.Errorf("a NaN: %v", err)
			}
		}
	})
	goroutinesBackTo(t, before)
}

// goroutinesBackTo waits up to a second for the number of goroutines to come back.
func goroutinesBackTo(t *testing.T, want int) {
	t.Helper()
	for range 100 {
		if runtime.NumGoroutine() <= want {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), want)
}

// Case fused-multiply-add-differs: rank, number of components and labels do not
// depend on how a compiler treats x·y + z; the bits are those of every platform.
func TestCaseFusedMultiplyAdd(t *testing.T) {
	x, _ := matrix.FromRows([][]float64{{0.0, 10.0}, {0.1, 9.0}, {10.0, 0.0}, {9.9, 1.0}})
	labels := []string{"a", "a", "b", "b"}
	for _, scaling := range []Scaling{NoScaling, Standard, MinMax} {
		m := mustFit(t, KFDA{Regularizer: RelativeRidge(1e-3), Scaling: scaling}, x, labels)
		if m.Components() != 1 || DetailsOf(m).Certificate().Rank != 1 {
			t.Errorf("%v: %d components, rank %d", scaling, m.Components(), DetailsOf(m).Certificate().Rank)
		}
		y, err := m.Predict(nil, x)
		if err != nil || y[0] != "a" || y[1] != "a" || y[2] != "b" || y[3] != "b" {
			t.Errorf("%v: predictions %v, error %v", scaling, y, err)
		}
		must.Equal(t, fmt.Sprintf("%v: hash", scaling), modelHash(t, m, x), fusedHashes[scaling])
	}
}

var fusedHashes = map[Scaling]string{NoScaling: "1a0e58579c539ef5", Standard: "039cbb16d66adb51", MinMax: "a55637f2416a264b"}

// A fit of 640 rows is shared among workers, and has the same bits as with one. A
// kernel of the caller's sees how many of them are at work at a time.
func TestSeveralWorkersRun(t *testing.T) {
	if testing.Short() {
		t.Skip("two fits of 640 rows with a kernel in Go")
	}
	x, codes := blobs(640, 4, 3)
	fitWith := func(workers int) (m *Model[int], most int64) {
		var now, seen atomic.Int64
		kernel := gram.Func{Name: "counted", K: func(a, b []float64) float64 {
			n := now.Add(1)
			defer now.Add(-1)
			for most := seen.Load(); n > most && !seen.CompareAndSwap(most, n); most = seen.Load() {
			}
			runtime.Gosched() // lets another worker in, on one processor too
			s := 1.0
			for k, v := range a {
				s = math.FMA(v, b[k], s)
			}
			return s
		}}
		withWorkers(workers, func() { m = mustFit(t, KFDA{Kernel: kernel, Regularizer: RelativeRidge(1e-3)}, x, codes) })
		return m, seen.Load()
	}
	one, alone := fitWith(1)
	four, together := fitWith(4)
	if alone != 1 || together < 2 || together > 4 {
		t.Errorf("%d workers at a time of 1, %d of 4", alone, together)
	}
	if !slices.Equal(DetailsOf(one).Alpha().Data, DetailsOf(four).Alpha().Data) || !slices.Equal(DetailsOf(one).Eigenvalues(), DetailsOf(four).Eigenvalues()) || DetailsOf(one).Certificate() != DetailsOf(four).Certificate() {
		t.Error("4 workers give other bits than 1")
	}
}
