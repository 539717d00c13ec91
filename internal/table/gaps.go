package table

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// What is done about missing cells beside filling them in, which a model does.
const (
	RefuseMissing = "error"
	DropMissing   = "drop"
)

// FillMissing are the ways to fill missing cells in.
var FillMissing = []string{"mean", "median", "most-frequent", "indicator"}

// missingRule returns what is done about missing cells.
func (b *builder) missingRule() string {
	switch {
	case b.opt.Missing != "":
		return b.opt.Missing
	case b.opt.Layout != nil && b.opt.Layout.Missing != "":
		return b.opt.Layout.Missing
	}
	return RefuseMissing
}

// isMissing reports whether a cell is a missing-value marker.
func (b *builder) isMissing(text string) bool {
	return isMissing(text) || slices.Contains(b.layout.Markers, text)
}

// isGap reports whether a cell is missing.
func isGap(v float64) bool {
	_, isText := textOf(v)
	return math.IsNaN(v) && !isText
}

// gapsIn counts the missing cells of the rows that are not counted yet, but for those of features
// that are left out.
func (b *builder) gapsIn(out map[int]bool) (Missing, Position) {
	m, at := Missing{Of: len(b.rows) - b.counted}, Position{}
	if !b.gapped {
		return m, at
	}
	d := len(b.layout.Features)
	count := map[int]int{}
	m.first, m.patterns = map[int]Position{}, map[string]*pattern{}
	var lacking pattern
	add := func(row, j int) {
		if count[j]++; count[j] == 1 {
			m.first[j+1] = b.at(b.place(row), j)
		}
		lacking.columns = append(lacking.columns, j)
	}
	for row := b.counted; row < len(b.rows); row++ {
		first := -1
		lacking.columns = lacking.columns[:0]
		for i, j := range b.layout.Features {
			if v := b.data[row*d+i]; isGap(v) && !out[i] {
				add(row, j)
				m.Features++
				if first < 0 {
					first = j
				}
			}
		}
		if b.lacksLabelIn(row) {
			add(row, b.layout.Label)
			m.Labels++
			if first < 0 {
				first = b.layout.Label
			}
		} else if first < 0 {
			continue
		}
		if m.Rows == 0 {
			at = b.at(b.place(row), first)
		}
		if m.Rows++; m.Rows <= mostListed {
			m.Lines = append(m.Lines, b.lines[row])
		}
		if b.opt.Sample > 0 {
			lacking.rows = 1
			m.addPattern(&lacking)
		}
	}
	for _, j := range slices.Sorted(maps.Keys(count)) {
		m.Columns = append(m.Columns, ColumnCount{j + 1, b.columnName(j), count[j]})
	}
	return m, at
}

// add adds the missing cells of rows that follow.
func (m *Missing) add(n Missing) {
	m.Features, m.Labels, m.Rows, m.Of = m.Features+n.Features, m.Labels+n.Labels, m.Rows+n.Rows, m.Of+n.Of
	m.Lines = append(m.Lines, n.Lines[:min(len(n.Lines), mostListed-len(m.Lines))]...)
	for _, p := range n.patterns {
		m.addPattern(p)
	}
	for _, c := range n.Columns {
		k, known := slices.BinarySearchFunc(m.Columns, c.Column, func(a ColumnCount, column int) int { return a.Column - column })
		if !known {
			m.Columns = slices.Insert(m.Columns, k, c)
			if m.first == nil {
				m.first = map[int]Position{}
			}
			m.first[c.Column] = n.first[c.Column]
		} else {
			m.Columns[k].Count += c.Count
		}
	}
}

// pattern are the columns of cells that are missing together in some rows.
type pattern struct {
	columns []int
	rows    int
}

// addPattern takes in rows; where there are very many patterns those of new ones are one.
func (m *Missing) addPattern(p *pattern) {
	const most = 1 << 12
	key := fmt.Sprint(p.columns)
	if m.patterns == nil {
		m.patterns = map[string]*pattern{}
	}
	if m.patterns[key] == nil && len(m.patterns) >= most {
		key = ""
	}
	if m.patterns[key] == nil {
		m.patterns[key] = &pattern{columns: slices.Clone(p.columns)}
	}
	m.patterns[key].rows += p.rows
}

// foundWithout returns the missing cells that are found, but for those in columns that are left out,
// and the first place; in a row that of a label comes last.
func (b *builder) foundWithout(columns []int) (Missing, Position) {
	m := b.found
	m.Columns = slices.DeleteFunc(slices.Clone(m.Columns), func(c ColumnCount) bool { return slices.Contains(columns, c.Column-1) })
	at := Position{}
	m.Features = -m.Labels
	for _, c := range m.Columns {
		first := m.first[c.Column]
		if m.Features += c.Count; at.Row == 0 || first.Row < at.Row || first.Row == at.Row && at.Column == b.layout.Label+1 {
			at = first
		}
	}
	for _, p := range m.patterns {
		if !slices.ContainsFunc(p.columns, func(j int) bool { return !slices.Contains(columns, j) }) {
			m.Rows -= p.rows
		}
	}
	return m, at
}

// mergedLabels looks at which rows have no label.
type mergedLabels struct {
	rows, lacking int
	first, last   bool // whether the first and the last row have one
	beside        bool // whether two that follow each other have
}

func (m *mergedLabels) add(has bool) {
	if m.rows == 0 {
		m.first = has
	}
	m.beside = m.beside || m.rows > 0 && m.last && has
	if m.last = has; !has {
		m.lacking++
	}
	m.rows++
}

