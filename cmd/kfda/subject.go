package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

// subject is what pictures and a report are of: a model, and what it says of the rows of a
// table.
type subject struct {
	*savedModel
	ctx  context.Context
	s    streams
	file string // whose data they show
	seed uint64
	of   string // the column of --column

	t        *table.Table // without rows of weight 0
	weights  []float64    // or nil
	relation relation     // of the rows to those of the fit
	applied
	class    []int         // of each row: its label, -1 where the model does not know it; of a table without labels what is predicted
	scores   *matrix.Dense // posteriors, or nil
	decision []float64     // of two classes

	important *importanceReport // once it is known
	record    *cv.Record        // of a search whose model there is not
}

// load reads a model and a table, which may have no labels where that is said, and applies the
// one to the rows of the other.
func (u *subject) load(f *tableFlags, model, path, ids string, unlabelled bool) (err error) {
	var told heldMessages
	first := u.s
	first.err = &told
	u.savedModel, u.t, err = loadBoth(first, f, model, path, ids, false)
	if wrong := (*table.Error)(nil); unlabelled && f.label == "" && f.labels == "" && path != "-" && model != "-" && errors.As(err, &wrong) && wrong.Kind == table.Columns {
		told = nil // predict's way of reading tells its own
		if u.savedModel, u.t, err = loadBoth(u.s, f, model, path, ids, true); err == nil && u.numbers == nil {
			notice(u.s.err, "%s: no labels are found, so each row counts as one of the class that the model gives it", u.t.File)
		}
	}
	for _, message := range told {
		u.s.err.Write(message)
	}
	if err != nil {
		return err
	}
	u.file = u.t.File
	if _, err := f.weights.of(u.t); err != nil {
		return err
	}
	u.t = withWeight(u.t)
	u.weights = u.t.Weights
	if u.relation, err = u.relationTo(u.t); err != nil {
		return err
	}
	if u.applied, err = u.apply(u.s, u.t); err != nil || u.numbers != nil {
		return err
	}
	labels := u.t.Labels
	if labels == nil {
		labels = u.classes
	}
	classes := u.Classes()
	u.class = codesOf(classes, labels)
	if u.scores, err = u.Posteriors(nil, u.t.X); errors.As(err, new(*discriminant.PosteriorsError)) {
		u.scores, err = nil, nil
	}
	if err == nil && len(classes) == 2 {
		u.decision, err = u.Decision(nil, u.t.X)
	}
	if err != nil {
		return explain.New(u.t, err)
	}
	return nil
}

// heldMessages keeps messages until it is known whether they are wanted.
type heldMessages [][]byte

func (h *heldMessages) Write(message []byte) (int, error) {
	*h = append(*h, bytes.Clone(message))
	return len(message), nil
}

// title begins the title of a picture: the name of the file.
func (u *subject) title(format string, args ...any) string {
	return filepath.Base(u.file) + ": " + fmt.Sprintf(format, args...)
}

// note says what the model is, and whether it was fitted to these rows.
func (u *subject) note() string {
	text := "Model " + u.Method()
	if k := ofTable(kernelOf(u.learnt), u.Preparation()); k != nil {
		text += ", kernel " + shortKernel(briefKernel(k))
	}
	if u.relation.seen() {
		text += "; " + u.relation.text("its fit")
	} else if l := landmarksOf(u.learnt); l != nil {
		text += ", " + plural.Count(l.Count, "landmark")
	}
	if u.t != nil && u.t.Labels == nil && u.numbers == nil {
		text += "; classes as predicted"
	}
	return text + "."
}

// weighed says that errors are weighted, where they are.
func (u *subject) weighed() string {
	if u.weights == nil {
		return ""
	}
	return " Rows weigh what the column " + show.Name(u.t.Layout.Weight) + " says."
}

// recordIn reads the record of a search from what tune --json printed.
func recordIn(path string) (*cv.Record, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parseRecord(text)
}
