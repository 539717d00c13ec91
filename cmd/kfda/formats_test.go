package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A table in another format gives the same model, byte for byte, and the same predictions,
// from a file and from a pipe.
func TestFormatsGiveTheSameModel(t *testing.T) {
	const lines = `{"x": 1, "y": 2.5, "label": "a"}
{"x": 2, "y": 0.1, "label": "a"}
{"x": 1.5, "y": 1e-3, "label": "a"}
{"x": 4, "y": 3, "label": "b"}
{"x": 5, "y": 2, "label": "b"}
{"x": 7, "y": 3.25, "label": "b"}
`
	text := "x,y,label\n"
	for line := range strings.Lines(lines) {
		line = strings.NewReplacer(`{"x": `, "", ` "y": `, "", ` "label": `, "", "}", "", `"`, "").Replace(line)
		text += line
	}
	flags := []string{"--model", "lda"}
	csv := writeBytes(t, "t.csv", []byte(text))
	want := read(t, fitted(t, csv, flags...))
	predicted := works(t, "predict", fitted(t, csv, flags...), csv)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(lines))
	z.Close()
	for name, data := range map[string]string{"t.jsonl": lines, "t.bin": packed.String()} {
		file := writeBytes(t, name, []byte(data))
		model := fitted(t, file, flags...)
		if read(t, model) != want {
			t.Errorf("the model of %s is another one than that of the CSV", name)
		}
		if got := works(t, "predict", model, file); got != predicted {
			t.Errorf("%s: predictions\n%swant\n%s", name, got, predicted)
		}
		piped := filepath.Join(t.TempDir(), "m")
		worksOn(t, data, append([]string{"fit", "-", "-o", piped}, flags...)...)
		if read(t, piped) != want {
			t.Errorf("the model of %s from a pipe is another one than that of the CSV", name)
		}
		says(t, works(t, "score", model, file), "0 errors in 6 rows")
		says(t, works(t, "project", model, file), "row,z1")
	}
}

// Labels in a file of their own serve fit, score, cv and tune.
func TestLabelsFile(t *testing.T) {
	var x, y strings.Builder
	wine := strings.Split(strings.TrimSuffix(read(t, "demo/wine.csv"), "\n"), "\n")
	for _, line := range wine {
		k := strings.LastIndexByte(line, ',')
		x.WriteString(line[:k] + "\n")
		y.WriteString(line[k+1:] + "\n")
	}
	table, labels := writeBytes(t, "x.csv", []byte(x.String())), writeBytes(t, "y.txt", []byte(y.String()))
	flags := []string{"--model", "lda", "--rows", "0::2"}
	with := append(flags, "--labels", labels)
	want := works(t, "predict", fitted(t, "demo/wine.csv", flags...), "demo/wine.csv")
	model := fitted(t, table, with...)
	if got := works(t, "predict", model, table); got != want {
		t.Error("the predictions are others than with a column of labels")
	}
	says(t, works(t, "score", model, table, "--labels", labels, "--rows", "1::2"), "2 errors in 89 rows")
	says(t, works(t, append([]string{"cv", table}, with...)...), "stratified folds")
	says(t, works(t, append([]string{"tune", table}, with...)...), "best")
	fails(t, statusUsage, []string{"does not use labels"}, "predict", model, table, "--labels", labels)
	fails(t, statusUsage, []string{"widths"}, "fit", table, "--widths", "2,x", "-o", os.DevNull)
	fails(t, statusData, []string{"178 rows, but 1 labels"}, "fit", table, "--labels", writeBytes(t, "one", []byte("a\n")), "-o", os.DevNull)
}
