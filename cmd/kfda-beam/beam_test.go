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
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/table"
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
	os.Exit(m.Run())
}

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

// example is a table of three columns and three classes, the landmarks of its first rows, and what
// the library makes of it.
type example struct {
	dir, landmarks     string
	lines              []string // records of the text, with the header
	model, predictions []byte
}

const exampleRows = 9*discriminant.BlockRows + 4321 // two levels of merging

func newExample(t *testing.T) *example {
	e := &example{dir: t.TempDir(), lines: []string{"size,kind,mass,colour\n"}}
	random := rand.New(rand.NewPCG(3, 4))
	for range exampleRows {
		class, kind := random.IntN(3), random.IntN(3)
		number := func(by float64) float64 { return math.Round(1000*(random.Float64()+by*float64(class))) / 1000 }
		e.lines = append(e.lines, fmt.Sprintf("%v,%s,%v,%s\n", number(0.5),
			[]string{`"a, or b"`, "\"two\nlines\"", "plain"}[kind], number(-0.3), []string{"red", `"dark ""blue"""`, "green"}[class]))
	}
	whole := must.Get(table.Read(e.cut(t, "whole", exampleRows), nil, table.Options{Label: "colour"}))(t)
	must.Equal(t, "rows", whole.X.Rows, exampleRows)
	method := discriminant.Prepared{Method: discriminant.KFDA{Scaling: discriminant.Standard}, Levels: whole.Layout.Levels()}
	s := must.Get(discriminant.NewStream(ctx, method, whole.X.View(0, 0, 500, 3), whole.Labels[:500], discriminant.Landmarks{Count: 6}))(t)
	s.SetNote(layoutNote, string(must.Get(whole.Layout.MarshalText())(t)))
	e.landmarks = filepath.Join(e.dir, "L")
	must.Do(t, os.WriteFile(e.landmarks, must.Get(s.MarshalBinary())(t), 0o644))
	must.Do(t, s.Append(ctx, whole.X, whole.Labels))
	m := must.Get(s.Model(ctx, discriminant.KFDA{}))(t)
	e.model = must.Get(m.MarshalBinary())(t)
	var b bytes.Buffer
	b.WriteString("row,prediction\n")
	for i, class := range must.Get(m.Predict(nil, whole.X))(t) {
		fmt.Fprintf(&b, "%d,%s\n", i, table.Quote(class))
	}
	e.predictions = b.Bytes()
	return e
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
		return filepath.Join(e.dir, name+"-000.csv")
	}
	return filepath.Join(e.dir, name+"-*.csv")
}

// do runs the program.
func (e *example) do(command, patterns, output string) error {
	return run(ctx, command, flags{e.landmarks, filepath.Join(e.dir, "model"), patterns, output})
}

