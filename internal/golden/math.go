package golden

import (
	"strconv"
	"strings"
	"testing"
)

// MathRow is one argument of a function with its correctly rounded value.
type MathRow struct {
	X, Want float64
	// Bits is −log2 of the distance of the exact value to the nearest rounding
	// tie, in units in the last place; 999 for an exact tie.
	Bits float64
	Note string // the group of the argument: "near tie", "special", …
}

// Math reads the table of a function: exp, tanh or log.
func Math(t testing.TB, function string) []MathRow {
	t.Helper()
	b, err := files.ReadFile("testdata/math/" + function + ".csv")
	if err != nil {
		t.Fatalf("golden: %v", err)
	}
	var rows []MathRow
	for i, line := range strings.Split(strings.TrimSuffix(string(b), "\n"), "\n") {
		if i < 2 { // a comment and the header
			continue
		}
		cells := strings.SplitN(line, ",", 6) // x_hex, x, value_hex, value, bits, note
		if len(cells) != 6 {
			t.Fatalf("golden: math/%s.csv: line %d: %d cells, want 6", function, i+1, len(cells))
		}
		var v [5]float64
		for j, cell := range cells[:5] {
			if v[j], err = strconv.ParseFloat(cell, 64); err != nil {
				t.Fatalf("golden: math/%s.csv: line %d: %v", function, i+1, err)
			}
		}
		if differ(v[0], v[1]) || differ(v[2], v[3]) {
			t.Fatalf("golden: math/%s.csv: line %d: hexadecimal and decimal numbers differ", function, i+1)
		}
		rows = append(rows, MathRow{X: v[0], Want: v[2], Bits: v[4], Note: cells[5]})
	}
	return rows
}

// differ reports whether x and y are different numbers; two NaNs are the same.
func differ(x, y float64) bool { return x != y && (x == x || y == y) }
