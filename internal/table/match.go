package table

import (
	"fmt"
	"slices"

	"github.com/seed92411348/kfda/internal/plural"
)

// follow finds the features of a model among the columns that are not taken: by name if
// both have names, else by position, which a notice says where one of them has names.
func (b *builder) follow(model *Layout, taken []bool) error {
	if model.Names != nil && b.names != nil {
		return b.followNames(model, taken)
	}
	if err := b.followPositions(model, taken); err != nil {
		return err
	}
	are := "are"
	if len(b.layout.Features) == 1 {
		are = "is"
	}
	switch at := columnSpan(b.layout.Features); {
	case model.Names != nil:
		b.notice("the file has no names of columns, so that %s %s taken by position for the features of the model", at, are)
	case b.names != nil:
		b.notice("the model has no names of columns, so that %s %s taken by position for its features", at, are)
	}
	if j := model.Label; b.layout.Width == model.Width && j >= 0 && j != b.layout.Label && !taken[j] && !slices.Contains(b.layout.Features, j) {
		b.notice("not used by the model: column %d, where the label stood in training", j+1)
	}
	return nil
}

// followNames finds the features by name. Where several have one name, or none, they are
// taken in the order of the columns, and a notice says so.
func (b *builder) followNames(model *Layout, taken []bool) error {
	free := b.freeNames(taken)
	wanted := map[string]int{}
	for _, name := range model.Names {
		wanted[name]++
	}
	used := slices.Clone(taken)
	next := map[string]int{}
	var lacking []string
	var ordered []int
	for _, name := range model.Names {
		have, k := free[name], next[name]
		switch {
		case len(have) > wanted[name]:
			return b.ambiguous(name, wanted[name], have)
		case k >= len(have):
			lacking = append(lacking, name)
			continue
		}
		j := have[k]
		next[name]++
		if name == "" || wanted[name] > 1 {
			ordered = append(ordered, j)
		}
		used[j] = true
		b.layout.Features = append(b.layout.Features, j)
	}
	if lacking != nil {
		return b.lacking(lacking, taken)
	}
	if ordered != nil {
		b.notice("without names of their own, and so taken in the order of the columns: %s", columnSpan(ordered))
	}
	if b.layout.Label < 0 {
		if err := b.followLabel(model, used); err != nil {
			return err
		}
	}
	b.noticeUnused(model, used)
	return nil
}

// freeNames are the columns of each name that are not taken.
func (b *builder) freeNames(taken []bool) map[string][]int {
	free := map[string][]int{}
	for j, t := range taken {
		if !t {
			free[b.names[j]] = append(free[b.names[j]], j)
		}
	}
	return free
}

func (b *builder) ambiguous(name string, wanted int, free []int) error {
	what := "of the name " + quoteCell(name)
	if name == "" {
		what = "without a name"
	}
	return b.problem(Columns, "the model has %s %s, the file %d (%s)%s",
		plural.Count(wanted, "column"), what, len(free), columnSpan(free),
		b.advice("; leave the others out, as with ", advised{ignore: free[wanted:]}))
}

func (b *builder) lacking(names []string, taken []bool) error {
	var quoted []string
	for _, name := range names {
		if name == "" {
			quoted = append(quoted, "one without a name")
		} else {
			quoted = append(quoted, quoteCell(name))
		}
	}
	e := b.problem(Columns, "the model needs %s that the file lacks: %s; the file has %s",
		plural.Count(len(names), "column"), shortList(quoted), quoteList(b.names[:b.layout.Width]))
	for _, name := range names {
		for _, j := range b.named[name] {
			if j < len(taken) && taken[j] {
				e = b.problem(Columns, "%s is a feature of the model, so it cannot be left out, or be the label or the id", ColumnText(j+1, name))
			}
		}
	}
	return e
}

