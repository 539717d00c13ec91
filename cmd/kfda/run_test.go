package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
)

// result is what a run of the command gives.
type result struct {
	status   int
	out, err string
}

// kfda runs the command with text as its standard input.
func kfda(t *testing.T, text string, args ...string) result {
	t.Helper()
	var out, errs bytes.Buffer
	status := run(context.Background(), args, strings.NewReader(text), &out, &errs)
	return result{status, out.String(), errs.String()}
}

// works runs the command and fails the test if the command fails.
func works(t *testing.T, args ...string) string {
	t.Helper()
	return worksOn(t, "", args...)
}

// worksOn is works with text as the standard input.
func worksOn(t *testing.T, text string, args ...string) string {
	t.Helper()
	r := kfda(t, text, args...)
	if r.status != statusOK {
		t.Fatalf("kfda %s: status %d\n%s", strings.Join(args, " "), r.status, r.err)
	}
	return r.out
}

// fails runs the command, which must fail with the status, say the words, and
// print nothing on its standard output.
func fails(t *testing.T, status int, words []string, args ...string) {
	t.Helper()
	r := kfda(t, "", args...)
	if r.status != status || r.out != "" {
		t.Errorf("kfda %s: status %d, output %q; want status %d and none", strings.Join(args, " "), r.status, r.out, status)
	}
	says(t, r.err, words...)
}

// object decodes the one JSON object that a command printed.
func object(t *testing.T, text string) map[string]any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	var v map[string]any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if d.More() {
		t.Fatalf("more than one value in %s", text)
	}
	return v
}

// predictions returns the column of the predictions.
func predictions(t *testing.T, csv string) []string {
	t.Helper()
	var out []string
	for i, line := range strings.Split(strings.TrimSuffix(csv, "\n"), "\n") {
		cells := strings.Split(line, ",")
		if i == 0 {
			if cells[1] != "prediction" {
				t.Fatalf("header %q", line)
			}
			continue
		}
		out = append(out, cells[1])
	}
	return out
}

// unchanged runs f and checks that the file at path has the old content after.
func unchanged(t *testing.T, path string, f func()) {
	t.Helper()
	const old = "the old file"
	write(t, path, old)
	f()
	if got, err := os.ReadFile(path); err != nil || string(got) != old {
		t.Errorf("%s holds %.40q, error %v; want it unchanged", path, got, err)
	}
	entries := must.Get(os.ReadDir(filepath.Dir(path)))(t)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".tmp") {
			t.Errorf("%s is left behind", e.Name())
		}
	}
}

// fitted fits a model to a file.
func fitted(t *testing.T, file string, flags ...string) (model string) {
	t.Helper()
	model = filepath.Join(t.TempDir(), "m")
	works(t, append([]string{"fit", file, "-o", model}, flags...)...)
	return model
}

// says checks that a text holds all of the words.
func says(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("%q does not say %q", text, w)
		}
	}
}

// load reads a model file.
func load(t *testing.T, path string) *savedModel {
	t.Helper()
	return must.Get(loadModel(path, nil))(t)
}

func read(t *testing.T, path string) string {
	t.Helper()
	text := must.Get(os.ReadFile(path))(t)
	return string(text)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// writeBytes writes a file in a folder of its own.
func writeBytes(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	write(t, path, string(data))
	return path
}
