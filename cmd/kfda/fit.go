package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
)

// fitFlags are the settings of a fit.
type fitFlags struct {
	table         tableFlags
	model         string
	kernel        kernelFlags
	regularizer   string
	ridge         float64
	relativeRidge float64
	shrink        float64
	scatter       string
	components    int
	share         float64
	scale         string
	classifier    classifierFlags
	leaveOneOut   bool
	solver        string
	maxMemory     string
	output        string
	json          bool
	holdout       holdoutFlags
	landmarks     landmarkFlags
	sample        int // rows of the table that are kept, 0 for all
	verbose       bool
}

func newFit(s streams) *cobra.Command {
	f := &fitFlags{}
	cmd := &cobra.Command{
		Use:   "fit TRAIN [--label COLUMN] -o MODEL [flags]",
		Short: "Fit a model to a table",
		Long: `fit reads the table in the file TRAIN ("-" is the standard input), fits a kernel
Fisher discriminant or what --model says, and writes the model to the file MODEL.
If anything goes wrong MODEL is left as it was. Ctrl-C stops a fit.

The ridge that keeps the problem solvable penalises the norm in the kernel's feature
space (--regularizer rkhs, the default of kfda) or is added to the within-class scatter
(ridge, which needs four times the time). --relative-ridge gives it relative to the mean
eigenvalue of the centred kernel matrix (rkhs) or of the scatter (ridge), --ridge as it
is; without them the fit takes, of relative ridges from 0.001 to 100, the one that
predicts rows best that are left out. With shrink the scatter N becomes (1-S) N + S
times its mean eigenvalue, S from --shrink. An lda has no ridge unless one of these
flags is given, and can take S from the data: --regularizer ledoit-wolf. The ridge of
--model ridge is added to the kernel matrix, and is relative to the mean eigenvalue of
that, centred; kpca has none, and neither has svm, whose margin --C governs.

With --landmarks M that many rows stand for all in the kernel: the fit needs memory for
numbers by M² and not n², and reads TRAIN twice, in parts. First it draws the landmarks
from a sample of 10000 rows, or of 4 M where these are more, by which it also scales
columns and fills in missing cells (--scale auto decides by 2000 of them). Then all rows
are taken in; the ridge is the one of the least squared errors in 5 folds of them. The
model is a kfda, a ridge or a kpca, or an lda with --landmarks 0, for it has no kernel;
the classifier is gaussian or centroid. For a table in parts see 'kfda landmarks --help'.

A fit of n rows holds 8 n² bytes, twice that for --scatter averaged; an lda of d columns
the lesser of 8 n² and 8 d² and some copies of the table; all components (--share 1) of
a kpca six times 8 n²; an svm at most 200 MiB of kernel values. One that needs more
memory than the machine has is refused before it starts. A kfda can do without that:
--solver conjugate holds 500 to 3000 n numbers and makes kernel values as it goes, by
conjugate gradients, until eigenvalues are known to 1e-4; the leave-one-out projections
are then estimated. --solver auto does so where 8 n² do not fit the memory, or a fit by
them takes more than 2e12 operations and conjugate gradients take fewer.

With --kernel precomputed the table holds, besides the label, one column for
each of its rows: the kernel values with that row, in the order of the rows.
--rows and --missing drop leave out rows and no columns; leave out theirs with
--ignore. Differences of the matrix to its transpose that rounding makes are
averaged, larger ones with --symmetrize alone. A table to predict or score has the same columns.`,
		Example: `  kfda fit iris.csv --label species -o iris.kfda
  kfda fit titanic.csv --label Survived --ignore PassengerId,Name,Ticket,Cabin --missing median -o titanic.kfda
  kfda fit fish.csv --target Weight -o weight.kfda
  kfda fit wine.csv --rows 0::2 --kernel poly --degree 2 --ridge 0.1 -o wine.kfda
  kfda fit iris.csv --model lda -o iris.kfda
  kfda fit wine.csv --model svm --C 10 -o wine.kfda
  kfda fit flights.csv --label late --landmarks 2000 --checkpoint flights.part -o flights.kfda
  kfda fit wine.csv --model kpca --components 5 --classifier knn -o wine.kfda
  kfda fit sick.csv --priors healthy=0.99,sick=0.01 -o sick.kfda`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case cmd.Flags().Changed(landmarksFlag):
				return f.fitStream(cmd, s, args[0])
			case f.landmarks.checkpoint != "":
				return usage("--checkpoint is for --landmarks")
			case f.table.target != "":
				return f.regress(cmd, s, args[0])
			}
			return f.run(cmd, s, args[0])
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.output, "output", "o", "", "`file` to write the model to; \"-\" is the standard output")
	f.table.addTraining(cmd)
	f.landmarks.add(cmd, ". TRAIN is read twice, in parts, and may be larger than memory")
	flags.StringVar(&f.landmarks.checkpoint, "checkpoint", "", "`file` in which a fit with --landmarks keeps what is done, once a minute: the same command goes on from there after a crash, to the same model; a fit that ends well removes it")
	f.holdout.add(cmd)
	f.table.weights.add(cmd)
	f.addSettings(cmd)
	flags.StringVar(&f.solver, "solver", "auto", "`way` of the fit: direct (by the kernel matrix), conjugate (by conjugate gradients, without it: kfda, rows without weights) or auto")
	flags.StringVar(&f.maxMemory, "max-memory", "", "`amount` of memory that the fit may need, such as 8GB (default what the machine has, where that is known)")
	flags.BoolVar(&f.json, "json", false, "print the report as one JSON object")
	flags.BoolVar(&f.verbose, "verbose", false, "print the numerics too: eigenvalues, bounds of errors, solver, times")
	cmd.MarkFlagRequired("output")
	return cmd
}

