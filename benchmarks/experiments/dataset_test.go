package main

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
)

const smallTable = "x1,x2,label\n0.5,-1e3,1\n2,3,-1\n4,5,1\n6,7,-1\n"

func TestReadDataSet(t *testing.T) {
	folder := t.TempDir()
	writeFile(t, filepath.Join(folder, "data.csv"), smallTable)
	writeFile(t, filepath.Join(folder, originalSplits), "split,train_rows\n1,3 0\n7,2 1\n")
	set := must.Get(readDataSet(folder, originalSplits))(t)
	if got, want := set.x.Data, []float64{0.5, -1e3, 2, 3, 4, 5, 6, 7}; !reflect.DeepEqual(got, want) {
		t.Errorf("features %v, want %v", got, want)
	}
	if want := []int{1, -1, 1, -1}; !reflect.DeepEqual(set.labels, want) {
		t.Errorf("labels %v, want %v", set.labels, want)
	}
	if want := []split{{1, []int{3, 0}}, {7, []int{2, 1}}}; !reflect.DeepEqual(set.splits, want) {
		t.Errorf("splits %v, want %v", set.splits, want)
	}
	if got, want := set.testRows(set.splits[0]), []int{1, 2}; !reflect.DeepEqual(got, want) {
		t.Errorf("test rows %v, want %v", got, want)
	}
	x, labels := set.at([]int{3, 0})
	if !reflect.DeepEqual(x.Data, []float64{6, 7, 0.5, -1e3}) || !reflect.DeepEqual(labels, []int{-1, 1}) {
		t.Errorf("rows 3 and 0 are %v with labels %v", x.Data, labels)
	}
}

func TestReadCompressedTable(t *testing.T) {
	folder := t.TempDir()
	f := must.Get(os.Create(filepath.Join(folder, "data.csv.gz")))(t)
	z := gzip.NewWriter(f)
	must.Get(z.Write([]byte(smallTable)))(t)
	must.Do(t, z.Close())
	must.Do(t, f.Close())
	writeFile(t, filepath.Join(folder, originalSplits), "split,train_rows\n1,3 0\n")
	set := must.Get(readDataSet(folder, originalSplits))(t)
	if set.x.Rows != 4 || set.x.Cols != 2 {
		t.Errorf("table is %d×%d, want 4×2", set.x.Rows, set.x.Cols)
	}
}

func TestReadDataSetErrors(t *testing.T) {
	const splits = "split,train_rows\n"
	tests := []struct{ name, table, splits, want string }{
		{"no table", "", splits + "1,0 1\n", "data.csv: no such file"},
		{"no splits", smallTable, "", "splits_original.csv: no such file"},
		{"no label column", "x1,x2\n1,1\n2,2\n3,2\n", splits + "1,0\n", `label "2", want 1 or -1`},
		{"only a label", "label\n1\n1\n-1\n", splits + "1,0\n", "no feature"},
		{"no rows", "x1,label\n", splits + "1,0\n", "no rows"},
		{"a text", "x1,label\n1,1\nx,1\n2,-1\n", splits + "1,0\n", "x1"},
		{"a third label", "x1,label\n1,1\n1,2\n2,2\n", splits + "1,0\n", `row 1: label "2"`},
		{"a field too many", "x1,label\n1,1\n1,2,1\n", splits + "1,0\n", ":3"},
		{"other columns", smallTable, "a,b\n1,0\n", "want split and train_rows"},
		{"a number missing", smallTable, splits + "a,0\n", "number of a split"},
		{"an empty file of splits", smallTable, splits, "no splits"},
		{"a row too far", smallTable, splits + "3,0 4\n", "split 3: row 4 of a table of 4 rows"},
		{"a negative row", smallTable, splits + "3,-1\n", "row -1"},
		{"a row twice", smallTable, splits + "3,1 0 1\n", "row 1 occurs twice"},
		{"no training rows", smallTable, splits + "3,\n", "0 training rows"},
		{"no test rows", smallTable, splits + "3,0 1 2 3\n", "4 training rows of 4"},
		{"sizes that differ", smallTable, splits + "1,0 1\n2,0\n", "split 2 has 1 training rows, the first has 2"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			if c.table != "" {
				writeFile(t, filepath.Join(folder, "data.csv"), c.table)
			}
			if c.splits != "" {
				writeFile(t, filepath.Join(folder, originalSplits), c.splits)
			}
			_, err := readDataSet(folder, originalSplits)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

// The published data sets are read in full, and every split has both classes.
func TestPublishedDataSets(t *testing.T) {
	data := os.Getenv("KFDA_DATA")
	if data == "" {
		t.Skip("needs the data sets: set KFDA_DATA to the folder that contains raetsch/")
	}
	if testing.Short() {
		t.Skip("reads some megabytes of text")
	}
	shapes := map[string][5]int{ // rows, features, training rows, splits, rows of class 1
		"banana":   {5300, 2, 400, 10, 2376},
		"heart":    {270, 13, 170, 10, 120},
		"ringnorm": {7400, 20, 400, 10, 3664},
		"image":    {2310, 18, 1300, 10, 1320},
		"titanic":  {2201, 3, 150, 10, 711},
		"thyroid":  {215, 5, 140, 20, 65},
	}
	for _, b := range benchmarks {
		set, err := readDataSet(filepath.Join(data, "raetsch", b.name), b.splits)
		if err != nil {
			t.Error(err)
			continue
		}
		positive := 0
		for _, label := range set.labels {
			positive += (label + 1) / 2
		}
		got := [5]int{set.x.Rows, set.x.Cols, len(set.splits[0].train), len(set.splits), positive}
		must.Equal(t, b.name, got, shapes[b.name])
	}
}

// Three equal rows with labels 1, 1, −1 and one other row: one error of four.
func TestErrorFloor(t *testing.T) {
	x, labels := must.Get2(readTable(strings.NewReader("x1,label\n2,1\n2,-1\n3,-1\n2,1\n")))(t)
	if got := errorFloor(x, labels); got != 25 {
		t.Errorf("floor %v %%, want 25 %%", got)
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	must.Do(t, os.WriteFile(path, []byte(text), 0o644))
}
