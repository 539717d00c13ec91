package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/cmd/kfda/internal/assess"
	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/table"
)

// tasks checks the flags of the searches of all models. A flag goes to the models that take it.
// Principal components, which are chosen without a look at the labels, are compared where
// --components are given.
func (f *tuneFlags) tasks(cmd *cobra.Command) (tasks []*tuneTask, err error) {
	for _, kind := range searchKinds {
		if kind.name == "kpca" && !cmd.Flags().Changed("components") {
			continue
		}
		own := *f
		own.model, own.nested = kind.name, true
		foreign := slices.Clone(kind.foreign)
		if f.classifier.name != "svm" {
			if kind.name != "svm" {
				foreign = append(foreign, machineNames...)
			} else if cmd.Flags().Changed("C") {
				return nil, usage("--C is for --classifier svm; tune searches the C of --model svm itself")
			}
		}
		for name, text := range map[string]*string{"priors": &own.classifier.priors, "weights": &own.classifier.machine.weights, "kernels": &own.kernels, "kernel-weights": &own.kernelWeights} {
			if slices.Contains(foreign, name) {
				*text = ""
			}
		}
		k := &tuneTask{tuneFlags: &own, name: kind.name + ": "}
		if k.search, err = own.search(); err != nil {
			return nil, err
		}
		given := func(flag string) bool { return cmd.Flags().Changed(flag) && !slices.Contains(foreign, flag) }
		if err := own.setMethod(&k.search, given); err != nil {
			return nil, err
		}
		tasks = append(tasks, k)
	}
	return tasks, nil
}

// settleAll settles the tasks and returns those that can be compared by the criterion.
func settleAll(s streams, tasks []*tuneTask, t *table.Table) ([]*tuneTask, error) {
	var left []*tuneTask
	var out []string
	var last criterionError
	for _, k := range tasks {
		err := k.settle(t)
		switch {
		case errors.As(err, &last):
			out = append(out, k.model)
		case err != nil:
			return nil, err
		default:
			left = append(left, k)
		}
	}
	if left == nil {
		return nil, last
	}
	if out != nil {
		some := ""
		if slices.Contains(out, "svm") {
			some = "; --probability gives svm some"
		}
		notice(s.err, "not compared by %s, for want of probabilities: %s%s", left[0].criterion, strings.Join(out, ", "), some)
	}
	return left, nil
}

// compare searches all models, estimates each in the same folds, and keeps the best.
func (f *tuneFlags) compare(cmd *cobra.Command, s streams, train string) error {
	if f.folds.repeats > 1 {
		return usage("--repeats does not go with --model all, which compares the models in rows that are tested once")
	}
	f.nested = true
	tasks, err := f.tasks(cmd)
	if err != nil {
		return err
	}
	d, err := f.read(cmd, s, train, tasks[0].search.Method)
	if err != nil {
		return err
	}
	if tasks, err = settleAll(s, tasks, d.Table); err != nil {
		return err
	}
	if err := f.divide(cmd, d); err != nil {
		return err
	}
	noticeRepeats(s.err, d.Table)
	defer collectOften(slices.MaxFunc(tasks, func(a, b *tuneTask) int { return cmp.Compare(a.plan.Bytes, b.plan.Bytes) }).plan)()
	d.grouped = f.folds.group != ""
	r := &comparison{Folds: d.folds.String(), Criterion: tasks[0].search.Criterion, Commonest: d.commonest(), Weighted: d.Weights != nil, grouped: d.grouped}
	notice(s.err, "%s, each searched %d times", plural.Count(len(tasks), "model"), d.folds.Len()+1)
	var tuned []*cv.Tuned[string]
	all := &searchTime{of: len(tasks) * (d.folds.Len() + 1)}
	for i, k := range tasks {
		k.all, all.after = all, i*(d.folds.Len()+1)
		c, found, err := k.compared(cmd.Context(), s, d)
		if err != nil {
			return err
		}
		r.Models, tuned = append(r.Models, c), append(tuned, found)
	}
	at, err := r.choose()
	if err != nil {
		return fmt.Errorf("%s: %w", d.File, err)
	}
	own, m, err := tasks[at].fitted(d, tuned[at])
	if err != nil {
		return err
	}
	own.Group = f.groupAdvice(s, train, d.opt, len(d.Labels))
	own.Nested = r.Models[at].Nested
	own.Seconds = map[string]float64{"all": time.Since(d.start).Seconds()}
	r.tuneReport = own
	return f.keep(cmd.Context(), s, m, r)
}

