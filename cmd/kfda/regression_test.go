package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// plainRidge solves (K + λI) a + b·1 = t, 1ᵀa = 0 of an rbf kernel by elimination and returns
// the predictions for other rows.
func plainRidge(x [][]float64, targets []float64, gamma, ridge float64, others [][]float64) (predicted []float64) {
	kernel := func(a, b []float64) float64 {
		sum := 0.0
		for j := range a {
			sum += (a[j] - b[j]) * (a[j] - b[j])
		}
		return math.Exp(-gamma * sum)
	}
	n := len(x)
	system := make([][]float64, n+1)
	for i := range n {
		for j := range n {
			system[i] = append(system[i], kernel(x[i], x[j]))
		}
		system[i][i] += ridge
		system[i] = append(system[i], 1, targets[i])
		system[n] = append(system[n], 1)
	}
	system[n] = append(system[n], 0, 0)
	for i := range system {
		pivot := i
		for k := i; k <= n; k++ {
			if math.Abs(system[k][i]) > math.Abs(system[pivot][i]) {
				pivot = k
			}
		}
		system[i], system[pivot] = system[pivot], system[i]
		for k := range system {
			for j := n + 1; k != i && j >= i; j-- {
				system[k][j] -= system[k][i] / system[i][i] * system[i][j]
			}
		}
	}
	for _, row := range others {
		sum := system[n][n+1] / system[n][n]
		for i := range n {
			sum += system[i][n+1] / system[i][i] * kernel(x[i], row)
		}
		predicted = append(predicted, sum)
	}
	return predicted
}

// numberTable is a table of 24 rows of two features, the target between them, and a fold.
func numberTable() (text string, x [][]float64, targets []float64) {
	text = "a,y,b,fold\n"
	for i := range 24 {
		a, b := float64(i*7%24)/4, float64(i*i%11)
		y := 3 + 2*math.Sin(a) + b/4 + float64(i%3)/8
		x, targets = append(x, []float64{a, b}), append(targets, y)
		text += fmt.Sprintf("%v,%v,%v,f%d\n", a, y, b, i%4)
	}
	return text, x, targets
}

