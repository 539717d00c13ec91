package table

import (
	"bufio"
	"io"
	"strings"
)

// Records tells take where each record of separated text starts that is no blank line: its byte,
// counted from 0, and its line. It returns the separator, which it guesses where comma is 0, and
// the number of bytes. A record can be read by [ReadFrom] after the header without those between.
func Records(name string, r io.Reader, comma byte, take func(at int64, line int)) (separator byte, size int64, err error) {
	in := bufio.NewReaderSize(r, bufferSize)
	mark, _ := in.Peek(3)
	at := int64(0)
	if string(mark) == "\xef\xbb\xbf" {
		at = 3
	}
	text, err := newReader(name, in)
	if err != nil {
		return 0, 0, err
	}
	format := formatByName(name)
	if format == GuessFormat {
		format = formatByContent(text.in)
	}
	if text.packed || text.utf16 || format != Separated {
		return 0, 0, Errorf(name, nil, "only separated text that is neither compressed nor UTF-16 can be cut into parts")
	}
	if comma == 0 {
		comma = guessSeparator(text.in, false)
	}
	src, b := newSeparated(text, comma), &block{}
	for size := blockSize; ; {
		src.fill(size)
		if b.begin(src, src.text, src.end); b.starts(at, take) != nil {
			return 0, 0, b.err
		}
		switch {
		case src.end != nil && src.end != io.EOF:
			return 0, 0, src.unreadable(src.end)
		case src.end != nil:
			return comma, at + int64(len(src.text)), nil
		case b.whole == 0 && size > maxRecord:
			return 0, 0, b.position(1).tooLarge(maxRecord, "bytes in a record")
		case b.whole == 0:
			size *= 2
		}
		src.line, at = b.wholeLine, at+int64(b.whole)
		src.take(b.whole)
	}
}

// starts tells where the whole records of the block start, of which the first byte is byte first of
// the file.
func (b *block) starts(first int64, take func(at int64, line int)) error {
	if strings.IndexByte(b.text, '"') < 0 && strings.IndexByte(b.text, '\r') < 0 {
		b.startsOfLines(first, take)
		return nil
	}
	for b.at < len(b.text) {
		from, whole := b.at, false
		b.cells = b.cells[:0]
		if whole, b.err = b.cut(); b.err != nil || !whole {
			return b.err
		}
		if b.whole, b.wholeLine = b.at, b.line; !isBlank(b.cells) {
			take(first+int64(from), b.start)
		}
	}
	return nil
}

// startsOfLines is starts for a text in which each line is a record.
func (b *block) startsOfLines(first int64, take func(at int64, line int)) {
	blanks := " \t"
	if b.comma == '\t' {
		blanks = " "
	}
	for b.whole < len(b.text) {
		line, _, ended := strings.Cut(b.text[b.whole:], "\n")
		if !ended && b.end != io.EOF {
			return
		}
		if strings.Trim(line, blanks) != "" {
			take(first+int64(b.whole), b.wholeLine)
		}
		if b.whole += len(line); ended {
			b.whole++
		}
		b.wholeLine++
	}
}
