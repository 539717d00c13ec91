package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/benchmarks/peers/internal/worker"
)

// Every task runs and has finite numbers to check.
func TestTasks(t *testing.T) {
	folder := t.TempDir()
	data := filepath.Join(folder, "numbers")
	x := make([]float64, 1<<20)
	for i := range x {
		x[i] = float64(i*i%1009)/504.5 - 1
	}
	if err := worker.WriteNumbers(data, x); err != nil {
		t.Fatal(err)
	}
	labels := filepath.Join(folder, "labels")
	if err := worker.WriteNumbers(labels, slices.Repeat([]float64{0, 1, 2}, 20)); err != nil {
		t.Fatal(err)
	}
	csv := filepath.Join(folder, "csv")
	if err := os.WriteFile(csv, []byte("1,2,p\n3,4,q\n5,6,q\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	classified := fmt.Sprintf("n=60 d=4 classes=3 gamma=0.5 epsilon=0.1 rows=%s", data)
	tasks := map[string][]string{
		"product":   {"n=20 numbers=" + data},
		"rankk":     {"n=20 numbers=" + data},
		"cholesky":  {"n=20 numbers=" + data},
		"shifted":   {classified},
		"gram":      {"n=20 d=3 gamma=1 numbers=" + data, "n=20 d=3 gamma=1 fresh=1 numbers=" + data},
		"exp":       {"n=16 turns=3 numbers=" + data},
		"pca":       {classified + " components=2"},
		"machine":   {classified + " C=1 labels=" + labels, classified + " kernel=linear C=1 labels=" + labels},
		"transform": {classified + " new=5 turns=2 model=" + filepath.Join(folder, "model") + " alpha=" + filepath.Join(folder, "alpha")},
		"choose":    {classified + " gammas=0.1,1 ridges=3 folds=4 labels=" + labels},
		"read":      {"n=3 d=2 csv=" + csv},
		"fit":       {classified + " method=ridge", classified + " method=rkhs", classified + " method=kernelridge"},
	}
	for name := range program.Tasks {
		if len(tasks[name]) == 0 {
			t.Errorf("%s is not tested", name)
		}
		for _, params := range tasks[name] {
			var out strings.Builder
			commands := fmt.Sprintf("setup %s %s\nrun 2\ncheck\ndrop\nrun 1\n", name, params)
			if err := program.Serve(strings.NewReader(commands), &out); err != nil {
				t.Fatal(err)
			}
			answers := strings.Split(strings.TrimSpace(out.String()), "\n")
			if len(answers) != 5 || strings.Contains(strings.Join(answers[:4], ""), "error") || !strings.Contains(answers[4], "there is no task") {
				t.Errorf("%s %s answers %q", name, params, answers)
			}
		}
	}
}

// Wrong parameters are answered, not fatal.
func TestWrongParameters(t *testing.T) {
	for command, want := range map[string]string{
		"setup product n=3":                  "the parameter numbers is missing",
		"setup product n=x numbers=/no/such": "invalid syntax",
		"setup product n=3 numbers=/no/such": "no such file",
		"setup nothing":                      "no such task",
		"run 1":                              "there is no task",
		"setup gram n=3 d=1":                 "the parameter numbers is missing",
	} {
		var out strings.Builder
		if err := program.Serve(strings.NewReader(command+"\n"), &out); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is answered by %s, want %q", command, &out, want)
		}
	}
}
