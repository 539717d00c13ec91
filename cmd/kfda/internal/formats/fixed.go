package formats

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/seed92411348/kfda/internal/table"
)

// field is a column of fixed width: the characters from, from+1, … below to.
type field struct{ from, to int }

// hasFixedWidth reports whether the lines of a text are equally long, hold no tab, semicolon or
// comma, are different numbers of words, and have blanks in common that divide them.
func hasFixedWidth(head []byte) bool {
	lines := wholeLines(head)
	if len(lines) < 3 || bytes.ContainsAny(head, "\t;,\"") || isBinary(head) {
		return false
	}
	words := len(strings.Fields(lines[0]))
	uneven := false
	for _, line := range lines {
		if utf8.RuneCountInString(line) != utf8.RuneCountInString(lines[0]) {
			return false
		}
		uneven = uneven || len(strings.Fields(line)) != words
	}
	return uneven && len(fieldsOf(lines)) > 1
}

// wholeLines returns the lines of a text, without one that may be cut, and empty ones.
func wholeLines(head []byte) (lines []string) {
	if len(head) == headBytes {
		head = head[:bytes.LastIndexByte(head, '\n')+1]
	}
	for line := range strings.Lines(string(bytes.TrimPrefix(head, mark))) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// fieldsOf returns the fields between the blanks that all lines have.
func fieldsOf(lines []string) (fields []field) {
	var used []bool
	for _, line := range lines {
		for i, r := range []rune(line) {
			if i == len(used) {
				used = append(used, false)
			}
			used[i] = used[i] || r != ' '
		}
	}
	for i, u := range used {
		switch {
		case u && (i == 0 || !used[i-1]):
			fields = append(fields, field{i, i + 1})
		case u:
			fields[len(fields)-1].to = i + 1
		}
	}
	return fields
}

// fixed reads text whose columns have fixed widths.
func (in *input) fixed() (*table.Source, error) {
	var fields []field
	if in.opt.Widths == nil {
		fields = fieldsOf(wholeLines(in.head))
		if in.opt.Notice != nil {
			var at []string
			for _, f := range fields {
				at = append(at, span(f))
			}
			in.opt.Notice(in.name + ": read as columns of fixed width, characters " + strings.Join(at, ", ") + "; --widths says other ones, --format csv reads separated text")
		}
	}
	end := 0
	for _, w := range in.opt.Widths {
		fields = append(fields, field{end, end + w})
		end += w
	}
	l := in.lines(in.text)
	cells := make([]string, len(fields))
	next := func() (int, []string, error) {
		for {
			raw, err := l.next()
			if err != nil {
				return 0, nil, err
			}
			text := strings.TrimRight(string(raw), " \r")
			if text == "" {
				continue
			}
			if strings.IndexByte(text, 0) >= 0 {
				return 0, nil, l.wrong(0, "", "there is a zero byte: this is not text")
			}
			if at := cut(text, fields, cells); at > 0 {
				return 0, nil, l.wrong(0, "", "character %d lies outside of the columns; say their widths with --widths", at)
			}
			return l.line, cells, nil
		}
	}
	return &table.Source{Next: table.Texts(next), Part: func() float64 { return 0 }}, nil
}

func span(f field) string {
	if f.to == f.from+1 {
		return fmt.Sprint(f.to)
	}
	return fmt.Sprintf("%d-%d", f.from+1, f.to)
}

// cut takes the fields out of a line, without blanks around. It returns the number of the first
// character that no field has, or 0.
func cut(text string, fields []field, cells []string) (outside int) {
	clear(cells)
	k, start := 0, -1 // the field, and the byte where it starts
	i := 0
	for at, r := range text {
		for k < len(fields) && i >= fields[k].to {
			if start >= 0 {
				cells[k] = strings.TrimSpace(text[start:at])
			}
			k, start = k+1, -1
		}
		switch {
		case k < len(fields) && i >= fields[k].from:
			if start < 0 {
				start = at
			}
		case r != ' ':
			return i + 1
		}
		i++
	}
	if k < len(fields) && start >= 0 {
		cells[k] = strings.TrimSpace(text[start:])
	}
	return 0
}
