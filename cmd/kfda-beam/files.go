package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// part is a part of a file that is read.
type part struct {
	io.Reader
	file io.Closer
	fs   filesystem.Interface
}

func (p *part) Close() error { return errors.Join(p.file.Close(), p.fs.Close()) }

// open opens the first head bytes of a file and those from one to another after them; −1 is its end.
func open(ctx context.Context, path string, head, from, to int64) (io.ReadCloser, error) {
	fs, err := filesystem.New(ctx, path)
	if err != nil {
		return nil, err
	}
	f, err := fs.OpenRead(ctx, path)
	if err != nil {
		return nil, errors.Join(err, fs.Close())
	}
	if to < 0 {
		return &part{f, f, fs}, nil
	}
	rest := &later{f: f, skip: from - head}
	return &part{io.MultiReader(io.LimitReader(f, head), io.LimitReader(rest, to-from)), f, fs}, nil
}

// later reads a file after some bytes more.
type later struct {
	f    io.Reader
	skip int64
}

func (l *later) Read(p []byte) (n int, err error) {
	if l.skip > 0 {
		if s, ok := l.f.(io.Seeker); ok {
			_, err = s.Seek(l.skip, io.SeekCurrent)
		} else {
			_, err = io.CopyN(io.Discard, l.f, l.skip)
		}
		if l.skip = 0; err != nil {
			return 0, err
		}
	}
	return l.f.Read(p)
}

// kept is a file that all workers read, which must have that hash if it is known.
type kept struct{ Path, Hash string }

var loaded sync.Map // what is in kept files, of this process

// load returns what is in a file, which a process reads once, and the file with its hash.
func load[T any](ctx context.Context, k kept, parse func([]byte) (T, error)) (kept, T, error) {
	if value, ok := loaded.Load(k); ok {
		return k, value.(T), nil
	}
	var value T
	f, err := open(ctx, k.Path, 0, 0, -1)
	if err != nil {
		return k, value, err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return k, value, err
	}
	hash := fmt.Sprintf("%x", sha256.Sum256(data))
	if k.Hash != "" && k.Hash != hash {
		return k, value, fmt.Errorf("%s: has changed since the job began: its SHA-256 is %s and was %s", k.Path, hash, k.Hash)
	}
	if value, err = parse(data); err != nil {
		return k, value, fmt.Errorf("%s: %w", k.Path, err)
	}
	k.Hash = hash
	loaded.Store(k, value)
	return k, value, nil
}

// write writes a file: under another name first where a file system can rename, and an object store
// has the object with Close.
func write(ctx context.Context, path string, data []byte) error {
	fs, err := filesystem.New(ctx, path)
	if err != nil {
		return err
	}
	defer fs.Close()
	renamer, ok := fs.(filesystem.Renamer)
	if !ok {
		return writeAs(ctx, fs, path, data)
	}
	other := fmt.Sprintf("%s.%08x.part", path, rand.Uint32())
	if err = writeAs(ctx, fs, other, data); err == nil {
		err = renamer.Rename(ctx, other, path)
	}
	if remover, ok := fs.(filesystem.Remover); ok && err != nil {
		remover.Remove(ctx, other)
	}
	return err
}

func writeAs(ctx context.Context, fs filesystem.Interface, path string, data []byte) error {
	f, err := fs.OpenWrite(ctx, path)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}
