package table

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/cases"
)

// load reads a file of a case, and the notices.
func load(t *testing.T, file string, opt Options) (*Table, string, error) {
	t.Helper()
	var notices []string
	opt.Notice = func(s string) { notices = append(notices, s) }
	tab, err := Read(cases.File(t, file), nil, opt)
	return tab, strings.Join(notices, "\n"), err
}

func mustLoad(t *testing.T, file string, opt Options) *Table {
	t.Helper()
	tab, _, err := load(t, file, opt)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// text reads a table from a string.
func text(s string, opt Options) (*Table, error) {
	return Read("-", strings.NewReader(s), opt)
}

func mustText(t testing.TB, s string, opt Options) *Table {
	t.Helper()
	tab, err := text(s, opt)
	if err != nil {
		t.Fatalf("%.100q: %v", s, err)
	}
	return tab
}

// want compares the rows and labels of a table.
func want(t *testing.T, tab *Table, labels string, rows ...[]float64) {
	t.Helper()
	var got [][]float64
	for i := range tab.X.Rows {
		got = append(got, tab.X.Row(i))
	}
	if len(rows) > 0 && fmt.Sprint(got) != fmt.Sprint(rows) { // with NaN
		t.Errorf("%s: rows %v, want %v", tab.File, got, rows)
	}
	if l := strings.Join(tab.Labels, "|"); l != labels {
		t.Errorf("%s: labels %q, want %q", tab.File, l, labels)
	}
	if tab.X.Rows != len(tab.Labels) {
		t.Errorf("%s: %d rows, %d labels", tab.File, tab.X.Rows, len(tab.Labels))
	}
}

const anyKind Kind = -1

// refused checks that the error is of a kind and says all of the words.
func refused(t *testing.T, err error, kind Kind, words ...string) *Error {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || kind != anyKind && e.Kind != kind {
		t.Fatalf("error %T %v, want one of kind %d", err, err, kind)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not say %q", err, w)
		}
	}
	return e
}

func TestCase31SingleClass(t *testing.T) {
	_, _, err := load(t, "31-single-class-labels/train.csv", Options{})
	refused(t, err, Other, "need at least two classes, found 1: only")
}

func TestCase36LabelsThatLookLikeNumbers(t *testing.T) {
	tab := mustLoad(t, "36-labels-that-look-like-numbers/train.csv", Options{})
	want(t, tab, "2|2|2.0|2.0|2.10|2.10|02|02|true|true|TRUE|TRUE")
}

func TestCase40Empty(t *testing.T) {
	for _, file := range []string{"zero-bytes.csv", "blank-lines.csv"} {
		_, _, err := load(t, "40-empty-input/"+file, Options{})
		refused(t, err, Other, "no rows")
	}
	_, _, err := load(t, "40-empty-input/header-only.csv", Options{})
	refused(t, err, Other, "no rows after the header")
	_, notices, err := load(t, "40-empty-input/label-only.csv", Options{})
	refused(t, err, Other, "no feature columns")
	if !strings.Contains(notices, "line 1 read as data (no cell of it is a feature)") {
		t.Errorf("notices %q", notices)
	}
}

func TestCase58ByteOrderMark(t *testing.T) {
	tab := mustLoad(t, "58-csv-bom-and-label-name/train.csv", Options{Label: "label"})
	want(t, tab, "p|p|q|q", []float64{1}, []float64{2}, []float64{8}, []float64{9})

	const bom = "\ufeff"
	for _, s := range []string{
		bom + "1,p\n2,p\n3,q\n4,q\n",
		bom + "p 1:1\np 1:2\nq 1:3\nq 1:4\n",
		bom + "@relation r\n@attribute x real\n@attribute c {p,q}\n@data\n1,p\n2,p\n3,q\n4,q\n",
	} {
		tab := mustText(t, s, Options{})
		want(t, tab, "p|p|q|q", []float64{1}, []float64{2}, []float64{3}, []float64{4})
	}
}