// followLabel finds the label by its name among the columns that are not used.
func (b *builder) followLabel(model *Layout, used []bool) error {
	reason := b.worded("the model does not know the name of its label column")
	var free []int
	if model.LabelName != "" {
		reason = "there is no label column " + quoteCell(model.LabelName) + " as in training"
		free = slices.DeleteFunc(slices.Clone(b.named[model.LabelName]), func(j int) bool { return j >= len(used) || used[j] })
	}
	switch {
	case len(free) == 1:
		b.layout.Label = free[0]
		used[free[0]] = true
		return nil
	case !b.labelColumn():
		return nil
	case len(free) == 0 && model.LabelName != "" && b.isTaken(model.LabelName):
		return b.problem(Columns, "the column %s is the label, so it cannot be left out or be the id", quoteCell(model.LabelName))
	case len(free) > 1:
		reason = fmt.Sprintf("%s have the name of the label, %s", columnSpan(free), quoteCell(model.LabelName))
	default:
		free = untaken(used)
	}
	return b.problem(Columns, "%s%s", reason, b.labelAdvice(free))
}

// isTaken reports whether a column of that name is no feature.
func (b *builder) isTaken(name string) bool {
	return slices.ContainsFunc(b.named[name], func(j int) bool { return !slices.Contains(b.layout.Features, j) })
}

// labelAdvice says how to name the label, which may be one of the columns.
func (b *builder) labelAdvice(columns []int) string {
	flag := "--label"
	if b.opt.Target {
		flag = "--target"
	}
	if len(columns) == 0 {
		return ", and no column besides the features; a column for it is named with " + flag
	}
	return "; name it, as with " + flag + " " + b.argument(columns[len(columns)-1])
}

// noticeUnused names the columns that are not used. Of a file that is laid out as in
// training only that in the place of the label is news.
func (b *builder) noticeUnused(model *Layout, used []bool) {
	asInTraining := b.layout.Width == model.Width && slices.Equal(b.layout.Features, model.Features)
	var unused []string
	for j, u := range used {
		if !u && (!asInTraining || j == model.Label) {
			unused = append(unused, b.argument(j))
		}
	}
	if unused != nil {
		b.notice("not used by the model: %s", quoteList(unused))
	}
}

// followPositions finds the features by position: those of training if the file
// is as wide as the training file and none of them is taken, else all columns that are
// nothing else.
func (b *builder) followPositions(model *Layout, taken []bool) error {
	asInTraining := !model.Sparse && b.layout.Width == model.Width &&
		!slices.ContainsFunc(model.Features, func(j int) bool { return taken[j] })
	if asInTraining {
		b.layout.Features = slices.Clone(model.Features)
		if j := model.Label; b.lacksLabel() && j >= 0 && !taken[j] && !slices.Contains(model.Features, j) {
			b.layout.Label = j
		}
		if b.lacksLabel() {
			used := slices.Clone(taken)
			for _, j := range model.Features {
				used[j] = true
			}
			return b.problem(Columns, "the model does not know where the label is%s", b.labelAdvice(untaken(used)))
		}
		return nil
	}
	rest := untaken(taken)
	d := len(model.Features)
	if b.lacksLabel() && len(rest) == d+1 {
		b.layout.Label, rest = rest[d], rest[:d]
	}
	if len(rest) == d && !b.lacksLabel() {
		b.layout.Features = rest
		return nil
	}
	e := b.problem(Columns, "the file has %s besides label, id and ignored columns, the model needs %d", plural.Count(len(rest), "column"), d)
	e.Got, e.Want = len(rest), d
	switch {
	case len(rest) == d:
		e.Advice = ", and no label" + b.labelAdvice(nil)
	case len(rest) > d && b.lacksLabel():
		e.Advice = b.advice("; if these come first and then the label, say ", advised{label: rest[d] + 1, ignore: rest[d+1:]})
	case len(rest) > d:
		e.Advice = b.advice("; if these come first, say ", advised{ignore: rest[d:]})
	}
	return e
}
