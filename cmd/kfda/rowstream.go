package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

// rowStream is a stream of the rows of a table with labels or, in numbers, with targets.
type rowStream struct {
	anyStream
	classes *discriminant.Stream[string]
	numbers *discriminant.RegressionStream
	targets squares // of numbers, of the rows that were poured
}

// squares sums up numbers, and their squares about the mean, by weight.
type squares struct{ weight, mean, sum float64 }

func (q *squares) add(t *table.Table) {
	for i, v := range t.Targets {
		w := 1.0
		if t.Weights != nil {
			w = t.Weights[i]
		}
		if q.weight += w; w > 0 {
			off := v - q.mean
			q.mean += off * w / q.weight
			q.sum += w * off * (v - q.mean)
		}
	}
}

// text says what always predicting the mean comes to.
func (q squares) text() string { return meanBaseline(q.sum / q.weight) }

// anyStream is what both have.
type anyStream interface {
	io.WriterTo
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

	// Ridge and RelativeRidge are what was given, one of them at most; else 0.
	Ridge         float64 `json:"ridge,omitempty"`
	RelativeRidge float64 `json:"relative_ridge,omitempty"`

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

func classStream(s *discriminant.Stream[string]) *rowStream {
	return &rowStream{anyStream: s, classes: s}
}
func numberStream(s *discriminant.RegressionStream) *rowStream {
	return &rowStream{anyStream: s, numbers: s}
}

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

func (r *rowStream) merge(other *rowStream) (err error) {
	switch {
	case (r.numbers == nil) != (other.numbers == nil):
		return errors.New("one has classes, the other numbers to predict")
	case r.numbers != nil:
		err = r.numbers.Merge(other.numbers)
	default:
		err = r.classes.Merge(other.classes)
	}
	if differ := (*discriminant.ParameterError)(nil); errors.As(err, &differ) {
		return fmt.Errorf("landmarks, ridge, seed or other flags differ (%s)", differ.Value)
	}
	return err
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
	return explain.New(t, err)
}

// streamedModel is a model of a stream.
type streamedModel struct {
	learnt
	io.WriterTo
}

// model fits a model of the kind to the rows.
func (r *rowStream) model(ctx context.Context, by method, kind string) (m streamedModel, err error) {
	start := startOf(r)
	told := start
	if start.Given = start.Chosen && !choosesRidge(by) || kind != start.Model; !start.Given {
		start.Ridge, start.RelativeRidge = 0, 0 // the model has its own
	}
	note, err := json.Marshal(start)
	if err != nil {
		return m, err
	}
	if r.numbers != nil {
		fit, err := r.numbers.Model(ctx, by)
		if err == nil && start != told {
			fit = fit.WithNote(startNote, string(note))
		}
		return streamedModel{regression{fit}, fit}, err
	}
	fit, err := r.classes.Model(ctx, by)
	if err == nil && start != told {
		fit = fit.WithNote(startNote, string(note))
	}
	return streamedModel{fit, fit}, err
}

// parseStream reads what WriteTo wrote.
func parseStream(r io.ReadSeeker) (*rowStream, error) {
	start, err := r.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, err
	}
	s := new(discriminant.Stream[string])
	if _, err = s.ReadFrom(r); err == nil {
		return classStream(s), nil
	}
	numbers := new(discriminant.RegressionStream)
	if _, again := r.Seek(start, io.SeekStart); again == nil {
		if _, again = numbers.ReadFrom(r); again == nil {
			return numberStream(numbers), nil
		}
	}
	return nil, err
}

// loadStream reads a stream and the layout of its table.
func loadStream(path string) (*rowStream, table.Layout, error) {
	var layout table.Layout
	f, err := os.Open(path)
	if err != nil {
		return nil, layout, err
	}
	defer f.Close()
	s, err := parseStream(f)
	if err != nil {
		return nil, layout, fmt.Errorf("%s: no file of 'kfda landmarks' or 'kfda accumulate', or one that is damaged, to be made again by them: %w", path, err)
	}
	text, _ := s.Note(layoutNote)
	if err := layout.UnmarshalText([]byte(text)); err != nil {
		return nil, layout, fmt.Errorf("%s: %w", path, err)
	}
	return s, layout, nil
}
