// Package table reads a table of numbers with a label column from text files. Texts become the
// numbers of their levels, and missing cells NaN.
//
// [Read] takes CSV, tab-, semicolon- and blank-separated text, libsvm, ARFF and
// columns of fixed width, by the rules of rules.txt, which the command prints for "kfda help tables". A
// rule that guesses says what it took; what no rule covers is refused with file,
// line, row and column, in a typed error that holds them as data. No row, digit
// or cell is lost in silence.
package table

import (
	"bufio"
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed92411348/kfda/matrix"
)

// Rules is the text of the rules.
//
//go:embed rules.txt
var Rules string

// Table is what was read.
type Table struct {
	File    string        // name for messages
	X       *matrix.Dense // the number of a level for a category; NaN for a missing cell
	Labels  []string      // nil if Options.Unlabelled
	Targets []float64     // the labels as numbers, with Options.Target
	Weights []float64     // nil without Options.Weight
	Rows    []int         // number of each row of X among the data rows of the file, from 0
	Lines   []int         // line on which each row starts
	Seen    int           // data rows in the file
	Kept    int           // of these, selected and not left out: with Options.Sample more than rows of X
	Layout  Layout        // to read other files in the same way

	IDs     [][]string // texts of the columns of Options.IDs
	IDNames []string   // their names, "" without a header
	Sheet   string     // of a workbook, "" in other files
	Dropped *Missing   // rows left out for missing cells; nil if there are none

	Classes map[string]int // of a training table of classes: the rows of each in the file, without those left out
}

// DroppedRows is the number of rows left out for missing cells.
func (t *Table) DroppedRows() int {
	if t.Dropped == nil {
		return 0
	}
	return t.Dropped.Rows
}

// Format is a file format.
type Format int

const (
	GuessFormat Format = iota
	Separated
	Libsvm
	ARFF
	Fixed
)

// Header says whether line 1 holds names.
type Header int

const (
	GuessHeader Header = iota
	WithHeader
	NoHeader
)

// Options say how to read a table. The zero value guesses by the rules of the
// package comment and takes the last column for the label.
type Options struct {
	Format       Format
	Widths       []int // of the columns of Fixed, in characters; nil: between the blanks that all lines have
	Separator    byte  // 0: guess; ' ': runs of blanks and tabs
	Header       Header
	Label        string   // name or position (from 1) of the label column; "" is the last
	Target       bool     // the label is a number to predict, and no class
	Ignore       []string // names or positions, or lists of them with commas
	IDs          string   // columns to keep as text; "" is none
	Leave        string   // the flag that advice gives columns to that are no features; "" is --ignore
	Weight       string   // column of numbers that is no feature; "" is none
	Weighted     bool     // without a Weight, by that of Layout where the table has it
	Categories   []string // columns of numbers that are names, or lists of them
	Missing      string   // RefuseMissing, DropMissing or one of FillMissing; "" is that of the Layout
	Markers      []string // of missing cells, beside those of rules.txt
	DecimalComma bool
	ZeroBased    bool // libsvm indices count from 0
	Rows         Range
	MaxBytes     int          // memory that the table may take; 0 and more than the constant stand for that
	Labels       *OtherLabels // instead of a label column; nil if there are none

	// Layout, if not nil, is that of the table that a model was fitted to. Labels
	// then need not make sense as classes.
	Layout     *Layout
	Of         string // what that layout is of, in messages: "" for "the model"
	Unlabelled bool   // no labels are wanted: a column of them that is named is left out

	KnownLevels bool // a level that Layout does not have is an error
	NewLevels   bool // such levels follow the others in the Layout of the table, which has no Take

	// Take, if not nil, is given the table of a Layout in parts of Batch rows, the last of what is
	// left. Their memory may be used again when it returns; an error ends the reading and is that of
	// Read, whose table else has no rows, and says what is to be said of all of them.
	Take  func(*Table) error
	Batch int // 0: all

	// Sample, if above 0, is how many rows of a training table are kept, and for each class one
	// besides: those with the least hashes of their numbers. All rows are checked, and decide what
	// the columns are.
	Sample int

	Notice func(string) // told what was guessed, dropped or looks odd; may be nil
}

