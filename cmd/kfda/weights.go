package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/table"
)

// weightFlags say what the rows weigh.
type weightFlags struct {
	column, classes string
	remembered      bool // without a column, that of the training where the table has it

	byClass map[string]float64 // the weights of the classes of a table that is read in parts
}

func (f *weightFlags) addColumn(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.column, "weight", "", "`column` of the weights of the rows, which is no feature: a row of weight 2 counts as two rows, one of 0 is left out")
}

// addRemembered is addColumn of a command that applies a model.
func (f *weightFlags) addRemembered(cmd *cobra.Command) {
	f.addColumn(cmd)
	cmd.Flags().Lookup("weight").Usage += " (default the one of training, where FILE has it)"
}

func (f *weightFlags) add(cmd *cobra.Command) {
	f.addColumn(cmd)
	cmd.Flags().StringVar(&f.classes, "class-weight", "", "`weights` of the rows of each class: balanced (all classes weigh the same), w1,w2,... in class order, or class=w,... (times those of --weight)")
}

// of returns the weights of the rows of a table, nil where no flag gives any.
func (f *weightFlags) of(t *table.Table) ([]float64, error) {
	weights := t.Weights
	if weights != nil {
		if err := discriminant.CheckWeights(len(weights), weights); err != nil {
			return nil, explainWeights(t, err)
		}
	}
	if f.classes == "" {
		return weights, nil
	}
	of := f.byClass
	if of == nil {
		if f.classes == "balanced" {
			return discriminant.Balanced(t.Labels, weights...), nil
		}
		given, err := f.given(discriminant.Classes(t.Labels))
		if err != nil {
			return nil, err
		}
		of = given
	}
	byClass := discriminant.ClassWeights(t.Labels, of)
	for i := range weights {
		byClass[i] = float64(byClass[i] * weights[i])
	}
	return byClass, nil
}

// given returns the weights of classes that are given as numbers.
func (f *weightFlags) given(classes []string) (map[string]float64, error) {
	given, err := parseShares("class-weight", f.classes, classes, func(weights []float64) error {
		for _, w := range weights {
			if w == 0 || discriminant.CheckWeights(1, []float64{w}) != nil {
				return &discriminant.ParameterError{Reason: "want numbers from 1e-100 to 1e100"}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	of := make(map[string]float64, len(classes))
	for j, class := range classes {
		of[class] = given[j]
	}
	return of, nil
}

// settle checks the weights of a sample of a table that is read in parts, fixes those of the classes and
// sets them, and returns the note of them for the model, "" without --class-weight.
func (f *weightFlags) settle(t *table.Table) (note string, err error) {
	if f.classes == "" {
		_, err = f.of(t)
		return "", err
	}
	if t.Weights != nil {
		return "", usage("--class-weight with --weight needs all rows at a time, which --landmarks does not keep: multiply the weights in the column")
	}
	classes, total := discriminant.Classes(t.Labels), 0.0
	w := weighed{ByClass: f.classes}
	for _, class := range classes {
		w.Rows = append(w.Rows, float64(t.Classes[class]))
		total += float64(t.Classes[class])
	}
	if f.classes == "balanced" {
		f.byClass = make(map[string]float64, len(classes))
		for j, class := range classes {
			f.byClass[class] = total / float64(float64(len(classes))*w.Rows[j])
		}
	} else if f.byClass, err = f.given(classes); err != nil {
		return "", err
	}
	for j, class := range classes {
		w.All = append(w.All, float64(f.byClass[class]*w.Rows[j]))
	}
	text, err := json.Marshal(w)
	if err == nil {
		t.Weights, err = f.of(t)
	}
	return string(text), err
}

// weighedNote is the key under which a model file keeps what the training rows weighed.
const weighedNote = "weights"

// weighed is what the training rows of each class weighed.
type weighed struct {
	Rows    []float64 `json:"rows"`                   // by the column of the weights
	All     []float64 `json:"all"`                    // times --class-weight
	ByClass string    `json:"class_weight,omitempty"` // as it was given
}

// note returns the model with what its training rows weighed.
func (f *weightFlags) note(m *model, t *table.Table, all []float64) (*model, error) {
	if all == nil {
		return m, nil
	}
	classes := m.Classes()
	text, err := json.Marshal(weighed{classSums(classes, t.Labels, t.Weights), classSums(classes, t.Labels, all), f.classes})
	return m.WithNote(weighedNote, string(text)), err
}

// weighedOf returns what the notes of a model say, or else that each row of the classes counted 1.
func weighedOf(m learnt, counts []int) (w weighed) {
	text, ok := m.Note(weighedNote)
	if ok && json.Unmarshal([]byte(text), &w) == nil && len(w.Rows) == len(counts) && len(w.All) == len(counts) {
		return w
	}
	w = weighed{}
	for _, n := range counts {
		w.Rows = append(w.Rows, float64(n))
	}
	w.All = w.Rows
	return w
}

// checkPartWeights checks the weights of a part of a table, which may all be 0.
func checkPartWeights(t *table.Table) error {
	var wrong *discriminant.WeightsError
	if err := discriminant.CheckWeights(len(t.Weights), t.Weights); errors.As(err, &wrong) && wrong.Row >= 0 {
		return explainWeights(t, err)
	}
	return nil
}

// explainWeights says in which line of the table a weight is none.
func explainWeights(t *table.Table, err error) error {
	var wrong *discriminant.WeightsError
	if errors.As(err, &wrong) && wrong.Row >= 0 {
		return fmt.Errorf("%s: the weight %v: want 0 or a positive number, none beyond 1e100 or below 1e-100", t.Position(wrong.Row, -1), wrong.Value)
	}
	return fmt.Errorf("%s: %w", t.File, err)
}
