package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/formula"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

type model = discriminant.Model[string]

// layoutNote is the key under which a model file keeps the layout of the
// training table.
const layoutNote = "table"

// savedModel is a model from a file, with what this command keeps in its notes.
type savedModel struct {
	learnt
	*model                           // of classes; nil of a regression
	numbers *discriminant.Regression // nil of classes
	path    string
	layout  table.Layout // of the training table
}

// learnt is what models of classes and of numbers have in common.
type learnt interface {
	Method() string
	Dim() int
	Components() int
	Note(key string) (string, bool)
	Training() discriminant.Training
	Preparation() *discriminant.Preparation
	Scaler() *discriminant.Scaler
	Far(dst []bool, x *matrix.Dense) ([]bool, error)
	Project(dst, x *matrix.Dense) (*matrix.Dense, error)
	Formula() *formula.Model
}

// regression makes a model of numbers learnt.
type regression struct{ *discriminant.Regression }

func (m regression) Method() string                                      { return "ridge" }
func (m regression) Components() int                                     { return m.Outputs() }
func (m regression) Project(dst, x *matrix.Dense) (*matrix.Dense, error) { return m.Predict(dst, x) }

// withLayout returns the model with the layout of its training table.
func withLayout(m *model, layout table.Layout) (*model, error) {
	text, err := layout.MarshalText()
	if err != nil {
		return nil, err
	}
	return m.WithNote(layoutNote, string(text)), nil
}

// saveModel writes a model to a file, or to the standard output for "-", after tell has
// said what it is: a command whose report nobody gets has failed.
func saveModel(ctx context.Context, s streams, path string, m io.WriterTo, tell func() error) error {
	if path == "-" {
		err := tell()
		if err == nil {
			_, err = m.WriteTo(s.out)
		}
		return err
	}
	write := func(w io.Writer) error { _, err := m.WriteTo(w); return err }
	return saveWritten(ctx, path, write, func() error {
		if err := tell(); err != nil {
			return err
		}
		return s.out.Flush()
	})
}

