package main

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
)

// A fit whose kernel matrix does not fit the memory is by conjugate gradients, which the command
// says with what each way takes, and the model does all that others do.
func TestSolverOfLargeFit(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("a fit of 2600 rows is left to the long tests")
	}
	train := writeTable(t, 2600, 3, func(i, j int) float64 { return math.Sin(float64(7*i+3*j)) + float64(i%3) })
	model := filepath.Join(t.TempDir(), "m")
	r, _ := runProcess(t, "fit", train, "--relative-ridge", "0.1", "--max-memory", "100MB", "--json", "-o", model)
	must.Equal(t, "status", r.status, statusOK)
	for _, part := range []string{"by conjugate gradients, for the kernel matrix does not fit the memory: direct 126 MB", "; conjugate gradients 78.4 MB"} {
		if !strings.Contains(r.err, part) {
			t.Errorf("no %q in %s", part, r.err)
		}
	}
	c := object(t, r.out)["certificate"].(map[string]any)
	if c["solver"] != conjugateSolver || !(c["eigenvalue_error"].(float64) < 1e-4) {
		t.Errorf("certificate %v", c)
	}
	direct := filepath.Join(t.TempDir(), "direct")
	works(t, "fit", train, "--relative-ridge", "0.1", "--solver", "direct", "-o", direct)
	got, want := object(t, works(t, "score", model, train, "--json")), object(t, works(t, "score", direct, train, "--json"))
	if off := got["errors"].(float64) - want["errors"].(float64); math.Abs(off) > 5 {
		t.Errorf("%v errors, %v by the kernel matrix", got["errors"], want["errors"])
	}
	for _, args := range [][]string{{"inspect", model}, {"predict", model, train}, {"explain", model, train, "--rows", ":2"}} {
		works(t, args...)
	}
	must.Equal(t, "the fit again", strings.Contains(load(t, model).refitLine(train, model), "--solver conjugate"), true)
}

func TestSolverRefused(t *testing.T) {
	for _, c := range []struct {
		what string
		args string
	}{
		{"--landmarks", "--solver conjugate --landmarks 20"},
		{"want auto, direct or conjugate", "--solver krylov"},
		{"is for --model kfda", "--solver conjugate --model lda"},
		{"rows with weights", "--solver conjugate --class-weight balanced"},
		{"--scatter sum", "--solver conjugate --scatter averaged"},
	} {
		fails(t, statusUsage, []string{"--solver", c.what}, append([]string{"fit", "demo/wine.csv", "-o", "-"}, strings.Fields(c.args)...)...)
	}
	fails(t, statusData, []string{"200000 rows needs", "--rows ::100", "--landmarks 2000"}, "fit", tallTable(t), "--solver", "conjugate", "--max-memory", "1.5GB", "-o", "-")
}
