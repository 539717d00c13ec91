package main

import (
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/cmd/kfda/internal/assess"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/internal/wilson"
)

// visits is a table of patients with several rows each, and weights.
func visits(t *testing.T) string {
	lines := []string{"patient,w,x,y,label"}
	for p := range 12 {
		for i := range 3 {
			u, v := math.Sin(float64(7*p)), math.Cos(float64(5*p+i))/3
			lines = append(lines, fmt.Sprintf("p%d,%d,%.4f,%.4f,%c", p, (p+i)%4, u+v+float64(p%2), v*u, 'a'+rune(p%2)))
		}
	}
	return writeBytes(t, "visits.csv", []byte(strings.Join(lines, "\n")))
}

// What --model all says of each model is what tune --model says of it, nested; the best is the
// first with the least loss, and the model that is written is that of its own search.
func TestTuneAllIsEachModel(t *testing.T) {
	file := visits(t)
	for _, c := range []struct{ flags, models, loss string }{
		{"--ignore patient,w --holdout 0.3 --components 1,2", "kfda,svm,ridge,lda,kpca", "errors"},
		{"--ignore w --group patient --kernels linear,rbf", "kfda,svm,ridge,lda", "errors"},
		{"--ignore patient --weight w --criterion balanced", "kfda,svm,ridge,lda", "balanced_accuracy"},
		{"--ignore patient,w --criterion log-loss --classifier gaussian --refinements 0", "kfda,lda", "log_loss"},
	} {
		model, other := filepath.Join(t.TempDir(), "m"), filepath.Join(t.TempDir(), "other")
		args := append([]string{"tune", file, "--label", "label", "--scale", "standard", "--folds", "3", "--json"}, strings.Fields(c.flags)...)
		all := object(t, works(t, append(args, "--model", "all", "-o", model)...))
		if all["plan"].(map[string]any)["bytes"].(float64) <= 0 {
			t.Errorf("%s: the plan is %v", c.flags, all["plan"])
		}
		var names []string
		best, least := "", math.Inf(1)
		for _, m := range all["models"].([]any) {
			m := m.(map[string]any)
			name := m["model"].(string)
			names = append(names, name)
			var flags []string
			for i := 0; i < len(args); i++ { // a flag goes to the models that take it
				if args[i] == "--components" && name != "kpca" || args[i] == "--kernels" && name == "lda" || args[i] == "--refinements" && name != "kfda" {
					i++
					continue
				}
				flags = append(flags, args[i])
			}
			one := object(t, works(t, append(flags, "--model", name, "--nested", "-o", other)...))
			nested := one["nested"].(map[string]any)
			own := m["nested"].(map[string]any)
			delete(nested, "seconds")
			delete(own, "seconds")
			if !reflect.DeepEqual(own, nested) || !reflect.DeepEqual(m["search"], one["search"]) || m["errors"] != nested["errors"] || math.Abs(m["accuracy"].(float64)-nested["accuracy"].(float64)) > 1e-12 {
				t.Errorf("%s, %s: nested %v, want %v", c.flags, name, own, nested)
			}
			loss := nested[c.loss].(float64)
			if c.loss == "balanced_accuracy" {
				loss = -loss
			}
			if loss < least {
				best, least = name, loss
			}
			if name == all["best"] && (works(t, "project", model, file) != works(t, "project", other, file) || !reflect.DeepEqual(all["held_out"], one["held_out"])) {
				t.Errorf("%s: the model is not that of tune --model %s", c.flags, name)
			}
		}
		if strings.Join(names, ",") != c.models || all["best"] != best {
			t.Errorf("%s: models %v, best %v, want %s", c.flags, names, all["best"], best)
		}
	}
}

