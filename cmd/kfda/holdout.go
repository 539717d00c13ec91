package main

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/cmd/kfda/internal/assess"
	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/internal/wilson"
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
		flags.Uint64Var(&f.seed, "seed", 0, "`seed` of --holdout and of --landmarks: the same rows for it everywhere")
	}
	cmd.MarkFlagsMutuallyExclusive("holdout", "rows")
}

// check refuses flags that can't be, for a fit of m.
func (f *holdoutFlags) check(cmd *cobra.Command, m method) error {
	_, precomputed := m.Settings().Kernel.(gram.Precomputed)
	switch {
	case !cmd.Flags().Changed("holdout"):
		if f.alone && cmd.Flags().Changed("seed") {
			return usage("--seed is for --holdout and --landmarks")
		}
	case precomputed:
		return usage("--holdout does not go with --kernel precomputed: choose rows with --rows, and leave out the columns of the others with --ignore")
	case !(f.share > 0 && f.share < 1):
		return usage("--holdout %v: want a share above 0 and below 1", f.share)
	}
	return nil
}

// split returns the rows to fit and those that are held out, nil where that is not said.
func (f *holdoutFlags) split(t *table.Table) (train, held *table.Table, err error) {
	if f.share == 0 {
		return t, nil, nil
	}
	if train, held, err = splitRows(t, f.share, f.seed); err != nil {
		return nil, nil, explain.Folds(t, err)
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

// advice says what share leaves a search rows enough of a class, where it has too few of them for
// those that are held out; else it is "".
func (f *holdoutFlags) advice(held *table.Table, class string, left int) string {
	if held == nil {
		return ""
	}
	const needed = 3 // rows: one to test, two for a search in the others
	all := left
	for _, label := range held.Labels {
		if label == class {
			all++
		}
	}
	text := fmt.Sprintf("; --holdout %v leaves out %d of its %d", f.share, all-left, all)
	switch share := min(0.3, math.Floor(100*(1-needed/float64(all)))/100); {
	case all == left || all < needed:
		return ""
	case share > 0:
		return text + fmt.Sprintf(": say --holdout %v", share)
	}
	return text + ": leave --holdout out"
}

// rowsOf returns a table of some rows of another.
func rowsOf(t *table.Table, rows []int) *table.Table {
	some := *t
	some.X, some.Kept = matrix.New(len(rows), t.X.Cols), len(rows)
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
		return nil, nil, explain.New(held, err)
	}
	h := &heldOut{Share: f.share, Seed: f.seed, Rows: len(predicted)}
	found := cv.Compare(m.Classes(), predicted, held.Labels, held.Weights...)
	h.Rows, h.Errors = found.Rows, &found.Errors
	if accuracy := found.Accuracy(); found.Weighted() {
		h.Weighted = &accuracy
	} else {
		low, high := wilson.Of(h.Rows-found.Errors, h.Rows)
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
		return nil, nil, explain.New(held, err)
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
