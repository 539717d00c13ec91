package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

// savedRegression is a model of numbers from a file. As an error it tells a command that is for
// classes alone what it found.
type savedRegression struct {
	*discriminant.Regression
	path   string
	layout table.Layout // of the training table
}

func (m *savedRegression) Error() string {
	return fmt.Sprintf("%s: a regression of %s, which this command is not for: it has no classes; 'kfda predict' writes its values, 'kfda score' compares them, 'kfda inspect' shows the model",
		m.path, newRegressionReport(m.Regression, m.layout).Target.text())
}

// asRegression returns the model that loadModel found in place of one of classes, or nil.
func asRegression(err error) (m *savedRegression) {
	errors.As(err, &m)
	return m
}

// text names the column, or the label of a file without columns.
func (c *columnReport) text() string {
	if c.Position == 0 {
		return "the label"
	}
	return table.ColumnText(c.Position, c.Name)
}

// read reads a table for the model.
func (m *savedRegression) read(s streams, f *tableFlags, path, ids string, unlabelled bool) (*table.Table, error) {
	opt, err := f.options(s)
	if err != nil {
		return nil, err
	}
	opt.Target, opt.IDs, opt.Unlabelled = true, ids, unlabelled
	return f.readAlike(s, path, opt, m.path, &m.layout)
}

// values returns the predictions for the rows of t, and warns of rows about which the model
// knows nothing.
func (m *savedRegression) values(s streams, t *table.Table) ([]float64, error) {
	values, err := m.Predict(nil, t.X)
	if err != nil {
		return nil, explainNew(t, err)
	}
	predicted := columnOf(values)
	if !isLocal(m.Kernel()) {
		return predicted, nil
	}
	return predicted, warnOfFarRows(s, t, m, "training rows")
}

// columnOf returns the first column.
func columnOf(a *matrix.Dense) []float64 {
	column := make([]float64, a.Rows)
	for i := range column {
		column[i] = a.At(i, 0)
	}
	return column
}

func (f *predictFlags) regress(s streams, m *savedRegression, path string) error {
	if f.posteriors || f.values {
		return usage("%s is a regression, whose predictions are numbers: --posteriors and --decision-values are for classes", m.path)
	}
	t, err := m.read(s, &f.table, path, f.rows.ids, true)
	if err != nil {
		return err
	}
	values, err := m.values(s, t)
	if err != nil {
		return err
	}
	name := m.layout.LabelName
	if name == "" {
		name = "prediction"
	}
	return f.rows.write(s, t, numberField(name, func(i int) float64 { return values[i] }))
}

func (f *scoreFlags) regress(s streams, m *savedRegression, path string) error {
	start := time.Now()
	t, err := m.read(s, &f.table, path, "", false)
	if err != nil {
		return err
	}
	read := time.Since(start)
	start = time.Now()
	values, err := m.values(s, t)
	if err != nil {
		return err
	}
	if m.TrainedOn(t.X, matrix.Column(t.Targets)) {
		notice(s.err, "%s: these are the rows that the model was trained on, so the errors say little about new rows", t.File)
	}
	weights, err := f.table.weights.of(t)
	if err != nil {
		return err
	}
	r := newRegressionScore(values, t.Targets, weights)
	r.Dropped = t.DroppedRows()
	r.Seconds = map[string]float64{"read": read.Seconds(), "predict": time.Since(start).Seconds()}
	return writeReport(s.out, f.json, r)
}

func (m *savedRegression) inspect() *inspectReport {
	r := &inspectReport{
		Model: m.path, modelReport: newRegressionReport(m.Regression, m.layout), certificate: m.Certificate().String(),
	}
	r.addLearnt(m, &m.layout)
	return r
}

// newRegressionReport is newModelReport of a model of numbers.
func newRegressionReport(m *discriminant.Regression, layout table.Layout) modelReport {
	r := modelReport{
		Target: &columnReport{Position: layout.Label + 1, Name: layout.LabelName}, Method: "ridge",
		kernelParameters: parametersOf(m.Kernel()), kernel: m.Kernel().String(), Ridge: m.Ridge(),
		Scatter: discriminant.SummedScatter.String(), Scale: discriminant.NoScaling.String(),
		Components: 1, Certificate: certificate(m.Certificate()),
	}
	r.addRegularizer(m.Regularizer(), nil)
	if s := m.Scaler(); s != nil {
		r.Scale = s.Kind().String()
	}
	return r
}

