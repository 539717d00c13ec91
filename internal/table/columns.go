package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed92411348/kfda/internal/plural"
)

// columnRange is what stands for columns: a name or a position, and another where it is a
// range, as in 4-22 or x1:x9.
type columnRange struct{ from, to string }

// columnRanges splits entries, each a name or a list of names, positions and ranges.
func columnRanges(entries []string, isName func(string) bool) []columnRange {
	var all []columnRange
	for _, entry := range entries {
		parts := []string{entry}
		if !isName(entry) {
			parts = strings.Split(entry, ",")
		}
		for _, part := range parts {
			all = append(all, rangeOf(part, isName))
		}
	}
	return all
}

func rangeOf(part string, isName func(string) bool) columnRange {
	if isName(part) {
		return columnRange{from: part}
	}
	isEnd := func(s string) bool {
		_, ok := position(s, maxCells)
		return ok || isName(s)
	}
	for i, c := range part {
		if from, to := part[:i], part[i+min(1, len(part)-i):]; c == ':' && isEnd(from) && isEnd(to) {
			return columnRange{from, to}
		}
	}
	from, to, ok := strings.Cut(part, "-")
	_, first := position(from, maxCells)
	_, last := position(to, maxCells)
	if ok && first && last {
		return columnRange{from, to}
	}
	return columnRange{from: part}
}

// selectedRanges are the columns that are named, besides further entries, where the names are
// the cells of first.
func (b *builder) selectedRanges(first []cell, further ...string) []columnRange {
	entries := append(further, b.opt.Ignore...)
	for _, r := range []string{b.opt.Label, b.opt.IDs, b.opt.Weight} {
		if r != "" {
			entries = append(entries, r)
		}
	}
	return columnRanges(entries, func(name string) bool {
		return slices.ContainsFunc(first, func(c cell) bool { return c.text == name })
	})
}

// references are the names and positions of the columns that are asked for.
func (b *builder) references(first []cell) []string {
	var refs []string
	for _, r := range b.selectedRanges(first, slices.Clone(b.opt.Categories)...) {
		if refs = append(refs, r.from); r.to != "" {
			refs = append(refs, r.to)
		}
	}
	return refs
}

// askedByPosition marks the columns that are no features and are selected by their positions.
func (b *builder) askedByPosition(first []cell) []bool {
	asked := make([]bool, b.width)
	for _, r := range b.selectedRanges(first) {
		j, ok := position(r.from, b.width)
		if !ok {
			continue
		}
		last := j
		if r.to != "" {
			if last, ok = position(r.to, b.width); !ok {
				continue
			}
		}
		for ; j <= last; j++ {
			asked[j] = true
		}
	}
	return asked
}

// position reads a position from 1 to width, as in 3 or, where 3 is a name, #3, and returns
// it from 0.
func position(ref string, width int) (int, bool) {
	k, err := strconv.Atoi(strings.TrimPrefix(strings.Trim(ref, " \t"), "#"))
	return k - 1, err == nil && 1 <= k && k <= width
}

// column finds a column by its name or else by its position.
func (b *builder) column(ref string) (int, error) {
	switch found := b.named[ref]; {
	case len(found) > 1:
		return 0, b.columnError(ref, fmt.Sprintf("columns %d and %d have this name; use a position", found[0]+1, found[1]+1))
	case len(found) == 1:
		if j, ok := position(ref, b.layout.Width); ok && j != found[0] {
			b.notice("%s is taken for the name of column %d; column %d is #%d", quoteCell(ref), found[0]+1, j+1, j+1)
		}
		return found[0], nil
	}
	if j, ok := position(ref, b.layout.Width); ok {
		return j, nil
	}
	return 0, b.columnError(ref, "")
}

