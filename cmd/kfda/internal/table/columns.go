package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed92411348/kfda/internal/plural"
)

// isHeader decides whether the first record holds names, by the rule of the
// package comment.
func (b *builder) isHeader(first []cell) bool {
	switch b.opt.Header {
	case WithHeader:
		return true
	case NoHeader:
		return false
	}
	for _, ref := range b.references() {
		if _, ok := position(ref, b.width); !ok {
			return true
		}
	}
	if l := b.opt.Layout; l != nil && l.Names != nil {
		found := map[string]bool{}
		for _, c := range first {
			found[c.text] = true
		}
		if !slices.ContainsFunc(l.Names, func(name string) bool { return !found[name] }) {
			return true
		}
	}
	for j, c := range first {
		if b.maybeFeature(j, first) && !isMissing(c.text) {
			if _, reason := parseNumber(c.text, b.numbers); isPlainRefusal(reason) {
				b.notice("line 1 read as header (%s is not a number); --no-header reads it as data", quoteCell(c.text))
				return true
			}
		}
	}
	b.notice("line 1 read as data (its feature cells are numbers); --header reads it as names")
	b.headed = true
	return false
}

// references are the columns asked for.
func (b *builder) references() []string {
	var refs []string
	for _, r := range []string{b.opt.Label, b.opt.IDs} {
		if r != "" {
			refs = append(refs, r)
		}
	}
	for _, list := range b.opt.Ignore {
		refs = append(refs, strings.Split(list, ",")...)
	}
	return refs
}

// maybeFeature reports whether column j can be a feature, as far as the first
// record and the positions asked for tell.
func (b *builder) maybeFeature(j int, first []cell) bool {
	if l := b.opt.Layout; l != nil && l.Width == len(first) {
		return slices.Contains(l.Features, j)
	}
	if b.isAsked(j) {
		return false
	}
	if b.opt.Label == "" && b.labelled() {
		last := len(first) - 1
		for last > 0 && first[last] == (cell{}) {
			last--
		}
		return j != last
	}
	return true
}

// isAsked reports whether column j is asked for by its position.
func (b *builder) isAsked(j int) bool {
	for _, ref := range b.references() {
		if k, ok := position(ref, b.width); ok && k == j {
			return true
		}
	}
	return false
}

// position reads a position from 1 to width, and returns it from 0.
func position(ref string, width int) (int, bool) {
	k, err := strconv.Atoi(strings.Trim(ref, " \t"))
	return k - 1, err == nil && 1 <= k && k <= width
}

// column finds a column by its name or else by its position.
func (b *builder) column(ref string) (int, error) {
	found := -1
	for j, name := range b.names {
		if name == ref {
			if found >= 0 {
				return 0, b.columnError(ref, fmt.Sprintf("columns %d and %d have this name; use a position", found+1, j+1))
			}
			found = j
		}
	}
	if found >= 0 {
		return found, nil
	}
	if j, ok := position(ref, b.layout.Width); ok {
		return j, nil
	}
	return 0, b.columnError(ref, "")
}

func (b *builder) columnError(ref, reason string) error {
	e := &ColumnError{File: b.name, Column: ref, Reason: reason, Width: b.layout.Width}
	if b.names != nil {
		e.Names = b.names[:b.layout.Width]
	}
	return e
}

// ignored finds the columns to ignore. An entry is a column or, if there is none
// of that name, a list with commas.
func (b *builder) ignored() ([]bool, error) {
	out := make([]bool, b.layout.Width)
	for _, entry := range b.opt.Ignore {
		list := []string{entry}
		if !slices.Contains(b.names, entry) {
			list = strings.Split(entry, ",")
		}
		for _, ref := range list {
			j, err := b.column(ref)
			if err != nil {
				return nil, err
			}
			out[j] = true
		}
	}
	return out, nil
}