// regression checks the flags of the method of a regression.
func (f *fitFlags) regression(cmd *cobra.Command) (method, error) {
	if err := onlyRidge(cmd, &f.model); err != nil {
		return nil, err
	}
	return f.method(cmd)
}

// onlyRidge refuses another model for a target.
func onlyRidge(cmd *cobra.Command, model *string) error {
	if cmd.Flags().Changed("class-weight") {
		return usage("--class-weight is for classes; --weight names a column of the weights of rows")
	}
	if cmd.Flags().Changed("model") && *model != "ridge" {
		return usage("--target is for --model ridge, which predicts numbers; %s predicts classes, whose column --label names", show.Text(*model))
	}
	*model = "ridge"
	return nil
}

// numbersPerRow is what a plan takes for a regression of one target: two classes have one.
const numbersPerRow = 2

func (f *fitFlags) regress(cmd *cobra.Command, s streams, train string) error {
	method, err := f.regression(cmd)
	if err != nil {
		return err
	}
	limit, err := f.limit()
	if err != nil {
		return err
	}
	start := time.Now()
	t, err := f.read(s, train, limit)
	if err != nil {
		return err
	}
	read := time.Since(start)
	t, held, err := f.holdout.split(cmd, t, method)
	if err != nil {
		return err
	}
	debug.FreeOSMemory()                             // what reading took
	defer debug.SetGCPercent(debug.SetGCPercent(20)) // as in fit
	if method, err = prepared(method, t); err != nil {
		return err
	}
	weights, err := f.table.weights.of(t)
	if err != nil {
		return err
	}
	plan, err := checkPlan(t, method, numbersPerRow, limit)
	if err != nil {
		return err
	}
	start = time.Now()
	m, err := untilInterrupt(cmd.Context(), func(ctx context.Context) (*discriminant.Regression, error) {
		defer explainWait(s.err, method)()
		announceFit(s, t, plan)
		return discriminant.FitRegression(ctx, method, t.X, matrix.Column(t.Targets), weights...)
	})
	if err != nil {
		return explainFit(t, method, err)
	}
	fitted := time.Since(start)
	tested, m, err := f.holdout.numbers(m, held)
	if err != nil {
		return err
	}
	if m, err = regressionWithLayout(m, t.Layout); err != nil {
		return err
	}
	r := newRegressionFit(t, f.output, m)
	r.HeldOut = tested
	r.baseline = fmt.Sprintf("always predicting the mean has an RMSE of %s in these rows", digitsText(math.Sqrt(cv.CompareNumbers(t.Targets, t.Targets, weights...).MeanSquaredError)))
	r.verbose, r.next = f.verbose, nextAfterFit(cmd, train, f.output)
	r.Chosen, r.Plan = chosenBy(method), planReport(plan)
	r.Seconds = map[string]float64{"read": read.Seconds(), "fit": fitted.Seconds()}
	told := io.Writer(s.out)
	if f.output == "-" {
		told = s.err
	}
	return saveModel(cmd.Context(), s, f.output, m, func() error { return writeReport(told, f.json, r) })
}

// regressionWithLayout is withLayout for a regression.
func regressionWithLayout(m *discriminant.Regression, layout table.Layout) (*discriminant.Regression, error) {
	text, err := layout.MarshalText()
	if err != nil {
		return nil, err
	}
	return m.WithNote(layoutNote, string(text)), nil
}

// newRegressionFit is newFitReport of a model of numbers.
func newRegressionFit(t *table.Table, output string, m *discriminant.Regression) *fitReport {
	return &fitReport{
		Train: t.File, Model: output, Rows: t.X.Rows, Features: t.X.Cols, Dropped: t.DroppedRows(),
		modelReport: newRegressionReport(m, t.Layout),
	}
}
