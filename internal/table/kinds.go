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
	Levels []string // of a category, ascending; of a boolean those of 0 and 1, in lower case; the unit
}

// ColumnKind is what the cells of a column are.
type ColumnKind byte

const (
	Numbers  ColumnKind = iota
	Category            // texts: the number of the level, from 0
	Boolean             // two words: 0 or 1
	Date                // days since 1970-01-01
	Measure             // numbers with a unit, the only level
)

// String returns "category", "boolean", "date" or "measure", and "" for numbers.
func (k ColumnKind) String() string {
	return [...]string{"", "category", "boolean", "date", "measure"}[k]
}

// A category has at most maxLevels levels, and where none is asked for at most fewLevels or a
// tenth of the cells, and not one in nearly every cell.
const (
	maxLevels = 1000
	fewLevels = 20
)

// booleans are the words of 0 and 1.
var booleans = [][]string{{"false", "true"}, {"no", "yes"}, {"f", "t"}, {"n", "y"}, {"0", "1"}}

func isPair(words []string) bool {
	return slices.ContainsFunc(booleans, func(pair []string) bool { return slices.Equal(pair, words) })
}

// texts are the different cells of a column that are no numbers, or of a category all.
type texts struct {
	text  []string       // maxLevels + 1 at most; all others are one more
	ids   map[string]int // of text, where they are more than a few
	tried bool           // whether they may be dates or measures
}

// id returns the number of a text, −1 for a new one.
func (t *texts) id(text string) int {
	if t == nil {
		return -1
	}
	if t.ids == nil {
		return slices.Index(t.text, text)
	}
	if id, ok := t.ids[text]; ok {
		return id
	}
	return -1
}

const oneOfMany = "a text"

// name is the text of a number.
func (t *texts) name(id int) string {
	if id == len(t.text) {
		return oneOfMany
	}
	return t.text[id]
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
	if c.isNumber && b.kinds[i] == Numbers && !b.numerals && (c.text == "" || b.numbers.mark == '.') && !math.IsInf(c.number, 0) && c.number == c.number {
		return c.number, nil
	}
	if c = c.written(); b.missing(c) {
		return math.NaN(), nil
	}
	text, known := c.text, b.texts[i]
	if v, ok := b.kinds[i].read(text, b.unit[i], b.numbers); ok {
		if b.numbers.mark == ',' {
			b.commas[i].add(text)
		}
		return v, nil
	}
	id := known.id(text)
	if id < 0 && b.kinds[i] == Category {
		text = b.levelText(text)
		id = known.id(text)
	}
	if id >= 0 {
		return textCell(id), nil
	}
	if known == nil {
		known = &texts{}
		b.texts[i] = known
	}
	if len(known.text) > maxLevels {
		if !known.tried && b.opt.Layout == nil && b.kinds[i] == Numbers && b.become(i) {
			return b.cell(i, line, c)
		}
		return textCell(len(known.text)), nil // one of many
	}
	return textCell(known.add(text)), b.take(line, textBytes+len(text))
}

// read returns the number of a cell of a column that is no category.
func (k ColumnKind) read(text, unit string, n notation) (v float64, ok bool) {
	switch k {
	case Category:
		return 0, false
	case Date:
		days, order := parseDate(text)
		return days, order == clearDate
	case Measure:
		if v, found, ok := parseMeasure(text, n); ok {
			return v, sameUnit(found, unit)
		}
	}
	v, reason := readNumber(text, n)
	return v, reason == ""
}

// become makes the cells of feature i days, or numbers with a unit, if all are such so far, whose
// texts are too many to be kept.
func (b *builder) become(i int) bool {
	known, c, d := b.texts[i], &b.contents[i], len(b.layout.Features)
	known.tried = true
	numbers := c.numbers > 0
	for at := b.counted*d + i; at < len(b.data); at += d {
		numbers = numbers || b.data[at] == b.data[at]
	}
	if numbers {
		return false
	}
	all := &contents{kinds: known.text, firsts: make([]place, len(known.text))}
	kind := Date
	unit, _ := b.units(all)
	switch {
	case unit != "":
		kind = Measure
	case known.dates() != clearDate:
		return false
	}
	for at := i; at < len(b.data); at += d {
		if id, isText := textOf(b.data[at]); isText {
			b.data[at], _ = kind.read(known.text[id], unit, b.numbers)
		}
	}
	b.kinds[i], b.unit[i], b.texts[i] = kind, unit, nil
	*c = contents{numbers: c.others}
	return true
}

// levelText is the name of a level: of all spellings of a number one.
func (b *builder) levelText(s string) string {
	if v, reason := readNumber(s, b.numbers); reason == "" {
		return formatNumber(v)
	}
	return s
}

// contents are the cells of a column in a training table.
type contents struct {
	numbers, others int // cells
	numerals        int // of the others, attempts at numbers
	kinds           []string
	counts          []int   // of each kind the cells
	firsts          []place // and where the first is
	number          []int   // of a text in the kinds, from 1
	more            bool    // kinds that are not kept

	different map[float64]bool // numbers, maxLevels + 1 at most
	early     []float64        // the first of these
	places    []place          // where they are
	uneven    bool             // whether the numbers do not count the rows, as far as not all are held
	recent    [8]uint64        // the complements of some of them
}

