package table

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// entry is a number of a sparse row; column is 0-based.
type entry struct {
	column int
	value  float64
}

// libsvm reads "label index:value …" rows.
type libsvm struct {
	lines
	base    int  // what indices count from
	follows bool // whether a model has settled that
	row     int  // rows read
	qids    int  // qid entries skipped
	label   string
	found   []entry
}

func newLibsvm(name string, r *bufio.Reader, zeroBased bool) *libsvm {
	l := &libsvm{lines: lines{name: name, r: r}, base: 1}
	if zeroBased {
		l.base = 0
	}
	return l
}

// next reads the next row into l.label and the entries that it returns, which
// hold until the call after.
func (l *libsvm) next() ([]entry, error) {
	for {
		raw, err := l.lines.next()
		if err != nil {
			return nil, err
		}
		raw, _, _ = bytes.Cut(raw, []byte("#"))
		tokens := strings.FieldsFunc(string(raw), func(r rune) bool { return r == ' ' || r == '\t' })
		if len(tokens) == 0 {
			continue
		}
		l.row++
		l.label = tokens[0]
		if strings.Contains(l.label, ":") {
			return nil, l.problem(fmt.Sprintf("the row starts with %s where the label was expected", quoteCell(l.label)))
		}
		return l.entries(tokens[1:])
	}
}

func (l *libsvm) entries(tokens []string) ([]entry, error) {
	l.found = l.found[:0]
	last := -1
	for _, token := range tokens {
		index, value, ok := strings.Cut(token, ":")
		if !ok {
			return nil, l.problem(fmt.Sprintf("%s is not index:value", quoteCell(token)))
		}
		if index == "qid" {
			l.qids++
			continue
		}
		k, err := strconv.Atoi(index)
		if err != nil || k < 0 {
			return nil, l.problem(fmt.Sprintf("%s has no whole number before the colon", quoteCell(token)))
		}
		j := k - l.base
		switch {
		case j < 0 && l.follows:
			return nil, l.problem("index 0, but the indices of the model count from 1")
		case j < 0:
			return nil, l.problem("index 0 in a format that counts from 1; --zero-based reads files that count from 0")
		case j >= maxCells:
			return nil, &TooLargeError{l.at(), "columns", maxCells}
		case j == last:
			return nil, l.problem(fmt.Sprintf("index %d stands twice in the row", k))
		case j < last:
			return nil, l.problem(fmt.Sprintf("index %d stands after %d; indices must ascend", k, last+l.base))
		}
		last = j
		v, reason := parseNumber(value, false)
		if reason != "" {
			p := l.at()
			p.Column = j + 1
			return nil, &NumberError{Position: p, Cell: value, Reason: reason}
		}
		l.found = append(l.found, entry{j, v})
	}
	return l.found, nil
}

func (l *libsvm) at() Position { return Position{File: l.name, Line: l.line, Row: l.row} }

func (l *libsvm) problem(reason string) error { return &SyntaxError{l.at(), reason} }

// readLibsvm reads a whole libsvm file.
func (b *builder) readLibsvm(r *bufio.Reader) (*Table, error) {
	zeroBased := b.opt.ZeroBased
	if layout := b.opt.Layout; layout != nil && layout.Sparse {
		zeroBased = layout.ZeroBased
	}
	if b.opt.Label != "" || b.opt.IDs != "" || len(b.opt.Ignore) > 0 {
		return nil, &SyntaxError{Position{File: b.name}, "a libsvm file has a label and numbers only: no other label, id or ignored column can be chosen"}
	}
	src := newLibsvm(b.name, r, zeroBased)
	src.follows = b.opt.Layout != nil && b.opt.Layout.Sparse
	var (
		rows    [][]entry
		numbers int
		width   int
	)
	for {
		row, err := src.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if n := len(row); n > 0 {
			width = max(width, row[n-1].column+1)
		}
		if layout := b.opt.Layout; layout != nil && width > len(layout.Features) {
			return nil, &LayoutError{File: b.name, Got: width, Want: len(layout.Features),
				Reason: fmt.Sprintf("index %d on line %d, but the model has %d feature columns", width-1+src.base, src.line, len(layout.Features))}
		}
		i := src.row - 1
		if !b.opt.Rows.Has(i) {
			continue
		}
		if numbers += 2*len(row) + rowNumbers; numbers > maxNumbers {
			return nil, &TooLargeError{src.at(), "numbers", maxNumbers}
		}
		rows = append(rows, append([]entry(nil), row...))
		b.addRow(i, src.line)
		b.labels = append(b.labels, b.intern(src.label))
	}
	if src.qids > 0 {
		b.notice("qid entries skipped: %d", src.qids)
	}
	if layout := b.opt.Layout; layout != nil {
		width = len(layout.Features)
	}
	if len(rows) > 0 && width > maxNumbers/len(rows) {
		return nil, &TooLargeError{Position{File: b.name}, "numbers (rows times columns)", maxNumbers}
	}
	b.data = make([]float64, len(rows)*width)
	for i, row := range rows {
		for _, e := range row {
			b.data[i*width+e.column] = e.value
		}
	}
	b.seen = src.row
	b.layout = Layout{Width: width, Sparse: true, ZeroBased: zeroBased, Label: -1, Features: make([]int, width)}
	for j := range b.layout.Features {
		b.layout.Features[j] = j
	}
	return b.table()
}
