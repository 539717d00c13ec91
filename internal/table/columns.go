package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed92411348/kfda/internal/plural"
)

// references are the selected columns, where the names are the cells of first.
func (b *builder) references(first []cell) []string {
	var refs []string
	for _, r := range []string{b.opt.Label, b.opt.IDs} {
		if r != "" {
			refs = append(refs, r)
		}
	}
	return append(refs, b.ignoredReferences(func(name string) bool {
		return slices.ContainsFunc(first, func(c cell) bool { return c.text == name })
	})...)
}

// ignoredReferences are the columns to ignore. An entry that is no name is a list.
func (b *builder) ignoredReferences(isName func(string) bool) []string {
	var refs []string
	for _, entry := range b.opt.Ignore {
		if isName(entry) {
			refs = append(refs, entry)
		} else {
			refs = append(refs, strings.Split(entry, ",")...)
		}
	}
	return refs
}

// askedByPosition marks the columns that are selected by their positions.
func (b *builder) askedByPosition(first []cell) []bool {
	asked := make([]bool, b.width)
	for _, ref := range b.references(first) {
		if j, ok := position(ref, b.width); ok {
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
	case b.names == nil:
		return b.problem(Other, "no column %s; there is no header, so columns go by position: 1 to %d", quoteCell(ref), width)
	default:
		return b.problem(Other, "no column %s; the columns are %s, or positions 1 to %d", quoteCell(ref), quoteList(b.names[:width]), width)
	}
}

// ignored finds the columns to ignore.
func (b *builder) ignored() ([]bool, error) {
	out := make([]bool, b.layout.Width)
	for _, ref := range b.ignoredReferences(func(name string) bool { return b.named[name] != nil }) {
		j, err := b.column(ref)
		if err != nil {
			return nil, err
		}
		out[j] = true
	}
	return out, nil
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
		if b.layout.Label, err = b.column(b.opt.Label); err != nil {
			return err
		}
		if taken[b.layout.Label] {
			return b.columnError(b.argument(b.layout.Label), "is the label, so it cannot be ignored")
		}
		taken[b.layout.Label] = true
	}
	if b.opt.IDs != "" {
		if b.ids, err = b.column(b.opt.IDs); err != nil {
			return err
		}
		taken[b.ids] = true
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
	return numbered("column", at)
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
