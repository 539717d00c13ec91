package table

import (
	"fmt"
	"strings"
	"testing"
)

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
	if err == nil || len(err.Error()) > 2000 || strings.Count(err.Error(), "\n") > 8 || len(notices) > 2000 {
		t.Errorf("%d bytes: %.3000s", len(err.Error()), err.Error())
	}
}

func TestLabelsThatAreMeasurements(t *testing.T) {
	table := func(rows int, label func(i int) string) string {
		var s strings.Builder
		for i := range rows {
			fmt.Fprintf(&s, "%d,%s\n", i*i%17, label(i))
		}
		return s.String()
	}
	for _, c := range []struct {
		what   string
		rows   int
		label  func(i int) string
		notice bool
	}{
		{"numbers that hardly repeat", 60, func(i int) string { return fmt.Sprint(i % 30) }, true},
		{"fractions", 60, func(i int) string { return fmt.Sprintf("%d.5", i%12) }, true},
		{"hundreds of whole numbers", 1212, func(i int) string { return fmt.Sprint(i%101 - 9) }, true},
		{"a hundred whole numbers", 1200, func(i int) string { return fmt.Sprint(i % 100) }, false},
		{"twelve whole numbers", 60, func(i int) string { return fmt.Sprintf("%d.0", i%12) }, false},
		{"few fractions", 60, func(i int) string { return fmt.Sprintf("0.%d", i%3) }, false},
		{"names", 60, func(i int) string { return fmt.Sprintf("n%d", i%30) }, false},
	} {
		_, notices, err := noticed(table(c.rows, c.label), Options{Header: NoHeader})
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