// addSettings adds the flags that method reads.
func (f *fitFlags) addSettings(cmd *cobra.Command) {
	flags := cmd.Flags()
	addMethods(cmd, &f.model)
	f.kernel.add(cmd)
	namesFlag(cmd, &f.regularizer, "regularizer", "", "`name` of the regulariser: %s (default rkhs, but ridge for --kernel sigmoid, --scatter averaged and other models)",
		"rkhs (kfda)", "ridge", "shrink", "ledoit-wolf (lda)")
	flags.Float64Var(&f.ridge, "ridge", 0, "ridge `epsilon`, above 0")
	flags.Float64Var(&f.relativeRidge, "relative-ridge", 0, "ridge as a `share` of the mean eigenvalue of the kernel matrix or the scatter, above 0 (default the one that predicts rows best that are left out)")
	flags.Float64Var(&f.shrink, "shrink", 0, "`intensity` of --regularizer shrink, at most 1 and above 0, but 0 too for lda")
	namesFlag(cmd, &f.scatter, "scatter", "sum", "`how` classes enter the scatter: %s", "sum (each row counts alike)", "averaged (each class counts alike)")
	flags.IntVar(&f.components, "components", 0, "`number` of discriminant directions or principal components (default all, classes - 1, or for kpca by --share)")
	flags.Float64Var(&f.share, "share", 0.95, "`share` of the variance that the components explain (kpca): the fewest that do, by default 100 at most; 1 for all")
	namesFlag(cmd, &f.scale, "scale", "", "`how` to scale the columns: %s (default auto, standard for other models, none for chi2 and precomputed)",
		"none", "standard (mean 0, deviation 1)", "minmax (0 to 1)", "auto (none or standard, whichever predicts rows better that are left out: kfda, ridge)")
	f.classifier.add(cmd)
	flags.BoolVar(&f.leaveOneOut, "leave-one-out", true, "fit the classifier to the projections that rows have where they are left out (--regularizer rkhs)")
	cmd.MarkFlagsMutuallyExclusive("ridge", "relative-ridge", "shrink")
}

