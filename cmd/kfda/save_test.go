package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/cases"
	"github.com/seed92411348/kfda/internal/must"
)

func nothing() error { return nil }

// A link stays a link, also one to a file that is not there yet, and the file at its
// end has the mode that it had.
func TestSaveKeepsLinksAndModes(t *testing.T) {
	dir := t.TempDir()
	target, link, dangling := filepath.Join(dir, "target"), filepath.Join(dir, "link"), filepath.Join(dir, "dangling")
	write(t, target, "old")
	if err := os.Symlink("target", link); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if err := os.Symlink("new", dangling); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []os.FileMode{0o640, 0o666, 0o602} { // more than umask allows, too
		if err := os.Chmod(target, mode); err != nil {
			t.Fatal(err)
		}
		if err := save(context.Background(), link, []byte("new"), nothing); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(target)
		if info, _ := os.Stat(target); err != nil || string(got) != "new" || info.Mode() != mode {
			t.Errorf("target %q, mode %v, error %v, want mode %v", got, info.Mode(), err, mode)
		}
	}
	if err := save(context.Background(), dangling, []byte("new"), nothing); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "new")); err != nil || string(got) != "new" {
		t.Errorf("the end of a dangling link: %q, %v", got, err)
	}
	for _, l := range []string{link, dangling} {
		if info, err := os.Lstat(l); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s became %v, %v", l, info.Mode(), err)
		}
	}
	onlyThese(t, dir, "target", "link", "dangling", "new")
	if err := save(context.Background(), dir, []byte("new"), nothing); err == nil {
		t.Error("a directory was written to")
	}
	if err := save(context.Background(), os.DevNull, []byte("new"), nothing); err != nil {
		t.Errorf("%s: %v", os.DevNull, err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s became %v, %v", os.DevNull, info.Mode(), err)
	}
}

// onlyThese checks that a directory holds these files and no others.
func onlyThese(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))(t)
	want := make(map[string]bool)
	for _, name := range names {
		want[name] = true
	}
	for _, e := range entries {
		if !want[e.Name()] {
			t.Errorf("%s is left behind", e.Name())
		}
		delete(want, e.Name())
	}
	for name := range want {
		t.Errorf("%s is gone", name)
	}
}

