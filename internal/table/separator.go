package table

import (
	"bufio"
	"bytes"
	"io"
	"strings"
)

// guessSeparator finds the separator by the rule of rules.txt.
func guessSeparator(r *bufio.Reader, decimalComma bool) byte {
	start, err := r.Peek(bufferSize)
	if end := bytes.LastIndexAny(start, "\r\n"); err == nil && end >= 0 {
		start = start[:end+1] // without the part of a record at the end
	}
	candidates := []byte("\t;,")
	if decimalComma {
		candidates = candidates[:2]
	}
	guess := byte(' ')
	for _, c := range candidates {
		first, equal := cellCounts(start, c)
		if first > 1 && equal {
			return c
		}
		if first > 1 && guess == ' ' {
			guess = c
		}
	}
	if first, equal := cellCounts(start, ' '); guess == '\t' && first > 1 && equal {
		return ' ' // tabs that are doubled to align cells
	}
	return guess
}

// cellCounts returns how many cells the first record of text has, and whether all
// have as many; the last one may break off inside of quotes.
func cellCounts(text []byte, comma byte) (first int, equal bool) {
	text, _, _ = bytes.Cut(text, []byte{0})
	b := &block{scanner: newScanner("", string(text), comma, io.EOF)}
	for b.err == nil {
		b.cells, b.rows = b.cells[:0], b.rows[:0]
		b.scan(1)
		n := len(b.cells)
		if len(b.rows) == 1 && first == 0 {
			first = n
		}
		if len(b.rows) == 1 && n != first {
			return first, false
		}
	}
	return first, b.at == len(b.text)
}

// doubtSeparator names a guessed separator beside an error that another one may be
// the remedy of.
func (b *builder) doubtSeparator(err error) error {
	e, comma := err.(*Error), b.numbers.separator
	switch {
	case e.Err != nil:
	case comma == ' ' && b.opt.DecimalComma && (b.width == 1 || e.Kind == Syntax):
		e.What += "; with --decimal-comma no comma is guessed to be the separator; if it is, and decimals are in quotes, say --decimal-comma --separator comma"
	case comma == ' ' && b.width == 1:
		e.What += "; the first line has no tab, semicolon or comma outside of quotes, and kfda knows no other separators but blanks"
	case e.Kind == Ragged && e.Advice == "", e.Kind == Number && strings.ContainsAny(e.Cell, "\t;|"):
		name := map[byte]string{'\t': "tab", ';': "semicolon", ',': "comma", ' ': "blank"}[comma]
		if e.What += "; the separator is guessed to be " + name + "; if it is another, name it with --separator"; e.Advice != "" {
			e.What += "."
		}
	}
	return e
}
