package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/cases"
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
