package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
)

// What the commands print is drawn, twice the same, and makes a page that needs nothing else.
func TestAnswers(t *testing.T) {
	halves := []string{"--label", "label", "--rows", "0::2", "--new-rows", "1::2", "--json"}
	for name, c := range map[string]struct {
		args  []string
		texts []string // of the picture
		page  []string
	}{
		"test": {[]string{"test", wineFile, "--gamma", "0.1,1", "--accuracy", "--permutations", "99", "--json"},
			[]string{"wine.csv: do the groups differ?", "statistic T", "permutations", "labels permuted", "as they are: "},
			[]string{"the groups differ at the level of 0.05", "can the groups be told apart?", "interval 0 to 0.037). Corrected for 2 gammas: 0.01. accuracy of rows left out", "kernel rbf(gamma=0.1), ridge", "rbf(gamma=1) statistic"}},
		"together": {append([]string{"novelty", wineFile, wineFile, "--together", "--permutations", "99"}, halves...),
			[]string{"new 89, train 89"}, []string{"no difference between the groups is found"}},
		"novelty": {append([]string{"novelty", wineFile, wineFile}, halves...),
			[]string{"p-value", "level 0.05", "89 training rows"}, []string{"of 89 rows have p-values of at most 0.05", "discoveries"}},
		"own": {[]string{"novelty", wineFile, "--label", "label", "--json"}, []string{"178 training rows"}, []string{"of 178 rows"}},
		"sets": {append([]string{"sets", wineFile, wineFile, "--check"}, halves...),
			[]string{"classes in a set", "class_2", "coverage 0.9", "share that holds the truth"}, []string{"89 sets at a coverage of 0.9: ", "hold the truth"}},
		"unchecked": {append([]string{"sets", wineFile, wineFile}, halves...), []string{"classes in a set"}, []string{"89 sets"}},
		"intervals": {[]string{"sets", wineFile, wineFile, "--target", "ash", "--rows", "0::2", "--new-rows", "1::2", "--check", "--json"},
			[]string{"all rows", "coverage 0.9"}, []string{"89 intervals at a coverage of 0.9: "}},
	} {
		file := filepath.Join(t.TempDir(), name+".json")
		write(t, file, works(t, c.args...))
		svg, texts := plotted(t, file)
		if again, _ := plotted(t, file); again != svg {
			t.Errorf("%s: another picture the second time", name)
		}
		says(t, strings.Join(texts, " "), c.texts...)
		page, text := reported(t, file)
		says(t, text, append(c.page, "What the command said")...)
		for _, foreign := range []string{"http:", "https:", "<script", "@import", "url(", "src=", "NaN"} {
			if strings.Contains(strings.ReplaceAll(page, `xmlns="http://www.w3.org/2000/svg"`, ""), foreign) {
				t.Errorf("%s: the page holds %q", name, foreign)
			}
		}
	}
}

// A picture and page of changes say the rows that the command prints, and how it went.
func TestAnswerOfChanges(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "c.json")
	for _, c := range []struct {
		args    []string
		picture []string
	}{
		{[]string{"--ids", "year"}, []string{"nile.csv: when", "1 change at a level of 0.05, p = 0.001: after row 27 (line 29): year 1898, then 1899.", "fewer than 5 rows", "rows before the split", "score"}},
		{[]string{"--ids", "year", "--rows", "5:"}, []string{"after row 27 (line 29): year 1898, then 1899.", "of those used"}},
		{[]string{"--ids", "1", "--rows", "28:"}, []string{"No change at a level of 0.05: p = 0."}},
		{[]string{"--ids", "year", "--permutations", "0"}, []string{"Best split after row 27 (line 29): year 1898, then 1899; no p-value"}},
	} {
		args := append([]string{"changes", nileTable}, c.args...)
		write(t, file, works(t, append(args, "--json")...))
		_, texts := plotted(t, file)
		says(t, strings.Join(texts, " "), c.picture...)
		_, text := reported(t, file)
		says(t, text, "What the command said", "in their order", "kernel rbf(gamma=", "best split after row")
		for line := range strings.Lines(works(t, args...)) {
			says(t, text, strings.Join(strings.Fields(line), " "))
		}
	}
}

// changesOf is what changes prints, in short.
const changesOf = `{"n": 4, "segment": 2, "level": 0.05, "curve": [1, 2, 1], "scores": [0, 1, 0], "best": {"after": 2, "row": 1, "line": 3}, "changes": []}`

