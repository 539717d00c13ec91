package table

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed92411348/kfda/internal/plural"
)

// trouble is a feature column that can't be read as it is.
type trouble struct {
	feature int
	what    string // "" where it is the cells
	at      place
	cell    string // there
	cells   int    // that are wrong
	first   []oddCell

	ignore, comma bool     // the flags that would help
	commas        bool     // whether all cells are numbers with a decimal comma
	markers       []string // texts that may stand for missing cells
}

// oddCell is a cell that can't be read.
type oddCell struct {
	line         int
	text, reason string
}

// mostShown is how many cells of a column are shown.
const mostShown = 3

// add takes in a cell.
func (t *trouble) add(at place, text, reason string) {
	if t.cells == 0 {
		t.at, t.cell = at, text
	}
	t.cells++
	if len(t.first) < mostShown && !slices.ContainsFunc(t.first, func(c oddCell) bool { return c.text == text }) {
		t.first = append(t.first, oddCell{at.line, text, reason})
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
	plain, comma := true, notation{mark: ','}
	t.commas = !c.more
	for k, kind := range c.kinds {
		t.commas = t.commas && isNumber(kind, comma)
		if why := reason(kind); why != "" {
			t.add(c.firsts[k], kind, why)
			kinds, cells = append(kinds, kind), cells+c.counts[k]
			t.comma = t.comma || strings.Contains(why, "decimal mark")
			_, _, measure := parseMeasure(kind, b.numbers)
			plain = plain && !measure && b.numberReason(kind) == notNumber && why != dateOfTwoWays && b.canMark(kind)
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

// canMark reports whether a text can be typed as one more marker of missing cells.
func (b *builder) canMark(text string) bool {
	return CanMark(text) && !slices.ContainsFunc(b.layout.Markers, func(m string) bool { return strings.TrimSpace(m) == text })
}

// CanMark reports whether a text can be typed as an entry of a list of markers of missing cells.
func CanMark(text string) bool {
	return strings.TrimSpace(text) == text && utf8.ValidString(text) &&
		!strings.ContainsFunc(text, func(r rune) bool { return r == ',' || !unicode.IsPrint(r) })
}

// text says what is wrong.
func (t *trouble) text(of int) string {
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
		others = append(others, fmt.Sprintf("%s in line %d", quoteCell(c.text), c.line))
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
	a.comma = slices.ContainsFunc(all, func(t *trouble) bool { return t.comma })
	for _, t := range all {
		for _, m := range t.markers {
			if !slices.Contains(a.markers, m) {
				a.markers = append(a.markers, m)
			}
		}
		if t.ignore && !(a.comma && t.commas) {
			a.ignore = append(a.ignore, b.layout.Features[t.feature])
			out[t.feature] = true
		}
	}
	if a.markers != nil {
		a.markers = append(slices.Clone(b.opt.Markers), a.markers...) // the last such flag counts
	}
	missing, at := Missing{}, Position{}
	switch {
	case b.missingRule() != RefuseMissing:
	case b.opt.Sample > 0:
		missing, at = b.foundWithout(a.ignore)
	default:
		missing, at = b.gapsIn(out)
	}
	switch {
	case len(all) == 0 && missing.Rows == 0:
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
	if fill := b.merged.text(); missing.Labels > 0 && fill != "" {
		e.What += fill
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
	return b.opt.Header == NoHeader && len(all) > 1 &&
		!slices.ContainsFunc(all, func(t *trouble) bool { return t.what != "" || t.cells > 1 || t.at.row != 0 })
}

// listed lists what is wrong.
func (b *builder) listed(all []*trouble, missing Missing, at Position) *Error {
	const most = 6 // lines
	e := at.problem(Other, "the cell is missing; in all %s", missing)
	for k, t := range all {
		p := b.at(t.at, b.layout.Features[t.feature])
		switch text := t.text(b.kept); {
		case k == 0:
			e = p.problem(Number, "%s", text)
			e.Cell = t.cell
		case k < most:
			e.What += fmt.Sprintf("\n  line %d, %s: %s", p.Line, ColumnText(p.Column, p.Name), text)
		case k == most:
			e.What += fmt.Sprintf("\n  and %s more", plural.Count(len(all)-most, "column"))
		}
	}
	if all != nil && missing.Rows > 0 {
		e.What += "\n  " + missing.String()
	}
	e.Missing = missing
	return e
}

// problemsOfNew is problems for a table of new rows.
func (b *builder) problemsOfNew(all []*trouble, missing Missing, at Position) error {
	if len(all) == 0 {
		missing.Of += b.selected
		lead := "in all"
		if b.more {
			lead = "up to here"
		}
		e := at.problem(Other, b.worded("the cell is missing; %s %s; the model has no values to fill in, for it was fitted without --missing"), lead, missing)
		e.Missing = missing
		if n := missing.Of - missing.Rows; b.more {
			e.Advice = "; --missing drop leaves such rows out"
		} else if n > 0 {
			e.Advice = fmt.Sprintf("; --missing drop leaves these rows out and keeps %d of %d", n, missing.Of)
		}
		return e
	}
	t := slices.MinFunc(all, func(s, t *trouble) int { return s.at.row - t.at.row })
	e := b.at(t.at, b.layout.Features[t.feature]).notNumber(t.first[0].text, t.first[0].reason)
	var others []int
	for _, other := range all {
		if other != t {
			others = append(others, b.layout.Features[other.feature])
		}
	}
	if others != nil {
		e.What += "; such cells are in " + shortList(b.columnTexts(others)) + " too"
	}
	return e
}
