package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Rows far from all training rows are counted, without those whose kernel values are 0; halves of
// tables that the fit has not seen are quiet.
func TestLonelyRows(t *testing.T) {
	const said = "are farther from all training rows than three times"
	lines := []string{"a,b,y"}
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("%d,%d,%c", i%8, i/8, 'p'+rune(i%8/4)))
	}
	model := fitted(t, writeBytes(t, "grid.csv", []byte(strings.Join(lines, "\n")+"\n")), "--scale", "none", "--gamma", "0.5")
	for rows, want := range map[string]string{
		"1,1\n11,4\n":         "2 of 5 rows, the first in line 4, " + said, // at 4 > 3 of 1
		"1,1\n9.5,4\n3,6.5\n": "1 of 6 rows, the first in line 2, ",        // 2.5 is not far
		"-0.5,0\n":            "",
	} {
		text := "a,b\n"
		switch want {
		case "":
			text += rows
		default:
			if strings.HasPrefix(want, "2") {
				text += "0,0\n2,2\n7,-4\n" + rows
			} else {
				text += "0,-3.5\n0,1\n0,2\n" + rows
			}
		}
		r := kfda(t, text, "predict", model, "-")
		if want == "" && strings.Contains(r.err, said) || !strings.Contains(r.err, want) {
			t.Errorf("%q: told %q, want %q", text, r.err, want)
		}
	}
	// A row with kernel values of 0 is told once.
	if r := kfda(t, "a,b\n500,0\n", "predict", model, "-"); strings.Contains(r.err, said) || !strings.Contains(r.err, "their kernel values are 0") {
		t.Errorf("told %q", r.err)
	}
	data := os.Getenv("KFDA_DATA")
	for _, c := range []string{"classic/iris.csv", "classic/wine.csv", "classic/sonar.csv", "classic/ionosphere.csv", "messy/titanic.csv --label Survived --ignore Name,PassengerId,Ticket,Cabin --missing median", "classic/digits.csv --relative-ridge 0.01"} {
		if data == "" || testing.Short() && strings.Contains(c, "digits") {
			continue
		}
		f := strings.Fields(c)
		file := filepath.Join(data, f[0])
		for _, half := range [][2]string{{"0::2", "1::2"}, {"1::2", "0::2"}} {
			for _, kernel := range []string{"rbf", "laplacian"} {
				model := fitted(t, file, append([]string{"--rows", half[0], "--kernel", kernel}, f[1:]...)...)
				if r := kfda(t, "", "predict", model, file, "--rows", half[1]); strings.Contains(r.err, said) {
					t.Errorf("%s, rows %s, %s: %s", c, half[1], kernel, r.err)
				}
			}
		}
	}
}
