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

// bareError is an error without the path that the caller names already.
func bareError(err error) error {
	if pe := (*os.PathError)(nil); errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// unpack gives the text of a file, without compression and byte-order mark.
func unpack(name string, text *bufio.Reader) (*bufio.Reader, error) {
	start, err := text.Peek(2)
	if err != nil && err != io.EOF {
		return nil, &ReadError{File: name, Err: bareError(err)}
	}
	packed := bytes.Equal(start, []byte{0x1f, 0x8b})
	if !packed && strings.HasSuffix(name, ".gz") {
		return nil, &ReadError{File: name, Err: errors.New("the name says gzip, the content is something else")}
	}
	if packed {
		z, err := gzip.NewReader(text)
		if err != nil {
			return nil, &ReadError{File: name, Err: gzipError(err)}
		}
		text = bufio.NewReaderSize(gzipReader{z}, bufferSize)
	}
	start, _ = text.Peek(3) // an error comes again with the first read
	switch {
	case bytes.Equal(start, []byte("\xef\xbb\xbf")):
		text.Discard(3)
	case bytes.HasPrefix(start, []byte("\xff\xfe")), bytes.HasPrefix(start, []byte("\xfe\xff")):
		return nil, &SyntaxError{Position{File: name, Line: 1}, "the text is UTF-16; convert it to UTF-8"}
	}
	return text, nil
}

// gzipReader makes the errors of a gzip stream say what they are about.
type gzipReader struct{ z *gzip.Reader }

func (r gzipReader) Read(p []byte) (int, error) {
	n, err := r.z.Read(p)
	if err != nil && err != io.EOF {
		err = gzipError(err)
	}
	return n, err
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
