//go:build unix

package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seed92411348/kfda/internal/cases"
	"github.com/seed92411348/kfda/internal/must"
)

// A file that is replaced keeps its owner and its group, or is not replaced.
func TestSaveKeepsOwner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(path, 12345, 23456); err != nil {
		t.Skipf("no right to give files away: %v", err)
	}
	if err := save(context.Background(), path, []byte("new"), nothing); err != nil {
		t.Fatal(err)
	}
	info := must.Get(os.Stat(path))(t)
	if s := info.Sys().(*syscall.Stat_t); s.Uid != 12345 || s.Gid != 23456 || info.Size() != 3 {
		t.Errorf("owner %d, group %d, %d bytes", s.Uid, s.Gid, info.Size())
	}
}

// The standard input can be the file that would be overwritten.
func TestOutputOverStandardInput(t *testing.T) {
	table := filepath.Join(t.TempDir(), "train.csv")
	data := read(t, "demo/wine.csv")
	write(t, table, data)
	in := must.Get(os.Open(table))(t)
	defer in.Close()
	cmd := process(t, "fit", "-", "-o", table)
	cmd.Stdin = in
	cmd.Run()
	if after := read(t, table); cmd.ProcessState.ExitCode() != statusUsage || data != after {
		t.Errorf("status %d, the table is the same: %t", cmd.ProcessState.ExitCode(), data == after)
	}
}

// Case 157: a pipe of the shell, which has a name but no folder to make files in; and a
// named pipe.
func TestCase157Pipes(t *testing.T) {
	dir := t.TempDir()
	table := cases.File(t, "157-output-to-process-substitution/train.csv")
	model := filepath.Join(dir, "m.kfda")
	works(t, "fit", table, "--model", "lda", "--ridge", "0.1", "-o", model)
	want := works(t, "predict", model, table)
	for name, args := range map[string][]string{
		"predict": {"predict", model, table}, "fit": {"fit", table, "--model", "lda", "--ridge", "0.1"},
		"tune": {"tune", "demo/wine.csv", "--model", "lda"},
	} {
		t.Run(name, func(t *testing.T) {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			cmd := process(t, append(args, "-o", "/dev/fd/3")...)
			cmd.ExtraFiles = []*os.File{w}
			var errs bytes.Buffer
			cmd.Stderr = &errs
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			w.Close()
			got, err := io.ReadAll(r)
			if cmd.Wait(); err != nil || len(got) == 0 || name == "predict" && string(got) != want {
				t.Errorf("%d bytes, error %v, %s", len(got), err, errs.String())
			}
		})
	}
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("no named pipes here: %v", err)
	}
	cmd := process(t, "predict", model, table, "-o", pipe)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(pipe)
	if cmd.Wait(); err != nil || string(got) != want {
		t.Errorf("%q, error %v", got, err)
	}
	onlyThese(t, dir, "m.kfda", "pipe")
}

// A signal while the report waits for its reader leaves the old model and nothing else.
func TestSignalsWhileWriting(t *testing.T) {
	for _, c := range []struct {
		signal os.Signal
		status int
	}{{os.Interrupt, statusInterrupted}, {syscall.SIGTERM, 128 + 15}} {
		model := filepath.Join(t.TempDir(), "m")
		unchanged(t, model, func() {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			fillPipe(t, w)
			cmd := process(t, "fit", "demo/wine.csv", "-o", model)
			cmd.Stdout = w
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			w.Close()
			waitForTemporary(t, filepath.Dir(model))
			if err := cmd.Process.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			cmd.Wait()
			if got := cmd.ProcessState.ExitCode(); got != c.status {
				t.Errorf("%v: status %d, want %d", c.signal, got, c.status)
			}
		})
	}
}

// fillPipe writes to a pipe until it takes no more.
func fillPipe(t *testing.T, w *os.File) {
	t.Helper()
	if err := w.SetWriteDeadline(time.Now().Add(200 * time.Millisecond)); err != nil {
		t.Skipf("a pipe without deadlines: %v", err)
	}
	w.Write(make([]byte, 1<<20)) // more than a pipe takes
}

// waitForTemporary waits until there is a temporary file with something in it.
func waitForTemporary(t *testing.T, dir string) {
	t.Helper()
	for range 3000 {
		files := must.Get(filepath.Glob(filepath.Join(dir, "*.tmp")))(t)
		for _, name := range files {
			if info, err := os.Stat(name); err == nil && info.Size() > 0 {
				return
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("no temporary file")
}

// Nobody reads the report: the command ends without a word, and the model is as it was.
func TestClosedPipe(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m")
	unchanged(t, model, func() {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		cmd := process(t, "fit", "demo/wine.csv", "-o", model)
		var errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = w, &errs
		cmd.Run()
		w.Close()
		if cmd.ProcessState.ExitCode() != statusClosed || strings.Contains(errs.String(), "pipe") {
			t.Errorf("status %d, %s", cmd.ProcessState.ExitCode(), errs.String())
		}
	})
}
