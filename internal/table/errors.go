package table

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
)

// Position names a place in a file. All counts are from 1, as editors count;
// 0 means that the part does not apply.
type Position struct {
	File   string
	Sheet  string // of a workbook, "" in other files
	Line   int    // the line on which the record starts
	Row    int    // data row: records after the header
	Column int    // column of the file
	Name   string // name of the column, "" without a header
}

func (p Position) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	switch {
	case p.Sheet != "" && p.Line > 0 && p.Column > 0:
		fmt.Fprintf(&b, ": cell %s!%s", show.Text(p.Sheet), CellName(p.Column, p.Line))
	case p.Sheet != "" && p.Line > 0:
		fmt.Fprintf(&b, ": %s, line %d", show.Text(p.Sheet), p.Line)
	case p.Line > 0:
		fmt.Fprintf(&b, ":%d", p.Line)
	}
	sep := ": "
	if p.Row > 0 {
		fmt.Fprintf(&b, "%srow %d", sep, p.Row)
		sep = ", "
	}
	if p.Column > 0 {
		b.WriteString(sep + ColumnText(p.Column, p.Name))
	}
	return b.String()
}

// ColumnText names a column in a message by its position from 1 and its name, if
// it has one.
func ColumnText(column int, name string) string {
	if name == "" {
		return fmt.Sprintf("column %d", column)
	}
	return fmt.Sprintf("column %d (%s)", column, show.Text(name))
}

// labelText names the label in a message; column 0 is one outside of the columns.
func labelText(column int, name string) string {
	if column == 0 {
		return "label"
	}
	return "label " + ColumnText(column, name)
}

// ColumnArgument is how a shell command may refer to a column: by its name, or
// by its position where the name would need care.
func ColumnArgument(column int, name string) string {
	plain := func(extra string) bool {
		return name != "" && strings.Trim(name, " ") == name && !strings.ContainsFunc(name, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(extra, r)
		})
	}
	switch {
	case plain("_-."):
		return name
	case plain("_-. ()/%+"):
		return "'" + name + "'"
	}
	return strconv.Itoa(column)
}

// Kind tells the errors apart that are treated in different ways.
type Kind int

const (
	Other   Kind = iota
	Syntax       // the file breaks the rules of its format
	Ragged       // a record has another number of cells than the first
	Number       // feature cells do not hold numbers; the position is that of the first
	Columns      // the columns do not fit those of a model
	Memory       // the table takes more memory than it may
)

// Error says what is wrong with a table.
type Error struct {
	Position
	Kind      Kind
	What      string
	Advice    string  // what to do, "" if there is no remedy
	Flags     string  // with which a training table can be read, after the Advice; "" if there are none
	Cell      string  // Number: the text of the cell
	Got, Want int     // Ragged: cells; Columns matched by position: features; Memory: Want bytes at most
	Missing   Missing // cells
	Err       error   // why the bytes of a file could not be had, or nil
}

func (e *Error) Error() string { return e.Position.String() + ": " + e.What + e.Advice + e.Flags }

func (e *Error) Unwrap() error { return e.Err }

func (p Position) problem(kind Kind, format string, args ...any) *Error {
	return &Error{Position: p, Kind: kind, What: fmt.Sprintf(format, args...)}
}

func (p Position) syntax(format string, args ...any) *Error {
	return p.problem(Syntax, format, args...)
}

func (p Position) tooLarge(limit int, what string) *Error {
	return p.problem(Other, "more than %d %s", limit, what)
}

func (p Position) ragged(got, want int, hint string) *Error {
	e := p.problem(Ragged, "%s expected, as in the first record, %d found", plural.Count(want, "cell"), got)
	e.Got, e.Want, e.Advice = got, want, hint
	return e
}

func (p Position) notNumber(cell, reason string) *Error {
	e := p.problem(Number, "%s %s", quoteCell(cell), reason)
	e.Cell = cell
	return e
}

func (p Position) unreadable(err error) *Error {
	e := p.problem(Other, "%v", err)
	e.Err = err
	return e
}

// shortList lists things in a message; of many only the first.
func shortList(things []string) string {
	return show.List(things, mostListed)
}

// mostListed is how many things a list in a message names.
const mostListed = 10

// numbered names lines or columns in a message by their numbers, of which the first are given.
func numbered(what string, numbers []int, of int) string {
	texts := make([]string, of)
	for i := range min(len(numbers), mostListed) { // the others only count
		texts[i] = strconv.Itoa(numbers[i])
	}
	if of > 1 {
		what += "s"
	}
	return what + " " + shortList(texts)
}

func quoteList(names []string) string {
	var quoted []string
	for _, n := range names {
		quoted = append(quoted, quoteCell(n))
	}
	return shortList(quoted)
}

// quoteCell quotes a cell for a message; a long one is cut.
func quoteCell(s string) string {
	const most = 60
	if len(s) > most {
		return strconv.Quote(s[:most]) + "…"
	}
	return strconv.Quote(s)
}

// Missing counts the missing cells of a table.
type Missing struct {
	Features int           // missing feature cells
	Labels   int           // missing labels
	Columns  []ColumnCount // the columns with missing cells, in order
	Rows     int           // that are incomplete
	Lines    []int         // where the first of these start
	Of       int           // number of rows

	first    map[int]Position    // by column
	patterns map[string]*pattern // of incomplete rows, by their key
}

// ColumnCount is a number of cells of a column.
type ColumnCount struct {
	Column int // from 1
	Name   string
	Count  int
}

func (m Missing) String() string {
	var b strings.Builder
	what := plural.Count(m.Features, "feature cell")
	switch {
	case m.Features == 0:
		what = plural.Count(m.Labels, "label")
	case m.Labels > 0:
		what += " and " + plural.Count(m.Labels, "label")
	}
	fmt.Fprintf(&b, "%s missing in %d of %s", what, m.Rows, plural.Count(m.Of, "row"))
	var columns []string
	for _, c := range m.Columns {
		if c.Column > 0 { // no label in a file of their own
			columns = append(columns, fmt.Sprintf("%s: %d", ColumnText(c.Column, c.Name), c.Count))
		}
	}
	if columns == nil {
		return b.String()
	}
	b.WriteString(" (" + shortList(columns) + ")")
	return b.String()
}