// The comparison of two models is that of their predictions: each row by itself, or each group.
func TestTuneAllComparesTheSameRows(t *testing.T) {
	right, wrong := assess.Unit{Size: 1}, assess.Unit{Size: 1, Hits: 1}
	best := &answers{units: []assess.Unit{right, right, right, right, wrong, wrong}}
	for _, c := range []struct {
		units         []assess.Unit
		better, worse int
		p             float64
	}{
		{best.units, 0, 0, 1},
		{[]assess.Unit{wrong, wrong, wrong, wrong, wrong, wrong}, 0, 4, 0.125},
		{[]assess.Unit{wrong, right, right, right, right, wrong}, 1, 1, 1},
		{[]assess.Unit{wrong, {Size: 3, Hits: 2}, right, right, right, wrong}, 1, 2, 1},
	} {
		a := &answers{units: c.units}
		if a.against(best); *a.Versus != (versus{c.better, c.worse, c.p}) {
			t.Errorf("%v: %v", c, *a.Versus)
		}
	}
	// Always the commonest class: of rows and of groups that are of one class Wilson's interval, of
	// rows with weights their share.
	tab := must.Get(table.Read(visits(t), nil, table.Options{Label: "label", Ignore: []string{"w"}, IDs: "patient"}))(t)
	d := &tuneTable{Table: tab, folds: must.Get(cv.Stratified(tab.Labels, 3, 0))(t)}
	check := func(what string, rows int, accuracy float64) {
		c := d.commonest()
		low, high := wilson.Of(rows/2, rows)
		if c.Class != "a" || c.Errors != len(tab.Labels)/2 || math.Abs(c.Accuracy-accuracy) > 1e-12 || math.Abs(c.Within.Low-low)+math.Abs(c.Within.High-high) > 1e-12 {
			t.Errorf("%s: %+v, want %v from %v to %v", what, c.answers, accuracy, low, high)
		}
	}
	check("rows", len(tab.Labels), 0.5)
	d.grouped = true
	check("groups", len(tab.Labels)/3, 0.5)
	d.grouped, d.weights = false, make([]float64, len(tab.Labels))
	d.Weights = d.weights
	for i := range d.weights {
		d.weights[i] = 1 + float64(i/3%2) // class b weighs 2
	}
	if c := d.commonest(); c.Class != "b" || math.Abs(c.Accuracy-2.0/3) > 1e-12 {
		t.Errorf("with weights: %s, %+v", c.Class, c.answers)
	}
}

// The table has a line a model, and says what can't be told apart and which flags are for none.
func TestTuneAllIsReadable(t *testing.T) {
	const wine = "demo/wine.csv"
	out := works(t, "tune", wine, "--rows", "0::4", "--scale", "standard", "--folds", "3", "--model", "all", "--criterion", "balanced")
	says(t, out, "3 stratified folds, seed 0, and searches in the rest of each (nested)", "\nmodel  ", "  wrong: in its search  nested  share (95 % interval)", "balanced accuracy  best of its search\nkfda  ", "\nsvm  ", "\nridge  ", "\nlda  ", "shrink", "\nalways class_", "\nbest  ", ": best balanced accuracy by nested searches", "p = ", "different    always class_")
	if r := kfda(t, "", "tune", wine, "--rows", "0::4", "--scale", "none", "--folds", "2", "--model", "all", "--criterion", "log-loss", "--refinements", "0"); !strings.Contains(r.err, "kfda: not compared by log-loss, for want of probabilities: svm, ridge; --probability gives svm some\n") ||
		!strings.Contains(r.err, "kfda: 2 models, each searched 3 times\n") {
		t.Errorf("told %q", r.err)
	}
	for words, args := range map[string]string{
		"--repeats does not go with --model all":         "--repeats 2",
		"--C is for --classifier svm":                    "--C 2",
		"--criterion auc compares rows":                  "--criterion auc --each-row",
		"--kernels precomputed: there is nothing":        "--kernels precomputed",
		"no kernel \"box\": want":                        "--kernels box",
		"--kernels does not apply to tune --model lda":   "--model lda --kernels rbf",
		"--neighbors does not apply to --classifier svm": "--classifier svm --neighbors 3",
	} {
		if !strings.Contains(args, "--model") {
			args += " --model all"
		}
		fails(t, statusUsage, []string{words}, append([]string{"tune", wine}, strings.Fields(args)...)...)
	}
}

