package table

import "strings"

// decimals are the numbers of a column that is read with decimal commas.
type decimals struct {
	grouped string // the first in which three digits follow the comma
	other   bool   // whether others hold one
}

func (d *decimals) add(text string) {
	switch {
	case !strings.Contains(text, ","):
	case !threeDigits(strings.Trim(text, " \t")):
		d.other = true
	case d.grouped == "":
		d.grouped = strings.Clone(text)
	}
}

// checkCommas refuses a training table that commas separate and in which none is a decimal mark,
// and says which numbers may be grouped in thousands.
func (b *builder) checkCommas() error {
	if b.opt.Layout != nil || b.numbers.mark != ',' {
		return nil
	}
	found := b.goals.comma
	for i, d := range b.commas {
		found = found || d.other || d.grouped != ""
		if d.grouped != "" && !d.other {
			b.notice("%s: %s is read as %s; if its comma separates thousands, write it without", b.columnText(b.layout.Features[i]), quoteCell(d.grouped), strings.Replace(d.grouped, ",", ".", 1))
		}
	}
	if b.numbers.separator == ',' && !found {
		return b.problem(Other, "--decimal-comma --separator comma: no number holds a comma, which has to stand in quotes then; if the commas are decimal marks, they separate no cells: name another --separator, and else leave --decimal-comma out")
	}
	return nil
}
