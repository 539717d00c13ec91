package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// typed splits a command line as a shell does, with quotes alone.
func typed(line string) (args []string) {
	for _, w := range words.FindAllString(line, -1) {
		args = append(args, strings.ReplaceAll(w, "'", ""))
	}
	return args
}

// Every file as users have them is fitted and scored by the first command of the table of
// docs/columns.md, or by the second, which the first prints; the rows that the fit has not seen
// are right as often as stands there.
func TestDocumentedColumns(t *testing.T) {
	data := os.Getenv("KFDA_DATA")
	if data == "" {
		t.Skip("KFDA_DATA is not set: the data sets outside of the repository are not tested")
	}
	doc := read(t, "../../docs/columns.md")
	t.Chdir(t.TempDir())
	files := 0
	for line := range strings.Lines(doc) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		if len(cells) != 4 || !strings.HasPrefix(cells[1], "`") {
			continue
		}
		files++
		name, first, second := strings.Trim(cells[0], "`"), strings.Trim(cells[1], "`"), strings.Trim(cells[2], "`")
		write(t, name, read(t, filepath.Join(data, "messy", name)))
		args := typed(first)[1:]
		var labels []string // a file of their own
		if at := slices.Index(args, "--labels"); at >= 0 {
			labels = args[at : at+2]
			write(t, labels[1], read(t, filepath.Join(data, "messy", labels[1])))
		}
		r := kfda(t, "", args...)
		if second != "" {
			said := strings.Split(strings.TrimSpace(r.err), "\n")
			if r.status != statusData || strings.TrimSpace(said[len(said)-1]) != second {
				t.Errorf("%s: %d, %s, want the advice %s", first, r.status, r.err, second)
			}
			args = typed(second)[1:]
			r = kfda(t, "", args...)
		}
		if r.status != statusOK {
			t.Errorf("kfda %q: %s", args, r.err)
			continue
		}
		score := append([]string{"score", args[slices.Index(args, "-o")+1], name}, labels...)
		works(t, score...)
		works(t, append(args, "--rows", "0::2")...)
		out := works(t, append(score, "--rows", "1::2")...)
		if head, _, _ := strings.Cut(out, "\n"); !strings.Contains(head, "accuracy "+cells[3]+" (") {
			t.Errorf("%s: rows that the fit has not seen: %s, want %s", name, head, cells[3])
		}
	}
	if files < 15 {
		t.Errorf("only %d files found", files)
	}
}
