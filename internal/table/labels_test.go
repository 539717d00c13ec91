package table

import (
	"fmt"
	"strings"
	"testing"
)

// In libsvm a label is a number, however it is written.
func TestCase122LibsvmLabels(t *testing.T) {
	const dir = "122-libsvm-plus-one/"
	tab := mustLoad(t, dir+"train.svm", Options{})
	want(t, tab, "1|1|-1|-1")
	want(t, mustLoad(t, dir+"test.svm", Options{Layout: &tab.Layout}), "1|-1")
	want(t, mustLoad(t, dir+"mixed.svm", Options{}), "1|1|1|-1|-1|-1")

	for label, want := range map[string]string{
		"1": "1", "+1": "1", "1.": "1", "1.0": "1", "01": "1", "1e0": "1", "10e-1": "1", "-1": "-1", "-01.00": "-1",
		"0": "0", "-0": "0", "+0.0": "0", "00": "0", "0e7": "0", "-0.0": "0", "1000000": "1000000", "1e6": "1000000", "0.50": "0.5", ".5": "0.5", "5e-1": "0.5",
		"p": "p", "+p": "+p", "NaN": "NaN", "1e400": "1e400", "1_0": "1_0",
		// No digit of an identifier is lost.
		"30481759260135797531": "30481759260135797531", "+30481759260135797532": "30481759260135797532",
		"36028797018963968": "36028797018963968", "36028797018963968.0": "36028797018963968",
	} {
		if got := numberText(label); got != want {
			t.Errorf("label %s is %s, want %s", label, got, want)
		}
	}
	// In other formats it is text.
	tab = mustText(t, "1,+1\n2,1\n3,1.0\n4,1\n", Options{Header: NoHeader})
	want(t, tab, "+1|1|1.0|1")
}

// A label that is missing in a file of their own is like one that is missing in a column.
func TestMissingOtherLabels(t *testing.T) {
	for _, texts := range [][]string{{"p", "NA", "q", "p", "q"}, {"name", "p", "", "q", "p", "q"}} {
		o := &OtherLabels{File: "own", Texts: texts, Lines: []int{1, 2, 3, 4, 5, 6}[:len(texts)]}
		const features = "x,y\n1,2\n2,3\n3,\n4,2\n5,1\n"
		_, err := Read("-", strings.NewReader(strings.ReplaceAll(features, "3,\n", "3,3\n")), Options{Labels: o})
		refused(t, err, Other, fmt.Sprintf("own:%d: row 2: the cell is missing; in all 1 label missing in 1 of 5 rows\n", len(texts)-3), "say --missing drop")
		_, err = Read("-", strings.NewReader(features), Options{Labels: o})
		refused(t, err, Other, "1 feature cell and 1 label missing in 2 of 5 rows (column 2 (y): 1)", "say --missing median")
		tab, err := Read("-", strings.NewReader(features), Options{Labels: o, Missing: "mean"})
		if err != nil {
			t.Fatal(err)
		}
		want(t, tab, "p|q|p|q")
		if tab.X.At(1, 0) != 3 {
			t.Errorf("row 3 is %v", tab.X.Row(1))
		}
	}
}

var markers = []string{"", "?", ".", "NA", "N/A", "NaN", "nan", "null", "NULL"}

