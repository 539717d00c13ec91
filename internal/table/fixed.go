package table

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// field is a column of fixed width: the characters from, from+1, … below to.
type field struct{ from, to int }

// hasFixedWidth reports whether the lines of a text are equally long, hold no tab, semicolon or
// comma, are different numbers of words, and have blanks in common that divide them.
func hasFixedWidth(head []byte) bool {
	if bytes.ContainsFunc(head, func(r rune) bool { return r <= '\t' || strings.ContainsRune(`;,"`, r) }) {
		return false
	}
	lines := wholeLines(head)
	if len(lines) < 3 {
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

// wholeLines returns the lines in the first bytes of a text, without one that may be cut, and empty ones.
func wholeLines(head []byte) (lines []string) {
	if len(head) == bufferSize {
		head = head[:bytes.LastIndexByte(head, '\n')+1]
	}
	for line := range strings.Lines(string(head)) {
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

// readFixed reads text whose columns have fixed widths.
func (b *builder) readFixed(r *reader) (*Table, error) {
	var fields []field
	if b.opt.Widths == nil {
		head, _ := r.in.Peek(bufferSize)
		fields = fieldsOf(wholeLines(head))
		var at []string
		for _, f := range fields {
			at = append(at, span(f))
		}
		b.notice("read as columns of fixed width, characters %s; --widths says other ones, --format csv reads separated text", strings.Join(at, ", "))
	}
	end := 0
	for _, w := range b.opt.Widths {
		fields = append(fields, field{end, end + w})
		end += w
	}
	l := &lines{reader: r}
	cells := make([]string, len(fields))
	next := func() (int, []string, error) {
		for {
			raw, err := l.next()
			if err != nil {
				return 0, nil, err
			}
			text := strings.TrimRight(string(raw), " ")
			if text == "" {
				continue
			}
			if at := cut(text, fields, cells); at > 0 {
				return 0, nil, l.position().syntax("character %d lies outside of the columns; say their widths with --widths", at)
			}
			return l.at, cells, nil
		}
	}
	return b.readCells(&sourceRecords{Source: Source{Next: Texts(next)}})
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
