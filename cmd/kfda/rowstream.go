package main

import (
	"context"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

// rowStream is a stream of the rows of a table with labels or, in numbers, with targets.
type rowStream struct {
	anyStream
	classes *discriminant.Stream[string]
	numbers *discriminant.RegressionStream
}

// anyStream is what both have.
type anyStream interface {
	encoding.BinaryMarshaler
	Landmarks() int
	Next() int
	Note(key string) (string, bool)
	SetNote(key, text string)
	Spans() []discriminant.RowSpan
}

// startNote is the key under which a stream, and its models, keep by which flags it was started.
const startNote = "stream"

type startFlags struct {
	Model  string `json:"model"`
	Seed   uint64 `json:"seed"`
	Asked  int    `json:"asked,omitempty"` // landmarks
	Chosen bool   `json:"chosen"`          // there are folds by which a ridge can be chosen

	// Given says of a model of merge that it has another ridge than one chosen by the folds, or is of
	// another kind.
	Given bool `json:"given,omitempty"`
}

// startOf returns what the notes of a stream or of its model say.
func startOf(m interface{ Note(string) (string, bool) }) (f startFlags) {
	text, _ := m.Note(startNote)
	if json.Unmarshal([]byte(text), &f) != nil || f.Model == "" {
		return startFlags{Model: "kfda"}
	}
	return f
}

func classStream(s *discriminant.Stream[string]) *rowStream    { return &rowStream{s, s, nil} }
func numberStream(s *discriminant.RegressionStream) *rowStream { return &rowStream{s, nil, s} }

// newRowStream starts a stream for a sample of the rows of a table.
func newRowStream(ctx context.Context, m method, t *table.Table, landmarks discriminant.Landmarks) (*rowStream, error) {
	if t.Targets != nil {
		s, err := discriminant.NewRegressionStream(ctx, m, t.X, 1, landmarks, t.Weights...)
		return numberStream(s), err
	}
	s, err := discriminant.NewStream(ctx, m, t.X, t.Labels, landmarks, t.Weights...)
	return classStream(s), err
}

func (r *rowStream) from(row int) *rowStream {
	if r.numbers != nil {
		return numberStream(r.numbers.From(row))
	}
	return classStream(r.classes.From(row))
}

func (r *rowStream) merge(other *rowStream) error {
	switch {
	case (r.numbers == nil) != (other.numbers == nil):
		return errors.New("one has classes, the other numbers to predict")
	case r.numbers != nil:
		return r.numbers.Merge(other.numbers)
	}
	return r.classes.Merge(other.classes)
}

// append adds the rows of a table; an error says in which line one can't be added.
func (r *rowStream) append(ctx context.Context, t *table.Table) (err error) {
	if r.numbers != nil {
		err = r.numbers.Append(ctx, t.X, matrix.Column(t.Targets), t.Weights...)
	} else {
		err = r.classes.Append(ctx, t.X, t.Labels, t.Weights...)
	}
	var unknown *discriminant.UnknownClassError
	switch {
	case err == nil || errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &unknown):
		return fmt.Errorf("%s: the class %s is none of those that are known: %s", t.Position(unknown.Row, -1), show.Name(unknown.Class), classList(unknown.Known))
	}
	return explainNew(t, err)
}

// streamedModel is a model of a stream.
type streamedModel struct {
	learnt
	encoding.BinaryMarshaler
}

// model fits a model of the kind to the rows.
func (r *rowStream) model(ctx context.Context, by method, kind string) (m streamedModel, err error) {
	start := startOf(r)
	start.Given = start.Chosen && !choosesRidge(by) || kind != start.Model
	note, err := json.Marshal(start)
	if err != nil {
		return m, err
	}
	if r.numbers != nil {
		fit, err := r.numbers.Model(ctx, by)
		if err == nil && start.Given {
			fit = fit.WithNote(startNote, string(note))
		}
		return streamedModel{regression{fit}, fit}, err
	}
	fit, err := r.classes.Model(ctx, by)
	if err == nil && start.Given {
		fit = fit.WithNote(startNote, string(note))
	}
	return streamedModel{fit, fit}, err
}

// parseStream reads what MarshalBinary wrote.
func parseStream(data []byte) (*rowStream, error) {
	s := new(discriminant.Stream[string])
	err := s.UnmarshalBinary(data)
	if err == nil {
		return classStream(s), nil
	}
	numbers := new(discriminant.RegressionStream)
	if numbers.UnmarshalBinary(data) == nil {
		return numberStream(numbers), nil
	}
	return nil, err
}

// loadStream reads a stream and the layout of its table.
func loadStream(path string) (*rowStream, table.Layout, error) {
	var layout table.Layout
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, layout, err
	}
	s, err := parseStream(data)
	if err != nil {
		return nil, layout, fmt.Errorf("%s: no file of 'kfda landmarks' or 'kfda accumulate': %w", path, err)
	}
	text, _ := s.Note(layoutNote)
	if err := layout.UnmarshalText([]byte(text)); err != nil {
		return nil, layout, fmt.Errorf("%s: %w", path, err)
	}
	return s, layout, nil
}
