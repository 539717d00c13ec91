package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
)

const commandDoc = "../../docs/command.md"

// The examples of docs/command.md print what stands there, but for the times.
// A block with the info string "csv NAME" is a file, one with "sh" holds commands
// after "$ " and what a terminal shows of them. Pictures that they write are those in docs/.
func TestDocumentedExamples(t *testing.T) {
	doc := read(t, commandDoc)
	wine := read(t, "demo/wine.csv")
	docs := must.Get(filepath.Abs(filepath.Dir(commandDoc)))(t)
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		write(t, name, text)
	}
	write("wine.csv", wine)
	examples := 0
	for _, block := range regexp.MustCompile("(?s)```(\\w+) ?([^\n]*)\n(.*?)```").FindAllStringSubmatch(doc, -1) {
		kind, name, body := block[1], block[2], block[3]
		switch kind {
		case "csv":
			write(name, body)
		case "sh":
			for _, example := range strings.Split("\n"+body, "\n$ kfda ")[1:] {
				line, want, _ := strings.Cut(example, "\n")
				var out bytes.Buffer
				run(context.Background(), strings.Fields(line), nil, &out, &out)
				if got, want := withoutTimes(out.String()), withoutTimes(want); strings.TrimSuffix(got, "\n") != strings.TrimSuffix(want, "\n") {
					t.Errorf("kfda %s prints\n%s\nand in %s stands\n%s", line, got, commandDoc, want)
				}
				examples++
			}
		default:
			t.Errorf("a block of %s is not tested", kind)
		}
	}
	pictures := must.Get(filepath.Glob("*.svg"))(t)
	for _, name := range pictures {
		if read(t, name) != read(t, filepath.Join(docs, name)) {
			t.Errorf("docs/%s is not what %s says makes it", name, commandDoc)
		}
	}
	if len(pictures) != 2 {
		t.Errorf("pictures %q, want two", pictures)
	}
	if examples < 10 {
		t.Errorf("only %d examples found", examples)
	}
}

func withoutTimes(text string) string {
	return regexp.MustCompile(`(?m)^seconds .*$`).ReplaceAllString(text, "seconds")
}

// The table of errors on public data in docs/command.md.
func TestDocumentedErrors(t *testing.T) {
	if testing.Short() {
		t.Skip("the table of errors: left to the long tests")
	}
	data := os.Getenv("KFDA_DATA")
	if data == "" {
		t.Skip("KFDA_DATA is not set: the data sets outside of the repository are not tested")
	}
	doc := read(t, commandDoc)
	var names []string
	counts := 0
	for line := range strings.Lines(doc) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "| ") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if names == nil {
			names = cells[1:]
			continue
		}
		flags := strings.Fields(strings.Trim(cells[0], "`"))
		key := "errors"
		switch cells[0] {
		case "test rows":
			flags, key = nil, "n"
		case "none":
			flags = nil
		}
		for j, name := range names {
			model := filepath.Join(t.TempDir(), "m")
			file := filepath.Join(data, "classic", name+".csv")
			works(t, append([]string{"fit", file, "--rows", "0::2", "-o", model}, flags...)...)
			r := object(t, works(t, "score", model, file, "--rows", "1::2", "--json"))
			if want, err := strconv.ParseFloat(cells[j+1], 64); err != nil || r[key] != want {
				t.Errorf("%s, %s: %v %v, want %s", cells[0], name, r[key], key, cells[j+1])
			}
			counts++
		}
	}
	if counts < 40 {
		t.Errorf("only %d counts found", counts)
	}
}
