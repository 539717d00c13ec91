package table

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/seed92411348/kfda/internal/plural"
)

// Column says how the cells of a feature column become numbers.
type Column struct {
	Kind   ColumnKind
	Levels []string // of a category, ascending; of a boolean those of 0 and 1, in lower case
}

// ColumnKind is what the cells of a column are.
type ColumnKind byte

const (
	Numbers  ColumnKind = iota
	Category            // texts: the number of the level, from 0
	Boolean             // two words: 0 or 1
	Date                // days since 1970-01-01
)

// String returns "category", "boolean" or "date", and "" for numbers.
func (k ColumnKind) String() string { return [...]string{"", "category", "boolean", "date"}[k] }

// A category has at most maxLevels levels, and where none is asked for at most fewLevels or a
// tenth of the cells, and not one in nearly every cell.
const (
	maxLevels = 1000
	fewLevels = 20
)

// booleans are the words of 0 and 1.
var booleans = [][]string{{"false", "true"}, {"no", "yes"}, {"f", "t"}, {"n", "y"}}

// texts are the different cells of a column that are no numbers, or of a category all.
type texts struct {
	text  []string       // maxLevels + 1 at most; all others are one more
	ids   map[string]int // of text, where they are more than a few
	tried bool           // whether they may be dates
}

// id returns the number of a text, −1 for a new one.
func (t *texts) id(text string) int {
	if t.ids == nil {
		return slices.Index(t.text, text)
	}
	if id, ok := t.ids[text]; ok {
		return id
	}
	return -1
}

// add takes in a new text.
func (t *texts) add(text string) (id int) {
	const few = 8
	id = len(t.text)
	t.text = append(t.text, strings.Clone(text))
	switch {
	case t.ids != nil:
		t.ids[t.text[id]] = id
	case id == few:
		t.ids = make(map[string]int)
		for k, known := range t.text {
			t.ids[known] = k
		}
	}
	return id
}

// A cell that is no number is held as a NaN that has the number of its text beside the bits of
// firstText; a missing one is math.NaN().
const firstText = 0x7ff8000000000002

func textCell(id int) float64 { return math.Float64frombits(firstText + uint64(id)) }

// textOf returns the number of the text that a cell is.
func textOf(v float64) (id int, isText bool) {
	if v == v {
		return 0, false
	}
	id = int(math.Float64bits(v) - firstText)
	return id, id >= 0
}

// cell returns a cell of feature i as it is held until all are read.
func (b *builder) cell(i, line int, c cell) (float64, error) {
	if b.missing(c) {
		return math.NaN(), nil
	}
	text := c.text
	switch b.kinds[i] {
	case Date:
		if days, order := parseDate(text); order == clearDate {
			return days, nil
		}
	case Category:
		text = b.levelText(text)
	default:
		if v, reason := parseNumber(text, b.numbers); reason == "" {
			return v, nil
		}
	}
	known := b.texts[i]
	if known == nil {
		known = &texts{}
		b.texts[i] = known
	}
	if id := known.id(text); id >= 0 {
		return textCell(id), nil
	}
	if len(known.text) > maxLevels {
		if !known.tried && b.opt.Layout == nil && b.kinds[i] == Numbers && b.becomeDates(i) {
			return b.cell(i, line, c)
		}
		return textCell(len(known.text)), nil // one of many
	}
	return textCell(known.add(text)), b.take(line, textBytes+len(text))
}

// becomeDates makes the cells of feature i days if all are dates so far, whose texts are too many
// to be kept.
func (b *builder) becomeDates(i int) bool {
	known, d := b.texts[i], len(b.layout.Features)
	known.tried = true
	for at := i; at < len(b.data); at += d {
		if b.data[at] == b.data[at] { // a number
			return false
		}
	}
	if known.dates() != clearDate {
		return false
	}
	for at := i; at < len(b.data); at += d {
		if id, isText := textOf(b.data[at]); isText {
			b.data[at], _ = parseDate(known.text[id])
		}
	}
	b.kinds[i] = Date
	delete(b.texts, i)
	return true
}

