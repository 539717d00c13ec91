package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/isa"
	"github.com/seed92411348/kfda/internal/must"
)

func TestCompare(t *testing.T) {
	want := []float64{3, 0}
	for _, c := range []struct {
		got []float64
		ok  bool
	}{
		{[]float64{3.000001, 1e-13}, true},
		{[]float64{3.00001, 0}, false},
		{[]float64{3}, false},
		{[]float64{3, 0, 0}, false},
		{[]float64{3, 1e-9}, false},
	} {
		if err := compare(c.got, want, 0); (err == nil) != c.ok {
			t.Errorf("compare(%v, %v) = %v", c.got, want, err)
		}
	}
}

func TestCompareSets(t *testing.T) {
	want := make([]float64, 200)
	for i := range want {
		want[i] = float64(i)
	}
	for _, c := range []struct {
		got    []float64
		shared int
		ok     bool
	}{
		{want, 200, true},
		{want[1:], 199, true},
		{append([]float64{500, 501}, want...), 200, true},
		{append([]float64{500}, want[1:]...), 199, true},
		{want[3:], 197, false},
		{append([]float64{500, 501, 502}, want[3:]...), 197, false}, // as many, but others
		{nil, 0, false},
	} {
		if got := len(common(c.got, want)); got != c.shared {
			t.Errorf("%v shares %d, want %d", c.got, got, c.shared)
		}
		if err := compareSets(c.got, want, 0.01); (err == nil) != c.ok {
			t.Errorf("%d with %d shared: %v", len(c.got), c.shared, err)
		}
	}
}

// Nothing that chooses kernels or threads reaches a program from outside.
func TestEnvironment(t *testing.T) {
	got := environment([]string{"HOME=/x", "OPENBLAS_CORETYPE=Zen", "OPENBLAS_L2_SIZE=1", "OMP_NUM_THREADS=9", "GODEBUG=cpu.avx2=off", "BLIS_ARCH_TYPE=3"}, 2)
	want := []string{"HOME=/x", "GOMAXPROCS=2", "OPENBLAS_NUM_THREADS=2", "OMP_NUM_THREADS=2", "BLIS_NUM_THREADS=2"}
	if isa.Current() == isa.AVX512 {
		want = append(want, "OPENBLAS_CORETYPE=SkylakeX", "BLIS_ARCH_TYPE=0")
	}
	must.EqualSlices(t, "environment", got, want)
}

// Two programs are measured in turn, results are compared, and what can't be measured
// is named.
func TestBench(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skipf("needs the go command: %v", err)
	}
	folder := t.TempDir()
	for _, p := range []string{"./workers/kfda", "./workers/gonum"} {
		if out, err := exec.Command("go", "build", "-o", folder+string(filepath.Separator), p).CombinedOutput(); err != nil {
			t.Fatalf("go build %s: %v\n%s", p, err, out)
		}
	}
	f, err := writeData(folder)
	if err != nil {
		t.Fatal(err)
	}
	task := func(name string, n int) string { return fmt.Sprintf("%s n=%d numbers=%s", name, n, f.numbers) }
	g := group{title: "Tests", note: "None.", rows: []row{
		{what: "product", threads: 1, flops: 2 * cube(32), entries: []entry{
			{label: "kfda", program: "kfda", task: task("product", 32)},
			{label: "gonum", program: "gonum", task: task("product", 32)},
			{label: "gonum again", program: "gonum", task: task("product", 32)},
			{label: "another size", program: "gonum", task: task("product", 31)},
			{label: "no such task", program: "gonum", task: task("quotient", 32)},
			{label: "no such program", program: "absent", task: task("product", 32)},
		}},
		{what: "cholesky", threads: 1, entries: []entry{
			{label: "kfda", program: "kfda", task: task("cholesky", 200)},
			{label: "gonum", program: "gonum", task: task("cholesky", 200)},
		}},
	}}

	var progress strings.Builder
	b := newBench(append(known(folder, folder), program{"absent", []string{filepath.Join(folder, "absent")}}), &progress)
	b.rounds = 2
	defer b.close()
	r := b.group(context.Background(), g)

	var out strings.Builder
	b.writePrograms(&out)
	b.writePeaks(&out)
	b.writeResult(&out, r)
	t.Log(out.String())
	for i, row := range r.timings {
		for j, timing := range row {
			measured := timing != nil && len(timing.rounds) == b.rounds && timing.best > 0
			if label := g.rows[i].entries[j].label; measured == strings.HasPrefix(label, "no such") {
				t.Errorf("%s, %s: measured: %v", g.rows[i].what, label, measured)
			}
		}
	}
	if len(b.failed) != 3 {
		t.Errorf("%d lines of what went wrong, want 3: %q", len(b.failed), b.failed)
	}
	for _, want := range []string{"product, another size: its result is another one", "product, no such task: no such task",
		"product, no such program: not on this machine", "- absent is left out"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report does not say %q", want)
		}
	}

	if runtime.GOOS != "linux" {
		t.Skip("the peak of the memory is known on Linux alone")
	}
	m := group{title: "Memory", rows: []row{{what: "fit", threads: 1, units: 8 * 300 * 300, entries: []entry{
		{label: "kfda", program: "kfda", task: "fit method=rkhs n=300 d=64 classes=10 gamma=0.01 epsilon=1 rows=" + f.rows},
	}}}}
	peaks := b.memory(context.Background(), m)
	if len(peaks) != 1 || !(peaks[0].loaded > 1<<20 && peaks[0].peak >= peaks[0].loaded) {
		t.Errorf("memory: %+v", peaks)
	}
}

// When the time is up, nothing starts and nothing hangs.
func TestBenchOutOfTime(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	b := newBench(known("no-such-folder", "no-such-folder"), new(strings.Builder))
	defer b.close()
	r := b.group(ctx, plan(files{}, false)[0])
	var out strings.Builder
	b.writeResult(&out, r)
	if len(b.failed) != len(r.group.rows) {
		t.Errorf("%d of %d rows are named as left out", len(b.failed), len(r.group.rows))
	}
}

// The first entry of each row, which the others are compared with, is kfda's.
func TestPlan(t *testing.T) {
	for _, g := range append(plan(files{}, true), memoryGroup(files{}, true)) {
		for _, r := range g.rows {
			if len(r.entries) == 0 || r.entries[0].program != "kfda" || r.threads == 0 {
				t.Errorf("%s, %s: the first entry is not kfda's", g.title, r.what)
			}
		}
	}
}
