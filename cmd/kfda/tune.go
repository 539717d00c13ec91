package main

import (
	"cmp"
	"context"
	"encoding"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

type tuneFlags struct {
	table       tableFlags
	model       string
	components  string
	holdout     holdoutFlags
	kernels     string // of a regression
	classifier  classifierFlags
	folds       foldFlags
	regularizer string
	scales      string
	refinements int
	criterion   string
	balanced    bool
	nested      bool
	output      string
	json        bool
}

func newTune(s streams) *cobra.Command {
	f := &tuneFlags{}
	cmd := &cobra.Command{
		Use:   "tune TRAIN [--label COLUMN] [-o MODEL] [flags]",
		Short: "Search the scaling, gamma and the ridge, and fit the best",
		Long: `tune searches by cross-validation for the scaling, the gamma of the kernel rbf, the
relative ridge and the classifier that make the fewest errors in the table in the file
TRAIN, first in a wide grid, of more than 1000 rows in about 1000 of them, then around
its best, and further where that is at an edge. It prints the errors of all that it
tried, and with -o fits the best to all rows and writes the model, which keeps
the record of the search. Without --classifier the grid has the default one of below, and
centroid, gaussian, gaussian-per-class and knn are tried at its best.

Of candidates with equally many errors the one with the fewest around it in the
grid is best, then the one with the largest ridge,
then the one with the smallest gamma. The result does not depend on the machine.
Ctrl-C stops a search.

With --model it searches, in one grid, the scaling and for svm gamma and C, for ridge
gamma and the relative ridge lambda, for lda the intensity of --shrink (0 is none), for
kpca gamma and the number of components. Of candidates with equally many errors the one
with the smallest C or number of components, or the largest ridge or intensity, is best,
then the one with the smallest gamma.

The errors of the best are optimistic, for it was chosen for them. For an honest
estimate tune in some rows (--rows) and score in others, or say --nested: then each
fold is classified by a search of its own in the other rows.`,
		Example: `  kfda tune iris.csv --label species -o iris.kfda
  kfda tune wine.csv --model svm -o wine.kfda
  kfda tune wine.csv --rows 0::2 -o wine.kfda && kfda score wine.kfda wine.csv --rows 1::2`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.table.target != "":
				return f.regress(cmd, s, args[0])
			case cmd.Flags().Changed("kernels"):
				return usage("--kernels is for --target; for classes tune searches the gamma of the kernel rbf")
			}
			return f.run(cmd, s, args[0])
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.output, "output", "o", "", "`file` to write the best model to")
	addMethods(cmd, &f.model)
	f.folds.add(cmd)
	flags.StringVar(&f.components, "components", "1,2,4,8,16,32", "`list` of the numbers of components that are tried (kpca)")
	flags.StringVar(&f.kernels, "kernels", "rbf,linear,laplacian", "`list` of the kernels that are tried (--target)")
	flags.StringVar(&f.scales, "scale", "none,standard,minmax", "`list` of the ways to scale the columns that are tried")
	flags.StringVar(&f.regularizer, "regularizer", "rkhs", "`name` of the regulariser: rkhs or ridge (kfda)")
	flags.IntVar(&f.refinements, "refinements", 1, "`number` of finer grids around the best (kfda)")
	flags.StringVar(&f.criterion, "criterion", "errors", "`name` of what is to be best: errors, balanced (the mean of the classes' shares of right rows, with equal --priors), log-loss or auc")
	flags.BoolVar(&f.balanced, "balanced", false, "the same as --criterion balanced")
	cmd.MarkFlagsMutuallyExclusive("criterion", "balanced")
	flags.BoolVar(&f.nested, "nested", false, "estimate besides, by a search in the rest for each fold, how well the search does")
	f.classifier.add(cmd)
	flags.Lookup("C").Usage = "`price` of a violated margin of --classifier svm; --model svm searches it"
	cmd.SetFlagErrorFunc(explainSearched)
	flags.BoolVar(&f.json, "json", false, "print the search as one JSON object")
	f.table.addTraining(cmd)
	f.holdout.add(cmd)
	f.table.weights.add(cmd)
	return cmd
}

