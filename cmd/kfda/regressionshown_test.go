package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/cmd/kfda/internal/picture"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/must"
)

// numbersFitted is the table of numbers, a model of its first 16 rows, and what that predicts for
// rows of a and b, by plain loops.
func numbersFitted(t *testing.T) (file, model string, x [][]float64, targets []float64, predict func(rows [][]float64) []float64) {
	text, x, targets := numberTable()
	file = writeBytes(t, "numbers.csv", []byte(text))
	model = fitted(t, file, append(plainRidgeFlags, "--rows", ":16")...)
	return file, model, x, targets, func(rows [][]float64) []float64 {
		return plainRidge(x[:16], targets[:16], 0.2, 0.5, rows)
	}
}

// The page and the pictures of a regression have the scores of plain loops, and the rows that are
// most wrong, the worst first.
func TestRegressionReport(t *testing.T) {
	file, model, x, targets, predict := numbersFitted(t)
	values := predict(x[16:])
	rmse, mae, r2, meanRMSE, meanMAE := plainScores(values, targets[16:])
	page, text := reported(t, model, file, "--rows", "16:", "--ids", "fold")
	says(t, text, "In 8 rows predictions of y are off by "+digitsText(rmse), "Always predicting the mean of these rows is off by "+digitsText(meanRMSE),
		"mean absolute error "+digitsText(mae), "always predicting the mean: "+digitsText(meanMAE), "is predicted "+digitsText(r2),
		"not the table that the model was fitted to", "target y, from ", "kfda fit TRAIN --target y", "predictions of 8 rows", "residuals of 8 rows", "importance of columns")
	if strings.Contains(page, "NaN") || strings.Contains(text, "learning curve") {
		t.Error("the page has a NaN, or a learning curve of other rows than those of the fit")
	}
	order := []int{0, 1, 2, 3, 4, 5, 6, 7}
	slices.SortFunc(order, func(a, b int) int {
		return int(math.Copysign(1, math.Abs(targets[16+b]-values[b])-math.Abs(targets[16+a]-values[a])))
	})
	_, wrong, _ := strings.Cut(text, "true less predicted row fold y predicted true less predicted ")
	if wrong == "" {
		_, wrong, _ = strings.Cut(text, "row fold y predicted true less predicted ")
	}
	for k, i := range order {
		want := fmt.Sprintf("%d f%d %.6g %.6g %s", i+16, (i+16)%4, targets[16+i], values[i], digitsText(targets[16+i]-values[i]))
		words := strings.Fields(wrong)
		if got := strings.Join(words[5*k:5*k+5], " "); got != want {
			t.Errorf("wrong row %d: %q, want %q", k, got, want)
		}
	}
	for _, kind := range []string{"predicted", "residuals"} {
		_, texts := plotted(t, kind, model, file, "--rows", "16:")
		says(t, strings.Join(texts, " "), "RMSE "+digitsText(rmse), digitsText(meanRMSE))
	}
	_, text = reported(t, model, file, "--rows", ":16")
	says(t, text, "These are the rows of the model's fit", "learning curve")
}

// A picture that is of the other kind of models is refused by those that there are.
func TestPlotsOfOtherModels(t *testing.T) {
	file, model, _, _, _ := numbersFitted(t)
	classes := fitted(t, wineFile, "--model", "lda")
	for _, kind := range pictureKinds {
		out := filepath.Join(t.TempDir(), "p.svg")
		if kind.of&ofNumbers == 0 {
			args := []string{"plot", kind.name, model, file, "-o", out}
			if kind.labels == noTable {
				args = slices.Delete(args, 3, 4)
			}
			fails(t, statusData, []string{"no picture " + kind.name + " of a regression of column 2 (y)", "predicted, residuals, search, importance, dependence, learning"}, args...)
		}
		if kind.of&ofClasses == 0 {
			fails(t, statusData, []string{"no picture " + kind.name + " of a model of classes", "projection, regions, confusion"}, "plot", kind.name, classes, wineFile, "-o", out)
		}
	}
	tuned := filepath.Join(t.TempDir(), "m")
	works(t, "tune", file, "--target", "y", "--ignore", "fold", "--kernels", "linear", "--folds", "3", "-o", tuned)
	record := must.Get(searchOf(load(t, tuned)))(t)
	_, texts := plotted(t, "search", tuned)
	says(t, strings.Join(texts, "\n"), "RMSE", "the best has an RMSE of "+digitsText(math.Sqrt(float64(record.Candidates[record.Best].Score))))
	surface := picture.Search("s", *record)
	if svg := string(must.Get(surface.Bytes(".svg"))(t)); strings.Contains(svg, "wrong") {
		t.Error("the search of a regression has wrong rows")
	}
}

