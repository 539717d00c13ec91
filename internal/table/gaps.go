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

// gapsIn counts the missing cells, but for those of features that are left out.
func (b *builder) gapsIn(out map[int]bool) (Missing, Position) {
	m, at := Missing{Of: len(b.rows)}, Position{}
	if !b.gapped {
		return m, at
	}
	d := len(b.layout.Features)
	count := map[int]int{}
	for row, line := range b.lines {
		first := -1
		for i, j := range b.layout.Features {
			if v := b.data[row*d+i]; isGap(v) && !out[i] {
				count[j]++
				if first < 0 {
					first = j
				}
			}
		}
		if b.lacksLabelIn(row) {
			m.Labels++
			if first < 0 {
				first = b.layout.Label
			}
		} else if first < 0 {
			continue
		}
		if m.Lines == nil {
			at = b.at(row, first)
		}
		m.Lines = append(m.Lines, line)
	}
	for j := range b.width {
		n := count[j]
		m.Features += n
		if j == b.layout.Label {
			n = m.Labels
		}
		if n > 0 {
			m.Columns = append(m.Columns, ColumnCount{j + 1, b.columnName(j), n})
		}
	}
	return m, at
}

// mergedLabels says what to do where the labels seem to be merged cells, of which each stands in the
// first row of its block: half of the rows have none, and no two that follow each other have one.
func (b *builder) mergedLabels() string {
	lacking := 0
	for row := range b.labels {
		switch {
		case b.lacksLabelIn(row):
			lacking++
		case row > 0 && !b.lacksLabelIn(row-1):
			return ""
		}
	}
	if b.opt.Layout != nil || lacking == 0 || b.lacksLabelIn(0) || 2*lacking < len(b.labels) {
		return ""
	}
	return "; a label that holds for the rows below it too, as a merged cell does, has to stand in each of them: fill it down"
}

// lacksLabelIn reports whether a label is wanted that the row lacks.
func (b *builder) lacksLabelIn(row int) bool { return b.labelled() && b.labels[row] == "" }

// at is the place of column j in a row that was taken, or of its label in a file of their own.
func (b *builder) at(row, j int) Position {
	if o := b.opt.Labels; o != nil && j < 0 {
		return Position{File: o.File, Line: o.Lines[len(o.Lines)-b.seen+b.rows[row]], Row: b.rows[row] + 1}
	}
	return Position{File: b.name, Sheet: b.sheet, Line: b.lines[row], Row: b.rows[row] + 1, Column: j + 1, Name: b.columnName(j)}
}

// dropRows leaves out the rows without a label and, unless they are filled in, those with
// missing cells, and says which.
func (b *builder) dropRows(fill bool) *Missing {
	out := map[int]bool{}
	if fill {
		for i := range b.layout.Features {
			out[i] = true
		}
	}
	m, _ := b.gapsIn(out)
	if len(m.Lines) == 0 {
		return nil
	}
	d, kept := len(b.layout.Features), 0
	for row := range b.rows {
		cells := b.data[row*d : (row+1)*d]
		if b.lacksLabelIn(row) || !fill && slices.ContainsFunc(cells, isGap) {
			continue
		}
		copy(b.data[kept*d:], cells)
		b.rows[kept], b.lines[kept] = b.rows[row], b.lines[row]
		if b.labelled() {
			b.labels[kept] = b.labels[row]
		}
		if b.weights != nil {
			b.weights[kept] = b.weights[row]
		}
		for k := range b.idText {
			b.idText[k][kept] = b.idText[k][row]
		}
		kept++
	}
	b.data, b.rows, b.lines = b.data[:kept*d], b.rows[:kept], b.lines[:kept]
	if b.labelled() {
		b.labels = b.labels[:kept]
	}
	if b.weights != nil {
		b.weights = b.weights[:kept]
	}
	for k := range b.idText {
		b.idText[k] = b.idText[k][:kept]
	}
	b.notice("left out: %s, on %s%s", m, numbered("line", m.Lines), b.merged)
	return &m
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
		b.notice("%s: %d of %d rows have levels that no training row has and count as none of them: %s", b.columnText(j), rows, len(b.rows), shortList(names))
	}
}
