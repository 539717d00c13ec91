package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// Two clouds that are easy to tell apart: every search gets all rows right, and each
// row is tested once.
func TestNested(t *testing.T) {
	if testing.Short() {
		t.Skip("whole experiments are left to the long tests")
	}
	x := matrix.New(40, 2)
	labels := make([]string, x.Rows)
	for i := range labels {
		labels[i] = []string{"a", "b"}[i%2]
		x.Set(i, 0, float64(i%2)*10+float64(i*7%5))
		x.Set(i, 1, float64(i*11%7))
	}
	r := must.Get(estimate(context.Background(), nestedSet{name: "clouds"}, x, labels, io.Discard))(t)
	if r.searches != outerFolds || r.right != 40 || r.tested != 40 || r.classes != 2 || r.optimistic < 0.99 || r.scalings != "none 10" {
		t.Errorf("the result is %+v", r)
	}
	r, err := estimate(context.Background(), nestedSet{"clouds", 30}, x, labels, io.Discard)
	if err != nil || r.searches != 1 || r.right != 10 || r.tested != 10 {
		t.Errorf("the rows after 30: %+v, %v", r, err)
	}
	outer, err := nestedSet{"clouds", 30}.divide(labels)
	if err != nil || outer.Len() != 1 || !slices.Equal(outer.Test(0), []int{30, 31, 32, 33, 34, 35, 36, 37, 38, 39}) {
		t.Errorf("folds %v, %v", outer, err)
	}
}

// The command reads its tables, and says which it does not know.
func TestNestedCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("whole experiments are left to the long tests")
	}
	folder := easyIris(t)
	var out bytes.Buffer
	must.Do(t, run(context.Background(), []string{"nested", "iris"}, folder, &out, io.Discard))
	if !strings.Contains(out.String(), "| iris | 30 | 3 | 10 | 30 of 30 | 100.00 |") {
		t.Errorf("the table is\n%s", &out)
	}
	if err := run(context.Background(), []string{"nested", "roses"}, folder, &out, io.Discard); err == nil || !strings.Contains(err.Error(), `no data set "roses"`) {
		t.Errorf("another data set: %v", err)
	}
}

// easyIris returns a folder of data with an iris.csv of three classes far apart.
func easyIris(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(folder, "classic"), 0o755))
	var table strings.Builder
	table.WriteString("x,y,label\n")
	for i := range 30 {
		fmt.Fprintf(&table, "%d,%d,%d\n", i%3*10+i%4, i%5, i%3)
	}
	must.Do(t, os.WriteFile(filepath.Join(folder, "classic", "iris.csv"), []byte(table.String()), 0o644))
	return folder
}