// The terms sum to the prediction as printed, and to all digits are those of plain loops.
func TestRegressionReasons(t *testing.T) {
	file, model, x, targets, predict := numbersFitted(t)
	values := predict(x[16:])
	r := explained(t, model, file, "--rows", "16:", "--training", file, "--top", "16")
	for i, row := range r.Rows {
		v := must.Get(row.Value.Float64())(t)
		near(t, "prediction", v, values[i])
		sum := must.Get(rational(row.Sums[0].Offset))(t)
		for _, term := range row.Sums[0].Terms {
			sum.Add(sum, must.Get(rational(term.Value))(t))
		}
		if total := must.Get(rational(row.Value))(t); sum.Cmp(total) != 0 || len(row.Sums) != 1 || len(row.Sums[0].Terms) != 16 {
			t.Errorf("row %d: %d terms sum to %s, not %s", row.Row, len(row.Sums[0].Terms), sum, total)
		}
		for _, near := range row.Nearest {
			if want := 2 - 2*math.Exp(-0.2*squared(x[near.Row], x[row.Row])); math.Abs(want-near.Distance) > 1e-12 || near.Label != fmt.Sprint(targets[near.Row]) {
				t.Errorf("row %d: %+v, want the distance %v of the target %v", row.Row, near, want, targets[near.Row])
			}
		}
	}
	checkSumsText(t, works(t, "explain", model, file, "--rows", "16:"))
	far := writeBytes(t, "far.csv", []byte("a,y,b\n1e6,2,1\n"))
	says(t, works(t, "explain", model, far), "unlike anything in training: all kernel values", "true is 2")
}

func squared(a, b []float64) (sum float64) {
	for j := range a {
		sum += (a[j] - b[j]) * (a[j] - b[j])
	}
	return sum
}

// Importance and dependence are those of plain predictions for shuffled and for set columns.
func TestRegressionColumns(t *testing.T) {
	file, model, x, targets, predict := numbersFitted(t)
	rows, truth := x[16:], targets[16:]
	var r importanceReport
	if err := json.Unmarshal([]byte(works(t, "explain", model, file, "--rows", "16:", "--columns", "--json")), &r); err != nil {
		t.Fatal(err)
	}
	rmseOf := func(rows [][]float64) float64 { rmse, _, _, _, _ := plainScores(predict(rows), truth); return rmse }
	near(t, "RMSE", *r.RMSE, rmseOf(rows))
	for _, c := range r.Columns {
		j := map[string]int{"a": 0, "b": 1}[c.Name]
		random := rand.New(rand.NewPCG(0, uint64(j)))
		mean := 0.0
		for range shuffles {
			shuffled := make([][]float64, len(rows))
			for i, from := range random.Perm(len(rows)) {
				shuffled[i] = slices.Clone(rows[i])
				shuffled[i][j] = rows[from][j]
			}
			mean += rmseOf(shuffled) / shuffles
		}
		near(t, c.Name+" adds", c.RMSE.Mean, mean-*r.RMSE)
	}
	var d dependenceReport
	if err := json.Unmarshal([]byte(works(t, "explain", model, file, "--rows", "16:", "--column", "b", "--json")), &d); err != nil {
		t.Fatal(err)
	}
	for _, v := range d.Values {
		set := make([][]float64, len(rows))
		for i := range set {
			set[i] = []float64{rows[i][0], v.Value}
		}
		values := predict(set)
		mean := 0.0
		for _, p := range values {
			mean += p / float64(len(values))
		}
		near(t, "mean", v.Mean[0], mean)
		near(t, "least", v.Low[0], slices.Min(values))
	}
	if d.Of != "prediction" || d.Classes[0] != "y" {
		t.Errorf("dependence of %s %v", d.Of, d.Classes)
	}
}

