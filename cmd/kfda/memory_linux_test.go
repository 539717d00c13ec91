// The race detector multiplies the memory of a process.

//go:build !race

package main

import (
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/seed92411348/kfda/internal/cases"
	"github.com/seed92411348/kfda/internal/must"
)

// peak returns the most memory, in bytes, that an ended process had.
func peak(p *os.ProcessState) float64 {
	return 1024 * float64(p.SysUsage().(*syscall.Rusage).Maxrss)
}

// idlePeak is that of a run of the command that does nothing.
func idlePeak(t *testing.T) float64 {
	t.Helper()
	if raceEnabled {
		t.Skip("the race detector multiplies the memory of a process")
	}
	_, p := runProcess(t, "version")
	return peak(p)
}

// Case 96: a fit holds the kernel matrix once, and nothing of the size rows ×
// rows × columns.
func TestCase96PeakMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("a fit of 1500 rows is left to the long tests")
	}
	const n, d = 1500, 400
	idle := idlePeak(t)
	r, p := runProcess(t, "fit", recipe96(t), "-o", os.DevNull)
	if r.status != statusOK {
		t.Fatal(r.err)
	}
	// The reader and the scaler hold the table more than once.
	if got, want := peak(p)-idle, float64(2*8*n*n+8*8*n*d); got > want {
		t.Errorf("the fit took %s, want at most %s", bytesText(got), bytesText(want))
	}
}

// cv holds the kernel matrices of two folds at most: those of the fold before are collected.
func TestCVPeakMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("fits of 1333 rows are left to the long tests")
	}
	const n, folds = 1500, 9
	idle := idlePeak(t)
	table := recipe96(t)
	r, p := runProcess(t, "cv", table, "--folds", strconv.Itoa(folds))
	if r.status != statusOK {
		t.Fatal(r.err)
	}
	// The reader and the scaler hold the table more than once, each fold a scaled copy.
	const train = n - n/folds
	if got, want := peak(p)-idle, float64(3*8*train*train+12*8*n*400); got > want {
		t.Errorf("cv took %s, want at most %s", bytesText(got), bytesText(want))
	}
}

// Case 96: what does not fit is refused before it is tried.
func TestCase96RefusedWithoutTrying(t *testing.T) {
	idle := idlePeak(t)
	r, p := runProcess(t, "fit", tallTable(t), "--max-memory", "1GB", "-o", os.DevNull)
	if r.status != statusData {
		t.Errorf("status %d, %s", r.status, r.err)
	}
	if got := peak(p) - idle; got > 200e6 {
		t.Errorf("refusing 200000 rows took %s", bytesText(got))
	}
}

// Case 83: the damage of a file that claims or unpacks to more than memory can
// hold is bounded.
func TestCase83Memory(t *testing.T) {
	// The longest record that is read has 2^20 cells of 24 bytes, held twice while
	// they grow in number.
	const record = 3 * 24 << 20
	idle := idlePeak(t)
	table := cases.File(t, "86-labels-after-load/train.csv")
	for name, args := range map[string][]string{
		"section":  {"predict", claimedSection(t), table},
		"matrix":   {"predict", claimedMatrix(t), table},
		"deep":     {"predict", deepFile(t), table},
		"csv bomb": {"fit", csvBomb(t), "-o", os.DevNull},
		"values":   {"fit", bomb(t, "b.arff", "@attribute x {", "a,", 1<<21), "-o", os.DevNull},
		"words":    {"fit", bomb(t, "b.svm", "p", " qid:1", 1<<21), "-o", os.DevNull},
		"sparse":   {"fit", bomb(t, "b.arff", strings.Repeat("@attribute x real\n", 1<<12)+"@data\n", "{}\n", 1<<20), "--max-memory", "50MB", "-o", os.DevNull},
		"far":      {"fit", bomb(t, "b.svm", "", "p 1000000:1\n", 1<<20), "--max-memory", "50MB", "-o", os.DevNull},
		"rows":     {"fit", bomb(t, "b.svm", "", "p\n", 1<<21), "--max-memory", "20MB", "-o", os.DevNull},
		"missing":  {"fit", bomb(t, "b.csv", "", "?,p\n", 1<<22), "--max-memory", "20MB", "-o", os.DevNull},
	} {
		r, p := runProcess(t, args...)
		if r.status != statusData || r.out != "" {
			t.Errorf("%s: status %d, output %.100q, error %s", name, r.status, r.out, r.err)
		}
		if got := peak(p) - idle; got > record {
			t.Errorf("%s: took %s", name, bytesText(got))
		}
	}
}

