package main

import (
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
)

// With all rows as landmarks a test is that of the kernel itself; with a few it says how much they leave out.
func TestTestOfLandmarks(t *testing.T) {
	args := []string{"test", "demo/wine.csv", "--permutations", "99", "--accuracy", "--json"}
	all, same := object(t, works(t, args...)), object(t, works(t, append(args, "--landmarks", "500")...))
	for _, name := range []string{"statistic", "d1", "d2", "between", "p_permutation"} {
		if a, b := all[name].(float64), same[name].(float64); !(math.Abs(a-b) <= 1e-8*math.Abs(a)) {
			t.Errorf("%s: %v, want %v", name, b, a)
		}
	}
	must.Equal(t, "correct", same["accuracy"].(map[string]any)["accuracy"].(float64), all["accuracy"].(map[string]any)["accuracy"].(float64))
	must.Equal(t, "landmarks without", all["landmarks"] == nil, true)
	says(t, works(t, "test", "demo/wine.csv", "--permutations", "99", "--landmarks", "20"), "20, which leave out", "p-value")
	says(t, works(t, "novelty", "demo/wine.csv", "demo/wine.csv", "--rows", "0::2", "--new-rows", "1::2", "--together", "--permutations", "99", "--landmarks", "20"), "20, which leave out")
}

// Landmarks are drawn among rows that are set aside, so that the others are what new rows are compared with; or
// they are those of a model. Without new rows all are asked about.
func TestNewRowsOfLandmarks(t *testing.T) {
	args := append([]string{"novelty", "demo/wine.csv", "demo/wine.csv", "--label", "label", "--rows", "0::2", "--new-rows", "1::2", "--landmarks", "10", "--json"}, fixed...)
	r := object(t, works(t, args...))
	must.Equal(t, "training", r["training"].(float64), 89-20)
	must.Equal(t, "set aside", r["set_aside"].(float64), 20)
	must.Equal(t, "exact", r["exact"].(bool), true)
	own := object(t, works(t, append([]string{"novelty", "demo/wine.csv", "--label", "label", "--landmarks", "10", "--json"}, fixed...)...))
	must.Equal(t, "rows", own["n"].(float64), 178)
	must.Equal(t, "exact", own["exact"].(bool), false)

	model := filepath.Join(t.TempDir(), "m.kfda")
	works(t, "fit", "demo/wine.csv", "--rows", "0::3", "--landmarks", "30", "--regularizer", "rkhs", "--ridge", "0.3", "-o", model)
	r = object(t, works(t, "sets", "demo/wine.csv", "demo/wine.csv", "--rows", "1::3", "--new-rows", "2::3", "--settings", model, "--check", "--json"))
	must.Equal(t, "landmarks", r["landmarks"].(map[string]any)["count"].(float64), 30)
	must.Equal(t, "training", r["training"].(float64), 59)
	must.Equal(t, "exact", r["exact"].(bool), true)
	r = object(t, works(t, "sets", "demo/wine.csv", "demo/wine.csv", "--rows", "0::3", "--new-rows", "2::3", "--settings", model, "--json"))
	must.Equal(t, "of the rows of the fit", r["exact"].(bool), false)
}

func TestLandmarksOfSamplesRefuse(t *testing.T) {
	wine := "demo/wine.csv"
	fails(t, statusUsage, []string{"--landmarks -1: want"}, "test", wine, "--landmarks", "-1")
	fails(t, statusUsage, []string{"--kernel precomputed"}, "test", wine, "--landmarks", "5", "--kernel", "precomputed")
	fails(t, statusData, []string{"want 88 at most"}, "sets", wine, wine, "--landmarks", "100")
	fails(t, statusData, []string{"and none of class ", "is left of 178; want fewer"}, "sets", wine, wine, "--landmarks", "88")
	works(t, "sets", wine, wine, "--landmarks", "80", "--target", "ash")
	for _, command := range []string{"test", "novelty"} {
		fails(t, statusData, []string{"positive semidefinite"}, command, wine, "--landmarks", "100", "--kernel", "sigmoid", "--gamma", "5")
	}
	fails(t, statusData, []string{"--landmarks 1000"}, "test", wine, "--max-memory", "10kB")
	fails(t, statusUsage, []string{"--settings"}, "sets", wine, wine, "--landmarks", "5", "--settings", "m")
}

// A row that is wrong is named as in the file, and the rows of a fit through landmarks are known by these.
func TestLandmarksNameRows(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.csv")
	text := "a,b,y\n"
	for i := range 60 {
		value := fmt.Sprint(i % 7)
		if i == 38 {
			value = "-5"
		}
		text += fmt.Sprintf("%s,%d,%c\n", value, i%5, 'p'+rune(i%2))
	}
	write(t, bad, text)
	for _, command := range []string{"novelty", "sets"} {
		fails(t, statusData, []string{"bad.csv:40: row 39, column 1 (a)"}, command, bad, "demo/wine.csv", "--label", "y", "--kernel", "chi2", "--landmarks", "10")
	}
	model := filepath.Join(dir, "m.kfda")
	works(t, "fit", "demo/wine.csv", "--rows", "0::3", "--landmarks", "10", "--regularizer", "rkhs", "--ridge", "0.3", "-o", model)
	r := object(t, works(t, "novelty", "demo/wine.csv", "demo/wine.csv", "--label", "label", "--rows", "1::3", "--new-rows", "0::3", "--settings", model, "--json"))
	must.Equal(t, "exact", r["exact"].(bool), false)
	must.Equal(t, "rows of the fit", r["fitted"].(float64), 10)
}