func TestCase60LineEnds(t *testing.T) {
	for _, file := range []string{"crlf.csv", "mixed.csv", "cr.csv"} {
		tab := mustLoad(t, "60-csv-line-ends/"+file, Options{})
		want(t, tab, "p|p|q|q", []float64{1}, []float64{2}, []float64{8}, []float64{9})
		if !slices.Equal(tab.Lines, []int{2, 3, 4, 5}) {
			t.Errorf("%s: lines %v", file, tab.Lines)
		}
	}
	tab := mustLoad(t, "60-csv-line-ends/quoted-cr.csv", Options{})
	want(t, tab, "p\rp|p\rp|q|q")
	if !slices.Equal(tab.Lines, []int{2, 4, 6, 7}) {
		t.Errorf("quoted-cr.csv: lines %v", tab.Lines)
	}

	// Two rows, two classes: as a score file these are read.
	opt := Options{Layout: &Layout{Features: []int{0, 1}, Label: -1, Sparse: true}}
	want(t, mustLoad(t, "60-csv-line-ends/crlf.svm", opt), "1|-1", []float64{1, 0.5}, []float64{8, 0})
	opt = Options{Layout: &Layout{Features: []int{0}, Names: []string{"x"}, Label: 1, LabelName: "label"}}
	want(t, mustLoad(t, "60-csv-line-ends/crlf.arff", opt), "p|q", []float64{1}, []float64{8})
}

func TestCase61NewlineInsideQuotes(t *testing.T) {
	const file = "61-csv-newline-inside-quotes/train.csv"
	tab := mustLoad(t, file, Options{Ignore: []string{"note"}, Rows: Range{Stop: 3, Ended: true}})
	want(t, tab, "p|p|q", []float64{1}, []float64{2}, []float64{8})
	if tab.Seen != 4 {
		t.Errorf("%d records, want 4", tab.Seen)
	}
	_, _, err := load(t, file, Options{Ignore: []string{"note"}})
	e := refused(t, err, Number, `train.csv:6: row 4, column 2 (x): "oops" is not a number`)
	if e.Line != 6 || e.Row != 4 || e.Column != 2 || e.Name != "x" || e.Cell != "oops" || strings.Contains(e.Advice, "--ignore") {
		t.Errorf("error data %+v", e)
	}
	tab = mustLoad(t, file, Options{IDs: "note", Layout: &tab.Layout, Rows: Range{Stop: 3, Ended: true}})
	if got, want := fmt.Sprintf("%q", tab.IDs[0]), `["first\nline" "say \"hi\", twice" "plain"]`; got != want {
		t.Errorf("ids %s, want %s", got, want)
	}
}

func TestCase62TrailingSeparator(t *testing.T) {
	for _, opt := range []Options{{}, {Label: "label"}, {Label: "3"}} {
		tab, notices, err := load(t, "62-csv-trailing-separator/both.csv", opt)
		if err != nil {
			t.Fatal(err)
		}
		want(t, tab, "p|p|q|q", []float64{1, 4}, []float64{2, 5}, []float64{8, 6}, []float64{9, 7})
		if !strings.Contains(notices, "1 column at the end without name and content dropped") {
			t.Errorf("notices %q", notices)
		}
		for _, c := range []struct {
			file            string
			line, want, got int
		}{{"rows.csv", 2, 3, 4}, {"first-only.csv", 2, 3, 4}, {"header-only.csv", 2, 4, 3}} {
			_, _, err := load(t, "62-csv-trailing-separator/"+c.file, opt)
			e := refused(t, err, Ragged, fmt.Sprintf("%d cells expected", c.want), fmt.Sprintf("%d found", c.got))
			if e.Line != c.line || e.Want != c.want || e.Got != c.got {
				t.Errorf("%s: error data %+v", c.file, e)
			}
		}
	}
	// Without a header the last column is empty throughout.
	tab := mustText(t, "1,4,p,\n2,5,p,\n8,6,q,\n", Options{})
	want(t, tab, "p|p|q", []float64{1, 4}, []float64{2, 5}, []float64{8, 6})
	_, err := text("1,4,p,\n2,5,p,\n8,6,q,7\n", Options{})
	refused(t, err, Syntax, ":3: row 3, column 4", "empty in the first row")
}

