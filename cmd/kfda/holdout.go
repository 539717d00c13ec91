package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/cmd/kfda/internal/assess"
	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

// holdoutNote is the key under which a model file keeps what rows held out said of it.
const holdoutNote = "holdout"

// holdoutFlags say which rows a fit leaves out, to score them.
type holdoutFlags struct {
	share float64
	seed  uint64
	alone bool // the seed is for nothing else
}

func (f *holdoutFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Float64Var(&f.share, "holdout", 0, "`share` of the rows, of each class alike, that are left out and scored at once, such as 0.3")
	if f.alone = flags.Lookup("seed") == nil; f.alone {
		flags.Uint64Var(&f.seed, "seed", 0, "`seed` of --holdout: the same rows for it everywhere")
	}
	cmd.MarkFlagsMutuallyExclusive("holdout", "rows")
}

// split returns the rows to fit and those that are held out, nil where that is not said.
func (f *holdoutFlags) split(cmd *cobra.Command, t *table.Table, m method) (train, held *table.Table, err error) {
	if !cmd.Flags().Changed("holdout") {
		if f.alone && cmd.Flags().Changed("seed") {
			return nil, nil, usage("--seed is for --holdout")
		}
		return t, nil, nil
	}
	if _, precomputed := m.Settings().Kernel.(gram.Precomputed); precomputed {
		return nil, nil, usage("--holdout does not go with --kernel precomputed: choose rows with --rows, and leave out the columns of the others with --ignore")
	}
	if !(f.share > 0 && f.share < 1) {
		return nil, nil, usage("--holdout %v: want a share above 0 and below 1", f.share)
	}
	if train, held, err = splitRows(t, f.share, f.seed); err != nil {
		return nil, nil, explainFolds(t, err)
	}
	if held.Weights != nil {
		if err := discriminant.CheckWeights(len(held.Weights), held.Weights); err != nil {
			return nil, nil, fmt.Errorf("in the rows held out: %w; another --seed holds out other rows", explainWeights(held, err))
		}
	}
	return train, held, nil
}

// splitRows holds a share of the rows out, of each class alike.
func splitRows(t *table.Table, share float64, seed uint64) (train, held *table.Table, err error) {
	labels := t.Labels
	if t.Targets != nil {
		labels = oneClass(t).Labels
	}
	folds, err := cv.Holdout(labels, share, seed)
	if err != nil {
		return nil, nil, err
	}
	return rowsOf(t, folds.Train(0)), rowsOf(t, folds.Test(0)), nil
}

// hold is split with the seed of the folds.
func (f *tuneFlags) hold(cmd *cobra.Command, t *table.Table, m method) (train, held *table.Table, err error) {
	f.holdout.seed = f.folds.seed
	return f.holdout.split(cmd, t, m)
}

// rowsOf returns a table of some rows of another.
func rowsOf(t *table.Table, rows []int) *table.Table {
	some := *t
	some.X = matrix.New(len(rows), t.X.Cols)
	for i, row := range rows {
		copy(some.X.Row(i), t.X.Row(row))
	}
	some.Labels, some.Rows, some.Lines = pick(t.Labels, rows), pick(t.Rows, rows), pick(t.Lines, rows)
	some.Targets, some.Weights = pick(t.Targets, rows), pick(t.Weights, rows)
	some.IDs = slices.Clone(t.IDs)
	for k, ids := range t.IDs {
		some.IDs[k] = pick(ids, rows)
	}
	return &some
}

// pick returns those of some rows, nil for nil.
func pick[T any](v []T, rows []int) []T {
	if v == nil {
		return nil
	}
	some := make([]T, len(rows))
	for i, row := range rows {
		some[i] = v[row]
	}
	return some
}

// heldOut is what rows that were held out say of a model: its errors, or those of numbers.
type heldOut struct {
	Share    float64          `json:"share"`
	Seed     uint64           `json:"seed"`
	Rows     int              `json:"rows"`
	Errors   *int             `json:"errors,omitempty"` // of classes
	Accuracy *assess.Interval `json:"accuracy_interval,omitempty"`
	Weighted *float64         `json:"weighted_accuracy,omitempty"` // of rows with weights, in place of the interval
	Numbers  *regressionScore `json:"regression,omitempty"`
}

// classes scores a model of classes; held may be nil.
func (f *holdoutFlags) classes(m *model, held *table.Table) (*heldOut, *model, error) {
	if held == nil {
		return nil, m, nil
	}
	predicted, err := m.Predict(nil, held.X)
	if err != nil {
		return nil, nil, explainNew(held, err)
	}
	h := &heldOut{Share: f.share, Seed: f.seed, Rows: len(predicted)}
	found := cv.Compare(m.Classes(), predicted, held.Labels, held.Weights...)
	h.Rows, h.Errors = found.Rows, &found.Errors
	if accuracy := found.Accuracy(); found.Weighted() {
		h.Weighted = &accuracy
	} else {
		low, high := assess.Wilson(h.Rows-found.Errors, h.Rows)
		h.Accuracy = &assess.Interval{Low: low, High: high}
	}
	text, err := json.Marshal(h)
	return h, m.WithNote(holdoutNote, string(text)), err
}

// numbers scores a model of numbers; held may be nil.
func (f *holdoutFlags) numbers(m *discriminant.Regression, held *table.Table) (*heldOut, *discriminant.Regression, error) {
	if held == nil {
		return nil, m, nil
	}
	values, err := m.Predict(nil, held.X)
	if err != nil {
		return nil, nil, explainNew(held, err)
	}
	h := &heldOut{Share: f.share, Seed: f.seed, Rows: values.Rows, Numbers: newRegressionScore(columnOf(values, 0), held.Targets, held.Weights)}
	text, err := json.Marshal(h)
	return h, m.WithNote(holdoutNote, string(text)), err
}

// heldOutOf returns what the notes of a model say, or nil.
func heldOutOf(m learnt) *heldOut {
	text, ok := m.Note(holdoutNote)
	h := new(heldOut)
	if !ok || json.Unmarshal([]byte(text), h) != nil || (h.Accuracy == nil && h.Weighted == nil || h.Errors == nil) && h.Numbers == nil {
		return nil
	}
	return h
}

func (h *heldOut) write(p *printer) {
	switch {
	case h == nil:
	case h.Numbers != nil:
		r2 := ""
		if h.Numbers.R2 != nil {
			r2 = fmt.Sprintf(", R² %.4f", *h.Numbers.R2)
		}
		p.printf("held out\t%s: RMSE %s (95 %% interval %s to %s)%s; of always predicting the mean: %s\n", plural.Count(h.Rows, "row"),
			digitsText(h.Numbers.RMSE), digitsText(h.Numbers.Intervals.RMSE.Low), digitsText(h.Numbers.Intervals.RMSE.High), r2, digitsText(h.Numbers.Mean.RMSE))
	case h.Weighted != nil:
		p.printf("held out\t%s in %s, weighted accuracy %.4f\n", plural.Count(*h.Errors, "error"), plural.Count(h.Rows, "row"), *h.Weighted)
	default:
		p.printf("held out\t%s in %s, accuracy %.4f (95 %% interval %.4f to %.4f)\n", plural.Count(*h.Errors, "error"), plural.Count(h.Rows, "row"),
			float64(h.Rows-*h.Errors)/float64(h.Rows), h.Accuracy.Low, h.Accuracy.High)
	}
}
