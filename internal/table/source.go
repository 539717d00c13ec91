package table

import (
	"slices"
	"strconv"
)

// Cell is a cell of a Source: a text or, where IsNumber, a number.
type Cell struct {
	Text     string
	Number   float64
	IsNumber bool
}

func (c Cell) String() string {
	if c.IsNumber {
		return strconv.FormatFloat(c.Number, 'g', -1, 64)
	}
	return c.Text
}

// Texts returns the rows of a function that returns them as texts.
func Texts(next func() (line int, cells []string, err error)) func() (int, []Cell, error) {
	var row []Cell
	return func() (int, []Cell, error) {
		line, cells, err := next()
		row = row[:0]
		for _, text := range cells {
			row = append(row, Cell{Text: text})
		}
		return line, row, err
	}
}

// Source is a table that another package reads: rows of cells.
type Source struct {
	// Next returns the next row and where it is: its line or, in a format without lines,
	// its number; io.EOF after the last. The cells may change with the call after.
	Next   func() (line int, cells []Cell, err error)
	Header Header         // whether the first row is names; GuessHeader is as in text
	Sheet  string         // that the rows are from, "" in a format without sheets
	Part   func() float64 // of the rows that are read, between 0 and 1; 0 if that is not known
}

// ReadSource reads the table of a source; name is the name of the file.
func ReadSource(name string, s Source, opt Options) (*Table, error) {
	if s.Header != GuessHeader {
		opt.Header = s.Header
	}
	b := newBuilder(name, opt)
	defer b.collectOften(sourceGC)()
	b.part, b.sheet = s.Part, s.Sheet
	return b.readCells(&sourceRecords{Source: s})
}

// sourceRecords are the records of a source.
type sourceRecords struct {
	Source
	queue []record // read ahead
	err   error    // after these
	rec   []cell
}

func (s *sourceRecords) next() (record, error) {
	if len(s.queue) > 0 {
		rec := s.queue[0]
		s.queue = s.queue[1:]
		return rec, nil
	}
	return s.read()
}

// read returns the next record that is not read ahead.
func (s *sourceRecords) read() (record, error) {
	if s.err != nil {
		return record{}, s.err
	}
	line, cells, err := s.Next()
	if err != nil {
		return record{}, err
	}
	s.rec = s.rec[:0]
	for _, c := range cells {
		s.rec = append(s.rec, cell{text: c.Text, number: c.Number, isNumber: c.IsNumber})
	}
	return record{line, s.rec}, nil
}

// ahead reads as many records ahead as text has in its buffer, of a format without names none.
func (s *sourceRecords) ahead() (below [][]cell) {
	if s.Header != GuessHeader {
		return nil
	}
	s.rec = nil // the record before is not taken yet
	for size := 0; size < bufferSize; {
		rec, err := s.read()
		if err != nil {
			s.err = err
			break
		}
		s.rec = nil
		for _, c := range rec.cells {
			size += len(c.text) + 1
		}
		below = append(below, rec.cells)
		s.queue = append(s.queue, rec)
	}
	return below
}

func (s *sourceRecords) raggedHint(record, int) string { return "" }

// CellName names a cell of a sheet, as in C5; the column counts from 1.
func CellName(column, row int) string {
	letters := ""
	for ; column > 0; column = (column - 1) / 26 {
		letters = string(rune('A'+(column-1)%26)) + letters
	}
	return letters + strconv.Itoa(row)
}

// OtherLabels are labels from a file of their own, for the data rows of a table in order.
type OtherLabels struct {
	File  string
	Texts []string
	Lines []int // on which they stand
}

// named reports whether the first text stands only there, as the name of the column does.
func (o *OtherLabels) named() bool {
	return len(o.Texts) > 1 && !slices.Contains(o.Texts[1:], o.Texts[0])
}

// fileLabel is the label of row k in a file of their own, "" for one that is missing.
func (b *builder) fileLabel(k int) string {
	if o := b.opt.Labels; k+b.skipped < len(o.Texts) && !b.isMissing(o.Texts[k+b.skipped]) {
		return b.intern(o.Texts[k+b.skipped])
	}
	b.gapped = true
	return ""
}

// matchLabels compares the number of labels in a file of their own with that of the rows. A
// label more than rows that stands only at the start is the name of the column. Where rows are not
// held until their number is known, one that stands only there is taken for a name.
func (b *builder) matchLabels() error {
	o := b.opt.Labels
	switch n := len(o.Texts); {
	case n == b.seen+b.skipped && b.skipped == 0:
		return nil
	case n == b.seen+1 && o.named():
		b.notice("line %d of %s, %s, is taken for a name: there is a label more than rows", o.Lines[0], o.File, quoteCell(o.Texts[0]))
		if b.skipped == 0 {
			b.skipped = 1
			for i, row := range b.rows {
				b.labels[i] = b.fileLabel(row)
			}
		}
		return nil
	case n == b.seen && b.skipped == 1:
		return b.problem(Other, "line %d of %s, %s, stands only there and was taken for a name, but there are as many rows as labels; begin the file with a name", o.Lines[0], o.File, quoteCell(o.Texts[0]))
	default:
		e := b.problem(Other, "%d rows, but %d labels in %s; each data row needs one, in the same order", b.seen, n, o.File)
		e.Got, e.Want = n, b.seen
		return e
	}
}

// Errorf is an error about the content of a file as a whole; err says why its bytes could
// not be had, or is nil.
func Errorf(file string, err error, format string, args ...any) *Error {
	e := Position{File: file}.problem(Other, format, args...)
	e.Err = err
	return e
}

// TooMuch is the error of a file that needs more memory than limit before its table is read.
func TooMuch(file string, what string, limit int) *Error {
	e := Position{File: file}.problem(Memory, "%s takes more than %d bytes of memory", what, limit)
	e.Want = limit
	return e
}