func TestCase64Missing(t *testing.T) {
	const file = "64-csv-missing-cells/train.csv"
	_, _, err := load(t, file, Options{})
	e := refused(t, err, Other, "train.csv:2: row 1, column 2 (y): the cell is missing",
		"5 feature cells and 1 label missing in 5 of 6 rows", "\n  if the label is column 3 (label), the last (if not: --label), say --missing median")
	if m := e.Missing; m.Features != 5 || m.Labels != 1 || !slices.Equal(m.Lines, []int{2, 4, 5, 6, 7}) ||
		!slices.Equal(m.Columns, []ColumnCount{{1, "x", 1}, {2, "y", 4}, {3, "label", 1}}) {
		t.Errorf("error data %+v", e)
	}
	// One complete row is left: one class, which a fit refuses and a score takes.
	_, notices, err := load(t, file, Options{Missing: DropMissing})
	refused(t, err, Other, "found 1: p")
	if !strings.Contains(notices, "5 feature cells and 1 label missing in 5 of 6 rows") || !strings.Contains(notices, "lines 2, 4, 5, 6, 7") {
		t.Errorf("notices %q", notices)
	}
	tab := mustLoad(t, file, Options{Missing: DropMissing, Layout: &Layout{Width: 3, Features: []int{0, 1}, Label: 2}})
	want(t, tab, "p", []float64{2, 5})
	if !slices.Equal(tab.Rows, []int{1}) || !slices.Equal(tab.Lines, []int{3}) || tab.Dropped == nil {
		t.Errorf("rows %v lines %v dropped %v", tab.Rows, tab.Lines, tab.Dropped)
	}
}

func TestCase65OddNumbers(t *testing.T) {
	for _, c := range []struct{ file, cell, reason string }{
		{"inf.csv", `:5: row 4, column 1 (x): "-Infinity"`, "not a finite number"},
		{"hex.csv", `:2: row 1, column 1 (x): "0x2p3"`, "not a decimal number"},
		{"underscore.csv", `"2_500"`, "no underscores"},
		{"range.csv", `"1e400"`, "beyond the range"},
		{"exotic.csv", `"−5"`, "U+2212"},
	} {
		_, _, err := load(t, "65-csv-odd-number-spellings/"+c.file, Options{})
		refused(t, err, Number, c.cell, c.reason, "\n  correct such cells")
	}
	_, _, err := load(t, "65-csv-odd-number-spellings/nan.csv", Options{})
	refused(t, err, Other, ":3: row 2, column 1 (x): the cell is missing", "say --missing median")
	want(t, mustLoad(t, "65-csv-odd-number-spellings/small.csv", Options{}), "p|p|q|q",
		[]float64{0}, []float64{2}, []float64{8}, []float64{9})
	want(t, mustLoad(t, "65-csv-odd-number-spellings/fine.csv", Options{}), "p|p|q|q",
		[]float64{1}, []float64{0.5}, []float64{8}, []float64{9})
}

