package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/discriminant/cv"
)

// For each model the errors of the candidates are those that cv counts with their
// settings, the best is the first with the fewest, and the model that is written is that
// of fit with the settings of the best.
func TestTuneOtherModels(t *testing.T) {
	const wine = "demo/wine.csv"
	rows := []string{"--rows", "0::3"}
	for _, c := range []struct {
		model, flags, parameter string
		candidates              int
	}{
		{"svm", "", "C", 7 * 5},
		{"svm", "--probability --criterion log-loss --weights 1,2,1", "C", 7 * 5},
		{"ridge", "", "", 7 * 6},
		{"lda", "--classifier gaussian --priors 0.2,0.3,0.5", "shrink", 7},
		{"kpca", "--components 3,1 --classifier knn --neighbors 3", "components", 7 * 2},
	} {
		path, other := filepath.Join(t.TempDir(), "m"), filepath.Join(t.TempDir(), "other")
		args := append([]string{"tune", wine, "--model", c.model, "--scale", "minmax", "--folds", "3", "--json", "-o", path}, rows...)
		r := object(t, works(t, append(args, strings.Fields(c.flags)...)...))
		search := r["search"].(map[string]any)
		candidates := search["candidates"].([]any)
		if len(candidates) != c.candidates || search["folds"] != "3 stratified folds, seed 0" || r["method"] != c.model {
			t.Errorf("%s %s: %d candidates in %v of a model %v", c.model, c.flags, len(candidates), search["folds"], r["method"])
		}
		compared, of := "errors", "errors"
		if strings.Contains(c.flags, "log-loss") {
			compared, of = "score", "log_loss"
		}
		at := int(search["best"].(float64))
		for i, d := range candidates {
			v, least := d.(map[string]any)[compared].(float64), candidates[at].(map[string]any)[compared].(float64)
			if d.(map[string]any)["failed"] == nil && (v < least || v == least && i < at) {
				t.Errorf("%s: candidate %d has %v, the best, %d, %v", c.model, i, v, at, least)
			}
		}
		settings := func(d map[string]any) []string {
			flags := append([]string{wine, "--model", c.model, "--scale", "minmax"}, rows...)
			for _, f := range strings.Fields(strings.ReplaceAll(c.flags, "--components 3,1", "")) {
				if f != "--criterion" && f != "log-loss" {
					flags = append(flags, f)
				}
			}
			if c.model != "lda" {
				flags = append(flags, "--gamma", number(d["gamma"]))
			}
			if d["parameter"] == nil {
				return append(flags, "--relative-ridge", number(d["ridge"]))
			}
			if d["parameter"] != c.parameter {
				t.Errorf("%s: the parameter is %v", c.model, d["parameter"])
			}
			if d["value"] == nil {
				return flags // no shrinkage
			}
			return append(flags, "--"+c.parameter, number(d["value"]))
		}
		for i := 0; i < len(candidates); i += 13 {
			d := candidates[i].(map[string]any)
			if d["failed"] != nil {
				continue
			}
			e := object(t, works(t, append([]string{"cv", "--folds", "3", "--json"}, settings(d)...)...))
			if e["errors"] != d["errors"] || e[of] != d[compared] {
				t.Errorf("%s: candidate %v, cv says %v errors and %v", c.model, d, e["errors"], e[of])
			}
		}
		works(t, append([]string{"fit", "-o", other}, settings(candidates[at].(map[string]any))...)...)
		if a, b := works(t, "project", path, wine), works(t, "project", other, wine); a != b {
			t.Errorf("%s: the projections of the best are not those of a fit with its settings", c.model)
		}
		m := load(t, path)
		var record cv.Record
		if text, _ := m.Note(cv.RecordNote); record.UnmarshalText([]byte(text)) != nil || len(record.Candidates) != len(candidates) {
			t.Errorf("%s: the model's record has %d candidates, want %d", c.model, len(record.Candidates), len(candidates))
		}
	}
}

