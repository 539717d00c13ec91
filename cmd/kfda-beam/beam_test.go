package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/must"
)

var ctx = context.Background()

// TestMain runs the program itself where a test starts it as a process.
func TestMain(m *testing.M) {
	filesystem.Register("trouble", func(ctx context.Context) filesystem.Interface { return trouble{local.New(ctx)} })
	if os.Getenv("KFDA_BEAM") != "" {
		main()
		return
	}
	beam.Init()
	dir, err := os.MkdirTemp("", "kfda-beam-")
	if err != nil {
		panic(err)
	}
	os.Setenv("TMPDIR", dir) // Beam leaves files there
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// program builds the command of the neighbouring module.
var program = sync.OnceValues(func() (string, error) {
	file := filepath.Join(os.TempDir(), "kfda")
	out, err := exec.Command("go", "build", "-C", "../kfda", "-o", file, ".").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return file, err
})

// trouble is a file system that reads the file named by KFDA_TROUBLE not to its end: it fails
// once, or waits for ever where KFDA_WAITING names a file to be made then.
type trouble struct{ filesystem.Interface }

var failed atomic.Bool

func bare(path string) string { return strings.TrimPrefix(path, "trouble://") }

func (f trouble) List(ctx context.Context, glob string) (names []string, err error) {
	names, err = f.Interface.List(ctx, bare(glob))
	for i := range names {
		names[i] = "trouble://" + names[i]
	}
	return names, err
}

func (f trouble) OpenRead(ctx context.Context, path string) (io.ReadCloser, error) {
	file, err := os.Open(bare(path))
	if err == nil && bare(path) == os.Getenv("KFDA_TROUBLE") {
		return troubled{file}, nil
	}
	return file, err
}

type troubled struct{ *os.File }

var errOnce = errors.New("the disk is away for a moment")

func (t troubled) Read(p []byte) (int, error) {
	if at, _ := t.Seek(0, io.SeekCurrent); at > 100_000 {
		if waiting := os.Getenv("KFDA_WAITING"); waiting != "" {
			os.WriteFile(waiting, nil, 0o644)
			select {}
		}
		if failed.CompareAndSwap(false, true) {
			return 0, errOnce
		}
	}
	return t.File.Read(p)
}

// example is a table of three columns and three classes, and the landmarks that the command draws from it.
type example struct {
	dir   string
	lines []string // records of the text, with the header
}

const exampleRows = 8*discriminant.BlockRows + 4321 // two levels of merging

func newExample(t *testing.T) *example {
	e := &example{dir: t.TempDir(), lines: []string{"size,kind,mass,colour\n"}}
	random := rand.New(rand.NewPCG(3, 4))
	for range exampleRows {
		class, kind := random.IntN(3), random.IntN(3)
		number := func(by float64) float64 { return math.Round(1000*(random.Float64()+by*float64(class))) / 1000 }
		e.lines = append(e.lines, fmt.Sprintf("%v,%s,%v,%s\n", number(0.5),
			[]string{`"a, or b"`, "\"two\nlines\"", "plain"}[kind], number(-0.3), []string{"red", `"dark ""blue"""`, "green"}[class]))
	}
	e.kfda(t, "landmarks", e.cut(t, "whole", exampleRows), "--label", "colour", "--landmarks", "6", "-o", e.path("L"))
	return e
}

func (e *example) path(name string) string { return filepath.Join(e.dir, name) }

// kfda runs the command.
func (e *example) kfda(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command(must.Get(program())(t), args...).CombinedOutput(); err != nil {
		t.Fatalf("kfda %s: %v: %s", args, err, out)
	}
}

// sameFiles compares a file with another.
func (e *example) sameFiles(t *testing.T, what, got, want string) {
	t.Helper()
	if !bytes.Equal(must.Get(os.ReadFile(got))(t), must.Get(os.ReadFile(want))(t)) {
		t.Errorf("%s: other bytes than those of the command", what)
	}
}

// cut writes the table to files of some rows each, the first of one row more, and returns their pattern.
func (e *example) cut(t *testing.T, name string, rows int) (pattern string) {
	for k, at := 0, 1; at < len(e.lines); k++ {
		end := min(at+rows, len(e.lines))
		if k == 0 {
			end = min(end+1, len(e.lines))
		}
		text := e.lines[0] + strings.Join(e.lines[at:end], "")
		must.Do(t, os.WriteFile(filepath.Join(e.dir, fmt.Sprintf("%s-%03d.csv", name, k)), []byte(text), 0o644))
		at = end
	}
	if rows == exampleRows {
		return e.path(name + "-000.csv")
	}
	return e.path(name + "-*.csv")
}

// do runs the program.
func (e *example) do(command, patterns, output string) error {
	return run(ctx, command, flags{e.path("L"), e.path("model"), patterns, output})
}

// Models and predictions have the bytes of the command's, however the rows are shared out among files.
func TestBeam(t *testing.T) {
	e := newExample(t)
	whole, model, want := e.path("whole-000.csv"), e.path("model"), e.path("want")
	e.kfda(t, "fit", whole, "--label", "colour", "--landmarks", "6", "-o", want)
	check := func(what, pattern string) {
		t.Helper()
		must.Do(t, e.do("fit", pattern, model))
		e.sameFiles(t, what, model, want)
		must.Do(t, os.Remove(model))
	}
	for _, files := range []int{1, 2, 7, 64} {
		check(fmt.Sprintf("%d files", files), e.cut(t, fmt.Sprintf("part%d", files), (exampleRows+files-1)/files))
	}
	pattern := e.path("part7-*.csv")
	t.Run("an error", func(t *testing.T) {
		t.Setenv("KFDA_TROUBLE", e.path("part7-003.csv"))
		err := e.do("fit", "trouble://"+pattern, model)
		if err == nil || !strings.Contains(err.Error(), errOnce.Error()) {
			t.Errorf("error %v", err)
		}
		must.Equal(t, "files of the model", len(must.Get(filepath.Glob(model+"*"))(t)), 0)
		check("again after an error", "trouble://"+pattern)
	})
	t.Run("SIGKILL", func(t *testing.T) {
		c := exec.Command(os.Args[0], "fit", "--landmarks-file", e.path("L"), "--input", "trouble://"+pattern, "-o", model)
		c.Env = append(os.Environ(), "KFDA_BEAM=1", "KFDA_WAITING="+e.path("waiting"), "KFDA_TROUBLE="+e.path("part7-003.csv"))
		must.Do(t, c.Start())
		for _, err := os.Stat(e.path("waiting")); err != nil; _, err = os.Stat(e.path("waiting")) {
			time.Sleep(20 * time.Millisecond)
		}
		must.Do(t, c.Process.Kill())
		must.Fail[*exec.ExitError](t, "a process that is killed", c.Wait())
		must.Equal(t, "files of the model", len(must.Get(filepath.Glob(model+"*"))(t)), 0)
		check("again after SIGKILL", pattern)
	})

	must.Do(t, e.do("accumulate", pattern, e.path("all.acc")))
	e.kfda(t, "merge", e.path("all.acc"), "-o", model)
	e.sameFiles(t, "merge of all", model, want)
	for _, one := range [][2]string{{"fit", model}, {"accumulate", e.path("all.acc")}} {
		must.Equal(t, one[0], summary(ctx, one[0], 7, one[1]), fmt.Sprintf("%s is of %d rows in 7 files", one[1], exampleRows))
	}
	must.Equal(t, "of nothing", summary(ctx, "fit", 7, e.path("none")), e.path("none")+" is not there yet")
	e.kfda(t, "accumulate", e.path("L"), whole, "--rows", "131072:", "--first-row", "131072", "-o", e.path("b.acc"))
	e.kfda(t, "accumulate", e.path("L"), whole, "--rows", ":131072", "--shard", "0", "-o", e.path("a.acc"))
	e.kfda(t, "merge", e.path("b.acc"), e.path("a.acc"), "-o", model)
	e.sameFiles(t, "merge of the command", model, want)

	e.kfda(t, "predict", model, whole, "-o", e.path("whole.out"))
	must.Do(t, e.do("predict", pattern, e.path("out.csv")))
	var predictions []byte
	for _, file := range must.Get(filepath.Glob(e.path("out-*.csv")))(t) {
		predictions = append(predictions, must.Get(os.ReadFile(file))(t)...)
	}
	must.Do(t, os.WriteFile(e.path("out.csv"), predictions, 0o644))
	e.sameFiles(t, "predictions", e.path("out.csv"), e.path("whole.out"))
}

// What is wrong with a file is said with its place there, and rows that a worker would count otherwise
// are refused.
func TestRefuses(t *testing.T) {
	e := &example{dir: t.TempDir(), lines: []string{"x,y,class\n"}}
	for i := range 10_000 {
		e.lines = append(e.lines, fmt.Sprintf("%d,%d,%s\n", i%7, i%5, []string{"a", "b"}[i%2]))
	}
	e.kfda(t, "landmarks", e.cut(t, "whole", exampleRows), "--landmarks", "3", "-o", e.path("L"))
	for name, c := range map[string]struct{ line, want string }{
		"class":   {"1,2,c\n", `:4602: row 4601: the class "c" is none of those of ` + e.path("L")},
		"number":  {"1,z,a\n", `:4602: row 4601, column 2 (y)`},
		"ragged":  {"1,a\n", `:4602: row 4601`},
		"quote":   {"1,\"2,a\n", `:4602: `},
		"missing": {"1,,a\n", `:4602: row 4601, column 2 (y)`},
	} {
		right := e.lines[9601]
		e.lines[9601] = c.line
		pattern := e.cut(t, name, 4999)
		err := e.do("fit", pattern, e.path("model"))
		if at := e.path(name+"-001.csv") + c.want; err == nil || !strings.Contains(err.Error(), at) {
			t.Errorf("%s: error %v, want %s", name, err, at)
		}
		e.lines[9601] = right
	}
	e.kfda(t, "landmarks", e.path("whole-000.csv"), "--landmarks", "3", "--ridge", "1", "-o", e.path("given"))
	e.kfda(t, "landmarks", e.path("whole-000.csv"), "--target", "y", "--ignore", "class", "--landmarks", "3", "-o", e.path("numbers"))
	for file, want := range map[string]string{"given": "was made with a given ridge", "numbers": "is for numbers to predict", "nothing": "no such file"} {
		err := run(ctx, "fit", flags{landmarks: e.path(file), input: e.path("whole-000.csv"), output: e.path("model")})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", file, err, want)
		}
	}
	_, _, err := load(ctx, kept{Path: e.path("L"), Hash: "0"}, parseStream)
	if err == nil || !strings.Contains(err.Error(), "has changed since the job began") {
		t.Errorf("another file of landmarks: %v", err)
	}
}