// loadModel reads a model. One that was not made by this command has no notes;
// then a table is taken to consist of the features and, where it is wanted, the
// label after them.
func loadModel(path string, stdin io.Reader) (*savedModel, error) {
	r := stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		r = f
	} else {
		path = "standard input"
	}
	var err error
	m := &savedModel{path: path}
	if m.model, m.numbers, err = discriminant.LoadEither[string](bufio.NewReader(r)); err != nil {
		if _, _, other := loadStream(path); other == nil {
			return nil, fmt.Errorf("%s: no model, but of 'kfda landmarks' or 'kfda accumulate'; 'kfda merge' makes models of what the second writes", path)
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if m.learnt = m.model; m.numbers != nil {
		m.learnt = regression{m.numbers}
	}
	m.layout, err = layoutOf(path, m, m.bareKernelValues())
	return m, err
}

// layoutOf returns the layout in the notes of a model or, where there is none, that of its
// features, which may be bare kernel values.
func layoutOf(path string, m learnt, bare bool) (layout table.Layout, err error) {
	d := m.Dim()
	layout = table.Layout{Width: d, Label: -1}
	if !bare {
		layout.Features = positions(d)
	}
	if text, ok := m.Note(layoutNote); ok {
		if err := layout.UnmarshalText([]byte(text)); err != nil {
			return layout, fmt.Errorf("%s: %w", path, err)
		}
		if len(layout.Features) != d {
			return layout, fmt.Errorf("%s: the table layout has %d features, the model %d", path, len(layout.Features), d)
		}
	}
	return layout, nil
}

// bareKernelValues reports whether a row of the model consists of kernel values, and nothing
// in its file is for each of them: it may claim any number of these.
func (m *savedModel) bareKernelValues() bool {
	_, noted := m.Note(layoutNote)
	_, precomputed := kernelOf(m.learnt).(gram.Precomputed)
	return precomputed && !noted
}

func positions(n int) []int {
	all := make([]int, n)
	for j := range all {
		all[j] = j
	}
	return all
}

// loadBoth reads a model and a table that it is to be applied to, with a column of ids
// unless that is "".
func loadBoth(s streams, f *tableFlags, modelPath, path, ids string, unlabelled bool) (*savedModel, *table.Table, error) {
	m, opt, err := f.model(s, modelPath, path)
	if err != nil {
		return nil, nil, err
	}
	opt.IDs, opt.Unlabelled = ids, unlabelled
	t, err := f.readFor(s, m, path, opt)
	return m, t, err
}

// model reads a model, and returns how to read the table in the file at path that it is to be
// applied to.
func (f *tableFlags) model(s streams, modelPath, path string) (*savedModel, table.Options, error) {
	opt, err := f.options(s)
	if err != nil {
		return nil, opt, err
	}
	if modelPath == "-" && path == "-" {
		return nil, opt, usage("MODEL and FILE cannot both be the standard input")
	}
	m, err := loadModel(modelPath, s.in)
	if err != nil {
		return nil, opt, err
	}
	if opt.Target && m.numbers == nil {
		return nil, opt, usage("--target: %s is a model of classes, whose column --label names", m.path)
	}
	opt.Target = m.numbers != nil
	if m.bareKernelValues() {
		const most = 1 << 20 // cells of a record
		if m.Dim() > most {
			return nil, opt, fmt.Errorf("%s: a row has %d kernel values, and one of a table at most %d", m.path, m.Dim(), most)
		}
		m.layout.Features = positions(m.Dim())
	}
	return m, opt, nil
}

// readFor reads a table for a model.
func (f *tableFlags) readFor(s streams, m *savedModel, path string, opt table.Options) (*table.Table, error) {
	t, err := f.readAlike(s, path, opt, m.path, &m.layout)
	if err != nil {
		return nil, m.explainLayout(err)
	}
	return t, nil
}

// readAlike reads a table for a model whose training table had that layout.
func (f *tableFlags) readAlike(s streams, path string, opt table.Options, model string, layout *table.Layout) (*table.Table, error) {
	if slices.Contains(table.FillMissing, opt.Missing) && opt.Missing != layout.Missing {
		return nil, usage("--missing %s: %s was not fitted with it, and so knows no values to fill in; want error or drop", opt.Missing, model)
	}
	opt.Layout = layout
	return f.read(s, path, opt)
}

// isLocal reports whether rows far from all training rows have kernel values so
// small that they are 0 in float64.
func (m *savedModel) isLocal() bool {
	switch kernelOf(m.learnt).(type) {
	case gram.RBF, gram.Laplacian, gram.ChiSquared:
		return true
	}
	return false
}

// applied is what a model makes of the rows of a table.
type applied struct {
	classes []string  // of a model of classes
	values  []float64 // of a regression
	far     []bool    // whether the model knows nothing about a row; nil where that is of none
}

// apply predicts for each row of t, and warns of rows about which the model knows nothing, and
// where they differ from those of the training as a whole.
func (m *savedModel) apply(s streams, t *table.Table) (a applied, err error) {
	if a, err = m.predicted(s, t); err != nil {
		return a, err
	}
	if err := m.noticeDifference(s, t, t.X.Rows); err != nil {
		return a, err
	}
	far := farRows{m: m}
	if a.far, err = far.add(t); err == nil {
		far.notice(s, t.File)
	}
	return a, err
}

// predicted predicts for each row of t.
func (m *savedModel) predicted(s streams, t *table.Table) (a applied, err error) {
	if m.numbers != nil {
		var values *matrix.Dense
		if values, err = m.numbers.Predict(nil, t.X); err == nil {
			a.values = columnOf(values, 0)
		}
	} else {
		a.classes, err = inParts(s, t.X, m.Predict)
	}
	if err != nil {
		return a, explain.New(t, err)
	}
	return a, nil
}

// columnOf returns a copy of column k.
func columnOf(a *matrix.Dense, k int) []float64 {
	column := make([]float64, a.Rows)
	for i := range column {
		column[i] = a.At(i, k)
	}
	return column
}

// withWeight leaves out the rows of weight 0.
func withWeight(t *table.Table) *table.Table {
	var rows []int
	for i, w := range t.Weights {
		if w != 0 {
			rows = append(rows, i)
		}
	}
	if len(rows) == len(t.Weights) {
		return t
	}
	return rowsOf(t, rows)
}

// keptRows says what the rows are that the model keeps.
func (m *savedModel) keptRows() string {
	switch {
	case m.Method() == "svm":
		return "rows that support the machines"
	case landmarksOf(m.learnt) != nil:
		return "landmarks"
	}
	return "training rows"
}

func trueOf(flags []bool) (n int) {
	for _, f := range flags {
		if f {
			n++
		}
	}
	return n
}

// explainLayout explains an error of reading a table for m.
func (m *savedModel) explainLayout(err error) error {
	var layout *table.Error
	if _, precomputed := kernelOf(m.learnt).(gram.Precomputed); !precomputed || !errors.As(err, &layout) || layout.Kind != table.Columns || layout.Want == 0 {
		return err
	}
	return fmt.Errorf("%s: rows×%d kernel values, want rows×%d: one column for each of the %d training rows, besides label, id and ignored columns",
		layout.File, layout.Got, layout.Want, layout.Want)
}
