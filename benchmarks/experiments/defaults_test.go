package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// Each half has half the rows of each class, one more or less; the seeds' halves differ.
func TestHalves(t *testing.T) {
	labels := slices.Concat(slices.Repeat([]int{0}, 21), slices.Repeat([]int{1}, 6), slices.Repeat([]int{2}, 14))
	splits, err := halves(labels, 0)
	if err != nil || len(splits) != halfSplits {
		t.Fatalf("%d splits, %v", len(splits), err)
	}
	seen := map[string]bool{}
	for _, s := range splits {
		train, test := s.Train(0), s.Test(0)
		rows := slices.Sorted(slices.Values(slices.Concat(train, test)))
		for i, row := range rows {
			if i != row || len(rows) != len(labels) {
				t.Fatalf("training rows %v and test rows %v are not all rows once", train, test)
			}
		}
		var count [3]int
		for _, label := range take(labels, train) {
			count[label]++
		}
		if count[0]/2 != 5 || count[1] != 3 || count[2] != 7 {
			t.Errorf("training rows of the classes: %v of 21, 6 and 14", count)
		}
		seen[string(mustJSON(t, train))] = true
	}
	if len(seen) != halfSplits {
		t.Errorf("%d different splits", len(seen))
	}
	own, err := halves(labels, 30)
	if err != nil || len(own) != 1 || own[0].Train(0)[29] != 29 || own[0].Test(0)[0] != 30 || len(own[0].Test(0)) != 11 {
		t.Errorf("the first 30 rows: %v, %v", own, err)
	}
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	text := must.Get(json.Marshal(v))(t)
	return text
}

func TestErrorFigures(t *testing.T) {
	if got := geometricMean([]float64{0.5, 2, 8}); math.Abs(got-2) > 1e-15 {
		t.Errorf("the geometric mean of ½, 2, 8 is %v", got)
	}
	// (2+4+½)/(1+0+½): the third split has only one of the two.
	if got := errorRatio([]int{2, 4}, []int{1, 0, 50}); got != 6.5/1.5 {
		t.Errorf("ratio %v", got)
	}
	if got := errorRatio([]int{0}, []int{0}); got != 1 {
		t.Errorf("ratio without errors: %v", got)
	}
	// 10 % and 30 % have the standard error 10; a share of 20 % of 100 rows has 4.
	if mean, standardError := meanError([]int{1, 3}, 10); mean != 20 || math.Abs(standardError-10) > 1e-12 {
		t.Errorf("%v ± %v", mean, standardError)
	}
	if mean, standardError := meanError([]int{20}, 100); mean != 20 || standardError != 4 {
		t.Errorf("one split: %v ± %v", mean, standardError)
	}
	for _, c := range []struct {
		a, b []int
		want bool
	}{
		{[]int{5, 7}, []int{4, 4}, true},      // 1 and 3 more: 2 ± 1
		{[]int{4, 7}, []int{4, 4}, false},     // 0 and 3 more: 1.5 ± 1.5
		{[]int{4, 4}, []int{5, 7}, false},     // fewer
		{[]int{5, 5}, []int{4, 4, 99}, true},  // 1 ± 0 more in the splits of both
		{[]int{24}, []int{20, 0}, false},      // 24 ± 4.27 of 100
		{[]int{25}, []int{20}, true},          // 25 ± 4.33 of 100
		{[]int{4, 4, 4}, []int{4, 4}, false},  // the same
		{[]int{0, 10}, []int{10, 0}, false},   // 0 ± 10
		{[]int{11, 21}, []int{10, 20}, true},  // 1 ± 0, however much the splits differ
		{[]int{10, 20}, []int{10, 20}, false}, // the same
	} {
		if got := clearlyWorse(c.a, c.b, 100); got != c.want {
			t.Errorf("%v against %v: %v", c.a, c.b, got)
		}
	}
}

func TestPosteriorFigures(t *testing.T) {
	p := must.Get(matrix.FromRows([][]float64{{0.75, 0.25}, {0, 1}, {0.5, 0.5}, {1, 0}}))(t)
	labels := []int{0, 1, 1, 1}
	want := (-math.Log(0.75) + math.Log(2) + 52*math.Log(2)) / 4
	if got := logLoss(p, labels); math.Abs(got-want) > 1e-13 {
		t.Errorf("log loss %v, want %v", got, want)
	}
	var c, twice calibration
	c.add(p, labels)
	if c[7].rows != 1 || c[7].right != 1 || c[7].sum != 0.75 || c[9].rows != 2 || c[9].right != 1 || c[9].sum != 2 || c[5].rows != 1 {
		t.Errorf("bins %v", c)
	}
	twice.merge(c)
	twice.merge(c)
	if twice[9].rows != 4 || twice[9].right != 2 || twice[9].sum != 4 {
		t.Errorf("merged bins %v", twice)
	}
}

