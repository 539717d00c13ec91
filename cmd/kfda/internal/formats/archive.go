package formats

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
)

// archive reads a ZIP file by what it holds.
func (in *input) archive() (src *table.Source, err error) {
	at, size, err := in.bytes()
	if err != nil {
		return nil, err
	}
	err = in.guarded("archive", func() error {
		z, err := zip.NewReader(at, size)
		if err != nil {
			return err
		}
		has := func(name string) bool {
			return slices.ContainsFunc(z.File, func(f *zip.File) bool { return strings.EqualFold(f.Name, name) })
		}
		arrays := slices.DeleteFunc(slices.Clone(z.File), func(f *zip.File) bool { return !strings.HasSuffix(f.Name, ".npy") })
		switch {
		case has("xl/workbook.xml"):
			src, err = in.workbook(z.File)
			return err
		case len(arrays) > 0:
			src, err = in.arrays(arrays)
			return err
		case has("xl/workbook.bin"):
			return in.refuse("the file is a binary workbook (.xlsb), which kfda does not read; save it as .xlsx or CSV")
		case has("content.xml"):
			return in.refuse("the file is an OpenDocument (.ods), which kfda does not read; save it as .xlsx or CSV")
		case has("word/document.xml"):
			return in.refuse("the file is a document of Word, which kfda does not read; copy its table into a spreadsheet and save that as CSV")
		}
		var names []string
		for _, f := range z.File {
			names = append(names, show.Text(f.Name))
		}
		return in.refuse("the file is a ZIP archive of %s; unpack it, and name a table", show.List(names, 5))
	})
	if err != nil {
		return nil, err
	}
	return src, nil
}

// What the arrays of an archive may be called, with the part of the data that they are of.
var (
	featuresName = regexp.MustCompile(`(?i)^(?:x|data|features?|inputs?|arr_0)([-_ ]?(?:train|test|valid|val))?$`)
	labelsName   = regexp.MustCompile(`(?i)^(?:y|labels?|targets?|classes|arr_1)([-_ ]?(?:train|test|valid|val))?$`)
)

// arrays reads the table of an archive of arrays: that of --sheet, else the only one with two
// dimensions, else the only one with the name of features. One with the name of labels, a
// label for each row and the same part is its last column. Arrays that are all of one dimension
// and of one length are the columns, with their names.
func (in *input) arrays(files []*zip.File) (*table.Source, error) {
	var all []*array
	left := in.limit()
	for _, f := range files {
		if f.UncompressedSize64 > uint64(left) {
			return nil, table.TooMuch(in.name, "what the archive holds", in.limit())
		}
		left -= int(f.UncompressedSize64)
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(io.LimitReader(r, int64(f.UncompressedSize64)+1)) // the end tells of the checksum
		r.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", show.Text(f.Name), err)
		}
		a, err := in.array(strings.TrimSuffix(f.Name, ".npy"), bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	x, ok := in.features(all)
	if !ok {
		if in.opt.Sheet == "" && !slices.ContainsFunc(all, func(a *array) bool { return !a.flat || a.rows != all[0].rows }) {
			return columns(all), nil
		}
		var names []string
		for _, a := range all {
			names = append(names, fmt.Sprintf("%s (%d×%d)", show.Text(a.name), a.rows, a.cols))
		}
		return nil, in.refuse("the archive holds the arrays %s; name that of the features with --sheet, and labels in a file of their own with --labels", show.List(names, 10))
	}
	part := ""
	if m := featuresName.FindStringSubmatch(x.name); m != nil {
		part = m[1]
	}
	for _, y := range all {
		switch m := labelsName.FindStringSubmatch(y.name); {
		case y == x || m == nil || m[1] != part:
		case y.rows != x.rows || y.cols != 1:
			return nil, in.refuse("the archive holds %d×%d labels %s for the %d rows of %s; want one for each row", y.rows, y.cols, show.Text(y.name), x.rows, show.Text(x.name))
		default:
			return beside(x, y), nil
		}
	}
	for _, y := range all {
		if y != x && y.rows == x.rows && in.opt.Notice != nil {
			in.opt.Notice(fmt.Sprintf("%s: the array %s, which has a row for each of %s, is not read; labels are an array called y or labels", in.name, show.Text(y.name), show.Text(x.name)))
		}
	}
	return x.source(), nil
}

// features finds the array of the features.
func (in *input) features(all []*array) (*array, bool) {
	for _, is := range []func(*array) bool{
		func(a *array) bool { return in.opt.Sheet != "" && a.name == in.opt.Sheet },
		func(a *array) bool { return in.opt.Sheet == "" && a.cols > 1 },
		func(a *array) bool { return in.opt.Sheet == "" && featuresName.MatchString(a.name) },
	} {
		found := slices.DeleteFunc(slices.Clone(all), func(a *array) bool { return !is(a) })
		if len(found) == 1 {
			return found[0], true
		}
	}
	return nil, false
}

// beside returns the rows of x, each with the element of y after it.
func beside(x, y *array) *table.Source {
	s, labels := x.source(), y.source()
	next := s.Next
	s.Next = func() (int, []table.Cell, error) {
		line, cells, err := next()
		if err != nil {
			return 0, nil, err
		}
		_, label, err := labels.Next()
		if err != nil {
			return 0, nil, err
		}
		return line, append(cells[:x.cols:x.cols], label[0]), nil
	}
	return s
}

// columns returns rows of one element of each array, after the names.
func columns(all []*array) *table.Source {
	s := &table.Source{Header: table.WithHeader}
	var sources []*table.Source
	var cells []table.Cell
	for _, a := range all {
		sources = append(sources, a.source())
		cells = append(cells, table.Cell{Text: a.name})
	}
	s.Part = sources[0].Part
	first := true
	s.Next = func() (line int, _ []table.Cell, err error) {
		if first {
			first = false
			return 0, cells, nil
		}
		for j, src := range sources {
			var cell []table.Cell
			if line, cell, err = src.Next(); err != nil {
				return 0, nil, err
			}
			cells[j] = cell[0]
		}
		return line, cells, nil
	}
	return s
}
