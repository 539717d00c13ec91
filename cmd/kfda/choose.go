package main

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

// listing says what tune tries for a model: each of values, the smoother model first, with
// each γ of an rbf kernel if there is a kernel, and each scaling. Those of a kfda are left
// to cv.Tune.
type listing struct {
	parameter string // what the values are; "" for relative ridges
	values    []float64
	kernel    bool
	base      method // the settings that are not searched
	// with returns base with a scaling, γ and value.
	with func(base method, scaling discriminant.Scaling, gamma, value float64) method
}

// listingKind is a model of the command line that tune can search.
type listingKind struct {
	name     string
	searches string
	foreign  []string // flags of tune that don't apply to it
	make     func(f *tuneFlags, given func(flag string) bool) (listing, error)
}

var listingKinds = []listingKind{
	{"kfda", "the scaling, gamma and the ridge", []string{"components"}, (*tuneFlags).kfdas},
	{"svm", "the scaling, gamma and C", []string{"regularizer", "refinements", "components", "classifier", "neighbors", "priors", "C"}, (*tuneFlags).svms},
	{"ridge", "the scaling, gamma and the relative ridge lambda", []string{"regularizer", "refinements", "components", "classifier", "neighbors", "priors", "C", "weights", "tolerance", "probability"}, (*tuneFlags).kernelRidges},
	{"lda", "the scaling and the intensity of --shrink", []string{"regularizer", "refinements", "components"}, (*tuneFlags).ldas},
	{"kpca", "the scaling, gamma and the number of components", []string{"regularizer", "refinements"}, (*tuneFlags).kpcas},
}

// listing checks the flags of the model.
func (f *tuneFlags) listing(cmd *cobra.Command) (listing, error) {
	given := cmd.Flags().Changed
	if given("C") && f.model != "svm" && f.classifier.name != "svm" {
		return listing{}, usage("--C is for --classifier svm; tune --model svm searches C itself")
	}
	at := slices.IndexFunc(listingKinds, func(k listingKind) bool { return k.name == f.model })
	if at < 0 {
		return listing{}, usage("--model %q: want kfda, svm, ridge, lda or kpca", f.model)
	}
	kind := listingKinds[at]
	if i := slices.IndexFunc(kind.foreign, given); i >= 0 {
		return listing{}, usage("--%s does not apply to tune --model %s, which searches %s", kind.foreign[i], f.model, kind.searches)
	}
	l, err := kind.make(f, given)
	if err != nil {
		return l, err
	}
	if err := l.base.Validate(); err != nil {
		return l, explainSetting(err)
	}
	return l, nil
}

func (f *tuneFlags) kfdas(given func(string) bool) (listing, error) {
	m := discriminant.KFDA{LeaveOneOut: f.regularizer == "rkhs"}
	var err error
	if m.Classifier, err = f.classifier.classifier(given, m.LeaveOneOut); err != nil {
		return listing{}, err
	}
	regularizer := discriminant.RelativeRKHS
	switch f.regularizer {
	case "rkhs":
	case "ridge":
		regularizer = discriminant.RelativeRidge
	default:
		return listing{}, usage("--regularizer %q: want rkhs or ridge", f.regularizer)
	}
	m.Regularizer = regularizer(1)
	return listing{base: m, with: func(base method, scaling discriminant.Scaling, _, ridge float64) method {
		m := base.(discriminant.KFDA)
		m.Scaling, m.Regularizer = scaling, regularizer(ridge)
		return m
	}}, nil
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
	classifier, err := f.classifier.classifier(given, true)
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
	classifier, err := f.classifier.classifier(given, false)
	return listing{"components", slices.Compact(counts), true, discriminant.KernelPCA{Classifier: classifier},
		func(base method, scaling discriminant.Scaling, gamma, components float64) method {
			m := base.(discriminant.KernelPCA)
			m.Scaling, m.Kernel, m.Components = scaling, gram.RBF{Gamma: gamma}, int(components)
			return m
		}}, err
}

// trial is a method and, as a candidate, what is searched of it. A scaling that has no γ to
// begin with has the reason as its error, and 0 for γ.
type trial struct {
	method    method
	candidate cv.Candidate
	err       error
}

// trials lists all combinations, by value, then by the step of γ, then by
// scaling in the order none, standard, minmax.
func (l listing) trials(scalings []discriminant.Scaling, x *matrix.Dense) []trial {
	scalings = slices.Compact(slices.Sorted(slices.Values(scalings))) // their order is no choice
	gammas, refused, steps := make([][]float64, len(scalings)), make([]error, len(scalings)), 1
	for i, scaling := range scalings {
		if l.kernel {
			gammas[i], refused[i] = cv.DefaultGammas(scaling, x)
		}
		if gammas[i] == nil {
			gammas[i] = []float64{0}
		}
		steps = max(steps, len(gammas[i]))
	}
	var trials []trial
	for _, value := range l.values {
		for step := range steps {
			for i, scaling := range scalings {
				if step >= len(gammas[i]) {
					continue
				}
				gamma := gammas[i][step]
				c := cv.Candidate{Scaling: scaling, Gamma: cv.Number(gamma), Parameter: l.parameter}
				if l.parameter == "" {
					c.Ridge = cv.Number(value)
				} else {
					c.Value = cv.Number(value)
				}
				trials = append(trials, trial{l.with(l.base, scaling, gamma, value), c, refused[i]})
			}
		}
	}
	return trials
}

// method returns the method of a candidate.
func (l listing) method(c cv.Candidate) method {
	return l.with(l.base, c.Scaling, float64(c.Gamma), float64(acrossOf(c)))
}

// evaluate returns how the trial fares.
func (one trial) evaluate(ctx context.Context, t *table.Table, folds *cv.Folds, progress func(done, total int)) (*cv.Evaluation[string], error) {
	if one.err == nil {
		return cv.EvaluateProgress(ctx, one.method, t.X, t.Labels, folds, progress)
	}
	e := new(cv.Evaluation[string])
	for k := range folds.Len() {
		e.Failures = append(e.Failures, cv.Failure{Fold: k, Err: one.err})
	}
	progress(folds.Len(), folds.Len())
	return e, nil
}

// choose evaluates all trials in the same folds, and fits the best to all rows.
func (l listing) choose(ctx context.Context, search cv.Search, t *table.Table) (*cv.Tuned[string], method, error) {
	if err := matrix.CheckFinite(t.X); err != nil {
		return nil, l.base, err
	}
	folds, trials := search.Folds, l.trials(search.Scalings, t.X)
	total := len(trials) * folds.Len()
	search.Progress("search", 0, total)
	record := cv.Record{Folds: folds.String(), Criterion: search.Criterion.String(), Rows: t.X.Rows, Features: t.X.Cols}
	var evaluations []*cv.Evaluation[string]
	for i, trial := range trials {
		e, err := trial.evaluate(ctx, t, folds, func(done, _ int) {
			search.Progress("search", i*folds.Len()+done, total)
		})
		if err != nil {
			return nil, trial.method, err
		}
		c := e.Candidate(search.Criterion)
		c.Scaling, c.Gamma, c.Ridge = trial.candidate.Scaling, trial.candidate.Gamma, trial.candidate.Ridge
		c.Parameter, c.Value = trial.candidate.Parameter, trial.candidate.Value
		evaluations = append(evaluations, e)
		record.Candidates = append(record.Candidates, c)
	}
	var err error
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