// chooseColumns decides what each column is. first is the first data row.
func (b *builder) chooseColumns(first []cell) error {
	b.layout.Width = b.width
	for j := b.width - 1; j > 0 && first[j] == (cell{}) && (b.names == nil || b.names[j] == "") && !b.isAsked(j); j-- {
		b.layout.Width = j
	}
	if n := b.width - b.layout.Width; n > 0 {
		b.notice("%s at the end without name and content dropped", plural.Count(n, "column"))
	}
	out, err := b.ignored()
	if err != nil {
		return err
	}
	if b.opt.IDs != "" {
		if b.ids, err = b.column(b.opt.IDs); err != nil {
			return err
		}
	}
	b.layout.Label = -1
	if b.opt.Label != "" {
		if b.layout.Label, err = b.column(b.opt.Label); err != nil {
			return err
		}
		if out[b.layout.Label] {
			return b.columnError(ColumnArgument(b.layout.Label+1, b.columnName(b.layout.Label)), "is the label, so it cannot be ignored")
		}
	}
	if b.opt.Layout != nil {
		err = b.follow(b.opt.Layout, out)
	} else {
		b.takeRest(out)
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

// takeRest makes features of all columns that are nothing else.
func (b *builder) takeRest(out []bool) {
	if b.layout.Label < 0 {
		// The default is the last column that is left.
		j := b.layout.Width - 1
		for j > 0 && (out[j] || j == b.ids) {
			j--
		}
		b.layout.Label = j
	}
	for j := range b.layout.Width {
		if !out[j] && j != b.ids && j != b.layout.Label {
			b.layout.Features = append(b.layout.Features, j)
		}
	}
}

// follow finds the features of a model in the file: by name if the model and
// the file have unique names, else by position.
func (b *builder) follow(model *Layout, out []bool) error {
	if model.Names != nil && b.names != nil && unique(model.Names) {
		if done, err := b.followNames(model); done || err != nil {
			return err
		}
	}
	return b.followPositions(model, out)
}

func unique(names []string) bool {
	seen := map[string]bool{}
	for _, n := range names {
		if n == "" || seen[n] {
			return false
		}
		seen[n] = true
	}
	return true
}

// followNames finds the features by name. It does nothing and returns false if
// the file has one of them twice.
func (b *builder) followNames(model *Layout) (done bool, err error) {
	at := map[string]int{}
	for j := range b.layout.Width {
		if _, twice := at[b.names[j]]; twice && slices.Contains(model.Names, b.names[j]) {
			return false, nil
		}
		at[b.names[j]] = j
	}
	var lacking []string
	used := make([]bool, b.layout.Width)
	for _, name := range model.Names {
		j, ok := at[name]
		if !ok {
			lacking = append(lacking, name)
			continue
		}
		used[j] = true
		b.layout.Features = append(b.layout.Features, j)
	}
	if lacking != nil {
		return false, &LayoutError{File: b.name, Lacking: lacking,
			Reason: fmt.Sprintf("the model needs %s that the file lacks: %s; the file has %s",
				plural.Count(len(lacking), "column"), quoteList(lacking), quoteList(b.names[:b.layout.Width]))}
	}
	if b.layout.Label < 0 {
		if j, ok := at[model.LabelName]; ok && model.LabelName != "" && !used[j] {
			b.layout.Label = j
		} else if b.labelled() {
			reason := "the model does not know the name of its label column"
			if model.LabelName != "" {
				reason = "there is no label column " + quoteCell(model.LabelName) + " as in training"
			}
			return false, &LayoutError{File: b.name, Reason: reason + "; name it with --label"}
		}
	}
	var extra []string
	for j := range b.layout.Width {
		if !used[j] && j != b.layout.Label && j != b.ids {
			extra = append(extra, ColumnArgument(j+1, b.names[j]))
		}
	}
	asInTraining := b.layout.Width == model.Width && slices.Equal(b.layout.Features, model.Features)
	if extra != nil && !asInTraining {
		b.notice("not used by the model: %s", quoteList(extra))
	}
	return true, nil
}

// followPositions finds the features by position: those of training if the file
// is as wide as the training file, else all columns that are nothing else.
func (b *builder) followPositions(model *Layout, out []bool) error {
	if !model.Sparse && b.layout.Width == model.Width {
		b.layout.Features = slices.Clone(model.Features)
		if b.layout.Label < 0 && !slices.Contains(model.Features, model.Label) {
			b.layout.Label = model.Label
		}
		return nil
	}
	var rest []int
	for j := range b.layout.Width {
		if !out[j] && j != b.ids && j != b.layout.Label {
			rest = append(rest, j)
		}
	}
	d := len(model.Features)
	if b.labelled() && b.layout.Label < 0 && len(rest) == d+1 {
		b.layout.Label, rest = rest[d], rest[:d]
	}
	if len(rest) != d || b.labelled() && b.layout.Label < 0 {
		return &LayoutError{File: b.name, Got: len(rest), Want: d, Reason: fmt.Sprintf(
			"the file has %s besides label, id and ignored columns, the model needs %d; say what the others are with --label, --ids or --ignore",
			plural.Count(len(rest), "column"), d)}
	}
	b.layout.Features = rest
	return nil
}

func quoteList(names []string) string {
	const most = 20
	var parts []string
	for _, n := range names[:min(len(names), most)] {
		parts = append(parts, quoteCell(n))
	}
	s := strings.Join(parts, ", ")
	if len(names) > most {
		s += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return s
}
