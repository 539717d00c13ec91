package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/discriminant/cv"
)

// The model that tune writes is that of fit with the best's settings, and keeps
// the record of the search.
func TestTuneFitsTheBest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m")
	r := object(t, works(t, "tune", "demo/wine.csv", "--rows", "0::2", "--scale", "standard", "--json", "-o", path))
	search := r["search"].(map[string]any)
	candidates := search["candidates"].([]any)
	best := candidates[int(search["best"].(float64))].(map[string]any)
	if len(candidates) < 42 || best["scaling"] != "standard" || r["accuracy"].(float64) < 0.95 {
		t.Errorf("the best of %d candidates is %v, accuracy %v", len(candidates), best, r["accuracy"])
	}
	other := filepath.Join(t.TempDir(), "other")
	works(t, "fit", "demo/wine.csv", "--rows", "0::2", "--gamma", number(best["gamma"]), "--relative-ridge", number(best["ridge"]), "-o", other)
	if a, b := works(t, "predict", path, "demo/wine.csv"), works(t, "predict", other, "demo/wine.csv"); a != b {
		t.Error("the predictions of the best are not those of a fit with its settings")
	}
	m, err := loadModel(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	var record cv.Record
	if text, _ := m.Note(cv.RecordNote); record.UnmarshalText([]byte(text)) != nil || len(record.Candidates) != len(candidates) {
		t.Errorf("the model's record has %d candidates, want %d", len(record.Candidates), len(candidates))
	}
}

// number writes a number of a JSON object as a flag.
func number(v any) string { return strconv.FormatFloat(v.(float64), 'g', -1, 64) }

// The search as it is printed: a grid for each scaling, the best marked once.
func TestTuneIsReadable(t *testing.T) {
	out := works(t, "tune", "demo/wine.csv", "--rows", "0::4", "--scale", "none,minmax", "--refinements", "0", "--regularizer", "rkhs", "--folds", "3")
	for _, want := range []string{"3 stratified folds, seed 0", "search, columns scaled: none", "search, columns scaled: minmax", "the best of 84 candidates", "(rkhs, "} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if strings.Count(out, "*") != 1 {
		t.Errorf("the best is not marked once in\n%s", out)
	}
	out = works(t, "tune", "demo/wine.csv", "--rows", "0::4", "--scale", "standard", "--refinements", "0", "--classifier", "gaussian", "--criterion", "auc", "--folds", "3")
	if !strings.Contains(out, " (1.0000)*") {
		t.Errorf("no AUC at the best in\n%s", out)
	}
	fails(t, statusData, []string{"the classifier has no posteriors"}, "tune", "demo/wine.csv", "--criterion", "log-loss", "--scale", "none", "--refinements", "0", "--rows", "0::4")
}

