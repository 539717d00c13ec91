package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

const wineFile = "demo/wine.csv"

// plotted draws a picture and returns the texts in it.
func plotted(t *testing.T, args ...string) (svg string, texts []string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.svg")
	works(t, append(append([]string{"plot"}, args...), "-o", path)...)
	svg = read(t, path)
	for _, m := range regexp.MustCompile(`<text [^>]*>([^<]*)</text>`).FindAllStringSubmatch(svg, -1) {
		texts = append(texts, m[1])
	}
	return svg, texts
}

// Each picture of models of each method is made, twice the same, or says what to type.
func TestPlots(t *testing.T) {
	two := writeBytes(t, "two.csv", twoOf(t))
	models := map[string]struct {
		file, model string
		not         string // pictures that it has not, and what is said
	}{
		"kfda":        {wineFile, fitted(t, wineFile), "search kfda tune"},
		"two classes": {two, fitted(t, two), "regions 'kfda plot projection', search --json"},
		"lda":         {wineFile, fitted(t, wineFile, "--model", "lda", "--classifier", "gaussian-per-class"), "search kfda tune"},
		"kpca":        {wineFile, fitted(t, wineFile, "--model", "kpca", "--components", "4", "--classifier", "knn"), "search kfda tune"},
		"ridge":       {two, fitted(t, two, "--model", "ridge"), "regions one direction, calibration probabilities, eigenvalues --model kfda, search tune"},
		"svm":         {wineFile, fitted(t, wineFile, "--model", "svm"), "calibration --probability, eigenvalues lda, search tune"},
	}
	for name, m := range models {
		for _, kind := range pictureKinds {
			if kind.of&ofClasses == 0 {
				continue
			}
			args := []string{kind.name, m.model}
			if kind.labels != noTable {
				args = append(args, m.file)
			}
			if _, why, ok := strings.Cut(", "+m.not, ", "+kind.name+" "); ok {
				why, _, _ = strings.Cut(why, ", ")
				fails(t, statusData, []string{why}, append(append([]string{"plot"}, args...), "-o", filepath.Join(t.TempDir(), "p.svg"))...)
				continue
			}
			first, texts := plotted(t, args...)
			second, _ := plotted(t, args...)
			if first != second {
				t.Errorf("%s, %s: another picture the second time", name, kind.name)
			}
			if about := filepath.Base(args[len(args)-1]); !strings.HasPrefix(texts[0], about+": ") {
				t.Errorf("%s, %s: the title %q does not begin with %s", name, kind.name, texts[0], about)
			}
		}
	}
}

// twoOf is the table of the first two classes of the wines.
func twoOf(t *testing.T) []byte {
	lines := strings.SplitAfter(read(t, wineFile), "\n")
	return []byte(strings.Join(slices.DeleteFunc(lines, func(l string) bool { return strings.HasSuffix(strings.TrimSpace(l), "class_2") }), ""))
}

