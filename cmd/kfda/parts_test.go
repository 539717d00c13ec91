package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/cases"
)

// withParts runs f with parts of so many rows.
func withParts(rows int, f func()) {
	defer func(old int) { mostPartRows = old }(mostPartRows)
	mostPartRows = rows
	f()
}

// What is written of a table that is read in parts, of a file or the standard input, is what is
// written of the whole one, byte for byte.
func TestRowsInParts(t *testing.T) {
	dir := t.TempDir()
	two := filepath.Join(dir, "two.csv") // classes, a category, and missing cells
	var lines []string
	for i, line := range strings.SplitAfter(read(t, "demo/wine.csv"), "\n")[:130] {
		end, id := []string{"red", "blue", "NA"}[i%3], fmt.Sprint("row ", i)
		if i == 0 {
			end, id = "colour", "name"
		}
		lines = append(lines, end+",\""+id+"\","+line)
	}
	write(t, two, strings.Join(lines, ""))
	far := filepath.Join(dir, "far.csv")
	write(t, far, strings.ReplaceAll(strings.Join(lines, ""), "blue,\"row 1", "green,\"row 7"))
	kernel := filepath.Join(dir, "kernel.csv")
	write(t, kernel, text(beside(readLines(t, "K-train.csv"), readLines(t, "y.csv"))))
	test := cases.File(t, "29-precomputed-test-shape/K-test.csv")
	for _, c := range []struct{ fit, apply string }{
		{two + " --ignore name --missing mean", "predict " + far + " --posteriors --decision-values --ids name"},
		{two + " --ignore name --missing drop", "predict " + far + " --rows 3::2"},
		{two + " --ignore name --missing median --model svm --probability", "predict " + far + " --posteriors"},
		{two + " --ignore name --missing indicator --model lda --ridge 0.1", "project " + far + " --with-labels"},
		{two + " --ignore name --missing most-frequent --model kpca --components 3 --classifier knn", "project " + far},
		{two + " --ignore name --missing mean --target alcohol", "predict " + far},
		{kernel + " --kernel precomputed", "predict " + test + " --posteriors"},
	} {
		model := filepath.Join(dir, "m")
		works(t, append([]string{"fit", "-o", model}, strings.Fields(c.fit)...)...)
		words := strings.Fields(c.apply)
		args := append([]string{words[0], model}, words[1:]...)
		want := kfda(t, "", args...)
		if want.status != statusOK {
			t.Fatalf("%s: %+v", c.apply, want)
		}
		for _, rows := range []int{1, 2, 50, 130} {
			withParts(rows, func() {
				if r := kfda(t, "", args...); r.status != statusOK || r.out != want.out || withoutDifference(r.err) != withoutDifference(want.err) {
					t.Errorf("%s, parts of %d rows: %d bytes, %q; want %d, %q", c.apply, rows, len(r.out), r.err, len(want.out), want.err)
				}
				name := filepath.Join(dir, "out")
				if r := kfda(t, read(t, words[1]), append(append([]string{words[0], model, "-"}, words[2:]...), "-o", name)...); r.status != statusOK || r.out != "" || read(t, name) != want.out {
					t.Errorf("%s of the standard input, parts of %d rows: %+v", c.apply, rows, r)
				}
			})
		}
	}
}

// withoutDifference leaves out how the rows differ from those of the training, for which many rows
// are sampled.
func withoutDifference(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if !strings.Contains(line, "as a whole") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// An error in a later part is where it is in the file; of what stands before the last part that is
// whole the standard output has been given, and a file nothing.
func TestErrorInPart(t *testing.T) {
	dir := t.TempDir()
	model := fitted(t, "demo/wine.csv")
	lines := strings.SplitAfter(read(t, "demo/wine.csv"), "\n")
	for what, c := range map[string]struct{ old, new, words string }{
		"word":   {",", ",x", "bad.csv:26: row 25, column 2 (malic_acid)"},
		"gap":    {",", ",,", "bad.csv:26: row 25: 14 cells expected"},
		"quotes": {",", ",\"", "bad.csv:26: row 25: a quote"},
	} {
		bad := append(append([]string{}, lines[:25]...), strings.Replace(lines[25], c.old, c.new, 1))
		name := filepath.Join(dir, "bad.csv")
		write(t, name, strings.Join(append(bad, lines[26:]...), ""))
		whole := kfda(t, "", "predict", model, name)
		if whole.status != statusData || whole.out != "" {
			t.Errorf("%s: %+v", what, whole)
		}
		withParts(10, func() {
			r := kfda(t, "", "predict", model, name)
			if r.status != statusData || strings.Count(r.out, "\n") != 11 || placeOf(r.err) != placeOf(whole.err) {
				t.Errorf("%s: %+v, want %s", what, r, whole.err)
			}
			out := filepath.Join(dir, "out.csv")
			unchanged(t, out, func() {
				if r := kfda(t, "", "project", model, name, "-o", out); r.status != statusData || placeOf(strings.Replace(r.err, "project", "predict", 1)) != placeOf(whole.err) {
					t.Errorf("%s: %+v", what, r)
				}
			})
			os.Remove(out)
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	out := filepath.Join(dir, "out.csv")
	unchanged(t, out, func() {
		if status := run(ctx, []string{"predict", model, "demo/wine.csv", "-o", out}, nil, io.Discard, io.Discard); status != statusInterrupted {
			t.Errorf("interrupted: status %d", status)
		}
	})
}

// placeOf is the place that an error begins with.
func placeOf(text string) string {
	at := strings.Index(text, "kfda predict: ")
	words := strings.SplitN(text[max(at, 0):], ": ", 4)
	return strings.Join(words[:min(3, len(words))], ": ")
}
