package table

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

var nan = math.NaN()

// What the columns of a training table are read as, and what is said of it.
func TestKinds(t *testing.T) {
	for _, c := range []struct {
		what, in string
		opt      Options
		rows     [][]float64
		columns  []Column
		notices  []string
	}{
		{"texts", "x,c,y\n1,b,p\n2,a,q\n3,b,p\n4,c,q\n5,c,q\n", Options{}, [][]float64{{1, 1}, {2, 0}, {3, 1}, {4, 2}, {5, 2}},
			[]Column{{}, {Category, []string{"a", "b", "c"}}}, []string{"read as categories: column 2 (c) with 3 levels"}},
		{"few numbers among texts", "c,y\nA1,p\n7.0,q\nA1,p\n7,q\nB,p\nB,q\n", Options{}, [][]float64{{1}, {0}, {1}, {0}, {2}, {2}},
			[]Column{{Category, []string{"7", "A1", "B"}}}, nil},
		{"a boolean", "b,y\nTRUE,p\nFalse,q\ntrue,p\n", Options{}, [][]float64{{1}, {0}, {1}},
			[]Column{{Boolean, []string{"false", "true"}}}, []string{"read as 0 and 1: column 1 (b) (true is 1)"}},
		{"another", "b,z,y\nn,F,p\ny,T,q\ny,F,p\n", Options{}, [][]float64{{0, 0}, {1, 1}, {1, 0}},
			[]Column{{Boolean, []string{"n", "y"}}, {Boolean, []string{"f", "t"}}}, nil},
		{"one word is no boolean", "b,y\nyes,p\nyes,q\nyes,p\n", Options{}, [][]float64{{0}, {0}, {0}},
			[]Column{{Category, []string{"yes"}}}, nil},
		{"dates", "d,e,y\n1970-01-02,2 Jan 1970,p\n1970-01-03T12:00:00,3 Jan 1970,q\n1969-12-31 00:00:00,31 Dec 1969,p\n", Options{},
			[][]float64{{1, 1}, {2.5, 2}, {-1, -1}}, []Column{{Kind: Date}, {Kind: Date}}, []string{"read as days since 1970-01-01: column 1 (d), column 2 (e)"}},
		{"an offset", "d,y\n1970-01-02T01:00:00+01:00,p\n1970-01-02T00:00:00Z,q\n1970-01-03,q\n", Options{}, [][]float64{{1}, {1}, {2}}, []Column{{Kind: Date}}, nil},
		{"codes", "x,zip,y\n1,07,p\n2,12,q\n3,7.0,p\n4,12,q\n", Options{Categories: []string{"zip"}}, [][]float64{{1, 1}, {2, 0}, {3, 1}, {4, 0}},
			[]Column{{}, {Category, []string{"12", "7"}}}, nil},
		{"a unit", "m,t,y\n60 kg,-1.5%,p\n,12%,q\n7.5kg,1e1 %,q\n", Options{Missing: "mean"}, [][]float64{{60, -1.5}, {nan, 12}, {7.5, 10}},
			[]Column{{Measure, []string{"kg"}}, {Measure, []string{"%"}}}, []string{`read as numbers: column 1 (m) in "kg", column 2 (t) in "%"`}},
		{"ordinals and codes", "m,t,y\n1st,5A,p\n2nd,6B,q\n1st,5A,p\n", Options{}, [][]float64{{0, 0}, {1, 1}, {0, 0}},
			[]Column{{Category, []string{"1st", "2nd"}}, {Category, []string{"5A", "6B"}}}, nil},
		{"a text of a row that is dropped", "x,m,y\n1,2,p\n,oops,q\n3,4,q\n5,6,q\n", Options{Missing: DropMissing}, [][]float64{{1, 2}, {3, 4}, {5, 6}}, nil, nil},
		{"numbers", "x,y\n1,p\n2,q\n3,q\n", Options{}, [][]float64{{1}, {2}, {3}}, nil, nil},
		{"filled", "x,c,y\n1,,p\n.,a,q\nNaN,b,p\n4,a,q\nnan,b,q\n", Options{Missing: "mean"}, [][]float64{{1, nan}, {nan, 0}, {nan, 1}, {4, 0}, {nan, 1}},
			[]Column{{}, {Category, []string{"a", "b"}}}, []string{"filled in (--missing mean): 4 feature cells missing in 4 of 5 rows (column 1 (x): 3, column 2 (c): 1)"}},
		{"markers", "x,y\n-9,p\n1,q\nunknown,p\n2,q\n", Options{Missing: "median", Markers: []string{"-9", "unknown"}}, [][]float64{{nan}, {1}, {nan}, {2}}, nil, nil},
		{"a level of a row that is dropped", "x,c,y\n1,a,p\n,rare,q\n2,b,q\n3,a,p\n4,b,p\n", Options{Missing: DropMissing}, [][]float64{{1, 0}, {2, 1}, {3, 0}, {4, 1}},
			[]Column{{}, {Category, []string{"a", "b"}}}, []string{"left out: 1 feature cell missing in 1 of 5 rows", "on line 3"}},
		{"no label", "x,y\n1,p\n,q\n3,\n4,q\n", Options{Missing: "indicator"}, [][]float64{{1}, {nan}, {4}}, nil,
			[]string{"left out: 1 label missing in 1 of 4 rows (column 2 (y): 1), on line 4", "filled in (--missing indicator): 1 feature cell missing in 1 of 3 rows (column 1 (x): 1)"}},
	} {
		c.opt.Header = WithHeader
		tab, notices, err := noticed(c.in, c.opt)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		var rows [][]float64
		for i := range tab.X.Rows {
			rows = append(rows, tab.X.Row(i))
		}
		if fmt.Sprint(rows) != fmt.Sprint(c.rows) || !reflect.DeepEqual(tab.Layout.Columns, c.columns) {
			t.Errorf("%s: rows %v, columns %+v", c.what, rows, tab.Layout.Columns)
		}
		contains(t, c.what, notices, c.notices...)
		// A model file remembers it, and reads the same file in the same way.
		var layout Layout
		text2, _ := tab.Layout.MarshalText()
		if err := layout.UnmarshalText(text2); err != nil {
			t.Errorf("%s: %v in %s", c.what, err, text2)
		}
		again, err := text(c.in, Options{Layout: &layout, Header: WithHeader})
		if err != nil || fmt.Sprint(again.X.Data) != fmt.Sprint(tab.X.Data) {
			t.Errorf("%s: read again %v, %v", c.what, again, err)
		}
	}
}