// What tune prints of other models: a grid a scaling, the best marked once, and those
// that failed with the reason.
func TestTuneOtherModelsIsReadable(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m")
	for args, words := range map[string][]string{
		"--model svm --scale none,standard":   {"scaled: none; wrong rows by gamma (down) and C (across)\n               0.1", "scaled: standard;", "of 70 candidates", "\nC            "},
		"--model lda":                         {"scaled: minmax; wrong rows by shrink\n", "of 21 candidates", "\nmethod       lda"},
		"--model ridge --scale standard":      {"and relative ridge (across)", "of 42 candidates", " relative)\n"},
		"--model kpca --scale minmax":         {"and components (across)", "  32\n", "\ncomponents   "},
		"--model kpca --components 2,60":      {"  -", "\nfailed       scaling none, gamma ", "components 60, and 20 more: fold 0: --components 60: at most 29, for 30 rows span no more dimensions\n"},
		"--model lda --criterion balanced":    {" (0."},
		"--model svm --balanced --scale none": {" (0."},
	} {
		out := works(t, append([]string{"tune", "demo/wine.csv", "--rows", "0::4", "--folds", "3", "-o", model}, strings.Fields(args)...)...)
		says(t, out, words...)
		if strings.Count(out, "*") != 1 {
			t.Errorf("%q: the best is not marked once in\n%s", args, out)
		}
	}
}

func TestTuneOtherModelsErrors(t *testing.T) {
	const wine = "demo/wine.csv"
	for words, args := range map[string]string{
		"--model \"qda\": want one of kfda, svm, ridge, lda, kpca, all":                   "--model qda",
		"--regularizer does not apply to tune --model svm":                                "--model svm --regularizer rkhs",
		"--C does not apply to tune --model svm, which searches the scaling, gamma and C": "--model svm --C 1",
		"--C is for --classifier svm; tune --model svm searches C itself":                 "--C 1",
		"unknown flag: --gamma: tune searches it":                                         "--gamma 1",
		"unknown flag: --kernel: tune searches the gamma of the kernel rbf":               "--kernel poly",
		"--classifier does not apply to tune --model ridge":                               "--model ridge --classifier knn",
		"--refinements does not apply to tune --model lda":                                "--model lda --refinements 1",
		"--components does not apply to tune --model kfda":                                "--components 2",
		"--components \"2,0\": want numbers of components":                                "--model kpca --components 2,0",
		"--tolerance 0: want a number above 0":                                            "--model svm --tolerance 0",
		"--priors do not matter to --classifier centroid":                                 "--model lda --classifier centroid --priors 0.5,0.25,0.25",
		"--weights 1,2: 2 numbers for 3 classes":                                          "--model svm --weights 1,2",
		"--criterion \"luck\"":                                                            "--model svm --criterion luck",
	} {
		fails(t, statusUsage, []string{words}, append([]string{"tune", wine}, strings.Fields(args)...)...)
	}
	fails(t, statusUsage, []string{"unknown flag: --group: a fit has no folds; 'kfda cv' and 'kfda tune' take --group"}, "fit", wine, "--group", "hue", "-o", "m")
	model := filepath.Join(t.TempDir(), "m")
	unchanged(t, model, func() {
		fails(t, statusData, []string{"none of the 21 candidates has a result", "at most "},
			"tune", wine, "--model", "kpca", "--components", "170", "--rows", "0::4", "-o", model)
	})
	rare := writeBytes(t, "rare.csv", []byte("x,label\n1,a\n2,a\n3,b\n4,b\n5,solo\n"))
	fails(t, statusData, []string{"rare.csv", "class solo has 1 row"}, "tune", rare, "--model", "lda")
	same := writeBytes(t, "same.csv", []byte("x,label\n1,a\n1,a\n1,b\n1,b\n"))
	fails(t, statusData, []string{"same.csv"}, "tune", same, "--model", "svm")
}

// cv and tune heed --weights as fit does: a class whose rows weigh next to nothing is
// given up.
func TestWeightsCount(t *testing.T) {
	for _, args := range [][]string{
		{"cv", "demo/wine.csv", "--model", "svm"},
		{"cv", "demo/wine.csv", "--classifier", "svm", "--regularizer", "rkhs", "--relative-ridge", "1"},
		{"tune", "demo/wine.csv", "--model", "svm", "--scale", "standard"},
		{"tune", "demo/wine.csv", "--classifier", "svm", "--scale", "standard", "--refinements", "0"},
	} {
		args = append(args, "--rows", "0::4", "--folds", "2", "--json")
		plain := object(t, works(t, args...))
		weighted := object(t, works(t, append(args, "--weights", "1,1,1e-9")...))
		if plain["accuracy"].(float64)-weighted["accuracy"].(float64) < 0.2 {
			t.Errorf("%q: accuracy %v, and %v with a class of no weight", args, plain["accuracy"], weighted["accuracy"])
		}
	}
	fails(t, statusUsage, []string{"--weights 1,2: "}, "cv", "demo/wine.csv", "--model", "svm", "--weights", "1,2")
}
