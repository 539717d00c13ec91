package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/cases"
)

// readLines returns the lines of a file of case 29.
func readLines(t *testing.T, name string) []string {
	t.Helper()
	text := read(t, cases.File(t, "29-precomputed-test-shape/"+name))
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// beside joins lines of tables to those of one table.
func beside(left, right []string) []string {
	var lines []string
	for i := range left {
		lines = append(lines, left[i]+","+right[i])
	}
	return lines
}

func text(lines []string) string { return strings.Join(lines, "\n") + "\n" }

// Case 29: the columns of a precomputed kernel are the training rows.
func TestCase29Precomputed(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m")
	train := text(beside(readLines(t, "K-train.csv"), readLines(t, "y.csv")))
	fit := func(table string, args ...string) result {
		return kfda(t, table, append([]string{"fit", "-", "--kernel", "precomputed", "-o", model}, args...)...)
	}
	if r := fit(train); r.status != statusOK {
		t.Fatal(r.err)
	}
	if r := kfda(t, train, "score", model, "-"); r.status != statusOK || !strings.Contains(r.out, "0 errors in 6 rows") {
		t.Errorf("score: %+v", r)
	}
	file := func(name string) string { return cases.File(t, "29-precomputed-test-shape/"+name+".csv") }
	if got, want := predictions(t, works(t, "predict", model, file("K-test"))), []string{"neg", "pos", "pos"}; !slices.Equal(got, want) {
		t.Errorf("predictions %q, want %q", got, want)
	}
	for name, columns := range map[string]string{"bad-test-by-test": "3", "bad-transposed": "3", "bad-one-column": "1"} {
		for _, command := range []string{"predict", "project"} {
			fails(t, statusData, []string{name, "rows×" + columns + " kernel values, want rows×6"}, command, model, file(name))
		}
	}

	// Tables that are no kernel matrix of their rows.
	unchanged(t, model, func() {
		for _, c := range []struct {
			table string
			words []string
			args  []string
		}{
			{train, []string{"6×5 kernel values, want 6×6", "the label is column 7, is that right?"}, []string{"--ignore", "3"}},
			{text(beside(readLines(t, "K-train.csv")[:5], readLines(t, "y.csv")[1:])), []string{"5×6 kernel values, want 5×5"}, nil},
			{strings.Replace(train, "8.0,8.0,8.0,-8.0,-8.0,-10.0", "8.5,8.0,8.0,-8.0,-8.0,-10.0", 1),
				[]string{"standard input:2: row 2, column 1", "8.5 here, but 8 in line 1, column 2"}, nil},
		} {
			folds := append([]string{"cv", "-", "--kernel", "precomputed", "--folds", "2"}, c.args...)
			for command, r := range map[string]result{"fit": fit(c.table, c.args...), "cv": kfda(t, c.table, folds...)} {
				if r.status != statusData {
					t.Errorf("%s of\n%s: %+v", command, c.table, r)
				}
				says(t, r.err, c.words...)
			}
		}
	})
	// Labels of a file of their own stand in no column.
	fails(t, statusData, []string{"6×5 kernel values, want 6×6: with --kernel precomputed each training row has one column\n"},
		"fit", file("K-train"), "--kernel", "precomputed", "--labels", file("y"), "--ignore", "3", "-o", model)
	fails(t, statusUsage, []string{"precomputed"}, "fit", file("K-train"), "--kernel", "precomputed", "--scale", "standard", "-o", model)
}

// With --rows the columns are those of the selected rows: a file of training and
// test rows, or a square one of which the other columns are left out.
func TestPrecomputedRows(t *testing.T) {
	dir := t.TempDir()
	model, other := filepath.Join(dir, "m"), filepath.Join(dir, "other")
	labels := append(readLines(t, "y.csv"), "neg", "pos", "pos")
	tall := text(beside(slices.Concat(readLines(t, "K-train.csv"), readLines(t, "K-test.csv")), labels))
	worksOn(t, tall, "fit", "-", "--kernel", "precomputed", "--rows", ":6", "-o", model)
	r := kfda(t, tall, "score", model, "-", "--rows", "6:")
	if r.status != statusOK || !strings.Contains(r.out, "0 errors in 3 rows") {
		t.Errorf("score: %+v", r)
	}

	square := text(beside(strings.Split(strings.TrimSuffix(tall, "\n"), "\n"), slices.Repeat([]string{"0,0,0"}, 9)))
	args := []string{"fit", "-", "--kernel", "precomputed", "--label", "7", "--rows", ":6", "-o", other}
	if r := kfda(t, square, args...); r.status != statusData || !strings.Contains(r.err, "6×9 kernel values, want 6×6") || !strings.Contains(r.err, "--ignore") {
		t.Errorf("the columns of 9 rows for 6 rows: %+v", r)
	}
	worksOn(t, square, append(args, "--ignore", "8,9,10")...)
	if again := kfda(t, square, "score", other, "-", "--rows", "6:"); again.out != r.out {
		t.Errorf("score %q, want %q; %s", again.out, r.out, again.err)
	}
}

// A kernel matrix that differs from its transpose by rounding is taken; by more, it is
// refused with the entries, and what the error suggests works.
func TestKernelMatrixNotSymmetric(t *testing.T) {
	run := func(corner string, args ...string) result {
		table := "1,0.5,0.1,a\n0.5,1,0.25,a\n" + corner + ",0.25,1,b\n"
		return kfda(t, table, append(args, "-", "--no-header", "--kernel", "precomputed", "--ridge", "1")...)
	}
	model := filepath.Join(t.TempDir(), "m")
	if r := run("0.10000000000000002", "fit", "-o", model); r.status != statusOK {
		t.Error(r.err)
	}
	const want = "standard input:3: row 3, column 1: the kernel matrix is not symmetric: 0.2 here, but 0.1 in line 1, column 3; with --symmetrize the mean of both counts"
	if r := run("0.2", "fit", "-o", model); r.status != statusData || !strings.Contains(r.err, want) {
		t.Errorf("%+v, want %s", r, want)
	}
	if r := run("0.2", "fit", "-o", model, "--symmetrize"); r.status != statusOK {
		t.Error(r.err)
	}
	if r := run("0.2", "cv", "--folds", "2", "--symmetrize"); strings.Contains(r.err, "symmetric") {
		t.Error(r.err)
	}
}
