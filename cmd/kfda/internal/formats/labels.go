package formats

import (
	"bytes"
	"encoding/csv"
	"io"
	"strings"

	"github.com/seed92411348/kfda/internal/table"
)

// readLabels reads the labels in a file of their own, one a row.
func readLabels(path string, stdin io.Reader, opt Options) (*table.OtherLabels, error) {
	opt.Sheet, opt.Format, opt.unpack = "", table.GuessFormat, true
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
		if src, err = in.words(); err != nil {
			return nil, err
		}
	}
	labels := &table.OtherLabels{File: in.name}
	for held := 0; ; {
		line, cells, err := src.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if src.Header == table.WithHeader {
			src.Header = table.GuessHeader
			continue
		}
		if len(cells) != 1 {
			return nil, in.at(src.Sheet, line, 0, "", "%d columns, want one with the labels", len(cells))
		}
		const each = 40 // bytes beside the text
		text := cells[0].String()
		if held += each + len(text); held > in.limit() {
			return nil, table.TooMuch(in.name, "the labels", in.limit())
		}
		labels.Texts = append(labels.Texts, strings.Clone(text))
		labels.Lines = append(labels.Lines, line)
	}
	return labels, nil
}

// words returns the lines of text, each with one cell.
func (in *input) words() (*table.Source, error) {
	at, size, err := in.bytes()
	if err != nil {
		return nil, err
	}
	start := int64(0)
	if bytes.HasPrefix(in.head, mark) {
		start = int64(len(mark))
	}
	r := csv.NewReader(io.NewSectionReader(at, start, size-start))
	r.FieldsPerRecord, r.ReuseRecord, r.LazyQuotes = -1, true, true
	return &table.Source{Next: table.Texts(func() (int, []string, error) {
		cells, err := r.Read()
		if err == io.EOF {
			return 0, nil, err
		}
		if err != nil {
			return 0, nil, in.unreadable(err)
		}
		line, _ := r.FieldPos(0)
		for j, c := range cells {
			cells[j] = strings.Trim(c, " \t")
		}
		return line, cells, nil
	})}, nil
}