// Dates that are too many to be kept as texts are days all the same.
func TestManyDates(t *testing.T) {
	var s strings.Builder
	s.WriteString("d,y\n")
	for i := range 3 * maxLevels {
		fmt.Fprintf(&s, "%04d-01-%02dT%02d:00:00,%d\n", 1970+i/600, 1+i/24%25, i%24, i%2)
	}
	tab := mustText(t, s.String(), Options{Header: WithHeader})
	if got := tab.X.At(600, 0); got != 365 || tab.Layout.Columns[0].Kind != Date || tab.X.At(1, 0) != 1./24 {
		t.Errorf("row 600 is %v, of %+v", got, tab.Layout.Columns)
	}
	_, err := text(s.String()+"soon,1\n", Options{Header: WithHeader})
	refused(t, err, Number, `:3002: row 3001, column 1 (d): "soon" is not a date such as 2020-01-31`)
	_, err = text(strings.ReplaceAll(s.String(), "T", "x"), Options{Header: WithHeader})
	refused(t, err, Number, "one of more than 1000 different texts in 3000 cells", "no other column is left")
}

// What can't be read as it is: all of it at once, with flags that help.
func TestTroubles(t *testing.T) {
	const people = "name,age,sex,cabin,fare,class\nA B,1,f,,1,x\nC D,2,m,c1,2,x\nE F,,m,,3,y\nG H,4,f,c2,4,y\nI J,5,f,c3,5,\n"
	numbers := "x,z,y\n" + strings.Repeat("1,2,p\n3,4,q\n", 10)
	for _, c := range []struct {
		what, in string
		opt      Options
		flags    string
		words    []string
	}{
		{"many", people, Options{}, "--ignore name,cabin --missing median", []string{`:2: row 1, column 1 (name): "A B" is one of 5 different texts in 5 cells, too many`,
			"\n  line 3, column 4 (cabin): \"c1\" is one of 3 different texts in 3 cells", "1 feature cell and 1 label missing in 2 of 5 rows (column 2 (age): 1, column 6 (class): 1)"}},
		{"the same with a rule", people, Options{Missing: "mean"}, "--ignore name", nil},
		{"odd cells", numbers + "oops,5,p\n", Options{}, "--missing median --missing-values 'oops'", []string{`:22: row 21, column 1 (x): "oops" is not a number` + "\n  correct such cells, or if the label is column 3 (y), the last (if not: --label), say "}},
		{"odd cells of several kinds", numbers + "a,b,p\nc,2,q\n", Options{Missing: "mean"}, "--missing-values 'a,c,b'", []string{`"a" is not a number; 2 of 22 cells are such, as "c" in line 23`}},
		{"many odd cells", "x,y,l\n1,1,p\n2,2,q\n3,3,p\nfour,4,q\nfive,5,p\n", Options{}, "--ignore x", []string{`:5: row 4, column 1 (x): "four" is not a number`}},
		{"odd numbers", "x,z,y\n1,2,p\n0x2,3,q\n3,4,p\n", Options{}, "--ignore x", []string{`"0x2" is not a decimal number`}},
		{"decimal commas", "a;b;c\n1,5;x;p\n2,5;x;p\n3;z;q\n", Options{}, "--decimal-comma", []string{`"1,5" is not a number; if the comma is the decimal mark`}},
		{"dates in two ways", "d,x,y\n01/02/2020,1,p\n03/02/2020,2,q\n", Options{}, "--ignore d", []string{`"01/02/2020" is a date that may be read in two ways; write 2020-01-31`}},
		{"dates of several kinds", "d,x,y\n" + strings.Repeat("# Jan 2020,1,p\n", 25) + "3 Feb 2020,1,q\n01/02/2020,2,q\n", Options{}, "--ignore d", []string{`:28: row 27, column 1 (d): "01/02/2020" is a date that may be read in two ways`}},
		{"a date that is none", "d,x,y\n" + strings.Repeat("# Jan 2020,1,p\n", 25) + "soon,1,q\n", Options{}, "--missing median --missing-values 'soon'", []string{`:27: row 26, column 1 (d): "soon" is not a date`}},
		{"two units", "m,x,y\n" + strings.Repeat("# kg,1,p\n", 25) + "140 lb,1,q\n", Options{}, "--ignore m", []string{`has mixed units: "kg" in line 2, "lb" in line 27; convert them to one`}},
		{"two units that repeat", "m,x,y\n" + strings.Repeat("5 kg,1,p\n9 lb,2,q\n", 20), Options{}, "--ignore m", []string{`has mixed units: "kg" in line 2, "lb" in line 3`}},
		{"a number without the unit", "m,x,y\n" + strings.Repeat("# kg,1,p\n", 25) + "60,1,q\n", Options{}, "--ignore m", []string{`:27: row 26, column 1 (m): "60" is not a number in kg`}},
		{"a number among dates", "d,x,y\n" + strings.Repeat("# Jan 2020,1,p\n", 25) + "45000,1,q\n", Options{}, "--ignore d", []string{`:27: row 26, column 1 (d): "45000" is not a date`}},
		{"a text among dates that repeat", "d,x,y\n" + strings.Repeat("2 Jan 2020,1,p\n3 Jan 2020,2,q\n", 10) + "soon,1,q\n", Options{}, "--missing median --missing-values 'soon'", []string{`:22: row 21, column 1 (d): "soon" is not a date`}},
		{"merged labels", "x,y\n1,p\n2,\n3,\n4,q\n5,\n6,\n", Options{}, "", []string{"4 labels missing", "has to stand in each of them: fill it down"}},
		{"commas that separate and are decimal", "1,5,p\n2,5,q\n3,5,p\n", Options{DecimalComma: true, Separator: ',', Header: NoHeader}, "", []string{"no number holds a comma, which has to stand in quotes then"}},
		{"an empty column", "e,x,y\n,1,p\n,2,q\nNA,3,q\n", Options{}, "--ignore e", []string{"column 1 (e): all cells are missing"}},
		{"row numbers besides", "n,name,x,y\n" + strings.Repeat("#,name #,1,p\n", 12), Options{}, "--ignore n,name", []string{"only counting the rows: column 1 (n)"}},
		{"nothing is left", "a,y\nu,p\nv,q\nw,q\n", Options{}, "", []string{"no other column is left"}},
		{"a column by position", "1,a,p\n2,b,p\n3,c,q\n4,d,q\n", Options{Header: GuessHeader}, "--ignore 2 --no-header", nil},
		{"names as data", numbers, Options{Header: NoHeader}, "", []string{`:1: row 1, column 1: "x" is not a number`, "\n  line 1 looks like names: leave out the flag that makes it data (--no-header)"}},
		{"no rows are left", "a,b,y\n1,,p\n,2,q\n", Options{Missing: DropMissing}, "", []string{"no rows without missing cells; to fill the cells in say --missing median"}},
		{"one class is left", "a,y\n,p\n1,q\n2,q\n,p\n", Options{Missing: DropMissing}, "", []string{"found 1: q; to fill the cells in say --missing median"}},
		{"another separator", "x,y,l\n1,2;3,p\n2,3;4,q\n3,3;4,p\n", Options{}, "--ignore y", []string{`"2;3" is a text, and all such hold ";"`, "guessed to be comma"}},
		{"categories of too many", "x,c,y\n" + strings.Repeat("1,#,p\n", maxLevels+1), Options{Categories: []string{"c"}}, "--ignore c", []string{"1001 different texts"}},
	} {
		lines := strings.SplitAfter(c.in, "\n")
		for k, line := range lines {
			lines[k] = strings.ReplaceAll(line, "#", fmt.Sprint(k))
		}
		if c.opt.Header == GuessHeader && c.what != "a column by position" {
			c.opt.Header = WithHeader
		}
		_, err := text(strings.Join(lines, ""), c.opt)
		e := refused(t, err, anyKind, c.words...)
		if e.Flags != c.flags {
			t.Errorf("%s: say %q, want %q; %v", c.what, e.Flags, c.flags, err)
		}
	}
}