// levelText is the name of a level: of all spellings of a number one.
func (b *builder) levelText(s string) string {
	if v, reason := parseNumber(s, b.numbers); reason == "" {
		return formatNumber(v)
	}
	return s
}

// contents are the cells of a column with texts.
type contents struct {
	numbers, others int // cells
	numerals        int // of the others, attempts at numbers
	kinds           []string
	firsts          []int // rows, of each kind
	more            bool  // kinds that are not kept
}

func (c *contents) cells() int { return c.numbers + c.others }

// contents looks at the cells of feature i.
func (b *builder) contents(i int) *contents {
	c, seen := &contents{}, map[int]string{}
	d, known := len(b.layout.Features), b.texts[i]
	for row := range b.rows {
		v := b.data[row*d+i]
		id, isText := textOf(v)
		switch {
		case !isText && v == v:
			c.numbers++
		case isText && id == len(known.text):
			c.others++
			c.more = true
		case isText:
			c.others++
			reason, old := seen[id]
			if !old {
				_, reason = parseNumber(known.text[id], b.numbers)
				seen[id] = reason
				c.kinds, c.firsts = append(c.kinds, known.text[id]), append(c.firsts, row)
			}
			if reason != notNumber {
				c.numerals++
			}
		}
	}
	return c
}

// decide returns what the cells of feature i are in a training table, or what is wrong with them.
func (b *builder) decide(i int) (Column, *trouble) {
	known := b.texts[i]
	if known == nil {
		if b.gaps[i] > 0 && b.empty(i) {
			return Column{}, &trouble{feature: i, what: "all cells are missing", ignore: true}
		}
		return Column{Kind: b.kinds[i]}, nil
	}
	c := b.contents(i)
	lower, dates := c.lower(), known.dates()
	switch {
	case b.kinds[i] == Date:
		return Column{Kind: Date}, nil // convert says what is none
	case b.kinds[i] == Category:
	case c.numbers == 0 && !c.more && slices.ContainsFunc(booleans, func(pair []string) bool { return slices.Equal(pair, lower) }):
		return Column{Boolean, lower}, nil
	case c.numbers == 0 && !c.more && dates != noDate:
		if dates == ambiguousDate {
			return Column{}, b.troubleAt(i, c, "is a date that may be read in two ways; write 2020-01-31")
		}
		return Column{Kind: Date}, nil
	case 2*(c.numbers+c.numerals) >= c.cells():
		return Column{}, b.oddCells(i, c)
	}
	levels := b.levels(i, c)
	limit := maxLevels
	if b.kinds[i] != Category {
		limit = min(limit, max(fewLevels, c.cells()/10))
		if n := len(levels); n > 2 && 4*n > 3*c.cells() {
			limit = min(limit, n-1)
		}
	}
	if len(levels) > limit {
		count := fmt.Sprint(len(levels))
		if c.more {
			count = fmt.Sprint("more than ", maxLevels)
		}
		return Column{}, b.troubleAt(i, c, fmt.Sprintf("is one of %s different texts in %d cells, too many for a category", count, c.cells()))
	}
	if other := b.otherSeparator(c); other != "" {
		return Column{}, b.troubleAt(i, c, fmt.Sprintf("is a text, and all such hold %s", other))
	}
	return Column{Category, levels}, nil
}

// empty reports whether all cells of feature i are missing.
func (b *builder) empty(i int) bool {
	d := len(b.layout.Features)
	for row := range b.rows {
		if !isGap(b.data[row*d+i]) {
			return false
		}
	}
	return true
}

// otherSeparator names what may be the separator in place of a guessed one: what stands in
// all texts of a column.
func (b *builder) otherSeparator(c *contents) string {
	if b.opt.Separator != 0 || b.numbers.separator == 0 {
		return ""
	}
	for _, other := range []string{"\t", ";", "|"} {
		if !slices.ContainsFunc(c.kinds, func(s string) bool { return !strings.Contains(s, other) }) {
			return quoteCell(other)
		}
	}
	return ""
}

