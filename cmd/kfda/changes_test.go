package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
)

// nileTable is the flow of the Nile at Aswan by year, which falls after 1898.
const nileTable = "../../discriminant/inference/testdata/nile.csv"

func TestChanges(t *testing.T) {
	path := nileTable
	args := []string{"changes", path, "--ids", "year"}
	says(t, works(t, args...), "after row 27 (line 29): year 1898, then 1899", "28 and 72 rows", "flow -0.", "p-value")
	r := object(t, works(t, append(args, "--json")...))
	must.Equal(t, "splits", len(r["curve"].([]any)), 99)
	must.Equal(t, "scores", len(r["scores"].([]any)), 99)
	change := r["changes"].([]any)[0].(map[string]any)
	must.Equal(t, "after", change["after"].(float64), 28)
	must.Equal(t, "row", change["row"].(float64), 27)
	must.Equal(t, "year", fmt.Sprint(change["ids"], change["next_ids"]), "[1898] [1899]")
	must.Equal(t, "p", r["p_permutation"].(float64), 0.001)
	must.Equal(t, "segments", fmt.Sprint(r["segments"]), "[28 72]")
	if score := r["score"].(float64); !(score > r["threshold"].(float64)) || score != r["scores"].([]any)[27] {
		t.Errorf("score %v, threshold %v", score, r["threshold"])
	}
	// The statistic is that of a test of the two segments.
	labelled := filepath.Join(t.TempDir(), "labelled.csv")
	lines := strings.Split(strings.TrimSpace(read(t, path)), "\n")
	for i := range lines {
		lines[i] += map[bool]string{true: ",old", false: ",new"}[i <= 28]
	}
	lines[0] = "year,flow,era"
	write(t, labelled, strings.Join(lines, "\n")+"\n")
	tested := object(t, works(t, "test", labelled, "--ignore", "year", "--permutations", "0", "--json"))
	if want := tested["statistic"].(float64); !(math.Abs(r["statistic"].(float64)/want-1) < 1e-12) {
		t.Errorf("statistic %v, that of a test %v", r["statistic"], want)
	}
	printed := filepath.Join(t.TempDir(), "nile.json")
	write(t, printed, works(t, append(args, "--json")...))
	works(t, "plot", printed, "-o", filepath.Join(t.TempDir(), "nile.svg"))
	later := append(args, "--rows", "28:", "--ids", "1")
	says(t, works(t, later...), "none at a level of 0.05")
	must.Equal(t, "no changes", fmt.Sprint(object(t, works(t, append(later, "--json")...))["changes"]), "[]")
	says(t, kfda(t, "", append(args, "--block", "30")...).err, "can be below 0.17: no change can be found")
	if r := object(t, works(t, append(args, "--permutations", "0", "--json")...)); r["p_permutation"] != nil || r["best"].(map[string]any)["after"] != 28.0 {
		t.Errorf("without permutations: %v", r["best"])
	}
}

func TestChangesRefused(t *testing.T) {
	path := nileTable
	for words, args := range map[string][]string{
		"--level 1: want":        {"--level", "1"},
		"want 0, or 99 or more":  {"--level", "0.01", "--permutations", "98"},
		"--permutations -1":      {"--permutations", "-1"},
		"--block 0: want":        {"--block", "0"},
		"--segment 1: want":      {"--segment", "1"},
		"--ridge 0":              {"--ridge", "0"},
		"changes, which use no":  {"--label", "year"},
		"--target":               {"--target", "flow"},
		"--gamma does not apply": {"--gamma", "1", "--kernel", "linear"},
	} {
		fails(t, statusUsage, []string{words}, append([]string{"changes", path}, args...)...)
	}
	for words, args := range map[string][]string{
		"say --ids year to print it beside the changes, or --ignore year": {},
		"--segment 51: want":               {"--ids", "year", "--segment", "51"},
		"--block 51: want":                 {"--ids", "year", "--block", "51"},
		"3 rows: changes takes at least 4": {"--ids", "year", "--rows", ":3"},
		"say --ids year\nkfda changes":     {},
	} {
		fails(t, statusData, []string{words}, append([]string{"changes", path}, args...)...)
	}
	flat := filepath.Join(t.TempDir(), "flat.csv")
	write(t, flat, "a,b\n"+strings.Repeat("1,2\n", 12))
	fails(t, statusData, []string{"all 12 rows are equal"}, "changes", flat)
	// A column that rises may be a measurement.
	for _, flags := range [][]string{{"--ignore", "flow"}, {"--ids", ""}} {
		says(t, kfda(t, "", append([]string{"changes", path, "--permutations", "0"}, flags...)...).err, "column year rises from row to row, so")
	}
	fails(t, statusUsage, []string{`--ids "": want a value`}, "novelty", path, "--ids", "")
	follow(t, []string{"changes", path, "--permutations", "0"}, 1)
	says(t, works(t, "changes", path, "--ids", "1,year"), "(line 29): year 1898, then 1899; segments")
	two := filepath.Join(t.TempDir(), "two.csv")
	write(t, two, "a,b\n1,2\n2,2\n")
	fails(t, statusData, []string{"2 rows: changes takes at least 4 rows"}, "changes", two)
}