// A point of the learning curve is the cross-validation of plain loops on parts of the rows.
func TestRegressionLearning(t *testing.T) {
	file, _, x, targets, _ := numbersFitted(t)
	u := &subject{ctx: t.Context(), s: streams{}}
	if err := u.load(&tableFlags{format: "auto", separator: "auto"}, fitted(t, file, plainRidgeFlags...), file, "", false); err != nil {
		t.Fatal(err)
	}
	labels := oneClass(u.t).Labels
	folds := must.Get(cv.DefaultFolds(labels, 0))(t)
	parts, _, err := partsOf(folds, labels, 0.5, 0)
	if err != nil {
		t.Fatal(err)
	}
	var one picture.Size
	if failures, err := u.testNumbers(t.Context(), settingsOf(u.savedModel, 2), parts, &one); err != nil || failures != nil {
		t.Fatal(failures, err)
	}
	var predicted, truth []float64
	for k := range parts.Len() {
		var train, test [][]float64
		var own []float64
		for _, i := range parts.Train(k) {
			train, own = append(train, x[i]), append(own, targets[i])
		}
		for _, i := range parts.Test(k) {
			test, truth = append(test, x[i]), append(truth, targets[i])
		}
		predicted = append(predicted, plainRidge(train, own, 0.2, 0.5, test)...)
	}
	rmse, _, _, _, _ := plainScores(predicted, truth)
	near(t, "RMSE", one.Error, rmse)
	if !(one.Low < rmse && rmse < one.High) {
		t.Errorf("interval %v to %v of %v", one.Low, one.High, rmse)
	}
}

// What was settled makes the same model again, of numbers and of rows with weights.
func TestRefitLine(t *testing.T) {
	text, _, _ := numberTable()
	numbers := writeBytes(t, "numbers.csv", []byte(text))
	weighed, _, _ := weighedFiles(t)
	for _, c := range [][]string{
		{numbers, "--target", "y", "--ignore", "fold"}, {numbers, "--target", "b", "--ignore", "a", "--kernel", "poly", "--degree", "2", "--relative-ridge", "0.01", "--scale", "minmax"},
		{numbers, "--target", "y", "--weight", "b", "--ignore", "4"}, {weighed, "--weight", "w", "--model", "lda"}, {weighed, "--weight", "2"},
		{wineFile, "--holdout", "0.3", "--seed", "7"}, {numbers, "--target", "y", "--holdout", "0.25"},
		{wineFile, "--landmarks", "20"}, {wineFile, "--landmarks", "20", "--seed", "3", "--relative-ridge", "0.1", "--classifier", "centroid"},
		{wineFile, "--landmarks", "1000", "--regularizer", "ridge", "--kernel", "poly", "--priors", "0.2,0.3,0.5"},
		{wineFile, "--landmarks", "0", "--model", "lda", "--ridge", "1"}, {numbers, "--target", "y", "--landmarks", "9", "--ignore", "fold"},
		{weighed, "--weight", "w", "--landmarks", "7", "--model", "ridge", "--missing", "median"},
	} {
		path := fitted(t, c[0], c[1:]...)
		line := load(t, path).refitLine(c[0], path+"2")
		works(t, strings.Fields(line)[1:]...)
		if read(t, path) != read(t, path+"2") {
			t.Errorf("%v: %q makes another model", c, line)
		}
	}
}