func (c *contents) cells() int { return c.numbers + c.others }

// countCells takes the cells of feature i in rows that are not counted yet into its contents.
func (b *builder) countCells(i int) {
	d, known, c := len(b.layout.Features), b.texts[i], &b.contents[i]
	plain := known == nil && b.opt.Sample == 0 // all that matters is whether there are numbers
	for row := b.counted; row < len(b.rows) && !(plain && c.numbers > 0); row++ {
		v := b.data[row*d+i]
		if v == v {
			if c.numbers++; len(c.different) <= maxLevels {
				c.addNumber(v, b, row)
			}
			c.uneven = c.uneven || v-c.early[0] != float64(b.rows[row]-c.places[0].row)
			continue
		}
		id, isText := textOf(v)
		if !isText {
			c.uneven = true
			continue
		}
		if c.others++; id == len(known.text) {
			c.more = true
			continue
		}
		for id >= len(c.number) {
			c.number = append(c.number, 0)
		}
		if c.number[id] == 0 {
			c.kinds, c.counts, c.firsts = append(c.kinds, known.text[id]), append(c.counts, 0), append(c.firsts, b.place(row))
			c.number[id] = len(c.kinds)
		}
		c.counts[c.number[id]-1]++
	}
}

// addNumber takes in a number, which may be a level.
func (c *contents) addNumber(v float64, b *builder, row int) {
	bits := math.Float64bits(v)
	slot := &c.recent[bits*0x9e3779b97f4a7c15>>61]
	if *slot == ^bits {
		return
	}
	*slot = ^bits
	if c.different == nil {
		c.different = map[float64]bool{}
	}
	if !c.different[v] {
		if c.different[v] = true; len(c.early) < mostShown {
			c.early, c.places = append(c.early, v), append(c.places, b.place(row))
		}
	}
}

// decide returns what the cells of feature i are in a training table, or what is wrong with them.
func (b *builder) decide(i int) (Column, *trouble) {
	c := &b.contents[i]
	for k, kind := range c.kinds {
		if b.numberReason(kind) != notNumber {
			c.numerals += c.counts[k]
		}
	}
	if c.others == 0 {
		if c.numbers == 0 && b.sparse == nil {
			return Column{}, &trouble{feature: i, what: "all cells are missing", ignore: true}
		}
		return b.columnAs(i, b.kinds[i], b.unit[i]), nil
	}
	left := &texts{text: c.kinds} // without those of rows that were left out
	lower, dates := words(c.kinds), left.dates()
	unit, mixed := b.units(c)
	switch {
	case b.kinds[i] == Date || b.kinds[i] == Measure:
		return b.columnAs(i, b.kinds[i], b.unit[i]), b.exceptions(i, c)
	case b.kinds[i] == Category && !(b.nominal != nil && b.nominal[b.layout.Features[i]] && isPair(lower)):
	case c.numbers == 0 && !c.more && len(c.kinds) > 1 && unit != "":
		return b.columnAs(i, Measure, unit), nil
	case b.kinds[i] != Category && c.numbers == 0 && mixed != "":
		return Column{}, &trouble{feature: i, what: mixed, at: c.firsts[0], cell: c.kinds[0], ignore: true}
	case c.numbers == 0 && !c.more && isPair(lower):
		return Column{Boolean, lower}, nil
	case c.numbers == 0 && !c.more && dates != noDate:
		if dates == ambiguousDate {
			return Column{}, b.oddCells(i, c, dateReason)
		}
		return Column{Kind: Date}, nil
	case 2*(c.numbers+c.numerals) >= c.cells():
		return Column{}, b.oddCells(i, c, b.numberReason)
	}
	levels := b.levels(i, c)
	limit := maxLevels
	if b.kinds[i] != Category {
		if t := b.few(i, c, 10); t != nil {
			return Column{}, t
		}
		limit = min(limit, max(fewLevels, c.cells()/10))
		if n := len(levels); n > 2 && 4*n > 3*c.cells() {
			limit = min(limit, n-1)
		}
	}
	if len(levels) > limit {
		if t := b.few(i, c, 2); t != nil {
			return Column{}, t
		}
		count := fmt.Sprint(len(levels))
		if c.more || len(c.different) > maxLevels {
			count = fmt.Sprint("more than ", maxLevels)
		}
		return Column{}, b.troubleAt(i, c, fmt.Sprintf("is one of %s different texts in %d cells, too many for a category", count, c.cells()))
	}
	if other := b.otherSeparator(c); other != "" {
		return Column{}, b.troubleAt(i, c, fmt.Sprintf("is a text, and all such hold %s", other))
	}
	return Column{Category, levels}, nil
}

