package table

import (
	"fmt"
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
		b.WriteString("names")
		for _, n := range l.Names {
			fmt.Fprintf(&b, " %q", n)
		}
		b.WriteString("\n")
	}
	return []byte(b.String()), nil
}

// UnmarshalText reads what MarshalText wrote, and refuses what it cannot have
// written.
func (l *Layout) UnmarshalText(text []byte) error {
	var n Layout
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(lines) < 5 || len(lines) > 6 || lines[0] != layoutHead {
		return fmt.Errorf("table layout: want %q and 4 or 5 more lines, found %d lines", layoutHead, len(lines))
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
	if len(lines) == 6 {
		rest, ok := strings.CutPrefix(lines[5], "names")
		for ok && rest != "" {
			var quoted string
			if rest, ok = strings.CutPrefix(rest, " "); !ok {
				break
			}
			if quoted, err = strconv.QuotedPrefix(rest); err != nil {
				return fmt.Errorf("table layout: names: %w", err)
			}
			name, _ := strconv.Unquote(quoted)
			n.Names = append(n.Names, name)
			rest = rest[len(quoted):]
		}
		if !ok {
			return fmt.Errorf("table layout: names: %q", lines[5])
		}
		if len(n.Names) != len(n.Features) {
			return fmt.Errorf("table layout: %d names of %d features", len(n.Names), len(n.Features))
		}
	}
	*l = n
	return nil
}