func TestTableFiles(t *testing.T) {
	want := []float64{1, 2, 3, -1, 5, 6}
	for _, c := range []struct {
		file tableFile
		text string
	}{
		{tableFile{}, "a,b,kind\n1,2,x\n3,-1,y\n5,6,y\n"},
		{tableFile{label: "2", ignore: "1"}, "id,kind,a,b\r7,x,1,2\r8,y,3,-1\r9,y,5,6"},
		{tableFile{noHeader: true}, "1,2,x\n?,4,x\n3,-1,y\n3,,y\n5,6,y\n"},
		{tableFile{noHeader: true, after: "@data", edit: strings.NewReplacer("'n'", "-1", "?", "2").Replace}, "% x\n@data\r\n1,?,x\r\n3,'n',y\r\n5,6,y\r\n"},
	} {
		x, labels, err := c.file.parse(strings.NewReader(c.text))
		if err != nil || x.Rows != 3 || !slices.Equal(x.Data, want) || !slices.Equal(labels, []string{"x", "y", "y"}) {
			t.Errorf("%q: %v, %v, %v", c.text, x, labels, err)
		}
	}
	folder := t.TempDir()
	writeFile(t, filepath.Join(folder, "sparse"), "+1 1:0.5 3:-2 \n-1 2:1e-3\n\n-1\n")
	x, labels, err := sparseFile("sparse")(folder)
	if err != nil || x.Cols != 3 || !slices.Equal(x.Data, []float64{0.5, 0, -2, 0, 1e-3, 0, 0, 0, 0}) || !slices.Equal(labels, []string{"1", "-1", "-1"}) {
		t.Errorf("%v, %v, %v", x, labels, err)
	}
}

// All sets are read: rows that take part, features and classes.
func TestHandedSets(t *testing.T) {
	data := os.Getenv("KFDA_DATA")
	if data == "" {
		t.Skip("needs the data sets: set KFDA_DATA")
	}
	if testing.Short() {
		t.Skip("reads many megabytes of text")
	}
	shapes := map[string][3]int{
		"iris": {150, 4, 3}, "FisherIris": {150, 4, 3}, "wine": {178, 13, 3}, "Fish": {159, 6, 7}, "quality": {131, 12, 2},
		"seeds": {210, 7, 3}, "thyroid": {215, 5, 2}, "sonar": {208, 60, 2}, "heart": {270, 13, 2}, "heart_scale": {270, 13, 2},
		"penguins": {342, 4, 3}, "ionosphere": {351, 34, 2}, "svmguide2": {391, 20, 3}, "vote": {435, 16, 2}, "bone": {485, 2, 2},
		"breast-cancer": {683, 9, 2}, "titanic-passengers": {714, 6, 2}, "ktest": {685, 83, 4}, "arcene": {200, 10000, 2},
		"vowel": {990, 10, 11}, "winequality-red": {1454, 11, 6}, "titanic": {2000, 3, 2}, "banana": {2000, 2, 2},
		"ringnorm": {2000, 20, 2}, "image": {2000, 18, 2}, "digits": {1797, 64, 10}, "letter": {2000, 16, 26},
		"madelon": {2000, 500, 2}, "mnist": {15000, 784, 10},
	}
	for _, s := range handedSets {
		x, labels, err := s.load(data)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := [3]int{x.Rows, x.Cols, slices.Max(labels) + 1}; got != shapes[s.name] || len(labels) != x.Rows {
			t.Errorf("%s: %v and %d labels, want %v", s.name, got, len(labels), shapes[s.name])
		}
	}
}

// Three classes far apart: the majority class has two thirds wrong, lda none, and the
// support vector machines of both libraries the same. A fit that fails takes no part.
func TestDefaults(t *testing.T) {
	if testing.Short() {
		t.Skip("whole experiments are left to the long tests")
	}
	folder := easyIris(t)
	var out bytes.Buffer
	must.Do(t, run(context.Background(), []string{"defaults", "-json", "iris"}, folder, &out, io.Discard))
	var all []comparison
	if err := json.Unmarshal(out.Bytes(), &all); err != nil || len(all) != 1 || all[0].Tested != 15 {
		t.Fatalf("%s, %v", &out, err)
	}
	errors := map[string][]int{}
	for _, m := range all[0].Marks {
		errors[m.Name] = m.Errors
	}
	if !slices.Equal(errors["majority"], slices.Repeat([]int{10}, halfSplits)) || !slices.Equal(errors["lda"], make([]int, halfSplits)) || len(errors["tune"]) != 5 {
		t.Errorf("errors %v", errors)
	}
	if svc, found := errors["SVC"]; found && !slices.Equal(svc, errors["svm"]) {
		t.Errorf("errors %v of scikit-learn's machines, %v here", svc, errors["svm"])
	}
	all[0].Marks[1] = marks{Name: "fit", Refused: 3}
	out.Reset()
	must.Do(t, writeComparisons(&out, all))
	if !strings.Contains(out.String(), "| iris | 30 | 2 | 3 | 66.7 ± 0.0 | 3 refused |") {
		t.Errorf("the table is\n%s", &out)
	}
	if err := run(context.Background(), []string{"defaults", "roses"}, folder, &out, io.Discard); err == nil || !strings.Contains(err.Error(), `no data set "roses"`) {
		t.Errorf("another data set: %v", err)
	}
}
