package main

import (
	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/internal/table"
)

// tableFlags say how to read a table.
type tableFlags struct {
	label            string
	ignore           []string
	header, noHeader bool
	format           string
	separator        string
	decimalComma     bool
	missing          string
	zeroBased        bool
	rows             string
	weights          weightFlags
}

func (f *tableFlags) add(cmd *cobra.Command, labelHelp string) {
	flags := cmd.Flags()
	flags.StringVar(&f.label, "label", "", "label `column`: its name, or its position from 1 "+labelHelp)
	flags.StringArrayVar(&f.ignore, "ignore", nil, "`column` to leave out: a name, a position from 1, or a list with commas; may be repeated")
	flags.BoolVar(&f.header, "header", false, "line 1 holds the names of the columns (default: guess, and say so)")
	flags.BoolVar(&f.noHeader, "no-header", false, "line 1 holds data")
	flags.StringVar(&f.format, "format", "auto", "`format` of the file: auto, csv (any separated text), libsvm or arff")
	flags.StringVar(&f.separator, "separator", "auto", "`name` of the separator of csv: auto, comma, semicolon, tab or blank (runs of blanks and tabs)")
	flags.BoolVar(&f.decimalComma, "decimal-comma", false, "numbers are written 1,5 and not 1.5")
	flags.StringVar(&f.missing, "missing", "refuse", "`what` to do about missing cells: refuse the table, or drop the rows and say which")
	flags.BoolVar(&f.zeroBased, "zero-based", false, "indices of libsvm files count from 0; a model remembers it")
	flags.StringVar(&f.rows, "rows", "", "use only the data rows `start:stop:step`, counted from 0: 0::2 are the even ones")
	cmd.MarkFlagsMutuallyExclusive("header", "no-header")
}

// options checks the flags and returns what they say.
func (f *tableFlags) options(s streams) (table.Options, error) {
	opt := table.Options{
		Label:        f.label,
		Ignore:       f.ignore,
		Weight:       f.weights.column,
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
	if opt.Format, err = table.ParseFormat(f.format); err != nil {
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
