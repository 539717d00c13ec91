package main

import (
	"encoding/csv"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
)

// weighedFiles returns a table with a column of weights, the same with each row as often as
// that says, and rows to project.
func weighedFiles(t *testing.T) (weighed, repeated, fresh string) {
	dir := t.TempDir()
	file := func(name string, lines []string) string {
		path := filepath.Join(dir, name)
		write(t, path, strings.Join(lines, "\n")+"\n")
		return path
	}
	one, many, new := []string{"a,w,b,class"}, []string{"a,b,class"}, []string{"a,b"}
	for i := range 40 {
		a, b, class, weight := float64(i*7%11)+float64(i%2)*3, float64(i*5%13), "pq"[i%2], i/2%4
		one = append(one, fmt.Sprintf("%v,%d,%v,%c", a, weight, b, class))
		for range weight {
			many = append(many, fmt.Sprintf("%v,%v,%c", a, b, class))
		}
		new = append(new, fmt.Sprintf("%v,%v", a+0.5, b))
	}
	return file("weighed.csv", one), file("repeated.csv", many), file("new.csv", new)
}

// What always answering the commonest class comes to is by weight in every command, that of the
// training; a model knows --class-weight, and the line that fits it again has it.
func TestCommonestByWeight(t *testing.T) {
	lines := []string{"a,b,w,class"}
	for i := range 30 {
		class, w := "p", 1
		if i%3 == 0 {
			class, w = "q", 4
		}
		lines = append(lines, fmt.Sprintf("%d,%d,%d,%s", i*7%11+5*(i%3), i*5%13, w, class))
	}
	file := writeBytes(t, "w.csv", []byte(strings.Join(lines, "\n")))
	rows := writeBytes(t, "rows.csv", []byte("a,b,class\n1,2,p\n3,4,p\n5,6,p\n7,1,q\n"))
	model := fitted(t, file, "--weight", "w", "--model", "lda")
	says(t, works(t, "fit", file, "--weight", "w", "--model", "lda", "-o", model), "always q is wrong in 33.3 % of the weight of these rows")
	for path, want := range map[string]baseline{file: {"q", 20, 2.0 / 3}, rows: {"q", 3, 0.25}} {
		b := object(t, works(t, "score", model, path, "--json"))["baseline"].(map[string]any)
		if b["class"] != want.Class || b["errors"] != float64(want.Errors) || math.Abs(b["accuracy"].(float64)-want.Accuracy) > 1e-15 {
			t.Errorf("%s: %v, want %v", path, b, want)
		}
	}
	page := filepath.Join(t.TempDir(), "page.html")
	works(t, "report", model, file, "-o", page)
	says(t, read(t, page), "Always answering q is wrong in 33.3\u00a0%.")
	says(t, works(t, "tune", file, "--weight", "w", "--model", "all", "--scale", "none", "--folds", "2", "--refinements", "0"), "\nalways q ")
	// Half of the classes' weights of 2 to 1 are alike.
	for flag, priors := range map[string]string{"balanced": "[0.5 0.5]", "p=2,q=1": "[0.5 0.5]", "p=1,q=1": "[0.333"} {
		model := fitted(t, file, "--weight", "w", "--model", "lda", "--class-weight", flag)
		r := object(t, works(t, "inspect", model, "--json"))
		if p := fmt.Sprint(r["priors"]); r["class_weight"] != flag || flag != "balanced" && !strings.HasPrefix(p, priors) {
			t.Errorf("inspect of --class-weight %s: %v, priors %s", flag, r["class_weight"], p)
		}
		says(t, works(t, "inspect", model), "weights      column w, times --class-weight "+flag+"\n")
		says(t, works(t, "export", model, "--format", "card", "-o", "-"), "--class-weight "+flag+" ")
		other := filepath.Join(t.TempDir(), "again")
		works(t, strings.Fields(load(t, model).refitLine(file, other))[1:]...)
		if a, b := works(t, "project", model, rows), works(t, "project", other, rows); a != b {
			t.Errorf("--class-weight %s: fitted again %s, want %s", flag, b, a)
		}
	}
}

