package table

import (
	"slices"
	"strings"
	"testing"
)

// noticed reads a table from a string, and the notices.
func noticed(s string, opt Options) (*Table, string, error) {
	var notices []string
	opt.Notice = func(s string) { notices = append(notices, s) }
	tab, err := text(s, opt)
	return tab, strings.Join(notices, "\n"), err
}

func contains(t *testing.T, what, s string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(s, w) {
			t.Errorf("%s: %q does not say %q", what, s, w)
		}
	}
}

// Tables without a header whose first row has text.
var headless = map[string]string{
	"ecoli":   "AAT_ECOLI   0.49  0.29  cp\nACEA_ECOLI  0.07  0.40  cp\nACEK_ECOLI  0.56  0.40  im\nEMRA_ECOLI  0.06  0.61  im\n",
	"abalone": "M,0.455,0.365,15\nM,0.35,0.265,7\nF,0.53,0.42,15\nM,0.44,0.365,7\nI,0.33,0.255,7\n",
	"credit":  "b,30.83,u,g,+\na,58.67,u,g,-\na,24.50,y,p,+\nb,27.83,u,g,-\n",
	"unique":  "x1,1,2,3,r\nx2,3,4,5,s\nx3,2,2,2,t\nx4,2,3,4,s\nx5,1,1,1,t\n",
}

func TestFirstRowIsNotLost(t *testing.T) {
	for name, c := range map[string]struct {
		rows  int
		flags string
	}{"ecoli": {4, "--ignore 1 --no-header"}, "abalone": {5, ""}, "credit": {4, ""}, "unique": {5, "--ignore 1 --no-header"}} {
		tab, notices, err := noticed(headless[name], Options{})
		contains(t, name, notices, "line 1 read as data", "--header")
		if c.flags != "" {
			if e := refused(t, err, Number, ":1: row 1, column 1"); e.Flags != c.flags {
				t.Errorf("%s: say %s", name, e.Flags)
			}
			tab, err = text(headless[name], Options{Header: NoHeader, Ignore: []string{"1"}})
		}
		if err != nil || tab.Seen != c.rows {
			t.Errorf("%s: %v, %v", name, tab, err)
		}
	}
	for _, c := range []struct {
		table, words string
		opt          Options
	}{
		{"ecoli", "--no-header --ignore 1", Options{Ignore: []string{"AAT_ECOLI"}}},
		{"abalone", "--no-header --label 1", Options{Label: "M"}},
		{"credit", "--no-header --label 5 --ignore 1", Options{Label: "+", Ignore: []string{"b", "3,4"}}},
	} {
		_, err := text(headless[c.table], c.opt)
		refused(t, err, Other, "stands below again", "is asked for as a name", c.words)
	}
}

func TestHeaderEvidence(t *testing.T) {
	for s, want := range map[string]bool{
		"a,b,c\n1,2,p\n3,4,p\n5,6,q\n":                   true, // above numbers
		"2001,2002,c,label\n1,2,x,p\n3,4,y,p\n5,6,z,q\n": true, // not most of the cells are numbers
		"2001,2002,2003,c,label\n1,2,3,x,p\n3,4,5,y,p\n": false,
		"name,kind,label\nu,v,p\nw,x,p\ny,z,q\n":         true, // nothing above numbers, and nothing stands again
		"a,b,c\n1,2,p\na,b,c\n3,4,p\n5,6,q\n":            true, // a repeated header is no data
		"a,?,c\n1,,p\n3,4,p\n5,6,q\n":                    true,
		"1,2,p\n3,4,p\n5,6,q\n":                          false,
		"1,?,p\n3,4,p\n5,6,q\n":                          false,
	} {
		b := newBuilder("f", Options{})
		src := newSeparated(readerOf([]byte(s)), ',')
		first, err := src.next()
		if err != nil {
			t.Fatal(err)
		}
		b.width = len(first.cells)
		first.cells = slices.Clone(first.cells)
		if err := b.readHeader(first, src.ahead()); err != nil || (b.names != nil) != want {
			t.Errorf("%q: names %q, error %v", s, b.names, err)
		}
	}
	// A name like a class, and a bad cell in the first row: both can be meant.
	for _, s := range []string{"x,y,p\n1,2,p\n3,4,q\n5,6,q\n", "oops,2,p\n1,2,p\n3,4,q\n5,6,q\n"} {
		_, err := text(s, Options{})
		refused(t, err, Other, `"p" stands below again, as in data`, "is above numbers, as a name", "--header or --no-header")
		if tab, err := text(s, Options{Header: WithHeader}); err != nil || tab.Seen != 3 {
			t.Errorf("%q with a header: %v", s, err)
		}
	}
	// A cell that is cut where the buffer ends is not "p".
	cut := "x,y,p\n100000,2,q\n" + strings.Repeat("1,2,q\n", 10920) + "1,2,pp\n"
	if _, err := text(cut, Options{}); err != nil {
		t.Error(err)
	}
	// The same beyond what is looked at.
	far := "x,y,p\n" + strings.Repeat("1.00000000,2,q\n3,4.000000000,r\n", 3000) + "5,6,p\n5,6,p\n"
	_, err := text(far, Options{})
	refused(t, err, Other, `:1: column 3: "p" stands below again, as a label`)
	if _, err := text(far, Options{Header: WithHeader}); err != nil {
		t.Error(err)
	}
}

