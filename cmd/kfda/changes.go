package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/inference"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

type changeFlags struct {
	testFlags
	level          float64
	block, segment int
	ids            string
}

func newChanges(s streams) *cobra.Command {
	f := &changeFlags{}
	cmd := &cobra.Command{
		Use:   "changes FILE [flags]",
		Short: "Say after which rows a table changes",
		Long: `changes takes the rows of a table in their order and asks whether, and after which
rows, their distribution changes: not in their means alone, but in all that the kernel
sees. There are no labels, and all columns are measurements: name the column of the time
or number of a row with --ids, which prints it beside the changes, and leave others out
with --ignore.

Each split of the rows in two is compared by the statistic of 'kfda test'. The p-value is
that of the best split beside those of random orders of the rows, and is exact where rows
that do not change are exchangeable, as independent ones are. Where a row depends on
those before, say --block with many times the number of rows beyond which it does not:
such blocks then move together. A warning tells of most strong dependence, and not of all.

With a p-value of at most --level, the rows are cut into segments, of any number; each
change between two is tested again, within these two, and each segment by itself, with
p-values that are not exact, as the same rows chose the segments.

The ridge is that of 'kfda test'. A larger one, such as --relative-ridge 1, gives more
weight to changes of means.`,
		Example: `  kfda changes nile.csv --ids year
  kfda changes sensor.csv --ids time --block 24 --segment 100 --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, s, args[0]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.ids, "ids", "", "`columns` that are no features, to print beside the changes: names or positions from 1, as for --ignore; \"\" for none, where all are measurements")
	flags.SetAnnotation("ids", noneKey, nil)
	flags.Float64Var(&f.level, "level", 0.05, "p-value up to which a change is told of")
	flags.IntVar(&f.block, "block", 1, "`number` of consecutive rows that move together")
	flags.IntVar(&f.segment, "segment", 0, "least `number` of rows between changes (default the largest of 2, 5 % of the rows and a block)")
	f.addPermutations(cmd, 999, "the rows")
	f.addSettings(cmd)
	hide(cmd, notOfChanges)
	return cmd
}

var notOfChanges = []refusal{{[]string{"label", "labels", "target"}, "changes, which use no labels: leave columns out with --ignore"}}

// options are those of the flags.
func (f *changeFlags) options(cmd *cobra.Command) (o inference.ChangeOptions, err error) {
	least := 1/f.level - 1 - 1e-9
	switch {
	case !(f.level > 0 && f.level < 1):
		return o, usage("--level %v: want a share above 0 and below 1, such as 0.05", f.level)
	case f.permutations > 0 && float64(f.permutations) < least:
		return o, usage("--permutations %d: too few for a p-value of %v; want 0, or %.0f or more", f.permutations, f.level, least+0.5)
	case f.block < 1:
		return o, usage("--block %d: want 1 or more", f.block)
	case cmd.Flags().Changed("segment") && f.segment < 2:
		return o, usage("--segment %d: want 2 or more", f.segment)
	}
	return inference.ChangeOptions{Permutations: f.permutations, Seed: f.seed, Block: f.block, Segment: f.segment, Level: f.level}, nil
}

func (f *changeFlags) run(cmd *cobra.Command, s streams, path string) error {
	if err := refuse(cmd, notOfChanges); err != nil {
		return err
	}
	scaling, limit, err := f.check(cmd)
	if err != nil {
		return err
	}
	o, err := f.options(cmd)
	if err != nil {
		return err
	}
	kernel, err := f.fit.kernel.kernel(cmd)
	if err != nil {
		return err
	}
	opt, err := f.fit.table.options(s)
	if err != nil {
		return err
	}
	if opt.Unlabelled, opt.IDs = true, f.ids; f.ids == "" {
		opt.Leave = "--ids"
	}
	t, err := f.fit.table.read(s, path, opt)
	if err != nil {
		return err
	}
	_, given := kernel.(gram.Precomputed)
	if !given {
		err = checkRows(s, t, cmd.Flags().Changed("ids") || cmd.Flags().Changed("ignore"))
	}
	if err != nil {
		return err
	}
	if t.X.Rows < 4 {
		return fmt.Errorf("%s: %s: changes takes at least 4 rows", t.File, plural.Count(t.X.Rows, "row"))
	}
	f.fit.kernel.symmetrizes(t.X)
	x, p, err := featuresOf(t, kernel, scaling)
	if err != nil {
		return err
	}
	if f.p, err = p, prepare(p, &kernel); err != nil {
		return explainChanges(t, kernel, err)
	}
	plan := inference.PlanChanges(kernel, x.Rows, x.Cols, f.fit.landmarks.number(f.given), f.permutations)
	plan.Bytes = max(plan.Bytes+formatsBytes, peakMemory())
	undo, err := f.fit.landmarks.collect(t, x, f.given, plan, limit)
	if err != nil {
		return err
	}
	defer undo()
	r := &changeReport{File: t.File, N: x.Rows, Dropped: t.DroppedRows(), Scale: scaling.String(), Seed: f.seed, Block: f.block, Level: f.level}
	found, err := untilInterrupt(cmd.Context(), func(ctx context.Context) (*inference.ChangePoints, error) {
		announceFit(s, t, plan)
		return f.find(ctx, cmd, s, x, kernel, o, r)
	})
	if err != nil {
		return explainChanges(t, kernel, err)
	}
	r.take(t, found)
	if !given {
		for c := range found.Changes {
			from, to := found.Around(c)
			r.Changes[c].Columns = correlated(t, p, x.View(from, 0, to-from, x.Cols), found.Changes[c].Projections[from:to])
		}
	}
	r.notices(s, o)
	return writeReport(s.out, f.json, r)
}

// find finds the changes of rows x.
func (f *changeFlags) find(ctx context.Context, cmd *cobra.Command, s streams, x *matrix.Dense, kernel gram.Kernel, o inference.ChangeOptions, r *changeReport) (*inference.ChangePoints, error) {
	o.Progress = func(done, total int) { s.line.step("changes", "permutations", done, total) }
	set, err := f.settings(cmd, kernel, x)
	if err != nil {
		return nil, err
	}
	sample, err := f.fit.landmarks.sample(ctx, set, x, nil, f.seed)
	if err != nil {
		return nil, err
	}
	of := ofTable(sample.Kernel(), f.p)
	r.kernelParameters, r.kernel, r.Landmarks = parametersOf(of), of.String(), sampled(sample)
	return inference.Changes(ctx, sample, o)
}

// orderRows is how many rows rise or fall throughout by no chance.
const orderRows = 10

// checkRows refuses rows that are all equal, and a column of numbers or dates that rises or falls from row to row,
// such as a year: by it, any table would change. Where it is the only one, or it is
// named which columns are no features, it may be a measurement, and is told of.
func checkRows(s streams, t *table.Table, named bool) error {
	equal := t.X.Rows > 1
	for i := 1; i < t.X.Rows && equal; i++ {
		equal = slices.Equal(t.X.Row(i), t.X.Row(0))
	}
	if equal {
		return fmt.Errorf("%s: all %d rows are equal, so that none can change", t.File, t.X.Rows)
	}
	for j := range t.X.Cols {
		word := monotone(t, j)
		if word == "" {
			continue
		}
		p := t.Position(-1, j)
		column := cmp.Or(p.Name, fmt.Sprint(p.Column))
		if named || t.X.Cols == 1 {
			notice(s.err, "%s: column %s %s from row to row, so that any two parts of the table differ in it", t.File, show.Name(column), word)
			continue
		}
		return fmt.Errorf("%s: column %s %s from row to row: as their time or number it is no measurement that may change; say --ids %[4]s to print it beside the changes, or --ignore %[4]s; if it is a measurement that %[3]s, say --ids ''", t.File, show.Name(column), word, show.Word(column))
	}
	return nil
}

// monotone says what a column does throughout, "" for neither.
func monotone(t *table.Table, j int) string {
	if t.Layout.Columns != nil && t.Layout.Columns[j].Kind == table.Category {
		return ""
	}
	rises, falls := 0, 0
	for i := 1; i < t.X.Rows; i++ {
		switch before, v := t.X.At(i-1, j), t.X.At(i, j); {
		case v > before:
			rises++
		case v < before:
			falls++
		}
	}
	switch least := max(orderRows, t.X.Rows/2); {
	case falls == 0 && rises >= least:
		return "rises"
	case rises == 0 && falls >= least:
		return "falls"
	}
	return ""
}

// explainChanges explains an error of a search for changes in t.
func explainChanges(t *table.Table, kernel gram.Kernel, err error) error {
	var setting *discriminant.ParameterError
	var means *discriminant.CoincidentMeansError
	switch {
	case errors.As(err, &setting) && (setting.Field == "Block" || setting.Field == "Segment"):
		return fmt.Errorf("%s: --%s %s: %s", t.File, strings.ToLower(setting.Field), setting.Value, setting.Reason)
	case errors.As(err, &means):
		return fmt.Errorf("%s: the kernel sees no difference between the rows, so that none can change", t.File)
	}
	return explainTest(t, kernel, err)
}
