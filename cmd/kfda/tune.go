package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

type tuneFlags struct {
	table         tableFlags
	model         string
	components    string
	holdout       holdoutFlags
	kernels       string
	kernelWeights string
	classifier    classifierFlags
	folds         foldFlags
	regularizer   string
	scales        string
	refinements   int
	criterion     string
	balanced      bool
	nested        bool
	output        string
	json          bool
}

func newTune(s streams) *cobra.Command {
	f := &tuneFlags{}
	cmd := &cobra.Command{
		Use:   "tune TRAIN [--label COLUMN] [-o MODEL] [flags]",
		Short: "Search the scaling, gamma and the ridge, and fit the best",
		Long: `tune searches by cross-validation for the scaling, the gamma of the kernel rbf, the
relative ridge and the classifier that make the fewest errors in the table in the file
TRAIN, first in a wide grid, then around its best, and further where that is at an edge.
Of 450 rows and more it begins in parts of them, and the kernels that are best in a part go
on to a larger one. It prints the errors of all that it
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
then the one with the smallest gamma. --kernels tries several kernels.

The errors of the best are optimistic, for it was chosen for them, and with --kernel-weights
far too optimistic, for the weights saw the rows that it was tested in. For an honest
estimate tune in some rows (--rows) and score in others, or say --nested: then each
fold is classified by a search of its own in the other rows.

--model all searches kfda, svm, ridge and lda, with --components kpca too, and estimates
each by --nested in the same folds: folds + 1 searches a model. It says which can't be
told from the one with the fewest wrong rows, or the best --criterion, of equal ones the
first, and with -o writes that. A flag goes to the models that take it.`,
		Example: `  kfda tune iris.csv --label species -o iris.kfda
  kfda tune wine.csv --model svm --kernels rbf,linear -o wine.kfda
  kfda tune wine.csv --model all -o wine.kfda
  kfda tune wine.csv --rows 0::2 -o wine.kfda && kfda score wine.kfda wine.csv --rows 1::2`,
		Args: f.oneTable,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.table.target != "":
				return f.regress(cmd, s, args[0])
			case f.model == "all":
				return f.compare(cmd, s, args[0])
			}
			return f.run(cmd, s, args[0])
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.output, "output", "o", "", "`file` to write the best model to")
	addMethods(cmd, &f.model)
	flags.Lookup("model").Usage = "`name` of the kind of model: " + strings.Join(searchNames(), ", ")
	f.folds.add(cmd)
	flags.StringVar(&f.components, "components", "1,2,4,8,16,32", "`list` of the numbers of components that are tried (kpca)")
	flags.StringVar(&f.kernels, "kernels", "", "`list` of the kernels that are tried, such as rbf,linear,laplacian, which are those of --target (default rbf)")
	flags.StringVar(&f.kernelWeights, "kernel-weights", "", "search one kernel, the sum of a kernel of each column, or of all --kernels and gammas, with the weights that separate the classes best at this relative `ridge`, as in --kernel-weights=3 (default 10, with --kernels 1)")
	flags.Lookup("kernel-weights").NoOptDefVal = byDefault
	flags.StringVar(&f.scales, "scale", "none,standard,minmax", "`list` of the ways to scale the columns that are tried")
	flags.StringVar(&f.regularizer, "regularizer", "rkhs", "`name` of the regulariser: rkhs or ridge (kfda)")
	flags.IntVar(&f.refinements, "refinements", 1, "`number` of finer grids around the best (kfda)")
	flags.StringVar(&f.criterion, "criterion", "errors", "`name` of what is to be best: errors, balanced (the mean of the classes' shares of right rows, with equal --priors), log-loss or auc")
	flags.BoolVar(&f.balanced, "balanced", false, "the same as --criterion balanced")
	cmd.MarkFlagsMutuallyExclusive("criterion", "balanced")
	flags.BoolVar(&f.nested, "nested", false, "estimate besides, by a search in the rest for each fold, how well the search does")
	f.classifier.add(cmd)
	flags.Lookup("C").Usage = "`price` of a violated margin of --classifier svm; --model svm searches it"
	flags.BoolVar(&f.json, "json", false, "print the search as one JSON object")
	f.table.addTraining(cmd)
	f.holdout.add(cmd)
	f.table.weights.add(cmd)
	return cmd
}