func TestCase66DecimalComma(t *testing.T) {
	const dir = "66-csv-decimal-comma/"
	for _, sep := range []byte{0, ';'} {
		want(t, mustLoad(t, dir+"decimal-point.csv", Options{Separator: sep}), "p|p|q|q",
			[]float64{1.5}, []float64{1.7}, []float64{8.1}, []float64{8.9})
		want(t, mustLoad(t, dir+"semicolon.csv", Options{Separator: sep, DecimalComma: true}), "p|p|q|q",
			[]float64{1.5, 2.25}, []float64{1.7, 2.5}, []float64{8.1, 9.75}, []float64{8.9, 9.5})
		_, _, err := load(t, dir+"semicolon.csv", Options{Separator: sep})
		refused(t, err, Number, `:2: row 1, column 1 (x): "1,5"`, "--decimal-comma")
		for _, comma := range []bool{false, true} {
			_, _, err = load(t, dir+"thousands.csv", Options{Separator: sep, DecimalComma: comma})
			refused(t, err, Number, `"1.000,92"`)
		}
	}
	_, _, err := load(t, dir+"quoted.csv", Options{})
	refused(t, err, Number, `"1,234.5"`, "thousands")
}

func TestCase67LongIntegers(t *testing.T) {
	const file = "67-csv-19-digit-labels/train.csv"
	_, _, err := load(t, file, Options{})
	refused(t, err, Number, "7310582946137205846", "2^53", "--ignore id")
	tab := mustLoad(t, file, Options{Ignore: []string{"id"}})
	want(t, tab, "30481759260135797531|30481759260135797531|30481759260135797532|30481759260135797532")
	tab = mustLoad(t, file, Options{IDs: "id", Layout: &tab.Layout})
	if got := strings.Join(tab.IDs[0], " "); got != "7310582946137205846 7310582946137205845 7310582946137205844 7310582946137205843" {
		t.Errorf("ids %s", got)
	}
}

func TestCase69HeaderGuess(t *testing.T) {
	const dir = "69-csv-header-guess/"
	numbers := [][]float64{{1, 2}, {2, 3}, {8, 9}, {9, 8}}

	tab := mustLoad(t, dir+"years.csv", Options{Header: WithHeader})
	want(t, tab, "p|p|q|q", numbers...)
	if !slices.Equal(tab.Layout.Names, []string{"2001", "2002"}) || tab.Layout.LabelName != "label" {
		t.Errorf("years: names %q, label %q", tab.Layout.Names, tab.Layout.LabelName)
	}
	_, notices, err := load(t, dir+"years.csv", Options{})
	refused(t, err, Other, `:1: column 3: label "label"`, "--header or --no-header")
	if !strings.Contains(notices, "line 1 read as data") {
		t.Errorf("years: notices %q", notices)
	}
	want(t, mustLoad(t, dir+"years.csv", Options{Label: "label"}), "p|p|q|q", numbers...)

	for file, labels := range map[string]string{"headerless.csv": "p|p|q|q", "all-numeric-headerless.csv": "0|0|1|1"} {
		want(t, mustLoad(t, dir+file, Options{Header: NoHeader}), labels, numbers...)
		tab, notices, err := load(t, dir+file, Options{})
		if err != nil {
			t.Fatal(err)
		}
		want(t, tab, labels, numbers...)
		if !strings.Contains(notices, "line 1 read as data") {
			t.Errorf("%s: notices %q", file, notices)
		}
	}
	_, notices, _ = load(t, "71-label-column-choice/train.csv", Options{})
	if !strings.Contains(notices, `line 1 read as header ("rowid" is not a number)`) {
		t.Errorf("notices %q", notices)
	}
}

func TestCase71LabelColumn(t *testing.T) {
	const file = "71-label-column-choice/train.csv"
	_, _, err := load(t, file, Options{})
	refused(t, err, Number, `:2: row 1, column 1 (rowid): "ab-01" is one of 4 different texts in 4 cells`, "\n  if the label is column 4 (species), the last (if not: --label), say --ignore rowid")
	for _, label := range []string{"", "species", "4"} {
		tab := mustLoad(t, file, Options{Label: label, Ignore: []string{"rowid"}})
		want(t, tab, "p|p|q|q", []float64{1, 2}, []float64{2, 1}, []float64{8, 9}, []float64{9, 8})
	}
	for _, label := range []string{"-1", "0", "5", "colour"} {
		_, _, err := load(t, file, Options{Label: label})
		refused(t, err, Other, label, `"rowid", "x", "y", "species"`, "1 to 4")
	}
	_, _, err = load(t, file, Options{Label: "rowid", Ignore: []string{"species"}})
	refused(t, err, Other, "as many classes as rows (4)", "--label")
}

