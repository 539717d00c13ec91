package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/seed92411348/kfda/internal/show"
)

// save writes a file as a whole or not at all: under another name first, which takes
// the place of path when all else is done, the last of it by before. An error or an
// interrupt leaves an old file as it was. What can't be replaced is written directly.
func save(ctx context.Context, path string, data []byte, before func() error) error {
	return saveWritten(ctx, path, func(w io.Writer) error { _, err := w.Write(data); return err }, before)
}

// saveWritten is save for what write writes.
func saveWritten(ctx context.Context, path string, write func(io.Writer) error, before func() error) error {
	d, err := destinationOf(path)
	if err != nil {
		return err
	}
	r := replacement{destination: d}
	_, err = untilInterrupt(ctx, func(context.Context) (none struct{}, err error) {
		if d.direct {
			if err = before(); err == nil {
				f := directFile{path: path}
				err = errors.Join(write(&f), f.close())
			}
			return none, err
		}
		if err = r.write(write); err == nil {
			err = before()
		}
		if err == nil {
			err = r.rename()
		}
		return none, err
	})
	if err == nil || r.end() {
		return nil
	}
	return err
}

// replacement is a file that takes the place of another.
type replacement struct {
	destination
	sync.Mutex
	file           *os.File
	renamed, ended bool
}

var errEnded = errors.New("interrupted")

// directFile is opened, and emptied, by the first write.
type directFile struct {
	path string
	file *os.File
}

func (f *directFile) Write(p []byte) (n int, err error) {
	if f.file == nil {
		if f.file, err = os.OpenFile(f.path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666); err != nil {
			return 0, err
		}
	}
	return f.file.Write(p)
}

func (f *directFile) close() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}

func (r *replacement) write(write func(io.Writer) error) error {
	err := r.unlessEnded(func() (err error) {
		r.file, err = r.create()
		return err
	})
	if err != nil {
		return err
	}
	if err = write(r.file); err == nil {
		err = r.file.Sync()
	}
	return errors.Join(err, r.file.Close())
}

func (r *replacement) rename() error {
	return r.unlessEnded(func() error {
		err := os.Rename(r.file.Name(), r.path)
		r.renamed = err == nil
		return err
	})
}

func (r *replacement) unlessEnded(f func() error) error {
	r.Lock()
	defer r.Unlock()
	if r.ended {
		return errEnded
	}
	return f()
}

// end removes the file, or reports true where it has taken its place.
func (r *replacement) end() bool {
	r.Lock()
	defer r.Unlock()
	if r.ended = true; r.file != nil && !r.renamed {
		r.file.Close()
		os.Remove(r.file.Name())
	}
	return r.renamed
}

// destination is where a file is to be written.
type destination struct {
	path string      // at the end of all symbolic links
	old  fs.FileInfo // of the file that is there, or nil
	// direct says that nothing can take its place, but it can be written to: a device, a
	// pipe, or what a process has open.
	direct bool
}

func destinationOf(path string) (destination, error) {
	d := destination{path: path}
	var err error
	if d.old, err = os.Stat(path); err == nil && d.old.IsDir() {
		return d, fmt.Errorf("%s: is a directory", path)
	}
	if d.direct = err == nil && !d.old.Mode().IsRegular(); d.direct {
		return d, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return d, err
	}
	const most = 40 // symbolic links, as Linux has it
	for range most {
		info, err := os.Lstat(d.path)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return d, nil // what is wrong shows when a file is made there
		}
		folder, err := filepath.EvalSymlinks(filepath.Dir(d.path))
		if err != nil {
			return d, err
		}
		if d.direct = strings.HasPrefix(folder, "/proc/"); d.direct {
			d.path = path
			return d, nil
		}
		link, err := os.Readlink(d.path)
		if err != nil {
			return d, err
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(folder, link)
		}
		d.path = link
	}
	return d, fmt.Errorf("%s: more than %d symbolic links", path, most)
}

// create makes an empty file beside the destination, with the owner and the mode of the
// file that is there, to take its place.
func (d destination) create() (f *os.File, err error) {
	mode, folder := fs.FileMode(0o666), filepath.Dir(d.path)
	if d.old != nil {
		mode = d.old.Mode().Perm()
	}
	for i := 0; ; i++ {
		f, err = os.OpenFile(filepath.Join(folder, fmt.Sprintf("kfda.%d.%d.tmp", os.Getpid(), i)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) || i == 1000 {
			break
		}
	}
	switch {
	case err != nil:
		if _, missing := os.Stat(folder); missing != nil {
			return nil, fmt.Errorf("%s: there is no directory %s", d.path, show.Text(folder))
		}
		return nil, fmt.Errorf("%s: no file can be made in the directory %s: %w", d.path, show.Text(folder), errors.Unwrap(err))
	case d.old == nil:
		return f, nil
	}
	if err = keepOwner(f, d.old); err == nil {
		err = f.Chmod(d.old.Mode())
	}
	if err != nil {
		f.Close()
		os.Remove(f.Name())
		return nil, fmt.Errorf("%s: the owner and the mode of the file that is there can't be kept (%w); write to another one", d.path, errors.Unwrap(err))
	}
	return f, nil
}

// checkOutput returns an error where writing to output would destroy an input, or
// where it is better known before the work than after that nothing can be written.
func checkOutput(output string, inputs ...string) error {
	return checkOutputOf("-o", output, inputs...)
}

// checkOutputOf is checkOutput for the file of a flag.
func checkOutputOf(flag, output string, inputs ...string) error {
	if output == "-" {
		return nil
	}
	d, err := destinationOf(output)
	if err != nil {
		return err
	}
	if d.old != nil && d.old.Mode().IsRegular() {
		for _, input := range inputs {
			other, err := os.Stat(input)
			if input == "-" {
				other, err = os.Stdin.Stat()
			}
			if err == nil && os.SameFile(d.old, other) {
				return usage("%s %s: this would overwrite the file that is read", flag, output)
			}
		}
		if d.old.Mode().Perm()&0o222 == 0 {
			return fmt.Errorf("%s: the file is there and is read-only", output)
		}
	}
	if d.direct {
		return nil
	}
	f, err := d.create()
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
