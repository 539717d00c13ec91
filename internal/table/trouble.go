package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed92411348/kfda/internal/plural"
)

// trouble is a feature column that can't be read as it is.
type trouble struct {
	feature int
	what    string // "" where it is the cells
	at      int    // a row
	cell    string // there
	cells   int    // that are wrong
	first   []oddCell

	ignore, comma bool     // the flags that would help
	markers       []string // texts that may stand for missing cells
}

// oddCell is a cell that can't be read.
type oddCell struct {
	row          int
	text, reason string
}

// add takes in a cell.
func (t *trouble) add(row int, text, reason string) {
	const most = 3 // that are shown
	if t.cells == 0 {
		t.at, t.cell = row, text
	}
	t.cells++
	if len(t.first) < most && !slices.ContainsFunc(t.first, func(c oddCell) bool { return c.text == text }) {
		t.first = append(t.first, oddCell{row, text, reason})
	}
}

// troubleAt is one of a column that had better be left out.
func (b *builder) troubleAt(i int, c *contents, what string) *trouble {
	return &trouble{feature: i, what: quoteCell(c.kinds[0]) + " " + what, at: c.firsts[0], cell: c.kinds[0], ignore: true}
}

// oddCells is the trouble of a column of numbers, or of what the reason is about, with other cells
// among them. A few texts that repeat may stand for missing cells.
func (b *builder) oddCells(i int, c *contents, reason func(text string) string) *trouble {
	t := &trouble{feature: i}
	var kinds []string
	cells := 0
	plain := true
	for k, kind := range c.kinds {
		if why := reason(kind); why != "" {
			t.add(c.firsts[k], kind, why)
			kinds, cells = append(kinds, kind), cells+c.counts[k]
			t.comma = t.comma || strings.Contains(why, "decimal mark")
			_, _, measure := parseMeasure(kind, b.numbers)
			plain = plain && !measure && b.numberReason(kind) == notNumber && why != dateOfTwoWays && !strings.Contains(kind, ",")
		}
	}
	if t.cells = cells; c.more {
		t.cells = c.others
	}
	const fewKinds = 3
	if plain && len(kinds) <= fewKinds && 10*t.cells <= c.cells() {
		t.markers = kinds
	} else {
		t.ignore = !t.comma
	}
	return t
}

// text says what is wrong.
func (t *trouble) text(b *builder, of int) string {
	if t.what != "" {
		return t.what
	}
	text := fmt.Sprintf("%s %s", quoteCell(t.first[0].text), t.first[0].reason)
	if t.cells == 1 {
		return text
	}
	text += fmt.Sprintf("; %d of %d cells are such", t.cells, of)
	var others []string
	for _, c := range t.first[1:] {
		others = append(others, fmt.Sprintf("%s in line %d", quoteCell(c.text), b.lines[c.row]))
	}
	if others != nil {
		text += ", as " + shortList(others)
	}
	return text
}

// problems returns the error of a table that can't be read as it is, with all that is wrong with
// its columns and the flags with which it can be read.
func (b *builder) problems(all []*trouble) error {
	a := advised{}
	out := map[int]bool{}
	for _, t := range all {
		a.comma = a.comma || t.comma
		for _, m := range t.markers {
			if !slices.Contains(a.markers, m) {
				a.markers = append(a.markers, m)
			}
		}
		if t.ignore {
			a.ignore = append(a.ignore, b.layout.Features[t.feature])
			out[t.feature] = true
		}
	}
	missing, at := Missing{}, Position{}
	if b.missingRule() == RefuseMissing {
		missing, at = b.gapsIn(out)
	}
	switch {
	case len(all) == 0 && len(missing.Lines) == 0:
		return nil
	case missing.Features > 0 || a.markers != nil && b.missingRule() == RefuseMissing:
		a.missing = advisedFill
	case missing.Labels > 0:
		a.missing = DropMissing
	}
	if b.opt.Layout != nil {
		return b.problemsOfNew(all, missing, at)
	}
	e := b.listed(all, missing, at)
	if missing.Labels > 0 && b.merged != "" {
		e.What += b.merged
		return e
	}
	if b.namesAsData(all) {
		e.Advice = "\n  line 1 looks like names: leave out the flag that makes it data (--no-header)"
		return e
	}
	odd := slices.ContainsFunc(all, func(t *trouble) bool { return t.what == "" })
	if len(a.ignore) == len(b.layout.Features) {
		if e.Advice = "\n  no other column is left"; odd {
			e.Advice = "\n  correct such cells; no other column is left"
		}
		return e
	}
	if numbers := b.rowNumbers(); numbers != nil && len(a.ignore)+len(numbers) < len(b.layout.Features) {
		e.What += "\n  only counting the rows: " + shortList(b.columnTexts(numbers))
		a.ignore = append(a.ignore, numbers...)
	}
	slices.Sort(a.ignore)
	e.Flags = b.flagsFor(a)
	say := "say "
	if b.opt.Label == "" && b.layout.Label >= 0 {
		say = fmt.Sprintf("if the label is %s, the last (if not: --label), say ", ColumnText(b.layout.Label+1, b.layout.LabelName))
	}
	switch {
	case e.Flags == "":
		e.Advice = "\n  leave these columns out with --ignore"
	case odd:
		e.Advice = "\n  correct such cells, or " + say
	default:
		e.Advice = "\n  " + say
	}
	return e
}

// namesAsData reports whether the first row, which was said to be data, is all that is wrong
// with several columns.
func (b *builder) namesAsData(all []*trouble) bool {
	return b.opt.Header == NoHeader && len(all) > 1 && b.rows[0] == 0 &&
		!slices.ContainsFunc(all, func(t *trouble) bool { return t.what != "" || t.cells > 1 || t.at != 0 })
}

// listed lists what is wrong.
func (b *builder) listed(all []*trouble, missing Missing, at Position) *Error {
	const most = 6 // lines
	e := at.problem(Other, "the cell is missing; in all %s", missing)
	for k, t := range all {
		p := b.at(t.at, b.layout.Features[t.feature])
		switch text := t.text(b, len(b.rows)); {
		case k == 0:
			e = p.problem(Number, "%s", text)
			e.Cell = t.cell
		case k < most:
			e.What += fmt.Sprintf("\n  line %d, %s: %s", p.Line, ColumnText(p.Column, p.Name), text)
		case k == most:
			e.What += fmt.Sprintf("\n  and %s more", plural.Count(len(all)-most, "column"))
		}
	}
	if all != nil && len(missing.Lines) > 0 {
		e.What += "\n  " + missing.String()
	}
	e.Missing = missing
	return e
}

// problemsOfNew is problems for a table of new rows.
func (b *builder) problemsOfNew(all []*trouble, missing Missing, at Position) error {
	if len(all) == 0 {
		e := at.problem(Other, "the cell is missing; in all %s; the model has no values to fill in, for it was fitted without --missing", missing)
		e.Missing = missing
		if n := len(b.rows) - len(missing.Lines); n > 0 {
			e.Advice = fmt.Sprintf("; --missing drop leaves these rows out and keeps %d of %d", n, len(b.rows))
		}
		return e
	}
	t := all[0]
	e := b.at(t.at, b.layout.Features[t.feature]).notNumber(t.first[0].text, t.first[0].reason)
	var others []int
	for _, t := range all[1:] {
		others = append(others, b.layout.Features[t.feature])
	}
	if others != nil {
		e.What += "; such cells are in " + shortList(b.columnTexts(others)) + " too"
	}
	return e
}
