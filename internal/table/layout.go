package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Layout says where the features and the label of a table stand, so that other
// files can be read in the same way.
//
// [Rules] say how their columns are matched.
type Layout struct {
	Width     int      // columns of the file, empty tails left out
	Features  []int    // positions of the features, from 0, ascending
	Names     []string // of the features; nil without a header
	Label     int      // position of the label, from 0; -1 if it is outside of the columns
	LabelName string   // "" without a header
	Sparse    bool     // libsvm
	ZeroBased bool     // libsvm indices count from 0

	Columns []Column // how the cells of the features become numbers; nil where they are numbers
	Missing string   // what is done about missing cells; "" stands for RefuseMissing
	Markers []string // of missing cells, beside those that are always such
	Unit    string   // of the target of a regression; "" without
	Weight  string   // the column of the weights of the rows, as in [Options]; "" without
}

// Levels returns the number of levels of each feature, 0 for one that is no category; nil where
// none is.
func (l *Layout) Levels() []int {
	levels := make([]int, len(l.Columns))
	categories := false
	for i, c := range l.Columns {
		if c.Kind == Category {
			levels[i], categories = len(c.Levels), true
		}
	}
	if !categories {
		return nil
	}
	return levels
}

const layoutHead = "kfda table 1"

// MarshalText writes the layout as lines of words; names are quoted as in Go, so
// that any bytes survive.
func (l *Layout) MarshalText() ([]byte, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nwidth %d\nlabel %d %q\nsparse %t %t\nfeatures", layoutHead, l.Width, l.Label, l.LabelName, l.Sparse, l.ZeroBased)
	for _, j := range l.Features {
		fmt.Fprintf(&b, " %d", j)
	}
	b.WriteString("\n")
	if l.Names != nil {
		writeQuoted(&b, "names", l.Names)
	}
	if l.Columns != nil {
		b.WriteString("columns ")
		for _, c := range l.Columns {
			b.WriteByte(kindLetters[c.Kind])
		}
		b.WriteString("\n")
		for _, c := range l.Columns {
			if c.Levels != nil {
				writeQuoted(&b, "levels", c.Levels)
			}
		}
	}
	if l.Missing != "" && l.Missing != RefuseMissing {
		writeQuoted(&b, "missing", []string{l.Missing})
	}
	if l.Markers != nil {
		writeQuoted(&b, "markers", l.Markers)
	}
	if l.Unit != "" {
		writeQuoted(&b, "unit", []string{l.Unit})
	}
	if l.Weight != "" {
		writeQuoted(&b, "weight", []string{l.Weight})
	}
	return []byte(b.String()), nil
}

// kindLetters are those of the kinds of columns.
const kindLetters = "ncbdm"

// writeQuoted writes a line of a word and texts.
func writeQuoted(b *strings.Builder, word string, texts []string) {
	b.WriteString(word)
	for _, t := range texts {
		fmt.Fprintf(b, " %q", t)
	}
	b.WriteString("\n")
}

// readQuoted reads the texts of a line that begins with the word.
func readQuoted(line, word string) (texts []string, err error) {
	rest, ok := strings.CutPrefix(line, word)
	for ok && rest != "" {
		var quoted string
		if rest, ok = strings.CutPrefix(rest, " "); !ok {
			break
		}
		if quoted, err = strconv.QuotedPrefix(rest); err != nil {
			return nil, fmt.Errorf("%s: %w", word, err)
		}
		text, _ := strconv.Unquote(quoted)
		texts = append(texts, text)
		rest = rest[len(quoted):]
	}
	if !ok {
		return nil, fmt.Errorf("%s: %q", word, line)
	}
	return texts, nil
}

