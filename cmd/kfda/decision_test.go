package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mixed writes rows of two classes, far more of n than of p, whose values
// overlap.
func mixed(t *testing.T) string {
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("x,y,label\n")
	for i := range 120 {
		label, shift := "n", 0.0
		if i%6 == 0 {
			label, shift = "p", 1.5
		}
		b.WriteString(strconv.FormatFloat(shift+rng.NormFloat64(), 'g', 6, 64) + "," +
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

// The gaussian decision is the sign of the decision value, score and predict
// agree about it, and the model remembers it.
func TestDecision(t *testing.T) {
	dir := t.TempDir()
	file := mixed(t)
	near, normal := filepath.Join(dir, "near"), filepath.Join(dir, "normal")
	works(t, "fit", file, "--kernel", "linear", "-o", near)
	works(t, "fit", file, "--kernel", "linear", "--decision", "gaussian", "-o", normal)

	byMean := predictions(t, works(t, "predict", near, file))
	bySign := predictions(t, works(t, "predict", normal, file))
	if slices.Equal(byMean, bySign) {
		t.Fatal("both decisions agree on all rows: the data do not tell them apart")
	}
	if got := predictions(t, works(t, "predict", near, file, "--decision", "gaussian")); !slices.Equal(got, bySign) {
		t.Error("predict --decision gaussian differs from a model of fit --decision gaussian")
	}
	if got := predictions(t, works(t, "predict", normal, file, "--decision", "centroid")); !slices.Equal(got, byMean) {
		t.Error("predict --decision centroid differs from a model of fit --decision centroid")
	}
	lines := strings.Split(strings.TrimSuffix(works(t, "predict", normal, file, "--decision-values"), "\n"), "\n")
	var labels []string
	for i, line := range lines[1:] {
		v, err := strconv.ParseFloat(strings.Split(line, ",")[2], 64)
		if err != nil || (v > 0) != (bySign[i] == "p") {
			t.Errorf("line %q: prediction %s", line, bySign[i])
		}
		labels = append(labels, "n")
		if i%6 == 0 {
			labels[i] = "p"
		}
	}
	for _, c := range []struct {
		predicted []string
		args      []string
	}{
		{byMean, []string{near}}, {bySign, []string{normal}},
		{bySign, []string{near, "--decision", "gaussian"}}, {byMean, []string{normal, "--decision", "centroid"}},
	} {
		wrong := 0
		for i, p := range c.predicted {
			if p != labels[i] {
				wrong++
			}
		}
		args := append([]string{"score", c.args[0], file, "--json"}, c.args[1:]...)
		if r := object(t, works(t, args...)); r["errors"] != float64(wrong) {
			t.Errorf("%q: %v errors, but predict makes %d", c.args, r["errors"], wrong)
		}
	}
}

func TestDecisionOfManyClasses(t *testing.T) {
	file := caseFile("86-labels-after-load/train.csv")
	model := fitted(t, file)
	unchanged(t, filepath.Join(t.TempDir(), "m"), func() {
		fails(t, statusData, []string{"two classes", "there are 5"}, "fit", file, "--decision", "gaussian", "-o", model)
	})
	fails(t, statusData, []string{model, "two classes", "there are 5"}, "predict", model, file, "--decision", "gaussian")
	fails(t, statusData, []string{model, "two classes", "there are 5"}, "score", model, file, "--decision", "gaussian")
	fails(t, statusData, []string{"--decision-values", "two classes"}, "predict", model, file, "--decision-values")
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
	if !slices.Equal(shares, predict("--decision", "gaussian")) {
		t.Error("the shares of the rows as priors differ from none")
	}
	if !slices.Equal(predict("--priors", "0.1,0.9", "--decision", "centroid"), predict()) {
		t.Error("priors change the nearest centroid")
	}
	for text, words := range map[string]string{
		"0.5":               "1 numbers for 2 classes: n, p",
		"0.2,0.3,0.5":       "3 numbers for 2 classes",
		"0.5,0.6":           "sum to",
		"0,1":               "above 0",
		"nan,0.5":           "above 0",
		"n=0.5":             "class p lacks",
		"n=0.5,n=0.5":       "class n stands twice",
		"n=0.5,q=0.5":       `"q=0.5" is neither`,
		"n=half,p=0.5":      `"half" is not a number`,
		"n=0.5,p=0.5,n=0.5": "stands twice",
	} {
		fails(t, statusUsage, []string{"--priors " + text, words}, "fit", file, "--priors", text, "-o", os.DevNull)
	}
	three := caseFile("86-labels-after-load/train.csv")
	fails(t, statusData, []string{"two classes", "--decision centroid"}, "fit", three, "--priors", "0.2,0.2,0.2,0.2,0.2", "-o", os.DevNull)
	works(t, "fit", three, "--priors", "0.2,0.2,0.2,0.2,0.2", "--decision", "centroid", "-o", os.DevNull)
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
