package table

import (
	"strings"
	"testing"
)

func TestSeparatorRule(t *testing.T) {
	long := strings.Repeat("1;2,x\n", bufferSize)
	for s, want := range map[string]byte{
		"a,b\n1;2":                ',',
		"a;b,c\n":                 ';',
		"a;b\tc,d\n":              '\t',
		"a b\n1,2":                ' ',
		"\n \r\n\"a;b\",c\n":      ',',
		"\"a\"\"b;\",c\n":         ',',
		"size 5\",x,y\n":          ',',
		"x\n1\n":                  ' ',
		"":                        ' ',
		"\"a\nb;c\",d\n":          ',',
		"t (s;ms),x,y\n1,2,p\n":   ',', // equally many cells go before the order
		"t (s\tms);x\n1;p\n":      ';',
		"a;b,c\n1;2\n3,4,5\n":     ';', // no separator fits
		"1;\"2,3\n4\"\n6;7,8\n":   ';',
		"a,b;c,d\n" + long:        ';', // the record at the end of the buffer is not whole
		"a;b,c\n1;\"2," + long:    ';', // nor is a cell in quotes
		"1;2,p\r3;4,5,q\r5;6,p":   ';',
		"label 1:2,3 2:4\n":       ',',
		"1;\"2,3\n4\",5\n6;7,8\n": ',', // a quote that another separator would break
	} {
		if got := guessSeparator(readerOf([]byte(s)).in, false); got != want {
			t.Errorf("%.40q: separator %q, want %q", s, got, want)
		}
	}
	for s, want := range map[string]byte{"1,5 2 p\n": ' ', "1,5;2;p\n": ';', "1,5\t2\tp\n": '\t', "\"1,5\",2\n": ' '} {
		if got := guessSeparator(readerOf([]byte(s)).in, true); got != want {
			t.Errorf("%q with decimal commas: separator %q, want %q", s, got, want)
		}
	}
}

func TestCase115GuessedSeparator(t *testing.T) {
	const dir = "115-guessed-separator-not-named/"
	tab := mustLoad(t, dir+"header-semicolon.csv", Options{Label: "label"})
	want(t, tab, "p|p|q|q", []float64{1, 2}, []float64{2, 2}, []float64{8, 9}, []float64{9, 9})
	if got := strings.Join(tab.Layout.Names, "|"); got != "time (s;ms)|x" {
		t.Errorf("names %s", got)
	}
	for _, opt := range []Options{{Label: "label"}, {}, {Header: NoHeader}} {
		_, _, err := load(t, dir+"pipe.csv", opt)
		refused(t, err, anyKind, "no tab, semicolon or comma", "no other separators but blanks")
	}

	for s, words := range map[string]string{
		"x;y;l\n1;2;p\n3;4\n": "guessed to be semicolon; if it is another, name it with --separator",
		"x,y,l\n1,2;3,p\n":    "guessed to be comma",
		"x\ty\n1\t2\tp\n":     "guessed to be tab",
		"x y\n1 2 p\n":        "guessed to be blank",
	} {
		_, err := text(s, Options{})
		refused(t, err, anyKind, words)
	}
	// Errors that no other separator is the remedy of, and separators that are said.
	for s, opt := range map[string]Options{
		"x,y\n1,p\n\x00": {}, "x,y\n1,p\nz,p\n": {}, "": {}, "x,y\n1,2,p\n": {Separator: ','}, "x|y\n1|p\n": {Separator: ' '},
	} {
		_, err := text(s, opt)
		if err == nil || strings.Contains(err.Error(), "guessed") || strings.Contains(err.Error(), "no tab") {
			t.Errorf("%q: error %v", s, err)
		}
	}
}

func TestCase118Thousands(t *testing.T) {
	_, _, err := load(t, "118-hint-for-thousands/amounts.csv", Options{})
	e := refused(t, err, Number, `:3: row 2, column 1 (v): "1,234"`, "no separators of thousands; write 1234, or if it is 1.234, say --decimal-comma --separator comma")
	if strings.Contains(e.Advice, "--decimal-comma") {
		t.Errorf("advises %s", e.Advice)
	}
	tab := mustLoad(t, "118-hint-for-thousands/amounts.csv", Options{DecimalComma: true, Separator: ','})
	want(t, tab, "p|p|q|q", []float64{950, 1}, []float64{1.234, 2}, []float64{2.590, 8}, []float64{880, 9})

	for _, c := range []struct {
		cell      string
		separator byte
		words     string
	}{
		{"1,234", ',', "thousands"}, {"-12,345", ',', "thousands"}, {"1,234,567", ',', "thousands"}, {"1,234,567", ';', "thousands"},
		{"1.234.567", ',', "thousands"}, {"1.234,5", ',', "thousands"}, {"1,234.5", ';', "thousands"},
		{"1,5", ',', "the decimal mark, say --decimal-comma --separator comma"}, {"1,2345", ',', "decimal mark"}, {"1,234e5", ',', "decimal mark"},
		{"1,5", ';', "the decimal mark, say --decimal-comma"}, {"1,234", ';', "decimal mark"}, {"1,234", '\t', "decimal mark"},
	} {
		_, reason := parseNumber(c.cell, notation{'.', c.separator})
		if !strings.Contains(reason, c.words) || strings.Contains(reason, "--separator comma") && c.separator != ',' {
			t.Errorf("%s between %q: %s", c.cell, c.separator, reason)
		}
	}
}

func TestCase159DecimalComma(t *testing.T) {
	rows := [][]float64{{1.5, 2}, {2.5, 2}, {8.5, 7}, {9.5, 7}}
	want(t, mustLoad(t, "159-decimal-comma-taken-for-separator/blank.txt", Options{Header: NoHeader, DecimalComma: true}), "p|p|q|q", rows...)

	const quoted = "\"1,5\",2,p\n\"2,5\",2,p\n\"8,5\",7,q\n\"9,5\",7,q\n"
	tab := mustText(t, quoted, Options{Separator: ',', DecimalComma: true})
	want(t, tab, "p|p|q|q", rows...)
	for _, s := range []string{quoted, "x,y,l\n" + quoted, "1,5,2,p\n2,5,2,p\n8,5,7,q\n9,5,7,q\n"} {
		_, err := text(s, Options{DecimalComma: true})
		refused(t, err, anyKind, "say --decimal-comma --separator comma")
	}
	for _, s := range []string{"1 1:1,5\n1 1:2\n0 1:3,5\n", "@attribute x real\n@attribute l {0,1}\n@data\n'1,5',1\n2,1\n'3,5',0\n"} {
		tab := mustText(t, s, Options{DecimalComma: true, Format: map[bool]Format{true: ARFF, false: Libsvm}[s[0] == '@']})
		want(t, tab, "1|1|0", []float64{1.5}, []float64{2}, []float64{3.5})
	}
}