// The model and the predictions are those of the library, however the rows are shared out among files.
func TestBeam(t *testing.T) {
	e := newExample(t)
	model := filepath.Join(e.dir, "model")
	same := func(what, file string, want []byte) {
		t.Helper()
		if !bytes.Equal(must.Get(os.ReadFile(file))(t), want) {
			t.Errorf("%s: other bytes than those of the library", what)
		}
	}
	for _, files := range []int{1, 2, 7, 64} {
		pattern := e.cut(t, fmt.Sprintf("part%d", files), (exampleRows+files-1)/files)
		must.Do(t, e.do("fit", pattern, model))
		same(fmt.Sprintf("%d files", files), model, e.model)
		must.Do(t, os.Remove(model))
	}
	pattern := filepath.Join(e.dir, "part7-*.csv")
	must.Do(t, e.do("accumulate", pattern, filepath.Join(e.dir, "all.acc")))
	all := must.Get(parseStream(must.Get(os.ReadFile(filepath.Join(e.dir, "all.acc")))(t)))(t)
	must.Equal(t, "rows", all.Next(), exampleRows)

	t.Run("an error", func(t *testing.T) {
		t.Setenv("KFDA_TROUBLE", filepath.Join(e.dir, "part7-003.csv"))
		err := e.do("fit", "trouble://"+pattern, model)
		if err == nil || !strings.Contains(err.Error(), errOnce.Error()) {
			t.Errorf("error %v", err)
		}
		must.Fail[*os.PathError](t, "a model after an error", func() error { _, err := os.Stat(model); return err }())
		must.Do(t, e.do("fit", "trouble://"+pattern, model))
		same("again after an error", model, e.model)
		must.Do(t, os.Remove(model))
	})
	t.Run("SIGKILL", func(t *testing.T) {
		waiting := filepath.Join(e.dir, "waiting")
		c := exec.Command(os.Args[0], "fit", "--landmarks-file", e.landmarks, "--input", "trouble://"+pattern, "-o", model)
		c.Env = append(os.Environ(), "KFDA_BEAM=1", "KFDA_WAITING="+waiting, "KFDA_TROUBLE="+filepath.Join(e.dir, "part7-003.csv"))
		must.Do(t, c.Start())
		for {
			if _, err := os.Stat(waiting); err == nil {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		must.Do(t, c.Process.Kill())
		must.Fail[*exec.ExitError](t, "a process that is killed", c.Wait())
		must.Equal(t, "files of the model", len(must.Get(filepath.Glob(model+"*"))(t)), 0)
		must.Do(t, e.do("fit", pattern, model))
		same("again after SIGKILL", model, e.model)
	})

	must.Do(t, e.do("predict", pattern, filepath.Join(e.dir, "out.csv")))
	var predictions []byte
	for _, file := range must.Get(filepath.Glob(filepath.Join(e.dir, "out-*.csv")))(t) {
		predictions = append(predictions, must.Get(os.ReadFile(file))(t)...)
	}
	if !bytes.Equal(predictions, e.predictions) {
		t.Error("other predictions than those of the library")
	}
}

// What is wrong with a file is said with its place there, and rows that a worker would count otherwise
// are refused.
func TestRefuses(t *testing.T) {
	e := &example{dir: t.TempDir(), lines: []string{"x,y,class\n"}}
	for i := range 10_000 {
		e.lines = append(e.lines, fmt.Sprintf("%d,%d,%s\n", i%7, i%5, []string{"a", "b"}[i%2]))
	}
	whole := must.Get(table.Read(e.cut(t, "whole", exampleRows), nil, table.Options{}))(t)
	s := must.Get(discriminant.NewStream(ctx, discriminant.KFDA{}, whole.X, whole.Labels, discriminant.Landmarks{Count: 3}))(t)
	s.SetNote(layoutNote, string(must.Get(whole.Layout.MarshalText())(t)))
	e.landmarks = filepath.Join(e.dir, "L")
	must.Do(t, os.WriteFile(e.landmarks, must.Get(s.MarshalBinary())(t), 0o644))
	for name, c := range map[string]struct{ line, want string }{
		"class":   {"1,2,c\n", `:4602: row 4601: the class "c" is none of those of ` + e.landmarks},
		"number":  {"1,z,a\n", `:4602: row 4601, column 2 (y)`},
		"ragged":  {"1,a\n", `:4602: row 4601`},
		"quote":   {"1,\"2,a\n", `:4602: `},
		"missing": {"1,,a\n", `:4602: row 4601, column 2 (y)`},
	} {
		right := e.lines[9601]
		e.lines[9601] = c.line
		pattern := e.cut(t, name, 4999)
		err := e.do("fit", pattern, filepath.Join(e.dir, "model"))
		if at := filepath.Join(e.dir, name+"-001.csv") + c.want; err == nil || !strings.Contains(err.Error(), at) {
			t.Errorf("%s: error %v, want %s", name, err, at)
		}
		e.lines[9601] = right
	}
	_, _, err := load(ctx, kept{Path: e.landmarks, Hash: "0"}, parseStream)
	if err == nil || !strings.Contains(err.Error(), "has changed since the job began") {
		t.Errorf("another file of landmarks: %v", err)
	}
}
