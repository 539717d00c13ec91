package look

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
)

// refuse refuses what is no text that package table reads, and could be taken for one.
func refuse(name string, text []byte) error {
	if bytes.HasPrefix(text, []byte("\x1f\x8b")) {
		return nil // packed by gzip, which is read
	}
	start := text[:min(len(text), 1<<12)]
	if order := table.UTF16(start); order != nil {
		start, _ = io.ReadAll(table.FromUTF16(bytes.NewReader(start), order))
	}
	head := strings.TrimLeft(strings.TrimPrefix(string(start), "\xef\xbb\xbf"), " \t\r\n")
	foreign, also := strings.Contains(head, "\x00"), false
	if rest, ok := strings.CutPrefix(head, "{"); ok {
		rest = strings.TrimLeft(rest, " \t")
		foreign = strings.HasPrefix(rest, `"`) || strings.HasPrefix(rest, "}")
	}
	for _, start := range []string{"[{", "[\n", "<!doctype html", "<html", "<?xml", `{\rtf`, "%pdf-"} {
		foreign = foreign || strings.HasPrefix(strings.ToLower(head[:min(len(head), 32)]), start)
	}
	for _, start := range []string{"{", "[", "PAR1", "PK\x03\x04", "\x93NUMPY"} {
		also = also || strings.HasPrefix(head, start)
	}
	switch {
	case foreign && also:
		return errors.New(show.Text(name) + ": the page reads tables in text: CSV, tabs, fixed width, libsvm, ARFF; the command kfda also reads JSON lines, Parquet, Excel and NumPy")
	case foreign:
		return errors.New(show.Text(name) + ": the page reads tables in text: CSV, tabs, fixed width, libsvm, ARFF, also packed by gzip")
	}
	return nil
}

// fileWord is the name of a file as a shell and the command take it, who read what begins with a dash as a flag.
func fileWord(name string) string {
	if strings.HasPrefix(name, "-") {
		name = "./" + name
	}
	return show.Word(name)
}