func near(t *testing.T, what string, got any, want float64) {
	t.Helper()
	if v, ok := got.(float64); !ok || math.Abs(v-want) > 1e-9*(1+math.Abs(want)) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// plainScores are RMSE, MAE and R², and the first two of always predicting the mean.
func plainScores(predicted, targets []float64) (rmse, mae, r2, meanRMSE, meanMAE float64) {
	n, mean := float64(len(targets)), 0.0
	for _, v := range targets {
		mean += v / n
	}
	for i, v := range targets {
		rmse += (v - predicted[i]) * (v - predicted[i]) / n
		mae += math.Abs(v-predicted[i]) / n
		meanRMSE += (v - mean) * (v - mean) / n
		meanMAE += math.Abs(v-mean) / n
	}
	return math.Sqrt(rmse), mae, 1 - rmse/meanRMSE, math.Sqrt(meanRMSE), meanMAE
}

func checkScores(t *testing.T, got map[string]any, predicted, targets []float64) {
	t.Helper()
	rmse, mae, r2, meanRMSE, meanMAE := plainScores(predicted, targets)
	near(t, "RMSE", got["rmse"], rmse)
	near(t, "MAE", got["mae"], mae)
	near(t, "R²", got["r2"], r2)
	of := got["mean"].(map[string]any)
	near(t, "RMSE of the mean", of["rmse"], meanRMSE)
	near(t, "MAE of the mean", of["mae"], meanMAE)
	within := got["intervals"].(map[string]any)["rmse"].(map[string]any)
	if low, high := within["low"].(float64), within["high"].(float64); !(low < rmse && rmse < high) {
		t.Errorf("interval of the RMSE %v: %v to %v", rmse, low, high)
	}
}

var plainRidgeFlags = []string{"--target", "y", "--gamma", "0.2", "--ridge", "0.5", "--scale", "none", "--ignore", "fold"}

// A regression by the command is that of plain loops, and so are its scores.
func TestRegression(t *testing.T) {
	text, x, targets := numberTable()
	file := writeBytes(t, "numbers.csv", []byte(text))
	model := fitted(t, file, append(plainRidgeFlags, "--rows", ":16")...)
	want := plainRidge(x[:16], targets[:16], 0.2, 0.5, x[16:])
	lines := strings.Split(strings.TrimSpace(works(t, "predict", model, file, "--rows", "16:")), "\n")
	if lines[0] != "row,y" || len(lines) != 9 {
		t.Fatalf("predict wrote %q", lines)
	}
	for i, v := range want {
		_, cell, _ := strings.Cut(lines[i+1], ",")
		got, _ := strconv.ParseFloat(cell, 64)
		near(t, "prediction", got, v)
	}
	checkScores(t, object(t, works(t, "score", model, file, "--rows", "16:", "--json")), want, targets[16:])
	for _, c := range []string{"score", "predict"} { // from the standard input
		if got := worksOn(t, read(t, model), c, "-", file, "--rows", "16:"); c == "predict" && got != strings.Join(lines, "\n")+"\n" {
			t.Errorf("%s: %q", c, got)
		}
	}
	if r := kfda(t, "", "score", model, file, "--rows", ":16"); !strings.Contains(r.err, "the rows of the model's fit") {
		t.Errorf("no warning: %+v", r)
	}
	report := object(t, works(t, "inspect", model, "--json"))
	if report["target"].(map[string]any)["name"] != "y" || report["method"] != "ridge" || report["ridge"] != 0.5 {
		t.Errorf("inspect: %v", report)
	}

	var predicted, truth []float64
	for k := range 4 {
		var train, test [][]float64
		var own []float64
		for i := range x {
			if i%4 == k {
				test, truth = append(test, x[i]), append(truth, targets[i])
			} else {
				train, own = append(train, x[i]), append(own, targets[i])
			}
		}
		predicted = append(predicted, plainRidge(train, own, 0.2, 0.5, test)...)
	}
	flags := append([]string{"cv", file, "--fold-column", "fold", "--json"}, plainRidgeFlags[:8]...)
	checkScores(t, object(t, works(t, flags...)), predicted, truth)
}

// Categories and gaps are for a regression what they are for classes.
func TestRegressionOnPreparedColumns(t *testing.T) {
	file := writeBytes(t, "t.csv", []byte("c,v,y\nred,1,1\nblue,NA,2\nred,4,3.5\ngreen,1,2.5\nblue,2,4\ngreen,7,9\n"))
	coded := writeBytes(t, "u.csv", []byte("red,blue,green,v,y\n1,0,0,1,1\n0,1,0,3,2\n1,0,0,4,3.5\n0,0,1,1,2.5\n0,1,0,2,4\n0,0,1,7,9\n"))
	flags := []string{"--ridge", "0.1", "--gamma", "0.3", "--scale", "none"}
	one := works(t, "predict", fitted(t, file, append(flags, "--target", "y", "--missing", "mean")...), file)
	other := works(t, "predict", fitted(t, coded, append(flags, "--target", "y")...), coded)
	a, b := strings.Fields(one), strings.Fields(other)
	for i := range a[1:] {
		_, cell, _ := strings.Cut(a[i+1], ",")
		got, _ := strconv.ParseFloat(cell, 64)
		_, cell, _ = strings.Cut(b[i+1], ",")
		want, _ := strconv.ParseFloat(cell, 64)
		near(t, "prediction", got, want)
	}
	weighed := writeBytes(t, "w.csv", []byte("v,y,w\n1,1,2\n3,2,1\n4,3.5,0\n7,9,1\n5,6,2\n"))
	twice := writeBytes(t, "w.csv", []byte("v,y,w\n1,1,1\n1,1,1\n3,2,1\n7,9,1\n5,6,1\n5,6,1\n"))
	mean := func(file string) any {
		got := object(t, works(t, "score", fitted(t, file, append(flags, "--target", "y", "--weight", "w")...), file, "--weight", "w", "--json"))
		works(t, "cv", file, "--target", "y", "--weight", "w", "--folds", "2", "--gamma", "0.3", "--ridge", "0.1", "--scale", "none")
		return got["rmse"]
	}
	near(t, "weighted RMSE", mean(weighed), mean(twice).(float64))
	r := kfda(t, "", "fit", file, "--target", "y", "-o", os.DevNull)
	says(t, r.err, "--missing median")
	model := filepath.Join(t.TempDir(), "m")
	works(t, "tune", file, "--target", "y", "--missing", "mean", "--folds", "2", "--kernels", "linear,rbf", "-o", model)
	works(t, "score", model, file)
}

func TestRegressionRefusals(t *testing.T) {
	text, _, _ := numberTable()
	file := writeBytes(t, "numbers.csv", []byte(text))
	model := fitted(t, file, plainRidgeFlags...)
	classes := fitted(t, file, "--label", "fold", "--ignore", "y")
	huge := writeBytes(t, "huge.csv", []byte("x,y\n1,2\n2,-1e200\n3,1\n4,2\n"))
	for _, c := range []struct {
		status int
		words  string
		args   string
	}{
		{statusUsage, "--label and --target exclude each other", "fit FILE --label fold --target y -o OUT"},
		{statusUsage, "--target is for --model ridge", "fit FILE --model svm --target y -o OUT"},
		{statusUsage, "does not apply to --model ridge", "fit FILE --target y --classifier knn -o OUT"},
		{statusUsage, "--criterion is for classes", "tune FILE --target y --ignore fold --criterion auc"},
		{statusData, "want as the target", "fit FILE --target fold -o OUT"},
		{statusData, "kfda predict", "project MODEL FILE"},
		{statusUsage, "--posteriors", "predict MODEL FILE --posteriors"},
		{statusData, "huge.csv:3: row 2, column 2 (y): |beyond ±1e+150: give the column in other units", "fit HUGE --target y -o OUT"},
		{statusUsage, "is a model of classes", "score CLASSES FILE --target y"},
	} {
		out := filepath.Join(t.TempDir(), "m")
		args := strings.Fields(strings.NewReplacer("FILE", file, "HUGE", huge, "MODEL", model, "CLASSES", classes, "OUT", out).Replace(c.args))
		if c.words == "want as the target" {
			c.words = `numbers.csv:2: row 1, column 4 (fold): "f0" is not a number; the target of a regression is a number in each row`
		}
		fails(t, c.status, strings.Split(c.words, "|"), args...)
	}
	// Measurements in a file of their own have no column to name.
	features, own := "x,y\n", ""
	for i := range 60 {
		features += fmt.Sprintf("%d,%d\n", i*7%13, i*5%11)
		own += fmt.Sprintf("%d.5\n", i*i)
	}
	r := kfda(t, "", "cv", writeBytes(t, "x.csv", []byte(features)), "--labels", writeBytes(t, "own.txt", []byte(own)))
	if !strings.Contains(r.err, "make it a column of the table") || strings.Contains(r.err, "--target y") {
		t.Errorf("of labels in a file: %s", r.err)
	}
}

// A label that is a measurement is noticed with flags that work, and tune finds what a linear
// ridge regression comes to on the data that everyone knows.
func TestRegressionOnDiabetes(t *testing.T) {
	data := os.Getenv("KFDA_DATA")
	if data == "" {
		t.Skip("KFDA_DATA is not set: the data sets outside of the repository are not tested")
	}
	file := filepath.Join(data, "classic", "diabetes_regression.csv")
	r := kfda(t, "", "fit", file, "--model", "ridge", "-o", os.DevNull)
	says(t, r.err, fmt.Sprintf("looks like a measurement: it has %d different numbers in %d rows", 214, 442))
	line := regexp.MustCompile(`--target \S+`).FindString(r.err)
	got := object(t, works(t, append([]string{"cv", file, "--kernel", "linear", "--json"}, strings.Fields(line)...)...))
	if rmse := got["rmse"].(float64); rmse < 54 || rmse > 56.5 {
		t.Errorf("RMSE of a linear ridge regression %v, want about 55", rmse)
	}
	tuned := object(t, works(t, "tune", file, "--target", "target", "--rows", "0::3", "--kernels", "linear", "--json"))
	if rmse, of := tuned["rmse"].(float64), tuned["rmse_of_mean"].(float64); rmse < 50 || rmse > 62 || of < 70 {
		t.Errorf("tune: RMSE %v, of the mean %v", rmse, of)
	}
}