// Read reads the table in a file, or in stdin if path is "-".
func Read(path string, stdin io.Reader, opt Options) (*Table, error) {
	if path == "-" {
		return ReadFrom("standard input", stdin, opt)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, Position{File: path}.unreadable(bareError(err))
	}
	defer f.Close()
	return ReadFrom(path, f, opt)
}

// ReadFrom reads the table in r; name is the name of the file.
func ReadFrom(name string, r io.Reader, opt Options) (*Table, error) {
	text, err := newReader(name, r)
	if err != nil {
		return nil, err
	}
	b := newBuilder(name, opt)
	defer b.collectOften(readingGC)()
	b.part = text.part
	format := opt.Format
	if head, _ := text.in.Peek(bufferSize); format == GuessFormat && hasFixedWidth(head) {
		format = Fixed
	}
	if format == GuessFormat {
		format = formatByName(name)
	}
	if format == GuessFormat {
		if format = formatByContent(text.in); format != Separated {
			b.notice("read as %s", format)
		}
	}
	switch format {
	case Libsvm:
		return b.readLibsvm(text)
	case ARFF:
		return b.readARFF(text)
	case Fixed:
		return b.readFixed(text)
	default:
		return b.readSeparated(text)
	}
}

func (f Format) String() string {
	return [...]string{"unknown format", "separated text", "libsvm", "ARFF", "columns of fixed width"}[f]
}

// ParseFormat reads the name of a format.
func ParseFormat(s string) (Format, error) {
	switch s {
	case "auto":
		return GuessFormat, nil
	case "csv":
		return Separated, nil
	case "libsvm":
		return Libsvm, nil
	case "arff":
		return ARFF, nil
	case "fixed":
		return Fixed, nil
	}
	return 0, fmt.Errorf("format %q: want auto, csv, libsvm, arff or fixed", s)
}

// ParseSeparator reads the name of a separator.
func ParseSeparator(s string) (byte, error) {
	switch s {
	case "auto":
		return 0, nil
	case "comma", ",":
		return ',', nil
	case "semicolon", ";":
		return ';', nil
	case "tab", "\t":
		return '\t', nil
	case "blank", " ":
		return ' ', nil
	}
	return 0, fmt.Errorf("separator %q: want auto, comma, semicolon, tab or blank", s)
}

func formatByName(name string) Format {
	switch strings.ToLower(filepath.Ext(strings.TrimSuffix(name, ".gz"))) {
	case ".svm", ".svmlight", ".libsvm":
		return Libsvm
	case ".arff":
		return ARFF
	case ".csv", ".tsv":
		return Separated
	}
	return GuessFormat
}

// formatByContent looks at the first line that is not blank.
func formatByContent(text *bufio.Reader) Format {
	start, _ := text.Peek(bufferSize)
	start = bytes.TrimLeft(start, " \t\r\n")
	line := start
	if i := bytes.IndexAny(start, "\r\n"); i >= 0 {
		line = start[:i]
	}
	words := strings.Fields(string(line))
	switch {
	case len(words) == 0:
	case strings.EqualFold(words[0], "@relation"):
		return ARFF
	case words[0][0] == '%' && bytes.Contains(bytes.ToLower(start), []byte("@relation")):
		return ARFF
	case len(words) > 1 && isEntry(words[1]):
		return Libsvm
	}
	return Separated
}

// isEntry reports whether s is index:number.
func isEntry(s string) bool {
	index, value, ok := strings.Cut(s, ":")
	return ok && isNumber(value, notation{mark: '.'}) && index != "" && strings.Trim(index, "0123456789") == ""
}

// ColumnText names the column of feature j in a message.
func (t *Table) ColumnText(j int) string {
	at := t.Position(-1, j)
	return ColumnText(at.Column, at.Name)
}

// Position returns the place in the file of row i and feature j of X. What lies
// outside of X is left out.
func (t *Table) Position(i, j int) Position {
	p := Position{File: t.File, Sheet: t.Sheet}
	if 0 <= i && i < len(t.Lines) {
		p.Line, p.Row = t.Lines[i], t.Rows[i]+1
	}
	if 0 <= j && j < len(t.Layout.Features) {
		p.Column = t.Layout.Features[j] + 1
		if t.Layout.Names != nil {
			p.Name = t.Layout.Names[j]
		}
	}
	return p
}
