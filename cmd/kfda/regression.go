package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

// onlyClasses refuses a regression.
func (m *savedModel) onlyClasses() error {
	if m.numbers == nil {
		return nil
	}
	return fmt.Errorf("%s: a regression of %s has no classes and no directions; 'kfda predict' writes its values", m.path, m.targetText())
}

// targetText names the column that a regression is of.
func (m *savedModel) targetText() string {
	return (&columnReport{Position: m.layout.Label + 1, Name: m.layout.LabelName}).text()
}

// text names the column, or the label of a file without columns.
func (c *columnReport) text() string {
	if c.Position == 0 {
		return "the label"
	}
	return table.ColumnText(c.Position, c.Name)
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
	if err := f.holdout.check(cmd, method); err != nil {
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
	t, held, err := f.holdout.split(t)
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
	noticeRepeats(s.err, t)
	_, plan, err := f.solved(s, t, method, numbersPerRow, weights, limit)
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
		return explain.Fit(t, method, err)
	}
	fitted := time.Since(start)
	tested, m, err := f.holdout.numbers(m, held)
	if err != nil {
		return err
	}
	if m, err = regressionWithLayout(m, t.Layout); err != nil {
		return err
	}
	r := newFitReport(t, f.output, regression{m}, method)
	r.HeldOut = tested
	r.baseline = meanBaseline(cv.CompareNumbers(t.Targets, t.Targets, weights...).MeanSquaredError)
	r.verbose, r.next = f.verbose, nextAfterFit(cmd, train, f.output, t.X.Rows)
	r.Plan = newPlanReport(plan)
	r.Seconds = map[string]float64{"read": read.Seconds(), "fit": fitted.Seconds()}
	told := io.Writer(s.out)
	if f.output == "-" {
		told = s.err
	}
	return saveModel(cmd.Context(), s, f.output, m, func() error { return writeReport(told, f.json, r) })
}

// meanBaseline says what always predicting the mean comes to, whose mean squared error is given.
func meanBaseline(squared float64) string {
	return fmt.Sprintf("always predicting the mean has an RMSE of %s in these rows", digitsText(math.Sqrt(squared)))
}

// regressionWithLayout is withLayout for a regression.
func regressionWithLayout(m *discriminant.Regression, layout table.Layout) (*discriminant.Regression, error) {
	text, err := layout.MarshalText()
	if err != nil {
		return nil, err
	}
	return m.WithNote(layoutNote, string(text)), nil
}