// New rows for a model of all kinds of columns.
func TestNewRowsOfAllKinds(t *testing.T) {
	const train = "x,c,b,d,y\n1,u,no,2020-01-01,p\n2,v,yes,2020-01-02,q\n3,u,no,2020-01-03,p\n,v,no,2020-01-04,q\n"
	model := mustText(t, train, Options{Missing: "median", Header: WithHeader}).Layout
	plain := model
	plain.Missing = ""
	for _, c := range []struct {
		in     string
		layout Layout
		opt    Options
		row    []float64
		words  string // of a notice or an error
	}{
		{"7,v,YES,1970-01-03", model, Options{}, []float64{7, 1, 1, 2}, ""},
		{"?,w,no,", model, Options{}, []float64{nan, 2, 0, nan}, `column 2 (c): 1 of 1 rows have levels that no training row has and count as none of them: "w" 1`},
		{"7,v,maybe,1970-01-03", model, Options{}, nil, `column 3 (b): "maybe" is neither "no" nor "yes"`},
		{"7,v,1,1970-01-03", model, Options{}, []float64{7, 1, 1, 2}, ""},
		{"7,v,F,1970-01-03", model, Options{}, []float64{7, 1, 0, 2}, ""},
		{"7,v,2,1970-01-03", model, Options{}, nil, `"2" is neither "no" nor "yes"`},
		{"7,v,no,03/01/1970", model, Options{}, nil, `"03/01/1970" is not a date such as 2020-01-31`},
		{"seven,v,no,soon", model, Options{}, nil, `"seven" is not a number; such cells are in column 4 (d) too`},
		{",v,no,1970-01-03", plain, Options{}, nil, "the model has no values to fill in, for it was fitted without --missing"},
		{",v,no,1970-01-03", model, Options{Missing: RefuseMissing}, nil, "the cell is missing"},
		{"7,5,no,1970-01-03", model, Options{}, []float64{7, 2, 0, 2}, `"5" 1`},
	} {
		c.opt.Layout, c.opt.Unlabelled, c.opt.Header = &c.layout, true, WithHeader
		tab, said, err := noticed("x,c,b,d\n"+c.in+"\n", c.opt)
		if err != nil {
			said = err.Error()
		}
		if (err == nil) != (c.row != nil) || err == nil && fmt.Sprint(tab.X.Row(0)) != fmt.Sprint(c.row) || !strings.Contains(said, c.words) {
			t.Errorf("%s: %v, said %q", c.in, tab, said)
		}
	}
}

