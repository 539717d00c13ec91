package table

import (
	"fmt"
	"strings"
	"testing"
)

// All that is wrong with the columns is said at once, with flags that work.
func TestAllProblemsAtOnce(t *testing.T) {
	const people = "name,age,sex,cabin,fare,class\nA B,1,f,,1,x\nC D,2,m,c1,2,x\nE F,,m,,3,y\nG H,4,f,c2,4,y\nI J,5,f,,5,\n"
	_, err := text(people, Options{})
	e := refused(t, err, Number, `:2: row 1, column 1 (name): "A B" is not a number`, "column 3 (sex), column 4 (cabin)",
		"1 feature cell and 1 label missing in 2 of 5 rows (column 2 (age): 1, column 6 (class): 1)",
		"say --ignore name,sex,cabin --missing drop (leaves 3 of 5 rows, 2 features and 2 classes)",
		"if the label is column 3 (sex), and not column 6 (class), say --label sex --ignore name,cabin,class --missing drop")
	if n := strings.Count(e.Error(), "\n"); n != 2 {
		t.Errorf("%d line ends", n)
	}
	tab := mustText(t, people, Options{Ignore: []string{"name,sex,cabin"}, DropMissing: true})
	want(t, tab, "x|x|y", []float64{1, 1}, []float64{2, 2}, []float64{4, 4})
	tab = mustText(t, people, Options{Label: "sex", Ignore: []string{"name,cabin,class"}, DropMissing: true})
	want(t, tab, "f|m|f|f")
}

// Dropping rows is not advised where it leaves one class or less than half of the rows.
func TestAdviceOnMissingCells(t *testing.T) {
	const holes = "a,b,c,label\n1,,1,p\n2,,2,p\n3,3,,q\n4,4,3,q\n5,,4,q\n6,6,5,q\n"
	for _, c := range []struct {
		in    string
		opt   Options
		words string
	}{
		{"a,b,label\n1,2,p\n2,,p\n3,4,q\n5,6,q\n", Options{}, "say --missing drop (leaves 3 of 4 rows, 2 features and 2 classes)"},
		{holes, Options{}, "say --ignore b --missing drop (leaves 5 of 6 rows, 2 features and 2 classes)"},
		{"a,b,label\n1,,p\n2,,p\n3,,q\n4,4,q\n5,5,p\n6,6,p\n7,,q\n8,,q\n", Options{}, "say --ignore b (leaves 8 of 8 rows, 1 feature and 2 classes)"},
		{holes, Options{DropMissing: true}, "say --ignore b (leaves 5 of 6 rows, 2 features and 2 classes)"},
		{"a,b,label\n,1,p\n,2,p\n,3,q\n,4,q\n", Options{DropMissing: true}, "no rows without missing cells\n  say --ignore a (leaves 4 of 4 rows"},
		{"a,label\n,p\n1,q\n2,q\n,p\n", Options{}, "2 rows of 1 class would be left: fill the cells in"},
		{"a,b,label\n1,2,p\n1,x,p\n2,3,q\n3,4,q\n1,5,p\n7,8,q\n2,3,q\n3,4,q\n1,5,p\n7,8,q\n2,3,q\n3,4,q\n", Options{},
			"correct such cells, or say --ignore b (leaves 12 of 12 rows, 1 feature and 2 classes)"},
		{"a,b,label\nu,x,p\nv,y,p\nw,z,q\n", Options{Header: WithHeader}, "no other column is left: write text as numbers"},
		{"a;b;label\n1,5;x;p\n2,5;y;p\n3;z;q\n", Options{}, "say --ignore b --decimal-comma (leaves 3 of 3 rows, 1 feature and 2 classes)"},
	} {
		_, err := text(c.in, c.opt)
		if err == nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%q: error %v does not say %q", c.in, err, c.words)
		}
	}
}

// Messages stay short, whatever the number of columns and rows.
func TestMessagesAreShort(t *testing.T) {
	var s strings.Builder
	for i := range 50 {
		for j := range 2000 {
			cell := fmt.Sprint(i * j)
			switch {
			case i == 0:
				cell = fmt.Sprintf("a rather long name of column %d", j)
			case j%4 == 1:
				cell = fmt.Sprintf("text %d", i)
			case j%4 == 2 && i%3 == 0:
				cell = ""
			}
			s.WriteString(cell + ",")
		}
		s.WriteString("pqr"[i%3:i%3+1] + "\n")
	}
	_, notices, err := noticed(s.String(), Options{Header: WithHeader})
	if err == nil || len(err.Error()) > 2000 || strings.Count(err.Error(), "\n") > 3 || len(notices) > 2000 {
		t.Errorf("%d bytes: %.3000s", len(err.Error()), err.Error())
	}
}

func TestLabelsThatAreMeasurements(t *testing.T) {
	table := func(label func(i int) string) string {
		var s strings.Builder
		for i := range 60 {
			fmt.Fprintf(&s, "%d,%s\n", i*i%17, label(i))
		}
		return s.String()
	}
	for _, c := range []struct {
		what   string
		label  func(i int) string
		notice bool
	}{
		{"numbers that hardly repeat", func(i int) string { return fmt.Sprint(i % 30) }, true},
		{"fractions", func(i int) string { return fmt.Sprintf("%d.5", i%12) }, true},
		{"twelve whole numbers", func(i int) string { return fmt.Sprintf("%d.0", i%12) }, false},
		{"few fractions", func(i int) string { return fmt.Sprintf("0.%d", i%3) }, false},
		{"names", func(i int) string { return fmt.Sprintf("n%d", i%30) }, false},
	} {
		_, notices, err := noticed(table(c.label), Options{Header: NoHeader})
		if err != nil || strings.Contains(notices, "looks like a measurement") != c.notice {
			t.Errorf("%s: %v, notices %q", c.what, err, notices)
		}
	}
	_, _, err := noticed("0.5 1:1\n1.5 1:2\n2.5 1:3\n", Options{Format: Libsvm})
	if e := refused(t, err, Other, "label: as many classes as rows (3)"); strings.Contains(e.Error(), "--label") {
		t.Errorf("%v: a libsvm file has no other label", e)
	}
	_, err = text("1,7,0.5\n1,8,0.75\n2,9,3.5\n2,4,3.75\n2,5,8\n", Options{Header: NoHeader})
	refused(t, err, Other, "as many classes as rows (5)", "--label 1")
}