// regularizerOf checks the flags of the regulariser, whose name is that of byDefault
// unless one is given.
func (f *fitFlags) regularizerOf(given func(string) bool, byDefault string) (discriminant.Regularizer, error) {
	if !given("regularizer") {
		f.regularizer = byDefault
		if given("shrink") {
			f.regularizer = "shrink"
		}
	}
	none := discriminant.Regularizer{}
	for _, v := range []struct {
		flag  string
		value float64
	}{{"ridge", f.ridge}, {"relative-ridge", f.relativeRidge}, {"shrink", f.shrink}} {
		if !given(v.flag) {
			continue
		}
		if (v.flag == "shrink") != (f.regularizer == "shrink") || f.regularizer == "ledoit-wolf" {
			return none, usage("--%s does not apply to --regularizer %s", v.flag, f.regularizer)
		}
		if v.flag != "shrink" && !(v.value > 0) { // the method checks an intensity
			return none, usage("--%s %v: want a number above 0", v.flag, v.value)
		}
	}
	absolute, relative := discriminant.Ridge, discriminant.RelativeRidge
	chosen := discriminant.LeaveOneOutRidge()
	switch f.regularizer {
	case "shrink":
		if !given("shrink") {
			return none, usage("--regularizer shrink needs --shrink with the intensity")
		}
		return discriminant.Shrink(f.shrink), nil
	case "ledoit-wolf":
		return discriminant.LedoitWolf(), nil
	case "rkhs":
		absolute, relative, chosen = discriminant.RKHS, discriminant.RelativeRKHS, discriminant.LeaveOneOutRKHS()
	case "ridge":
	default:
		return none, usage("--regularizer %q: want rkhs, ridge, shrink or ledoit-wolf", f.regularizer)
	}
	switch {
	case given("ridge"):
		return absolute(f.ridge), nil
	case given("relative-ridge"):
		return relative(f.relativeRidge), nil
	}
	return chosen, nil
}

func (f *fitFlags) componentsOf(given func(string) bool) (int, error) {
	if given("components") && f.components < 1 {
		return 0, usage("--components %d: want 1 or more; leave it out for all", f.components)
	}
	return f.components, nil
}

// scalingOf checks --scale; kind has its default.
func (f *fitFlags) scalingOf(given func(string) bool, kind kernelKind) (discriminant.Scaling, error) {
	if !given("scale") {
		f.scale = kind.scale
	}
	if kind.name == "precomputed" && f.scale != "none" {
		return 0, usage("--scale %s does not apply to a precomputed kernel", f.scale)
	}
	scaling, ok := scalingNamed(f.scale)
	if !ok {
		return 0, usage("--scale %q: want none, standard, minmax or auto", f.scale)
	}
	return scaling, nil
}

func scalingNamed(name string) (scaling discriminant.Scaling, ok bool) {
	for scaling = discriminant.NoScaling; scaling <= discriminant.AutoScaling; scaling++ {
		if scaling.String() == name {
			return scaling, true
		}
	}
	return 0, false
}

func (f *fitFlags) run(cmd *cobra.Command, s streams, train string) error {
	method, err := f.method(cmd)
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
	defer debug.SetGCPercent(debug.SetGCPercent(20)) // matrices have no pointers: collecting often costs little

	classes := discriminant.Classes(t.Labels)
	if method, err = f.classifier.forClasses(method, classes); err != nil {
		return err
	}
	if method, err = prepared(method, t); err != nil {
		return err
	}
	weights, err := f.table.weights.of(t)
	if err != nil {
		return err
	}
	method, plan, err := f.solved(s, t, method, len(classes), weights, limit)
	if err != nil {
		return err
	}
	noticeRepeats(s.err, t)
	f.classifier.announceNeighbors(s.err, t.X.Rows)

	start = time.Now()
	m, err := untilInterrupt(cmd.Context(), func(ctx context.Context) (*model, error) {
		defer explainWait(s.err, method)()
		announceFit(s, t, plan)
		return discriminant.Fit(ctx, method, t.X, t.Labels, weights...)
	})
	if err != nil {
		return explain.Fit(t, method, err)
	}
	fitted := time.Since(start)

	if m, err = withLayout(m, t.Layout); err != nil {
		return err
	}
	if m, err = f.table.weights.note(m, t, weights); err != nil {
		return err
	}
	tested, m, err := f.holdout.classes(m, held)
	if err != nil {
		return err
	}
	if certificateOf(m).CutsCluster {
		notice(s.err, "the directions left out have the same eigenvalue as the last one kept, so the data do not determine which are kept; choose another number of --components")
	}
	r := newFitReport(t, f.output, m, method)
	r.Plan, r.HeldOut = newPlanReport(plan), tested
	b := always(commonest(classes, classSums(classes, t.Labels, t.Weights)), t.Labels, t.Weights)
	r.baseline = fmt.Sprintf("always %s is wrong in %s of %sthese rows", show.Name(b.Class), percentText(1-b.Accuracy), weightOf(t.Weights != nil))
	r.verbose, r.next = f.verbose, nextAfterFit(cmd, train, f.output, mostFolds(m))
	r.Seconds = map[string]float64{"read": read.Seconds(), "fit": fitted.Seconds()}
	told := io.Writer(s.out)
	if f.output == "-" {
		told = s.err
	}
	return saveModel(cmd.Context(), s, f.output, m, func() error { return writeReport(told, f.json, r) })
}