func TestCase72LibsvmIndexZero(t *testing.T) {
	const dir = "72-libsvm-index-zero/"
	_, _, err := load(t, dir+"train.svm", Options{})
	refused(t, err, Syntax, "train.svm:1: row 1: index 0", "counts from 1", "--zero-based")
	tab := mustLoad(t, dir+"train.svm", Options{ZeroBased: true})
	want(t, tab, "1|1|-1|-1", []float64{1, 0, 5}, []float64{2, 1, 0}, []float64{8, 0, 1}, []float64{9, 0, 0})
	test := mustLoad(t, dir+"test.svm", Options{Layout: &tab.Layout})
	want(t, test, "1|-1", []float64{0, 1, 5}, []float64{0, 0, 1})
}

func TestCase74LibsvmComments(t *testing.T) {
	tab, notices, err := load(t, "74-libsvm-comments-and-empty-rows/train.svm", Options{})
	if err != nil {
		t.Fatal(err)
	}
	want(t, tab, "1|-1|0|1|-1",
		[]float64{1, 0, 2}, []float64{8, 0, 9}, []float64{0, 0, 0}, []float64{0, 4, 0}, []float64{0, 0, 10})
	if !strings.Contains(notices, "qid entries skipped: 1") {
		t.Errorf("notices %q", notices)
	}
	if !slices.Equal(tab.Lines, []int{2, 3, 5, 6, 7}) {
		t.Errorf("lines %v", tab.Lines)
	}
}

func TestCase75LongLines(t *testing.T) {
	tab := mustLoad(t, "75-line-longer-than-64k/train.svm", Options{})
	want(t, tab, "1|-1|1|-1")
	if tab.X.Cols != 9001 {
		t.Errorf("%d columns, want 9001", tab.X.Cols)
	}

	const d = 1 << 16 // cells of 16 bytes
	row := strings.Repeat("1.5000000000000,", d)
	head := "@relation r\n" + strings.Repeat("@attribute x real\n", d) + "@attribute c {p,q}\n@data\n"
	for _, s := range []string{row + "p\n" + row + "p\n" + row + "q\n", head + row + "p\n" + row + "p\n" + row + "q\n"} {
		tab := mustText(t, s, Options{})
		want(t, tab, "p|p|q")
		if tab.X.Cols != d {
			t.Errorf("%d columns, want %d", tab.X.Cols, d)
		}
	}
}

func TestCase77ARFFNominal(t *testing.T) {
	const dir = "77-arff-nominal-spelling/"
	layout := &Layout{Width: 3, Features: []int{0, 1}, Label: 2}
	tab := mustLoad(t, dir+"a.arff", Options{Layout: layout})
	want(t, tab, "cat|guinea pig|o'clock|dog", []float64{1.5, 4}, []float64{2.5, 4}, []float64{3.5, 4}, []float64{4.5, 4})
	if !slices.Equal(tab.Layout.Names, []string{"body length", "legs"}) {
		t.Errorf("names %q", tab.Layout.Names)
	}
	_, _, err := load(t, dir+"a.arff", Options{})
	refused(t, err, Other, "as many classes as rows")

	layout = &Layout{Width: 2, Features: []int{0}, Label: 1}
	want(t, mustLoad(t, dir+"escaped.arff", Options{Layout: layout}), "'T9'|it's|a,b", []float64{1}, []float64{2}, []float64{3})
	_, _, err = load(t, dir+"undeclared.arff", Options{})
	refused(t, err, Syntax, `undeclared.arff:6: column 2 (c): value "c" is not in {"a", "b"}`)
}

