// Package formats reads tables from files of any format that the command knows. What a file is
// follows from its content: NumPy arrays, Parquet, workbooks of Excel and JSON lines are read
// here, row by row; text is left to package table of the library. Compression by zstd or gzip
// and UTF-16 are undone first. A format that is known and not read is an error with its name.
package formats

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"

	"github.com/seed92411348/kfda/internal/table"
)

// Options say how to read a file.
type Options struct {
	table.Options
	Sheet  string // of a workbook, or the array of an archive; "" is the first, or the only one
	Labels string // file with the labels, "" if a column has them

	unpack bool // text too
}

const headBytes = 64 << 10 // that decide what a file is

// Read reads the table in a file, or in stdin if path is "-".
func Read(path string, stdin io.Reader, opt Options) (*table.Table, error) {
	if opt.Labels != "" {
		labels, err := readLabels(opt.Labels, stdin, opt)
		if err != nil {
			return nil, err
		}
		opt.Options.Labels = labels
	}
	in, err := open(path, stdin, opt)
	if err != nil {
		return nil, err
	}
	defer in.close()
	src, err := in.source()
	if err != nil {
		return nil, err
	}
	if src == nil {
		return table.ReadFrom(in.name, in.text, opt.Options)
	}
	return table.ReadSource(in.name, *src, opt.Options)
}

// input is a file that is read.
type input struct {
	name  string
	opt   Options
	kind  kind
	head  []byte    // the first bytes, without compression, in UTF-8
	text  io.Reader // from the start: as it is if package table reads it, else without compression
	file  *os.File  // nil if text is not its bytes as they are
	close func()
}

func open(path string, stdin io.Reader, opt Options) (*input, error) {
	in := &input{name: path, opt: opt, text: stdin, close: func() {}}
	if path == "-" {
		in.name = "standard input"
	} else {
		f, err := os.Open(path)
		if err != nil {
			return nil, in.unreadable(err)
		}
		in.text, in.close = f, func() { f.Close() }
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			in.file = f
		}
	}
	if err := in.unpack(); err != nil {
		in.close()
		return nil, err
	}
	return in, nil
}

// unpack looks at the first bytes, and undoes compression and UTF-16. Text in UTF-16, or compressed
// by gzip, is left to package table.
func (in *input) unpack() error {
	raw := bufio.NewReaderSize(in.text, headBytes)
	head, err := raw.Peek(headBytes)
	if err != nil && err != io.EOF {
		return in.unreadable(err)
	}
	var z io.Reader = raw
	switch in.head = utf8Of(head); {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		in.head = utf8Of(gunzip(head))
		if in.guess() == text && !in.opt.unpack {
			return in.leave(raw)
		}
		z, err = gzip.NewReader(raw)
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		var d *zstd.Decoder
		d, err = zstd.NewReader(raw, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
		if err == nil {
			release := in.close
			in.close = func() { d.Close(); release() }
		}
		z = d
	case table.UTF16(head) == nil || in.guess() == text && !in.opt.unpack:
		return in.leave(raw)
	default:
		err = nil
	}
	if err != nil {
		return in.unreadable(err)
	}
	in.file = nil
	if err := in.buffer(z); err != nil {
		return err
	}
	if order := table.UTF16(in.head); order != nil {
		if err := in.buffer(table.FromUTF16(in.text, order)); err != nil {
			return err
		}
	}
	in.kind = in.guess()
	return nil
}

// leave leaves the bytes as they are.
func (in *input) leave(raw io.Reader) (err error) {
	in.kind = in.guess()
	if in.text = raw; in.file != nil {
		_, err = in.file.Seek(0, io.SeekStart)
		in.text = in.file
	}
	return err
}

// buffer goes on with what r reads from the bytes before.
func (in *input) buffer(r io.Reader) error {
	text := bufio.NewReaderSize(r, headBytes)
	head, err := text.Peek(headBytes)
	if err != nil && err != io.EOF {
		return in.unreadable(err)
	}
	in.text, in.head = text, bytes.Clone(head)
	return nil
}

// gunzip returns the first bytes of what head is the first bytes of.
func gunzip(head []byte) []byte {
	z, err := gzip.NewReader(bytes.NewReader(head))
	if err != nil {
		return nil
	}
	start := make([]byte, 4<<10)
	n, _ := io.ReadFull(z, start) // it breaks off where head does
	return start[:n]
}

// utf8Of returns the first bytes of a text in UTF-16 in UTF-8, and other bytes as they are.
func utf8Of(head []byte) []byte {
	order := table.UTF16(head)
	if order == nil {
		return bytes.Clone(head)
	}
	text, _ := io.ReadAll(table.FromUTF16(bytes.NewReader(head[:len(head)&^1]), order))
	return text
}

// bytes returns all bytes for reading at any place.
func (in *input) bytes() (io.ReaderAt, int64, error) {
	if in.file != nil {
		info, err := in.file.Stat()
		if err != nil {
			return nil, 0, in.unreadable(err)
		}
		return in.file, info.Size(), nil
	}
	limit := in.limit()
	all, err := io.ReadAll(io.LimitReader(in.text, int64(limit)+1))
	switch {
	case err != nil:
		return nil, 0, in.unreadable(err)
	case len(all) > limit:
		return nil, 0, table.TooMuch(in.name, "the content", limit)
	}
	return bytes.NewReader(all), int64(len(all)), nil
}

// limit is what may be held of the file in memory.
func (in *input) limit() int {
	if m := in.opt.MaxBytes; 0 < m && m < table.MaxBytes {
		return m
	}
	return table.MaxBytes
}

// unreadable says why the bytes could not be had.
func (in *input) unreadable(err error) error {
	if pe := (*os.PathError)(nil); errors.As(err, &pe) {
		err = pe.Err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return table.Errorf(in.name, err, "the file is truncated")
	}
	return table.Errorf(in.name, err, "%v", err)
}

// refuse says what is wrong with the content.
func (in *input) refuse(format string, args ...any) error {
	return table.Errorf(in.name, nil, format, args...)
}

// at says what is wrong in a place of the file.
func (in *input) at(sheet string, line, column int, name, format string, args ...any) error {
	e := table.Errorf(in.name, nil, format, args...)
	e.Sheet, e.Line, e.Column, e.Name = sheet, line, column, name
	return e
}

// guarded returns f's result; a panic of a library on bytes that it does not expect is an
// error about these.
func (in *input) guarded(what string, f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = in.refuse("the %s is damaged: %v", what, r)
		}
	}()
	if err = f(); err == nil || err == io.EOF {
		return err
	}
	if known := (*table.Error)(nil); errors.As(err, &known) {
		return err
	}
	return table.Errorf(in.name, err, "the %s is damaged: %v", what, err)
}