// explainSearched says of flags that fit has why tune has none.
func explainSearched(_ *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	switch name := unknown.GetSpecifiedName(); name {
	case "gamma", "sigma", "ridge", "relative-ridge", "shrink":
		return fmt.Errorf("%w: tune searches it, or what stands for it; 'kfda fit' and 'kfda cv' take --%s", err, name)
	case "kernel", "degree", "coef0":
		return fmt.Errorf("%w: tune searches the gamma of the kernel rbf; 'kfda fit' and 'kfda cv' take --%s", err, name)
	}
	return err
}

// search checks the flags that all models have and returns the search, all but the method
// and the folds.
func (f *tuneFlags) search() (cv.Search, error) {
	var q cv.Search
	for _, name := range strings.Split(f.scales, ",") {
		scaling, ok := scalingNamed(strings.TrimSpace(name))
		if !ok || scaling == discriminant.AutoScaling {
			return q, usage("--scale %q: want none, standard, minmax, or a list of them", f.scales)
		}
		q.Scalings = append(q.Scalings, scaling)
	}
	if f.refinements < 0 {
		return q, usage("--refinements %d: want 0 or more", f.refinements)
	}
	if q.Refinements = f.refinements; q.Refinements == 0 {
		q.Refinements = -1
	}
	by := slices.IndexFunc(criteria, func(name string) bool { return name == f.criterion })
	if by < 0 {
		return q, usage("--criterion %q: want one of %s", f.criterion, strings.Join(criteria, ", "))
	}
	if q.Criterion = cv.Criterion(by); f.balanced {
		q.Criterion = cv.ByBalancedAccuracy
	}
	return q, f.folds.check()
}

// criteria are the names of the criteria, in the order of their values.
var criteria = []string{"errors", "balanced", "log-loss", "auc"}

func (f *tuneFlags) run(cmd *cobra.Command, s streams, train string) error {
	search, err := f.search()
	if err != nil {
		return err
	}
	if err := f.setMethod(&search, cmd); err != nil {
		return err
	}
	opt, err := f.table.options(s)
	if err != nil {
		return err
	}
	if err := f.checkOutput(train); err != nil {
		return err
	}
	opt.IDs = f.folds.column()
	start := time.Now()
	t, err := f.table.read(s, train, opt)
	if err != nil {
		return err
	}
	t, held, err := f.hold(cmd, t, search.Method)
	if err != nil {
		return err
	}
	classes := discriminant.Classes(t.Labels)
	if err := f.settle(&search, t, classes); err != nil {
		return err
	}
	plan, err := f.plan(t, search.Method, len(classes))
	if err != nil {
		return err
	}
	weights, err := f.table.weights.of(t)
	if err != nil {
		return err
	}
	if search.Folds, err = f.folds.orDefault(t, cmd.Flags().Changed("folds")); err != nil {
		return explainFolds(t, err)
	}
	if f.nested {
		if err := f.checkNested(search.Folds, t); err != nil {
			return err
		}
	}
	noticeRepeats(s.err, t)
	f.classifier.announceNeighbors(s.err, fewestTrained(search.Folds))
	search.Progress = progressTo(s.err, plan, search.Folds)
	defer debug.SetGCPercent(debug.SetGCPercent(20)) // matrices without pointers come and go
	tuned, err := untilInterrupt(cmd.Context(), func(ctx context.Context) (*cv.Tuned[string], error) {
		return cv.Tune(ctx, search, t.X, t.Labels, weights...)
	})
	switch {
	case errors.Is(err, context.Canceled): // the search may still be trying
		return err
	case err != nil:
		return f.explain(t, search, err)
	}
	m, err := withLayout(tuned.Model, t.Layout)
	if err != nil {
		return err
	}
	tested, m, err := f.holdout.classes(m, held)
	if err != nil {
		return err
	}
	r := f.report(tuned, t, m, search)
	r.HeldOut = tested
	r.Group = f.groupAdvice(s, train, opt, len(t.Labels))
	var without error // an estimate: the search and its model stand
	if f.nested {
		r.Nested, without = f.estimate(cmd.Context(), s, search, t, weights)
	}
	r.Seconds = map[string]float64{"all": time.Since(start).Seconds()}
	return cmp.Or(f.keep(cmd.Context(), s, m, r), without)
}

