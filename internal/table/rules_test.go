package table

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestNumberSyntax(t *testing.T) {
	for cell, want := range map[string]float64{
		"0": 0, "-0": math.Copysign(0, -1), "+1": 1, ".5": 0.5, "8.": 8, "1e3": 1000, "1E-3": 1e-3, "1.e+2": 100,
		" \t7 ": 7, "007": 7, "9007199254740992": 1 << 53, "18014398509481984": 1 << 54, "9007199254740993.0": 1 << 53,
		"1.7976931348623157e308": math.MaxFloat64, "5e-324": 5e-324, "2e-324": 0, "1e-400": 0, "100000000000000000000": 1e20,
	} {
		if got, reason := parseNumber(cell, notation{mark: '.'}); reason != "" || math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%q: %v %q, want %v", cell, got, reason, want)
		}
	}
	for _, cell := range []string{
		"", ".", "+", "-.", "e5", "1e", "1e+", "1.2.3", "--1", "+-1", "1 2", "1,5", "0x10", "0b1", "1_0", "nan", "NaN", "+Inf", "infinity",
		"1e309", "-1e309", "9007199254740993", "1d5", "1f", "١", "１", "−1", "\u00a01", "1\r", "$1", "1%", "1'000", "TRUE",
	} {
		if got, reason := parseNumber(cell, notation{mark: '.'}); reason == "" {
			t.Errorf("%q is read as %v", cell, got)
		}
	}
	if v, reason := parseNumber("-1,5e2", notation{mark: ','}); v != -150 || reason != "" {
		t.Errorf("decimal comma: %v %q", v, reason)
	}
	if _, reason := parseNumber("1.5", notation{mark: ','}); !strings.Contains(reason, "point") {
		t.Errorf("point with decimal comma: %q", reason)
	}
}

