package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/cases"
	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/solve"
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
	works(t, "fit", "demo/wine.csv", "--rows", "0::2", "--scale", "standard", "--gamma", number(best["gamma"]), "--relative-ridge", number(best["ridge"]), "-o", other)
	if a, b := works(t, "predict", path, "demo/wine.csv"), works(t, "predict", other, "demo/wine.csv"); a != b {
		t.Error("the predictions of the best are not those of a fit with its settings")
	}
	m := must.Get(loadModel(path, nil))(t)
	var record cv.Record
	if text, _ := m.Note(cv.RecordNote); record.UnmarshalText([]byte(text)) != nil || len(record.Candidates) != len(candidates) {
		t.Errorf("the model's record has %d candidates, want %d", len(record.Candidates), len(candidates))
	}
}

// number writes a number of a JSON object as a flag.
func number(v any) string { return strconv.FormatFloat(v.(float64), 'g', -1, 64) }

// The search as it is printed: a grid for each scaling, the best marked once.
func TestTuneIsReadable(t *testing.T) {
	out := works(t, "tune", "demo/wine.csv", "--rows", "0::4", "--scale", "none,minmax", "--refinements", "0", "--folds", "3")
	for _, want := range []string{"3 stratified folds, seed 0", "search, columns scaled: none", "search, columns scaled: minmax", "the best of 87 candidates", "(rkhs, ", "classifiers  gaussian ", ", centroid ", ", knn(k=5) ", " need --group COLUMN\n"} {
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
	for args, want := range map[string]string{
		"--criterion log-loss --classifier centroid":                       "say --classifier gaussian",
		"--criterion log-loss --model svm":                                 "say --probability",
		"--criterion log-loss --model kpca --classifier svm":               "say --probability",
		"--criterion log-loss --model ridge":                               "--model ridge has none",
		"--criterion auc --model lda --classifier centroid":                "say --classifier gaussian",
		"--criterion auc --model lda --classifier gaussian --each-row":     "--each-row test one",
		"--criterion auc --model lda --rows :130 --each-row --scale none":  "--each-row test one",
		"--criterion log-loss --model lda --priors 1,1,1 --classifier knn": "they sum to 3",
	} {
		fails(t, statusUsage, []string{want}, append([]string{"tune", "demo/wine.csv"}, strings.Fields(args)...)...)
	}
	for _, args := range []string{"--criterion auc --rows :130", "--criterion log-loss --each-row --classifier knn --rows 0::4", "--criterion log-loss --priors class_0=0.2,class_1=0.4,class_2=0.4"} {
		works(t, append([]string{"tune", "demo/wine.csv", "--model", "lda", "--scale", "none"}, strings.Fields(args)...)...)
	}
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
	fails(t, statusData, []string{"1 of 8 folds has no result", "fold 7", "class solo"}, "cv", rare, "--each-row")
	fails(t, statusData, []string{"none of the 126 candidates has a result; of the first: fold 7: none of the rows that it trains on is of class solo"}, "tune", rare, "--each-row")
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

// Errors of a search speak of its own flags, and of folds by the name that the user gave
// them.
func TestSearchErrorsSayWhatToDo(t *testing.T) {
	for words, c := range map[string]struct{ table, args string }{
		"with --scale none there is no gamma to begin with: 1/(d·variance) is too large or too small for float64; scale the columns, as with --scale standard,minmax": {
			"x,label\n1e300,a\n2e300,b\n1e300,a\n2.1e300,b\n1.1e300,a\n2e300,b", "--scale none"},
		"with --scale standard there is no gamma to begin with: all entries are equal": {
			"x,y,label\n1,2,a\n1,2,b\n1,2,a\n1,2,b", "--model svm --scale standard"},
		"the first, with --relative-ridge 1e-08 of 'kfda fit': the within-class scatter is zero up to rounding (every class is a single repeated point), so that a relative ridge has no meaning: fit with an absolute one, --ridge": {
			"x,label\n1,a\n2,b\n1,a\n2,b\n1,a\n2,b", "--regularizer ridge"},
		"fold may: none of the rows that it trains on is of class b": {
			"visit,x,label\njune,1,a\nmay,2,b\njune,3,a\nmay,4,b\nmay,2,a", "--fold-column visit"},
		"for some class no fold tests rows of it and of others": {
			"visit,x,label\n1,1,a\n1,2,a\n2,3,a\n2,4,a\n3,6,b\n3,7,b\n4,8,b\n4,9,b", "--model lda --criterion auc --fold-column visit"},
		"all rows are of one group": {
			"visit,x,label\n1,1,a\n1,2,a\n1,6,b\n1,7,b", "--group visit --folds 2"},
	} {
		path := filepath.Join(t.TempDir(), "t.csv")
		write(t, path, c.table)
		fails(t, statusData, []string{"t.csv: ", words}, append([]string{"tune", path}, strings.Fields(c.args)...)...)
	}
}

// A search whose best has a result in every fold, but none in all rows, says which it was.
func TestBestThatCantBeFitted(t *testing.T) {
	wine, err := table.Read("demo/wine.csv", nil, table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	best := cv.Candidate{Scaling: discriminant.Standard, Gamma: 0.25, Parameter: "C", Value: 10}
	limit := &solve.IterationLimitError{Iterations: 7, Gap: 0.5, Tolerance: 0.25}
	err = (&tuneFlags{}).explain(wine, cv.Search{Method: discriminant.SVM{}}, &cv.BestFitError{Candidate: best, Err: &discriminant.MachineError{First: 0, Second: 2, Err: limit}})
	const want = "wine.csv: the best candidate, scaling standard, gamma 0.25, C 10, can't be fitted to all rows: the machine of the classes class_0 and class_2 violates its conditions by 0.5 after 7 steps"
	if !strings.Contains(err.Error(), want) {
		t.Errorf("%q does not say %q", err, want)
	}
}

// Long work says at the start what it will do and what it needs; the standard output is the same.
func TestLongWorkIsAnnounced(t *testing.T) {
	wine := func(args string) (out, errs string) {
		var o, e bytes.Buffer
		if status := run(context.Background(), append(strings.Fields(args), "demo/wine.csv", "--rows", "0::4", "--header", "--json"), nil, &o, &e); status != statusOK {
			t.Fatalf("%s: status %d, %s", args, status, e.String())
		}
		text, _, _ := strings.Cut(o.String(), `"seconds"`)
		return text, e.String()
	}
	const kfda, lda = "tune --scale none --folds 3", "tune --model lda --scale none --folds 3"
	for args, want := range map[string][]string{
		"cv --folds 3": {"kfda: 3 fits of at most 30 rows need about ", " of memory and ", " floating-point operations; Ctrl-C stops them\n"},
		kfda:           {"kfda: search: 42 candidates in 3 folds of 45 rows are 126 fits, with about ", "kfda: search, shift 1: ", "kfda: refinement 1: ", " candidates in 3 folds", "kfda: classifiers: 1 candidate in 3 folds"},
		lda:            {"kfda: search: 7 candidates in 3 folds of 45 rows are 21 fits, with about "},
	} {
		quiet, none := wine(args)
		old := longFit
		longFit = 1e-3
		out, errs := wine(args)
		longFit = old
		if none != "" || out != quiet || strings.Contains(errs, " of 21 fits") {
			t.Errorf("%s: a short one says %q, and the outputs are\n%s%s", args, none, quiet, out)
		}
		for _, words := range want {
			at := strings.Index(errs, words)
			if at < 0 {
				t.Errorf("%s: %q is not, or not in its place, in\n%s", args, words, errs)
				break
			}
			errs = errs[at+len(words):]
		}
	}
}

// More repeats than could end are refused with what they would cost, before any fold is made.
func TestRepeatsAreBounded(t *testing.T) {
	fails(t, statusUsage, []string{"--repeats 10000000: want at most 20000; for each candidate that would be 50000000 fits, of ", " floating-point operations together, and in all 14.2 GB of memory"}, "cv", "demo/wine.csv", "--repeats", "10000000")
	fails(t, statusUsage, []string{"want at most 17953; ", " in all 598 GB of memory"}, "tune", "demo/wine.csv", "--repeats", "10000000")
	fails(t, statusUsage, []string{"want at most 20000; ", " in all 14.2 GB of memory"}, "tune", "demo/wine.csv", "--model", "lda", "--repeats", "10000000")
	f := foldFlags{folds: 5, repeats: 20000}
	if err := f.checkCost(178, 1, 1); err != nil {
		t.Error(err)
	}
	if f.checkCost(1<<20, 1, 1) == nil {
		t.Error("20000 times the predictions of a million rows are not refused")
	}
}

// Numbers that were searched or found are in the JSON, also those that are 0.
func TestZerosAreInJSON(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	write(t, path, "x,label\n1,a\n2,a\n3,a\n4,a\n5,a\n6,a\n101,b\n102,b\n103,b\n104,b\n105,b\n106,b")
	search := func(args ...string) []any {
		r := object(t, works(t, append([]string{"tune", path, "--json", "--scale", "none", "--folds", "2"}, args...)...))
		return r["search"].(map[string]any)["candidates"].([]any)
	}
	zeros := 0
	for _, c := range search("--model", "lda") {
		if value, ok := c.(map[string]any)["value"]; !ok {
			t.Errorf("no value in %v", c)
		} else if value == 0.0 {
			zeros++
		}
	}
	// One neighbour of the same class has the probability 1, whose log loss is 0.
	for _, c := range search("--classifier", "knn", "--neighbors", "1", "--criterion", "log-loss", "--refinements", "0") {
		c := c.(map[string]any)
		if score, ok := c["score"]; ok != (c["failed"] == nil) {
			t.Errorf("score, or none, in %v", c)
		} else if score == 0.0 {
			zeros++
		}
	}
	if zeros < 2 {
		t.Errorf("%d values and scores are 0", zeros)
	}
	for _, c := range search("--refinements", "0") {
		c := c.(map[string]any)
		if c["value"] != nil || c["score"] != nil {
			t.Errorf("a value or a score that there is not in %v", c)
		}
	}
}

// Columns whose squares leave the range of numbers: what can't be tried is recorded as
// failed, and the search finds its best in the other scalings.
func TestTuneGoesOnWithOtherScalings(t *testing.T) {
	for _, exponent := range []string{"e300", "e-300"} {
		path := filepath.Join(t.TempDir(), "t.csv")
		write(t, path, strings.ReplaceAll("x,label\n1E,a\n2E,b\n1E,a\n2.1E,b\n1.1E,a\n2E,b", "E", exponent))
		for _, model := range []string{"kfda", "svm", "ridge", "lda", "kpca"} {
			r := object(t, works(t, "tune", path, "--model", model, "--json"))
			search := r["search"].(map[string]any)
			failed, folds := 0, 3.0
			for i, c := range search["candidates"].([]any) {
				c := c.(map[string]any)
				if c["scaling"] != "none" || model == "lda" {
					continue
				}
				failed++
				if reason, _ := c["reason"].(string); c["failed"] != folds || c["gamma"] != 0.0 || i == int(search["best"].(float64)) ||
					!strings.HasPrefix(reason, "with --scale none there is no gamma to begin with: ") {
					t.Errorf("%s, %s: %v", exponent, model, c)
				}
			}
			if model != "lda" && failed == 0 || r["accuracy"] != 1.0 || r["scale"] != "standard" {
				t.Errorf("%s, %s: %d failed, accuracy %v with scale %v", exponent, model, failed, r["accuracy"], r["scale"])
			}
		}
	}
}

// Reasons of failed candidates name classes by their labels and counts by the flags.
func TestReasonsInTheWordsOfTheCommand(t *testing.T) {
	wine := must.Get(table.Read("demo/wine.csv", nil, table.Options{}))(t)
	limit := &solve.IterationLimitError{Iterations: 7, Gap: 0.5, Tolerance: 0.25}
	for want, err := range map[string]error{
		"fold 3: the machine of the classes class_0 and class_2 violates its conditions by 0.5 after 7 steps": &discriminant.MachineError{First: 0, Second: 2, Err: limit},
		"fold 3: --components 4: at most 2 for 3 classes":                                                     &discriminant.ComponentsError{Asked: 4, Classes: 3},
		"fold 3: a kernel value is +Inf; scale the columns":                                                   &gram.NotFiniteError{Row: 1, Col: 2, Value: math.Inf(1)},
		"fold 3: column 2 (malic_acid): the values are too far apart, or too close together, to be scaled":    &discriminant.ColumnRangeError{Col: 1},
		"fold 3: component 2 of the projection of a row is beyond the range of numbers":                       &discriminant.OverflowError{Row: 5, Component: 1},
	} {
		if got := explain.InFold(wine, discriminant.SVM{}, cv.Failure{Fold: 3, Err: err}, nil).Error(); !strings.HasPrefix(got, want) {
			t.Errorf("%q does not begin with %q", got, want)
		}
	}
}

// Without --folds there are as many folds as the groups allow; a class that is in one group alone
// is named, with the fold that can't train it.
func TestCase111FoldsOfFewGroups(t *testing.T) {
	path := cases.File(t, "111-tune-folds-of-few-groups/train.csv")
	const none = "none of the rows that it trains on is of class r"
	fails(t, statusData, []string{none}, "tune", path, "--group", "g", "--model", "lda")
	fails(t, statusData, []string{none}, "tune", path, "--group", "g")
	fails(t, statusData, []string{"fold 1: " + none}, "cv", path, "--group", "g", "--folds", "2")
	fails(t, statusData, []string{"fold c: " + none}, "cv", path, "--fold-column", "g")
	fails(t, statusData, []string{"there are only 4 groups: ask for at most 4 folds"}, "tune", path, "--group", "g", "--folds", "5")

	// Without that class four groups are four folds.
	text := strings.ReplaceAll(read(t, path), ",r\n", ",q\n")
	other := filepath.Join(t.TempDir(), "t.csv")
	write(t, other, strings.TrimSpace(text))
	r := object(t, works(t, "tune", other, "--group", "g", "--model", "lda", "--scale", "none", "--json"))
	if folds := r["search"].(map[string]any)["folds"]; folds != "4 folds of whole groups, seed 0" {
		t.Errorf("tune makes %v", folds)
	}
}

// The default number of neighbours is said where it is all that there is to train on.
// The estimate says how rows that belong together would change it, and names an ignored column
// that repeats; with groups there is nothing to say.
func TestEstimateNamesGroups(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(read(t, "demo/wine.csv")), "\n")
	lines[0] = "row,sex,patient," + lines[0]
	for i := range lines[1:] {
		lines[i+1] = "r" + strconv.Itoa(i) + "," + "mf"[i%2:i%2+1] + ",p" + strconv.Itoa(i%20) + "," + lines[i+1]
	}
	path := filepath.Join(t.TempDir(), "visits.csv")
	write(t, path, strings.Join(lines, "\n"))
	tune := func(args ...string) string {
		return works(t, append([]string{"tune", path, "--model", "lda", "--scale", "standard"}, args...)...)
	}
	for want, args := range map[string][]string{
		"so optimistic; rows that belong together (one patient's) need --group patient\n": {"--ignore", "row,sex", "--ignore", "patient"},
		"so optimistic; rows that belong together (one patient's) need --group COLUMN\n":  {"--rows", "0::9", "--ignore", "row,sex,patient"}, // each patient once
		"so optimistic\n": {"--ignore", "row,sex", "--group", "patient"},
	} {
		if out := tune(args...); !strings.Contains(out, want) {
			t.Errorf("%v: %q is not in\n%s", args, want, out)
		}
	}
}

// A best at the edge of its grid is said, and so is a grid in a sample.
func TestSearchSaysItsLimits(t *testing.T) {
	r := &tuneReport{fitReport: &fitReport{}, Search: cv.Record{
		Criterion: cv.ByErrors.String(), Best: 3,
		Candidates: []cv.Candidate{
			{Sample: 1000, Gamma: 1, Ridge: 1, Errors: 7, Rows: 1000}, {Sample: 1000, Gamma: 2, Ridge: 1, Errors: 5, Rows: 1000},
			{Round: 1, Gamma: 2, Ridge: 1, Errors: 26, Rows: 5000}, {Round: 1, Gamma: 4, Ridge: 1, Errors: 25, Rows: 5000},
			{Round: 1, Sample: 1500, Gamma: 2, Ridge: 1, Errors: 9, Rows: 1500}, {Round: 2, Gamma: 3, Ridge: 1, Errors: 27, Rows: 5000},
		},
	}}
	var out bytes.Buffer
	if err := writeReport(&out, false, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"search in 1000 of the rows, columns scaled: none; ", "           1  7\n          2  5\n"[1:], "           2  26\n          4  25*\n"[1:],
		"refinement 1 in all rows, ", "refinement 1 in 1500 of the rows, ", "the best of these in all rows, ",
		"edge         the best has the largest gamma that was tried: a better one may lie beyond\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
	text, err := json.Marshal(r.Search)
	var back cv.Record
	if err != nil || !strings.Contains(string(text), `"edges":["largest gamma"]`) || json.Unmarshal(text, &back) != nil || back.Best != 3 {
		t.Errorf("the JSON is %s: %v", text, err)
	}
}

// What --nested says of the search is what cv.Nested has, with folds of groups within.
func TestTuneNested(t *testing.T) {
	file := filepath.Join(t.TempDir(), "groups.csv")
	var text strings.Builder
	text.WriteString("who,a,b,class\n")
	for i := range 48 {
		fmt.Fprintf(&text, "p%d,%d,%d,%c\n", i/4, i*7%11+i%2*4, i*5%13, "uv"[i%2])
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"tune", file, "--group", "who", "--folds", "4", "--scale", "none", "--model", "ridge"}
	r := object(t, works(t, append(args, "--nested", "--json")...))["nested"].(map[string]any)
	wine, err := table.Read(file, nil, table.Options{IDs: "who"})
	if err != nil {
		t.Fatal(err)
	}
	folds, err := cv.Grouped(wine.IDs[0], 4, 0)
	if err != nil {
		t.Fatal(err)
	}
	want, err := cv.Nested(t.Context(), cv.Search{Method: discriminant.KernelRidge{}, Scalings: []discriminant.Scaling{discriminant.NoScaling}, Folds: folds}, wine.X, wine.Labels, folds)
	if err != nil || r["errors"] != float64(want.Errors) || r["n"] != 48.0 || r["folds"] != folds.String() {
		t.Errorf("%v, want %d errors in %v: %v", r, want.Errors, folds, err)
	}
	if out := works(t, append(args, "--nested")...); !strings.Contains(out, fmt.Sprintf("\nnested       %d wrong of 48, accuracy ", want.Errors)) {
		t.Errorf("no estimate in\n%s", out)
	}
	fails(t, statusUsage, []string{"--nested in 2 folds: want three at least"}, append(args, "--nested", "--folds", "2")...)
	few := filepath.Join(t.TempDir(), "few.csv")
	write(t, few, "a,class\n1,u\n2,u\n3,u\n4,u\n5,v\n6,v\n")
	fails(t, statusData, []string{"without fold 0 of the nested searches the class v has 1 row"}, "tune", few, "--nested")
}

// Where the estimate fails, what was searched for stands.
func TestTuneNestedFails(t *testing.T) {
	dir := t.TempDir()
	file, model := filepath.Join(dir, "groups.csv"), filepath.Join(dir, "m.kfda")
	var text strings.Builder
	text.WriteString("who,a,class\n")
	for i := range 24 { // two groups have a third class
		class := "uv"[i%2 : i%2+1]
		if i/4 < 2 && i%4 == 3 {
			class = "w"
		}
		fmt.Fprintf(&text, "p%d,%d,%s\n", i/4, i*7%11+i%2*4, class)
	}
	write(t, file, text.String())
	r := kfda(t, "", "tune", file, "--group", "who", "--folds", "3", "--scale", "none", "--model", "ridge", "--nested", "-o", model)
	if r.status == statusOK || !strings.Contains(r.out, "\nbest ") || strings.Count(r.err, file) != 1 {
		t.Errorf("%s%s", r.out, r.err)
	}
	load(t, model)
}
