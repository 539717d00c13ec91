package look

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/internal/trust"
	"github.com/seed92411348/kfda/matrix"
)

// Fitted is a model and the table that it was fitted to.
type Fitted struct {
	Table   *table.Table
	Model   *discriminant.Model[string]
	Bytes   []byte   // of the model's file
	Notices []string // of the reader
	Gamma   float64  // of the kernel, 0 where it has none
	Ridge   float64  // relative, 0 where there is none
	flags   string   // of the command
	method  discriminant.Method
}

// mostBytes is what a fit may need of the memory of a browser.
const mostBytes = 1 << 30

// Fit reads a table and fits a model. It calls plan, unless that is nil, before it begins.
func Fit(ctx context.Context, name string, text []byte, s Settings, plan func(discriminant.Plan)) (*Fitted, error) {
	f := &Fitted{}
	err := refuse(name, text)
	if err != nil {
		return nil, err
	}
	f.Table, err = table.ReadFrom(name, bytes.NewReader(text), table.Options{
		Label: s.Label, Missing: s.Missing, MaxBytes: mostBytes, Notice: func(text string) { f.Notices = append(f.Notices, text) },
	})
	if err != nil {
		return nil, err
	}
	t := f.Table
	p := prepared(t)
	if s.hasWidth() && s.Gamma == 0 {
		x := t.X
		if of, err := p.Learn(x); err == nil {
			x, err = of.Transform(nil, x)
			if err != nil {
				return nil, explain.Fit(t, p, err)
			}
		}
		if s.Gamma, err = s.chosenGamma(ctx, x, t.Labels); err != nil {
			return nil, err
		}
	}
	if f.method, f.flags, err = s.method(); err != nil {
		return nil, err
	}
	if p.Levels != nil || p.Missing != discriminant.RefuseMissing {
		p.Method = f.method
		f.method = p
	}
	need := f.method.Plan(t.X.Rows, t.X.Cols, len(discriminant.Classes(t.Labels)))
	if need.Bytes > mostBytes {
		return nil, fmt.Errorf("%s: a fit of %s needs %.1f GB of memory, more than a page should take: the command kfda does it", name, plural.Count(t.X.Rows, "row"), need.Bytes/1e9)
	}
	if plan != nil {
		plan(need)
	}
	if err := f.fit(ctx); err != nil {
		return nil, explain.Fit(t, f.method, err)
	}
	f.flags = flagsOf(s) + f.flags
	return f, nil
}

// flagsOf are the flags that say how to read the table.
func flagsOf(s Settings) (flags string) {
	for _, f := range [][2]string{{"label", s.Label}, {"missing", s.Missing}} {
		if f[1] != "" {
			flags += " --" + f[0] + " " + show.Word(f[1])
		}
	}
	return flags
}

// prepared returns how the columns of a table are to be prepared, as the command does it.
func prepared(t *table.Table) discriminant.Prepared {
	p := discriminant.Prepared{Method: discriminant.LDA{}, Levels: t.Layout.Levels()}
	for rule := discriminant.RefuseMissing; rule <= discriminant.FillIndicator; rule++ {
		if rule.String() == t.Layout.Missing {
			p.Missing = rule
		}
	}
	return p
}

// fit fits the method and writes the model.
func (f *Fitted) fit(ctx context.Context) error {
	m, err := discriminant.Fit(ctx, f.method, f.Table.X, f.Table.Labels)
	if err != nil {
		return err
	}
	layout, err := f.Table.Layout.MarshalText()
	if err != nil {
		return err
	}
	f.Model = m.WithNote("table", string(layout))
	if f.Bytes, err = f.Model.MarshalBinary(); err != nil {
		return err
	}
	if d, ok := m.Details().(interface{ Kernel() gram.Kernel }); ok {
		switch k := d.Kernel().(type) {
		case gram.RBF:
			f.Gamma = k.Gamma
		case gram.Laplacian:
			f.Gamma = k.Gamma
		case gram.Polynomial:
			f.Gamma = k.Gamma
		}
	}
	if d, ok := m.Details().(ridged); ok {
		if reg := d.Regularizer(); reg == discriminant.RelativeRKHS(reg.Value()) || reg == discriminant.RelativeRidge(reg.Value()) {
			f.Ridge = reg.Value()
		}
	}
	return nil
}

// ridged is what models with a ridge have.
type ridged interface {
	Regularizer() discriminant.Regularizer
	Ridge() float64
}

// Hash returns the SHA-256 of the model's file.
func (f *Fitted) Hash() string { return fmt.Sprintf("%x", sha256.Sum256(f.Bytes)) }

// Command is the line that makes the same file.
func (f *Fitted) Command() string {
	name := f.Table.File
	return "kfda fit " + fileWord(name) + f.flags + " -o " + fileWord(strings.TrimSuffix(name, ".csv")+".kfda")
}