func TestQuotes(t *testing.T) {
	for s, want := range map[string][]string{
		`a,"b,c",d`:          {"a", "b,c", "d"},
		`"a""b",""`:          {`a"b`, ""},
		` "a" , " b " `:      {"a", " b "},
		`5" pipe,a"b"`:       {`5" pipe`, `a"b"`},
		"\"a\r\nb\rc\",d":    {"a\r\nb\rc", "d"},
		"a,b\r":              {"a", "b"},
		"a, b c \t,":         {"a", "b c", ""},
		"\xff\xfe,\xc3\xa4":  {"\xff\xfe", "ä"},
		"'a,b'":              {"'a", "b'"},
		"\"\",\"\"\"\",\"\"": {"", `"`, ""},
	} {
		rec, err := newSeparated(readerOf([]byte(s)), ',').next()
		if err != nil {
			t.Errorf("%q: %v", s, err)
			continue
		}
		var got []string
		for _, c := range rec.cells {
			got = append(got, c.text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
	for s, line := range map[string]int{"a,b\n1,\"open\n\n": 2, "a,b\nc,d\ne,\"f\"g\n": 3} {
		src := newSeparated(readerOf([]byte(s)), ',')
		var err error
		for err == nil {
			_, err = src.next()
		}
		if e := refused(t, err, Syntax, "quoted cell"); e.Line != line || e.Column != 2 {
			t.Errorf("%q: error data %+v", s, e)
		}
	}
}

func TestBlankSeparated(t *testing.T) {
	tab := mustText(t, "  1.5   2\t\"a b\"  \n\n\t3 4 \"a b\"\r\n5\t\t6 c", Options{Separator: ' '})
	want(t, tab, "a b|a b|c", []float64{1.5, 2}, []float64{3, 4}, []float64{5, 6})
	if !slices.Equal(tab.Lines, []int{1, 3, 4}) {
		t.Errorf("lines %v", tab.Lines)
	}
}

func TestNotText(t *testing.T) {
	for s, words := range map[string]string{
		"\xff\xfea\x00,\x00\n":   "UTF-16",
		"\xfe\xff\x00a\x00,\x00": "UTF-16",
		"a,b\n1,\x00\n":          "zero byte",
		"p 1:1\n\x00 1:2\n":      "zero byte",
	} {
		_, err := text(s, Options{})
		refused(t, err, Syntax, words)
	}
}

func TestLabelsAreKeptByteForByte(t *testing.T) {
	tab := mustText(t, "1, a \n2,\" a \"\n3,a\n4,\xe4\n5,\"NA\"\n6,a\n", Options{})
	want(t, tab, "a| a |a|\xe4|NA|a")
	for _, l := range tab.Labels {
		again, err := text("1,"+Quote(l)+"\n", Options{Layout: &Layout{Width: 2, Features: []int{0}, Label: 1}})
		if err != nil || again.Labels[0] != l {
			t.Errorf("label %q written as %s: %v, error %v", l, Quote(l), again, err)
		}
	}
}

func TestRange(t *testing.T) {
	for s, want := range map[string][]int{
		"0::2": {0, 2, 4}, "1::2": {1, 3, 5}, ":3": {0, 1, 2}, "4:": {4, 5}, "::": {0, 1, 2, 3, 4, 5}, "1:4:2": {1, 3}, ":0": nil, "3:1": nil,
	} {
		r, err := ParseRange(s)
		if err != nil {
			t.Errorf("%s: %v", s, err)
			continue
		}
		var got []int
		for i := range 6 {
			if r.Has(i) {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", s, got, want)
		}
		if again, err := ParseRange(r.String()); err != nil || again.String() != r.String() {
			t.Errorf("%s: written as %s, read as %s, %v", s, r, again, err)
		}
	}
	for _, s := range []string{"", "1", "a:", "-1:", "0::0", "::-1", "1:2:3:4", "1.5:"} {
		if r, err := ParseRange(s); err == nil {
			t.Errorf("%q is read as %v", s, r)
		}
	}
	tab := mustText(t, "0,p\nx,p\n2,p\n,q\n4,q\n", Options{Rows: Range{Step: 2}})
	want(t, tab, "p|p|q", []float64{0}, []float64{2}, []float64{4})
	if !slices.Equal(tab.Rows, []int{0, 2, 4}) || tab.Seen != 5 {
		t.Errorf("rows %v of %d", tab.Rows, tab.Seen)
	}
	_, err := text("0,p\n1,q\n", Options{Rows: Range{Start: 7}})
	refused(t, err, Other, "rows in the selection 7::1 of 2 rows")
}

// How other files are matched to the table of training.
func TestLayouts(t *testing.T) {
	named := mustText(t, "id,b,a,y\nr,1,2,p\ns,3,4,p\nt,5,6,q\n", Options{Ignore: []string{"id"}})
	nameless := mustText(t, "r,1,2,p\ns,3,4,p\nt,5,6,q\n", Options{Ignore: []string{"1"}, Header: NoHeader})
	for _, c := range []struct {
		what, in  string
		model     *Table
		opt       Options
		row       []float64
		label, id string
	}{
		{"reordered, without label", "a,b\n9,8\n", named, Options{Unlabelled: true}, []float64{8, 9}, "", ""},
		{"reordered, extra text, label", "y,a,note,b\np,9,hello,8\n", named, Options{}, []float64{8, 9}, "p", ""},
		{"another label", "a,b,z\n9,8,p\n", named, Options{Label: "z"}, []float64{8, 9}, "p", ""},
		{"ids", "id,a,b,y\nr7,9,8,p\n", named, Options{IDs: "id"}, []float64{8, 9}, "p", "r7"},
		{"no header, as wide as in training", "r,8,9,p\n", named, Options{}, []float64{8, 9}, "p", ""},
		{"no header, features only", "8,9\n", named, Options{Unlabelled: true}, []float64{8, 9}, "", ""},
		{"no header, features and label", "8,9,p\n", named, Options{}, []float64{8, 9}, "p", ""},
		{"no header, id first", "r7,8,9,p\n", nameless, Options{IDs: "1"}, []float64{8, 9}, "p", "r7"},
		{"no names in the model", "u,v,w,x\nr,8,9,p\n", nameless, Options{}, []float64{8, 9}, "p", ""},
		{"no names in the model, other width", "v,w\n8,9\n", nameless, Options{Unlabelled: true}, []float64{8, 9}, "", ""},
		{"label first", "p,8,9\n", nameless, Options{Label: "1"}, []float64{8, 9}, "p", ""},
		{"libsvm", "p 1:8 2:9\n", nameless, Options{}, []float64{8, 9}, "p", ""},
		{"libsvm, shorter", "p 1:8\n", nameless, Options{}, []float64{8, 0}, "p", ""},
	} {
		c.opt.Layout = &c.model.Layout
		tab, err := text(c.in, c.opt)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if !slices.Equal(tab.X.Row(0), c.row) {
			t.Errorf("%s: %v, want %v", c.what, tab.X.Row(0), c.row)
		}
		if c.label != "" && tab.Labels[0] != c.label {
			t.Errorf("%s: label %q, want %q", c.what, tab.Labels[0], c.label)
		}
		if c.id != "" && tab.IDs[0][0] != c.id {
			t.Errorf("%s: id %q, want %q", c.what, tab.IDs[0][0], c.id)
		}
	}
	for _, c := range []struct {
		what, in string
		model    *Table
		opt      Options
		words    []string
	}{
		{"a feature is lacking", "a,y\n9,p\n", named, Options{}, []string{`needs 1 column that the file lacks: "b"`}},
		{"no label", "a,b\n9,8\n", named, Options{}, []string{`no label column "y"`, "--label"}},
		{"a name twice", "id,b,a,b,y\nr,8,9,7,p\n", named, Options{}, []string{`1 column of the name "b", the file 2 (columns 2, 4)`, "--ignore 4"}},
		{"too many columns", "1,2,3,4,5,6\n", named, Options{Unlabelled: true}, []string{"6 columns", "needs 2"}},
		{"one column more, label not wanted", "1,2,3\n", named, Options{Unlabelled: true}, []string{"3 columns", "needs 2"}},
		{"index too large", "p 1:1 3:1\n", named, Options{}, []string{"index 3 on line 1", "2 feature columns"}},
	} {
		c.opt.Layout = &c.model.Layout
		_, err := text(c.in, c.opt)
		if err == nil {
			t.Errorf("%s: no error", c.what)
			continue
		}
		refused(t, err, Columns, c.words...)
	}
}

func TestARFFRefusals(t *testing.T) {
	const head = "@relation r\n@attribute x real\n@attribute c {a,'b c'}\n@data\n"
	for in, words := range map[string]string{
		"@relation r\n@attribute x real\n":            ":3: the file ends before @data",
		"@relation r\n@attribute x complex\n":         ":2: attribute \"x\" has type",
		"@relation r\n@attribute x {a,b\n":            "closing brace",
		"@relation r\n@attribute 'x real\n":           "not closed",
		"@relation r\nx real\n":                       ":2: \"x\" where @relation",
		head + "1,a,2\n":                              ":5: 2 cells expected",
		head + "1\n":                                  ":5: 2 cells expected",
		head + "1,a,{3}\n":                            "weight",
		head + "1,'b c'd\n":                           "right after a quoted value",
		head + "{0 1, 1 'b c'\n":                      "closing brace",
		head + "{1 a, 0 1}\n":                         "ascend",
		head + "{2 1}\n":                              "0 to 1",
		head + "{0 1} {2}\n":                          "weights",
		"@relation r\n@attribute x relational\n@data": "type",
	} {
		_, err := text(in, Options{})
		if err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%q: error %v does not say %q", in, err, words)
		}
	}
}

func TestLibsvmRefusals(t *testing.T) {
	for in, words := range map[string]string{
		"p 1:1\n1:2\n":         ":2: row 2: the row starts with \"1:2\" where the label",
		"p 1:1 x\n":            "not index:value",
		"p 1:1 2:nan\n":        "not a finite number",
		"p 1:1 1:2\n":          "twice",
		"p 2:1 1:2\n":          "index 1 stands after 2",
		"p 1:1 2:\n":           "not a number",
		"p 1:1 x:2\n":          "whole number",
		"p 1:1 9999999999:2\n": "more than 1048576 columns",
	} {
		_, err := text(in, Options{})
		if err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%q: error %v does not say %q", in, err, words)
		}
	}
}

// The column of the weights of a model is taken where that is asked for, by its name, or by its
// position where that is all there is; where it is not there, the rows have no weights.
func TestRememberedWeights(t *testing.T) {
	named := mustText(t, "w,a,b,y\n1,1,2,p\n2,3,4,p\n3,5,6,q\n", Options{Weight: "1"})
	nameless := mustText(t, "1,2,p,3\n3,4,p,1\n5,6,q,2\n", Options{Weight: "4", Label: "3", Header: NoHeader})
	if named.Layout.Weight != "w" || nameless.Layout.Weight != "4" {
		t.Errorf("weights are in %q and %q", named.Layout.Weight, nameless.Layout.Weight)
	}
	for _, c := range []struct {
		what, in string
		model    *Table
		opt      Options
		want     []float64
	}{
		{"by name", "y,b,w,a\np,2,7,1\n", named, Options{Weighted: true}, []float64{7}},
		{"not asked for", "y,b,w,a\np,2,7,1\n", named, Options{}, nil},
		{"another", "y,b,w,a,v\np,2,7,1,9\n", named, Options{Weighted: true, Weight: "v"}, []float64{9}},
		{"not there", "y,b,a\np,2,1\n", named, Options{Weighted: true}, nil},
		{"ignored", "y,b,w,a\np,2,7,1\n", named, Options{Weighted: true, Ignore: []string{"w"}}, nil},
		{"by position", "1,2,p,5\n", nameless, Options{Weighted: true, Label: "3", Header: NoHeader}, []float64{5}},
		{"narrower", "1,2,p\n", nameless, Options{Weighted: true, Label: "3", Header: NoHeader}, nil},
	} {
		c.opt.Layout = &c.model.Layout
		tab, err := text(c.in, c.opt)
		if err != nil || !slices.Equal(tab.Weights, c.want) || !slices.Equal(tab.X.Row(0), []float64{1, 2}) {
			t.Errorf("%s: %v, %v", c.what, tab, err)
		}
	}
}

func TestLayoutText(t *testing.T) {
	for _, l := range []Layout{
		{Width: 3, Features: []int{0, 2}, Names: []string{"a b", "\xff\"\n,"}, Label: 1, LabelName: "la bel"},
		{Width: 2, Features: []int{1}, Label: 0},
		{Width: 4, Features: []int{1}, Label: 0, Missing: "mean", Markers: []string{"-9"}, Weight: "w \"2\""},
		{Width: 2, Features: []int{0, 1}, Label: -1, Sparse: true, ZeroBased: true},
	} {
		text, err := l.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var got Layout
		if err := got.UnmarshalText(text); err != nil || !reflect.DeepEqual(got, l) {
			t.Errorf("%+v written as %q, read as %+v, %v", l, text, got, err)
		}
		// A damaged text is an error or a layout in form, never a panic.
		for i := range text {
			for _, bad := range [][]byte{text[:i], append(append([]byte{}, text[:i]...), text[i+1:]...)} {
				var got Layout
				if got.UnmarshalText(bad) == nil && (got.Label >= got.Width || got.Names != nil && len(got.Names) != len(got.Features)) {
					t.Errorf("%q read as %+v", bad, got)
				}
			}
		}
	}
}