// settle sets what the table says of the method.
func (f *tuneFlags) settle(q *cv.Search, t *table.Table, classes []string) (err error) {
	if q.Method, err = f.classifier.forClasses(q.Method, classes); err != nil {
		return err
	}
	if err := f.checkCriterion(q.Criterion, q.Method, len(classes)); err != nil {
		return err
	}
	q.Method, err = prepared(q.Method, t)
	return err
}

// keep prints the report, and saves the model where that is asked for.
func (f *tuneFlags) keep(ctx context.Context, s streams, m encoding.BinaryMarshaler, r report) error {
	tell := func() error { return writeReport(s.out, f.json, r) }
	if f.output == "" {
		return tell()
	}
	return saveModel(ctx, s, f.output, m, tell)
}

// checkOutput refuses a file for the model that can't be written, or that is the table.
func (f *tuneFlags) checkOutput(train string) error {
	switch f.output {
	case "":
		return nil
	case "-":
		return usage("-o -: the search is printed to the standard output; want the name of a file")
	}
	return checkOutput(f.output, train)
}

// checkNested refuses folds without which no search is possible.
func (f *tuneFlags) checkNested(outer *cv.Folds, t *table.Table) error {
	if f.folds.column() != "" {
		if outer.Len() < 3 {
			return usage("--nested in %s: want three at least, for a search needs two in the rest of one", plural.Count(outer.Len(), "fold"))
		}
		return nil
	}
	for k := range outer.Len() {
		rows := map[string]int{}
		for _, i := range outer.Train(k) {
			rows[t.Labels[i]]++
		}
		for _, class := range discriminant.Classes(t.Labels) {
			if n := rows[class]; n < 2 {
				return usage("--nested: without fold %d the class %s has %s, and a search needs two: leave that class out, or take more --folds", k, show.Text(class), plural.Count(n, "row"))
			}
		}
	}
	return nil
}

// plan returns what a search needs, and refuses one that there is no memory for, or that could
// not end.
func (f *tuneFlags) plan(t *table.Table, base method, classes int) (discriminant.Plan, error) {
	plan, atOnce := base.Plan(t.X.Rows, t.X.Cols, classes), 1
	if f.model == "kfda" {
		half := 4 * float64(t.X.Rows) * float64(t.X.Rows)
		plan.Bytes += half // kernel values of test rows, and garbage
		if t.X.Cols > 64 {
			plan.Bytes += half // distances
		}
		atOnce = 7 * 6 // the γ and ridges of a scaling
	} else {
		plan.Bytes = float64(2 * plan.Bytes) // as in cv
	}
	if err := checkMemory(t.File, t.X.Rows, plan, 0, ""); err != nil {
		return plan, err
	}
	return plan, f.folds.checkCost(t.X.Rows, atOnce, plan.Flops)
}

// estimate returns how well the search does in folds around it.
func (f *tuneFlags) estimate(ctx context.Context, s streams, search cv.Search, t *table.Table, weights []float64) (*cvReport, error) {
	outer, start := search.Folds, time.Now()
	if f.folds.column() == "" {
		search.Folds, search.Seed = nil, f.folds.seed // of the rows of each search
	}
	notice(s.err, "--nested: %d searches more", outer.Len())
	search.Progress = progressTo(s.err, discriminant.Plan{}, nil)
	e, err := untilInterrupt(ctx, func(ctx context.Context) (*cv.NestedEvaluation[string], error) {
		return cv.Nested(ctx, search, t.X, t.Labels, outer, weights...)
	})
	switch {
	case err != nil:
		return nil, explainFit(t, search.Method, err)
	case len(e.Failures) > 0:
		return nil, fmt.Errorf("%s: --nested: the search has no result without %s: %w", t.File, f.folds.name(t, e.Failures[0].Fold), e.Failures[0].Err)
	}
	r := newCVReport(&e.Evaluation, t)
	r.Seconds = map[string]float64{"all": time.Since(start).Seconds()}
	return r, nil
}