// lower returns the kinds in lower case, each once, ascending.
func (c *contents) lower() []string {
	set := map[string]bool{}
	for _, kind := range c.kinds {
		set[strings.ToLower(kind)] = true
	}
	return slices.Sorted(maps.Keys(set))
}

// levels returns the names of the levels of a category, ascending.
func (b *builder) levels(i int, c *contents) []string {
	set := map[string]bool{}
	for _, kind := range c.kinds {
		set[kind] = true
	}
	if c.numbers > 0 {
		d := len(b.layout.Features)
		for row := range b.rows {
			if v := b.data[row*d+i]; v == v {
				set[formatNumber(v)] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// settle makes the cells of all features numbers, and returns what is wrong with them. In
// training it decides what they are, else the layout of the model says so.
func (b *builder) settle() []*trouble {
	var all []*trouble
	columns := make([]Column, len(b.layout.Features))
	plain := true
	for i := range columns {
		var wrong *trouble
		if l := b.opt.Layout; l == nil {
			columns[i], wrong = b.decide(i)
		} else if l.Columns != nil {
			columns[i] = l.Columns[i]
		}
		if wrong == nil {
			wrong = b.convert(i, columns[i])
		}
		if wrong != nil {
			all = append(all, wrong)
		}
		plain = plain && columns[i].Kind == Numbers
	}
	if !plain {
		b.layout.Columns = columns
	}
	return all
}

// convert makes the cells of feature i numbers; a level that the column does not know becomes the number after
// its last.
func (b *builder) convert(i int, column Column) *trouble {
	if b.texts[i] == nil && (column.Kind == Numbers || column.Kind == Date) {
		return nil
	}
	number := map[string]int{}
	for k, level := range column.Levels {
		number[level] = k
	}
	d := len(b.layout.Features)
	wrong := &trouble{feature: i}
	for row := range b.rows {
		at := &b.data[row*d+i]
		id, isText := textOf(*at)
		if !isText && (*at != *at || column.Kind == Numbers || column.Kind == Date) {
			continue
		}
		text := "a text"
		if !isText {
			text = formatNumber(*at)
		} else if known := b.texts[i]; id < len(known.text) {
			text = known.text[id]
		}
		v, reason := 0.0, ""
		switch column.Kind {
		case Numbers:
			_, reason = parseNumber(text, b.numbers)
		case Category:
			k, known := number[text]
			if !known {
				k = len(column.Levels)
				b.unseen.add(i, text)
			}
			v = float64(k)
		case Boolean:
			k, known := number[strings.ToLower(text)]
			if v = float64(k); !known {
				reason = fmt.Sprintf("is neither %q nor %q", column.Levels[0], column.Levels[1])
			}
		case Date:
			days, order := parseDate(text)
			if v = days; order != clearDate {
				reason = "is not a date such as 2020-01-31"
			}
		}
		if reason != "" {
			wrong.add(row, text, reason)
			v = 0
		}
		*at = v
	}
	if wrong.cells == 0 {
		return nil
	}
	return wrong
}

// noticeKinds says which columns are no numbers, and what they are.
func (b *builder) noticeKinds() {
	said := map[ColumnKind][]string{}
	for i, c := range b.layout.Columns {
		text := b.columnText(b.layout.Features[i])
		switch c.Kind {
		case Category:
			text += " with " + plural.Count(len(c.Levels), "level")
		case Boolean:
			text += fmt.Sprintf(" (%s is 1)", c.Levels[1])
		}
		said[c.Kind] = append(said[c.Kind], text)
	}
	for kind, as := range []string{Category: "categories", Boolean: "0 and 1", Date: "days since 1970-01-01"} {
		if columns := said[ColumnKind(kind)]; columns != nil && as != "" {
			b.notice("read as %s: %s", as, shortList(columns))
		}
	}
}
