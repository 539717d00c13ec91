package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed92411348/kfda/cmd/kfda/internal/formats"
	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/table"
)

// tableFlags say how to read a table.
type tableFlags struct {
	label            string
	labels           string
	target           string
	ignore           []string
	header, noHeader bool
	format           string
	sheet            string
	widths           string
	separator        string
	decimalComma     bool
	missing          string
	markers          string
	categories       []string
	zeroBased        bool
	rows             string
	weights          weightFlags
}

func (f *tableFlags) add(cmd *cobra.Command, labelHelp string) {
	flags := cmd.Flags()
	flags.StringVar(&f.label, "label", "", "label `column`: its name, or its position from 1 "+labelHelp)
	flags.StringVar(&f.target, "target", "", "`column` of the number to predict, in place of a label (--model ridge)")
	flags.StringVar(&f.labels, "labels", "", "`file` with the labels, one for each data row, in place of a column")
	flags.StringArrayVar(&f.ignore, "ignore", nil, "`columns` to leave out: a name, a position from 1, a range of either (4-22, x1:x9), or a list of these with commas; may be repeated")
	namesFlag(cmd, &f.missing, "missing", "", "`what` to do about missing cells: %s (default error, or what the model was fitted with)",
		"error", "drop (leave out the rows and say which)", "mean (of the training rows, filled in)", "median", "most-frequent", "indicator (the mean, and a column that says where)")
	flags.StringVar(&f.markers, "missing-values", "", "`list` with commas of texts that mark a missing cell, beside an empty cell, NA, NaN, nan, ?, . and others (a model remembers them)")
	flags.StringVar(&f.rows, "rows", "", "use only the data rows `start:stop:step`, counted from 0: 0::2 are the even ones")
	flags.BoolVar(&f.header, "header", false, "line 1 holds the names of the columns (default: guess, and say so)")
	flags.BoolVar(&f.noHeader, "no-header", false, "line 1 holds data")
	flags.StringVar(&f.format, "format", "auto", "`format` of a text: auto, csv (any separated text), libsvm, arff, or fixed (columns of fixed width); other formats are recognised")
	flags.StringVar(&f.sheet, "sheet", "", "`name` of a sheet of a workbook (default the first), or of an array in an .npz file")
	flags.StringVar(&f.widths, "widths", "", "`list` of the widths, in characters, of the columns of a text of fixed width, such as 2,5,5")
	flags.StringVar(&f.separator, "separator", "auto", "`name` of the separator of csv: auto, comma, semicolon, tab or blank (runs of blanks and tabs)")
	flags.BoolVar(&f.decimalComma, "decimal-comma", false, "numbers are written 1,5 and not 1.5")
	flags.BoolVar(&f.zeroBased, "zero-based", false, "indices of libsvm files count from 0; a model remembers it")
	cmd.MarkFlagsMutuallyExclusive("header", "no-header")
	cmd.MarkFlagsMutuallyExclusive("label", "labels", "target")
}

// read reads the table in the file at path, by what the flags and opt say.
func (f *tableFlags) read(s streams, path string, opt table.Options) (*table.Table, error) {
	o := formats.Options{Options: opt, Sheet: f.sheet, Labels: f.labels}
	if f.labels != "" && opt.Unlabelled {
		return nil, usage("--labels: this command does not use labels")
	}
	if f.labels == "-" && path == "-" {
		return nil, usage("--labels - and the table cannot both be the standard input")
	}
	if f.widths != "" {
		o.Format = table.Fixed
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

// addTraining adds the flags of a table and those that a model then remembers.
func (f *tableFlags) addTraining(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.categories, "categories", nil, "`columns` of numbers that are names and no measurements: as for --ignore; texts are categories anyway")
	f.add(cmd, "(default the last column)")
}

// withoutModel leaves out of the help of a command what only models do.
func withoutModel(cmd *cobra.Command) {
	words := strings.NewReplacer(", or what the model was fitted with", "", " (a model remembers them)", "", "; a model remembers it", "", " (--model ridge)", "")
	cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = words.Replace(f.Usage) })
}

// prepared returns a method that takes the columns of a table as they are.
func prepared(m method, t *table.Table) (method, error) {
	p := discriminant.Prepared{Method: m, Levels: t.Layout.Levels()}
	for p.Missing.String() != t.Layout.Missing && p.Missing < discriminant.FillIndicator {
		p.Missing++
	}
	if p.Missing.String() != t.Layout.Missing {
		p.Missing = discriminant.RefuseMissing
	}
	switch m.Settings().Kernel.(type) {
	case gram.Precomputed:
		if p.Levels != nil || p.Missing != discriminant.RefuseMissing {
			return nil, fmt.Errorf("%s: with --kernel precomputed all columns but the label are kernel values: they hold no texts, and none can be filled in", t.File)
		}
		return m, nil
	}
	if p.Levels == nil && p.Missing == discriminant.RefuseMissing {
		return m, nil
	}
	return p, nil
}

// options checks the flags and returns what they say.
func (f *tableFlags) options(s streams) (table.Options, error) {
	opt := table.Options{
		Label:        cmp.Or(f.target, f.label),
		Target:       f.target != "",
		Ignore:       f.ignore,
		Weight:       f.weights.column,
		Weighted:     f.weights.remembered,
		DecimalComma: f.decimalComma,
		ZeroBased:    f.zeroBased,
		Categories:   f.categories,
		Missing:      f.missing,
		MaxBytes:     int(min(availableMemory(), table.MaxBytes)),
		Notice:       func(text string) { notice(s.err, "%s", text) },
	}
	switch {
	case f.header:
		opt.Header = table.WithHeader
	case f.noHeader:
		opt.Header = table.NoHeader
	}
	rules := append([]string{table.RefuseMissing, table.DropMissing}, table.FillMissing...)
	if f.missing != "" && !slices.Contains(rules, f.missing) {
		return opt, usage("--missing %q: want one of %s", f.missing, strings.Join(rules, ", "))
	}
	if f.markers != "" {
		for marker := range strings.SplitSeq(f.markers, ",") {
			opt.Markers = append(opt.Markers, strings.TrimSpace(marker))
		}
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