// The old file is there, as it was, until the new one is whole and all else is done; a
// reader that has opened it goes on to read the old one.
func TestSaveReplacesLast(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m")
	failure := errors.New("no")
	unchanged(t, path, func() {
		if err := save(context.Background(), path, []byte("new"), func() error { return failure }); err != failure {
			t.Errorf("error %v, want %v", err, failure)
		}
	})
	reader, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	err = save(context.Background(), path, []byte("new"), func() error {
		if got, err := os.ReadFile(path); err != nil || string(got) != "the old file" {
			t.Errorf("before the end the file holds %q, %v", got, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var old bytes.Buffer
	if _, err := old.ReadFrom(reader); err != nil || old.String() != "the old file" {
		t.Errorf("an open file changed to %q, %v: it was written to and not replaced", old.String(), err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "new" {
		t.Errorf("the file holds %q, %v", got, err)
	}
	onlyThese(t, filepath.Dir(path), "m")
}

// fullWriter takes some bytes and fails from then on, as a device without space.
type fullWriter struct{ left int }

var errFull = errors.New("no space left")

func (w *fullWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// A command whose output can't be written fails, says so, and leaves the files alone.
func TestFullOutput(t *testing.T) {
	dir := t.TempDir()
	model, other := filepath.Join(dir, "m"), filepath.Join(dir, "other")
	works(t, "fit", "demo/wine.csv", "-o", model)
	for _, line := range []string{
		"fit demo/wine.csv -o OTHER", "fit demo/wine.csv -o OTHER --json", "fit demo/wine.csv -o -",
		"tune demo/wine.csv --model lda -o OTHER", "tune demo/wine.csv --model lda --json -o OTHER", "tune demo/wine.csv --model lda",
		"cv demo/wine.csv", "cv demo/wine.csv --json", "predict MODEL demo/wine.csv", "project MODEL demo/wine.csv",
		"score MODEL demo/wine.csv", "score MODEL demo/wine.csv --json", "inspect MODEL", "inspect MODEL --json",
		"demo", "version", "version -v", "--help", "fit --help", "tables",
	} {
		t.Run(line, func(t *testing.T) {
			unchanged(t, other, func() {
				args := strings.Fields(strings.NewReplacer("OTHER", other, "MODEL", model).Replace(line))
				var whole, errs bytes.Buffer
				if status := run(context.Background(), args, nil, &whole, &errs); status != statusOK {
					t.Fatal(errs.String())
				}
				os.WriteFile(other, []byte("the old file"), 0o644)
				for _, room := range []int{0, whole.Len() / 2} {
					errs.Reset()
					if status := run(context.Background(), args, nil, &fullWriter{room}, &errs); status != statusData || !strings.Contains(errs.String(), errFull.Error()) {
						t.Errorf("room for %d of %d bytes: status %d, error %q", room, whole.Len(), status, errs.String())
					}
				}
			})
		})
	}
}

// Case 131: a fit whose report can't be written leaves the model as it was.
func TestCase131FailedCommand(t *testing.T) {
	const full = "/dev/full"
	device, err := os.OpenFile(full, os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("no device without space here: %v", err)
	}
	defer device.Close()
	model := filepath.Join(t.TempDir(), "m.kfda")
	works(t, "fit", cases.File(t, "131-failed-command-replaces-model/old.csv"), "--model", "lda", "--ridge", "0.1", "-o", model)
	before := read(t, model)
	cmd := process(t, "fit", cases.File(t, "131-failed-command-replaces-model/new.csv"), "--model", "lda", "--ridge", "0.1", "-o", model)
	cmd.Stdout = device
	cmd.Run()
	if after := read(t, model); cmd.ProcessState.ExitCode() != statusData || before != after {
		t.Errorf("status %d; the model is the same: %t", cmd.ProcessState.ExitCode(), before == after)
	}
	for _, command := range []string{"sets", "novelty"} {
		cmd := process(t, command, "demo/wine.csv", "demo/wine.csv", "-o", model)
		cmd.Stdout = device
		cmd.Run()
		if after := read(t, model); cmd.ProcessState.ExitCode() != statusData || before != after {
			t.Errorf("%s: status %d; the file is the same: %t", command, cmd.ProcessState.ExitCode(), before == after)
		}
	}
	onlyThese(t, filepath.Dir(model), "m.kfda")
}

// What can't be written is known before the table is read.
func TestOutputCheckedFirst(t *testing.T) {
	dir := t.TempDir()
	table := filepath.Join(dir, "train.csv")
	write(t, table, "not a table")
	model := filepath.Join(dir, "m")
	works(t, "fit", "demo/wine.csv", "-o", model)
	for _, command := range []string{"fit " + table, "tune " + table, "predict " + model + " " + table, "project " + model + " " + table} {
		args := strings.Fields(command)
		fails(t, statusData, []string{"there is no directory"}, append(args, "-o", filepath.Join(dir, "none", "m"))...)
		fails(t, statusData, []string{"is a directory"}, append(args, "-o", dir)...)
		fails(t, statusUsage, []string{"would overwrite the file that is read"}, append(args, "-o", table)...)
		if _, err := os.Stat("/proc/self/attr"); err == nil { // where nobody may make files
			fails(t, statusData, []string{"no file can be made in the directory /proc/self"}, append(args, "-o", "/proc/self/m")...)
		}
	}
	fails(t, statusUsage, []string{"would overwrite"}, "predict", model, "demo/wine.csv", "-o", model)
	onlyThese(t, dir, "m", "train.csv")
}