// exceptions is the trouble of a column of dates, or of numbers with a unit, with other cells after
// those that made it such.
func (b *builder) exceptions(i int, c *contents) *trouble {
	t := &trouble{feature: i}
	for k, kind := range c.kinds {
		t.add(c.firsts[k], kind, b.readAs(kind, Column{b.kinds[i], []string{b.unit[i]}}, nil).reason)
	}
	t.cells = c.others
	return t
}

// few is the trouble of a column of dates, or of numbers with a unit, where one cell in so many at
// most is none; nil of another.
func (b *builder) few(i int, c *contents, in int) *trouble {
	for _, reason := range []func(string) string{dateReason, b.measureReason(c)} {
		t := b.oddCells(i, c, reason)
		for k, v := range c.early {
			text := formatNumber(v)
			t.add(c.places[k], text, reason(text))
			t.markers, t.ignore = nil, true
		}
		t.cells += c.numbers - len(c.early)
		if !c.more && 0 < t.cells && in*t.cells <= c.cells() {
			return t
		}
	}
	return nil
}

// columnAs is feature i as a column without levels.
func (b *builder) columnAs(i int, kind ColumnKind, unit string) Column {
	c := Column{Kind: kind}
	if kind == Measure {
		c.Levels, b.unit[i] = []string{unit}, unit
	}
	return c
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

// levels returns the names of the levels of a category, ascending.
func (b *builder) levels(i int, c *contents) []string {
	set := map[string]bool{}
	for _, kind := range c.kinds {
		set[kind] = true
	}
	for v := range c.different {
		set[formatNumber(v)] = true
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
			wrong = b.convert(i, &columns[i])
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

// reading is what a text of a column is.
type reading struct {
	done    bool
	number  float64
	reason  string // why it is none
	unknown string // level
}

// readAs reads a text of a column, where numbers are those of the levels; a level that the column
// does not know is the number after its last.
func (b *builder) readAs(text string, column Column, numbers map[string]int) (r reading) {
	r.done = true
	switch column.Kind {
	case Category:
		k, known := numbers[text]
		if !known {
			k, r.unknown = len(column.Levels), text
		}
		r.number = float64(k)
	case Boolean:
		k, known := numbers[strings.ToLower(text)]
		for _, pair := range booleans {
			if at := slices.Index(pair, strings.ToLower(text)); !known && at >= 0 {
				k, known = at, true
			}
		}
		if r.number = float64(k); !known {
			r.reason = fmt.Sprintf("is neither %q nor %q", column.Levels[0], column.Levels[1])
		}
	case Date:
		if v, ok := Date.read(text, "", b.numbers); ok {
			r.number = v
		} else {
			r.reason = notDate
		}
	case Measure:
		if v, ok := Measure.read(text, column.Levels[0], b.numbers); ok {
			r.number = v
		} else {
			r.reason = notIn + column.Levels[0]
		}
	default:
		r.reason = b.numberReason(text)
	}
	return r
}

// convert makes the cells of feature i numbers, and adds new levels where that is wanted.
func (b *builder) convert(i int, column *Column) *trouble {
	known, d := b.texts[i], len(b.layout.Features)
	asNumbers := column.Kind == Numbers || column.Kind == Date || column.Kind == Measure
	if known == nil && asNumbers {
		return nil
	}
	numbers := map[string]int{}
	for k, level := range column.Levels {
		numbers[level] = k
	}
	read := func(text string) reading {
		r := b.readAs(text, *column, numbers)
		switch {
		case r.unknown == "" || !b.opt.NewLevels:
		case len(column.Levels) == maxLevels:
			r.reason = fmt.Sprintf("is beyond the %d levels that a category can have", maxLevels)
		default:
			numbers[text], column.Levels = len(column.Levels), append(slices.Clip(column.Levels), text)
			r.unknown = ""
		}
		return r
	}
	var readings []reading // of the texts
	if known != nil {
		readings = make([]reading, len(known.text)+1)
	}
	wrong := &trouble{feature: i}
	for row := range b.rows {
		at := &b.data[row*d+i]
		id, isText := textOf(*at)
		var r reading
		var text string
		switch {
		case isText:
			if text = known.name(id); !readings[id].done {
				readings[id] = read(text)
			}
			r = readings[id]
		case *at != *at || asNumbers:
			continue
		default:
			text = formatNumber(*at)
			r = read(text)
		}
		if r.unknown != "" {
			b.unseen.add(i, r.unknown)
			if b.opt.KnownLevels {
				r.reason = "is a level that the column does not have in training"
			}
		}
		if r.reason != "" {
			wrong.add(b.place(row), text, r.reason)
			r.number = 0
		}
		*at = r.number
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
		case Measure:
			text += " in " + quoteCell(c.Levels[0])
		}
		said[c.Kind] = append(said[c.Kind], text)
	}
	for kind, as := range []string{Category: "categories", Boolean: "0 and 1", Date: "days since 1970-01-01", Measure: "numbers"} {
		if columns := said[ColumnKind(kind)]; columns != nil && as != "" {
			b.notice("read as %s: %s", as, shortList(columns))
		}
	}
}
