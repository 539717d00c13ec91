package table

import (
	"fmt"
	"math"
	"strings"
)

// targets are the numbers to predict.
type targets struct {
	values []float64 // of the rows that are held
	unit   string
	begun  bool
	first  float64 // of the file
	varied bool    // whether others are different
	comma  bool    // whether a comma is in one
	wrong  error   // with the first that is none
}

// readTargets makes numbers of the labels of the rows that are not counted yet.
func (b *builder) readTargets() {
	g := &b.goals
	if b.opt.Layout != nil {
		g.unit = b.opt.Layout.Unit
	}
	for row := b.counted; row < len(b.rows) && g.wrong == nil; row++ {
		text := b.labels[row]
		v, reason := b.inOneUnit(&g.unit, !g.begun && b.opt.Layout == nil, text)
		const most = 1e150 // whose squares are finite
		if reason == "" && math.Abs(v) > most {
			reason = fmt.Sprintf("is beyond ±%g: give the column in other units", most)
		}
		if reason != "" {
			p := b.at(b.place(row), b.layout.Label)
			g.wrong = p.notNumber(text, reason+"; the target of a regression is a number in each row")
			return
		}
		if !g.begun {
			g.begun, g.first = true, v
		}
		g.varied, g.comma = g.varied || v != g.first, g.comma || strings.Contains(text, ",")
		g.values = append(g.values, v)
	}
}

// checkTargets refuses a target that says nothing.
func (b *builder) checkTargets(t *Table) error {
	if b.goals.varied {
		return nil
	}
	return b.problem(Other, "target %s: all rows have the value %v, so that there is nothing to predict", ColumnText(t.Layout.Label+1, t.Layout.LabelName), b.goals.first)
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
	advice := "; to predict the number and no class say --target " + column
	if b.opt.Label != "" {
		advice += ", without --label"
	}
	return advice
}