// foreignFlags are flags of other commands, and what to say of each, FLAG, where a command has none.
var foreignFlags = []struct{ command, flags, text string }{
	{"tune", "gamma sigma ridge relative-ridge shrink", "tune searches it, or what stands for it; 'kfda fit' and 'kfda cv' take --FLAG"},
	{"tune", "kernel degree coef0", "tune searches the gamma of the kernel rbf, or of those of --kernels; 'kfda fit' and 'kfda cv' take --FLAG"},
	{"tune", "landmarks checkpoint solver", "tune fits by kernel matrices alone; 'kfda fit' takes --FLAG and chooses the ridge itself, with the --gamma that tune finds in some rows, as with --rows ::10"},
	{"cv", "landmarks checkpoint solver", "cv fits by kernel matrices alone; 'kfda fit' takes --FLAG: fit some rows, as with --rows 0::2, and then 'kfda score MODEL FILE --rows 1::2'"},
	{"fit", "folds repeats each-row group fold-column", "a fit has no folds; 'kfda cv' and 'kfda tune' take --FLAG, and --ignore leaves a column out of a fit"},
	{"merge", "landmarks seed label target missing", settled("merge")},
}

// explainFlags says why a command does not have a flag of another one.
func explainFlags(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if wrong := (*pflag.InvalidValueError)(nil); errors.As(err, &wrong) {
		want := map[string]string{"uint64": "a whole number from 0", "int": "a whole number", "float64": "a number", "bool": "true or false"}[wrong.GetFlag().Value.Type()]
		if want != "" {
			return fmt.Errorf("--%s %s: want %s", wrong.GetFlag().Name, wrong.GetValue(), want)
		}
	}
	if !errors.As(err, &unknown) {
		return err
	}
	name := unknown.GetSpecifiedName()
	for _, f := range foreignFlags {
		if f.command == cmd.Name() && slices.Contains(strings.Fields(f.flags), name) {
			return fmt.Errorf("%w: %s", err, strings.ReplaceAll(f.text, "FLAG", name))
		}
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

// tuneTable is a table that is searched, and how it is divided.
type tuneTable struct {
	*table.Table
	held    *table.Table // out, or nil
	weights []float64
	folds   *cv.Folds
	grouped bool // rows of a group belong together
	start   time.Time
	opt     table.Options
}

// read reads the table, and holds rows out of a search with that method.
func (f *tuneFlags) read(cmd *cobra.Command, s streams, train string, m method) (*tuneTable, error) {
	d := &tuneTable{start: time.Now()}
	err := f.holdout.check(cmd, m)
	if err != nil {
		return nil, err
	}
	if d.opt, err = f.table.options(s); err != nil {
		return nil, err
	}
	if err := f.checkOutput(train); err != nil {
		return nil, err
	}
	d.opt.IDs = f.folds.column()
	t, err := f.table.read(s, train, d.opt)
	if err != nil {
		return nil, err
	}
	f.holdout.seed = f.folds.seed
	d.Table, d.held, err = f.holdout.split(t)
	return d, err
}

// divide sets the weights of the rows and the folds.
func (f *tuneFlags) divide(cmd *cobra.Command, d *tuneTable) (err error) {
	if d.weights, err = f.table.weights.of(d.Table); err != nil {
		return err
	}
	labelled := d.Table
	if d.Targets != nil {
		labelled = oneClass(labelled)
	}
	if d.folds, err = f.folds.orDefault(labelled, cmd.Flags().Changed("folds")); err != nil {
		var rare *cv.RareClassError
		if errors.As(err, &rare) {
			if say := f.holdout.advice(d.held, rare.Class, rare.Rows); say != "" {
				return fmt.Errorf("%s: class %s has %s left for %s%s", d.File, show.Name(rare.Class), plural.Count(rare.Rows, "row"), plural.Count(max(rare.Folds, 2), "fold"), say)
			}
		}
		return explain.Folds(d.Table, err)
	}
	if f.nested {
		return f.checkNested(d.folds, labelled, d.held)
	}
	return nil
}

func (f *tuneFlags) run(cmd *cobra.Command, s streams, train string) error {
	k, err := f.task(cmd)
	if err != nil {
		return err
	}
	d, err := f.read(cmd, s, train, k.search.Method)
	if err != nil {
		return err
	}
	if err := k.settle(d.Table); err != nil {
		return err
	}
	if err := f.divide(cmd, d); err != nil {
		return err
	}
	noticeRepeats(s.err, d.Table)
	defer collectOften(k.plan)()
	tuned, err := k.tune(cmd.Context(), s, d)
	if err != nil {
		return err
	}
	r, m, err := k.fitted(d, tuned)
	if err != nil {
		return err
	}
	r.Group = f.groupAdvice(s, train, d.opt, len(d.Labels))
	var without error // an estimate: the search and its model stand
	if f.nested {
		notice(s.err, "--nested: %d searches more", d.folds.Len())
		start := time.Now()
		e, err := k.estimate(cmd.Context(), s, d)
		if without = err; err == nil {
			r.Nested = newCVReport(&e.Evaluation, d.Table)
			r.Nested.Seconds = map[string]float64{"all": time.Since(start).Seconds()}
		}
	}
	r.Seconds = map[string]float64{"all": time.Since(d.start).Seconds()}
	return cmp.Or(f.keep(cmd.Context(), s, m, r), without)
}

// keep prints the report, and saves the model where that is asked for.
func (f *tuneFlags) keep(ctx context.Context, s streams, m io.WriterTo, r report) error {
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
func (f *tuneFlags) checkNested(outer *cv.Folds, t, held *table.Table) error {
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
			of := "the class " + show.Text(class) + " has"
			if t.Targets != nil {
				of = "there is"
			}
			if n := rows[class]; n < 2 {
				all := n + len(slices.DeleteFunc(outer.Test(k), func(i int) bool { return t.Labels[i] != class }))
				say := "; say --folds 3"
				if less := f.holdout.advice(held, class, all); less != "" && t.Targets == nil {
					say = less
				} else if all < 3 && t.Targets == nil {
					say = explain.WithoutClass(t, class)
				} else if all < 3 {
					say = ""
				}
				return fmt.Errorf("%s: without fold %d of the nested searches %s %s of %d, and a search needs two%s", t.File, k, of, plural.Count(n, "row"), all, say)
			}
		}
	}
	return nil
}

// planOf returns what a search needs, and refuses one that there is no memory for, or that could
// not end.
func (f *tuneFlags) planOf(t *table.Table, search cv.Search, classes int) (discriminant.Plan, error) {
	plan, atOnce := search.Method.Plan(t.X.Rows, t.X.Cols, classes), 1
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
	if search.KernelWeights != 0 {
		plan.Bytes += search.PlanKernelWeights(t.X.Rows, t.X.Cols, classes).Bytes
	}
	if err := checkMemory(t.File, t.X.Rows, plan, 0, ""); err != nil {
		return plan, err
	}
	return plan, f.folds.checkCost(t.X.Rows, atOnce, plan.Flops)
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
		wrong *discriminant.ParameterError

		domain *gram.DomainError
	)
	switch {
	case search.KernelWeights != 0 && errors.As(err, &wrong) && wrong.Field == "Kernels":
		return fmt.Errorf("%s: --kernel-weights: of the kernels %s: see that columns do that are neither label nor left out (--ignore)", t.File, wrong.Reason)
	case search.KernelWeights != 0 && errors.As(err, &domain):
		remedy := "leave " + domain.Kernel + " out of --kernels"
		if slices.Min(t.X.Data) >= 0 {
			remedy = "say --scale none"
		}
		return fmt.Errorf("%w, or %s", explain.Fit(t, m, err), remedy)
	case errors.As(err, &none) && errors.As(none.First, &ridge):
		reason := strings.Replace(ridge.Reason, "give an absolute one", "fit with an absolute one, --ridge", 1)
		return fmt.Errorf("%s: none of the %s has a result; the first, with %v of 'kfda fit': %s", t.File, plural.Count(none.Candidates, "candidate"), explain.Regularizer(ridge.Regularizer), reason)
	case errors.As(err, &none):
		return fmt.Errorf("%s: none of the %s has a result; of the first: %w", t.File, plural.Count(none.Candidates, "candidate"), explain.InFold(t, m, none.First, f.folds.names(t)))
	case errors.As(err, &best):
		return fmt.Errorf("%s: the best candidate, %v, can't be fitted to all rows: %w", t.File, best.Candidate, explain.Problem(t, search.Candidate(best.Candidate), best.Err))
	case errors.As(err, &value):
		return explain.New(t, err)
	}
	return explain.Fit(t, m, err)
}
