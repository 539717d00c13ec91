package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/table"
)

// tuneTask is the search of a model, by flags of which all apply to it.
type tuneTask struct {
	*tuneFlags
	search cv.Search
	plan   discriminant.Plan // of a fit
	name   string            // of the model where it is one of several, before the stages
	all    *searchTime       // of the searches of several models, or nil
}

// task checks the flags of the search of a model.
func (f *tuneFlags) task(cmd *cobra.Command) (*tuneTask, error) {
	search, err := f.search()
	if err != nil {
		return nil, err
	}
	if err := f.setMethod(&search, cmd.Flags().Changed); err != nil {
		return nil, err
	}
	return &tuneTask{tuneFlags: f, search: search}, nil
}

// settle sets what the table says of the search, and refuses one that there is no memory for.
func (k *tuneTask) settle(t *table.Table) (err error) {
	classes, q := discriminant.Classes(t.Labels), &k.search
	if q.Method, err = k.classifier.forClasses(q.Method, classes); err != nil {
		return err
	}
	if err := k.checkCriterion(q.Criterion, q.Method, len(classes)); err != nil {
		return criterionError{err}
	}
	if q.Method, err = prepared(q.Method, t); err != nil {
		return err
	}
	if err := k.checkWeights(t); err != nil {
		return err
	}
	k.plan, err = k.planOf(t, *q, len(classes))
	return err
}

// criterionError says that no candidate could have a value of the criterion.
type criterionError struct{ error }

func (e criterionError) Unwrap() error { return e.error }

func (k *tuneTask) tune(ctx context.Context, s streams, d *tuneTable) (*cv.Tuned[string], error) {
	k.classifier.announceNeighbors(s.err, fewestTrained(d.folds))
	search := k.search
	search.Folds = d.folds
	search.Progress = progressOfSearch(s, k.name, k.plan, d.folds, k.all)
	tuned, err := untilInterrupt(ctx, func(ctx context.Context) (*cv.Tuned[string], error) {
		return cv.Tune(ctx, search, d.X, d.Labels, d.weights...)
	})
	if err != nil && !errors.Is(err, context.Canceled) { // then the search may still be trying
		err = k.explain(d.Table, search, err)
	}
	return tuned, err
}

// fitted returns the model that a search found, with what a file needs, and what is printed of
// it.
func (k *tuneTask) fitted(d *tuneTable, tuned *cv.Tuned[string]) (*tuneReport, *model, error) {
	m, err := withLayout(tuned.Model, d.Layout)
	if err != nil {
		return nil, nil, err
	}
	if m, err = k.table.weights.note(m, d.Table, d.weights); err != nil {
		return nil, nil, err
	}
	tested, m, err := k.holdout.classes(m, d.held)
	if err != nil {
		return nil, nil, err
	}
	record := k.explained(d.Table, tuned.Record)
	r := &tuneReport{Search: record, Accuracy: record.Candidates[record.Best].Accuracy(), fitReport: newFitReport(d.Table, k.output, m, nil)}
	r.names = d.ColumnText
	plan := k.plan
	if k.search.KernelWeights != 0 {
		plan.Flops += k.search.PlanKernelWeights(d.X.Rows, d.X.Cols, len(discriminant.Classes(d.Labels))).Flops
	}
	r.HeldOut, r.Plan = tested, newPlanReport(plan)
	return r, m, nil
}

// explained returns a record with the reasons of failures in the words of the command.
func (k *tuneTask) explained(t *table.Table, record cv.Record) cv.Record {
	for i, c := range record.Candidates {
		if c.Err() != nil {
			record.Candidates[i].Reason = explain.InFold(t, k.search.Candidate(c), c.Err(), k.folds.names(t)).Error()
		}
	}
	return record
}

// estimate returns how well the search does in folds around it.
func (k *tuneTask) estimate(ctx context.Context, s streams, d *tuneTable) (*cv.NestedEvaluation[string], error) {
	search := k.inner(s, d)
	e, err := untilInterrupt(ctx, func(ctx context.Context) (*cv.NestedEvaluation[string], error) {
		return cv.Nested(ctx, search, d.X, d.Labels, d.folds, d.weights...)
	})
	if err != nil {
		return nil, explain.Fit(d.Table, search.Method, err)
	}
	return e, k.explainNested(d, e.Failures)
}

// inner returns the search in the rest of each fold: in the folds that a column names, else in
// others.
func (k *tuneTask) inner(s streams, d *tuneTable) cv.Search {
	search := k.search
	if k.folds.column() == "" {
		search.Seed = k.folds.seed
	} else {
		search.Folds = d.folds
	}
	all := k.all
	if all == nil {
		all = &searchTime{some: 1, of: 1}
	}
	search.Progress = progressOfSearch(s, k.name, discriminant.Plan{}, nil, all)
	return search
}

func (k *tuneTask) explainNested(d *tuneTable, failures []cv.Failure) error {
	if len(failures) == 0 {
		return nil
	}
	return fmt.Errorf("%s: --nested: the search has no result without %s: %w", d.File, explain.FoldName(k.folds.names(d.Table), failures[0].Fold), failures[0].Err)
}

// checkCriterion refuses a criterion that no candidate could have a value of.
func (f *tuneFlags) checkCriterion(by cv.Criterion, m method, classes int) error {
	remedy := "say --classifier gaussian, gaussian-per-class or knn"
	switch c := m.Settings().Classifier.(type) {
	case nil:
		if _, ok := m.(discriminant.KernelPCA); !ok {
			remedy = "" // gaussian, or searched
		}
	case discriminant.Gaussian, discriminant.KNN:
		remedy = ""
	case discriminant.SVM:
		if remedy = "say --probability"; c.Probability {
			remedy = ""
		}
	}
	if _, ok := m.(discriminant.KernelRidge); ok {
		remedy = "--model ridge has none"
	}
	switch {
	case by == cv.ByLogLoss && remedy != "":
		return usage("--criterion log-loss compares probabilities of the classes: %s", remedy)
	case by == cv.ByAUC && classes > 2 && remedy != "":
		return usage("--criterion auc compares, of more than two classes, their probabilities: %s", remedy)
	case by == cv.ByAUC && f.folds.eachRow:
		return usage("--criterion auc compares rows that the same fold tests, and those of --each-row test one")
	}
	return nil
}
