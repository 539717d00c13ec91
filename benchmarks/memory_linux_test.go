// The race detector multiplies the memory of a process.

//go:build !race

package benchmarks

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// childVariable tells a process that one of the tests started what to do.
const childVariable = "KFDA_MEMORY_CHILD"

// TestFitMemory compares the largest memory of a process that loads a table and fits
// with that of one that stops after loading. A fit needs the kernel matrix once, 8n²
// bytes, and some 15 per cent of that for all else: the panels of the
// factorization, tiles of kernel values, right-hand sides. A ridge on the coefficients
// takes 2 per cent more where a Krylov space was tried in vain, as that of 4000 rows
// here, and the vectors of the space, 11 per cent, where it does. The bounds of these
// leave room for one buffer of packed values, 4 MiB, that a worker more may take, and for
// the corrections of the refinement and their sums, 2 per cent. A classifier of rows that are
// left out takes half a matrix for parts of the inverse, as garbage too.
func TestFitMemory(t *testing.T) {
	if job := os.Getenv(childVariable); job != "" {
		child(t, job)
		return
	}
	if testing.Short() {
		t.Skip("fits of 4000 rows are left to the long tests")
	}
	loads := map[float64]float64{} // by the rows
	for _, fit := range []struct {
		method string
		n      float64
		solver string
		most   float64
	}{{"ridge", 4000, "shifted", 1.20}, {"ridge", 5000, "krylov", 1.24}, {"rkhs", 4000, "centred", 1.18}, {"left-out", 4000, "centred", 1.80}} {
		if loads[fit.n] == 0 {
			loads[fit.n] = peakOf(t, fmt.Sprintf("load %v none", fit.n))
		}
		got := peakOf(t, fmt.Sprintf("%s %v %s", fit.method, fit.n, fit.solver)) - loads[fit.n]
		ratio := got / (8 * fit.n * fit.n)
		t.Logf("%s, n = %v, %s: %.1f MB, %.3f of a kernel matrix", fit.method, fit.n, fit.solver, got/1e6, ratio)
		if ratio > fit.most {
			t.Errorf("%s, n = %v: %.3f times the memory of the kernel matrix, want at most %.2f", fit.method, fit.n, ratio, fit.most)
		}
	}
}

// TestSearchMemory does the same for a search with the default settings of garbage
// collection. The kernel matrices of nine tenths of the rows are 0.81 of that of all, and the
// searched one has 1.5 times that besides: vectors, test rows, panels, and garbage. Peaks
// differ by some per cent from run to run.
func TestSearchMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("searches in 1800 rows are left to the long tests")
	}
	const n = 1800
	got := (peakOf(t, fmt.Sprintf("search %d none", n)) - peakOf(t, fmt.Sprintf("load %d none", n))) / (8 * n * n)
	t.Logf("%.3f of a kernel matrix", got)
	if got > 3.2 {
		t.Errorf("%.3f times the memory of the kernel matrix, want at most 3.2", got)
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

// child does a job: load, or the kind of fit, and the number of rows, and the solver
// that the fit must have.
func child(t *testing.T, job string) {
	var kind, solver string
	var n int
	must.Get(fmt.Sscan(job, &kind, &n, &solver))(t)
	x, labels := classes(n, 64, 10)
	kfda := discriminant.KFDA{Kernel: gram.RBF{Gamma: 0.05}}
	switch kind {
	case "load":
		return
	case "search":
		search(t, x, labels)
		return
	case "ridge":
		kfda.Regularizer = discriminant.RelativeRidge(1e-3)
	case "rkhs":
		kfda.Regularizer, kfda.Classifier = discriminant.RelativeRKHS(1e-3), discriminant.NearestCentroid{}
	case "left-out":
		kfda.Regularizer = discriminant.RelativeRKHS(1e-3)
	}
	m := must.Get(discriminant.Fit(context.Background(), kfda, x, labels))(t)
	if got := m.Details().(discriminant.KFDADetails).Certificate().Solver; got != solver {
		t.Fatalf("solver %q, want %q", got, solver)
	}
}

// search is one of two γ, eight ridges and ten folds.
func search(t *testing.T, x *matrix.Dense, labels []int) {
	folds := must.Get(cv.Stratified(labels, 10, 0))(t)
	s := cv.Search{
		Method:   discriminant.KFDA{Regularizer: discriminant.RelativeRidge(1), Classifier: discriminant.NearestCentroid{}},
		Scalings: []discriminant.Scaling{discriminant.NoScaling},
		Gammas:   []float64{0.01, 0.05}, Values: []float64{1e-8, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1, 100},
		Folds: folds,
	}
	must.Get(cv.Tune(context.Background(), s, x, labels))(t)
}
