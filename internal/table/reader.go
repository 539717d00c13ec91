package table

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

const bufferSize = 64 << 10

// reader reads the text of a file as UTF-8, without compression and byte-order mark.
type reader struct {
	name string
	line int // lines ended so far, plus 1
	in   *bufio.Reader

	raw    *bufio.Reader // of the bytes of the file
	packed bool          // by gzip
	utf16  bool
	file   *os.File // nil if its size is not known
	size   int64
}

func newReader(name string, raw io.Reader) (*reader, error) {
	r := &reader{name: name, raw: bufio.NewReaderSize(raw, bufferSize)}
	r.in = r.raw
	if f, ok := raw.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			r.file, r.size = f, info.Size()
		}
	}
	start, err := r.raw.Peek(2)
	if err != nil && err != io.EOF {
		return nil, r.unreadable(err)
	}
	r.packed = bytes.Equal(start, []byte{0x1f, 0x8b})
	if !r.packed && strings.HasSuffix(name, ".gz") {
		return nil, r.unreadable(errors.New("the name says gzip, the content is something else"))
	}
	if r.packed {
		z, err := gzip.NewReader(r.raw)
		if err != nil {
			return nil, r.unreadable(err)
		}
		r.in = bufio.NewReaderSize(z, bufferSize)
	}
	r.line = 1
	start, _ = r.in.Peek(256) // an error comes again with the first read
	if order := UTF16(start); order != nil {
		r.in, r.utf16 = bufio.NewReaderSize(FromUTF16(r.in, order), bufferSize), true
		start, _ = r.in.Peek(3)
	}
	if bytes.HasPrefix(start, []byte("\xef\xbb\xbf")) {
		r.in.Discard(3)
	}
	return r, nil
}

// readerOf reads a text from memory.
func readerOf(text []byte) *reader {
	return &reader{line: 1, in: bufio.NewReaderSize(bytes.NewReader(text), bufferSize)}
}

// part is how much of the file is taken from the buffer, between 0 and 1; 0 if that is
// not known.
func (r *reader) part() float64 {
	if r.size == 0 {
		return 0
	}
	read, err := r.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0
	}
	return min(1, float64(read-int64(r.raw.Buffered()))/float64(r.size))
}

func (r *reader) position() Position { return Position{File: r.name, Line: r.line} }

// unreadable says why the bytes could not be had.
func (r *reader) unreadable(err error) *Error {
	if err == errZero || err == errHalf {
		return r.position().syntax("%v", err)
	}
	if r.packed {
		return r.position().unreadable(gzipError(err))
	}
	return r.position().unreadable(bareError(err))
}

// bareError is an error without the path that the caller names already.
func bareError(err error) error {
	if pe := (*os.PathError)(nil); errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

func gzipError(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fmt.Errorf("the gzip stream is truncated or followed by padding: %w", io.ErrUnexpectedEOF)
	case errors.Is(err, gzip.ErrChecksum):
		return fmt.Errorf("the gzip stream is damaged: %w", err)
	case errors.Is(err, gzip.ErrHeader):
		return fmt.Errorf("not a gzip stream, or one followed by other bytes: %w", err)
	}
	return fmt.Errorf("gzip: %w", bareError(err))
}

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
		buffered, err := l.in.Peek(max(1, l.in.Buffered()))
		n := bytes.IndexAny(buffered, "\n\r\x00")
		if n < 0 {
			n = len(buffered)
		}
		if len(l.text)+n > maxRecord {
			return nil, l.position().tooLarge(maxRecord, "bytes in a line")
		}
		l.text = append(l.text, buffered[:n]...)
		switch {
		case n < len(buffered) && buffered[n] == 0:
			return nil, l.unreadable(errZero)
		case n < len(buffered):
			l.line++
			if l.in.Discard(n + 1); buffered[n] == '\r' {
				if next, _ := l.in.Peek(1); string(next) == "\n" {
					l.in.Discard(1)
				}
			}
			return l.text, nil
		case n > 0:
			l.in.Discard(n)
		case err != io.EOF:
			return nil, l.unreadable(err)
		case len(l.text) == 0:
			return nil, io.EOF
		default:
			l.line++
			return l.text, nil
		}
	}
}

func (l *lines) position() Position { return Position{File: l.name, Line: l.at} }