// compared searches the model and estimates the search. What has no result says so.
func (k *tuneTask) compared(ctx context.Context, s streams, d *tuneTable) (*comparedModel, *cv.Tuned[string], error) {
	start, c := time.Now(), &comparedModel{Model: k.model}
	k.all.some = 1
	tuned, err := k.tune(ctx, s, d)
	if err == nil {
		record := k.explained(d.Table, tuned.Record)
		c.Search = &record
		var e *cv.NestedEvaluation[string]
		k.all.after, k.all.some = k.all.after+1, d.folds.Len()
		if e, err = k.estimate(ctx, s, d); err == nil {
			c.Nested = newCVReport(&e.Evaluation, d.Table)
			c.answers = d.answers(func(fold, i int) string { return e.Predictions[fold][i] })
		}
	}
	if errors.Is(err, context.Canceled) {
		return nil, nil, err
	}
	if err != nil {
		c.Failed = err.Error()
	}
	c.Seconds = time.Since(start).Seconds()
	return c, tuned, nil
}

// answers are what the rows that are tested were taken for, in units.
type answers struct {
	Errors   int             `json:"errors"`
	Accuracy float64         `json:"accuracy"`
	Within   assess.Interval `json:"accuracy_interval"`
	Versus   *versus         `json:"versus_best,omitempty"`
	units    []assess.Unit   // and their wrong rows
}

// versus compares answers with those of the best model, in rows or groups of rows.
type versus struct {
	Better int     `json:"better"` // units in which it has fewer wrong rows
	Worse  int     `json:"worse"`
	P      float64 `json:"p"` // of the exact sign test, McNemar's for rows
}

// answers counts wrong rows of the classes that were predicted, without the weights of classes.
func (d *tuneTable) answers(predicted func(fold, i int) string) *answers {
	a, at, rows := &answers{}, make(map[string]int), 0
	for k := range d.folds.Len() {
		for i, row := range slices.DeleteFunc(d.folds.Test(k), func(i int) bool { return d.weights != nil && d.weights[i] == 0 }) {
			unit, w := len(a.units), 1.0
			if d.grouped {
				if known, ok := at[d.IDs[0][row]]; ok {
					unit = known
				}
				at[d.IDs[0][row]] = unit
			}
			if unit == len(a.units) {
				a.units = append(a.units, assess.Unit{})
			}
			if d.Weights != nil {
				w = d.Weights[row]
			}
			rows++
			a.units[unit].Size += w
			if predicted(k, i) != d.Labels[row] {
				a.Errors++
				a.units[unit].Hits += w
			}
		}
	}
	wrong, within := assess.Share(rows, a.units)
	a.Accuracy, a.Within = 1-wrong, assess.Interval{Low: 1 - within.High, High: 1 - within.Low}
	return a
}

// against compares answers to the same rows.
func (a *answers) against(best *answers) {
	a.Versus = &versus{}
	for i, u := range a.units {
		switch v := best.units[i]; {
		case u.Hits < v.Hits:
			a.Versus.Better++
		case u.Hits > v.Hits:
			a.Versus.Worse++
		}
	}
	a.Versus.P = assess.Sign(a.Versus.Better, a.Versus.Worse)
}

// commonest is what always answering the commonest class comes to.
func (d *tuneTable) commonest() *commonestClass {
	classes := discriminant.Classes(d.Labels)
	c := &commonestClass{Class: commonest(classes, classSums(classes, d.Labels, d.Weights))}
	c.answers = d.answers(func(int, int) string { return c.Class })
	return c
}