// report returns what is printed of a search, with the reasons of failures in the words of
// the command.
func (f *tuneFlags) report(tuned *cv.Tuned[string], t *table.Table, m *model, search cv.Search) *tuneReport {
	record := tuned.Record
	for i, c := range record.Candidates {
		if c.Err() != nil {
			record.Candidates[i].Reason = f.folds.explain(t, search.Candidate(c), c.Err()).Error()
		}
	}
	return &tuneReport{
		Search: record, Accuracy: record.Candidates[record.Best].Accuracy(),
		fitReport: newFitReport(t, f.output, m, nil),
	}
}

// groupAdvice says, for the line on the estimate, that rows that belong together need
// --group, and names the first of the ignored columns that may say which they are: one with
// some values, each in two rows on average or more, and no empty cell.
func (f *tuneFlags) groupAdvice(s streams, train string, opt table.Options, rows int) string {
	if f.folds.column() != "" {
		return ""
	}
	name := "COLUMN"
	opt.Notice = func(string) {}
	for _, column := range strings.Split(strings.Join(f.table.ignore, ","), ",") {
		if opt.IDs = column; column == "" || train == "-" {
			continue
		}
		t, err := f.table.read(s, train, opt)
		if err != nil || len(t.IDs) != 1 {
			continue
		}
		if n := len(discriminant.Classes(t.IDs[0])); n >= 5 && 2*n <= rows && !slices.Contains(t.IDs[0], "") {
			name = column
			break
		}
	}
	return "; rows that belong together (one patient's) need --group " + name
}

// explain explains an error of a search in t.
func (f *tuneFlags) explain(t *table.Table, search cv.Search, err error) error {
	m := search.Method
	var (
		none  *cv.NoCandidateError
		best  *cv.BestFitError
		ridge *discriminant.RidgeError
		value *matrix.NotFiniteError
	)
	switch {
	case errors.As(err, &none) && errors.As(none.First, &ridge):
		reason := strings.Replace(ridge.Reason, "give an absolute one", "fit with an absolute one, --ridge", 1)
		return fmt.Errorf("%s: none of the %s has a result; the first, with %v of 'kfda fit': %s", t.File, plural.Count(none.Candidates, "candidate"), regularizerFlag(ridge.Regularizer), reason)
	case errors.As(err, &none):
		return fmt.Errorf("%s: none of the %s has a result; of the first: %w", t.File, plural.Count(none.Candidates, "candidate"), f.folds.explain(t, m, none.First))
	case errors.As(err, &best):
		return fmt.Errorf("%s: the best candidate, %v, can't be fitted to all rows: %w", t.File, best.Candidate, explainProblem(t, search.Candidate(best.Candidate), best.Err))
	case errors.As(err, &value):
		return explainNew(t, err)
	}
	return explainFit(t, m, err)
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

// searchPatience is how often a search that was not thought to be long says where it is.
var searchPatience = 5 * time.Second

// progressTo returns a callback that writes what a stage of a long search will do, and how
// far it is, and of any other that takes its time where it is. The plan is that of a fit; where
// there are no folds the searches are many.
func progressTo(w io.Writer, plan discriminant.Plan, folds *cv.Folds) func(stage string, done, total int) {
	show, last := tenths(w), time.Now()
	return func(stage string, done, total int) {
		if done == 0 {
			debug.FreeOSMemory() // the matrices of a stage have other sizes than those before
		}
		long := folds != nil && float64(total)*plan.Flops >= 20*longFit
		switch {
		case total <= 1:
		case long:
			if done == 0 {
				notice(w, "%s: %s in %s of %s are %d fits, with about %s of memory; Ctrl-C stops them", stage,
					plural.Count(total/folds.Len(), "candidate"), plural.Count(folds.Len(), "fold"), plural.Count(folds.Rows(), "row"), total, bytesText(plan.Bytes))
			}
			show(stage, done, total)
		case time.Since(last) >= searchPatience:
			last = time.Now()
			notice(w, "%s: %d of %d fits", stage, done, total)
		}
	}
}

// tenths returns a callback that writes a line for each tenth of a stage.
func tenths(w io.Writer) func(stage string, done, total int) {
	const step = 10
	tenth := 0
	return func(stage string, done, total int) {
		if done == 0 {
			tenth = 0
		}
		if now := step * done / total; now > tenth {
			tenth = now
			notice(w, "%s: %d of %d fits", stage, done, total)
		}
	}
}
