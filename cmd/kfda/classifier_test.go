package main

import (
	"context"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/cases"
	"github.com/seed92411348/kfda/internal/explain"
)

// mixed writes rows of two classes, far more of n than of p, whose values
// overlap.
func mixed(t *testing.T) string {
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("x,y,label\n")
	for i := range 120 {
		label, shift, spread := "n", 0.0, 1.0
		if i%6 == 0 {
			label, shift, spread = "p", 1.5, 1.6
		}
		b.WriteString(strconv.FormatFloat(shift+spread*rng.NormFloat64(), 'g', 6, 64) + "," +
			strconv.FormatFloat(rng.NormFloat64(), 'g', 6, 64) + "," + label + "\n")
	}
	return writeBytes(t, "mixed.csv", []byte(b.String()))
}

// countOf returns how many of the predictions are of the class.
func countOf(predicted []string, class string) int {
	n := 0
	for _, p := range predicted {
		if p == class {
			n++
		}
	}
	return n
}

// score counts what predict gets wrong, with every classifier, and the decision
// value has the sign of the prediction.
func TestClassifiers(t *testing.T) {
	file := mixed(t)
	var labels []string
	for i := range 120 {
		labels = append(labels, map[bool]string{true: "p", false: "n"}[i%6 == 0])
	}
	seen := map[string]string{}
	for _, c := range []struct{ args, want string }{
		{"", "gaussian"},
		{"--classifier centroid", "centroid"},
		{"--classifier gaussian --leave-one-out=false", "gaussian"},
		{"--classifier gaussian-per-class", "gaussian(per-class)"},
		{"--classifier knn", "knn(k=5)"},
		{"--classifier knn --neighbors 3", "knn(k=3)"},
	} {
		model := filepath.Join(t.TempDir(), "m")
		args := append([]string{"fit", file, "--kernel", "linear", "--json", "-o", model}, strings.Fields(c.args)...)
		if r := object(t, works(t, args...)); r["classifier"] != c.want {
			t.Errorf("%q: classifier %v, want %s", c.args, r["classifier"], c.want)
		}
		out := works(t, "predict", model, file, "--decision-values")
		predicted := predictions(t, out)
		wrong := 0
		for i, line := range strings.Split(strings.TrimSuffix(out, "\n"), "\n")[1:] {
			v, err := strconv.ParseFloat(strings.Split(line, ",")[2], 64)
			if err != nil || c.want != "centroid" && (v > 0) != (predicted[i] == "p") {
				t.Errorf("%q: line %q", c.args, line)
			}
			if predicted[i] != labels[i] {
				wrong++
			}
		}
		if r := object(t, works(t, "score", model, file, "--json")); r["errors"] != float64(wrong) {
			t.Errorf("%q: score counts %v errors, predict makes %d", c.args, r["errors"], wrong)
		}
		if before, ok := seen[out]; ok {
			t.Errorf("%q predicts like %q: the data do not tell them apart", c.args, before)
		}
		seen[out] = c.args
	}
	for words, args := range map[string]string{
		"--classifier \"tree\"":      "--classifier tree",
		"--neighbors does not apply": "--neighbors 3",
		"--neighbors 0":              "--classifier knn --neighbors 0",
		"--priors do not matter":     "--classifier centroid --priors 0.5,0.5",
	} {
		fails(t, statusUsage, []string{words}, append([]string{"fit", file, "-o", os.DevNull}, strings.Fields(args)...)...)
	}
	fails(t, statusData, []string{"--classifier knn(k=200): want at most as many"}, "fit", file, "--classifier", "knn", "--neighbors", "200", "-o", os.DevNull)
	three := cases.File(t, "86-labels-after-load/train.csv")
	model := fitted(t, three)
	fails(t, statusData, []string{model, "--decision-values needs two classes, and there are 5"}, "predict", model, three, "--decision-values")
}

