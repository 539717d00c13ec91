package main

import (
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
)

// Support vector machines go the whole way: fit, inspect, project, predict and score.
func TestMachines(t *testing.T) {
	const wine = "demo/wine.csv"
	model := filepath.Join(t.TempDir(), "m")
	for _, c := range []struct {
		args, method, classifier string
		price                    float64
	}{
		{"--model svm", "svm", "", 1},
		{"--model svm --C 10 --kernel poly --degree 2 --tolerance 1e-6", "svm", "", 10},
		{"--model svm --scale minmax --weights class_1=2,class_0=1,class_2=1 --probability", "svm", "", 1},
		{"--classifier svm", "kfda", "svm(C=1, kernel=rbf(", 1},
		{"--classifier svm --C 3 --probability", "kfda", "svm(C=3, kernel=rbf(", 3},
		{"--model lda --classifier svm --weights 1,2,1", "lda", "svm(C=1, kernel=rbf(", 1},
		{"--model kpca --components 5 --classifier svm", "kpca", "svm(C=1, kernel=rbf(", 1},
	} {
		args := append([]string{"fit", wine, "--rows", "0::2", "--json", "-o", model}, strings.Fields(c.args)...)
		r := object(t, works(t, args...))
		if r["method"] != c.method || !strings.HasPrefix(r["classifier"].(string), c.classifier) {
			t.Errorf("%q: method %v, classifier %v", c.args, r["method"], r["classifier"])
		}
		machines := r["machines"].(map[string]any)
		pairs := machines["pairs"].([]any)
		if machines["C"] != c.price || len(pairs) != 3 || !(machines["support"].(float64) < 89) {
			t.Errorf("%q: machines %v", c.args, machines)
		}
		for _, p := range pairs {
			if gap := p.(map[string]any)["gap"].(float64); !(gap <= machines["tolerance"].(float64)) {
				t.Errorf("%q: gap %v, tolerance %v", c.args, gap, machines["tolerance"])
			}
		}
		if weights := machines["weights"]; (weights != nil) != strings.Contains(c.args, "weights") {
			t.Errorf("%q: weights %v", c.args, weights)
		} else if weights != nil && weights.([]any)[1] != 2. {
			t.Errorf("%q: weights %v in class order, want 2 for the second", c.args, weights)
		}
		if r := object(t, works(t, "score", model, wine, "--rows", "1::2", "--json")); r["errors"].(float64) > 5 {
			t.Errorf("%q: %v errors", c.args, r["errors"])
		}
		works(t, "project", model, wine, "--with-labels")
		if out := works(t, "inspect", model); !strings.Contains(out, "\nmachines     3, supported by ") {
			t.Errorf("%q: inspect prints\n%s", c.args, out)
		}
		if strings.Contains(c.args, "--probability") {
			works(t, "predict", model, wine, "--posteriors")
		} else {
			fails(t, statusData, []string{"svm", "fit it with --probability"}, "predict", model, wine, "--posteriors")
		}
	}

	for words, args := range map[string]string{
		"--C 0: want a number above 0":                                      "--model svm --C 0",
		"--tolerance -1":                                                    "--classifier svm --tolerance -1",
		"Tolerance = 2":                                                     "--model svm --tolerance 2",
		"--C is for --model svm and --classifier svm":                       "--C 2",
		"--probability is for":                                              "--classifier knn --probability",
		"--C does not apply to --model ridge":                               "--model ridge --C 2",
		"--ridge does not apply to --model svm":                             "--model svm --ridge 1",
		"--classifier does not apply to --model svm":                        "--model svm --classifier knn",
		"--components does not apply to --model svm":                        "--model svm --components 2",
		"--priors do not matter to --classifier svm":                        "--classifier svm --priors 0.5,0.25,0.25",
		"--weights 1,2: 2 numbers for 3 classes":                            "--model svm --weights 1,2",
		"--weights 1,0,1: every weight, and C times it, must be a positive": "--model svm --weights 1,0,1",
		"the class class_2 is missing":                                      "--model svm --weights class_0=1,class_1=1",
	} {
		fails(t, statusUsage, []string{words}, append([]string{"fit", wine, "-o", os.DevNull}, strings.Fields(args)...)...)
	}
	fails(t, statusData, []string{"the machine of the classes class_0 and class_1 violates its conditions by", "--tolerance of 1e-300"},
		"fit", wine, "--model", "svm", "--tolerance", "1e-300", "-o", os.DevNull)
	fails(t, statusData, []string{"--scale standard helps"}, "fit", wine, "--model", "svm", "--scale", "none", "--tolerance", "1e-300", "-o", os.DevNull)
	fails(t, statusData, []string{"demo/wine.csv: 5 of 5 folds have no result; fold 0: the machine of the classes class_0 and class_", "--scale standard helps"},
		"cv", wine, "--model", "svm", "--scale", "none", "--tolerance", "1e-300")
}

// A column that only numbers the rows keeps a linear machine on unscaled columns busy
// for a long time. The user is told why, and what to do, and can stop it.
func TestLongTraining(t *testing.T) {
	defer func(d time.Duration) { machinePatience = d }(machinePatience)
	machinePatience = 0
	numbered := writeTable(t, 400, 3, func(i, j int) float64 {
		if j == 0 {
			return float64(1000000 + i*7919%100003)
		}
		return math.Sin(float64(i * (j + 1)))
	})
	for _, args := range [][]string{
		{"fit", numbered, "--model", "svm", "--kernel", "linear", "--scale", "none", "-o", os.DevNull},
		{"cv", numbered, "--model", "svm", "--kernel", "linear", "--scale", "none"},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		told := &toldWriter{words: "--scale standard helps", tell: cancel}
		if status := run(ctx, args, nil, io.Discard, told); status != statusInterrupted {
			t.Errorf("%q: status %d, told %q", args, status, told.text.String())
		}
		cancel()
	}
	// Where nothing is to be gained by scaling it is not recommended, and where there
	// are no machines there is nothing to say.
	for _, c := range []struct {
		m    method
		want string
	}{
		{discriminant.SVM{Scaling: discriminant.Standard}, "a larger --tolerance or a smaller --C helps"},
		{discriminant.SVM{Kernel: gram.Precomputed{}}, "a larger --tolerance or a smaller --C helps"},
		{discriminant.LDA{Classifier: discriminant.NearestCentroid{}}, ""},
		{discriminant.KernelRidge{}, ""},
	} {
		if has, scaled := machinesOf(c.m); has != (c.want != "") || has && (!scaled || remedyForMachines(c.m) != c.want) {
			t.Errorf("%T: machines %v, scaled %v: %s", c.m, has, scaled, remedyForMachines(c.m))
		}
	}
}

// toldWriter calls tell once the words have been written to it.
type toldWriter struct {
	mu    sync.Mutex
	text  strings.Builder
	words string
	tell  func()
}

func (w *toldWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text.Write(p)
	if strings.Contains(w.text.String(), w.words) {
		w.tell()
	}
	return len(p), nil
}