// Words says what was fitted and how far to trust it: sentences, and warnings that stand out.
func (f *Fitted) Words() (said, warnings []string) {
	t, m := f.Table, f.Model
	var classes []string
	for j, c := range m.Classes() {
		classes = append(classes, fmt.Sprintf("%s %d", show.Name(c), m.Counts()[j]))
	}
	names := map[string]string{
		"kfda": "A kernel Fisher discriminant", "lda": "A linear discriminant", "ridge": "A kernel ridge regression on the classes",
		"svm": "A support vector machine", "kpca": "The nearest class mean in kernel principal components",
	}
	text := fmt.Sprintf("%s of %s and %s; classes: %s.", names[m.Method()], plural.Count(t.X.Rows, "row"), plural.Count(t.X.Cols, "column"), show.List(classes, 12))
	if d, ok := m.Details().(interface{ Kernel() gram.Kernel }); ok {
		text += fmt.Sprintf(" Kernel %v, of columns scaled to mean 0 and deviation 1.", d.Kernel())
	}
	if d, ok := m.Details().(ridged); ok && d.Ridge() > 0 {
		text += fmt.Sprintf(" Ridge %.4g, %g relative%s.", d.Ridge(), f.Ridge, f.chosen())
	}
	if v, ok := m.SVM(); ok {
		support := make(map[int]bool)
		for _, one := range m.Machines() {
			for _, i := range one.Support {
				support[i] = true
			}
		}
		text += fmt.Sprintf(" C %g; %s.", v.C, plural.Count(len(support), "support vector"))
	}
	text += " " + plural.Count(m.Components(), "direction") + "."
	said = append(said, text)
	if d, ok := m.Details().(interface {
		Certificate() discriminant.Certificate
	}); ok && m.Method() != "svm" {
		words, doubts := trust.Words(d.Certificate())
		said, warnings = append(said, words...), doubts
	}
	if n := t.DroppedRows(); n > 0 {
		warnings = append(warnings, plural.Count(n, "incomplete row")+" left out.")
	}
	if text := explain.Repeats(t); text != "" {
		warnings = append(warnings, text)
	}
	return said, warnings
}

// chosen says whether the data chose the ridge, and whether a better one may lie beyond those tried.
func (f *Fitted) chosen() string {
	reg := f.method.Settings().Regularizer
	if reg != discriminant.LeaveOneOutRKHS() && reg != discriminant.LeaveOneOutRidge() {
		return ""
	}
	if tried := discriminant.RelativeRidges(); f.Ridge == tried[0] || f.Ridge == tried[len(tried)-1] {
		return ", chosen by leaving out rows, at the end of what is tried"
	}
	return ", chosen by leaving out rows"
}

// predicted are the classes that the model says of the rows.
func (f *Fitted) predicted() ([]string, error) {
	classes, err := f.Model.Predict(nil, f.Table.X)
	if err != nil {
		return nil, explain.New(f.Table, err)
	}
	return classes, nil
}

// Predictions is what kfda predict writes for the table.
func (f *Fitted) Predictions() ([]byte, error) {
	classes, err := f.predicted()
	if err != nil {
		return nil, err
	}
	b := []byte("row,prediction\n")
	for i, c := range classes {
		b = fmt.Appendf(b, "%d,%s\n", f.Table.Rows[i], table.Quote(c))
	}
	return b, nil
}

// Wrong reports of each row of the table whether the model takes it for another class.
func (f *Fitted) Wrong() ([]bool, error) {
	classes, err := f.predicted()
	wrong := make([]bool, len(classes))
	for i, c := range classes {
		wrong[i] = c != f.Table.Labels[i]
	}
	return wrong, err
}

// Validate cross-validates the settings in folds as kfda cv does; done is called after each.
func (f *Fitted) Validate(ctx context.Context, done func(k, of int)) (*cv.Evaluation[string], string, error) {
	folds := max(2, min(5, slices.Min(f.Model.Counts())))
	divided, err := cv.Stratified(f.Table.Labels, folds, 0)
	if err != nil {
		return nil, "", explain.Folds(f.Table, err)
	}
	e, err := cv.EvaluateProgress(ctx, f.method, f.Table.X, f.Table.Labels, divided, done)
	if err != nil {
		return nil, "", explain.Fit(f.Table, f.method, err)
	}
	if len(e.Failures) > 0 {
		return nil, "", explain.Failures(f.Table, f.method, e.Failures, divided.Len(), nil)
	}
	line := "kfda cv " + fileWord(f.Table.File) + f.flags
	if folds != 5 {
		line += " --folds " + strconv.Itoa(folds)
	}
	return e, line, nil
}

// Plane reports whether the picture is of the two columns themselves, and not of projections.
func (f *Fitted) Plane() bool {
	return f.Table.X.Cols == 2 && f.Model.Preparation() == nil && !f.Table.Layout.Sparse
}

// Projections returns the first directions of the rows, three at most.
func (f *Fitted) Projections() (*matrix.Dense, error) {
	z, err := f.Model.Project(nil, f.Table.X)
	if err != nil {
		return nil, explain.New(f.Table, err)
	}
	return z.View(0, 0, z.Rows, min(3, z.Cols)), nil
}
