package table

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// checkClasses refuses label columns that cannot be classes.
func (b *builder) checkClasses(t *Table) error {
	count := map[string]int{}
	for _, l := range t.Labels {
		count[l]++
	}
	n, classes := len(t.Labels), len(count)
	e := &ClassesError{File: b.name, Column: t.Layout.Label + 1, Name: t.Layout.LabelName, Classes: classes, Rows: n}
	p := Position{File: b.name, Line: 1, Column: t.Layout.Label + 1}
	switch {
	case classes == 1 || classes == n:
		e.Only = t.Labels[0]
		if e.Advice = b.otherClasses(t.X); len(b.survey.lost) > 0 {
			e.Advice = b.remedy(nil)
		}
		return e
	case b.guess == NoHeader && t.Rows[0] == 0 && count[t.Labels[0]] == 1:
		p.Line = t.Lines[0]
		return &HeaderError{Position: p, Reason: "label " + quoteCell(t.Labels[0]) + " stands only here"}
	case b.guess == WithHeader && count[t.Layout.LabelName] > 0:
		return b.headerError(p, quoteCell(t.Layout.LabelName)+" stands below again, as a label", nil)
	case b.isMeasurement(count, n):
		b.notice("%s looks like a measurement: it has %d different numbers in %d rows, and each is taken for a class of its own", labelText(e.Column, e.Name), classes, n)
	case classes > n/2 && n >= 10:
		b.notice("%s has %d classes in %d rows; is it the label?", labelText(e.Column, e.Name), classes, n)
	}
	return nil
}

// isMeasurement reports whether labels are many numbers that hardly repeat, or fractions.
func (b *builder) isMeasurement(count map[string]int, rows int) bool {
	const many, few = 10, 5 // classes, rows of a class
	fraction := false
	for l := range count {
		if !isNumber(l, b.numbers) {
			return false
		}
		v, _ := parseNumber(l, b.numbers)
		fraction = fraction || v != math.Trunc(v)
	}
	return len(count) > many && (fraction || rows < few*len(count))
}

// otherClasses proposes another label: the feature with the fewest different
// values, if these are few.
func (b *builder) otherClasses(x *matrix.Dense) string {
	label, fewest := -1, min(maxKinds, x.Rows/2+1)
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
	if b.labelIsText() {
		a.ignore = []int{b.layout.Label}
	}
	if label < 0 || len(b.layout.Features) == len(a.ignore) {
		return ""
	}
	return b.advice(" If another column is the label, say which: ", a)
}
