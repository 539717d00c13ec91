package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Rows that the fit has seen don't say whether a model is better than always one answer: rows held
// out do, with their own figures.
func TestVerdictIsOfUnseenRows(t *testing.T) {
	text, _, _ := numberTable()
	numbers := writeBytes(t, "numbers.csv", []byte(text))
	for _, c := range []struct{ flags, file, conclusion string }{
		{"--label label", "demo/wine.csv", "even the upper end of the interval of its errors, %s"},
		{"--target alcohol", "demo/wine.csv", "even the lower end of the interval of R², %.4f"},
		{"--target y", numbers, "always predicting"},
	} {
		flags := strings.Fields(c.flags)
		_, seen := reported(t, fitted(t, c.file, flags...), c.file)
		says(t, seen, "These are the rows of the model's fit", "these rows can't tell: rows that it has not seen can, or 'kfda cv TRAIN'")
		if strings.Contains(seen, "is better than always ") && !strings.Contains(seen, "Whether the model is better") || strings.Contains(seen, "even the ") || strings.Contains(seen, "can't be told from") {
			t.Errorf("%s: a verdict of rows of the fit: %s", c.flags, seen)
		}
		model := fitted(t, c.file, append(flags, "--holdout", "0.4")...)
		_, held := reported(t, model, c.file)
		h := heldOutOf(load(t, model).learnt)
		want := c.conclusion
		switch {
		case h.Accuracy != nil:
			want = fmt.Sprintf(want, percentText(1-h.Accuracy.Low))
		case strings.Contains(want, "%"):
			want = fmt.Sprintf(want, h.Numbers.Intervals.R2.Low)
		}
		says(t, held, want, fmt.Sprintf("All rows but the %d that --holdout left out are those of the model's fit", h.Rows), "that --holdout left out")
		if strings.Contains(held, "these rows can't tell") {
			t.Errorf("%s: the rows held out are not asked: %s", c.flags, held)
		}
	}
}

// A table of which some rows are of the fit is known by equal rows wherever a model is applied to it;
// copies as the training rows have among themselves are no sign of that.
func TestEqualRows(t *testing.T) {
	half := fitted(t, "demo/wine.csv", "--rows", "0::2", "--label", "label")
	machines := fitted(t, "demo/wine.csv", "--rows", "0::2", "--label", "label", "--model", "svm")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"score", half}, "89 of 178 rows are equal to rows of the model's fit"},
		{[]string{"score", machines}, fmt.Sprintf("%d of 178 rows are equal", load(t, machines).Formula().Machines.Rows.Rows)},
		{[]string{"explain", half, "--columns"}, "89 of 178 rows"},
		{[]string{"score", half, "--rows", "1::2"}, ""},
		{[]string{"score", fitted(t, "demo/wine.csv", "--rows", "0::2", "--label", "label", "--model", "lda")}, ""},
		{[]string{"explain", fitted(t, "demo/wine.csv", "--label", "label", "--holdout", "0.3"), "--columns"}, "that --holdout left out are those of the model's fit"},
	} {
		r := kfda(t, "", slices.Insert(c.args, 2, "demo/wine.csv")...)
		if r.status != statusOK || c.want == "" && strings.Contains(r.err, "fit,") || !strings.Contains(r.err, c.want) {
			t.Errorf("%q: %+v, want %q", c.args, r, c.want)
		}
	}
	_, text := reported(t, half, "demo/wine.csv")
	says(t, text, "89 of 178 rows are equal to rows of the model's fit", "these rows can't tell")
	for _, model := range []string{half, fitted(t, "demo/wine.csv", "--label", "label", "--holdout", "0.3")} {
		want := "89 of 178 rows are equal to rows of its fit"
		if model != half {
			want = "that --holdout left out are those of its fit"
		}
		for _, kind := range []string{"projection", "confusion", "roc"} {
			_, texts := plotted(t, kind, model, "demo/wine.csv")
			says(t, strings.Join(texts, " "), want)
		}
	}
	lines := []string{"a,b,y"} // 12 different rows, each many times
	for i := range 120 {
		lines = append(lines, fmt.Sprintf("%d,%d,%c", i%4, i%3, "pq"[i%4/2]))
	}
	file := writeBytes(t, "small.csv", []byte(strings.Join(lines, "\n")+"\n"))
	if r := kfda(t, "", "score", fitted(t, file, "--rows", ":60", "--relative-ridge", "0.1"), file, "--rows", "60:"); r.status != statusOK || strings.Contains(r.err, "equal to") {
		t.Errorf("copies: %+v", r)
	}
	data := os.Getenv("KFDA_DATA")
	for _, c := range []string{"titanic.csv --label Survived --ignore Name,PassengerId,Ticket,Cabin --missing median", "vote.arff --missing median", "penguins.csv --label species --missing median"} {
		if data == "" {
			break
		}
		f := strings.Fields(c)
		file := filepath.Join(data, "messy", f[0])
		model := fitted(t, file, append(f[1:], "--rows", "0::2")...)
		for rows, want := range map[string]bool{"1::2": false, ":": true} {
			if r := kfda(t, "", "score", model, file, "--rows", rows); r.status != statusOK || strings.Contains(r.err, "equal to rows of the model's fit") != want {
				t.Errorf("%s, rows %s: %+v", c, rows, r)
			}
		}
	}
}