// unmarshalRest reads the lines that need not be there, in their order.
func (l *Layout) unmarshalRest(lines []string) (err error) {
	next := func(word string) bool {
		return err == nil && len(lines) > 0 && (lines[0] == word || strings.HasPrefix(lines[0], word+" "))
	}
	take := func(word string) (texts []string) {
		texts, err = readQuoted(lines[0], word)
		lines = lines[1:]
		return texts
	}
	if next("names") {
		if l.Names = take("names"); err == nil && len(l.Names) != len(l.Features) {
			return fmt.Errorf("%d names of %d features", len(l.Names), len(l.Features))
		}
	}
	if next("columns") {
		letters := strings.TrimPrefix(lines[0], "columns ")
		if lines = lines[1:]; len(letters) != len(l.Features) {
			return fmt.Errorf("kinds of %d columns of %d features", len(letters), len(l.Features))
		}
		for i := range letters {
			kind := strings.IndexByte(kindLetters, letters[i])
			if kind < 0 {
				return fmt.Errorf("columns: %q", letters)
			}
			c := Column{Kind: ColumnKind(kind)}
			if want, has := map[ColumnKind]int{Category: 0, Boolean: 2, Measure: 1}[c.Kind]; has {
				if !next("levels") {
					return fmt.Errorf("column %d has no levels", i+1)
				}
				if c.Levels = take("levels"); err == nil && (len(c.Levels) == 0 || want > 0 && len(c.Levels) != want) {
					return fmt.Errorf("column %d has %d levels", i+1, len(c.Levels))
				}
			}
			l.Columns = append(l.Columns, c)
		}
	}
	if next("missing") {
		if rule := take("missing"); err == nil {
			if len(rule) != 1 || rule[0] != DropMissing && !slices.Contains(FillMissing, rule[0]) {
				return fmt.Errorf("missing: %q", rule)
			}
			l.Missing = rule[0]
		}
	}
	if next("markers") {
		l.Markers = take("markers")
	}
	for _, one := range []struct {
		word string
		into *string
	}{{"unit", &l.Unit}, {"weight", &l.Weight}} {
		if next(one.word) {
			if text := take(one.word); err == nil {
				if len(text) != 1 || text[0] == "" {
					return fmt.Errorf("%s: %q", one.word, text)
				}
				*one.into = text[0]
			}
		}
	}
	if err == nil && len(lines) > 0 {
		return fmt.Errorf("%q is not known", lines[0])
	}
	return err
}

// UnmarshalText reads what MarshalText wrote, and refuses what it cannot have
// written.
func (l *Layout) UnmarshalText(text []byte) error {
	var n Layout
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(lines) < 5 || lines[0] != layoutHead {
		return fmt.Errorf("table layout: want %q and 4 or more lines, found %d lines", layoutHead, len(lines))
	}
	var label string
	if _, err := fmt.Sscanf(lines[1], "width %d", &n.Width); err != nil {
		return fmt.Errorf("table layout: width: %w", err)
	}
	if _, err := fmt.Sscanf(lines[2], "label %d %s", &n.Label, &label); err != nil {
		return fmt.Errorf("table layout: label: %w", err)
	}
	_, label, _ = strings.Cut(strings.TrimPrefix(lines[2], "label "), " ")
	var err error
	if n.LabelName, err = strconv.Unquote(label); err != nil {
		return fmt.Errorf("table layout: name of the label: %w", err)
	}
	if _, err := fmt.Sscanf(lines[3], "sparse %t %t", &n.Sparse, &n.ZeroBased); err != nil {
		return fmt.Errorf("table layout: sparse: %w", err)
	}
	words := strings.Split(lines[4], " ")
	if words[0] != "features" {
		return fmt.Errorf("table layout: %q where the features were expected", words[0])
	}
	last := -1
	for _, w := range words[1:] {
		j, err := strconv.Atoi(w)
		if err != nil || j <= last || j >= n.Width {
			return fmt.Errorf("table layout: feature %q after %d of %d columns", w, last, n.Width)
		}
		n.Features = append(n.Features, j)
		last = j
	}
	if n.Label < -1 || n.Label >= n.Width {
		return fmt.Errorf("table layout: label %d of %d columns", n.Label, n.Width)
	}
	if err := n.unmarshalRest(lines[5:]); err != nil {
		return fmt.Errorf("table layout: %w", err)
	}
	*l = n
	return nil
}
