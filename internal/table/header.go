package table

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// readHeader decides whether the first record holds names, by the rule in
// rules.txt, and takes them if so. below are records that follow it.
func (b *builder) readHeader(first record, below [][]cell) error {
	header := b.opt.Header == WithHeader
	if b.opt.Header == GuessHeader {
		var err error
		if header, err = b.guessHeader(first, below); err != nil {
			return err
		}
		b.guess = NoHeader
		if header {
			b.guess = WithHeader
		}
	}
	if header {
		names := []string{}
		for _, c := range first.cells {
			names = append(names, c.text)
		}
		b.setNames(names)
	}
	return nil
}

// isSecondLine reports whether a record after the names holds units, or a second line of names: a
// text above nothing but numbers in two columns and in half of those at least, and no number.
func (b *builder) isSecondLine(rec record, below [][]cell) bool {
	if b.names == nil || len(rec.cells) != b.width || slices.ContainsFunc(rec.cells, b.isNumberCell) {
		return false
	}
	below = slices.DeleteFunc(slices.Clone(below), func(cells []cell) bool { return len(cells) != b.width })
	numbers, texts := 0, 0
	for j, c := range rec.cells {
		if _, above := b.compare(c.text, j, below); above {
			numbers++
			if !b.isMissing(c.text) && strings.ContainsFunc(c.text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsSymbol(r) || r == '%' }) {
				texts++
			}
		}
	}
	return texts >= 2 && 2*texts >= numbers
}

func (b *builder) isNumberCell(c cell) bool { return isNumber(c.text, b.numbers) }

// takeSecondLine makes of such a line the names of columns that have none.
func (b *builder) takeSecondLine(rec record) {
	names, texts := slices.Clone(b.names), []string{}
	for j, c := range rec.cells {
		if c.text == "" {
			continue
		}
		texts = append(texts, c.text)
		if names[j] == "" {
			names[j] = c.text
		}
	}
	b.setNames(names)
	b.notice("line %d is left out, as units or a second line of names: it holds %s and no number, above columns of numbers", rec.line, quoteList(texts))
}

func (b *builder) setNames(names []string) {
	b.names, b.named = names, make(map[string][]int, len(names))
	for j, name := range names {
		b.named[name] = append(b.named[name], j)
	}
}

// evidence is what speaks for and against the first record holding names; the columns
// are -1 where there is nothing of the kind.
type evidence struct {
	asked   int  // a name that is selected
	above   int  // a text above numbers
	again   int  // a text that stands below it again
	text    int  // a text in a column that can be a feature
	numbers bool // most cells are numbers
}

func (b *builder) guessHeader(first record, below [][]cell) (bool, error) {
	if b.namesOfModel(first.cells) {
		return true, nil
	}
	e := b.weigh(first.cells, below)
	quoted := func(j int) string { return quoteCell(first.cells[j].text) }
	switch name := max(e.asked, e.above); {
	case name >= 0 && e.again >= 0:
		p := Position{File: b.name, Sheet: b.sheet, Line: first.line, Column: e.again + 1}
		as := " is above numbers, as a name"
		if e.asked >= 0 {
			name, as = e.asked, " is asked for as a name"
		}
		return false, b.headerError(p, quoted(e.again)+" stands below again, as in data, but "+quoted(name)+as, first.cells)
	case e.asked >= 0:
		return true, nil
	case e.above >= 0 || e.again < 0 && e.text >= 0 && !e.numbers:
		text := e.text
		if text < 0 {
			text = e.above
		}
		b.notice("line %d read as header (%s is not a number); --no-header reads it as data", first.line, quoted(text))
		return true, nil
	}
	reason := "its feature cells are numbers"
	switch {
	case e.again >= 0:
		reason = quoted(e.again) + " stands below again"
	case e.text >= 0:
		reason = "most of its cells are numbers"
	case !slices.Contains(b.maybeFeatures(first.cells), true):
		reason = "no cell of it is a feature"
	}
	b.notice("line %d read as data (%s); --header reads it as names", first.line, reason)
	return false, nil
}

// namesOfModel reports whether all names of a model's features are in the record.
func (b *builder) namesOfModel(first []cell) bool {
	if b.opt.Layout == nil || b.opt.Layout.Names == nil {
		return false
	}
	have := map[string]bool{}
	for _, c := range first {
		have[c.text] = true
	}
	return !slices.ContainsFunc(b.opt.Layout.Names, func(name string) bool { return !have[name] })
}

func (b *builder) weigh(first []cell, below [][]cell) evidence {
	e := evidence{-1, -1, -1, -1, false}
	for _, ref := range b.references(first) {
		if _, ok := position(ref, b.width); !ok && e.asked < 0 {
			e.asked = slices.IndexFunc(first, func(c cell) bool { return c.text == ref })
		}
	}
	below = slices.DeleteFunc(below, func(cells []cell) bool { return len(cells) != len(first) || slices.Equal(cells, first) })
	feature := b.maybeFeatures(first)
	numbers, texts := 0, 0
	for j, c := range first {
		if isMissing(c.text) {
			continue
		}
		if _, reason := parseNumber(c.text, b.numbers); reason != notNumber {
			numbers++
			continue
		}
		texts++
		if feature[j] && e.text < 0 {
			e.text = j
		}
		again, above := b.compare(c.text, j, below)
		if again && e.again < 0 {
			e.again = j
		}
		if above && e.above < 0 {
			e.above = j
		}
	}
	e.numbers = numbers > texts
	return e
}

// compare reports whether a text stands again in column j below, and whether nothing but
// numbers does.
func (b *builder) compare(text string, j int, below [][]cell) (again, numbers bool) {
	all := true
	for _, cells := range below {
		c := cells[j].text
		if c == text {
			return true, false
		}
		if all && !isMissing(c) {
			numbers = true
			all = isNumber(c, b.numbers)
		}
	}
	return false, all && numbers
}

// maybeFeatures marks the columns that can be features, as far as the first record and the
// selected positions tell.
func (b *builder) maybeFeatures(first []cell) []bool {
	maybe := make([]bool, len(first))
	if l := b.opt.Layout; l != nil && l.Width == len(first) {
		for _, j := range l.Features {
			maybe[j] = true
		}
		return maybe
	}
	for j, asked := range b.askedByPosition(first) {
		maybe[j] = !asked
	}
	if b.opt.Label == "" && b.labelColumn() {
		last := len(first) - 1
		for last > 0 && first[last] == (cell{}) {
			last--
		}
		maybe[last] = false
	}
	return maybe
}

// headerError says that it is not clear whether line 1 is a header. Without one, columns
// that are selected by name have to be selected by position.
func (b *builder) headerError(p Position, reason string, first []cell) error {
	at := func(name string) string {
		j := slices.IndexFunc(first, func(c cell) bool { return c.text == name })
		if _, ok := position(name, b.width); ok || j < 0 {
			return ""
		}
		return strconv.Itoa(j + 1)
	}
	e := p.problem(Other, "%s: is this line a header? Say --header or --no-header", reason)
	if k := at(b.opt.Label); k != "" {
		e.Advice = " --label " + k
	}
	for _, entry := range b.opt.Ignore {
		if k := at(entry); k != "" {
			e.Advice += " --ignore " + k
		}
	}
	return e
}
