package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/table"
)

// Rows have the numbers that they would have if the files were one, and shard i those from
// BlockRows·i on: which file holds them plays no part.

// source is a file of the table.
type source struct {
	Number int
	Path   string
}

// indexed is a source with places at which reading can begin.
type indexed struct {
	Number    int
	Path      string
	Separator byte
	Head      place // the end of the header
	Places    []place
}

// place is where a row begins; the last of a file is its end.
type place struct {
	Row, At int64
	Line    int
}

// placeRows is the number of rows between two places.
const placeRows = 4096

// shard is a block of rows, one of as many as Of says.
type shard struct {
	Number, Of int
	Pieces     []piece
}

// piece is what of a shard is in one file: Rows rows after Skip, between two places.
type piece struct {
	Path       string
	Separator  byte
	Head       place
	From, To   place
	Skip, Rows int64
}

// inputs returns the files that match patterns with commas between them, each in the order of
// names.
func inputs(ctx context.Context, patterns string) (all []any, err error) {
	for pattern := range strings.SplitSeq(patterns, ",") {
		fs, err := filesystem.New(ctx, pattern)
		if err != nil {
			return nil, err
		}
		defer fs.Close()
		names, err := fs.List(ctx, pattern)
		if err != nil {
			return nil, err
		}
		if len(names) == 0 {
			return nil, fmt.Errorf("no file matches %s", pattern)
		}
		slices.Sort(names)
		for _, name := range names {
			all = append(all, source{len(all), name})
		}
	}
	return all, nil
}

func init() {
	register.DoFn3x1[context.Context, source, func(int, indexed), error](&indexFn{})
	register.Function3x1(cut)
	register.Emitter2[int, indexed]()
	register.Iter1[indexed]()
	register.Emitter1[shard]()
}

// shards returns the shards of the files, each of which one worker reads once to find them.
func shards(s beam.Scope, files []any, r reading) beam.PCollection {
	found := beam.ParDo(s.Scope("index"), &indexFn{r}, beam.Reshuffle(s, beam.Create(s, files...)))
	return beam.Reshuffle(s, beam.ParDo(s.Scope("cut"), cut, beam.GroupByKey(s, found)))
}

// indexFn finds the places of a file.
type indexFn struct{ Reading reading }

func (f *indexFn) ProcessElement(ctx context.Context, in source, emit func(int, indexed)) error {
	x, err := f.Reading.index(ctx, in)
	if err == nil {
		emit(0, x)
	}
	return err
}

// index finds the places of a file. How many records are its header is what reading of its start says.
func (r reading) index(ctx context.Context, in source) (indexed, error) {
	const start = 1 << 18 // bytes that decide about the header
	x := indexed{Number: in.Number, Path: in.Path}
	text, err := open(ctx, in.Path, 0, 0, -1)
	if err != nil {
		return x, err
	}
	defer text.Close()
	records, beginning := int64(0), place{At: -1}
	var first [3]place
	separator, size, err := table.Records(in.Path, text, 0, func(at int64, line int) {
		if records < int64(len(first)) {
			first[records] = place{records, at, line}
		}
		if records%placeRows == 0 {
			x.Places = append(x.Places, place{records, at, line})
		}
		if beginning.At < 0 && at > start {
			beginning = place{records, at, line}
		}
		records++
	})
	if err != nil {
		return x, err
	}
	x.Separator = separator
	if beginning.At < 0 {
		beginning = place{Row: records, At: size}
	}
	head, err := open(ctx, in.Path, 0, 0, beginning.At)
	if err != nil {
		return x, err
	}
	defer head.Close()
	opt, err := r.options(separator)
	if err != nil {
		return x, err
	}
	t, err := table.ReadFrom(in.Path, head, opt)
	if err != nil {
		return x, err
	}
	names := beginning.Row - int64(t.Seen)
	if names > 1 {
		return x, fmt.Errorf("%s: line %d is read as units or a second line of names; take it out", in.Path, first[1].Line)
	}
	x.Head, x.Places[0] = place{Line: 1}, first[names]
	if names > 0 {
		x.Head = first[names]
	}
	x.Places = append(x.Places, place{records, size, 0})
	for i := range x.Places {
		x.Places[i].Row -= names
	}
	return x, nil
}

// rows returns the number of rows.
func (x *indexed) rows() int64 { return x.Places[len(x.Places)-1].Row }

// piece returns rows of a file from row on.
func (x *indexed) piece(row, rows int64) piece {
	byRow := func(p place, row int64) int { return cmp.Compare(p.Row, row) }
	i, found := slices.BinarySearchFunc(x.Places, row, byRow)
	if !found {
		i--
	}
	j, _ := slices.BinarySearchFunc(x.Places, row+rows, byRow)
	p := piece{Path: x.Path, Separator: x.Separator, Head: x.Head, From: x.Places[i], To: x.Places[j], Rows: rows}
	p.Skip = row - p.From.Row
	return p
}

// cut cuts the rows of all files into shards.
func cut(_ int, files func(*indexed) bool, emit func(shard)) error {
	var all []indexed
	for x := (indexed{}); files(&x); x = (indexed{}) {
		all = append(all, x)
	}
	slices.SortFunc(all, func(a, b indexed) int { return cmp.Compare(a.Number, b.Number) })
	total := int64(0)
	for _, x := range all {
		total += x.rows()
	}
	s, left := shard{Of: int((total + discriminant.BlockRows - 1) / discriminant.BlockRows)}, int64(discriminant.BlockRows)
	if s.Of > mostShards {
		return fmt.Errorf("%d blocks of %d rows; %d are merged at most", s.Of, discriminant.BlockRows, mostShards)
	}
	for _, x := range all {
		for row := int64(0); row < x.rows(); {
			rows := min(left, x.rows()-row)
			s.Pieces = append(s.Pieces, x.piece(row, rows))
			row, left = row+rows, left-rows
			if left == 0 {
				emit(s)
				s, left = shard{Number: s.Number + 1, Of: s.Of}, discriminant.BlockRows
			}
		}
	}
	if len(s.Pieces) > 0 {
		emit(s)
	}
	return nil
}
