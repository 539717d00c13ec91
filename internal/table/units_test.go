package table

import (
	"slices"
	"strings"
	"testing"
)

func TestSameUnit(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{{"kg", "KG", true}, {"kg", "Kg", true}, {"lb", "lbs", true}, {"Minutes", "minute", true}, {"mL", "ml", true}, {"mW", "MW", false}, {"m", "M", false}, {"kg", "lb", false}, {"m", "ms", false}, {"s", "S", true}, {"%", "%", true}} {
		if sameUnit(c.a, c.b) != c.same || sameUnit(c.b, c.a) != c.same {
			t.Errorf("%s and %s: %v", c.a, c.b, !c.same)
		}
	}
}

// A unit is one in all spellings, after any blank, in features, targets and weights; names of levels
// that look like numbers with endings stay levels.
func TestUnits(t *testing.T) {
	tab := mustText(t, "m,x,y\n60 kg,1,p\n62\u00a0Kg,2,q\n61.5KG,1,p\n", Options{Header: WithHeader})
	if c := tab.Layout.Columns[0]; c.Kind != Measure || c.Levels[0] != "kg" || tab.X.At(1, 0) != 62 || tab.X.At(2, 0) != 61.5 {
		t.Errorf("%+v, %v", c, tab.X)
	}
	if c := mustText(t, "m,x,y\n1st,1,p\n2nd,2,q\n1st,1,p\n2nd,2,q\n1st,3,p\n", Options{Header: WithHeader}).Layout.Columns[0]; c.Kind != Category {
		t.Errorf("ordinals are %+v", c)
	}
	const in = "x,w,y\n1,2 h,5 kg\n3,3 h,7 kg\n4,1h,8.5 KG\n"
	tab = mustText(t, in, Options{Header: WithHeader, Label: "y", Target: true, Weight: "w"})
	if !slices.Equal(tab.Targets, []float64{5, 7, 8.5}) || !slices.Equal(tab.Weights, []float64{2, 3, 1}) || tab.Layout.Unit != "kg" {
		t.Errorf("targets %v in %q, weights %v", tab.Targets, tab.Layout.Unit, tab.Weights)
	}
	text1, err := tab.Layout.MarshalText()
	var again Layout
	if err != nil || again.UnmarshalText(text1) != nil || again.Unit != "kg" {
		t.Errorf("the layout is read as %+v", again)
	}
	// New rows may leave the unit of the target out, and have no other.
	bare := mustText(t, "x,y\n1,5\n2,6 kg\n", Options{Header: WithHeader, Label: "y", Target: true, Layout: &again})
	if !slices.Equal(bare.Targets, []float64{5, 6}) {
		t.Errorf("new targets %v", bare.Targets)
	}
	for in, words := range map[string]string{
		strings.Replace(in, "7 kg", "7 lb", 1): `:3: row 2, column 3 (y): "7 lb" has another unit than kg, that of the first`,
		strings.Replace(in, "7 kg", "7", 1):    `:3: row 2, column 3 (y): "7" has no unit, and the first has kg`,
		strings.Replace(in, "3 h", "3 d", 1):   `:3: row 2, column 2 (w): the weight "3 d" has another unit than h`,
	} {
		_, err := text(in, Options{Header: WithHeader, Label: "y", Target: true, Weight: "w"})
		refused(t, err, anyKind, words)
	}
}

// A second line of units or names is left out, in tables for a model too; a first row with texts
// that are values is a row.
func TestSecondLine(t *testing.T) {
	for _, c := range []struct {
		in    string
		rows  int
		names string
		told  bool
	}{
		{"a,b,c,y\nkg,cm,,\n1,2,3,p\n2,3,1,q\n3,1,2,p\n", 3, "a,b,c", true},
		{"size,,c,y\nweight,height,,class\n1,2,3,p\n2,3,1,q\n3,1,2,p\n", 3, "size,height,c", true},
		{"a,b,c,y\n(%),(°C),u,p\n1,2,u,p\n2,3,v,q\n3,1,v,p\n", 3, "a,b,c", true},
		{"a,b,c,y\nx,z,u,p\nx,z,u,p\nx,w,v,q\nu,z,v,p\n", 4, "a,b,c", false},
		{"a,b,c,y\n1,2,u,p\n2,3,v,q\n3,1,v,p\n", 3, "a,b,c", false},
	} {
		var told []string
		for _, header := range []Header{GuessHeader, WithHeader} {
			tab := mustText(t, c.in, Options{Header: header, Label: "4", Notice: func(s string) { told = append(told, s) }})
			if got := strings.Join(tab.Layout.Names, ","); tab.X.Rows != c.rows || got != c.names || strings.Contains(strings.Join(told, "\n"), "line 2 is left out, as units") != c.told {
				t.Errorf("%q: %d rows of %s, told %q", c.in, tab.X.Rows, got, told)
			}
			if again := mustText(t, c.in, Options{Header: header, Layout: &tab.Layout}); again.X.Rows != c.rows {
				t.Errorf("%q for a model: %d rows", c.in, again.X.Rows)
			}
		}
	}
	// One odd cell, in the only column of numbers or in one of several, is named.
	for _, in := range []string{"a,y\nkg,p\n1,q\n2,p\n", "a,b,c,y\noops,1,2,p\n1,2,3,q\n2,3,3,p\n"} {
		_, err := text(in, Options{Header: WithHeader})
		refused(t, err, Number, "row 1, column 1 (a): ")
	}
}

// Three digits after each decimal comma of a column are pointed at.
func TestThousandsAreDoubted(t *testing.T) {
	for in, told := range map[string]bool{"950;1;p\n1,234;2;q\n2,590;3;p\n": true, "950;1;p\n1,234;2;q\n2,59;3;p\n": false} {
		said := false
		mustText(t, in, Options{DecimalComma: true, Header: NoHeader, Notice: func(s string) {
			said = said || strings.Contains(s, `column 1: "1,234" is read as 1.234; if its comma separates thousands`)
		}})
		if said != told {
			t.Errorf("%q: told %v", in, said)
		}
	}
}