// Reading a file takes 1.3 times the bytes of its table, and some for the garbage
// collector; from a pipe 2.5 times.
func TestReadingPeakMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("a table of 33 MB is left to the long tests")
	}
	const n, d = 40000, 100
	name := filepath.Join(t.TempDir(), "long.csv")
	f := must.Get(os.Create(name))(t)
	row := []byte(strings.Repeat("0.25,1e-3,12.5,7,", d/4) + "p\n")
	for i := range n {
		row[len(row)-2] = "pq"[i%2]
		f.Write(row)
	}
	f.Close()
	debug.FreeOSMemory() // a child starts with what this process has
	idle := idlePeak(t)
	const table = n * (8*d + 32)
	for _, c := range []struct {
		input string
		times float64
	}{{name, 1.3}, {"-", 2.5}} {
		cmd := process(t, "fit", c.input, "--no-header", "--max-memory", strconv.Itoa(table+1000), "-o", os.DevNull)
		if c.input == "-" {
			f := must.Get(os.Open(name))(t)
			defer f.Close()
			cmd.Stdin = io.MultiReader(f)
		}
		out, _ := cmd.CombinedOutput()
		if !strings.Contains(string(out), "a fit of 40000 rows needs") {
			t.Fatalf("%s", out)
		}
		got := peak(cmd.ProcessState) - idle
		t.Logf("%s: reading a table of %s took %s", c.input, bytesText(table), bytesText(got))
		if got > c.times*table+6e6 {
			t.Errorf("%s: reading a table of %s took %s", c.input, bytesText(table), bytesText(got))
		}
	}
}

// predict takes no more memory for many rows than for few, of a file or from a pipe.
func TestPredictPeakMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("a table of 28 MB is left to the long tests")
	}
	dir := t.TempDir()
	long, short := filepath.Join(dir, "long.csv"), filepath.Join(dir, "short.csv")
	for name, rows := range map[string]int{long: 400_000, short: 50_000} {
		f := must.Get(os.Create(name))(t)
		row := []byte(strings.Repeat("0.25,1e-3,12.5,7,", 4) + "p\n")
		for i := range rows {
			copy(row[:4], strconv.Itoa(1000+i%977))
			row[len(row)-2] = "pq"[i%2]
			f.Write(row)
		}
		f.Close()
	}
	model, out := fitted(t, long, "--no-header", "--rows", ":200"), filepath.Join(dir, "out")
	took := func(stdin bool, command, name string) float64 {
		args := []string{command, model, name, "--no-header", "-o", out}
		if stdin {
			args[2] = "-"
		}
		cmd := process(t, args...)
		if stdin {
			f := must.Get(os.Open(name))(t)
			defer f.Close()
			cmd.Stdin = io.MultiReader(f)
		}
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		return peak(cmd.ProcessState)
	}
	debug.FreeOSMemory() // a child starts with what this process has
	for _, command := range []string{"predict", "project"} {
		for _, stdin := range []bool{false, true} {
			few, many := took(stdin, command, short), took(stdin, command, long)
			t.Logf("%s, from a pipe %t: %s for 50000 rows, %s for 400000", command, stdin, bytesText(few), bytesText(many))
			if many > few+60e6 {
				t.Errorf("%s, from a pipe %t: %s for 50000 rows, %s for 400000", command, stdin, bytesText(few), bytesText(many))
			}
		}
	}
}