// The score of cv is that of fits and scores fold by fold.
func TestCVIsFitAndScore(t *testing.T) {
	r := object(t, works(t, "cv", "demo/wine.csv", "--classifier", "gaussian", "--folds", "4", "--seed", "3", "--json"))
	if r["n"] != 178.0 || r["errors"].(float64) > 12 || r["log_loss"] == nil || len(r["auc"].([]any)) != 3 || len(r["fold_errors"].([]any)) != 4 {
		t.Errorf("cv prints %v", r)
	}

	// Each row by itself: one fit and one score a row.
	r = object(t, works(t, "cv", "demo/wine.csv", "--rows", "40:80:2", "--each-row", "--json"))
	lines := strings.Split(strings.TrimSpace(read(t, "demo/wine.csv")), "\n")
	wrong := 0.0
	for i := 40; i < 80; i += 2 {
		train := lines[0]
		for k := 40; k < 80; k += 2 {
			if k != i {
				train += "\n" + lines[k+1]
			}
		}
		dir := t.TempDir()
		a, b, model := filepath.Join(dir, "a.csv"), filepath.Join(dir, "b.csv"), filepath.Join(dir, "m")
		write(t, a, train)
		write(t, b, lines[0]+"\n"+lines[i+1])
		works(t, "fit", a, "-o", model)
		wrong += object(t, works(t, "score", model, b, "--json"))["errors"].(float64)
	}
	if r["errors"] != wrong {
		t.Errorf("cv has %v errors, fits and scores have %v", r["errors"], wrong)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Columns of the file divide its rows: groups stay together, and are no features.
func TestFoldsFromColumns(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(read(t, "demo/wine.csv")), "\n")
	lines[0] = "patient,visit," + lines[0]
	for i := range lines[1:] {
		lines[i+1] = "p" + strconv.Itoa(i%20) + "," + strconv.Itoa(i%4) + "," + lines[i+1]
	}
	path := filepath.Join(t.TempDir(), "visits.csv")
	write(t, path, strings.Join(lines, "\n"))
	grouped := object(t, works(t, "cv", path, "--group", "patient", "--ignore", "visit", "--scale", "standard", "--folds", "4", "--json"))
	if grouped["folds"] != "4 folds of whole groups, seed 0" || len(grouped["fold_errors"].([]any)) != 4 || grouped["n"] != 178.0 {
		t.Errorf("folds of groups: %v", grouped)
	}
	given := object(t, works(t, "cv", path, "--fold-column", "visit", "--ignore", "patient", "--scale", "standard", "--json"))
	if given["folds"] != "4 given folds" || given["n"] != 178.0 {
		t.Errorf("given folds: %v", given)
	}
	model := filepath.Join(t.TempDir(), "m")
	tuned := object(t, works(t, "tune", path, "--fold-column", "visit", "--ignore", "patient", "--scale", "standard", "--refinements", "0", "--json", "-o", model))
	if tuned["features"] != 13.0 || tuned["search"].(map[string]any)["folds"] != "4 given folds" {
		t.Errorf("tune prints %v", tuned)
	}
	works(t, "predict", model, "demo/wine.csv") // which has neither column
	fails(t, statusUsage, nil, "cv", path, "--group", "patient", "--fold-column", "visit")
	fails(t, statusUsage, nil, "cv", path, "--each-row", "--fold-column", "visit")
	fails(t, statusData, []string{"there are only 4 groups"}, "cv", path, "--group", "visit", "--ignore", "patient", "--folds", "5")
}

func TestSelectionErrors(t *testing.T) {
	rare := filepath.Join(t.TempDir(), "rare.csv")
	write(t, rare, "x,label\n1,a\n2,a\n3,a\n4,a\n5,b\n6,b\n7,b\n8,solo")
	fails(t, statusData, []string{"rare.csv", "class solo has 1 row"}, "tune", rare)
	fails(t, statusData, []string{"rare.csv", "class solo has 1 row"}, "cv", rare)
	fails(t, statusData, []string{"1 of 8 folds have no result", "fold 7", "class solo"}, "cv", rare, "--each-row")
	write(t, rare, "x,label\n1,a\n2,a\n3,a\n4,a\n5,b\n6,b\n7,b")
	fails(t, statusData, []string{"class b has 3 rows, fewer than the 4 folds; say --folds 3"}, "cv", rare, "--folds", "4")
	for _, args := range [][]string{
		{"tune", "demo/wine.csv", "--scale", "log"}, {"tune", "demo/wine.csv", "-o", "-"}, {"tune", "demo/wine.csv", "--folds", "1"}, {"tune", "demo/wine.csv", "--regularizer", "shrink"},
		{"tune", "demo/wine.csv", "--refinements", "-1"}, {"tune", "demo/wine.csv", "--criterion", "luck"}, {"tune", "demo/wine.csv", "--criterion", "auc", "--balanced"}, {"cv", "demo/wine.csv", "--repeats", "0"}, {"cv", "demo/wine.csv", "--folds", "3", "--each-row"}, {"cv", "demo/wine.csv", "--kernel", "tanh"},
	} {
		fails(t, statusUsage, nil, args...)
	}
	model := filepath.Join(t.TempDir(), "m")
	unchanged(t, model, func() { fails(t, statusData, nil, "tune", rare, "--folds", "4", "-o", model) })
}
