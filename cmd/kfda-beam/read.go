package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/table"
)

// reading says how the files are read: as the training table, of which Layout is the note, and
// with labels or without.
type reading struct {
	Layout   string
	Labelled bool
}

// layoutNote is the key under which a model or a stream keeps the layout of the training table.
const layoutNote = "table"

// newReading returns the reading of tables for a model or a stream.
func newReading(path string, by interface{ Note(string) (string, bool) }, labelled bool) (reading, error) {
	text, ok := by.Note(layoutNote)
	r := reading{text, labelled}
	if !ok {
		return r, fmt.Errorf("%s: no layout of a table; was it made by kfda?", path)
	}
	_, err := r.options(0)
	return r, err
}

// options are those of text with a separator.
func (r reading) options(separator byte) (table.Options, error) {
	layout := new(table.Layout)
	opt := table.Options{Format: table.Separated, Separator: separator, Layout: layout, Unlabelled: !r.Labelled}
	err := layout.UnmarshalText([]byte(r.Layout))
	if r.Labelled {
		opt.Weight, opt.KnownLevels = layout.Weight, true
	}
	return opt, err
}

// partRows is the number of rows that are in memory at a time.
const partRows = 8192

// rows gives the rows of a shard to take, some at a time, with the difference between the number of
// a row in all files and that in its own.
func (s shard) rows(ctx context.Context, r reading, take func(t *table.Table, before int) error) error {
	row := s.Number * discriminant.BlockRows
	for _, p := range s.Pieces {
		before := row - int(p.From.Row+p.Skip)
		if err := p.rows(ctx, r, func(t *table.Table) error { return take(t, before) }); err != nil {
			return err
		}
		row += int(p.Rows)
	}
	return nil
}

// rows gives the rows of a piece, with their places in the file, to take.
func (p piece) rows(ctx context.Context, r reading, take func(*table.Table) error) error {
	opt, err := r.options(p.Separator)
	if err != nil {
		return err
	}
	text, err := open(ctx, p.Path, p.Head.At, p.From.At, p.To.At)
	if err != nil {
		return err
	}
	defer text.Close()
	if opt.Header = table.NoHeader; p.Head.At > 0 {
		opt.Header = table.WithHeader
	}
	opt.Rows = table.Range{Start: int(p.Skip), Stop: int(p.Skip + p.Rows), Ended: true}
	opt.Batch = partRows
	opt.Take = func(t *table.Table) error {
		for i := range t.Rows {
			t.Rows[i] += int(p.From.Row)
			t.Lines[i] += p.From.Line - p.Head.Line
		}
		return take(t)
	}
	t, err := table.ReadFrom(p.Path, text, opt)
	if err != nil {
		return p.moved(err)
	}
	if want := p.To.Row - p.From.Row; int64(t.Seen) != want {
		return fmt.Errorf("%s: %s from line %d on, and %d when its rows were counted", p.Path, plural.Count(t.Seen, "row"), p.From.Line, want)
	}
	if r.Labelled && t.Dropped != nil {
		return fmt.Errorf("%s: rows that are left out, for missing cells or labels, move those after them to other blocks: take them out of the file", p.Path)
	}
	return nil
}

// moved returns an error of a piece with its place in the file.
func (p piece) moved(err error) error {
	var e *table.Error
	if !errors.As(err, &e) {
		return err
	}
	lines := p.From.Line - p.Head.Line
	if e.Line > 0 {
		e.Line += lines
	}
	if e.Row > 0 {
		e.Row += int(p.From.Row)
	}
	for i := range e.Missing.Lines {
		e.Missing.Lines[i] += lines
	}
	return e
}
