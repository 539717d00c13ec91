package main

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/cmd/kfda/internal/table"
	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// listing says what tune tries for a model other than a kfda: each of values, the
// smoother model first, with each γ of an rbf kernel if there is a kernel, and each
// scaling.
type listing struct {
	parameter string // what the values are; "" for relative ridges
	values    []float64
	kernel    bool
	base      method // the settings that are not searched
	// with returns base with a scaling, γ and value.
	with func(base method, scaling discriminant.Scaling, gamma, value float64) method
}

// listingKind is a model of the command line that tune has a listing for.
type listingKind struct {
	name    string
	foreign []string // flags of tune that don't apply to it
	make    func(f *tuneFlags, given func(flag string) bool) (listing, error)
}

var listingKinds = []listingKind{
	{"svm", []string{"regularizer", "refinements", "components", "classifier", "neighbors", "priors", "C"}, (*tuneFlags).svms},
	{"ridge", []string{"regularizer", "refinements", "components", "classifier", "neighbors", "priors", "C", "weights", "tolerance", "probability"}, (*tuneFlags).kernelRidges},
	{"lda", []string{"regularizer", "refinements", "components"}, (*tuneFlags).ldas},
	{"kpca", []string{"regularizer", "refinements"}, (*tuneFlags).kpcas},
}

// listing checks the flags of a model other than a kfda.
func (f *tuneFlags) listing(cmd *cobra.Command) (listing, error) {
	given := cmd.Flags().Changed
	at := slices.IndexFunc(listingKinds, func(k listingKind) bool { return k.name == f.model })
	if at < 0 {
		return listing{}, usage("--model %q: want kfda, svm, ridge, lda or kpca", f.model)
	}
	if err := foreign(given, f.model, listingKinds[at].foreign); err != nil {
		return listing{}, err
	}
	l, err := listingKinds[at].make(f, given)
	if err != nil {
		return l, err
	}
	if err := l.base.Validate(); err != nil {
		return l, explainSetting(err)
	}
	return l, nil
}

// foreign refuses the first of the flags that was given.
func foreign(given func(flag string) bool, model string, flags []string) error {
	for _, flag := range flags {
		if given(flag) {
			return usage("--%s does not apply to tune --model %s", flag, model)
		}
	}
	return nil
}

func (f *tuneFlags) svms(func(string) bool) (listing, error) {
	base, err := f.classifier.machine.machine()
	return listing{"C", []float64{0.1, 1, 10, 100, 1000}, true, base,
		func(base method, scaling discriminant.Scaling, gamma, c float64) method {
			m := base.(discriminant.SVM)
			m.Scaling, m.Kernel, m.C = scaling, gram.RBF{Gamma: gamma}, c
			return m
		}}, err
}

func (f *tuneFlags) kernelRidges(func(string) bool) (listing, error) {
	return listing{"", []float64{1e2, 1, 1e-2, 1e-4, 1e-6, 1e-8}, true, discriminant.KernelRidge{},
		func(base method, scaling discriminant.Scaling, gamma, ridge float64) method {
			m := base.(discriminant.KernelRidge)
			m.Scaling, m.Kernel, m.Regularizer = scaling, gram.RBF{Gamma: gamma}, discriminant.RelativeRidge(ridge)
			return m
		}}, nil
}

// ldas searches the intensity alone: with s/(1−s) for the relative ridge the
// discriminants are the same but for their length.
func (f *tuneFlags) ldas(given func(string) bool) (listing, error) {
	classifier, err := f.classifier.classifier(given)
	return listing{"shrink", []float64{1, 0.5, 0.2, 0.1, 0.01, 0.001, 0}, false, discriminant.LDA{Classifier: classifier},
		func(base method, scaling discriminant.Scaling, _, intensity float64) method {
			m := base.(discriminant.LDA)
			if m.Scaling = scaling; intensity > 0 {
				m.Regularizer = discriminant.Shrink(intensity)
			}
			return m
		}}, err
}

