package table

import (
	"bufio"
	"fmt"
	"io"
)

const zeroByte = "there is a zero byte: this is not text, or it is UTF-16; convert it to UTF-8"

// lines reads the lines of formats in which a record is a line. LF, CRLF and a
// lone CR end a line.
type lines struct {
	name string
	r    *bufio.Reader
	line int // of the line that next returned last
	text []byte
}

// next returns the next line, which holds until the call after; io.EOF after
// the last.
func (l *lines) next() ([]byte, error) {
	l.text = l.text[:0]
	l.line++
	for {
		c, err := l.r.ReadByte()
		switch {
		case err == io.EOF && len(l.text) > 0:
			return l.text, nil
		case err == io.EOF:
			return nil, io.EOF
		case err != nil:
			return nil, &ReadError{l.name, l.line, bareError(err)}
		case c == 0:
			return nil, l.syntax(zeroByte)
		case c == '\n':
			return l.text, nil
		case c == '\r':
			// An error comes again with the next line.
			if p, _ := l.r.Peek(1); len(p) == 1 && p[0] == '\n' {
				l.r.Discard(1)
			}
			return l.text, nil
		case len(l.text) == maxRecord:
			return nil, &TooLargeError{l.position(), "bytes in a line", maxRecord}
		}
		l.text = append(l.text, c)
	}
}

func (l *lines) position() Position { return Position{File: l.name, Line: l.line} }

func (l *lines) syntax(format string, args ...any) error {
	return &SyntaxError{l.position(), fmt.Sprintf(format, args...)}
}