// A model remembers the weights: scores, pages and learning curves of a table with the column are
// those of the repeated rows, and a table without it is scored row by row.
func TestWeightsAreRemembered(t *testing.T) {
	weighed, repeated, _ := weighedFiles(t)
	model := fitted(t, weighed, "--weight", "w", "--model", "lda", "--rows", "0:30")
	r := kfda(t, "", "score", model, weighed, "--json")
	says(t, r.err, "the rows weigh what column 2 (w) says, as in training")
	one, two := object(t, r.out), object(t, works(t, "score", model, repeated, "--json"))
	for _, key := range []string{"accuracy"} {
		if a, b := one[key].(float64), two[key].(float64); math.Abs(a-b) > 1e-14 {
			t.Errorf("%s %v, of repeated rows %v", key, a, b)
		}
	}
	says(t, kfda(t, "", "score", model, repeated).err, `there is no column "w" here: they count alike`)
	if r := kfda(t, "", "score", model, weighed, "--ignore", "w", "--json"); object(t, r.out)["weighted"] != nil {
		t.Errorf("weighted without the column: %s", r.out)
	}
	_, page := reported(t, model, weighed)
	_, same := reported(t, model, repeated)
	for _, name := range []string{"log loss ", "balanced accuracy ", "the shares of the classes in training have "} {
		_, a, _ := strings.Cut(page, name)
		_, b, _ := strings.Cut(same, name)
		if a, b = strings.Fields(a)[0], strings.Fields(b)[0]; a != b {
			t.Errorf("%s%s, of repeated rows %s", name, a, b)
		}
	}
	says(t, page, shown(1-two["accuracy"].(float64))+" of the weight", "--weight w")
	var a, b importanceReport
	for report, file := range map[*importanceReport]string{&a: weighed, &b: repeated} {
		if err := json.Unmarshal([]byte(works(t, "explain", model, file, "--columns", "--json")), report); err != nil {
			t.Fatal(err)
		}
	}
	near(t, "weighted share of wrong rows", *a.Error, *b.Error)
	near(t, "weighted log loss", *a.LogLoss, *b.LogLoss)
	all := fitted(t, weighed, "--weight", "w", "--model", "lda")
	_, text := reported(t, all, weighed)
	says(t, text, "These are the rows of the model's fit", "learning curve")
	for _, kind := range []string{"learning", "importance"} {
		_, texts := plotted(t, kind, all, weighed)
		says(t, strings.Join(texts, " "), "Rows weigh what the column w says.")
	}
	_, texts := plotted(t, "confusion", all, weighed)
	says(t, strings.Join(texts, " "), "Rows are counted, whatever they weigh.")
	bad := writeBytes(t, "bad.csv", []byte("a,w,b,class\n1,-2,3,p\n2,1,4,q\n"))
	fails(t, statusData, []string{"the weight -2"}, "report", all, bad, "-o", filepath.Join(t.TempDir(), "r.html"))
}

// Two hundred classes: the page stays small, an explanation short, and pictures that can't be told
// apart are refused.
func TestManyClasses(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("x,y,z,class\n")
	for i := range 600 {
		fmt.Fprintf(&b, "%.3f,%.3f,%.3f,c%03d\n", float64(i%200%14)+random.NormFloat64()/4, float64(i%200/14)+random.NormFloat64()/4, random.NormFloat64(), i%200)
	}
	file := writeBytes(t, "many.csv", []byte(b.String()))
	model := fitted(t, file, "--model", "ridge", "--gamma", "0.5", "--ridge", "0.1", "--scale", "standard")
	out := works(t, "explain", model, file, "--rows", ":1")
	if n := strings.Count(out, "\n"); n > 50 {
		t.Errorf("%d lines explain a row", n)
	}
	says(t, out, "and 196 other directions, which --component and --json show", "value of c000 =")
	if r := explained(t, model, file, "--rows", ":1"); len(r.Rows[0].Sums) != 200 {
		t.Errorf("--json has %d sums", len(r.Rows[0].Sums))
	}
	lda := fitted(t, file, "--model", "lda")
	page, text := reported(t, lda, file, "--rows", ":400")
	if len(page) > 2<<20 {
		t.Errorf("the page has %d bytes", len(page))
	}
	says(t, text, "The 60 of 200 classes with the most wrong rows", "The 24 of 200 classes with the most errors", "The 8 of 200 classes with the smallest areas")
	fails(t, statusData, []string{"200 classes", "kfda plot projection"}, "plot", "regions", lda, file, "-o", filepath.Join(t.TempDir(), "p.svg"))
	one := fitted(t, file, "--model", "lda", "--components", "1")
	fails(t, statusData, []string{"200 classes", "kfda plot confusion"}, "plot", "projection", one, file, "-o", filepath.Join(t.TempDir(), "p.svg"))
	// The counts of the picture are those of score, all others in one line.
	_, texts := plotted(t, "confusion", lda, file)
	sum := 0
	for _, text := range texts {
		if n, err := strconv.Atoi(text); err == nil {
			sum += n
		}
	}
	if sum != 600 {
		t.Errorf("the picture counts %d rows of 600", sum)
	}
	_, texts = plotted(t, "projection", lda, file)
	says(t, strings.Join(texts, " "), "Names stand at the means")
	greek := writeBytes(t, "greek.csv", []byte("x,y,class\n1,2,αβγ\n2,1,αβγ\n1,1,b\n5,6,b\n7,5,b\n2,2,αβγ\n"))
	fails(t, statusData, []string{".svg or .png"}, "plot", "confusion", fitted(t, greek, "--model", "lda"), greek, "-o", filepath.Join(t.TempDir(), "p.pdf"))
}
