package table

import (
	"math"

	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/matrix"
)

// checkClasses refuses label columns that cannot be classes.
func (b *builder) checkClasses(t *Table) error {
	count := b.count
	n, classes := b.kept, len(count)
	label := labelText(t.Layout.Label+1, t.Layout.LabelName)
	p := Position{File: b.name, Sheet: b.sheet, Line: 1, Column: t.Layout.Label + 1}
	switch {
	case classes == 1 || classes == n:
		advice := b.otherClasses(t.X)
		if t.Dropped != nil {
			advice = b.adviceToFill() + b.merged.text()
		}
		if classes == 1 {
			return b.problem(Other, "%s: need at least two classes, found 1: %s%s", label, show.Text(t.Labels[0]), advice)
		}
		if advice == "" && p.Column > 0 {
			advice = " Name the label column with --label"
		}
		if b.isMeasurement(count, n) {
			advice += b.adviceToRegress()
		}
		return b.problem(Other, "%s: as many classes as rows (%d); is it an identifier or a measurement?%s", label, n, advice)
	case b.guess == NoHeader && t.Rows[0] == 0 && count[t.Labels[0]] == 1:
		p.Line = t.Lines[0]
		return b.headerError(p, "label "+quoteCell(t.Labels[0])+" stands only here", nil)
	case b.guess == WithHeader && count[t.Layout.LabelName] > 0:
		return b.headerError(p, quoteCell(t.Layout.LabelName)+" stands below again, as a label", nil)
	case b.isMeasurement(count, n):
		b.notice("%s looks like a measurement: it has %d different numbers in %d rows, and each is taken for a class of its own%s", label, classes, n, b.adviceToRegress())
	case classes > n/2 && n >= 10:
		b.notice("%s has %d classes in %d rows; is it the label?", label, classes, n)
	}
	return nil
}

// labelIsText reports whether the labels are no numbers.
func (b *builder) labelIsText() bool {
	for text := range b.classes {
		if !isNumber(text, b.numbers) {
			return true
		}
	}
	return false
}

// isMeasurement reports whether labels are hundreds of numbers, or many that hardly repeat or have
// fractions.
func (b *builder) isMeasurement(count map[string]int, rows int) bool {
	const many, few, hundreds = 10, 5, 100 // classes, rows of a class, classes
	fraction := false
	for l := range count {
		if !isNumber(l, b.numbers) {
			return false
		}
		v, _ := parseNumber(l, b.numbers)
		fraction = fraction || v != math.Trunc(v)
	}
	return len(count) > hundreds || len(count) > many && (fraction || rows < few*len(count))
}

// otherClasses proposes another label: the feature with the fewest different
// values, if these are few.
func (b *builder) otherClasses(x *matrix.Dense) string {
	const most = 50 // classes of a label that is proposed
	label, fewest := -1, min(most, x.Rows/2+1)
	for f, j := range b.layout.Features {
		kinds := map[float64]bool{}
		for i := 0; i < x.Rows && len(kinds) < fewest; i++ {
			kinds[x.At(i, f)] = true
		}
		if k := len(kinds); 1 < k && k < fewest {
			label, fewest = j, k
		}
	}
	a := advised{label: label + 1}
	if len(b.count) > b.kept/2 && b.labelIsText() {
		a.ignore = []int{b.layout.Label}
	}
	if label < 0 || len(b.layout.Features) == len(a.ignore) {
		return ""
	}
	return b.advice(" If another column is the label, say which: ", a)
}