// limit is that of --max-memory, 0 for none. It checks --solver, too.
func (f *fitFlags) limit() (bytes float64, err error) {
	if !slices.Contains([]string{"", "auto", "direct", "conjugate"}, f.solver) {
		return 0, usage("--solver %q: want auto, direct or conjugate", f.solver)
	}
	if f.maxMemory != "" {
		if bytes, err = parseBytes(f.maxMemory); err != nil {
			return 0, usage("--max-memory %v", err)
		}
	}
	return bytes, nil
}

// checkPlan returns what a fit needs, and refuses one that the memory does not suffice for.
func checkPlan(t *table.Table, m method, classes int, limit float64) (discriminant.Plan, error) {
	plan := planOf(t, m, classes)
	return plan, checkMemory(t.File, t.X.Rows, plan, limit, ", or try it anyway with a --max-memory above that")
}

// planOf returns what a fit needs, with what reading took.
func planOf(t *table.Table, m method, classes int) discriminant.Plan {
	plan := m.Plan(t.X.Rows, t.X.Cols, classes)
	plan.Bytes = max(plan.Bytes+formatsBytes, peakMemory())
	return plan
}

// announceFit says what a long fit needs. It is called where an interrupt is waited for.
func announceFit(s streams, t *table.Table, plan discriminant.Plan) {
	if plan.Flops > longFit {
		notice(s.err, "the fit of %d rows needs %s of memory and %.1g floating-point operations; Ctrl-C stops it",
			t.X.Rows, bytesText(plan.Bytes), plan.Flops)
		s.line.estimate("fit", plan.Flops)
	}
}

// read checks the flags of the files and reads the table, in the memory of the limit or, if
// that is 0, of the machine.
func (f *fitFlags) read(s streams, train string, limit float64) (*table.Table, error) {
	opt, err := f.table.options(s)
	if err != nil {
		return nil, err
	}
	if limit > 0 {
		opt.MaxBytes = int(min(max(limit, 1), table.MaxBytes))
	}
	opt.Sample = f.sample
	if err := checkOutput(f.output, train); err != nil {
		return nil, err
	}
	if f.output == "-" && f.json {
		return nil, usage("--json and -o - would both write to the standard output")
	}
	t, err := f.table.read(s, train, opt)
	if large := (*table.Error)(nil); errors.As(err, &large) && large.Kind == table.Memory {
		if f.sample == 0 && f.model != "svm" {
			err = fmt.Errorf("%w, or read it in parts, with --landmarks %d", err, landmarksFor(f.model))
		}
		if large.Want < table.MaxBytes {
			err = fmt.Errorf("%w, or allow more with --max-memory", err)
		}
	}
	if err != nil {
		return nil, err
	}
	f.kernel.symmetrizes(t.X)
	return t, nil
}

// longFit is the number of floating-point operations, a second's worth and more,
// above which a fit is announced.
var longFit = 1e11
