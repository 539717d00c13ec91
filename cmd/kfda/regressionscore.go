package main

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/cmd/kfda/internal/assess"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/table"
)

// regressionScore is what score and cv print of a regression.
type regressionScore struct {
	Folds string `json:"folds,omitempty"` // cv
	N     int    `json:"n"`
	numberErrors
	// Intervals hold 95 % of bootstrap samples of the rows.
	Intervals struct {
		RMSE assess.Interval  `json:"rmse"`
		MAE  assess.Interval  `json:"mae"`
		R2   *assess.Interval `json:"r2"`
	} `json:"intervals"`
	// Mean is what always predicting the mean of these rows comes to.
	Mean    numberErrors       `json:"mean"`
	Dropped int                `json:"dropped"`
	Seconds map[string]float64 `json:"seconds,omitempty"`

	next []string // command lines
}

// numberErrors are the errors of numbers.
type numberErrors struct {
	RMSE float64  `json:"rmse"`
	MAE  float64  `json:"mae"`
	R2   *float64 `json:"r2"` // null where all rows have the same target
}

// newRegressionScore compares predictions with targets.
func newRegressionScore(predicted, targets, weights []float64) *regressionScore {
	found := cv.CompareNumbers(predicted, targets, weights...)
	r := &regressionScore{N: found.Rows, numberErrors: numberErrors{RMSE: math.Sqrt(found.SquaredError), MAE: found.AbsoluteError}}
	r.Mean = numberErrors{RMSE: math.Sqrt(found.MeanSquaredError), MAE: found.MeanAbsoluteError}
	within := assess.Bootstrap(len(targets), func(times []float64) []float64 {
		for i, w := range weights {
			times[i] *= w
		}
		s := cv.CompareNumbers(predicted, targets, times...)
		return []float64{math.Sqrt(s.SquaredError), s.AbsoluteError, s.R2()}
	})
	r.Intervals.RMSE, r.Intervals.MAE = within[0], within[1]
	if r2 := found.R2(); !math.IsNaN(r2) {
		zero := 0.0
		r.R2, r.Mean.R2, r.Intervals.R2 = &r2, &zero, &within[2]
	}
	return r
}

func (r *regressionScore) write(p *printer) {
	if r.Folds != "" {
		p.printf("folds\t%s\n", r.Folds)
	}
	if r.Dropped > 0 {
		p.printf("dropped\t%s\n", plural.Count(r.Dropped, "incomplete row"))
	}
	p.printf("rows\t%d, intervals of 95 %% by the bootstrap\n", r.N)
	line := func(name string, value float64, within assess.Interval, mean float64) {
		p.printf("%s\t%s (%s to %s); of always predicting the mean: %s\n", name, digitsText(value), digitsText(within.Low), digitsText(within.High), digitsText(mean))
	}
	line("RMSE", r.RMSE, r.Intervals.RMSE, r.Mean.RMSE)
	line("MAE", r.MAE, r.Intervals.MAE, r.Mean.MAE)
	if r.R2 == nil {
		p.printf("R²\tnone, for all rows have the same value\n")
		return
	}
	p.printf("R²\t%.4f (%.4f to %.4f); of always predicting the mean: 0\n", *r.R2, r.Intervals.R2.Low, r.Intervals.R2.High)
	writeNext(p, r.next)
}

// digitsText shows a number with four digits.
func digitsText(v float64) string { return fmt.Sprintf("%.4g", v) }

func (f *cvFlags) regress(cmd *cobra.Command, s streams, train string) error {
	method, err := f.regression(cmd)
	if err != nil {
		return err
	}
	if err := f.folds.check(); err != nil {
		return err
	}
	opt, err := f.table.options(s)
	if err != nil {
		return err
	}
	opt.IDs = f.folds.column()
	start := time.Now()
	t, err := f.table.read(s, train, opt)
	if err != nil {
		return err
	}
	f.kernel.symmetrizes(t.X)
	if method, err = prepared(method, t); err != nil {
		return err
	}
	if err := f.folds.checkCost(t.X.Rows, 1, method.Plan(t.X.Rows, t.X.Cols, numbersPerRow).Flops); err != nil {
		return err
	}
	weights, err := f.table.weights.of(t)
	if err != nil {
		return err
	}
	folds, err := f.folds.of(oneClass(t))
	if err != nil {
		return explain.Folds(t, err)
	}
	noticeRepeats(s.err, t)
	rows, plan := foldsPlan(method, t, numbersPerRow, folds)
	if err := checkMemory(t.File, rows, plan, 0, ""); err != nil {
		return err
	}
	defer collectOften(plan)()
	e, err := untilInterrupt(cmd.Context(), func(ctx context.Context) (*cv.RegressionEvaluation, error) {
		defer explainWait(s.err, method)()
		return cv.EvaluateRegression(ctx, method, t.X, t.Targets, folds, announceFolds(s, folds, rows, plan), weights...)
	})
	switch {
	case err != nil:
		return explain.Fit(t, method, err)
	case len(e.Failures) > 0:
		return fmt.Errorf("%s: %s of %d without a result; %w", t.File, plural.Count(len(e.Failures), "fold"), folds.Len(), explain.InFold(t, method, e.Failures[0], f.folds.names(t)))
	}
	r := scoreFolds(e, folds, t.Targets, weights)
	r.Folds, r.Dropped = e.Folds, t.DroppedRows()
	r.Seconds = map[string]float64{"all": time.Since(start).Seconds()}
	return writeReport(s.out, f.json, r)
}

// scoreFolds compares the predictions of folds with the targets of their test rows.
func scoreFolds(e *cv.RegressionEvaluation, folds *cv.Folds, all, weights []float64) *regressionScore {
	var predicted, targets, own []float64
	for k, values := range e.Predictions {
		predicted = append(predicted, values...)
		for _, i := range folds.Test(k) {
			if weights == nil {
				targets = append(targets, all[i])
			} else if weights[i] != 0 { // others are absent
				targets, own = append(targets, all[i]), append(own, weights[i])
			}
		}
	}
	return newRegressionScore(predicted, targets, own)
}

// oneClass returns the table with one label in all rows: folds of targets divide these as they
// do rows of a class.
func oneClass(t *table.Table) *table.Table {
	one := *t
	one.Labels = make([]string, len(t.Labels))
	return &one
}
