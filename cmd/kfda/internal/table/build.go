package table

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/matrix"
)

// builder turns records into a table.
type builder struct {
	name    string
	opt     Options
	numbers notation
	part    func() float64 // of the input that is read, 0 if that is not known
	held    int            // bytes of memory

	width  int      // columns of the file, empty tails included
	names  []string // of the columns; nil without a header
	layout Layout   // of this file
	ids    int      // position of the id column, -1 without

	missing func(cell) bool // whether a feature cell is missing
	headed  bool            // the header was guessed, and not found
	numeric []bool          // by feature: a number was seen

	seen   int // data rows so far
	data   []float64
	labels []string
	idText []string
	rows   []int
	lines  []int
	texts  map[string]string // one copy of each label

	lost   Missing
	lostIn []int // missing cells by column of the file
	lostAt Position
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

// readSeparated reads separated text.
func (b *builder) readSeparated(r *bufio.Reader) (*Table, error) {
	comma := b.opt.Separator
	if comma == 0 {
		comma = guessSeparator(r, b.opt.DecimalComma)
	}
	b.numbers.separator = comma
	t, err := b.readCells(newSeparated(b.name, r, comma))
	if err != nil && b.opt.Separator == 0 {
		err = b.doubtSeparator(err)
	}
	return t, err
}

func (b *builder) readCells(src *separated) (*Table, error) {
	first, err := src.next()
	if err == io.EOF {
		return nil, &EmptyError{b.name, "rows: the file is empty"}
	}
	if err != nil {
		return nil, err
	}
	b.width = len(first.cells)
	if b.isHeader(first.cells) {
		for _, c := range first.cells {
			b.names = append(b.names, c.text)
		}
		first, err = src.next()
		if err == io.EOF {
			return nil, &EmptyError{b.name, "rows after the header"}
		}
		if err != nil {
			return nil, err
		}
	}
	b.missing = func(c cell) bool { return isMissing(c.text) }
	return b.readRecords(src, first, src.raggedHint)
}

// readARFF reads ARFF.
func (b *builder) readARFF(r *bufio.Reader) (*Table, error) {
	src, err := newARFF(b.name, r)
	if err != nil {
		return nil, err
	}
	b.names = []string{}
	for _, a := range src.attributes {
		b.names = append(b.names, a.name)
	}
	b.width = len(b.names)
	first, err := src.next()
	if err == io.EOF {
		return nil, &EmptyError{b.name, "rows after @data"}
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
	b.numeric = make([]bool, len(b.layout.Features))
	b.lostIn = make([]int, b.width)
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
	return &RaggedError{Position{File: b.name, Line: rec.line, Row: b.seen + 1}, len(rec.cells), b.width, hint(rec, b.width)}
}

// position is the place of column j (from 0) in the row that is being read.
func (b *builder) position(line, j int) Position {
	p := Position{File: b.name, Line: line, Row: b.seen + 1, Column: j + 1}
	if b.names != nil {
		p.Name = b.names[j]
	}
	return p
}

// record takes in one data row.
func (b *builder) record(rec record) error {
	for j := b.layout.Width; j < b.width; j++ {
		if c := rec.cells[j]; c.text != "" {
			return &SyntaxError{b.position(rec.line, j), fmt.Sprintf(
				"holds %s, but the column has no name and is empty in the first row, as after a separator at the line end", quoteCell(c.text))}
		}
	}
	if !b.opt.Rows.Has(b.seen) {
		return nil
	}
	complete := true
	lose := func(j int, count *int) {
		if len(b.lost.Lines) == 0 && complete {
			b.lostAt = b.position(rec.line, j)
		}
		complete = false
		*count++
		b.lostIn[j]++
	}
	start := len(b.data)
	if err := b.take(rec.line, 8*len(b.layout.Features)); err != nil {
		return err
	}
	b.data = grow(b, b.data, len(b.layout.Features))
	for i, j := range b.layout.Features {
		c := rec.cells[j]
		if b.missing(c) {
			lose(j, &b.lost.Features)
			continue
		}
		v, reason := parseNumber(c.text, b.numbers)
		if reason != "" {
			return b.numberError(rec, i, reason)
		}
		b.numeric[i] = true
		b.data = append(b.data, v)
	}
	label := ""
	if b.labelled() {
		c := rec.cells[b.layout.Label]
		if c.text == "" || !c.quoted && b.missing(c) {
			lose(b.layout.Label, &b.lost.Labels)
		}
		label = c.text
	}
	if !complete {
		b.data = b.data[:start]
		b.lost.Lines = append(b.lost.Lines, rec.line)
		return b.take(rec.line, 8-8*len(b.layout.Features))
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

// addRow takes in what is known of a row beside its numbers and its id.
func (b *builder) addRow(row, line int, label string) error {
	bytes := rowBytes
	b.rows = append(grow(b, b.rows, 1), row)
	b.lines = append(grow(b, b.lines, 1), line)
	if b.labelled() {
		text, ok := b.texts[label]
		if !ok {
			text = strings.Clone(label)
			b.texts[text] = text
			bytes += textBytes + len(text)
		}
		b.labels = append(grow(b, b.labels, 1), text)
	}
	return b.take(line, bytes)
}

// numberError reports that feature i of a record is no number. If its column is
// text, and not one bad cell, the error names all text columns of the record.
func (b *builder) numberError(rec record, i int, reason string) error {
	j := b.layout.Features[i]
	e := &NumberError{Position: b.position(rec.line, j), Cell: rec.cells[j].text, Reason: reason}
	if b.opt.Layout != nil || b.numeric[i] && isPlainRefusal(reason) || !isPlainRefusal(reason) && !isInteger(e.Cell) {
		return e
	}
	for k := i; k < len(b.layout.Features); k++ {
		j, c := b.layout.Features[k], rec.cells[b.layout.Features[k]]
		if b.missing(c) {
			continue
		}
		_, reason := parseNumber(c.text, b.numbers)
		if isPlainRefusal(reason) && !b.numeric[k] || reason != "" && isInteger(c.text) {
			e.Ignore = append(e.Ignore, ColumnArgument(j+1, b.columnName(j)))
		}
	}
	e.Label = b.opt.Label == "" && len(e.Ignore) > 0 && isPlainRefusal(reason)
	return e
}

func (b *builder) columnName(j int) string {
	if b.names == nil {
		return ""
	}
	return b.names[j]
}

// table checks what was read as a whole.
func (b *builder) table() (*Table, error) {
	b.lost.Of = len(b.rows) + len(b.lost.Lines)
	for j, n := range b.lostIn {
		if n > 0 {
			b.lost.Columns = append(b.lost.Columns, ColumnCount{j + 1, b.columnName(j), n})
		}
	}
	t := &Table{
		File: b.name, Labels: b.labels, IDs: b.idText, Rows: b.rows, Lines: b.lines, Seen: b.seen, Layout: b.layout,
	}
	if b.ids >= 0 {
		t.IDName = b.columnName(b.ids)
	}
	switch {
	case len(b.lost.Lines) > 0 && !b.opt.DropMissing:
		return nil, &MissingError{b.lostAt, b.lost}
	case len(b.lost.Lines) > 0:
		t.Dropped = &b.lost
		b.notice("left out: %s, on %s", b.lost, lineList(b.lost.Lines))
	}
	switch {
	case b.seen == 0:
		return nil, &EmptyError{b.name, "rows"}
	case b.lost.Of == 0:
		return nil, &EmptyError{b.name, fmt.Sprintf("rows in the selection %s of %s", b.opt.Rows, plural.Count(b.seen, "row"))}
	case len(b.rows) == 0:
		return nil, &EmptyError{b.name, "rows without missing cells"}
	case len(b.layout.Features) == 0:
		return nil, &EmptyError{b.name, "feature columns"}
	}
	d := len(b.layout.Features)
	t.X = &matrix.Dense{Rows: len(b.rows), Cols: d, Stride: d, Data: b.data}
	if b.opt.Layout == nil {
		b.noticeRowNumbers(t)
		if err := b.checkClasses(t); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func lineList(lines []int) string {
	const most = 20
	var b strings.Builder
	b.WriteString("line ")
	if len(lines) > 1 {
		b.Reset()
		b.WriteString("lines ")
	}
	for i, l := range lines {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(lines)-most)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(l))
	}
	return b.String()
}

// noticeRowNumbers points at feature columns that count the rows: they are
// often row numbers, which give away the class in a sorted file.
func (b *builder) noticeRowNumbers(t *Table) {
	if t.X.Rows < 10 {
		return
	}
columns:
	for f, j := range t.Layout.Features {
		for i, row := range t.Rows {
			if t.X.At(i, f)-t.X.At(0, f) != float64(row-t.Rows[0]) {
				continue columns
			}
		}
		b.notice("%s counts the rows; if it is only their number, leave it out with --ignore %s",
			ColumnText(j+1, b.columnName(j)), ColumnArgument(j+1, b.columnName(j)))
	}
}

// checkClasses refuses label columns that cannot be classes.
func (b *builder) checkClasses(t *Table) error {
	count := map[string]int{}
	for _, l := range t.Labels {
		count[l]++
	}
	n, classes := len(t.Labels), len(count)
	e := &ClassesError{File: b.name, Column: t.Layout.Label + 1, Name: t.Layout.LabelName, Classes: classes, Rows: n}
	switch {
	case classes == 1:
		e.Only = t.Labels[0]
		return e
	case classes == n:
		return e
	case b.headed && t.Rows[0] == 0 && count[t.Labels[0]] == 1:
		p := Position{File: b.name, Line: t.Lines[0], Column: t.Layout.Label + 1}
		return &HeaderError{p, t.Labels[0]}
	case classes > n/2 && n >= 10:
		b.notice("label %s has %d classes in %d rows; is it the label?", ColumnText(e.Column, e.Name), classes, n)
	}
	return nil
}
