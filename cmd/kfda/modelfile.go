package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seed92411348/kfda/cmd/kfda/internal/table"
	"github.com/seed92411348/kfda/discriminant"
)

type model = discriminant.Model[string]

// layoutNote is the key under which a model file keeps the layout of the
// training table.
const layoutNote = "table"

// savedModel is a model from a file, with what this command keeps in its notes.
type savedModel struct {
	*model
	path   string
	layout table.Layout // of the training table
}

// withLayout returns the model with the layout of its training table.
func withLayout(m *model, layout table.Layout) (*model, error) {
	text, err := layout.MarshalText()
	if err != nil {
		return nil, err
	}
	return m.WithNote(layoutNote, string(text)), nil
}

// loadModel reads a model. One that was not made by this command has no notes;
// then a table is taken to consist of the features and, where it is wanted, the
// label after them.
func loadModel(path string, stdin io.Reader) (*savedModel, error) {
	r := stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		r = f
	} else {
		path = "standard input"
	}
	var err error
	m := &savedModel{path: path}
	if m.model, err = discriminant.Load[string](bufio.NewReader(r)); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	d := m.Dim()
	m.layout = table.Layout{Width: d, Label: -1, Features: make([]int, d)}
	for j := range m.layout.Features {
		m.layout.Features[j] = j
	}
	if text, ok := m.Note(layoutNote); ok {
		if err := m.layout.UnmarshalText([]byte(text)); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if len(m.layout.Features) != d {
			return nil, fmt.Errorf("%s: the table layout has %d features, the model %d", path, len(m.layout.Features), d)
		}
	}
	return m, nil
}

// loadBoth reads a model and a table that it is to be applied to. set may change
// how the table is read.
func loadBoth(s streams, f *tableFlags, modelPath, path string, set func(*table.Options)) (*savedModel, *table.Table, error) {
	opt, err := f.options(s)
	if err != nil {
		return nil, nil, err
	}
	if modelPath == "-" && path == "-" {
		return nil, nil, usage("MODEL and FILE cannot both be the standard input")
	}
	m, err := loadModel(modelPath, s.in)
	if err != nil {
		return nil, nil, err
	}
	opt.Layout = &m.layout
	set(&opt)
	t, err := table.Read(path, s.in, opt)
	if err != nil {
		return nil, nil, m.explainLayout(err)
	}
	return m, t, nil
}

// checkOutput returns an error where writing to output would destroy an input, or
// where it is better known before the work than after that nothing can be written.
func checkOutput(output string, inputs ...string) error {
	if output == "-" {
		return nil
	}
	info, err := os.Stat(output)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(filepath.Dir(output)); err != nil {
			return fmt.Errorf("%s: there is no directory %s", output, filepath.Dir(output))
		}
		return nil
	}
	if err != nil {
		return err
	}
	if info.IsDir() {
		return fmt.Errorf("%s: is a directory", output)
	}
	if !info.Mode().IsRegular() {
		return nil
	}
	for _, input := range inputs {
		if other, err := os.Stat(input); err == nil && os.SameFile(info, other) {
			return usage("-o %s: this would overwrite the file that is read", output)
		}
	}
	if info.Mode().Perm()&0o222 == 0 {
		return fmt.Errorf("%s: the file is there and is read-only", output)
	}
	return nil
}

// writeFile writes a file as a whole or not at all: under another name first,
// then renamed, so that an error leaves an old file as it was. What is not a
// regular file, such as a device or a pipe, is written directly.
func writeFile(path string, data []byte) error {
	mode := fs.FileMode(0o666)
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return os.WriteFile(path, data, mode)
		}
		mode = info.Mode().Perm()
	}
	f, err := createBeside(path, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, bytes.NewReader(data))
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// createBeside creates a file with an unused name in the directory of path.
func createBeside(path string, mode fs.FileMode) (*os.File, error) {
	for i := 0; ; i++ {
		f, err := os.OpenFile(fmt.Sprintf("%s.%d.%d.tmp", path, os.Getpid(), i), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) || i == 1000 {
			return f, err
		}
	}
}