// A larger prior moves the threshold so that more rows are of its class.
func TestPriors(t *testing.T) {
	dir := t.TempDir()
	file := mixed(t)
	predict := func(args ...string) []string {
		model := filepath.Join(dir, "m")
		works(t, append([]string{"fit", file, "--kernel", "linear", "-o", model}, args...)...)
		return predictions(t, works(t, "predict", model, file))
	}
	last := -1
	for _, p := range []string{"0.9,0.1", "0.5,0.5", "0.1,0.9", "0.001,0.999"} {
		got := countOf(predict("--priors", p), "p")
		if got <= last {
			t.Errorf("priors %s: %d rows of class p, not more than the %d of a smaller prior", p, got, last)
		}
		last = got
	}
	if !slices.Equal(predict("--priors", "p=0.7, n=0.3"), predict("--priors", "0.3,0.7")) {
		t.Error("named priors differ from those in class order")
	}
	shares := predict("--priors", "n="+strconv.FormatFloat(100.0/120, 'g', -1, 64)+",p="+strconv.FormatFloat(20.0/120, 'g', -1, 64))
	if !slices.Equal(shares, predict("--classifier", "gaussian")) {
		t.Error("the shares of the rows as priors differ from none")
	}
	for text, words := range map[string]string{
		"0.5":               "1 numbers for 2 classes: n, p",
		"0.2,0.3,0.5":       "3 numbers for 2 classes",
		"0.5,0.6":           "sum to",
		"0,1":               "above 0",
		"nan,0.5":           "above 0",
		"n=0.5":             "class p is missing",
		"n=0.5,n=0.5":       "class n stands twice",
		"n=0.5,q=0.5":       `"q=0.5" is neither`,
		"n=half,p=0.5":      `"half" is not a number`,
		"n=0.5,p=0.5,n=0.5": "stands twice",
	} {
		fails(t, statusUsage, []string{"--priors " + text, words}, "fit", file, "--priors", text, "-o", os.DevNull)
	}
}

func TestParsePriors(t *testing.T) {
	classes := []string{"a", "a,b", "a=1"}
	got, err := parsePriors("a=1=0.25,a,b=0.25,a=0.5", classes)
	if want := []float64{0.5, 0.25, 0.25}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	if got, err := parsePriors(" 0.5, 0.25 ,0.25", classes); err != nil || !slices.Equal(got, []float64{0.5, 0.25, 0.25}) {
		t.Errorf("%v, %v", got, err)
	}
}

// More neighbours than rows are refused with what to change; the default of few rows, all of
// them, is said.
func TestCase132NeighboursOfFewRows(t *testing.T) {
	const rows = "x,y,class\n0,0,p\n0,1,p\n1,0,p\n5,5,q\n5,6,q\n6,5,q\n"
	model := filepath.Join(t.TempDir(), "m")
	const refused = "want at most as many neighbours as the 4 training rows; give a smaller --neighbors"
	if r := kfda(t, rows, "cv", "-", "--folds", "3", "--classifier", "knn", "--neighbors", "5"); r.status != statusData || !strings.Contains(r.err, refused) {
		t.Errorf("%+v", r)
	}
	const notice = "all 4 training rows are neighbours of every row"
	if r := kfda(t, rows, "cv", "-", "--folds", "3", "--classifier", "knn"); r.status != statusOK || !strings.Contains(r.err, notice) {
		t.Errorf("%+v", r)
	}
	if r := kfda(t, rows, "cv", "-", "--folds", "3", "--classifier", "knn", "--neighbors", "3"); r.status != statusOK || strings.Contains(r.err, "neighbours") {
		t.Errorf("%+v", r)
	}
	few := rows[:strings.Index(rows, "5,6,q")] // four
	if r := kfda(t, few, "fit", "-", "--classifier", "knn", "-o", model); !strings.Contains(r.err, notice) || !strings.Contains(r.out, "knn(k=4)") {
		t.Errorf("%+v", r)
	}
}

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
		r, inspected := wholeWay(t, model, c.args, 5)
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
		says(t, inspected, "\nmachines     3, supported by ")
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
		if has, remedy := explain.Machines(c.m); has != (c.want != "") || has && remedy != c.want {
			t.Errorf("%T: machines %v, %s", c.m, has, remedy)
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
