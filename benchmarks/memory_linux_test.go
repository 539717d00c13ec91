// The race detector multiplies the memory of a process.

//go:build !race

package benchmarks

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
)

// childVariable tells a process that TestFitMemory started what to do.
const childVariable = "KFDA_MEMORY_CHILD"

// TestFitMemory compares the largest memory of a process that loads a table and fits
// with that of one that stops after loading. A fit needs the kernel matrix once, 8n²
// bytes, and at most 15 per cent of that for all else: the panels of the
// factorization, tiles of kernel values, right-hand sides. The ridge on the coefficients
// is fitted in a Krylov space here, whose basis of some n/13 vectors is 8 per cent more.
func TestFitMemory(t *testing.T) {
	if job := os.Getenv(childVariable); job != "" {
		child(t, job)
		return
	}
	if testing.Short() {
		t.Skip("fits of 4000 rows are left to the long tests")
	}
	const n = 4000
	loaded := peakOf(t, fmt.Sprintf("load %d", n))
	for _, fit := range []struct {
		method string
		most   float64
	}{{"ridge", 1.23}, {"rkhs", 1.15}} {
		method, most := fit.method, fit.most
		got := peakOf(t, fmt.Sprintf("%s %d", method, n)) - loaded
		ratio := got / (8 * n * n)
		t.Logf("%s: %.1f MB, %.3f of a kernel matrix", method, got/1e6, ratio)
		if ratio > most {
			t.Errorf("%s, n = %d: %.3f times the memory of the kernel matrix, want at most %.2f", method, n, ratio, most)
		}
	}
}

// peakOf returns the largest memory of a process that does a job, in bytes.
func peakOf(t *testing.T, job string) float64 {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestFitMemory$")
	cmd.Env = append(os.Environ(), childVariable+"="+job)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", job, err, out)
	}
	return 1024 * float64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
}

// child does a job: the kind of fit, or load, and the number of rows.
func child(t *testing.T, job string) {
	var kind, rows string
	if _, err := fmt.Sscan(job, &kind, &rows); err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(rows)
	if err != nil {
		t.Fatal(err)
	}
	x, labels := classes(n, 64, 10)
	kfda := discriminant.KFDA{Kernel: gram.RBF{Gamma: 0.05}}
	switch kind {
	case "load":
		return
	case "ridge":
		kfda.Regularizer = discriminant.RelativeRidge(1e-3)
	case "rkhs":
		kfda.Regularizer = discriminant.RelativeRKHS(1e-3)
	}
	if _, err := discriminant.Fit(context.Background(), kfda, x, labels); err != nil {
		t.Fatal(err)
	}
}