func TestCase79ARFFSparse(t *testing.T) {
	const file = "79-arff-sparse-defaults-and-missing/a.arff"
	_, _, err := load(t, file, Options{Ignore: []string{"country"}})
	refused(t, err, Other, "a.arff:9: row 4, column 1 (x)", "1 feature cell missing in 1 of 4 rows")
	tab := mustLoad(t, file, Options{Ignore: []string{"country"}, Missing: DropMissing})
	want(t, tab, "yes|no|yes", []float64{1}, []float64{0}, []float64{3})
	ids := mustLoad(t, file, Options{IDs: "country", Missing: DropMissing, Layout: &tab.Layout})
	if !slices.Equal(ids.IDs[0], []string{"NA", "DE", "FR"}) {
		t.Errorf("countries %q", ids.IDs[0])
	}
	tab = mustLoad(t, file, Options{Missing: "mean"})
	want(t, tab, "yes|no|yes|yes", []float64{1, 2}, []float64{0, 0}, []float64{3, 1}, []float64{math.NaN(), 2})
	few := mustLoad(t, file, Options{Missing: DropMissing})
	want(t, few, "yes|no|yes", []float64{1, 2}, []float64{0, 0}, []float64{3, 1})
	for _, tab := range []*Table{tab, few} {
		if levels := tab.Layout.Columns[1].Levels; !slices.Equal(levels, []string{"DE", "FR", "NA"}) {
			t.Errorf("levels %q", levels)
		}
	}
	const declared = "@relation r\n@attribute g {1,2,3}\n@attribute b {y,n}\n@attribute c {y,n}\n@attribute l {p,q}\n@data\n1,y,n,p\n2,n,y,q\n3,n,y,p\n"
	columns := mustText(t, declared, Options{Format: ARFF, Categories: []string{"c"}}).Layout.Columns
	if got := fmt.Sprint(columns); got != "[{category [1 2 3]} {boolean [n y]} {category [n y]}]" {
		t.Errorf("columns %s", got)
	}
}

func TestCase80Gzip(t *testing.T) {
	const dir = "80-gzip-members-and-truncation/"
	for _, file := range []string{"two-members.csv.gz", "gzip-without-suffix.csv"} {
		want(t, mustLoad(t, dir+file, Options{}), "p|p|q|q", []float64{1}, []float64{2}, []float64{8}, []float64{9})
	}
	for file, why := range map[string]string{
		"truncated.csv.gz":  "truncated",
		"cut-middle.csv.gz": "truncated",
		"padded.csv.gz":     "padding",
		"bad-crc.csv.gz":    "checksum",
		"not-gzip.csv.gz":   "something else",
	} {
		_, _, err := load(t, dir+file, Options{})
		refused(t, err, Other, file, why)
	}
}

// Case 83: a small file that unpacks to gigabytes on one line. The reader must
// stop at its limit; that much does not fit the time of a test, nor any memory.
func TestCase83EndlessLine(t *testing.T) {
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	block := []byte(strings.Repeat("0,", 1<<19))
	for range 8 {
		z.Write(block)
	}
	z.Close()
	_, err := Read("-", io.MultiReader(&packed), Options{})
	refused(t, err, Other, "more than 1048576 cells")

	_, err = text("p 1:1\nq 1000000:1\n"+strings.Repeat("q 1:1\n", 1000), Options{})
	refused(t, err, Memory, "more than 2147483648 bytes", "--rows")

	if testing.Short() {
		t.Skip("records of 64 MiB are left to the long tests")
	}
	for _, s := range []string{`"` + strings.Repeat("0", maxRecord+1), "p 1:" + strings.Repeat("0", maxRecord)} {
		_, err = text(s, Options{})
		refused(t, err, Other, "more than 67108864 bytes")
	}
}