// Each kernel of --kernels is searched as by itself, for each model, and the errors of its
// candidates are those that cv counts.
func TestTuneKernels(t *testing.T) {
	const wine = "demo/wine.csv"
	for _, model := range []string{"kfda", "svm", "ridge", "kpca"} {
		path := filepath.Join(t.TempDir(), "m")
		args := []string{"tune", wine, "--rows", "0::4", "--model", model, "--scale", "minmax", "--folds", "3", "--json"}
		if model == "kpca" {
			args = append(args, "--components", "2,3")
		}
		grid := func(r map[string]any, kernel string) (found []any) {
			for _, c := range r["search"].(map[string]any)["candidates"].([]any) {
				c := c.(map[string]any)
				if name, _, _ := strings.Cut(c["kernel"].(string), "("); name == kernel && c["round"] == 0.0 {
					found = append(found, c)
				}
			}
			return found
		}
		several := object(t, works(t, append(args, "--kernels", "laplacian, linear,poly", "-o", path)...))
		for _, kernel := range []string{"laplacian", "linear", "polynomial"} {
			flag := strings.Replace(kernel, "polynomial", "poly", 1)
			own, want := grid(several, kernel), grid(object(t, works(t, append(args, "--kernels", flag)...)), kernel)
			if model == "kfda" { // of several, one is searched further
				own, want = own[:min(len(own), len(want))], want[:min(len(own), len(want))]
			}
			if len(own) == 0 || model != "kfda" && !reflect.DeepEqual(own, want) {
				t.Errorf("%s: %s has %d candidates, want %d", model, kernel, len(own), len(want))
			}
			c := own[len(own)/2].(map[string]any)
			flags := []string{"cv", wine, "--rows", "0::4", "--model", model, "--scale", "minmax", "--folds", "3", "--json", "--kernel", flag}
			if c["gamma"] != 0.0 {
				flags = append(flags, "--gamma", number(c["gamma"]))
			}
			switch {
			case model == "kpca":
				flags = append(flags, "--components", number(c["value"]))
			case model == "svm":
				flags = append(flags, "--C", number(c["value"]))
			default:
				flags = append(flags, "--relative-ridge", number(c["ridge"]))
			}
			if e := object(t, works(t, flags...)); e["errors"] != c["errors"] {
				t.Errorf("%s: %v, cv counts %v", model, c, e["errors"])
			}
		}
		says(t, works(t, "inspect", path), "kernel laplacian, linear, poly;")
		plotted(t, "search", path)
	}
	out := works(t, "tune", wine, "--rows", "0::4", "--scale", "none", "--kernels", "rbf,linear", "--refinements", "0", "--folds", "3")
	says(t, out, "search, kernel linear, columns scaled: none; wrong rows by relative ridge\n", "search, kernel rbf, columns scaled: none; wrong rows by gamma")
	if strings.Count(out, "*") != 1 {
		t.Errorf("the best is not marked once in\n%s", out)
	}
}

// The nested estimate of a regression is the score of the predictions that each outer fold gets
// from a search in the other rows.
func TestTuneTargetNested(t *testing.T) {
	const wine = "demo/wine.csv"
	lines := strings.Split(strings.TrimSpace(read(t, wine)), "\n")
	parts := [3]string{}
	text := "fold," + lines[0]
	for i, line := range lines[1:61] {
		text += "\n" + strconv.Itoa(i%3) + "," + line
		parts[i%3] += "\n0," + line
	}
	file := writeBytes(t, "t.csv", []byte(text))
	args := []string{"--target", "alcohol", "--ignore", "label", "--kernels", "linear,rbf", "--scale", "standard", "--json"}
	r := object(t, works(t, append([]string{"tune", file, "--fold-column", "fold", "--nested"}, args...)...))
	nested := r["nested"].(map[string]any)
	squares := 0.0
	for k := range 3 {
		rest := "fold," + lines[0]
		for i, line := range lines[1:61] {
			if i%3 != k {
				rest += "\n" + strconv.Itoa(i%3) + "," + line
			}
		}
		model := filepath.Join(t.TempDir(), "m")
		works(t, append([]string{"tune", writeBytes(t, "rest.csv", []byte(rest)), "--fold-column", "fold", "-o", model}, args...)...)
		s := object(t, works(t, "score", model, writeBytes(t, "test.csv", []byte("fold,"+lines[0]+parts[k])), "--json"))
		squares += 20 * s["rmse"].(float64) * s["rmse"].(float64)
	}
	within := nested["intervals"].(map[string]any)["rmse"].(map[string]any)
	got := nested["rmse"].(float64)
	if want := math.Sqrt(squares / 60); math.Abs(got-want) > 1e-12 || !(within["low"].(float64) < got && got < within["high"].(float64)) || nested["folds"] != "3 given folds" || nested["n"] != 60.0 {
		t.Errorf("nested %v, want RMSE %v", nested, want)
	}
	says(t, works(t, append([]string{"tune", file, "--ignore", "label,fold", "--nested"}, "--target", "alcohol", "--kernels", "linear", "--scale", "standard")...), "\nnested       RMSE ", " (95 % interval ", ": the search itself, by 5 folds, seed 0 around it\n")
	fails(t, statusUsage, []string{"want three at least"}, "tune", file, "--target", "alcohol", "--ignore", "label", "--group", "fold", "--folds", "2", "--nested")
}
