package table

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/cases"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/splitmix"
)

// partsText is a table with all kinds of columns, missing cells, line ends in quotes, and a class
// and a level that stand in the last row alone.
func partsText() string {
	var b strings.Builder
	b.WriteString("\xef\xbb\xbfid,x,colour,day,mass,is,w,y,label\r\n")
	for i := range 2500 {
		x, colour, end := fmt.Sprint(0.5*float64(i%97)), []string{"red", "\"dark\r\nblue\"", "3", "3.0"}[i%4], "\r\n"
		switch {
		case i%31 == 7:
			x = "NA"
		case i%53 == 11:
			colour = ""
		case i%40 == 3:
			end = "\r\n\r\n"
		case i == 2499:
			colour = "green"
		}
		label := []string{"p", "q", "r"}[i%3]
		if i == 2499 {
			label = "last"
		}
		fmt.Fprintf(&b, "n%d,%s,%s,%04d-%02d-11,%d kg,%s,%d,%g,%s%s", i, x, colour, 1000+i, 1+i%12, i%70, []string{"Yes", "no"}[i%2], i%4, math.Sqrt(float64(i)), label, end)
	}
	return b.String()
}

type partsCase struct {
	name string
	text []byte
	opt  Options
}

func partsCases(t *testing.T) (all []partsCase) {
	files := cases.Files(t, "*/*")
	if data := os.Getenv("KFDA_DATA"); data != "" {
		files = append(files, must.Get(filepath.Glob(filepath.Join(data, "messy", "*")))(t)...)
	}
	for _, file := range files {
		if text := must.Get(os.ReadFile(file))(t); len(text) < 20_000 {
			for _, missing := range []string{"", DropMissing, "median"} {
				all = append(all, partsCase{filepath.Base(file), text, Options{Missing: missing}})
			}
		}
	}
	text := []byte(partsText())
	ids := Options{IDs: "id,colour", Weight: "w"}
	for _, missing := range []string{"", DropMissing, "median"} {
		o := ids
		o.Missing, o.IDs = missing, "id"
		all = append(all, partsCase{"parts", text, o})
		o.Rows = Range{Start: 100, Step: 3}
		all = append(all, partsCase{"rows", text, o})
		o.Rows, o.IDs, o.Weight, o.Ignore = Range{Stop: 700, Ended: true}, "", "", []string{"id"}
		all = append(all, partsCase{"ended", text, o})
		o.Rows, o.Label, o.Target, o.Ignore = Range{}, "y", true, []string{"id", "label"}
		all = append(all, partsCase{"target", text, o})
		o.Label = "mass"
		all = append(all, partsCase{"unit", text, o})
		o = ids
		o.Missing, o.Ignore, o.Labels = missing, []string{"label"}, &OtherLabels{File: "labels", Texts: []string{"name"}, Lines: []int{1}}
		for i := range 2500 {
			o.Labels.Texts, o.Labels.Lines = append(o.Labels.Texts, []string{"a", "b", "a", "c", ""}[i%(4+i/2450)]), append(o.Labels.Lines, i+2)
		}
		all = append(all, partsCase{"other labels", text, o})
	}
	ids.Label = "id"
	all = append(all, partsCase{"no classes", text, ids})
	for i := 599; i < 2500; i += 600 { // a wrong cell, and a row of another length
		lines := strings.SplitAfter(string(text), "\n")
		lines[i] = strings.Replace(lines[i], ",", ",word,", i/600%2)
		lines[i+9] = strings.Replace(lines[i+9], "kg", "lb", 1)
		lines[i+19] = strings.Replace(lines[i+19], "-11,", ",", 1)
		all = append(all, partsCase{fmt.Sprint("wrong ", i), []byte(strings.Join(lines, "")), Options{IDs: "id", Missing: DropMissing}})
	}
	return all
}

// told reads with the notices.
func told(text []byte, opt Options) (tab *Table, said []string, err error) {
	opt.Notice = func(s string) { said = append(said, s) }
	tab, err = ReadFrom("t", strings.NewReader(string(text)), opt)
	return tab, said, err
}

