package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/inference"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

type testFlags struct {
	fit            fitFlags // its table, kernel, ridges, scaling and memory
	gammas         gammaList
	permutations   int
	seed           uint64
	strata, groups string
	truncations    int
	accuracy, json bool

	fixed inference.Settings        // of a model, where it has a kernel
	given *matrix.Dense             // landmarks of it, or nil
	p     *discriminant.Preparation // of the columns of the table, nil for as they are
}

// testShare is the default γ of the test, for kernels with k(x, x) = 1 and else relative to the mean of
// k(x, x), centred: that of Harchaoui, Bach and Moulines and of ktest. The ridge is n times that.
const testShare = 1e-3

const defaultTruncations = 5

const mostPermutations = 1_000_000_000

func newTest(s streams) *cobra.Command {
	f := &testFlags{}
	cmd := &cobra.Command{
		Use:   "test FILE [--label COLUMN] [flags]",
		Short: "Test whether groups of rows differ",
		Long: `test asks whether the rows of the groups that the label names come from one
distribution: not in their means alone, but in all that the kernel sees. The statistic
is the kernel Fisher ratio of the groups, n times the sum of its eigenvalues.

The p-value comes from random permutations of the labels, and is exact: without a
difference it is 0.05 or less at most once in 20 times, for any number of rows, any
kernel and ridge. That needs rows that may change places if the groups do not differ.
Where they may do so within a site or a day only, name its column with --strata; where
several rows are of one patient, name the column with --groups, so that they move, and
are left out by --accuracy, together. The scaling, gamma and the ridge are chosen without
a look at the labels. The best p-value of several settings is none: give the gammas as a
list, and p-values are corrected for their number.

The truncated statistics of 1, 2, ... directions need no ridge. Their p-values are those
of a chi-squared distribution, which holds for many rows and few directions only: where
they disagree, trust the permutations.

The ridge is 0.001 times the number of rows by default, and for kernels whose k(x,x) is
not 1 times the mean of k(x,x), centred.

It also prints the rows that are furthest along the leading direction, in standard
deviations within the groups, to whose squares the ridge adds, and the columns with the
largest correlation to it.`,
		Example: `  kfda test iris.csv --label species
  kfda test cells.csv --label condition --groups donor --gamma 0.001,0.01,0.1
  kfda test trial.csv --label arm --strata site --permutations 99999 --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, s, args[0]) },
	}
	flags := cmd.Flags()
	f.addPermutations(cmd, 9999, "the labels")
	flags.StringVar(&f.strata, "strata", "", "`column` that is no feature; labels are permuted among rows with the same text there")
	flags.StringVar(&f.groups, "groups", "", "`column` that is no feature; rows with the same text there have one label, and move together")
	flags.IntVar(&f.truncations, "truncations", defaultTruncations, "`number` of truncated statistics, at most rows less groups; 0 for none")
	flags.BoolVar(&f.accuracy, "accuracy", false, "also test by the accuracy of kernel ridge classification of rows, or of --groups, that are left out")
	f.addSettings(cmd)
	gamma := flags.Lookup("gamma")
	gamma.Value, gamma.Usage = &f.gammas, "gamma of the kernel, above 0, or a `list` of such with commas"
	hide(cmd, notOfTests)
	return cmd
}

func (f *testFlags) addPermutations(cmd *cobra.Command, count int, of string) {
	cmd.Flags().IntVar(&f.permutations, "permutations", count, "`number` of random permutations of "+of+"; 0 for none")
	cmd.Flags().Uint64Var(&f.seed, "seed", 0, "`seed` of the permutations: the same ones for it everywhere")
}

// addSettings adds the flags of the table, the kernel and the ridge.
func (f *testFlags) addSettings(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.json, "json", false, "print all as one JSON object")
	f.fit.table.addTraining(cmd)
	long := cmd.Long
	f.fit.kernel.add(cmd)
	cmd.Long = long + "\nKernels are those of 'kfda fit'."
	flags.Float64Var(&f.fit.ridge, "ridge", 0, "ridge `epsilon` in units of kernel values, above 0")
	flags.Float64Var(&f.fit.relativeRidge, "relative-ridge", 0, "ridge as a `share` of the mean eigenvalue of the centred kernel matrix, above 0")
	namesFlag(cmd, &f.fit.scale, "scale", "", "`how` to scale the columns: %s (default standard, but none for chi2 and precomputed)", "none", "standard", "minmax")
	f.fit.landmarks.addSample(cmd)
	flags.StringVar(&f.fit.maxMemory, "max-memory", "", "`amount` of memory that may be needed, such as 8GB (default what the machine has, where that is known)")
	cmd.MarkFlagsMutuallyExclusive("ridge", "relative-ridge")
	withoutModel(cmd)
}

var notOfTests = []refusal{{[]string{"target"}, "a test of groups, which need a label"}}

// gammaList is a flag for one gamma or several.
type gammaList struct {
	text   string
	values []float64
}

func (g *gammaList) String() string { return g.text }
func (g *gammaList) Type() string   { return "list" }

func (g *gammaList) Set(text string) error {
	g.text, g.values = text, nil
	for part := range strings.SplitSeq(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || !(v > 0) || math.IsInf(v, 0) {
			return fmt.Errorf("want numbers above 0, such as 0.1 or 0.01,0.1,1")
		}
		g.values = append(g.values, v)
	}
	return nil
}

// kernels are those of the flags, one for each gamma.
func (f *testFlags) kernels(cmd *cobra.Command) (all []gram.Kernel, err error) {
	for _, gamma := range append(slices.Clone(f.gammas.values), 0)[:max(1, len(f.gammas.values))] {
		f.fit.kernel.gamma = gamma
		k, err := f.fit.kernel.kernel(cmd)
		if err != nil {
			return nil, err
		}
		all = append(all, k)
	}
	return all, nil
}

// check checks what can be checked without a table.
func (f *testFlags) check(cmd *cobra.Command) (scaling discriminant.Scaling, limit float64, err error) {
	given := cmd.Flags().Changed
	if err := refuse(cmd, notOfTests); err != nil {
		return 0, 0, err
	}
	switch {
	case f.permutations < 0:
		return 0, 0, usage("--permutations %d: want 0 or more", f.permutations)
	case f.permutations > mostPermutations:
		return 0, 0, usage("--permutations %d: want %d at most", f.permutations, mostPermutations)
	case f.truncations < 0:
		return 0, 0, usage("--truncations %d: want 0 or more", f.truncations)
	case given("ridge") && !(f.fit.ridge > 0):
		return 0, 0, usage("--ridge %v: want a number above 0", f.fit.ridge)
	case given("relative-ridge") && !(f.fit.relativeRidge > 0):
		return 0, 0, usage("--relative-ridge %v: want a number above 0", f.fit.relativeRidge)
	case f.strata != "" && f.strata == f.groups:
		return 0, 0, usage("--strata and --groups name one column: want two")
	}
	if err := f.fit.landmarks.checkSample(cmd); err != nil {
		return 0, 0, err
	}
	scaling, err = f.fit.kernelScaling(given, "standard")
	if err == nil && scaling == discriminant.AutoScaling {
		err = usage("--scale auto looks at the labels, which a test must not: want none, standard or minmax")
	}
	if err == nil {
		limit, err = f.fit.limit()
	}
	return scaling, limit, err
}

func (f *testFlags) run(cmd *cobra.Command, s streams, path string) error {
	scaling, limit, err := f.check(cmd)
	if err != nil {
		return err
	}
	kernels, err := f.kernels(cmd)
	if err != nil {
		return err
	}
	opt, err := f.fit.table.options(s)
	if err != nil {
		return err
	}
	columns := slices.DeleteFunc([]string{f.strata, f.groups}, func(name string) bool { return name == "" })
	opt.IDs = strings.Join(columns, ",")
	t, err := f.fit.table.read(s, path, opt)
	if err != nil {
		return err
	}
	if len(t.IDs) != len(columns) {
		return usage("--strata and --groups are one column each, but %s names %d", opt.IDs, len(t.IDs))
	}
	f.fit.kernel.symmetrizes(t.X)
	x, p, err := featuresOf(t, kernels[0], scaling)
	if err != nil {
		return err
	}
	for i := range kernels {
		if err := prepare(p, &kernels[i]); err != nil {
			return explainTest(t, kernels[i], err)
		}
	}
	f.p = p
	o := inference.TestOptions{Permutations: f.permutations, Seed: f.seed}
	for i, to := range []*[]int{&o.Strata, &o.Groups} {
		if name := []string{f.strata, f.groups}[i]; name != "" {
			texts := t.IDs[min(i, len(t.IDs)-1)]
			if row := slices.Index(texts, ""); row >= 0 {
				return fmt.Errorf("%s: line %d: the cell of column %s is empty, so that it is not known what the row goes with; fill it in, or leave the row out with --rows", t.File, t.Lines[row], show.Name(name))
			}
			*to = codesOf(discriminant.Classes(texts), texts)
		}
	}
	r, err := f.report(cmd, s, t, x, kernels, o, limit)
	if err != nil {
		return err
	}
	r.Scale, r.Dropped = scaling.String(), t.DroppedRows()
	if _, given := kernels[0].(gram.Precomputed); !given {
		r.Columns = correlated(t, p, x, r.projections)
	}
	return writeReport(s.out, f.json, r)
}

// report tests whether rows x of t, with labels, differ.
func (f *testFlags) report(cmd *cobra.Command, s streams, t *table.Table, x *matrix.Dense, kernels []gram.Kernel, o inference.TestOptions, limit float64) (*testReport, error) {
	classes := discriminant.Classes(t.Labels)
	plan := inference.PlanTest(kernels[0], x.Rows, x.Cols, f.fit.landmarks.number(f.given), len(classes), f.permutations, min(f.truncations, max(1, x.Rows-len(classes))))
	if f.accuracy {
		plan.Bytes += 8 * squaresOf(o.Groups)
	}
	plan.Bytes = max(plan.Bytes+formatsBytes, peakMemory())
	plan.Flops *= float64(len(kernels))
	undo, err := f.fit.landmarks.collect(t, x, f.given, plan, limit)
	if err != nil {
		return nil, err
	}
	defer undo()
	r, err := untilInterrupt(cmd.Context(), func(ctx context.Context) (*testReport, error) {
		announceFit(s, t, plan)
		return f.test(ctx, cmd, s, t, x, kernels, o)
	})
	if err != nil {
		one := &ofKernel{kernels[0], err}
		errors.As(err, &one)
		if err = explainTest(t, one.kernel, one.error); len(kernels) > 1 {
			err = fmt.Errorf("%w (%s)", err, one.kernel)
		}
		return nil, err
	}
	r.File, r.Seed = t.File, f.seed
	r.notices(s)
	return r, nil
}

// squaresOf sums up the squares of the sizes of groups.
func squaresOf(groups []int) (sum float64) {
	sizes := make(map[int]float64)
	for _, g := range groups {
		sum += 2*sizes[g] + 1
		sizes[g]++
	}
	return sum
}

// featuresOf returns the columns that the kernel sees of t, as learnColumns does.
func featuresOf(t *table.Table, kernel gram.Kernel, scaling discriminant.Scaling) (*matrix.Dense, *discriminant.Preparation, error) {
	see, p, err := learnColumns(t, kernel, scaling)
	if err != nil {
		return nil, nil, err
	}
	x, err := see(t.X)
	if err != nil {
		return nil, nil, explain.Fit(t, discriminant.KFDA{Kernel: kernel}, err)
	}
	return x, p, nil
}

// settings are those of a kernel on rows x.
func (f *testFlags) settings(cmd *cobra.Command, kernel gram.Kernel, x *matrix.Dense) (inference.Settings, error) {
	set := inference.Settings{Kernel: kernel, Ridge: f.fit.ridge}
	switch {
	case f.fixed.Kernel != nil:
		return f.fixed, nil
	case cmd.Flags().Changed("ridge"):
		return set, nil
	case cmd.Flags().Changed("relative-ridge"):
		set.Ridge, set.Relative = f.fit.relativeRidge, true
		return set, nil
	}
	e, err := gram.NewEvaluator(kernel, x)
	if err != nil {
		return set, err
	}
	set.Ridge = testShare * float64(x.Rows)
	set.Relative = slices.ContainsFunc(e.Diag(nil), func(v float64) bool { return v != 1 })
	return set, nil
}

// ofKernel is an error of the test with a kernel.
type ofKernel struct {
	kernel gram.Kernel
	error
}

// test tests with each kernel.
func (f *testFlags) test(ctx context.Context, cmd *cobra.Command, s streams, t *table.Table, x *matrix.Dense, kernels []gram.Kernel, o inference.TestOptions) (*testReport, error) {
	r := &testReport{N: x.Rows}
	var all, accuracies corrections
	for i, kernel := range kernels {
		o.Progress = func(done, total int) {
			s.line.step(fmt.Sprintf("test %d of %d", i+1, len(kernels)), "permutations", done, total)
		}
		found, accuracy, one, err := f.testBy(ctx, cmd, t, x, kernel, o)
		if err != nil {
			return nil, &ofKernel{kernel, err}
		}
		one.rows(t)
		r.Classes, r.Counts = found.Classes, found.Counts
		r.Tests = append(r.Tests, one)
		all.add(found.Statistic, found.Permuted)
		if accuracy != nil {
			accuracies.add(accuracy.Accuracy, accuracy.Permuted)
		}
	}
	for i, p := range all.corrected() {
		r.Tests[i].Corrected = &p
	}
	for i, p := range accuracies.corrected() {
		r.Tests[i].Accuracy.Corrected = &p
	}
	r.choose()
	return r, nil
}

// corrections are statistics of several kernels, whose p-values are corrected together.
type corrections struct {
	statistics []float64
	permuted   []*inference.Permutations
}

func (c *corrections) add(statistic float64, permuted *inference.Permutations) {
	c.statistics, c.permuted = append(c.statistics, statistic), append(c.permuted, permuted)
}

// corrected returns the p-values, none of one kernel or without permutations.
func (c *corrections) corrected() []float64 {
	if len(c.statistics) < 2 || c.permuted[0] == nil {
		return nil
	}
	p, err := inference.Corrected(c.statistics, c.permuted)
	if err != nil {
		panic(err) // there are as many permutations of each
	}
	return p
}

// testBy tests with a kernel.
func (f *testFlags) testBy(ctx context.Context, cmd *cobra.Command, t *table.Table, x *matrix.Dense, kernel gram.Kernel, o inference.TestOptions) (found *inference.TestResult[string], accuracy *inference.AccuracyResult[string], one kernelTest, err error) {
	set, err := f.settings(cmd, kernel, x)
	if err != nil {
		return nil, nil, one, err
	}
	debug.FreeOSMemory() // the matrix of the kernel before
	sample, err := f.fit.landmarks.sample(ctx, set, x, f.given, f.seed)
	if given := cmd.Flags().Changed; err != nil && set.Relative && !given("relative-ridge") && errors.As(err, new(*discriminant.RidgeError)) {
		set.Relative = false // all rows are equal, and nothing depends on it
		sample, err = f.fit.landmarks.sample(ctx, set, x, f.given, f.seed)
	}
	if err != nil {
		return nil, nil, one, err
	}
	if found, err = inference.Test(ctx, sample, t.Labels, o); err != nil {
		return nil, nil, one, err
	}
	one = newKernelTest(ofTable(sample.Kernel(), f.p), found)
	one.Landmarks = sampled(sample)
	truncated, err := f.truncated(ctx, cmd, sample, t.Labels)
	if err != nil {
		return nil, nil, one, err
	}
	if truncated != nil {
		if one.Truncated, one.Degrees = truncated.Statistics, truncated.Degrees; o.Strata == nil && o.Groups == nil {
			one.Asymptotic = truncated.P // else rows are not independent
		}
	}
	if f.accuracy {
		if accuracy, err = inference.TestAccuracy(ctx, sample, t.Labels, o); err != nil {
			return nil, nil, one, err
		}
		leftOut := rowsLeftOut
		if o.Groups != nil {
			leftOut = groupsLeftOut
		}
		one.Accuracy = newAccuracyTest(accuracy, leftOut)
	}
	return found, accuracy, one, nil
}

// truncated takes as many directions as there are where their number is left to it.
func (f *testFlags) truncated(ctx context.Context, cmd *cobra.Command, sample *inference.Sample, labels []string) (*inference.Truncation, error) {
	if f.truncations == 0 {
		return nil, nil
	}
	found, err := inference.Truncated(ctx, sample, labels, f.truncations)
	var beyond *inference.TruncationError
	for most := f.truncations; errors.As(err, &beyond) && !cmd.Flags().Changed("truncations") && beyond.Rank < most; {
		if most = beyond.Rank; most == 0 {
			return nil, nil
		}
		found, err = inference.Truncated(ctx, sample, labels, most)
	}
	return found, err
}

// explainTest explains an error of a test of t.
func explainTest(t *table.Table, kernel gram.Kernel, err error) error {
	var (
		few         *inference.FewRowsError
		beyond      *inference.TruncationError
		restriction *inference.RestrictionError
	)
	switch {
	case errors.As(err, &few):
		return fmt.Errorf("%s: only %d row of the group %q: a test needs %d or more of each; leave it out of the table, or join it to another", t.File, few.Rows, few.Class, few.Want)
	case errors.As(err, &beyond) && beyond.Asked > beyond.Most:
		return fmt.Errorf("%s: --truncations %d: at most %d, rows less groups", t.File, beyond.Asked, beyond.Most)
	case errors.As(err, &beyond):
		return fmt.Errorf("%s: --truncations %d: at most %d, for the scatter within the groups has no more directions above rounding", t.File, beyond.Asked, beyond.Rank)
	case errors.As(err, &restriction):
		flag := strings.ToLower(restriction.Field)
		if restriction.Row < 0 {
			return fmt.Errorf("%s: --%s: %s", t.File, flag, restriction.Reason)
		}
		return fmt.Errorf("%s: --%s: %s", t.Position(restriction.Row, -1), flag, restriction.Reason)
	}
	return explainSample(t, kernel, err)
}

// explainSample explains an error of rows of t that are factored.
func explainSample(t *table.Table, kernel gram.Kernel, err error) error {
	var indefinite *discriminant.IndefiniteKernelError
	switch {
	case errors.As(err, new(*gram.IndefiniteError)):
		return fmt.Errorf("%s: --landmarks need a positive semidefinite kernel, which this one is not for these rows; take another, such as --kernel rbf", t.File)
	case errors.As(err, &indefinite):
		return fmt.Errorf("%s: the kernel is indefinite on these rows; a --ridge far above %.3g or another kernel would do", t.File, indefinite.Ridge)
	}
	return explain.Fit(t, discriminant.KFDA{Kernel: kernel}, err)
}

// correlated returns the columns by their correlation with z, the largest first; none for a z of nil.
func correlated(t *table.Table, p *discriminant.Preparation, x *matrix.Dense, z []float64) []testColumn {
	var all []testColumn
	if z == nil {
		return nil
	}
	for j := range x.Cols {
		feature, level := j, ""
		if p != nil {
			c := p.Columns()[j]
			feature, level = c.From, levelText(t, c)
		}
		name := strconv.Itoa(t.Layout.Features[feature] + 1)
		if t.Layout.Names != nil {
			name = t.Layout.Names[feature]
		}
		column := make([]float64, x.Rows)
		for i := range column {
			column[i] = x.At(i, j)
		}
		if r := correlation(column, z); !math.IsNaN(r) {
			all = append(all, testColumn{name + level, r})
		}
	}
	slices.SortStableFunc(all, func(a, b testColumn) int { return cmp.Compare(math.Abs(b.Correlation), math.Abs(a.Correlation)) })
	return all
}

// levelText says which column of those that are made of one it is.
func levelText(t *table.Table, c discriminant.PreparedColumn) string {
	switch {
	case c.Indicator:
		return " is missing"
	case c.Level >= 0:
		return " = " + t.Layout.Columns[c.From].Levels[c.Level]
	}
	return ""
}

// correlation is Pearson's, NaN where one is constant.
func correlation(x, y []float64) float64 {
	n := float64(len(x))
	mx, my := matrix.Sum(x)/n, matrix.Sum(y)/n
	var xx, yy, xy float64
	for i, v := range x {
		a, b := v-mx, y[i]-my
		xx, yy, xy = xx+float64(a*a), yy+float64(b*b), xy+float64(a*b)
	}
	return xy / math.Sqrt(xx) / math.Sqrt(yy)
}
