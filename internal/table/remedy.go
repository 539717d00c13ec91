package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed92411348/kfda/internal/plural"
)

// remedy says with which flags the table could be read whose feature columns bad hold
// other things than numbers, and what would be left of it. It is "" if there are none.
func (b *builder) remedy(bad []int) string {
	if b.opt.Layout != nil {
		if bad == nil && len(b.rows) > 0 {
			return fmt.Sprintf("; --missing drop leaves these rows out and keeps %d of %d", len(b.rows), b.selected())
		}
		return ""
	}
	a := advised{drop: b.opt.DropMissing}
	var text []int
	few := true // of the cells of these columns are no numbers
	for i, j := range b.layout.Features {
		switch r := b.survey.refused[i]; {
		case r == nil:
		case strings.Contains(r.reason, "decimal mark"):
			a.comma = true
		default:
			text = append(text, j)
			few = few && r.cells*10 <= b.survey.numbers[i]
		}
	}
	holes, left, ok := b.fewestHoles(text)
	if !ok {
		return b.noRemedy(text)
	}
	a.ignore = slices.Concat(text, holes)
	slices.Sort(a.ignore)
	a.drop = !b.opt.DropMissing && left.rows < b.selected()
	lead := "\n  say "
	if len(text) > 0 && few {
		lead = "\n  correct such cells, or say "
	}
	s := b.advice(lead, a)
	if s == "" {
		s = fmt.Sprintf("\n  leave the %s out with --ignore, or write them as numbers", plural.Count(len(a.ignore), "column"))
	}
	s += fmt.Sprintf(" (leaves %d of %s, %s and %s)", left.rows, plural.Count(b.selected(), "row"),
		plural.Count(left.features, "feature"), plural.Count(left.classes, "class"))
	other := b.otherLabel(text, a.comma)
	if left.classes > left.rows/2 {
		return other + s
	}
	return s + other
}

// noRemedy says why leaving out columns and rows does not help.
func (b *builder) noRemedy(text []int) string {
	if len(text) > 0 && len(text) == len(b.layout.Features) {
		return "\n  features must be numbers, and no other column is left: write text as numbers" + b.otherLabel(text, false)
	}
	if left := b.left(set(text)); len(b.survey.lost) > 0 {
		return fmt.Sprintf("\n  without the rows with missing cells %s of %s would be left: fill the cells in",
			plural.Count(left.rows, "row"), plural.Count(left.classes, "class"))
	}
	return ""
}

// otherLabel says how to read the table if the label, where none is named, is one of the
// text columns.
func (b *builder) otherLabel(text []int, comma bool) string {
	if b.opt.Label != "" {
		return ""
	}
	label := -1
	for i, j := range b.layout.Features {
		r := b.survey.refused[i]
		if r != nil && b.survey.numbers[i] == 0 && len(r.kinds) > 1 && len(r.kinds) < maxKinds && len(r.kinds) < r.cells && slices.Contains(text, j) {
			label = j
			break
		}
	}
	if label < 0 {
		return ""
	}
	a := advised{label: label + 1, comma: comma}
	for _, j := range text {
		if j != label {
			a.ignore = append(a.ignore, j)
		}
	}
	if b.labelIsText() {
		a.ignore = append(a.ignore, b.layout.Label)
	}
	if len(a.ignore) >= len(b.layout.Features) {
		return ""
	}
	out := set(a.ignore)
	a.drop = !b.opt.DropMissing && slices.ContainsFunc(b.survey.lost, func(row lostRow) bool { return !covered(row, out) })
	return b.advice("\n  if the label is "+b.columnText(label)+", and not "+b.columnText(b.layout.Label)+", say ", a)
}

// labelIsText reports whether the label column could not be a feature.
func (b *builder) labelIsText() bool {
	for text := range b.texts {
		if _, reason := parseNumber(text, b.numbers); reason != "" {
			return true
		}
	}
	return false
}

// outcome is what is left of a table.
type outcome struct{ rows, classes, features int }

// left is what is left without features and then without the rows with missing cells.
func (b *builder) left(out map[int]bool) outcome {
	o := outcome{rows: len(b.rows), features: len(b.layout.Features) - len(out)}
	classes := map[string]bool{}
	for _, l := range b.labels {
		classes[l] = true
	}
	for _, row := range b.survey.lost {
		if covered(row, out) {
			o.rows++
			classes[row.label] = true
		}
	}
	o.classes = len(classes)
	return o
}

func covered(row lostRow, out map[int]bool) bool {
	return !slices.ContainsFunc(row.holes, func(h int32) bool { return !out[int(h)] })
}

// fewestHoles chooses columns to leave out besides text: none, if the rows without missing
// cells are then half of all or more and of every class, else those with the most missing
// cells, as many as make the largest table.
func (b *builder) fewestHoles(text []int) (holes []int, best outcome, ok bool) {
	out := set(text)
	best = b.left(out)
	usable := func(o outcome) bool { return o.features > 0 && o.classes > 1 && o.classes < o.rows }
	if best.features == 0 {
		return nil, best, false
	}
	all := b.left(set(b.layout.Features)).classes // of the rows with a label
	if usable(best) && best.classes == all && 2*best.rows >= b.selected() {
		return nil, best, true
	}
	columns := b.lost(out).Columns
	slices.SortStableFunc(columns, func(a, b ColumnCount) int { return cmp.Compare(b.Count, a.Count) })
	columns = slices.DeleteFunc(columns, func(c ColumnCount) bool { return c.Column == b.layout.Label+1 })
	ok = usable(best)
	const most = 64 // candidates, so that a wide table takes no more time
	step := max(1, len(columns)/most)
	for k, c := range columns {
		out[c.Column-1] = true
		if (k+1)%step != 0 {
			continue
		}
		if o := b.left(out); usable(o) && (!ok || o.rows*o.features > best.rows*best.features) {
			best, ok = o, true
			holes = holes[:0]
			for _, c := range columns[:k+1] {
				holes = append(holes, c.Column-1)
			}
		}
	}
	return holes, best, ok
}