// columnError says that there is no such column or, with a reason, that it can't be used.
func (b *builder) columnError(ref, reason string) error {
	switch width := b.layout.Width; {
	case reason != "":
		return b.problem(Other, "column %s: %s", ref, reason)
	case width == 0:
		return b.problem(Other, "no column %s; there are no columns", quoteCell(ref))
	case b.names == nil:
		return b.problem(Other, "no column %s; there is no header, so columns go by position: 1 to %d", quoteCell(ref), width)
	default:
		return b.problem(Other, "no column %s; the columns are %s, or positions 1 to %d", quoteCell(ref), quoteList(b.names[:width]), width)
	}
}

// find returns the columns that entries name.
func (b *builder) find(entries ...string) ([]int, error) {
	var found []int
	for _, r := range columnRanges(entries, func(name string) bool { return b.named[name] != nil }) {
		j, err := b.column(r.from)
		if err != nil {
			return nil, err
		}
		last := j
		if r.to != "" {
			if last, err = b.column(r.to); err != nil {
				return nil, err
			}
			if last < j {
				return nil, b.columnError(r.from+" to "+r.to, "the range ends before it begins")
			}
		}
		for ; j <= last; j++ {
			found = append(found, j)
		}
	}
	return found, nil
}

// findLabel returns the label that is named.
func (b *builder) findLabel() (int, error) {
	found, err := b.find(b.opt.Label)
	if err != nil {
		return 0, err
	}
	if len(found) > 1 {
		return 0, b.problem(Other, "--label %s names %d columns; the label is one", b.opt.Label, len(found))
	}
	return found[0], nil
}

// ignored marks the columns to ignore.
func (b *builder) ignored() ([]bool, error) {
	out := make([]bool, b.layout.Width)
	found, err := b.find(b.opt.Ignore...)
	for _, j := range found {
		out[j] = true
	}
	return out, err
}

// learnKinds notes what is known of the features before their cells are read.
func (b *builder) learnKinds() error {
	b.startFeatures(len(b.layout.Features))
	if b.opt.Layout != nil {
		for i, c := range b.opt.Layout.Columns {
			if b.kinds[i] = c.Kind; c.Kind == Measure {
				b.unit[i] = c.Levels[0]
			}
		}
		return nil
	}
	for i, j := range b.layout.Features {
		if b.nominal != nil && b.nominal[j] {
			b.kinds[i] = Category
		}
	}
	found, err := b.find(b.opt.Categories...)
	if err != nil {
		return err
	}
	for _, j := range found {
		i := slices.Index(b.layout.Features, j)
		if i < 0 {
			return b.columnError(b.argument(j), "is no feature, so that it is no category")
		}
		b.kinds[i] = Category
		if b.nominal != nil {
			b.nominal[j] = false // no boolean either
		}
	}
	return nil
}

// startFeatures makes room for what is known of the features.
func (b *builder) startFeatures(n int) {
	b.kinds, b.unit, b.texts = make([]ColumnKind, n), make([]string, n), make([]*texts, n)
	b.contents, b.commas = make([]contents, n), make([]decimals, n)
}

// chooseColumns decides what each column is. first is the first data row.
func (b *builder) chooseColumns(first []cell) error {
	b.layout.Width = b.width
	asked := b.askedByPosition(first)
	for j := b.width - 1; j > 0 && first[j] == (cell{}) && b.columnName(j) == "" && !asked[j]; j-- {
		b.layout.Width = j
	}
	if n := b.width - b.layout.Width; n > 0 {
		b.notice("%s at the end without name and content dropped", plural.Count(n, "column"))
	}
	taken, err := b.ignored()
	if err != nil {
		return err
	}
	b.layout.Label = -1
	if b.opt.Label != "" {
		if b.layout.Label, err = b.findLabel(); err != nil {
			return err
		}
		if taken[b.layout.Label] {
			return b.columnError(b.argument(b.layout.Label), "is the label, so it cannot be ignored")
		}
		taken[b.layout.Label] = true
	}
	if b.opt.IDs != "" {
		found, err := b.find(b.opt.IDs)
		if err != nil {
			return err
		}
		for _, j := range found {
			if !slices.Contains(b.ids, j) {
				b.ids = append(b.ids, j)
			}
			taken[j] = true
		}
		b.idText = make([][]string, len(b.ids))
	}
	if err := b.findWeight(taken); err != nil {
		return err
	}
	if b.opt.Layout != nil {
		err = b.follow(b.opt.Layout, taken)
	} else {
		b.takeRest(taken)
	}
	if err != nil {
		return err
	}
	if b.layout.Label >= 0 {
		b.layout.LabelName = b.columnName(b.layout.Label)
	}
	if b.names != nil {
		b.layout.Names = make([]string, len(b.layout.Features))
		for f, j := range b.layout.Features {
			b.layout.Names[f] = b.names[j]
		}
	}
	return b.learnKinds()
}

