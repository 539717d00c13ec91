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
	Line   int    // the line on which the record starts
	Row    int    // data row: records after the header
	Column int    // column of the file
	Name   string // name of the column, "" without a header
}

func (p Position) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
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

// SyntaxError says that a file breaks the rules of its format.
type SyntaxError struct {
	Position
	Reason string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s: %s", e.Position, e.Reason) }

// RaggedError says that a record has another number of cells than the first.
type RaggedError struct {
	Position
	Got, Want int
	Hint      string
}

func (e *RaggedError) Error() string {
	return fmt.Sprintf("%s: %s expected, as in the first record, %d found%s", e.Position, plural.Count(e.Want, "cell"), e.Got, e.Hint)
}

// NumberError says that feature cells do not hold numbers. Its position is that of the
// first.
type NumberError struct {
	Position
	Cell    string
	Reason  string   // why: `is not a number`, …
	Others  []string // the other columns with such cells
	Missing Missing  // in columns without such cells, if these rows are not left out
	Advice  string   // what to do, "" if there is no remedy
}

func (e *NumberError) Error() string {
	s := fmt.Sprintf("%s: %s %s", e.Position, quoteCell(e.Cell), e.Reason)
	if e.Others != nil {
		s += "; such cells are in " + shortList(e.Others) + " too"
	}
	if len(e.Missing.Lines) > 0 {
		s += "; " + e.Missing.String()
	}
	return s + e.Advice
}

// shortList lists things in a message; of many only the first.
func shortList(things []string) string {
	const most = 10
	return show.List(things, most)
}

// numbered names lines or columns in a message by their numbers.
func numbered(what string, numbers []int) string {
	var texts []string
	for _, n := range numbers {
		texts = append(texts, strconv.Itoa(n))
	}
	if len(texts) > 1 {
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

// MissingError says that a table has missing cells. Its position is that of the
// first.
type MissingError struct {
	Position
	Missing
	Advice string // what to do, "" if there is no remedy
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("%s: the cell is missing; in all %s%s", e.Position, e.Missing, e.Advice)
}

// Missing counts the missing cells of a table.
type Missing struct {
	Features int           // missing feature cells
	Labels   int           // missing labels
	Columns  []ColumnCount // the columns with missing cells, in order
	Lines    []int         // where the incomplete rows start
	Of       int           // number of rows
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
	fmt.Fprintf(&b, "%s missing in %d of %s (", what, len(m.Lines), plural.Count(m.Of, "row"))
	var columns []string
	for _, c := range m.Columns {
		columns = append(columns, fmt.Sprintf("%s: %d", ColumnText(c.Column, c.Name), c.Count))
	}
	b.WriteString(shortList(columns) + ")")
	return b.String()
}

// ColumnError says that a table has no such column, or that it cannot be used
// as asked.
type ColumnError struct {
	File   string
	Column string   // as it was given
	Reason string   // "" : there is no such column
	Names  []string // names of the columns, nil without a header
	Width  int      // number of columns
}

func (e *ColumnError) Error() string {
	switch {
	case e.Reason != "":
		return fmt.Sprintf("%s: column %s: %s", e.File, e.Column, e.Reason)
	case e.Names == nil:
		return fmt.Sprintf("%s: no column %s; there is no header, so columns go by position: 1 to %d", e.File, quoteCell(e.Column), e.Width)
	}
	return fmt.Sprintf("%s: no column %s; the columns are %s, or positions 1 to %d", e.File, quoteCell(e.Column), quoteList(e.Names), e.Width)
}

// LayoutError says that the columns of a table do not fit those of a model.
type LayoutError struct {
	File      string
	Reason    string
	Lacking   []string // features of the model that the file does not have, if matched by name
	Got, Want int      // numbers of feature columns, if matched by position
}

func (e *LayoutError) Error() string { return fmt.Sprintf("%s: %s", e.File, e.Reason) }

// HeaderError says that it is not clear whether line 1 is a header.
type HeaderError struct {
	Position
	Reason  string
	Instead string // flags that name columns by position, where names were given
}

func (e *HeaderError) Error() string {
	return fmt.Sprintf("%s: %s: is this line a header? Say --header or --no-header%s", e.Position, e.Reason, e.Instead)
}

// EmptyError says that a file has no rows or no feature columns.
type EmptyError struct {
	File string
	What string // what there is none of
}

func (e *EmptyError) Error() string { return fmt.Sprintf("%s: no %s", e.File, e.What) }

// ClassesError says that a label column cannot be one of classes.
type ClassesError struct {
	File    string
	Column  int // from 1; 0 if the label is outside of the columns
	Name    string
	Classes int
	Rows    int
	Only    string // the label of the first row
	Advice  string // what to do, "" if there is no remedy
}

func (e *ClassesError) Error() string {
	at := e.File + ": " + labelText(e.Column, e.Name)
	s := fmt.Sprintf("%s: need at least two classes, found 1: %s", at, show.Text(e.Only))
	if e.Classes > 1 {
		s = fmt.Sprintf("%s: as many classes as rows (%d); is it an identifier or a measurement?", at, e.Rows)
	}
	if e.Classes > 1 && e.Advice == "" && e.Column > 0 {
		s += " Name the label column with --label"
	}
	return s + e.Advice
}

// TooLargeError says that a table exceeds a limit of this package.
type TooLargeError struct {
	Position
	What  string
	Limit int
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s: more than %d %s", e.Position, e.Limit, e.What)
}

// ReadError says that the bytes of a file could not be had: it cannot be
// opened, breaks off, or is damaged.
type ReadError struct {
	File string
	Line int // the line reached
	Err  error
}

func (e *ReadError) Error() string {
	return fmt.Sprintf("%s: %v", Position{File: e.File, Line: e.Line}, e.Err)
}

func (e *ReadError) Unwrap() error { return e.Err }
