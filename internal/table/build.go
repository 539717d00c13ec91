package table

import (
	"fmt"
	"io"
	"strings"

	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/matrix"
)

// builder turns records into a table.
type builder struct {
	name    string
	sheet   string
	opt     Options
	numbers notation
	part    func() float64 // of the input that is read, 0 if that is not known
	held    int            // bytes of memory

	width  int              // columns of the file, empty tails included
	names  []string         // of the columns; nil without a header
	named  map[string][]int // the columns of each name
	guess  Header           // what line 1 was taken for, if that is a guess
	layout Layout           // of this file
	ids    int              // position of the id column, -1 without

	missing func(cell) bool // whether a feature cell is missing
	survey  survey

	seen   int // data rows so far
	data   []float64
	labels []string
	idText []string
	rows   []int
	lines  []int
	texts  map[string]string // one copy of each label
}

func newBuilder(name string, opt Options) *builder {
	b := &builder{name: name, opt: opt, numbers: notation{mark: '.'}, ids: -1, texts: map[string]string{}}
	if opt.DecimalComma {
		b.numbers.mark = ','
	}
	return b
}

func (b *builder) notice(format string, args ...any) {
	if b.opt.Notice != nil {
		b.opt.Notice(b.name + ": " + fmt.Sprintf(format, args...))
	}
}

// problem is one of the file as a whole.
func (b *builder) problem(kind Kind, format string, args ...any) *Error {
	return Position{File: b.name}.problem(kind, format, args...)
}

// readSeparated reads separated text.
func (b *builder) readSeparated(r *reader) (*Table, error) {
	comma := b.opt.Separator
	if comma == 0 {
		comma = guessSeparator(r.in, b.opt.DecimalComma)
	}
	b.numbers.separator = comma
	t, err := b.readCells(newSeparated(r, comma))
	if err != nil && b.opt.Separator == 0 {
		err = b.doubtSeparator(err)
	}
	return t, err
}

// cellReader delivers the records of a table whose first may hold names.
type cellReader interface {
	recordReader
	ahead() [][]cell // records that follow, without taking them
	raggedHint(rec record, want int) string
}

func (b *builder) readCells(src cellReader) (*Table, error) {
	first, err := src.next()
	if err == io.EOF {
		return nil, b.problem(Other, "no rows: the file is empty")
	}
	if err != nil {
		return nil, err
	}
	b.width = len(first.cells)
	var below [][]cell
	if b.opt.Header == GuessHeader {
		below = src.ahead()
	}
	if err := b.readHeader(first, below); err != nil {
		return nil, err
	}
	if b.names != nil {
		first, err = src.next()
		if err == io.EOF {
			return nil, b.problem(Other, "no rows after the header")
		}
		if err != nil {
			return nil, err
		}
	}
	b.missing = func(c cell) bool { return isMissing(c.text) }
	return b.readRecords(src, first, src.raggedHint)
}

// readARFF reads ARFF.
func (b *builder) readARFF(r *reader) (*Table, error) {
	src, err := newARFF(r)
	if err != nil {
		return nil, err
	}
	names := []string{}
	for _, a := range src.attributes {
		names = append(names, a.name)
	}
	b.setNames(names)
	b.width = len(names)
	first, err := src.next()
	if err == io.EOF {
		return nil, b.problem(Other, "no rows after @data")
	}
	if err != nil {
		return nil, err
	}
	b.missing = arffMissing
	return b.readRecords(src, first, func(record, int) string { return "" })
}

