package formats

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

const maxLine = 64 << 20 // bytes, as of a record of text

// lines reads a text line by line, without the mark at its start.
type lines struct {
	in   *input
	scan *bufio.Scanner
	line int
	read int64 // bytes
}

func (in *input) lines(r io.Reader) *lines {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 0, 64<<10), maxLine)
	return &lines{in: in, scan: s}
}

// next returns the next line, which holds until the call after; io.EOF after the last.
func (l *lines) next() ([]byte, error) {
	if l.line++; l.scan.Scan() {
		text := l.scan.Bytes()
		if l.read += int64(len(text)) + 1; l.line == 1 {
			text = bytes.TrimPrefix(text, mark)
		}
		return text, nil
	}
	if err := l.scan.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, l.wrong(0, "", "more than %d bytes in a line", maxLine)
	} else if err != nil {
		return nil, l.in.unreadable(err)
	}
	return nil, io.EOF
}

func (l *lines) wrong(column int, name, format string, args ...any) error {
	return l.in.at("", l.line, column, name, format, args...)
}