// text says what to do where the labels seem to be merged cells, of which each stands in the
// first row of its block: half of the rows have none, and no two that follow each other have one.
func (m *mergedLabels) text() string {
	if m.lacking == 0 || m.beside || !m.first || 2*m.lacking < m.rows {
		return ""
	}
	return "; a label that holds for the rows below it too, as a merged cell does, has to stand in each of them: fill it down"
}

// lacksLabelIn reports whether a label is wanted that the row lacks.
func (b *builder) lacksLabelIn(row int) bool { return b.labelled() && b.labels[row] == "" }

// place is where a row is: its number among the data rows of the file, and its line.
type place struct{ row, line int }

// place is that of a row that is held.
func (b *builder) place(row int) place { return place{b.rows[row], b.lines[row]} }

// at is the place of column j in a row that was taken, or of its label in a file of their own.
func (b *builder) at(p place, j int) Position {
	if o := b.opt.Labels; o != nil && j < 0 {
		return Position{File: o.File, Line: o.Lines[b.skipped+p.row], Row: p.row + 1}
	}
	return Position{File: b.name, Sheet: b.sheet, Line: p.line, Row: p.row + 1, Column: j + 1, Name: b.columnName(j)}
}

// leaveOut leaves out the rows without a label and, unless they are filled in, those with missing
// cells, of those that are not counted yet.
func (b *builder) leaveOut() {
	rule, out := b.missingRule(), map[int]bool{}
	fill := rule != DropMissing
	for i := range b.layout.Features {
		out[i] = fill
	}
	m, _ := b.gapsIn(out)
	b.dropped.add(m)
	if m.Rows > 0 {
		d := len(b.layout.Features)
		b.keep(func(row int) bool {
			return row < b.counted || !b.lacksLabelIn(row) && (fill || !slices.ContainsFunc(b.data[row*d:(row+1)*d], isGap))
		})
	}
	if m, _ = b.gapsIn(nil); fill {
		b.filled.add(m)
	}
}

// keep keeps the rows that are to stay of those that are held.
func (b *builder) keep(stays func(row int) bool) {
	d, kept := len(b.layout.Features), 0
	for row := range b.rows {
		if !stays(row) {
			if b.held -= 8*d + rowBytes; b.sparse != nil {
				b.held -= entryBytes*(b.sparse.ends[row]-b.sparse.start(row)) + 8
			}
			for k := range b.idText {
				b.held -= idBytes + len(b.idText[k][row])
			}
			continue
		}
		if b.sparse != nil {
			b.sparse.move(kept, row)
		} else {
			copy(b.data[kept*d:(kept+1)*d], b.data[row*d:])
		}
		b.rows[kept], b.lines[kept] = b.rows[row], b.lines[row]
		if b.labelled() {
			b.labels[kept] = b.labels[row]
		}
		if row < len(b.goals.values) {
			b.goals.values[kept] = b.goals.values[row]
		}
		if b.weights != nil {
			b.weights[kept] = b.weights[row]
		}
		for k := range b.idText {
			b.idText[k][kept] = b.idText[k][row]
		}
		kept++
	}
	b.cut(kept)
}

// cut keeps the first n rows of those that are held.
func (b *builder) cut(n int) {
	if b.rows, b.lines = b.rows[:n], b.lines[:n]; b.sparse != nil {
		b.sparse.cut(n)
	} else {
		b.data = b.data[:n*len(b.layout.Features)]
	}
	if b.labelled() {
		b.labels = b.labels[:n]
	}
	b.goals.values = b.goals.values[:min(n, len(b.goals.values))]
	if b.weights != nil {
		b.weights = b.weights[:n]
	}
	for k := range b.idText {
		b.idText[k] = b.idText[k][:n]
	}
}

// noticeGaps says which rows are left out, and what is filled in.
func (b *builder) noticeGaps() {
	if m := &b.dropped; m.Rows > 0 {
		b.notice("left out: %s, on %s%s", m, numbered("line", m.Lines, m.Rows), b.adviceToFillDown())
	}
	if b.filled.Features > 0 {
		b.notice("filled in (--missing %s): %s", b.missingRule(), b.filled)
	}
}

// adviceToFillDown is for labels of a training table that seem to be merged cells.
func (b *builder) adviceToFillDown() string {
	if b.opt.Layout != nil {
		return ""
	}
	return b.merged.text()
}

// unseenLevels are the levels of new rows that the model does not know, by feature.
type unseenLevels map[int]map[string]int

func (u *unseenLevels) add(feature int, level string) {
	if *u == nil {
		*u = unseenLevels{}
	}
	if (*u)[feature] == nil {
		(*u)[feature] = map[string]int{}
	}
	if known := (*u)[feature]; known[level] == 0 && len(known) > maxLevels {
		level = oneOfMany
	}
	(*u)[feature][level]++
}

// notice says how many rows have them.
func (b *builder) noticeUnseen() {
	for i, j := range b.layout.Features {
		levels := b.unseen[i]
		if levels == nil {
			continue
		}
		rows := 0
		var names []string
		for _, level := range slices.Sorted(maps.Keys(levels)) {
			rows += levels[level]
			names = append(names, fmt.Sprintf("%s %d", quoteCell(level), levels[level]))
		}
		b.notice("%s: %d of %d rows have levels that no training row has and count as none of them: %s", b.columnText(j), rows, b.kept, shortList(names))
	}
}