// A row that is not selected does not make the header doubtful.
func TestHeaderOfRowsThatAreNotSelected(t *testing.T) {
	const s = "2001,2002,label\n1,2,once\n2,3,p\n8,9,q\n9,8,q\n7,7,p\n"
	_, err := text(s, Options{})
	refused(t, err, Other, `:1: column 3: label "label"`)
	if tab, err := text(s, Options{Rows: Range{Start: 1}}); err != nil || tab.X.Rows != 5 {
		t.Errorf("%v, %v", tab, err)
	}
}

func TestColumnsNamedAreNoFeatures(t *testing.T) {
	model := mustText(t, "1,0,p\n2,0,p\n3,1,q\n", Options{Header: NoHeader})
	for _, c := range []struct {
		in  string
		opt Options
		row []float64
	}{
		{"9,8,7\n", Options{Unlabelled: true}, []float64{9, 8}},
		{"9,8,7\n", Options{Unlabelled: true, IDs: "1"}, []float64{8, 7}},
		{"9,8,7\n", Options{Unlabelled: true, IDs: "3"}, []float64{9, 8}},
		{"9,8,7\n", Options{Unlabelled: true, Ignore: []string{"2"}}, []float64{9, 7}},
		{"p,8,7\n", Options{Label: "1"}, []float64{8, 7}},
		{"8,p,7\n", Options{Label: "2"}, []float64{8, 7}},
		{"x,p,8,7\n", Options{Label: "2", Ignore: []string{"1"}}, []float64{8, 7}},
	} {
		c.opt.Layout, c.opt.Header = &model.Layout, NoHeader
		tab, err := text(c.in, c.opt)
		if err != nil || !slices.Equal(tab.X.Row(0), c.row) {
			t.Errorf("%q %+v: %v, want %v", c.in, c.opt, err, c.row)
		}
	}
	_, err := text("9,8,7,6,5\n", Options{Layout: &model.Layout, Unlabelled: true, IDs: "1", Header: NoHeader})
	refused(t, err, Columns, "4 columns besides", "needs 2", "--ignore 4,5")
	_, err = text("9,8,7,6,5\n", Options{Layout: &model.Layout, Header: NoHeader})
	refused(t, err, Columns, "--label 3 --ignore 4,5")
	_, err = text("9,8\n", Options{Layout: &model.Layout, Header: NoHeader})
	refused(t, err, Columns, "no label", "--label")

	named := mustText(t, "x,y,c\n1,0,p\n2,0,p\n3,1,q\n", Options{})
	for _, opt := range []Options{{IDs: "x"}, {Ignore: []string{"x"}}, {Label: "x"}} {
		opt.Layout, opt.Unlabelled = &named.Layout, opt.Label == ""
		_, err := text("x,y,c\n1,0,p\n", opt)
		refused(t, err, Columns, "column 1 (x) is a feature of the model")
	}
}