func TestMissingMarkers(t *testing.T) {
	layout := &Layout{Width: 2, Features: []int{0}, Label: 1}
	for _, m := range markers {
		for what, c := range map[string]struct {
			cell             string
			features, labels int
		}{
			"feature": {m + ",p", 1, 0}, "feature between blanks": {" " + m + " ,p", 1, 0}, "feature in quotes": {`"` + m + `",p`, 1, 0},
			"label": {"1," + m, 0, 1}, "both": {m + "," + m, 1, 1},
		} {
			_, err := text("1,p\n"+c.cell+"\n", Options{Layout: layout, Header: NoHeader})
			e := refused(t, err, Other, "missing")
			if e.Missing.Features != c.features || e.Missing.Labels != c.labels || e.Line != 2 {
				t.Errorf("%s %q: %+v", what, m, e)
			}
		}
		tab := mustText(t, "1,p\n1,\""+m+"\"\n", Options{Layout: layout, Header: NoHeader, Missing: DropMissing})
		if m == "" {
			want(t, tab, "p", []float64{1})
		} else {
			want(t, tab, "p|"+m, []float64{1}, []float64{1})
		}
	}
	for _, cell := range []string{"na", "Null", "n/a", "-", "NAN", "NULLS", "??", "None", "NA NA"} {
		_, err := text("1,p\n"+cell+",p\n", Options{Layout: layout, Header: NoHeader})
		refused(t, err, Number, ":2: row 2, column 1")
		tab := mustText(t, "1,p\n1,"+cell+"\n", Options{Layout: layout, Header: NoHeader})
		want(t, tab, "p|"+cell)
	}
}

// In ARFF only a ? without quotes is missing, and what is in quotes is a value.
func TestARFFMissing(t *testing.T) {
	const head = "@attribute x real\n@attribute c {'?',NULL,NA,p}\n@data\n"
	for rows, labels := range map[string]string{
		"1,'?'\n2,'?'\n3,p\n": "?|?|p", "1,\"?\"\n2,'?'\n3,NULL\n": "?|?|NULL", "1,NA\n2,NA\n3,p\n": "NA|NA|p",
		"{0 1}\n{0 2}\n{0 3, 1 p}\n": "?|?|p", "{0 1, 1 '?'}\n{0 2}\n{0 3, 1 NA}\n": "?|?|NA",
	} {
		tab, err := text(head+rows, Options{Format: ARFF})
		if err != nil {
			t.Errorf("%q: %v", rows, err)
			continue
		}
		want(t, tab, labels, []float64{1}, []float64{2}, []float64{3})
	}
	for rows, m := range map[string][2]int{"1,p\n?,p\n2,?\n": {1, 1}, "{0 1, 1 ?}\n{0 ?, 1 p}\n{0 ?, 1 ?}\n": {2, 2}} {
		_, err := text(head+rows, Options{Format: ARFF})
		if e := refused(t, err, Other, "missing"); e.Missing.Features != m[0] || e.Missing.Labels != m[1] {
			t.Errorf("%q: %+v", rows, e.Missing)
		}
	}
	for _, cell := range []string{"'?'", `"?"`, "NA", "NULL", "''", "null"} {
		_, err := text(head+"1,p\n"+cell+",p\n", Options{Format: ARFF})
		refused(t, err, Number, ":5: row 2, column 1 (x)", "is not a number")
	}
	for _, cell := range []string{"q", "''", "null", "'p '"} {
		_, err := text("@attribute x real\n@attribute c {p,NULL}\n@data\n1,p\n1,"+cell+"\n", Options{Format: ARFF})
		refused(t, err, Syntax, ":5: column 2 (c)", `is not in {"p", "NULL"}`)
	}
	_, err := text("@attribute x real\n@attribute c {p}\n@data\n1,p\n1,'?'\n", Options{Format: ARFF})
	refused(t, err, Syntax, `"?" is not in`)
}

func TestARFFSparseIndices(t *testing.T) {
	const head = "@attribute x real\n@attribute y real\n@attribute c {p,q}\n@data\n"
	for row, words := range map[string]string{
		"{0 1, 0 2}": "attribute 0 stands after 0", "{1 1, 1 1, 2 q}": "attribute 1 stands after 1", "{2 q, 1 1}": "attribute 1 stands after 2",
		"{3 1}": "no attribute number", "{-1 1}": "no attribute number", "{x 1}": "no attribute number", "{0}": "a sparse row is", "{": "a sparse row is",
	} {
		_, err := text(head+"1,2,p\n"+row+"\n", Options{Format: ARFF})
		refused(t, err, Syntax, ":6", words)
	}
	tab := mustText(t, head+"{}\n{1 2}\n{ 0 1,1 2 , 2 q }\n", Options{Format: ARFF})
	want(t, tab, "p|p|q", []float64{0, 0}, []float64{0, 2}, []float64{1, 2})
}