// Columns are named by ranges of positions or of names, wherever they are named.
func TestColumnRanges(t *testing.T) {
	const in = "a,x1,x2,x3,b:c,y\n1,2,3,4,5,p\n2,3,4,5,6,q\n3,3,4,5,6,q\n"
	for _, c := range []struct {
		opt   Options
		names string
	}{
		{Options{Ignore: []string{"x1:x3"}}, "a b:c"}, {Options{Ignore: []string{"2-4"}}, "a b:c"}, {Options{Ignore: []string{"a,3-4"}}, "x1 b:c"},
		{Options{Ignore: []string{"x2:b:c"}}, "a x1"}, {Options{Ignore: []string{"b:c"}}, "a x1 x2 x3"}, {Options{Ignore: []string{"a:2", "#3-#3"}}, "x3 b:c"},
		{Options{IDs: "a:x2"}, "x3 b:c"}, {Options{Label: "6-6", Ignore: []string{"1"}}, "x1 x2 x3 b:c"}, {Options{Categories: []string{"x1:x2"}}, "a x1 x2 x3 b:c"},
	} {
		tab, err := text(in, c.opt)
		if err != nil || strings.Join(tab.Layout.Names, " ") != c.names {
			t.Errorf("%+v: %v, %v", c.opt, tab, err)
			continue
		}
		if c.opt.IDs != "" && fmt.Sprint(tab.IDs, tab.IDNames) != "[[1 2 3] [2 3 3] [3 4 4]] [a x1 x2]" {
			t.Errorf("ids %v of %v", tab.IDs, tab.IDNames)
		}
	}
	if tab := mustText(t, "1,2,3,p\n4,5,6,q\n7,5,6,q\n", Options{Header: NoHeader, Ignore: []string{"1-2"}}); tab.X.Cols != 1 {
		t.Errorf("%d columns", tab.X.Cols)
	}
	for ref, words := range map[string]string{"x3:x1": "the range ends before it begins", "x1:z": `no column "x1:z"`, "0-2": `no column "0-2"`, "2-9": `no column "9"`} {
		_, err := text(in, Options{Ignore: []string{ref}})
		refused(t, err, Other, words)
	}
	_, err := text(in, Options{Label: "x1:x2"})
	refused(t, err, Other, "--label x1:x2 names 2 columns")
	_, err = text(in, Options{Label: "y", Categories: []string{"y"}})
	refused(t, err, Other, "is no feature")
}
