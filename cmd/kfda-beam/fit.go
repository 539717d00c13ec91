package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/table"
)

type stream = discriminant.Stream[string]

// Streams are merged several at a time, in levels, of which one is enough for as many blocks.
const (
	several    = 8
	levels     = 6
	mostShards = 1 << (3 * levels)
)

func init() {
	register.DoFn3x1[context.Context, shard, func(int, []byte), error](&accumulateFn{})
	register.Function3x1(mergeFn)
	register.DoFn3x1[context.Context, int, []byte, error](&finishFn{})
	register.Emitter2[int, []byte]()
	register.Iter1[[]byte]()
}

// fit makes the pipeline that writes the model, or the stream, of all rows of the files.
func fit(ctx context.Context, s beam.Scope, files []any, path, output string, model bool) error {
	start, l, err := load(ctx, kept{Path: path}, parseStream)
	if err != nil {
		return err
	}
	if l.Next() != 0 {
		return fmt.Errorf("%s: holds rows already; want a file of 'kfda landmarks'", path)
	}
	if model {
		if _, err := methodOf(l); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	r, err := newReading(path, l, true)
	if err != nil {
		return err
	}
	streams := beam.ParDo(s.Scope("accumulate"), &accumulateFn{Landmarks: start, Reading: r}, shards(s, files, r))
	for range levels {
		streams = beam.ParDo(s.Scope("merge"), mergeFn, beam.GroupByKey(s, streams))
	}
	beam.ParDo0(s.Scope("write"), &finishFn{output, model}, streams)
	return nil
}

// startNote is the key under which kfda keeps by which flags a stream was started.
const startNote = "stream"

// methodOf returns the method that a stream was started for.
func methodOf(s *stream) (discriminant.Method, error) {
	start := struct {
		Model  string
		Chosen bool
	}{"kfda", true}
	if text, ok := s.Note(startNote); ok {
		if err := json.Unmarshal([]byte(text), &start); err != nil {
			return nil, err
		}
	}
	switch {
	case start.Chosen && start.Model == "kfda":
		return discriminant.KFDA{}, nil
	case start.Chosen && start.Model == "ridge":
		return discriminant.KernelRidge{}, nil
	}
	return nil, errors.New("was made with a given ridge, and fit chooses one: say kfda-beam accumulate, and then kfda merge")
}

func parseStream(data []byte) (*stream, error) {
	s := new(stream)
	err := s.UnmarshalBinary(data)
	if err != nil && new(discriminant.RegressionStream).UnmarshalBinary(data) == nil {
		err = errors.New("is for numbers to predict, and kfda-beam takes classes: say kfda accumulate, and kfda merge")
	}
	return s, err
}

// accumulateFn makes a stream of each shard.
type accumulateFn struct {
	Landmarks kept
	Reading   reading
	start     *stream
}

func (f *accumulateFn) Setup(ctx context.Context) (err error) {
	_, f.start, err = load(ctx, f.Landmarks, parseStream)
	return err
}

func (f *accumulateFn) ProcessElement(ctx context.Context, s shard, emit func(int, []byte)) error {
	some := f.start.From(s.Number * discriminant.BlockRows)
	if err := s.rows(ctx, f.Reading, func(t *table.Table, _ int) error {
		err := some.Append(ctx, t.X, t.Labels, t.Weights...)
		if unknown := (*discriminant.UnknownClassError)(nil); errors.As(err, &unknown) {
			return fmt.Errorf("%s: the class %q is none of those of %s: %q", t.Position(unknown.Row, -1), unknown.Class, f.Landmarks.Path, unknown.Known)
		}
		return err
	}); err != nil {
		return err
	}
	return send(s.Number/several, some, emit)
}

// send emits a stream.
func send(group int, s *stream, emit func(int, []byte)) error {
	data, err := s.MarshalBinary()
	if err != nil {
		return err
	}
	if len(data) > math.MaxInt32 {
		return fmt.Errorf("the sums of the rows are %d bytes, and Beam takes %d: use fewer landmarks, or a given ridge, which needs no folds", len(data), math.MaxInt32)
	}
	emit(group, data)
	return nil
}

// mergeFn merges the streams of a group.
func mergeFn(group int, streams func(*[]byte) bool, emit func(int, []byte)) (err error) {
	var first []byte
	var all *stream
	for data := []byte(nil); streams(&data); data = nil {
		switch {
		case first == nil:
			first = data
			continue
		case all == nil:
			if all, err = parseStream(first); err != nil {
				return err
			}
		}
		one, err := parseStream(data)
		if err != nil {
			return err
		}
		if err := all.Merge(one); err != nil {
			return err
		}
	}
	if all == nil {
		emit(group/several, first)
		return nil
	}
	return send(group/several, all, emit)
}

// finishFn writes the stream of all rows, or its model.
type finishFn struct {
	Output string
	Model  bool
}

func (f *finishFn) ProcessElement(ctx context.Context, _ int, data []byte) error {
	if !f.Model {
		return write(ctx, f.Output, data)
	}
	all, err := parseStream(data)
	if err != nil {
		return err
	}
	method, err := methodOf(all)
	if err != nil {
		return err
	}
	m, err := all.Model(ctx, method)
	if err != nil {
		return err
	}
	if data, err = m.MarshalBinary(); err != nil {
		return err
	}
	return write(ctx, f.Output, data)
}