// A sample has the layout, the notices and the error of the whole table, and the rows with the
// least hashes.
func TestSample(t *testing.T) {
	for _, c := range partsCases(t) {
		whole, want, wantErr := told(c.text, c.opt)
		for _, size := range []int{1, 7, 300, 1 << 20} {
			name, opt := fmt.Sprintf("%s %q, sample of %d", c.name, c.opt.Missing, size), c.opt
			opt.Sample = size
			tab, said, err := told(c.text, opt)
			if fmt.Sprint(err) != fmt.Sprint(wantErr) || !slices.Equal(said, want) {
				t.Errorf("%s: %v %q, want %v %q", name, err, said, wantErr, want)
			}
			if err != nil || wantErr != nil {
				continue
			}
			stay := sampleOf(whole, size)
			if !slices.Equal(tab.Rows, pickRows(whole.Rows, stay)) || !slices.Equal(tab.Lines, pickRows(whole.Lines, stay)) || !slices.Equal(tab.Labels, pickRows(whole.Labels, stay)) ||
				!slices.Equal(tab.Targets, pickRows(whole.Targets, stay)) || !slices.Equal(tab.Weights, pickRows(whole.Weights, stay)) {
				t.Fatalf("%s: rows %v of %v, labels %q", name, tab.Rows, whole.Rows, tab.Labels)
			}
			for k := range whole.IDs {
				if !slices.Equal(tab.IDs[k], pickRows(whole.IDs[k], stay)) {
					t.Errorf("%s: ids %q", name, tab.IDs[k])
				}
			}
			for i, j := range stay {
				if fmt.Sprint(tab.X.Row(i)) != fmt.Sprint(whole.X.Row(j)) {
					t.Errorf("%s: row %v, want %v", name, tab.X.Row(i), whole.X.Row(j))
				}
			}
			if !reflect.DeepEqual(tab.Layout, whole.Layout) || tab.Seen != whole.Seen || tab.DroppedRows() != whole.DroppedRows() || !reflect.DeepEqual(tab.Classes, whole.Classes) {
				t.Errorf("%s: %+v, want %+v", name, tab, whole)
			}
		}
	}
}

// sampleOf are the places of the rows of a sample in a whole table.
func sampleOf(t *Table, size int) (stay []int) {
	var hashes []uint64
	least := map[string]uint64{}
	for i, row := range t.Rows {
		h := splitmix.At(splitmix.At(0, 0), uint64(row))
		hashes = append(hashes, h)
		if l, known := least[t.Labels[i]]; !known || h < l {
			least[t.Labels[i]] = h
		}
	}
	bound := slices.Sorted(slices.Values(hashes))[min(size, len(hashes))-1]
	for i, h := range hashes {
		if h <= bound || t.Targets == nil && h == least[t.Labels[i]] {
			stay = append(stay, i)
		}
	}
	return stay
}

func pickRows[T any](all []T, rows []int) []T {
	if all == nil {
		return nil
	}
	var some []T
	for _, i := range rows {
		some = append(some, all[i])
	}
	return some
}

// Parts, one after the other, are the table as a whole, with its notices and the place of its error.
func TestBatches(t *testing.T) {
	for _, c := range partsCases(t) {
		train := c.opt
		if train.Missing == "" {
			train.Missing = DropMissing
		}
		layout := &Layout{Width: 1, Label: -1, Features: []int{0}}
		if tab, _, err := told(c.text, train); err == nil {
			layout = &tab.Layout
		}
		if strings.HasPrefix(c.name, "wrong") { // in words of a model of the right table
			layout = &must.Get(ReadFrom("t", strings.NewReader(partsText()), train))(t).Layout
		}
		for _, opt := range []Options{c.opt, {Unlabelled: true}} {
			if opt.Layout = layout; opt.Missing != DropMissing {
				opt.Missing = ""
			}
			whole, want, wantErr := told(c.text, opt)
			for _, size := range []int{1, 7, 1000} {
				name := fmt.Sprintf("%s %q, parts of %d", c.name, c.opt.Missing, size)
				compareBatches(t, name, c.text, opt, size, whole, wantErr, want)
			}
		}
	}
}

func compareBatches(t *testing.T, name string, text []byte, opt Options, size int, whole *Table, wantErr error, want []string) {
	t.Helper()
	got := &Table{}
	var data []float64
	opt.Batch = size
	opt.Take = func(p *Table) error {
		if size > 0 && len(p.Rows) > size || len(p.Rows) == 0 || p.X.Rows != len(p.Rows) {
			t.Errorf("%s: a part of %d rows", name, len(p.Rows))
		}
		got.Rows, got.Lines, got.Labels = append(got.Rows, p.Rows...), append(got.Lines, p.Lines...), append(got.Labels, p.Labels...)
		got.Targets, got.Weights, data = append(got.Targets, p.Targets...), append(got.Weights, p.Weights...), append(data, p.X.Data...)
		for k := range p.IDs {
			if len(got.IDs) == k {
				got.IDs = append(got.IDs, nil)
			}
			got.IDs[k] = append(got.IDs[k], p.IDs[k]...)
		}
		return nil
	}
	end, said, err := told(text, opt)
	var e, wantE *Error
	if errors.As(err, &e) && errors.As(wantErr, &wantE) && e.Position == wantE.Position && e.Kind == wantE.Kind {
		return
	}
	if err != nil || wantErr != nil {
		t.Errorf("%s: %v, want %v", name, err, wantErr)
		return
	}
	if !slices.Equal(said, want) {
		t.Errorf("%s: %q, want %q", name, said, want)
	}
	if !slices.Equal(got.Rows, whole.Rows) || !slices.Equal(got.Lines, whole.Lines) || !slices.Equal(got.Labels, whole.Labels) || !slices.Equal(got.Targets, whole.Targets) ||
		!slices.Equal(got.Weights, whole.Weights) || fmt.Sprint(data) != fmt.Sprint(whole.X.Data) || !reflect.DeepEqual(got.IDs, whole.IDs) {
		t.Errorf("%s: %d rows, want %d", name, len(got.Rows), len(whole.Rows))
	}
	if !reflect.DeepEqual(end.Layout, whole.Layout) || end.Seen != whole.Seen || end.DroppedRows() != whole.DroppedRows() || end.X.Rows != 0 {
		t.Errorf("%s: %+v, want %+v", name, end, whole)
	}
}

