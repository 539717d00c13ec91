package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

type model = discriminant.Model[string]

// layoutNote is the key under which a model file keeps the layout of the
// training table.
const layoutNote = "table"

// savedModel is a model from a file, with what this command keeps in its notes.
type savedModel struct {
	*model
	path   string
	layout table.Layout // of the training table
}

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
func saveModel(ctx context.Context, s streams, path string, m learnt, tell func() error) error {
	data, err := m.MarshalBinary()
	if err != nil {
		return err
	}
	if path == "-" {
		if err = tell(); err == nil {
			_, err = s.out.Write(data)
		}
		return err
	}
	return save(ctx, path, data, func() error {
		if err := tell(); err != nil {
			return err
		}
		return s.out.Flush()
	})
}

// loadModel reads a model of classes; one of numbers is the error, a *[savedRegression]. One that was not made by this command has no notes;
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
	var numbers *discriminant.Regression
	if m.model, numbers, err = discriminant.LoadEither[string](bufio.NewReader(r)); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if numbers != nil {
		r := &savedRegression{Regression: numbers, path: path}
		if r.layout, err = layoutOf(path, numbers, false); err != nil {
			return nil, err
		}
		return nil, r
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

// learnt is what models of classes and of numbers have in common.
type learnt interface {
	Dim() int
	Note(key string) (string, bool)
	Training() discriminant.Training
	Preparation() *discriminant.Preparation
	Scaler() *discriminant.Scaler
	Far(dst []bool, x *matrix.Dense) ([]bool, error)
	MarshalBinary() ([]byte, error)
}

// bareKernelValues reports whether a row of the model consists of kernel values, and nothing
// in its file is for each of them: it may claim any number of these.
func (m *savedModel) bareKernelValues() bool {
	_, noted := m.Note(layoutNote)
	_, precomputed := kernelOf(m.model).(gram.Precomputed)
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
	opt, err := f.options(s)
	if err != nil {
		return nil, nil, err
	}
	if modelPath == "-" && path == "-" {
		return nil, nil, usage("MODEL and FILE cannot both be the standard input")
	}
	m, err := loadModel(modelPath, s.in)
	if err != nil {
		return nil, nil, err
	}
	if opt.Target {
		return nil, nil, usage("--target: %s is a model of classes, whose column --label names", m.path)
	}
	if m.bareKernelValues() {
		const most = 1 << 20 // cells of a record
		if m.Dim() > most {
			return nil, nil, fmt.Errorf("%s: a row has %d kernel values, and one of a table at most %d", m.path, m.Dim(), most)
		}
		m.layout.Features = positions(m.Dim())
	}
	opt.IDs, opt.Unlabelled = ids, unlabelled
	t, err := f.readAlike(s, path, opt, m.path, &m.layout)
	if err != nil {
		return nil, nil, m.explainLayout(err)
	}
	return m, t, nil
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
func (m *savedModel) isLocal() bool { return isLocal(kernelOf(m.model)) }

func isLocal(k gram.Kernel) bool {
	switch k.(type) {
	case gram.RBF, gram.Laplacian, gram.ChiSquared:
		return true
	}
	return false
}

// predict returns the class of each row of t, and warns of rows about which the
// model knows nothing, and where they differ from those of the training as a whole.
func (m *savedModel) predict(s streams, t *table.Table) ([]string, error) {
	predicted, err := inParts(s, t.X, m.Predict)
	if err != nil {
		return nil, explainNew(t, err)
	}
	if err := m.noticeDifference(s, t); err != nil {
		return nil, err
	}
	return predicted, m.warnOfFarRows(s, t)
}

// warnOfFarRows says how many rows of t have no kernel value above 0 with the rows
// that the model keeps. Whatever is made of them says nothing about them.
func (m *savedModel) warnOfFarRows(s streams, t *table.Table) error {
	if !m.isLocal() {
		return nil
	}
	kept := "training rows"
	if m.Method() == "svm" {
		kept = "rows that support the machines"
	}
	return warnOfFarRows(s, t, m, kept)
}

// warnOfFarRows does so for rows of that kind that a model with a local kernel keeps.
func warnOfFarRows(s streams, t *table.Table, m learnt, kept string) error {
	far, err := m.Far(nil, t.X)
	if err != nil {
		return explainNew(t, err)
	}
	count, first := 0, 0
	for i, v := range far {
		if !v {
			continue
		}
		if count++; count == 1 {
			first = i
		}
	}
	if count > 0 {
		notice(s.err, "%s: %d of %d rows, the first in line %d, are so far from all %s that their kernel values are 0; the model knows nothing about them",
			t.File, count, len(far), t.Lines[first], kept)
	}
	return nil
}