// readRecords reads all records, of which first is the first.
func (b *builder) readRecords(src recordReader, first record, hint func(record, int) string) (*Table, error) {
	if len(first.cells) != b.width {
		return nil, b.ragged(first, hint)
	}
	if err := b.chooseColumns(first.cells); err != nil {
		return nil, err
	}
	b.survey.numbers = make([]int, len(b.layout.Features))
	for rec := first; ; {
		if len(rec.cells) != b.width {
			return nil, b.ragged(rec, hint)
		}
		err := b.record(rec)
		if err != nil {
			return nil, err
		}
		b.seen++
		rec, err = src.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return b.table()
}

func (b *builder) ragged(rec record, hint func(record, int) string) error {
	return Position{File: b.name, Sheet: b.sheet, Line: rec.line, Row: b.seen + 1}.ragged(len(rec.cells), b.width, hint(rec, b.width))
}

// position is the place of column j (from 0) in the row that is being read.
func (b *builder) position(line, j int) Position {
	return Position{File: b.name, Sheet: b.sheet, Line: line, Row: b.seen + 1, Column: j + 1, Name: b.columnName(j)}
}

// record takes in one data row.
func (b *builder) record(rec record) error {
	for j := b.layout.Width; j < b.width; j++ {
		if c := rec.cells[j]; c.text != "" {
			return b.position(rec.line, j).syntax(
				"holds %s, but the column has no name and is empty in the first row, as after a separator at the line end", quoteCell(c.text))
		}
	}
	if !b.opt.Rows.Has(b.seen) {
		return nil
	}
	start := len(b.data)
	if err := b.take(rec.line, 8*len(b.layout.Features)); err != nil {
		return err
	}
	b.data = grow(b, b.data, len(b.layout.Features))
	var holes []int32
	for i, j := range b.layout.Features {
		c := rec.cells[j]
		if b.missing(c) {
			holes = append(holes, int32(j))
			continue
		}
		v, reason := parseNumber(c.text, b.numbers)
		if reason != "" {
			b.survey.refuse(i, b.position(rec.line, j), c.text, reason)
			continue
		}
		b.survey.numbers[i]++
		b.data = append(b.data, v)
	}
	var label string
	switch {
	case b.opt.Labels != nil:
		label = b.intern(b.fileLabel())
	case b.labelled():
		c := rec.cells[b.layout.Label]
		if c.text == "" || !c.quoted && b.missing(c) {
			holes = append(holes, int32(b.layout.Label))
		} else {
			label = b.intern(c.text)
		}
	}
	if holes != nil {
		b.data = b.data[:start]
		b.survey.lose(b.position(rec.line, int(holes[0])), holes, label)
		return b.take(rec.line, lostBytes+4*len(holes)-8*len(b.layout.Features))
	}
	if b.survey.refused != nil {
		b.data = b.data[:start]
		if err := b.take(rec.line, rowBytes-8*len(b.layout.Features)); err != nil {
			return err
		}
	}
	if b.ids >= 0 {
		id := rec.cells[b.ids].text
		if err := b.take(rec.line, idBytes+len(id)); err != nil {
			return err
		}
		b.idText = append(grow(b, b.idText, 1), strings.Clone(id))
	}
	return b.addRow(b.seen, rec.line, label)
}

func (b *builder) labelled() bool { return !b.opt.Unlabelled }

// labelColumn reports whether a column of labels is wanted.
func (b *builder) labelColumn() bool { return b.labelled() && b.opt.Labels == nil }

// lacksLabel reports whether a column of labels is wanted and not found.
func (b *builder) lacksLabel() bool { return b.labelColumn() && b.layout.Label < 0 }

// addRow takes in what is known of a row beside its numbers and its id.
func (b *builder) addRow(row, line int, label string) error {
	b.rows = append(grow(b, b.rows, 1), row)
	b.lines = append(grow(b, b.lines, 1), line)
	if b.labelled() {
		b.labels = append(grow(b, b.labels, 1), b.intern(label))
	}
	return b.take(line, rowBytes)
}

// intern returns the one copy of a label that is kept.
func (b *builder) intern(s string) string {
	if t, ok := b.texts[s]; ok {
		return t
	}
	s = strings.Clone(s)
	b.texts[s] = s
	b.held += textBytes + len(s)
	return s
}

func (b *builder) columnName(j int) string {
	if b.names == nil {
		return ""
	}
	return b.names[j]
}

// table checks what was read as a whole.
func (b *builder) table() (*Table, error) {
	t := &Table{
		File: b.name, Sheet: b.sheet, Labels: b.labels, IDs: b.idText, Rows: b.rows, Lines: b.lines, Seen: b.seen, Layout: b.layout,
	}
	if b.ids >= 0 {
		t.IDName = b.columnName(b.ids)
	}
	if b.opt.Labels != nil {
		if err := b.matchLabels(); err != nil {
			return nil, err
		}
	}
	if err := b.problems(); err != nil {
		return nil, err
	}
	if len(b.survey.lost) > 0 {
		lost := b.lost(nil)
		t.Dropped = &lost
		b.notice("left out: %s, on %s", lost, numbered("line", lost.Lines))
	}
	switch {
	case b.seen == 0:
		return nil, b.problem(Other, "no rows")
	case b.selected() == 0:
		return nil, b.problem(Other, "no rows in the selection %s of %s", b.opt.Rows, plural.Count(b.seen, "row"))
	case len(b.rows) == 0:
		return nil, b.problem(Other, "no rows without missing cells%s", b.remedy(nil))
	case len(b.layout.Features) == 0:
		return nil, b.problem(Other, "no feature columns")
	}
	d := len(b.layout.Features)
	t.X = &matrix.Dense{Rows: len(b.rows), Cols: d, Stride: d, Data: b.data}
	if b.layout.Sparse && b.opt.Layout != nil && b.opt.Layout.Names != nil {
		b.notice("a libsvm file has no names of columns, so that its indices are taken for the features of the model in their order")
	}
	if b.opt.Layout == nil {
		b.noticeRowNumbers(t)
		if err := b.checkClasses(t); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// selected is the number of rows that --rows selects, those with missing cells included.
func (b *builder) selected() int { return len(b.rows) + len(b.survey.lost) }

// columnText names column j in a message.
func (b *builder) columnText(j int) string { return ColumnText(j+1, b.columnName(j)) }

func (b *builder) columnTexts(columns []int) []string {
	var texts []string
	for _, j := range columns {
		texts = append(texts, b.columnText(j))
	}
	return texts
}

// noticeRowNumbers points at feature columns that count the rows: they are
// often row numbers, which give away the class in a sorted file.
func (b *builder) noticeRowNumbers(t *Table) {
	if t.X.Rows < 10 {
		return
	}
	var found []int
columns:
	for f, j := range t.Layout.Features {
		for i, row := range t.Rows {
			if t.X.At(i, f)-t.X.At(0, f) != float64(row-t.Rows[0]) {
				continue columns
			}
		}
		found = append(found, j)
	}
	if found != nil {
		verb := "count"
		if len(found) == 1 {
			verb = "counts"
		}
		b.notice("%s %s the rows%s", shortList(b.columnTexts(found)), verb, b.advice("; if that is only their number, say ", advised{ignore: found}))
	}
}
