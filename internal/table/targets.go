package table

import (
	"fmt"
	"math"
)

// readTargets makes numbers of the labels.
func (b *builder) readTargets(t *Table) error {
	t.Targets = make([]float64, len(t.Labels))
	unit := b.layout.Unit
	if b.opt.Layout != nil {
		unit = b.opt.Layout.Unit
	}
	for i, text := range t.Labels {
		v, reason := b.inOneUnit(&unit, i == 0 && b.opt.Layout == nil, text)
		const most = 1e150 // whose squares are finite
		if reason == "" && math.Abs(v) > most {
			reason = fmt.Sprintf("is beyond ±%g: give the column in other units", most)
		}
		if reason != "" {
			p := t.Position(i, -1)
			p.Column, p.Name = t.Layout.Label+1, t.Layout.LabelName
			return p.notNumber(text, reason+"; the target of a regression is a number in each row")
		}
		t.Targets[i] = v
	}
	if t.Layout.Unit = unit; unit != "" && b.opt.Layout == nil {
		b.notice("read as numbers: %s in %s", ColumnText(t.Layout.Label+1, t.Layout.LabelName), quoteCell(unit))
	}
	return nil
}

// checkTargets refuses a target that says nothing.
func (b *builder) checkTargets(t *Table) error {
	for _, v := range t.Targets {
		if v != t.Targets[0] {
			return nil
		}
	}
	return b.problem(Other, "target %s: all rows have the value %v, so that there is nothing to predict", ColumnText(t.Layout.Label+1, t.Layout.LabelName), t.Targets[0])
}

// adviceToRegress proposes to predict a label that is a measurement.
func (b *builder) adviceToRegress() string {
	if b.opt.Labels != nil {
		return "; to predict the number make it a column of the table, which --target names"
	}
	column := "y"
	if b.layout.Label >= 0 {
		column = ColumnArgument(b.layout.Label+1, b.layout.LabelName)
	}
	advice := "; to predict the number and no class say --model ridge --target " + column
	if b.opt.Label != "" {
		advice += ", without --label"
	}
	return advice
}