// What is matched by position, and what is not used, is said.
func TestNoticesOfMatching(t *testing.T) {
	named, nameless := "x,y,c\n1,0,p\n2,0,p\n3,1,q\n", "1,0,p\n2,0,p\n3,1,q\n"
	const byPosition, notUsed = "taken by position", "not used by the model"
	for _, c := range []struct {
		model, in string
		opt       Options
		want      []string
	}{
		{named, "x,y,c\n1,2,p\n", Options{}, nil},
		{named, "y,x\n1,2\n", Options{Unlabelled: true}, nil},
		{named, "x,y,other\n1,2,3\n", Options{Unlabelled: true}, []string{notUsed + `: "other"`}},
		{named, "x,y,c,other\n1,2,p,3\n", Options{Unlabelled: true}, []string{notUsed + `: "other"`}},
		{named, "x,y,other\n1,2,3\n", Options{Unlabelled: true, IDs: "other"}, nil},
		{named, "1,2,p\n", Options{Header: NoHeader}, []string{"columns 1, 2 are " + byPosition}},
		{named, "1,2,3\n", Options{Header: NoHeader, Unlabelled: true}, []string{"columns 1, 2 are " + byPosition, notUsed + ": column 3"}},
		{named, "1,2\n", Options{Header: NoHeader, Unlabelled: true}, []string{"columns 1, 2 are " + byPosition}},
		{nameless, "u,v,w\n1,2,p\n", Options{Header: WithHeader}, []string{"columns 1, 2 are " + byPosition}},
		{nameless, "1,2,p\n", Options{Header: NoHeader}, nil},
		{nameless, "1,2,3\n", Options{Header: NoHeader, Unlabelled: true}, []string{notUsed + ": column 3"}},
		{nameless, "1,2,3\n", Options{Header: NoHeader, Unlabelled: true, IDs: "3"}, nil},
		{named, "p 1:2\n", Options{Format: Libsvm}, []string{"indices are taken for the features"}},
	} {
		model := mustText(t, c.model, Options{})
		c.opt.Layout = &model.Layout
		if c.opt.Header == GuessHeader {
			c.opt.Header = WithHeader
		}
		_, notices, err := noticed(c.in, c.opt)
		if got := strings.Count(notices, "\n") + 1; err != nil || notices != "" && got != len(c.want) || notices == "" && c.want != nil {
			t.Errorf("%q after %q: %v, notices %q, want %q", c.in, c.model, err, notices, c.want)
		}
		contains(t, c.in, notices, c.want...)
	}
}

// Names that are empty or stand twice are no names of their own: their columns are taken
// in order, with a notice, and only if there are as many.
func TestNamesThatAreNotUnique(t *testing.T) {
	model, notices, err := noticed(",x,x,y,label\n1,2,3,4,p\n2,2,3,4,p\n3,8,9,7,q\n", Options{})
	if err != nil {
		t.Fatal(err)
	}
	contains(t, "model", notices, "column 1 without a name", "--ignore 1", `columns 2, 3 have names that stand twice: "x"`)
	for in, row := range map[string][]float64{
		",x,x,y,label\n1,2,3,4,p\n": {1, 2, 3, 4},
		"y,x,,label,x\n4,2,1,p,3\n": {1, 2, 3, 4},
	} {
		tab, notices, err := noticed(in, Options{Layout: &model.Layout})
		if err != nil || !slices.Equal(tab.X.Row(0), row) {
			t.Errorf("%q: %v, want %v", in, err, row)
		}
		contains(t, in, notices, "without names of their own", "taken in the order of the columns")
	}
	one, _, err := noticed(",x,label\n1,2,p\n2,2,p\n3,8,q\n", Options{})
	if err != nil {
		t.Fatal(err)
	}
	tab, notices, err := noticed("x,,label\n2,1,p\n", Options{Layout: &one.Layout})
	if err != nil || !slices.Equal(tab.X.Row(0), []float64{1, 2}) {
		t.Errorf("an empty name: %v", err)
	}
	contains(t, "an empty name", notices, "taken in the order of the columns: column 2")
	for in, words := range map[string]string{
		"x,x,y,label\n2,3,4,p\n":          "lacks: one without a name",
		",,x,x,y,label\n1,1,2,3,4,p\n":    "the model has 1 column without a name, the file 2 (columns 1, 2)",
		",x,y,label\n1,2,4,p\n":           `lacks: "x"`,
		",x,x,x,y,label\n1,2,3,5,4,p\n":   `the model has 2 columns of the name "x", the file 3`,
		",x,x,y,label,label\n1,2,3,4,p,q": `columns 5, 6 have the name of the label, "label"; name it, as with --label 6`,
	} {
		_, err := text(in, Options{Layout: &model.Layout, Header: WithHeader})
		refused(t, err, Columns, words)
	}
	if _, err := text(",x,x,x,y,label\n1,2,3,5,4,p\n", Options{Layout: &model.Layout, Header: WithHeader, Ignore: []string{"4"}}); err != nil {
		t.Error(err)
	}
}
