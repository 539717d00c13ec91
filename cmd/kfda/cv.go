package main

import (
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
)

type cvFlags struct {
	fitFlags // without an output
	folds    foldFlags
}

func newCV(s streams) *cobra.Command {
	f := &cvFlags{}
	cmd := &cobra.Command{
		Use:   "cv TRAIN [--label COLUMN] [flags]",
		Short: "Estimate how well a fit classifies new rows",
		Long: `cv divides the table in the file TRAIN into folds. Each is classified by a fit to
the rest, with the settings of 'kfda fit'; scaling, defaults that depend on the
data and relative ridges are those of the rest. It prints the errors of all folds
together.

It estimates one setting. If you try several and keep the best, its errors are
optimistic: it was kept for them.`,
		Example: `  kfda cv iris.csv --label species --folds 10
  kfda cv wine.csv --kernel poly --degree 2 --classifier gaussian --repeats 5`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, s, args[0]) },
	}
	f.folds.add(cmd)
	f.addSettings(cmd)
	cmd.Flags().BoolVar(&f.json, "json", false, "print the scores as one JSON object")
	f.table.addTraining(cmd)
	f.table.weights.add(cmd)
	return cmd
}

func (f *cvFlags) run(cmd *cobra.Command, s streams, train string) error {
	if f.table.target != "" {
		return f.regress(cmd, s, train)
	}
	method, err := f.method(cmd)
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
	classes := discriminant.Classes(t.Labels)
	if method, err = f.classifier.forClasses(method, classes); err != nil {
		return err
	}
	if method, err = prepared(method, t); err != nil {
		return err
	}
	if err := f.folds.checkCost(t.X.Rows, 1, method.Plan(t.X.Rows, t.X.Cols, len(classes)).Flops); err != nil {
		return err
	}
	folds, err := f.folds.of(t)
	if err != nil {
		return explain.Folds(t, err)
	}
	weights, err := f.table.weights.of(t)
	if err != nil {
		return err
	}
	rows, plan := foldsPlan(method, t, len(classes), folds)
	noticeRepeats(s.err, t)
	f.classifier.announceNeighbors(s.err, fewestTrained(folds))
	if err := checkMemory(t.File, rows, plan, 0, ""); err != nil {
		return err
	}
	defer collectOften(plan)()
	e, err := untilInterrupt(cmd.Context(), func(ctx context.Context) (*cv.Evaluation[string], error) {
		defer explainWait(s.err, method)()
		return cv.EvaluateProgress(ctx, method, t.X, t.Labels, folds, announceFolds(s, folds, rows, plan), weights...)
	})
	switch {
	case err != nil:
		return explain.Fit(t, method, err)
	case len(e.Failures) > 0:
		return explain.Failures(t, method, e.Failures, folds.Len(), f.folds.names(t))
	}
	r := newCVReport(e, t)
	r.Seconds = map[string]float64{"all": time.Since(start).Seconds()}
	return writeReport(s.out, f.json, r)
}

// foldsPlan returns the rows that the largest fit in a fold trains on, and what the fits in
// all folds need. Their memory is that of two fits, as that of the fold before is collected
// while the next is under way.
func foldsPlan(m method, t *table.Table, classes int, folds *cv.Folds) (rows int, all discriminant.Plan) {
	for k := range folds.Len() {
		train := t.X.Rows - len(folds.Test(k))
		plan := m.Plan(train, t.X.Cols, classes)
		rows, all.Bytes = max(rows, train), max(all.Bytes, float64(2*plan.Bytes))
		all.Flops += plan.Flops
	}
	return rows, all
}

// announceFolds says what long fits of at most so many rows need, and returns a callback
// that shows how many are done.
func announceFolds(s streams, folds *cv.Folds, rows int, plan discriminant.Plan) func(done, total int) {
	if plan.Flops > longFit {
		notice(s.err, "%s of at most %s need about %s of memory and %.1g floating-point operations; Ctrl-C stops them",
			plural.Count(folds.Len(), "fit"), plural.Count(rows, "row"), bytesText(plan.Bytes), plan.Flops)
	}
	s.line.step("folds", "fits", 0, folds.Len())
	return func(done, total int) {
		if plan.Flops > longFit {
			debug.FreeOSMemory() // the matrices of the fold before
		}
		s.line.step("folds", "fits", done, total)
	}
}

// cvReport is what cv prints.
type cvReport struct {
	Folds    string  `json:"folds"`
	Accuracy float64 `json:"accuracy"`
	// StandardError is that of the accuracy, for independent rows.
	StandardError float64            `json:"standard_error"`
	Balanced      float64            `json:"balanced_accuracy"`
	LogLoss       *float64           `json:"log_loss,omitempty"`
	AUC           []float64          `json:"auc,omitempty"` // of each class against the rest
	N             int                `json:"n"`
	Errors        int                `json:"errors"`
	FoldErrors    []float64          `json:"fold_errors"` // shares
	Classes       []string           `json:"classes"`
	Confusion     [][]int            `json:"confusion"`
	Weighted      bool               `json:"weighted,omitempty"` // all shares and means are
	Dropped       int                `json:"dropped"`
	Seconds       map[string]float64 `json:"seconds"`
}

func newCVReport(e *cv.Evaluation[string], t *table.Table) *cvReport {
	r := &cvReport{
		Folds: e.Folds, Accuracy: e.Accuracy(), StandardError: e.StandardError(), Balanced: e.BalancedAccuracy(),
		AUC: e.AUC, N: e.Rows, Errors: e.Errors, FoldErrors: e.FoldErrors, Classes: e.Classes, Confusion: e.Confusion,
		Dropped: t.DroppedRows(), Weighted: e.Weighted(),
	}
	if !math.IsNaN(e.LogLoss) {
		r.LogLoss = &e.LogLoss
	}
	return r
}

func (r *cvReport) write(p *printer) {
	p.printf("folds\t%s\n", r.Folds)
	if r.Dropped > 0 {
		p.printf("dropped\t%s\n", plural.Count(r.Dropped, "incomplete row"))
	}
	p.printf("errors\t%d in %s, %saccuracy %.4f ± %.4f\n", r.Errors, plural.Count(r.N, "row"), weightedText(r.Weighted), r.Accuracy, r.StandardError)
	p.printf("balanced\t%.4f, the mean of the classes' shares\n", r.Balanced)
	if r.LogLoss != nil {
		p.printf("log loss\t%.4f\n", *r.LogLoss)
	}
	if r.AUC != nil {
		texts := []string{fmt.Sprintf("%.4f", r.AUC[len(r.AUC)-1])} // of two classes, the later
		if len(r.AUC) > 2 {
			texts = nil
			for j, v := range r.AUC {
				texts = append(texts, fmt.Sprintf("%s %.4f", show.Name(r.Classes[j]), v))
			}
		}
		p.printf("AUC\t%s\n", strings.Join(texts, ", "))
	}
	p.printf("seconds\t%.3g\n\n", r.Seconds["all"])
	writeConfusion(p, r.Classes, r.Confusion)
}