// explain and plot read a table without labels as predict does: with the same messages and errors.
func TestWithoutLabelsAsPredict(t *testing.T) {
	train := "a,flag,c,y\n1,true,u,p\n2,false,v,q\n,true,u,p\n4,false,v,q\n5,true,u,p\n6,false,u,q\n"
	model := fitted(t, writeBytes(t, "train.csv", []byte(train)), "--missing", "median", "--scale", "standard")
	for text, words := range map[string][]string{
		"a,flag,c\n1,true,u\n,false,v\n":    {"filled in (--missing median)", "no labels are found"},
		"1,true,u\n3,true,v\n":              {"by position", "no labels are found"},
		"a,flag,c\n1,true,other\n":          {"other", "no labels are found"},
		"a,flag,c\n1,true,u\n1,maybe,v\n":   {`row 2, column 2 (flag): "maybe"`},
		"a,flag,c\n1,true,u\nmany,true,v\n": {`row 2, column 1 (a): "many"`},
	} {
		file := writeBytes(t, "new.csv", []byte(text))
		told := func(args ...string) (string, int) {
			r := kfda(t, "", args...)
			var lines []string
			for line := range strings.Lines(r.err) {
				line = strings.Replace(line, "kfda "+args[0]+":", "kfda:", 1)
				if !strings.Contains(line, "no labels are found") {
					lines = append(lines, line)
				}
			}
			for _, w := range words {
				if !strings.Contains(r.err, w) && (args[0] != "predict" || w != "no labels are found") {
					t.Errorf("%s of %q: %q, want %q", args[0], text, r.err, w)
				}
			}
			return strings.Join(lines, ""), r.status
		}
		want, status := told("predict", model, file)
		for _, args := range [][]string{{"explain", model, file}, {"plot", "projection", model, file, "-o", filepath.Join(t.TempDir(), "p.svg")}} {
			if got, s := told(args...); got != want || s != status {
				t.Errorf("%s of %q: status %d, %q; predict: status %d, %q", args[0], text, s, got, status, want)
			}
		}
	}
	sparse := fitted(t, writeBytes(t, "train.txt", []byte("1 1:2 2:3\n2 1:4 2:5\n1 1:2 2:3.5\n2 1:4.5 2:5\n")))
	fails(t, statusData, []string{"where none is known write 0 there"}, "predict", sparse, writeBytes(t, "new.txt", []byte("1:2 2:3\n1:4 2:5\n")))
	works(t, "predict", sparse, writeBytes(t, "new.txt", []byte("0 1:2 2:3\n0 1:4 2:5\n")))
}