// findWeight takes the column of the weights.
func (b *builder) findWeight(taken []bool) (err error) {
	ref := b.opt.Weight
	remembered := ref == "" && b.opt.Weighted && b.opt.Layout != nil && b.opt.Layout.Weight != ""
	if remembered {
		ref = b.opt.Layout.Weight
	}
	if ref == "" {
		return nil
	}
	j, err := b.column(ref)
	if remembered {
		if err != nil || taken[j] {
			b.notice("the rows had weights in training, but there is no column %s here: they count alike", quoteCell(ref))
			return nil
		}
		b.notice("the rows weigh what %s says, as in training", ColumnText(j+1, b.columnName(j)))
	}
	if err != nil {
		return err
	}
	if j == b.layout.Label {
		return b.columnError(b.argument(j), "is the label, so it cannot hold the weights")
	}
	b.weight, b.layout.Weight, taken[j] = j, strconv.Itoa(j+1), true
	if name := b.columnName(j); len(b.named[name]) == 1 {
		b.layout.Weight = name
	}
	return nil
}

// takeRest makes features of all columns that are not taken, and of the last of them
// the label if that is not taken already.
func (b *builder) takeRest(taken []bool) {
	if b.lacksLabel() {
		j := b.layout.Width - 1
		for j > 0 && taken[j] {
			j--
		}
		b.layout.Label = j
		taken[j] = true
	}
	b.layout.Features = untaken(taken)
	b.noticeNames()
}

// untaken returns the positions of the columns that are not taken.
func untaken(taken []bool) []int {
	var rest []int
	for j, t := range taken {
		if !t {
			rest = append(rest, j)
		}
	}
	return rest
}

// noticeNames points at features without a name of their own: other files cannot be
// matched to them by name alone.
func (b *builder) noticeNames() {
	if b.names == nil {
		return
	}
	var nameless, alike []int
	for _, j := range b.layout.Features {
		switch {
		case b.names[j] == "":
			nameless = append(nameless, j)
		case len(b.named[b.names[j]]) > 1:
			alike = append(alike, j)
		}
	}
	if nameless != nil {
		b.notice("read as features: %s without a name%s", columnSpan(nameless), b.advice("; if it is only the number of a row, say ", advised{ignore: nameless}))
	}
	if alike != nil {
		b.notice("%s have names that stand twice: %s; other files are matched to them by name and order", columnSpan(alike), b.nameList(alike))
	}
}

// columnSpan names columns in a message by their positions.
func columnSpan(columns []int) string {
	first, last := columns[0], columns[len(columns)-1]
	if len(columns) > 2 && last-first == len(columns)-1 && slices.IsSorted(columns) {
		return fmt.Sprintf("columns %d to %d", first+1, last+1)
	}
	var at []int
	for _, j := range columns {
		at = append(at, j+1)
	}
	return numbered("column", at, len(at))
}

// nameList lists the different names of columns.
func (b *builder) nameList(columns []int) string {
	var names []string
	seen := map[string]bool{}
	for _, j := range columns {
		if name := b.names[j]; !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return quoteList(names)
}
