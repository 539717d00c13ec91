package main

import (
	"context"
	"errors"
	"os"
	"sync"
)

// save writes a file as a whole or not at all: under another name first, which takes
// the place of path when all else is done, the last of it by before. An error or an
// interrupt leaves an old file as it was. What can't be replaced is written directly.
func save(ctx context.Context, path string, data []byte, before func() error) error {
	d, err := destinationOf(path)
	if err != nil {
		return err
	}
	r := replacement{destination: d}
	_, err = untilInterrupt(ctx, func(context.Context) (none struct{}, err error) {
		if d.direct {
			if err = before(); err == nil {
				err = os.WriteFile(path, data, 0o666)
			}
			return none, err
		}
		if err = r.write(data); err == nil {
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

func (r *replacement) write(data []byte) error {
	err := r.unlessEnded(func() (err error) {
		r.file, err = r.create()
		return err
	})
	if err != nil {
		return err
	}
	if _, err = r.file.Write(data); err == nil {
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