// The numbers of the confusion matrix and of its title are those of score.
func TestPlotConfusion(t *testing.T) {
	m := fitted(t, wineFile, "--rows", "0::2", "--model", "lda", "--classifier", "centroid")
	_, texts := plotted(t, "confusion", m, wineFile, "--rows", "1::2")
	r := object(t, works(t, "score", m, wineFile, "--rows", "1::2", "--json"))
	var want []string
	for _, row := range r["confusion"].([]any) {
		for _, n := range row.([]any) {
			want = append(want, fmt.Sprint(n))
		}
	}
	var got []string
	for _, text := range texts {
		if _, err := strconv.Atoi(text); err == nil {
			got = append(got, text)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the picture counts %v, score %v", got, want)
	}
	if want := fmt.Sprintf("wine.csv: %v errors in %v rows", r["errors"], r["n"]); !strings.HasPrefix(want, texts[0][:len(texts[0])-1]) {
		t.Errorf("title %q, want %q", texts[0], want)
	}
}

// The areas under the curves are those of cv.Score.
func TestPlotROC(t *testing.T) {
	path := fitted(t, wineFile, "--rows", "0::2", "--model", "kpca", "--components", "2", "--classifier", "gaussian")
	_, texts := plotted(t, "roc", path, wineFile, "--rows", "1::2")
	all := strings.Join(texts, "\n")
	m := load(t, path)
	u := must.Get(table.Read(wineFile, nil, table.Options{Rows: table.Range{Start: 1, Step: 2}}))(t)
	s := must.Get(cv.Score(m.model, u.X, u.Labels))(t)
	for j, class := range m.Classes() {
		says(t, all, fmt.Sprintf("%s: AUC %.4f", class, s.AUC[j]))
	}
}

// The class changes at the threshold that is shown, and nowhere else.
func TestPlotThreshold(t *testing.T) {
	file := writeBytes(t, "two.csv", twoOf(t))
	u := &subject{s: streams{err: new(strings.Builder)}, ctx: context.Background()}
	if err := u.load(&tableFlags{format: "auto", separator: "auto"}, fitted(t, file), file, "", false); err != nil {
		t.Fatal(err)
	}
	rows, _, err := u.projections()
	if err != nil {
		t.Fatal(err)
	}
	at := must.Get(u.thresholds(rows.Values[0]))(t)
	if len(at) != 1 {
		t.Fatalf("thresholds %v, want one", at)
	}
	side := make(map[string]float64) // of each class, the value nearest to the threshold
	for i, z := range rows.Values[0] {
		if d := z - at[0]; side[u.classes[i]] != 0 && side[u.classes[i]]*d < 0 {
			t.Errorf("%s on both sides of %v", u.classes[i], at[0])
		} else {
			side[u.classes[i]] = d
		}
	}
	near := matrix.Column([]float64{at[0] - 1e-9, at[0] + 1e-9})
	if c := must.Get(u.PredictProjections(nil, near))(t); c[0] == c[1] {
		t.Errorf("the class is %s on both sides of %v", c[0], at[0])
	}
}

// The last point of a learning curve is the cross-validation of the settings of the model, and
// the settings are those of the fit.
func TestPlotLearning(t *testing.T) {
	for _, flags := range [][]string{
		nil, {"--kernel", "poly", "--degree", "2", "--ridge", "0.1"}, {"--model", "lda", "--shrink", "0.2"}, {"--priors", "0.2,0.3,0.5", "--classifier", "gaussian-per-class"},
		{"--model", "ridge"}, {"--model", "svm", "--C", "3", "--probability"}, {"--model", "kpca", "--components", "3", "--classifier", "knn"}, {"--components", "1", "--leave-one-out=false"},
	} {
		path := fitted(t, wineFile, flags...)
		m := load(t, path)
		u := must.Get(table.Read(wineFile, nil, table.Options{}))(t)
		again := must.Get(discriminant.Fit(context.Background(), settingsOf(m, 20), u.X, u.Labels))(t)
		again = must.Get(withLayout(again, m.layout))(t)
		if a, b := must.Get(m.model.MarshalBinary())(t), must.Get(again.MarshalBinary())(t); string(a) != string(b) {
			t.Errorf("%v: the settings of the model make another one", flags)
		}
		train := filepath.Join(t.TempDir(), "wine.csv")
		write(t, train, read(t, wineFile))
		line := strings.Fields(m.refitLine(train, path+"2"))
		works(t, line[1:]...)
		if read(t, path) != read(t, path+"2") {
			t.Errorf("%v: %q makes another model", flags, line)
		}
	}
	path := fitted(t, wineFile, "--model", "lda")
	u := must.Get(table.Read(wineFile, nil, table.Options{}))(t)
	folds := must.Get(cv.DefaultFolds(u.Labels, 7))(t)
	parts, rows, err := partsOf(folds, u.Labels, 1, 7)
	if err != nil || rows != 143 {
		t.Fatalf("%d rows, error %v", rows, err)
	}
	a := must.Get(cv.Evaluate(t.Context(), discriminant.LDA{Scaling: discriminant.Standard}, u.X, u.Labels, folds))(t)
	b := must.Get(cv.Evaluate(t.Context(), settingsOf(load(t, path), 20), u.X, u.Labels, parts))(t)
	if a.Errors != b.Errors {
		t.Errorf("%d errors in all parts, %d in the folds", b.Errors, a.Errors)
	}
	small, _, _ := partsOf(folds, u.Labels, 0.2, 7)
	larger, _, _ := partsOf(folds, u.Labels, 0.5, 7)
	for k := range small.Len() {
		for _, i := range small.Train(k) {
			if !slices.Contains(larger.Train(k), i) || slices.Contains(small.Test(k), i) {
				t.Fatalf("fold %d: row %d of a small part is not in a larger one, or is tested", k, i)
			}
		}
	}
}

// A search is drawn from the model that it made, and from what tune --json prints.
func TestPlotSearch(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m")
	printed := works(t, "tune", wineFile, "--rows", "0::2", "--model", "lda", "-o", model, "--json")
	record := writeBytes(t, "search.json", []byte(printed))
	first, _ := plotted(t, "search", model)
	second, _ := plotted(t, "search", record)
	if strings.Replace(second, "search.json: ", "m: ", -1) != first {
		t.Error("the record that is printed has another picture")
	}
	fails(t, statusData, []string{"not a kfda model"}, "plot", "search", wineFile, "-o", filepath.Join(t.TempDir(), "p.svg"))
}

func TestPlotUsage(t *testing.T) {
	m := fitted(t, wineFile, "--model", "lda")
	out := filepath.Join(t.TempDir(), "p.svg")
	fails(t, statusUsage, []string{"pie", "projection", "confusion"}, "plot", "pie", m, wineFile, "-o", out)
	fails(t, statusUsage, []string{".svg, .png, .pdf"}, "plot", "roc", m, wineFile, "-o", "p.gif")
	fails(t, statusUsage, []string{"kfda plot roc", "FILE"}, "plot", "roc", m, "-o", out)
	unlabelled := strings.ReplaceAll(read(t, wineFile), ",label", ",other")
	unlabelled = regexp.MustCompile(`,class_\d`).ReplaceAllString(unlabelled, ",1")
	file := writeBytes(t, "new.csv", []byte(unlabelled))
	fails(t, statusData, []string{"label", "--label"}, "plot", "roc", m, file, "-o", out)
	_, texts := plotted(t, "projection", m, file)
	says(t, strings.Join(texts, "\n"), "classes as predicted")
	for _, format := range []string{".png", ".pdf"} {
		path := filepath.Join(t.TempDir(), "p"+format)
		works(t, "plot", "confusion", m, wineFile, "-o", path)
		if data, err := os.ReadFile(path); err != nil || len(data) < 1000 || !strings.Contains(string(data[:8]), strings.ToUpper(format[1:])) {
			t.Errorf("%s: %d bytes, error %v", format, len(data), err)
		}
	}
}

// score says the interval and what the commonest class comes to, and the lines that it and fit
// say come next work as they stand.
func TestNextLines(t *testing.T) {
	t.Chdir(filepath.Dir(writeBytes(t, "my wine.csv", twoOf(t))))
	next := func(out string) (lines [][]string) {
		_, text, _ := strings.Cut(out, "\nnext ")
		for line := range strings.Lines(text) {
			line, _, _ = strings.Cut(strings.TrimSpace(line), ", with ")
			line = strings.ReplaceAll(line, "'my wine.csv'", "my?wine.csv")
			words := strings.Fields(strings.ReplaceAll(line, "FILE", "my?wine.csv --rows 1::2"))
			for i := range words {
				words[i] = strings.ReplaceAll(words[i], "?", " ")
			}
			lines = append(lines, words[1:])
		}
		return lines
	}
	out := works(t, "fit", "my wine.csv", "--label", "label", "--rows", "0::2", "--ignore", "hue", "--ignore", "ash", "--leave-one-out=false", "-o", "m.kfda")
	says(t, out, "\nbaseline     always class_1 is wrong in 46.2 % of these rows\n")
	for _, numeric := range []string{"eigenvalues", "errors", "seconds", "condition"} {
		if strings.Contains(out, numeric) {
			t.Errorf("without --verbose fit says %q", numeric)
		}
	}
	lines := next(out)
	if len(lines) != 2 || lines[0][0] != "score" || lines[1][0] != "cv" {
		t.Fatalf("next %q", lines)
	}
	says(t, works(t, lines[1]...), "stratified folds")
	out = works(t, lines[0]...)
	says(t, out, "(95 % interval 0.", "\n29 errors by always answering class_1, accuracy 0.5538\n")
	if lines = next(out); len(lines) != 1 || lines[0][0] != "report" {
		t.Fatalf("next %q", lines)
	}
	works(t, lines[0]...)
	says(t, read(t, "m.html"), "m.kfda on my wine.csv")
	r := object(t, works(t, "score", "m.kfda", "my wine.csv", "--rows", "1::2", "--json"))
	if b := r["baseline"].(map[string]any); b["class"] != "class_1" || b["errors"] != 29.0 || len(r["accuracy_interval"].([]any)) != 2 {
		t.Errorf("score --json has %v, %v", r["baseline"], r["accuracy_interval"])
	}
	verbose := works(t, "fit", "my wine.csv", "--verbose", "-o", "m.kfda")
	says(t, verbose, "\neigenvalues  ", "\nerrors       centred, forward ", ", condition below ", "\nseconds      read ")
	// What is in doubt is said without it.
	for _, c := range []certificate{{Forward: 1e-3}, {KernelRounding: 1e-4}, {EigenvalueError: 2}} {
		var b strings.Builder
		p := newPrinter(&b)
		(&fitReport{Rows: 2, modelReport: modelReport{Classes: []string{"a"}, Counts: []int{2}, Method: "kfda", Certificate: c}}).write(p)
		if p.end(); !strings.Contains(b.String(), "\nerrors ") {
			t.Errorf("%+v is not shown:\n%s", c, b.String())
		}
	}
}
