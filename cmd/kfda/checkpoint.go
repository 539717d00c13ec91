package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/seed92411348/kfda/internal/table"
)

// checkpoint is the file in which a long fit keeps what it has of its rows, to go on from there: a
// line, the SHA-256 of the rows, and the stream. A nil one keeps nothing.
type checkpoint struct {
	path, train string
	rows        hash.Hash // of the rows so far
	seen        int       // their number
	until       int       // rows that the file holds
	sum         []byte    // of these
	last        time.Time // that it was written, or found not to be
	took        time.Duration
	written     int // rows that have been
	writing     sync.Mutex
}

const checkpointHead = "kfda checkpoint 1\n"

// A checkpoint is written when that long has passed since the last one, and so many times what that
// took.
var (
	checkpointEvery = time.Minute
	checkpointShare = 30
)

// newCheckpoint checks that the file can be written, and is none of the others of a fit; path may
// be "".
func newCheckpoint(path, train, output string) (*checkpoint, error) {
	if path == "" {
		return nil, nil
	}
	if path == "-" {
		return nil, usage("--checkpoint -: want a file")
	}
	checked, err := destinationOf(path)
	if err != nil {
		return nil, err
	}
	if model, err := destinationOf(output); err == nil && filepath.Clean(model.path) == filepath.Clean(checked.path) {
		return nil, usage("--checkpoint %s: this is the file of the model, too", path)
	}
	if err := checkOutputOf("--checkpoint", path, train); err != nil {
		return nil, err
	}
	return &checkpoint{path: path, train: train, rows: sha256.New(), last: time.Now()}, nil
}

// hint says what comes after Ctrl-C.
func (c *checkpoint) hint() string {
	if c == nil {
		return ", and --checkpoint FILE keeps what is done"
	}
	return ", and the same command line goes on from " + c.path + ", which is written once a minute"
}

// resume returns the stream in the file, where there is one that was started as st was.
func (c *checkpoint) resume(s streams, st *rowStream) (*rowStream, error) {
	if c == nil {
		return st, nil
	}
	f, err := os.Open(c.path)
	if errors.Is(err, fs.ErrNotExist) {
		return st, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, len(checkpointHead)+sha256.Size)
	if _, err := io.ReadFull(f, head); err != nil || string(head[:len(checkpointHead)]) != checkpointHead {
		return nil, fmt.Errorf("%s: no checkpoint of kfda; name another file with --checkpoint, or remove it", c.path)
	}
	held, err := parseStream(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; remove it to begin again", c.path, err)
	}
	if st.from(0).merge(held.from(0)) != nil {
		return nil, c.stale("of a fit with another table, other settings or another --seed")
	}
	c.until, c.sum = held.Next(), head[len(checkpointHead):]
	notice(s.err, "%s: goes on after %d rows", c.path, c.until)
	return held, nil
}

func (c *checkpoint) stale(of string) error {
	return fmt.Errorf("%s: the checkpoint is %s; remove it to begin again", c.path, of)
}

// holds takes in a part of the table, and reports whether the file had it.
func (c *checkpoint) holds(part *table.Table) (bool, error) {
	if c == nil {
		return false, nil
	}
	var b []byte
	for i := range part.X.Rows {
		b = b[:0]
		if part.Targets != nil {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(part.Targets[i]))
		} else {
			b = append(binary.AppendUvarint(b, uint64(len(part.Labels[i]))), part.Labels[i]...)
		}
		for _, v := range part.X.Row(i) {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
		if part.Weights != nil {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(part.Weights[i]))
		}
		c.rows.Write(b)
	}
	before := c.seen
	c.seen += part.X.Rows
	if before < c.until && c.seen > c.until || c.seen == c.until && !bytes.Equal(c.rows.Sum(nil), c.sum) {
		return false, c.stale("of other rows than the first of " + c.train)
	}
	return c.seen <= c.until, nil
}

// text says how many rows the file has.
func (c *checkpoint) text() string {
	if c == nil || max(c.until, c.written) == 0 {
		return ""
	}
	return fmt.Sprintf(", %d in %s", max(c.until, c.written), c.path)
}

// keep writes the file when it is time.
func (c *checkpoint) keep(ctx context.Context, st *rowStream) error {
	if c == nil || c.seen <= c.until || time.Since(c.last) < max(checkpointEvery, time.Duration(checkpointShare)*c.took) {
		return nil
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	begin := time.Now()
	err := saveWritten(ctx, c.path, func(w io.Writer) error {
		if _, err := w.Write(c.rows.Sum([]byte(checkpointHead))); err != nil {
			return err
		}
		_, err := st.WriteTo(w)
		return err
	}, func() error { return nil })
	c.last, c.written = time.Now(), c.seen
	c.took = c.last.Sub(begin)
	return err
}

// wait returns when nothing is being written: an interrupt does not wait for it.
func (c *checkpoint) wait() {
	if c != nil {
		c.writing.Lock()
	}
}

// end is called after the last row.
func (c *checkpoint) end() error {
	if c != nil && c.seen < c.until {
		return c.stale(fmt.Sprintf("of %d rows, and %s has %d", c.until, c.train, c.seen))
	}
	return nil
}

// remove removes the file, which has served.
func (c *checkpoint) remove() error {
	if c == nil {
		return nil
	}
	if err := os.Remove(c.path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
