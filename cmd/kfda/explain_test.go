package main

import (
	"os"
	"strings"
	"testing"
)

// Errors of the library come in the words of the command: the file, the line, the
// row and the column counted from 1, the flag; never an index from 0 or a field.
func TestErrorsNameThePlace(t *testing.T) {
	for _, c := range []struct {
		table string
		args  []string
		want  string // all of the last line of the standard error
	}{
		{"x,y,label\n1,2,p\n2,3,p\n\n4,-5,q\n5,6,q\n", []string{"--kernel", "chi2"},
			"standard input:5: row 3, column 2 (y): the kernel chi2 does not take -5: features must not be negative; shift or rescale the column"},
		{"x,y,label\n1,2,p\n2,3,p\n4,5,q\n5,6,q\n", []string{"--kernel", "chi2", "--scale", "standard"},
			"standard input:2: row 1, column 1 (x): the kernel chi2 does not take -1.2649110640673518 (1 scaled): features must not be negative; shift or rescale the column"},
		{"x,label\n1,p\n2,p\n1e200,q\n5,q\n", []string{"--kernel", "linear", "--scale", "none"},
			"standard input:4: row 3: its kernel value with itself is +Inf; scale the columns or choose other parameters of the kernel"},
		{"x,label\n1e100,p\n2,p\n\n1e250,q\n5,q\n", []string{"--kernel", "linear", "--scale", "none"},
			"standard input:5: row 3: its kernel value with row 1 in line 2 is +Inf; scale the columns or choose other parameters of the kernel"},
		{"x,label\n1e308,p\n-1e308,p\n1,q\n5,q\n", nil,
			"standard input: column 1 (x): the values are too far apart, or too close together, to be scaled; rescale the column, or say --scale none"},
		{"1 0 p\n1 1 q\n", []string{"--no-header", "--kernel", "precomputed"},
			"standard input: label column 3: as many classes as rows (2); is it an identifier or a measurement? Name the label column with --label"},
		{"x,label\n3,p\n3,p\n3,q\n", []string{"--scale", "none"},
			"standard input: --gamma has no default here: all entries are equal, so the variance is 0; give an explicit gamma"},
		{"x,label\n3,p\n3,p\n3,q\n", []string{"--gamma", "1", "--regularizer", "ridge", "--relative-ridge", "0.001"},
			"standard input: --relative-ridge 0.001: the within-class scatter is zero up to rounding (every class is a single repeated point), so that a relative ridge has no meaning: give it as it is, as with --ridge 1e-3"},
		{"x,label\n3,p\n3,p\n3,q\n", []string{"--gamma", "1", "--ridge", "1"},
			"standard input: the classes have equal means in the space of the kernel (contrast 0, norm 3), so no direction separates them; try other columns, another kernel or other parameters of it"},
		{"x,label\n1,p\n2,p\n4,q\n", []string{"--regularizer", "ridge", "--ridge", "1e-300"},
			"standard input: the effect of the rounding of the matrix, u‖·‖/√ε, is 2.1e+134, above the limit of 0.01; a larger ridge or scaled columns help"},
		{"x,label\n1,p\n2,p\n3,q\n5,q\n7,r\n9,r\n", []string{"--kernel", "linear", "--components", "2"},
			"standard input: --components 2: at most 1, for the means of the 3 classes span no more dimensions in the space of the kernel"},
		{"x,label\n1,p\n2,p\n3,q\n5,q\n7,r\n9,r\n", []string{"--components", "3"},
			"standard input: --components 3: at most 2 for 3 classes"},
	} {
		r := kfda(t, c.table, append([]string{"fit", "-", "-o", os.DevNull}, c.args...)...)
		lines := strings.Split(strings.TrimSuffix(r.err, "\n"), "\n")
		if got, want := lines[len(lines)-1], "kfda fit: "+c.want; r.status != statusData || got != want {
			t.Errorf("%q: status %d\n got %q\nwant %q", c.args, r.status, got, want)
		}
	}
}

func TestErrorsOfNewRowsNameThePlace(t *testing.T) {
	for _, c := range []struct {
		args  []string
		table string
		want  string
	}{
		{[]string{"--kernel", "chi2"}, "x\n1\n\n-2\n",
			"standard input:4: row 2, column 1 (x): the kernel chi2 does not take -2: features must not be negative; shift or rescale the column"},
		{[]string{"--kernel", "linear", "--scale", "none"}, "x\n1\n1e308\n",
			"standard input:3: row 2: its kernel value with training row 2 is +Inf; scale the columns or choose other parameters of the kernel"},
	} {
		model := writeBytes(t, "m", nil)
		worksOn(t, "x,label\n1,p\n2,p\n3,q\n5,q\n", append([]string{"fit", "-", "-o", model}, c.args...)...)
		for _, command := range []string{"predict", "project"} {
			r := kfda(t, c.table, command, model, "-")
			lines := strings.Split(strings.TrimSuffix(r.err, "\n"), "\n")
			if got, want := lines[len(lines)-1], "kfda "+command+": "+c.want; r.status != statusData || r.out != "" || got != want {
				t.Errorf("%q: status %d\n got %q\nwant %q", c.args, r.status, got, want)
			}
		}
	}
}

// A cut through equal eigenvalues gets a warning.
func TestWarnsOfACutCluster(t *testing.T) {
	// Three classes at the corners of an equilateral triangle in feature space:
	// with a precomputed kernel of three orthogonal groups both eigenvalues are
	// equal.
	const triangle = "2,1,0,0,0,0,a\n1,2,0,0,0,0,a\n0,0,2,1,0,0,b\n0,0,1,2,0,0,b\n0,0,0,0,2,1,c\n0,0,0,0,1,2,c\n"
	for args, want := range map[string]bool{"1": true, "2": false} {
		r := kfda(t, triangle, "fit", "-", "--kernel", "precomputed", "--components", args, "-o", os.DevNull)
		if r.status != statusOK || strings.Contains(r.err, "same eigenvalue") != want {
			t.Errorf("--components %s: %+v", args, r)
		}
	}
}
