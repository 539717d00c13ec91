package table

import (
	"fmt"
	"io"
	"slices"
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

	width      int              // columns of the file, empty tails included
	names      []string         // of the columns; nil without a header
	named      map[string][]int // the columns of each name
	guess      Header           // what line 1 was taken for, if that is a guess
	layout     Layout           // of this file
	ids        []int            // positions of the id columns
	weight     int              // position of the column of weights, -1 without
	weightUnit string           // of its first number
	nominal    []bool           // columns of an ARFF file that are declared so; nil in other files

	missing  func(cell) bool // whether a feature cell is missing
	numerals bool            // whether a number may say that a cell is missing
	kinds    []ColumnKind    // of the features, as far as they are known
	unit     []string        // of those that are measures
	texts    []*texts        // of the features, nil for those without
	contents []contents      // of the features in a training table
	commas   []decimals      // of the features
	gapped   bool            // whether a cell is missing, a label included, of the rows that are not counted
	found    Missing         // in the rows that are counted, of a table that is refused for it
	dropped  Missing         // in the rows that are left out
	filled   Missing         // in those that stay
	merged   mergedLabels
	unseen   unseenLevels
	goals    targets
	count    map[string]int // rows of each class
	sample   sample

	seen     int // data rows so far
	selected int // of these, before the rows that are held
	kept     int // of the selected, without those that are left out
	counted  int // of the rows that are held
	data     []float64
	sparse   *sparse // in place of data while a libsvm file is read
	labels   []string
	skipped  int // labels of a file of their own, before that of the first row
	idText   [][]string
	weights  []float64
	rows     []int
	lines    []int
	classes  map[string]string // one copy of each label
	more     bool              // whether rows may follow those that are held
	taken    error             // of Options.Take
}

func newBuilder(name string, opt Options) *builder {
	b := &builder{name: name, opt: opt, numbers: notation{mark: '.'}, weight: -1, classes: map[string]string{}, count: map[string]int{}}
	b.layout.Markers = slices.Clone(opt.Markers)
	if opt.Layout != nil {
		b.layout.Markers = append(b.layout.Markers, opt.Layout.Markers...)
	}
	b.numerals = slices.ContainsFunc(b.layout.Markers, func(m string) bool { return isNumber(m, notation{mark: '.'}) })
	if opt.DecimalComma {
		b.numbers.mark = ','
	}
	if opt.Take != nil && (opt.Layout == nil || opt.NewLevels) || opt.Sample > 0 && opt.Layout != nil {
		panic("table: Take is for tables of a Layout, Sample for others")
	}
	if b.inParts() && opt.Labels != nil && opt.Labels.named() {
		b.skipped = 1
	}
	return b
}

func (b *builder) notice(format string, args ...any) {
	if b.opt.Notice != nil {
		b.opt.Notice(b.name + ": " + fmt.Sprintf(b.worded(format), args...))
	}
}

// worded names what the layout is of.
func (b *builder) worded(text string) string {
	if b.opt.Of == "" {
		return text
	}
	return strings.NewReplacer("the model", b.opt.Of, "it was fitted", "it was read").Replace(text)
}

// problem is one of the file as a whole.
func (b *builder) problem(kind Kind, format string, args ...any) *Error {
	return Position{File: b.name}.problem(kind, b.worded(format), args...)
}