func TestAnswersRefused(t *testing.T) {
	dir := t.TempDir()
	file, out := filepath.Join(dir, "a.json"), filepath.Join(dir, "a.svg")
	for text, words := range map[string]string{
		`{"a": 1}`:                            "want what 'kfda test'",
		`{"search": {}}`:                      "kfda plot search",
		`{"curve": [1`:                        "no whole JSON object",
		`{"curve": [1, 2], "changes": ["x"]}`: "not what 'kfda changes --json' prints: changes is damaged",
		`{"curve": "x", "changes": []}`:       "not what 'kfda changes --json' prints: curve is damaged",
		`{"curve": [1, 2], "scores": [1], "changes": []}`:                             "1 scores of 2 splits",
		strings.Replace(changesOf, "[1, 2, 1]", "[1, 2, null]", 1):                    "curve is null",
		strings.Replace(changesOf, `"level": 0.05`, `"level": null`, 1):               "level is null",
		strings.Replace(changesOf, `"after": 2`, `"after": 7`, 1):                     "a split after 7 of 4 rows",
		`{"curve": [], "changes": []}`:                                                "an empty curve",
		`{"coverage": 0.9, "training": 9, "n": 1, "held": [{"rows": 1, "held": 2}]}`:  `"held" is 2 of 1`,
		`{"coverage": 0.9, "training": 9}`:                                            "without --check",
		`{"level": 0.1, "training": 9, "n": 1, "rows": [{"row": 0, "p_value": 1.5}]}`: `"p_value" is no p-value`,
		`{"statistic": 1, "eigenvalues": [1], "classes": []}`:                         "without --permutations",
		`{"statistic": 1, "eigenvalues": [1], "classes": ["a"]}`:                      "groups without their sizes",
	} {
		write(t, file, text)
		fails(t, statusData, []string{words}, "plot", file, "-o", out)
		if !strings.Contains(words, "without --") {
			fails(t, statusData, []string{words}, "report", file, "-o", filepath.Join(dir, "a.html"))
		}
	}
	one := `{"statistic": 1, "eigenvalues": [1], "classes": [], "permutations": 9, `
	for text, words := range map[string]string{
		`"p_permutation": 0.1}`:                                                             `"p_interval" is no interval`,
		`"p_permutation": 0, "p_interval": [0, 1]}`:                                         `"p_permutation" is no p-value`,
		`"p_permutation": 1, "p_interval": [0, 1], "as_large": 10}`:                         `"as_large" is 10 of 9`,
		`"p_permutation": 1, "p_interval": [0, 1], "null": {"counts": [9, 1]}}`:             `"counts" is 1 of 0`,
		`"null": {"counts": [9]}}`:                                                          `"p_permutation" is not there`,
		`"p_permutation": 1, "p_interval": [0, 1], "null": {"low": -1e308, "counts": [9]}}`: `a number of "low" is -1e+308`,
		`"mmd2": 1}`: `only one of "mmd2" and`,
		`"p_asymptotic": [0.1], "truncated": [1]}`:                                 "differ in number",
		`"accuracy": {"p_permutation": 1}}`:                                        `"p_interval" is no interval`,
		`"tests": [{"p_permutation": 1, "p_interval": [0, 1]}]}`:                   `"p_permutation" of some gammas alone`,
		`"coverage": 0.9, "training": 9, "n": 1, "sizes": [1], "mean_size": 1}`:    `"sizes" or "mean_size" lacks`,
		`"coverage": 0.9, "training": 9, "n": 2, "sizes": [0, 1], "mean_size": 1}`: "1 sets of 2 rows",
	} {
		write(t, file, one+text)
		fails(t, statusData, []string{words}, "plot", file, "-o", out)
		fails(t, statusData, []string{words}, "report", file, "-o", filepath.Join(dir, "a.html"))
	}
	fails(t, statusUsage, []string{"is no JSON", "WHAT MODEL"}, "plot", wineFile, "-o", out)
	fails(t, statusUsage, []string{"is no JSON", "MODEL FILE"}, "report", wineFile, "-o", out)
	fails(t, statusUsage, []string{"ends in"}, "plot", file, "-o", filepath.Join(dir, "a.gif"))
	fails(t, statusUsage, []string{"overwrite"}, "report", file, "-o", file)
	fails(t, statusData, []string{"nosuch"}, "plot", "nosuch", "-o", out)
	if _, err := os.Stat(out); err == nil {
		t.Error("a picture was written")
	}
	r := kfda(t, changesOf, "plot", "-", "-o", out)
	must.Equal(t, "status", r.status, statusOK)
}

// Bins are of equal steps that hold all values, those of ties in the middle.
func TestHistogram(t *testing.T) {
	h := newHistogram([]float64{1, 2, 4, 4}, 0)
	must.Equal(t, "steps", len(h.Counts), histogramSteps)
	must.Equal(t, "first", h.Counts[0], 1)
	must.Equal(t, "last", h.Counts[histogramSteps-1], 2)
	h = newHistogram([]float64{0.25, 0.5, 0.75, 0.75}, 0.25)
	must.EqualSlices(t, "of quarters", h.Counts, []int{1, 1, 2})
	must.Equal(t, "low", h.Low, 0.125)
	same := newHistogram([]float64{3, 3}, 0)
	must.Equal(t, "equal values", same.Counts[0], 2)
	if newHistogram(nil, 0) != nil {
		t.Error("a histogram of nothing")
	}
	many := make([]float64, 500)
	for i := range many {
		many[i] = float64(i) / 500
	}
	for i, n := range newHistogram(many, 1.0/500).Counts[:55] {
		if n != 9 {
			t.Errorf("step %d has %d", i, n)
		}
	}
}