func (f *tuneFlags) kpcas(given func(string) bool) (listing, error) {
	var counts []float64
	for text := range strings.SplitSeq(f.components, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 1 {
			return listing{}, usage("--components %q: want numbers of components, 1 or more, as in 2,4,8", f.components)
		}
		counts = append(counts, float64(n))
	}
	slices.Sort(counts)
	classifier, err := f.classifier.classifier(given)
	return listing{"components", slices.Compact(counts), true, discriminant.KernelPCA{Classifier: classifier},
		func(base method, scaling discriminant.Scaling, gamma, components float64) method {
			m := base.(discriminant.KernelPCA)
			m.Scaling, m.Kernel, m.Components = scaling, gram.RBF{Gamma: gamma}, int(components)
			return m
		}}, err
}

// trial is a method and, as a candidate, what is searched of it.
type trial struct {
	method    method
	candidate cv.Candidate
}

// trials lists all combinations, by value, then by the step of γ, then by
// scaling in the order none, standard, minmax.
func (l listing) trials(scalings []discriminant.Scaling, x *matrix.Dense) ([]trial, error) {
	scalings = slices.Compact(slices.Sorted(slices.Values(scalings))) // their order is no choice
	gammas := make([][]float64, len(scalings))
	for i, scaling := range scalings {
		gammas[i] = []float64{0}
		if l.kernel {
			var err error
			if gammas[i], err = cv.DefaultGammas(scaling, x); err != nil {
				return nil, err
			}
		}
	}
	var trials []trial
	for _, value := range l.values {
		for step := range gammas[0] {
			for i, scaling := range scalings {
				gamma := gammas[i][step]
				c := cv.Candidate{Scaling: scaling, Gamma: cv.Number(gamma), Parameter: l.parameter}
				if l.parameter == "" {
					c.Ridge = cv.Number(value)
				} else {
					c.Value = cv.Number(value)
				}
				trials = append(trials, trial{l.with(l.base, scaling, gamma, value), c})
			}
		}
	}
	return trials, nil
}

// choose evaluates all trials in the same folds, and fits the best to all rows.
func (l listing) choose(ctx context.Context, search cv.Search, t *table.Table) (*cv.Tuned[string], method, error) {
	if err := matrix.CheckFinite(t.X); err != nil {
		return nil, l.base, err
	}
	folds := search.Folds
	if folds == nil {
		var err error
		if folds, err = cv.DefaultFolds(t.Labels, search.Seed); err != nil {
			return nil, l.base, err
		}
	}
	trials, err := l.trials(search.Scalings, t.X)
	if err != nil {
		return nil, l.base, err
	}
	record := cv.Record{Folds: folds.String(), Criterion: search.Criterion.String(), Rows: t.X.Rows, Features: t.X.Cols}
	var evaluations []*cv.Evaluation[string]
	for i, trial := range trials {
		search.Progress("search", i*folds.Len(), len(trials)*folds.Len())
		e, err := cv.Evaluate(ctx, trial.method, t.X, t.Labels, folds)
		if err != nil {
			return nil, trial.method, err
		}
		c := e.Candidate(search.Criterion)
		c.Scaling, c.Gamma, c.Ridge = trial.candidate.Scaling, trial.candidate.Gamma, trial.candidate.Ridge
		c.Parameter, c.Value = trial.candidate.Parameter, trial.candidate.Value
		evaluations = append(evaluations, e)
		record.Candidates = append(record.Candidates, c)
	}
	search.Progress("search", len(trials)*folds.Len(), len(trials)*folds.Len())
	if record.Best, err = cv.Best(evaluations, search.Criterion); err != nil {
		return nil, l.base, err
	}
	best := trials[record.Best].method
	m, err := discriminant.Fit(ctx, best, t.X, t.Labels)
	if err != nil {
		return nil, best, &cv.BestFitError{Candidate: record.Candidates[record.Best], Err: err}
	}
	text, err := record.MarshalText()
	if err != nil {
		return nil, best, err
	}
	return &cv.Tuned[string]{Model: m.WithNote(cv.RecordNote, string(text)), Record: record}, best, nil
}
