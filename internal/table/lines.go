package table

import "io"

// lines reads the lines of formats in which a record is a line.
type lines struct {
	*reader
	at   int // line that next returned last
	text []byte
}

// next returns the next line, which holds until the call after; io.EOF after
// the last.
func (l *lines) next() ([]byte, error) {
	l.text, l.at = l.text[:0], l.line
	for {
		switch c, err := l.char(); {
		case err != nil:
			return nil, err
		case c == eof && len(l.text) == 0:
			return nil, io.EOF
		case c == eof:
			l.line++
			return l.text, nil
		case c == '\n':
			return l.text, nil
		case len(l.text) == maxRecord:
			return nil, l.position().tooLarge(maxRecord, "bytes in a line")
		default:
			l.text = append(l.text, byte(c))
		}
	}
}

func (l *lines) position() Position { return Position{File: l.name, Line: l.at} }
