package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/must"
)

// A fit with rows held out is the fit to the other rows, and what it says of those held out is
// what score says of them; inspect shows that, and how tune came to a model.
func TestHoldout(t *testing.T) {
	lines := []string{"a,b,class,y"}
	for i := range 60 {
		lines = append(lines, fmt.Sprintf("%d,%d,%c,%d.5", i*7%13+i%3*4, i*5%11, "pqr"[i%3], i*7%13))
	}
	file := writeBytes(t, "all.csv", []byte(strings.Join(lines, "\n")+"\n"))
	for _, flags := range []string{"fit --label class --ignore y", "fit --target y --ignore class", "fit --label class --weight y", "tune --label class --ignore y --scale none --refinements 0", "tune --target y --ignore class --kernels linear"} {
		f := strings.Fields(flags)
		model := filepath.Join(t.TempDir(), "m")
		args := append([]string{f[0], file, "-o", model, "--holdout", "0.3", "--seed", "5", "--json"}, f[1:]...)
		report := object(t, works(t, args...))
		held := report["held_out"].(map[string]any)
		if held["rows"] != 18.0 || report["rows"] != 42.0 {
			t.Errorf("%s: %v of %v rows are held out", flags, held["rows"], report["rows"])
		}
		rest, out := lines[:1:1], lines[:1:1]
		labels := make([]string, 60) // of one class, for a target
		for i := range labels {
			if strings.Contains(flags, "--label") {
				labels[i] = strings.Split(lines[i+1], ",")[2]
			}
		}
		test := must.Get(cv.Holdout(labels, 0.3, 5))(t).Test(0)
		for i, line := range lines[1:] {
			if slices.Contains(test, i) {
				out = append(out, line)
			} else {
				rest = append(rest, line)
			}
		}
		score := []string{"score", model, writeBytes(t, "out.csv", []byte(strings.Join(out, "\n")+"\n")), "--json"}
		if strings.Contains(flags, "--weight") {
			score = append(score, "--weight", "y")
		}
		scored := object(t, works(t, score...))
		if a := held["weighted_accuracy"]; len(score) > 4 {
			near(t, flags+": weighted accuracy", a, scored["accuracy"].(float64))
			says(t, works(t, "inspect", model), "weighted accuracy")
		}
		if n := held["regression"]; n != nil {
			near(t, flags+": RMSE", n.(map[string]any)["rmse"], scored["rmse"].(float64))
		} else if held["errors"] != scored["errors"] {
			t.Errorf("%s: %v errors, by score %v", flags, held["errors"], scored["errors"])
		}
		if f[0] == "fit" {
			other := fitted(t, writeBytes(t, "rest.csv", []byte(strings.Join(rest, "\n")+"\n")), f[1:]...)
			a, b := object(t, works(t, "inspect", model, "--json")), object(t, works(t, "inspect", other, "--json"))
			if fmt.Sprint(a["training"]) != fmt.Sprint(b["training"]) || fmt.Sprint(a["held_out"]) != fmt.Sprint(held) {
				t.Errorf("%s: training %v, want %v; held out %v", flags, a["training"], b["training"], a["held_out"])
			}
			continue
		}
		shown := object(t, works(t, "inspect", model, "--json"))
		if fmt.Sprint(shown["search"]) != fmt.Sprint(report["search"]) {
			t.Errorf("%s: inspect shows another search than tune", flags)
		}
		says(t, works(t, "inspect", model), "held out", "candidates by ", "searched  ", "in cross-validation, optimistic")
	}
	for words, args := range map[string]string{
		"--holdout and --rows exclude each other": "fit FILE --label class -o m --holdout 0.3 --rows 0::2",
		"--seed is for --holdout":                 "fit FILE --label class -o m --seed 3",
		"want a share above 0":                    "fit FILE --label class -o m --holdout 1.5",
		"--holdout NaN: want a":                   "fit FILE --label class -o m --holdout NaN",
		"not go with --kernel prec":               "fit FILE --label class -o m --holdout 0.5 --kernel precomputed --scale none",
	} {
		fails(t, statusUsage, []string{words}, strings.Fields(strings.ReplaceAll(args, "FILE", file))...)
	}
	// Flags are refused before a table is read; a share that leaves a search too few rows, with one
	// that does not.
	fails(t, statusUsage, []string{"--holdout 2: want a share"}, "fit", "absent.csv", "-o", "m", "--holdout", "2")
	fails(t, statusUsage, []string{"--holdout 2: want a share"}, "tune", "absent.csv", "--holdout", "2")
	twenty := writeBytes(t, "twenty.csv", []byte("x,y\n"+strings.Repeat("1,a\n3,b\n2,a\n4,b\n", 10)))
	fails(t, statusData, []string{"class a has 1 row left for ", "; --holdout 0.999 leaves out 19 of its 20: say --holdout 0.3\n"}, "tune", twenty, "--model", "lda", "--holdout", "0.999")
	fails(t, statusData, []string{"--holdout 0.9 leaves out 18 of its 20: say --holdout 0.3\n"}, "tune", twenty, "--model", "lda", "--nested", "--holdout", "0.9")
}

// score and report of the whole table say that a fit with --holdout has seen most of it.
func TestHoldoutIsRemembered(t *testing.T) {
	for _, f := range [][]string{{"demo/wine.csv", "--label", "label"}, {"demo/wine.csv", "--model", "ridge", "--target", "alcohol"}} {
		model := filepath.Join(t.TempDir(), "m")
		works(t, append([]string{"fit", f[0], "-o", model, "--holdout", "0.3", "--seed", "5"}, f[1:]...)...)
		for rows, told := range map[string]bool{"0::1": true, "1::1": false} {
			var out, errs bytes.Buffer
			if status := run(context.Background(), []string{"score", model, f[0], "--rows", rows}, nil, &out, &errs); status != statusOK {
				t.Fatal(errs.String())
			}
			if strings.Contains(errs.String(), "that --holdout left out") != told {
				t.Errorf("%v, rows %s: %q", f, rows, errs.String())
			}
		}
	}
}
