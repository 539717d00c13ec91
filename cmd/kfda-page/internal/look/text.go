package look

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf16"

	"github.com/seed92411348/kfda/internal/show"
)

// utf8Of returns a text in UTF-8, from UTF-16 as the command reads it.
func utf8Of(name string, text []byte) ([]byte, error) {
	order := utf16Of(text)
	if order == nil {
		return text, nil
	}
	if len(text)%2 != 0 {
		return nil, errors.New(show.Text(name) + ": the text is UTF-16 of an odd number of bytes: it is truncated")
	}
	units := make([]uint16, len(text)/2)
	for i := range units {
		units[i] = order.Uint16(text[2*i:])
	}
	return bytes.TrimPrefix([]byte(string(utf16.Decode(units))), []byte(mark)), nil
}

const mark = "\xef\xbb\xbf" // of UTF-8

// utf16Of returns the order of UTF-16 that a text is in, by its mark or by the zero bytes of letters and digits;
// nil for other bytes.
func utf16Of(text []byte) binary.ByteOrder {
	var zeros [2]int
	start := text[:min(len(text), 256)&^1]
	for i, c := range start {
		if c == 0 {
			zeros[i%2]++
		}
	}
	many := func(some, others int) bool { return len(start) >= 8 && 4*others <= some && some > len(start)/4 }
	switch {
	case bytes.HasPrefix(text, []byte("\xff\xfe")):
		return binary.LittleEndian
	case bytes.HasPrefix(text, []byte("\xfe\xff")):
		return binary.BigEndian
	case many(zeros[1], zeros[0]):
		return binary.LittleEndian
	case many(zeros[0], zeros[1]):
		return binary.BigEndian
	}
	return nil
}

// refuse refuses what is no text that package table reads, and could be taken for one.
func refuse(name string, text []byte) error {
	if bytes.HasPrefix(text, []byte("\x1f\x8b")) {
		return nil // packed by gzip, which is read
	}
	head := strings.TrimLeft(strings.TrimPrefix(string(text[:min(len(text), 1<<12)]), mark), " \t\r\n")
	foreign := strings.Contains(head, "\x00")
	if rest, ok := strings.CutPrefix(head, "{"); ok {
		rest = strings.TrimLeft(rest, " \t")
		foreign = strings.HasPrefix(rest, `"`) || strings.HasPrefix(rest, "}")
	}
	for _, start := range []string{"[{", "[\n", "<!doctype html", "<html", "<?xml", `{\rtf`, "%pdf-"} {
		foreign = foreign || strings.HasPrefix(strings.ToLower(head[:min(len(head), 32)]), start)
	}
	if foreign {
		return errors.New(show.Text(name) + ": the page reads tables in text: CSV, tabs, libsvm, ARFF; the command kfda also reads JSON lines, Parquet, Excel and NumPy")
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
