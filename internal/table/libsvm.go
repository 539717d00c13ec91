package table

import (
	"bytes"
	"io"
	"slices"
	"strconv"
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
	numbers notation
	row     int // rows read
	qids    int // qid entries skipped
	label   string
	found   []entry
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
		label, rest := cutToken(raw)
		if len(label) == 0 {
			continue
		}
		l.row++
		if bytes.IndexByte(label, ':') >= 0 {
			return nil, l.position().syntax("the row starts with %s where the label was expected; where none is known write 0 there", quoteCell(string(label)))
		}
		l.label = numberText(string(label))
		return l.entries(rest)
	}
}

// cutToken returns the first word of s and what follows it.
func cutToken(s []byte) (token, rest []byte) {
	const blanks = " \t"
	s = bytes.TrimLeft(s, blanks)
	if i := bytes.IndexAny(s, blanks); i >= 0 {
		return s[:i], s[i:]
	}
	return s, nil
}

func (l *libsvm) entries(s []byte) ([]entry, error) {
	l.found = l.found[:0]
	last := -1
	for token, s := cutToken(s); len(token) > 0; token, s = cutToken(s) {
		index, value, ok := bytes.Cut(token, []byte(":"))
		if !ok {
			return nil, l.position().syntax("%s is not index:value", quoteCell(string(token)))
		}
		if string(index) == "qid" {
			l.qids++
			continue
		}
		k, err := strconv.Atoi(string(index))
		if err != nil || k < 0 {
			return nil, l.position().syntax("%s has no whole number before the colon", quoteCell(string(token)))
		}
		j := k - l.base
		switch {
		case j < 0 && l.follows:
			return nil, l.position().syntax("index 0, but the indices of the model count from 1")
		case j < 0:
			return nil, l.position().syntax("index 0 in a format that counts from 1; --zero-based reads files that count from 0")
		case j >= maxCells:
			return nil, l.position().tooLarge(maxCells, "columns")
		case j == last:
			return nil, l.position().syntax("index %d stands twice in the row", k)
		case j < last:
			return nil, l.position().syntax("index %d stands after %d; indices must ascend", k, last+l.base)
		}
		last = j
		v, reason := parseNumber(string(value), l.numbers)
		if reason != "" {
			p := l.position()
			p.Column = j + 1
			return nil, p.notNumber(string(value), reason)
		}
		l.found = append(l.found, entry{j, v})
	}
	return l.found, nil
}

func (l *libsvm) position() Position { return Position{File: l.name, Line: l.at, Row: l.row} }

// readLibsvm reads a whole libsvm file.
func (b *builder) readLibsvm(r *reader) (*Table, error) {
	if b.opt.Label != "" && !b.opt.Target || b.opt.IDs != "" || b.opt.Weight != "" || len(b.opt.Ignore)+len(b.opt.Categories) > 0 {
		return nil, b.problem(Syntax, "a libsvm file has a label and numbers only: no other label, id, weight, ignored column or category can be chosen")
	}
	if b.opt.Labels != nil {
		return nil, b.problem(Syntax, "a libsvm file has labels of its own, so that %s is not needed", b.opt.Labels.File)
	}
	layout, zeroBased := b.opt.Layout, b.opt.ZeroBased
	src := &libsvm{lines: lines{reader: r}, base: 1, numbers: b.numbers}
	if src.follows = layout != nil && layout.Sparse; src.follows {
		zeroBased = layout.ZeroBased
	}
	if zeroBased {
		src.base = 0
	}
	b.sparse, b.layout.Label = &sparse{}, -1
	width := 0
	if layout != nil {
		width = len(layout.Features)
		b.sparseLayout(width, zeroBased)
	}
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
		if layout != nil && width > len(layout.Features) {
			e := b.problem(Columns, "index %d on line %d, but the model has %d feature columns", width-1+src.base, src.at, len(layout.Features))
			e.Got, e.Want = width, len(layout.Features)
			return nil, e
		}
		if b.seen = src.row - 1; !b.opt.Rows.Has(b.seen) {
			continue
		}
		if err := b.makeRoom(); err != nil {
			return nil, err
		}
		b.sparse.add(b, row)
		err = b.take(src.at, entryBytes*len(row)+8)
		if err == nil {
			err = b.addRow(b.seen, src.at, src.label)
		}
		if err == nil && 8*int64(width)*int64(len(b.rows)) > int64(b.limit()-b.held) {
			err = b.tooMuch(src.position())
		}
		if err != nil {
			return nil, err
		}
	}
	if b.seen = src.row; src.qids > 0 {
		b.notice("qid entries skipped: %d", src.qids)
	}
	if layout == nil {
		b.sparseLayout(width, zeroBased)
	}
	return b.table()
}

// sparseLayout is the layout of a libsvm file.
func (b *builder) sparseLayout(width int, zeroBased bool) {
	b.layout = Layout{Width: width, Sparse: true, ZeroBased: zeroBased, Label: -1, Features: make([]int, width)}
	b.startFeatures(width)
	for j := range b.layout.Features {
		b.layout.Features[j] = j
	}
}

// sparse are the rows of a libsvm file that are held.
type sparse struct {
	columns []uint32 // of the entries of all rows
	values  []float64
	ends    []int // of the rows in these
}

func (s *sparse) add(b *builder, row []entry) {
	s.columns, s.values = grow(b, s.columns, len(row)), grow(b, s.values, len(row))
	for _, e := range row {
		s.columns, s.values = append(s.columns, uint32(e.column)), append(s.values, e.value)
	}
	s.ends = append(grow(b, s.ends, 1), len(s.values))
}

// start is where the entries of a row begin.
func (s *sparse) start(row int) int {
	if row == 0 {
		return 0
	}
	return s.ends[row-1]
}

// move puts a row after the first kept ones, which are none of those that follow it.
func (s *sparse) move(kept, row int) {
	to, from, end := s.start(kept), s.start(row), s.ends[row]
	copy(s.columns[to:], s.columns[from:end])
	copy(s.values[to:], s.values[from:end])
	s.ends[kept] = to + end - from
}

// cut keeps the first n rows.
func (s *sparse) cut(n int) {
	s.columns, s.values, s.ends = s.columns[:s.start(n)], s.values[:s.start(n)], s.ends[:n]
}

// dense are the rows in full, in the memory of data if that is enough.
func (s *sparse) dense(data []float64, width int) []float64 {
	data = slices.Grow(data[:0], len(s.ends)*width)[:len(s.ends)*width]
	clear(data)
	for i, end := range s.ends {
		for k := s.start(i); k < end; k++ {
			data[i*width+int(s.columns[k])] = s.values[k]
		}
	}
	return data
}
