package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/matrix"
)

// contestant is a way to classify without settings.
type contestant struct {
	name string
	few  bool // it is a search, which has only the first splits
	fit  func(ctx context.Context, x *matrix.Dense, labels []int) (*discriminant.Model[int], error)
}

// contestants are kfda fit with no options, with --model alone, and kfda tune, with the
// scalings that the command takes where no flag says so.
var contestants = []contestant{
	{name: "fit", fit: with(discriminant.KFDA{Scaling: discriminant.AutoScaling})},
	{name: "svm", fit: with(discriminant.SVM{Scaling: discriminant.Standard})},
	{name: "lda", fit: with(discriminant.LDA{Scaling: discriminant.Standard})},
	{name: "ridge", fit: with(discriminant.KernelRidge{Scaling: discriminant.AutoScaling})},
	{name: "tune", few: true, fit: func(ctx context.Context, x *matrix.Dense, labels []int) (*discriminant.Model[int], error) {
		tuned, err := cv.Tune(ctx, cv.Search{}, x, labels)
		if err != nil {
			return nil, err
		}
		return tuned.Model, nil
	}},
}

func with(method discriminant.Method) func(context.Context, *matrix.Dense, []int) (*discriminant.Model[int], error) {
	return func(ctx context.Context, x *matrix.Dense, labels []int) (*discriminant.Model[int], error) {
		return discriminant.Fit(ctx, method, x, labels)
	}
}

// fewSplits returns in how many of a set's splits a search takes part: 5, or 1 where it
// has many training rows and columns.
func fewSplits(splits, train, features int) int {
	if train*train*features > 1e8 {
		return 1
	}
	return min(5, splits)
}

// marks are what a contestant has in the splits of a set.
type marks struct {
	Name    string
	Errors  []int     // wrong test rows
	LogLoss []float64 // empty where it has no posteriors
	Refused int       // splits in which it failed; with one there are no figures

	posteriors calibration // over the splits
}

// comparison is a set with the marks of all contestants.
type comparison struct {
	Name                            string
	Rows, Features, Classes, Tested int
	Marks                           []marks // first those of the majority class
}

// defaults compares what the command does without settings with scikit-learn's
// classifiers, on the sets in that folder. It prints tables or, raw, JSON.
func defaults(ctx context.Context, folder string, names []string, raw bool, workers int, stdout, stderr io.Writer) error {
	sets, err := choose(handedSets, names)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		sets = slices.DeleteFunc(slices.Clone(sets), func(s handedSet) bool { return s.named })
	}
	_, missing := scikit(ctx, scikitScript, nil)
	if missing != nil {
		fmt.Fprintf(stderr, "%v; its columns are left out\n", missing)
	}
	var all []comparison
	for _, s := range sets {
		start := time.Now()
		c, err := compare(ctx, s, folder, missing == nil, workers, stderr)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		all = append(all, c)
		fmt.Fprintf(stderr, "%s: %.0f s\n", s.name, time.Since(start).Seconds())
	}
	if raw {
		return json.NewEncoder(stdout).Encode(all)
	}
	return writeComparisons(stdout, all)
}

func compare(ctx context.Context, s handedSet, folder string, withScikit bool, workers int, progress io.Writer) (comparison, error) {
	x, labels, err := s.load(folder)
	if err != nil {
		return comparison{}, err
	}
	splits, err := halves(labels, s.train)
	if err != nil {
		return comparison{}, err
	}
	r := comparison{s.name, x.Rows, x.Cols, slices.Max(labels) + 1, len(splits[0].Test(0)), []marks{majority(labels, splits)}}
	few := fewSplits(len(splits), len(splits[0].Train(0)), x.Cols)
	for _, c := range contestants {
		its := splits
		if c.few {
			its = splits[:few]
		}
		m, err := c.judge(ctx, x, labels, its, workers, progress)
		if err != nil {
			return r, err
		}
		r.Marks = append(r.Marks, m)
	}
	if withScikit {
		theirs, err := scikitMarks(ctx, x, labels, splits, few)
		if err != nil {
			return r, err
		}
		r.Marks = append(r.Marks, theirs...)
	}
	return r, nil
}

// majority predicts the commonest class of the training rows, and its posteriors are the
// classes' shares of them.
func majority(labels []int, splits []*cv.Folds) marks {
	m := marks{Name: "majority"}
	for _, s := range splits {
		train, test := take(labels, s.Train(0)), take(labels, s.Test(0))
		shares := make([]float64, slices.Max(labels)+1)
		for _, label := range train {
			shares[label] += 1 / float64(len(train))
		}
		p := matrix.New(len(test), len(shares))
		commonest := make([]int, len(test))
		for i := range test {
			copy(p.Row(i), shares)
			commonest[i] = slices.Index(shares, slices.Max(shares))
		}
		m.Errors = append(m.Errors, countDifferent(commonest, test))
		m.LogLoss = append(m.LogLoss, logLoss(p, test))
	}
	return m
}

// judge applies the contestant in all splits, and tells the progress why it failed first.
func (c contestant) judge(ctx context.Context, x *matrix.Dense, labels []int, splits []*cv.Folds, workers int, progress io.Writer) (marks, error) {
	m := marks{Name: c.name, Errors: make([]int, len(splits))}
	posteriors, failures := make([]*matrix.Dense, len(splits)), make([]error, len(splits))
	err := parallel(ctx, len(splits), workers, func(i int) error {
		m.Errors[i], posteriors[i], failures[i] = c.apply(ctx, x, labels, splits[i])
		return ctx.Err()
	})
	if err != nil {
		return m, err
	}
	for i, err := range failures {
		if err == nil {
			continue
		}
		if m.Refused++; m.Refused == 1 {
			fmt.Fprintf(progress, "%s, split %d: %v\n", c.name, i, err)
		}
	}
	if m.Refused > 0 {
		m.Errors = nil
		return m, nil
	}
	if slices.Contains(posteriors, nil) {
		return m, nil
	}
	for i, p := range posteriors {
		truth := take(labels, splits[i].Test(0))
		m.LogLoss = append(m.LogLoss, logLoss(p, truth))
		m.posteriors.add(p, truth)
	}
	return m, nil
}

// apply fits the contestant to the training rows of a split and returns how many of the
// test rows are wrong, and the posteriors, nil where there are none.
func (c contestant) apply(ctx context.Context, x *matrix.Dense, labels []int, split *cv.Folds) (wrong int, p *matrix.Dense, err error) {
	train, test := split.Train(0), split.Test(0)
	model, err := c.fit(ctx, takeRows(x, train), take(labels, train))
	if err != nil {
		return 0, nil, err
	}
	y := takeRows(x, test)
	predicted, err := model.Predict(nil, y)
	if err != nil {
		return 0, nil, err
	}
	p, err = model.Posteriors(nil, y)
	if none := (*discriminant.PosteriorsError)(nil); errors.As(err, &none) {
		p, err = nil, nil
	}
	return countDifferent(predicted, take(labels, test)), p, err
}
