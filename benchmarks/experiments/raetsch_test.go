package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
)

// writeRing writes a data set of points inside and outside of a circle under a
// folder, with three splits of 40 training rows.
func writeRing(t *testing.T, folder string) {
	t.Helper()
	const n = 120
	x, labels := ring(n)
	var table, splits strings.Builder
	table.WriteString("x1,x2,label\n")
	for i, label := range labels {
		fmt.Fprintf(&table, "%v,%v,%d\n", x.At(i, 0), x.At(i, 1), label)
	}
	splits.WriteString("split,train_rows\n")
	random := rand.New(rand.NewPCG(1, 2))
	for number := 1; number <= 3; number++ {
		rows := fmt.Sprint(random.Perm(n)[:40])
		fmt.Fprintf(&splits, "%d,%s\n", number, strings.Trim(rows, "[]"))
	}
	writeFile(t, filepath.Join(folder, "data.csv"), table.String())
	writeFile(t, filepath.Join(folder, generatedSplits), splits.String())
}

// The whole experiment on a small data set: a circle is learned, and the tables
// are the same for any number of workers.
func TestExperiment(t *testing.T) {
	folder := t.TempDir()
	writeRing(t, folder)
	ring := benchmark{".", generatedSplits, 12.3, 5, 100}
	small := grid{
		gammas: []float64{0.25, 4},
		ridges: []float64{1e-40, 1e-3, 1e-1},
	}
	var tables []string
	for _, workers := range []int{1, 3} {
		var out bytes.Buffer
		must.Do(t, raetsch(context.Background(), folder, []benchmark{ring}, small, workers, &out, io.Discard))
		tables = append(tables, out.String())
	}
	if tables[0] != tables[1] {
		t.Errorf("tables differ between 1 and 3 workers:\n%s\n%s", tables[0], tables[1])
	}
	r := must.Get(runBenchmark(context.Background(), folder, ring, small, 2))(t)
	if mean, _ := meanAndStandardError(r.errors); mean > 15 {
		t.Errorf("test error %.1f %%: 40 rows of a circle without noise are learned to about 5 %%", mean)
	}
	if r.train != 40 || r.test != 80 || len(r.errors) != 3 || r.floor != 0 {
		t.Errorf("%d training rows, %d test rows, %d splits, floor %v", r.train, r.test, len(r.errors), r.floor)
	}
	if r.selection.rows != 120 {
		t.Errorf("%d validated rows, want each of 40 training rows of 3 splits", r.selection.rows)
	}
	if r.selection.refused != 6 {
		t.Errorf("%d candidates refused, want the two with a ridge of 1e-40 in each of 3 splits", r.selection.refused)
	}
	for _, text := range []string{"| 40 / 80 | 3, generated |", "| 12.3 ± 0.50 | "} {
		if !strings.Contains(tables[0], text) {
			t.Errorf("no %q in\n%s", text, tables[0])
		}
	}
}

// The candidate does not depend on the labels of rows that no selection split
// trains on.
func TestSelectionSeesTrainingRowsOnly(t *testing.T) {
	folder := t.TempDir()
	writeRing(t, folder)
	set := must.Get(readDataSet(folder, generatedSplits))(t)
	small := grid{gammas: []float64{1}, ridges: []float64{1e-2}}
	before := must.Get(selectCandidate(context.Background(), set, small, 2))(t)
	trained := make([]bool, set.x.Rows)
	for _, s := range set.splits {
		for _, i := range s.train {
			trained[i] = true
		}
	}
	for i := range set.labels {
		if !trained[i] {
			set.labels[i] = -set.labels[i]
			set.x.Set(i, 0, 1e6)
		}
	}
	after := must.Get(selectCandidate(context.Background(), set, small, 2))(t)
	if before != after {
		t.Errorf("selection %+v, after a change of test rows %+v", before, after)
	}
}

func TestArguments(t *testing.T) {
	for _, c := range []struct {
		args, data, want string
	}{
		{"", "data", "want the experiment raetsch"},
		{"other", "data", "want the experiment raetsch"},
		{"raetsch", "", "set KFDA_DATA"},
		{"raetsch iris", "data", `no data set "iris"`},
		{"raetsch -colour", "data", "not defined"},
		{"raetsch", "no-such-folder", filepath.Join("no-such-folder", "raetsch", "banana", "data.csv")},
		{"raetsch -data other heart", "data", filepath.Join("other", "raetsch", "heart", "data.csv")},
	} {
		err := run(context.Background(), strings.Fields(c.args), c.data, io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("experiments %s: error %v, want one with %q", c.args, err, c.want)
		}
	}
	var help bytes.Buffer
	for _, args := range []string{"-h", "raetsch -h"} {
		help.Reset()
		err := run(context.Background(), strings.Fields(args), "", io.Discard, &help)
		if !errors.Is(err, flag.ErrHelp) || !strings.Contains(help.String(), "usage: experiments raetsch") {
			t.Errorf("experiments %s: error %v, help %q", args, err, help.String())
		}
	}
}

func TestRidgeText(t *testing.T) {
	for r, want := range map[float64]string{30.000000000000004: "30", 3e-7: "3e-07", 0.1: "0.1", 1: "1"} {
		must.Equal(t, fmt.Sprintf("%v", r), ridgeText(r), want)
	}
}