// readSeparated reads separated text.
func (b *builder) readSeparated(r *reader) (*Table, error) {
	comma := b.opt.Separator
	if comma == 0 {
		comma = guessSeparator(r.in, b.opt.DecimalComma)
	}
	b.numbers.separator = comma
	src := newSeparated(r, comma)
	b.part = src.part
	t, err := b.readCells(src)
	if err != nil && b.opt.Separator == 0 && b.taken == nil {
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
	if b.width = len(first.cells); b.width == 0 {
		return nil, b.problem(Other, "no columns")
	}
	var below [][]cell
	if b.opt.Header != NoHeader {
		below = src.ahead()
	}
	if err := b.readHeader(first, below); err != nil {
		return nil, err
	}
	for second := false; b.names != nil; {
		first, err = src.next()
		if err == io.EOF {
			return nil, b.problem(Other, "no rows after the header")
		}
		if err != nil {
			return nil, err
		}
		if second || !b.isSecondLine(first, below[min(1, len(below)):]) {
			break
		}
		b.takeSecondLine(first)
		second = true
	}
	b.missing = func(c cell) bool { return b.isMissing(c.text) }
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
		b.nominal = append(b.nominal, a.nominal != nil)
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
	b.missing = func(c cell) bool { return arffMissing(c) || slices.Contains(b.layout.Markers, c.text) }
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
		if c := rec.cells[j].written(); c.text != "" {
			return b.position(rec.line, j).syntax(
				"holds %s, but the column has no name and is empty in the first row, as after a separator at the line end", quoteCell(c.text))
		}
	}
	if !b.opt.Rows.Has(b.seen) {
		return nil
	}
	if o := b.opt.Labels; o != nil && b.inParts() && b.seen+b.skipped >= len(o.Texts) {
		return nil // matchLabels tells it when the rows are counted
	}
	if err := b.makeRoom(); err != nil {
		return err
	}
	if err := b.take(rec.line, 8*len(b.layout.Features)); err != nil {
		return err
	}
	b.data = grow(b, b.data, len(b.layout.Features))
	for i, j := range b.layout.Features {
		v, err := b.cell(i, rec.line, rec.cells[j])
		if err != nil {
			return err
		}
		b.gapped = b.gapped || isGap(v)
		b.data = append(b.data, v)
	}
	var label string
	switch {
	case b.opt.Labels != nil:
		label = b.fileLabel(b.seen)
	case b.labelled():
		if c := rec.cells[b.layout.Label].written(); c.text == "" || !c.quoted && b.missing(c) {
			b.gapped = true
		} else {
			label = b.intern(c.text)
		}
	}
	for k, j := range b.ids {
		id := rec.cells[j].written().text
		if err := b.take(rec.line, idBytes+len(id)); err != nil {
			return err
		}
		b.idText[k] = append(grow(b, b.idText[k], 1), strings.Clone(id))
	}
	if b.weight >= 0 {
		c := rec.cells[b.weight].written()
		w, reason := b.inOneUnit(&b.weightUnit, b.selected+len(b.rows) == 0, c.text)
		if reason != "" {
			return b.position(rec.line, b.weight).problem(Other, "the weight %s %s", quoteCell(c.text), reason)
		}
		b.weights = append(grow(b, b.weights, 1), w)
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

// intern returns the one copy of a label that is kept; numbers to predict are as many as rows.
func (b *builder) intern(s string) string {
	if b.opt.Target && b.inParts() {
		return strings.Clone(s)
	}
	if t, ok := b.classes[s]; ok {
		return t
	}
	s = strings.Clone(s)
	b.classes[s] = s
	if b.held += textBytes + len(s); b.opt.Sample > 0 {
		b.held += 2 * textBytes // its rows are counted, and one of them stays
	}
	return s
}

func (b *builder) columnName(j int) string {
	if b.names == nil || j < 0 {
		return ""
	}
	return b.names[j]
}

// table checks what was read as a whole.
func (b *builder) table() (*Table, error) {
	if b.opt.Labels != nil {
		if err := b.matchLabels(); err != nil {
			return nil, err
		}
	}
	switch {
	case b.seen == 0:
		return nil, b.problem(Other, "no rows")
	case b.selected+len(b.rows) == 0:
		return nil, b.problem(Other, "no rows in the selection %s of %s", b.opt.Rows, plural.Count(b.seen, "row"))
	case len(b.layout.Features) == 0:
		return nil, b.problem(Other, "no feature columns")
	}
	if err := b.endRows(false); err != nil {
		return nil, err
	}
	b.noticeGaps()
	if b.kept == 0 {
		return nil, b.problem(Other, "no rows without missing cells%s", b.adviceToFill())
	}
	t, err := b.settled()
	if err != nil {
		return nil, err
	}
	if t.Seen, t.Kept = b.seen, b.kept; b.dropped.Rows > 0 {
		t.Dropped = &b.dropped
	}
	b.noticeUnseen()
	if b.layout.Sparse && b.opt.Layout != nil && b.opt.Layout.Names != nil {
		b.notice("a libsvm file has no names of columns, so that its indices are taken for the features of the model in their order")
	}
	if b.opt.Layout != nil {
		return t, nil
	}
	if b.goals.unit != "" {
		b.notice("read as numbers: %s in %s", ColumnText(t.Layout.Label+1, t.Layout.LabelName), quoteCell(b.goals.unit))
	}
	b.noticeKinds()
	b.noticeRowNumbers()
	if !b.labelled() {
		return t, nil
	}
	if b.opt.Target {
		return t, b.checkTargets(t)
	}
	if err := b.checkClasses(t); err != nil {
		return nil, err
	}
	t.Classes = b.count
	return t, nil
}

// settled is the table of the rows that are held, all of whose cells are numbers.
func (b *builder) settled() (*Table, error) {
	d := len(b.layout.Features)
	if b.sparse != nil {
		b.data = b.sparse.dense(b.data, d)
	}
	if err := b.problems(b.settle()); err != nil {
		return nil, err
	}
	if err := b.checkCommas(); err != nil {
		return nil, err
	}
	if b.goals.wrong != nil {
		return nil, b.goals.wrong
	}
	b.layout.Missing, b.layout.Unit = b.missingRule(), b.goals.unit
	t := &Table{
		File: b.name, Sheet: b.sheet, Layout: b.layout, Labels: b.labels, Targets: b.goals.values, Weights: b.weights, IDs: b.idText,
		Rows: b.rows, Lines: b.lines, X: &matrix.Dense{Rows: len(b.rows), Cols: d, Stride: d, Data: b.data},
	}
	for _, j := range b.ids {
		t.IDNames = append(t.IDNames, b.columnName(j))
	}
	return t, nil
}

// adviceToFill proposes to fill missing cells in where it was said to drop their rows.
func (b *builder) adviceToFill() string {
	if b.opt.Layout != nil || b.missingRule() != DropMissing {
		return ""
	}
	return b.advice("; to fill the cells in say ", advised{missing: advisedFill})
}

// columnText names column j in a message.
func (b *builder) columnText(j int) string { return ColumnText(j+1, b.columnName(j)) }

func (b *builder) columnTexts(columns []int) []string {
	var texts []string
	for _, j := range columns {
		texts = append(texts, b.columnText(j))
	}
	return texts
}

// noticeRowNumbers points at feature columns that count the rows.
func (b *builder) noticeRowNumbers() {
	found := b.rowNumbers()
	if found == nil {
		return
	}
	verb := "count"
	if len(found) == 1 {
		verb = "counts"
	}
	b.notice("%s %s the rows%s", shortList(b.columnTexts(found)), verb, b.advice("; if that is only their number, say ", advised{ignore: found}))
}

// rowNumbers are the feature columns that count the rows: they are often row numbers, which
// give away the class in a sorted file.
func (b *builder) rowNumbers() (found []int) {
	const few = 10
	if b.kept < few {
		return nil
	}
	d := len(b.layout.Features)
columns:
	for f, j := range b.layout.Features {
		if c := &b.contents[f]; c.uneven || len(b.rows) < few && c.numbers < b.kept {
			continue
		}
		for i, row := range b.rows {
			if b.data[i*d+f]-b.data[f] != float64(row-b.rows[0]) {
				continue columns
			}
		}
		found = append(found, j)
	}
	return found
}
