package main

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/cmd/kfda/internal/formats"
	"github.com/seed92411348/kfda/internal/table"
)

// tableFlags say how to read a table.
type tableFlags struct {
	label            string
	labels           string
	ignore           []string
	header, noHeader bool
	format           string
	sheet            string
	widths           string
	separator        string
	decimalComma     bool
	missing          string
	zeroBased        bool
	rows             string
}

func (f *tableFlags) add(cmd *cobra.Command, labelHelp string) {
	flags := cmd.Flags()
	flags.StringVar(&f.label, "label", "", "label `column`: its name, or its position from 1 "+labelHelp)
	flags.StringVar(&f.labels, "labels", "", "`file` with the labels, one for each data row, in place of a column")
	flags.StringArrayVar(&f.ignore, "ignore", nil, "`column` to leave out: a name, a position from 1, or a list with commas; may be repeated")
	flags.BoolVar(&f.header, "header", false, "line 1 holds the names of the columns (default: guess, and say so)")
	flags.BoolVar(&f.noHeader, "no-header", false, "line 1 holds data")
	flags.StringVar(&f.format, "format", "auto", "`format` of a text: auto, csv (any separated text), libsvm, arff, or fixed (columns of fixed width); other formats are recognised")
	flags.StringVar(&f.sheet, "sheet", "", "`name` of a sheet of a workbook (default the first), or of an array in an .npz file")
	flags.StringVar(&f.widths, "widths", "", "`list` of the widths, in characters, of the columns of a text of fixed width, such as 2,5,5")
	flags.StringVar(&f.separator, "separator", "auto", "`name` of the separator of csv: auto, comma, semicolon, tab or blank (runs of blanks and tabs)")
	flags.BoolVar(&f.decimalComma, "decimal-comma", false, "numbers are written 1,5 and not 1.5")
	flags.StringVar(&f.missing, "missing", "refuse", "`what` to do about missing cells: refuse the table, or drop the rows and say which")
	flags.BoolVar(&f.zeroBased, "zero-based", false, "indices of libsvm files count from 0; a model remembers it")
	flags.StringVar(&f.rows, "rows", "", "use only the data rows `start:stop:step`, counted from 0: 0::2 are the even ones")
	cmd.MarkFlagsMutuallyExclusive("header", "no-header")
	cmd.MarkFlagsMutuallyExclusive("label", "labels")
}

// read reads the table in the file at path, by what the flags and opt say.
func (f *tableFlags) read(s streams, path string, opt table.Options) (*table.Table, error) {
	o := formats.Options{Options: opt, Sheet: f.sheet, Fixed: f.format == "fixed", Labels: f.labels}
	if f.labels != "" && opt.Unlabelled {
		return nil, usage("--labels: this command does not use labels")
	}
	if f.labels == "-" && path == "-" {
		return nil, usage("--labels - and the table cannot both be the standard input")
	}
	if f.widths != "" {
		for text := range strings.SplitSeq(f.widths, ",") {
			w, err := strconv.Atoi(strings.TrimSpace(text))
			if err != nil || w < 1 {
				return nil, usage("--widths %q: want whole numbers from 1, such as 2,5,5", f.widths)
			}
			o.Widths = append(o.Widths, w)
		}
	}
	return formats.Read(path, s.in, o)
}

// options checks the flags and returns what they say.
func (f *tableFlags) options(s streams) (table.Options, error) {
	opt := table.Options{
		Label:        f.label,
		Ignore:       f.ignore,
		DecimalComma: f.decimalComma,
		ZeroBased:    f.zeroBased,
		MaxBytes:     int(min(availableMemory(), table.MaxBytes)),
		Notice:       func(text string) { notice(s.err, "%s", text) },
	}
	switch {
	case f.header:
		opt.Header = table.WithHeader
	case f.noHeader:
		opt.Header = table.NoHeader
	}
	switch f.missing {
	case "refuse":
	case "drop":
		opt.DropMissing = true
	default:
		return opt, usage("--missing %q: want refuse or drop", f.missing)
	}
	var err error
	if f.format == "fixed" {
		opt.Format = table.Separated
	} else if opt.Format, err = table.ParseFormat(f.format); err != nil {
		return opt, usageError{err}
	}
	if opt.Separator, err = table.ParseSeparator(f.separator); err != nil {
		return opt, usageError{err}
	}
	if f.rows != "" {
		if opt.Rows, err = table.ParseRange(f.rows); err != nil {
			return opt, usageError{err}
		}
	}
	return opt, nil
}