// A table with weights has the model of the repeated rows, which takes tables without them;
// scores and folds carry them.
func TestWeights(t *testing.T) {
	weighed, repeated, fresh := weighedFiles(t)
	dir := t.TempDir()
	t.Chdir(dir) // the line that score suggests writes a page
	for _, flags := range [][]string{{"--model", "lda"}, {"--relative-ridge", "0.1", "--leave-one-out=false", "--scale", "standard"}} {
		var z [2][][]string
		for k, file := range []string{weighed, repeated} {
			model := filepath.Join(dir, fmt.Sprint(k))
			args := append([]string{"fit", file, "-o", model}, flags...)
			if k == 0 {
				args = append(args, "--weight", "w")
			}
			works(t, args...)
			z[k] = must.Get(csv.NewReader(strings.NewReader(works(t, "project", model, fresh))).ReadAll())(t)
		}
		for i := range z[0][1:] {
			a, b := must.Get(strconv.ParseFloat(z[0][i+1][1], 64))(t), must.Get(strconv.ParseFloat(z[1][i+1][1], 64))(t)
			if math.Abs(math.Abs(a)-math.Abs(b)) > 1e-11*(1+math.Abs(b)) {
				t.Fatalf("%v: row %d at %v, of repeated rows at %v", flags, i, a, b)
			}
		}
	}
	model := filepath.Join(dir, "0")
	one := object(t, works(t, "score", model, weighed, "--weight", "w", "--json"))
	two := object(t, works(t, "score", model, repeated, "--json"))
	always := func(r map[string]any) float64 { return r["baseline"].(map[string]any)["accuracy"].(float64) }
	if a, b := one["accuracy"].(float64), two["accuracy"].(float64); math.Abs(a-b) > 1e-15 || math.Abs(always(one)-always(two)) > 1e-15 || one["weighted"] != true {
		t.Errorf("the weighted score is %v, of repeated rows %v", one, two)
	}
	_, report, _ := strings.Cut(works(t, "score", model, weighed, "--weight", "w"), "\nnext ")
	t.Chdir(dir) // where the page is written
	works(t, strings.Fields(report)[1:]...)
	says(t, works(t, "cv", weighed, "--model", "lda", "--weight", "w", "--class-weight", "balanced"), "weighted accuracy")
	says(t, works(t, "tune", weighed, "--weight", "2", "--refinements", "0", "--nested"), "best")
	works(t, "fit", weighed, "--ignore", "w", "--model", "lda", "--class-weight", "p=2,q=2", "-o", model)
	fails(t, statusUsage, []string{"--class-weight p=2", "class q is missing"}, "fit", weighed, "--class-weight", "p=2", "-o", model)
	fails(t, statusData, []string{"neighbours have no weights"}, "fit", weighed, "--weight", "w", "--classifier", "knn", "-o", model)
	fails(t, statusData, []string{"is the label"}, "fit", weighed, "--label", "class", "--weight", "class", "-o", model)
	text := read(t, weighed)
	// A row that is left out takes its weight with it.
	gap, without := filepath.Join(dir, "gap.csv"), filepath.Join(dir, "without.csv")
	lines := strings.Split(text, "\n")
	cut := append(append([]string{}, lines[:8]...), lines[9:]...)
	write(t, without, strings.Join(cut, "\n"))
	lines[8] = "," + strings.SplitN(lines[8], ",", 2)[1]
	write(t, gap, strings.Join(lines, "\n"))
	works(t, "fit", gap, "--weight", "w", "--missing", "drop", "--model", "lda", "-o", model)
	works(t, "fit", without, "--weight", "w", "--model", "lda", "-o", filepath.Join(dir, "1"))
	if a, b := works(t, "project", model, fresh), works(t, "project", filepath.Join(dir, "1"), fresh); a != b {
		t.Errorf("with a row dropped %s\nwithout it %s", a, b)
	}
	absent := filepath.Join(dir, "absent.csv")
	write(t, absent, "x,w,y\n1,1,a\n2,1,a\n3,0,b\n4,0,b\n5,1,c\n7,1,c\n")
	fails(t, statusData, []string{"absent.csv: all rows of class b have the weight 0 (the first is in line 4); give one"}, "fit", absent, "--weight", "w", "-o", model)
	for bad, says := range map[string]string{"-1": "the weight -1", "": `the weight ""`, "x": `the weight "x"`, "inf": "the weight"} {
		lines := strings.Split(text, "\n")
		cells := strings.Split(lines[3], ",")
		cells[1] = bad
		lines[3] = strings.Join(cells, ",")
		path := filepath.Join(dir, "bad.csv")
		write(t, path, strings.Join(lines, "\n"))
		fails(t, statusData, []string{"bad.csv:4", says}, "fit", path, "--weight", "w", "-o", model)
	}
}