// An error of Take ends the reading, and is returned as it is.
func TestTakeFails(t *testing.T) {
	layout := &must.Get(ReadFrom("t", strings.NewReader(partsText()), Options{IDs: "id", Missing: DropMissing}))(t).Layout
	wrong, calls := &Error{What: "mine"}, 0
	_, said, err := told([]byte(partsText()), Options{IDs: "id", Layout: layout, Batch: 10, Take: func(*Table) error {
		if calls++; calls == 3 {
			return wrong
		}
		return nil
	}})
	if err != error(wrong) || wrong.What != "mine" || calls != 3 || len(said) != 0 {
		t.Errorf("%v after %d calls, %q", err, calls, said)
	}
}

// A sample of millions of rows holds little more than itself, be the last column a number to predict
// or classes, and says why where it can't: each class has a row.
func TestSampleMemory(t *testing.T) {
	const size = 100
	for _, c := range []struct {
		label func(i int) string
		opt   Options
		most  int
		words string
	}{
		{func(i int) string { return fmt.Sprint(i % 7) }, Options{}, 30 << 10, ""},
		{func(i int) string { return fmt.Sprint(math.Sqrt(float64(i))) }, Options{Target: true, Label: "y"}, 30 << 10, ""},
		{func(i int) string { return fmt.Sprint("id", i) }, Options{}, 1 << 20, "or name another label: this one has more than 100 classes"},
	} {
		row := 0
		cells := make([]Cell, 4)
		c.opt.Sample, c.opt.MaxBytes = size, c.most
		tab, err := ReadSource("t", Source{Header: WithHeader, Part: func() float64 { return 0 }, Next: func() (int, []Cell, error) {
			if row++; row == 1 {
				return row, []Cell{{Text: "a"}, {Text: "b"}, {Text: "c"}, {Text: "y"}}, nil
			} else if row > 100_000 {
				return 0, nil, io.EOF
			}
			for j := range cells[:3] {
				cells[j] = Cell{Number: float64(row) / float64(j+3), IsNumber: true}
			}
			cells[3].Text = c.label(row)
			return row, cells, nil
		}}, c.opt)
		if c.words != "" {
			if e := (*Error)(nil); !errors.As(err, &e) || e.Kind != Memory || !strings.Contains(err.Error(), c.words) {
				t.Errorf("%v, want %q", err, c.words)
			}
		} else if err != nil || tab.Seen != 99_999 || tab.X.Rows < size || tab.X.Rows > size+7 || len(tab.X.Data) != 3*tab.X.Rows {
			t.Errorf("%v, %v", tab, err)
		}
	}
}

// FuzzParts compares samples and parts of any bytes with the whole table.
func FuzzParts(f *testing.F) {
	for _, file := range cases.Files(f, "*/*") {
		if data := must.Get(os.ReadFile(file))(f); len(data) < 2048 {
			f.Add(data, uint16(0))
			f.Add(data, uint16(0x5555))
		}
	}
	f.Add([]byte(partsText()[:1500]), uint16(4))
	f.Fuzz(func(t *testing.T, data []byte, flags uint16) {
		pick := func(n int) int { k := int(flags) % n; flags /= uint16(n); return k }
		opt := Options{
			Missing:      []string{"", DropMissing, "median"}[pick(3)],
			Label:        []string{"", "1"}[pick(2)],
			Target:       pick(4) == 1,
			DecimalComma: pick(4) == 1,
			Rows:         Range{Start: pick(2), Step: 1 + pick(2)},
			MaxBytes:     1 << 26,
		}
		size := 1 + pick(5)
		whole, want, wantErr := told(data, opt)
		o := opt
		o.Sample = size
		tab, said, err := told(data, o)
		var e *Error
		if errors.As(wantErr, &e) && e.Kind == Memory {
			return
		}
		text := func(err error) string { // which other column is proposed for the label is up to the sample
			text, _, _ := strings.Cut(fmt.Sprint(err), " If another column")
			return text
		}
		if text(err) != text(wantErr) || !slices.Equal(said, want) {
			t.Fatalf("a sample of %d: %v %q, want %v %q", size, err, said, wantErr, want)
		}
		if err != nil {
			return
		}
		if stay := sampleOf(whole, size); !slices.Equal(tab.Rows, pickRows(whole.Rows, stay)) || !reflect.DeepEqual(tab.Layout, whole.Layout) {
			t.Fatalf("a sample of %d: rows %v, %+v, want %+v", size, tab.Rows, tab.Layout, whole.Layout)
		}
		opt.Layout = &whole.Layout
		if opt.Missing != DropMissing {
			opt.Missing = ""
		}
		whole, want, wantErr = told(data, opt)
		compareBatches(t, "parts", data, opt, size, whole, wantErr, want)
	})
}
