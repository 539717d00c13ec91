package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
)

// partsText says how the commands for the parts of a table belong together.
const partsText = `

A table in parts, for make, SLURM or Kubernetes, where each line can run elsewhere:

  kfda landmarks sample.csv --label species --landmarks 2000 -o L
  kfda accumulate L part0.csv --shard 0 -o 0.acc
  kfda accumulate L part1.csv --shard 1 -o 1.acc
  kfda merge 0.acc 1.acc -o MODEL

Each part has 65536 rows, the last one as many as are left; or some times as many, with
--first-row for the number of its first row. However the table is cut, and in whatever
order the parts are merged, the model has the same bytes: those of 'kfda fit --landmarks'
where L was made of the whole table, with the same model and ridge.`

func newLandmarks(s streams) *cobra.Command {
	f := &fitFlags{}
	cmd := &cobra.Command{
		Use:   "landmarks TRAIN --landmarks M [--label COLUMN] -o L [flags]",
		Short: "Draw landmarks, for fits in parts",
		Long: `landmarks reads the table in the file TRAIN, or a sample of it, and writes to the
file L what 'kfda accumulate' needs for rows of the whole: the landmarks, the kernel, how
columns are scaled and filled in, their levels, and the classes. With --ridge or
--relative-ridge the parts take a fifth of the memory, and 'kfda merge' takes that ridge,
unless it is told another; what else a model is made by is said there. Kernels are in
'kfda fit --help'.` + partsText,
		Example: `  kfda landmarks train.csv --label species --landmarks 2000 -o train.L`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := refuse(cmd, notOfLandmarks); err != nil {
				return err
			}
			defer garbage(streamGarbage)()
			st, _, err := f.start(cmd, s, args[0])
			if err != nil {
				return err
			}
			return saveModel(cmd.Context(), s, f.output, st, func() error {
				notice(s.err, "%s: %s of %s", f.output, plural.Count(st.Landmarks(), "landmark"), plural.Count(st.sample.X.Cols, "column"))
				return nil
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.output, "output", "o", "", "`file` to write to")
	f.landmarks.add(cmd, "")
	f.table.addTraining(cmd)
	flags.Uint64Var(&f.holdout.seed, "seed", 0, "`seed` by which landmarks are drawn")
	f.table.weights.addColumn(cmd)
	long := cmd.Long
	f.addSettings(cmd)
	cmd.Long = long // the lists of kernels and classifiers are those of fit
	flags.StringVar(&f.maxMemory, "max-memory", "", "`amount` of memory that may be needed, such as 8GB (default what the machine has, where that is known)")
	hide(cmd, notOfLandmarks)
	cmd.MarkFlagRequired("output")
	cmd.MarkFlagRequired(landmarksFlag)
	return cmd
}

// What the commands for parts do not take.
var (
	notOfLandmarks = append([]refusal{
		{[]string{"missing drop"}, "landmarks: a row that is left out moves those after it to other blocks; fill cells in, as with --missing median"},
		{[]string{"regularizer", "shrink", "components", "share", "classifier", "priors", "leave-one-out"}, "landmarks; 'kfda merge' takes it"},
	}, notOfStreams...)
	notOfAccumulate = []refusal{{[]string{"missing", "target"}, settled("accumulate")}}
	notOfMerge      = append([]refusal{
		{[]string{"kernel", "gamma", "sigma", "degree", "coef0", "scale", "symmetrize"}, settled("merge")},
	}, notOfStreams...)
)

func settled(command string) string { return command + "; 'kfda landmarks' has settled it" }

// mostShards keeps the numbers of rows far from the end of an int, of 32 bits too.
const mostShards = math.MaxInt / discriminant.BlockRows / 2

type accumulateFlags struct {
	table    tableFlags
	shard    int
	firstRow int
	output   string
}

func newAccumulate(s streams) *cobra.Command {
	f := &accumulateFlags{}
	cmd := &cobra.Command{
		Use:   "accumulate L SHARD --shard I -o FILE [flags]",
		Short: "Take in the rows of a part of a table",
		Long: `accumulate reads a part of a table, in memory that does not grow with it, and writes
to FILE what a fit needs of its rows, for 'kfda merge'. L is a file of 'kfda landmarks'. A
class or a level that L does not know is an error.` + partsText,
		Example: `  kfda accumulate train.L part3.csv --shard 3 -o 3.acc
  kfda accumulate train.L train.csv --rows 131072:262144 --first-row 131072 -o b.acc`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, s, args[0], args[1]) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.output, "output", "o", "", "`file` to write to")
	flags.IntVar(&f.shard, "shard", 0, "`number` of the part, from 0: its first row is row 65536 times that of the table")
	flags.IntVar(&f.firstRow, "first-row", 0, "`number` of the first row in the whole table, a multiple of 65536")
	f.table.add(cmd, "(default as in L)")
	cmd.MarkFlagsMutuallyExclusive("shard", "first-row")
	cmd.MarkFlagRequired("output")
	hide(cmd, notOfAccumulate)
	return cmd
}

func (f *accumulateFlags) run(cmd *cobra.Command, s streams, start, shard string) error {
	if err := refuse(cmd, notOfAccumulate); err != nil {
		return err
	}
	first, byNumber := f.firstRow, cmd.Flags().Changed("shard")
	if !byNumber && !cmd.Flags().Changed("first-row") {
		return usage("%s: say which rows of the table these are: --shard 0 for the first %d, --shard 1 for the next, and so on", shard, discriminant.BlockRows)
	}
	if byNumber {
		if f.shard < 0 || f.shard >= mostShards {
			return usage("--shard %d: want the number of the part, from 0", f.shard)
		}
		first = f.shard * discriminant.BlockRows
	}
	if first < 0 || first/discriminant.BlockRows >= mostShards || first%discriminant.BlockRows != 0 {
		return usage("--first-row %d: want a multiple of %d", first, discriminant.BlockRows)
	}
	if err := checkOutput(f.output, start, shard); err != nil {
		return err
	}
	opt, err := f.table.options(s)
	if err != nil {
		return err
	}
	l, layout, err := loadStream(start)
	if err != nil {
		return err
	}
	if l.Next() != 0 {
		return fmt.Errorf("%s: holds rows already; want a file of 'kfda landmarks'", start)
	}
	opt.KnownLevels, opt.Target = true, l.numbers != nil
	if opt.Weight == "" {
		opt.Weight = layout.Weight
	}
	defer garbage(streamGarbage)()
	part, err := untilInterrupt(cmd.Context(), func(ctx context.Context) (*rowStream, error) {
		part := l.from(first)
		t, err := f.table.pour(ctx, s, part, shard, opt, &layout, 0, nil)
		if err == nil && t.Dropped != nil {
			err = fmt.Errorf("%s: rows without a label move those after them to other blocks; leave them out before the table is cut", shard)
		}
		if gap := (*table.Error)(nil); errors.As(err, &gap) && gap.Missing.Rows > 0 {
			gap.Advice = "; leave such rows out before the table is cut, or fill cells in, as with 'kfda landmarks --missing median'"
		}
		return part, err
	})
	if err != nil {
		return err
	}
	rows := part.Next() - first
	if rest := rows % discriminant.BlockRows; rest > 0 {
		notice(s.err, "%s: %s, no whole number of blocks of %d: no part can follow it", shard, plural.Count(rows, "row"), discriminant.BlockRows)
	}
	return saveModel(cmd.Context(), s, f.output, part, func() error {
		what := "numbers"
		if part.classes != nil {
			what = fmt.Sprintf("%d classes", len(part.classes.Classes()))
		}
		notice(s.err, "%s: %s of %s, of %s, from row %d of the table on", f.output, plural.Count(rows, "row"), shard, what, first+1)
		return nil
	})
}

func newMerge(s streams) *cobra.Command {
	f := &fitFlags{}
	cmd := &cobra.Command{
		Use:   "merge FILE... -o MODEL [flags]",
		Short: "Fit a model to the parts of a table",
		Long: `merge fits a model to all rows that 'kfda accumulate' took in, from its files in any
order. Rows that are missing, or there twice, are an error that names the files. The ridge
is that of 'kfda landmarks' or, if it was given none, the one of the least squared errors
in 5 folds of the rows, unless a flag gives another. The model is of the kind that 'kfda landmarks' was told, the classifier gaussian or centroid; see 'kfda
fit --help'.` + partsText,
		Example: `  kfda merge *.acc -o train.kfda
  kfda merge *.acc --relative-ridge 0.01 --classifier centroid -o train.kfda`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.merge(cmd, s, args) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.output, "output", "o", "", "`file` to write the model to; \"-\" is the standard output")
	long := cmd.Long
	f.addSettings(cmd)
	cmd.Long = long
	hide(cmd, notOfMerge)
	model := flags.Lookup("model")
	model.DefValue, model.Usage = "", model.Usage+" (default that of 'kfda landmarks')"
	flags.BoolVar(&f.json, "json", false, "print the report as one JSON object")
	flags.BoolVar(&f.verbose, "verbose", false, "print the numerics too: eigenvalues, bounds of errors, solver, times")
	cmd.MarkFlagRequired("output")
	return cmd
}

func (f *fitFlags) merge(cmd *cobra.Command, s streams, files []string) error {
	if err := refuse(cmd, notOfMerge); err != nil {
		return err
	}
	if err := checkOutput(f.output, files...); err != nil {
		return err
	}
	if f.output == "-" && f.json {
		return usage("--json and -o - would both write to the standard output")
	}
	defer garbage(streamGarbage)()
	begin := time.Now()
	all, layout, err := mergeFiles(files)
	if err != nil {
		return err
	}
	read := time.Since(begin)
	start := startOf(all)
	if !cmd.Flags().Changed("model") {
		f.model = start.Model
	}
	if err := f.refuseOfStreams(cmd, nil); err != nil {
		return err
	}
	if (f.model == "lda") != (start.Model == "lda") {
		return usage("--model %s: these are parts of a fit with --model %s, of other numbers", f.model, start.Model)
	}
	if all.numbers != nil && f.model != "ridge" {
		return usage("--model %s: these are parts of a fit of numbers, with --target, which is --model ridge", f.model)
	}
	if err := f.takeRidge(cmd, start); err != nil {
		return err
	}
	method, err := f.classMethod(cmd)
	if err != nil {
		return err
	}
	if all.classes != nil {
		if method, err = f.classifier.forClasses(method, all.classes.Classes()); err != nil {
			return err
		}
	}
	if choosesRidge(method) && !start.Chosen {
		return usage("merge needs a --ridge or --relative-ridge: 'kfda landmarks' was given one for another --regularizer, or a --model without, and so there are no folds to choose it by")
	}
	set := method.Settings()
	set.Scaling = discriminant.NoScaling // the stream has scaled
	method = method.With(set)
	m, err := untilInterrupt(cmd.Context(), func(ctx context.Context) (streamedModel, error) {
		rows := all
		all = nil // the fit has room where it was
		return rows.model(ctx, method, f.model)
	})
	if empty := (*discriminant.ParameterError)(nil); errors.As(err, &empty) && empty.Field == "Stream" {
		return fmt.Errorf("no part has a row of class %s", show.Name(empty.Value))
	}
	if err != nil {
		return explain.Fit(&table.Table{File: strings.Join(files, " "), Layout: layout}, method, err)
	}
	r := newStreamReport(strings.Join(files, " "), f.output, m.learnt, layout, method)
	r.Seconds = map[string]float64{"read": read.Seconds(), "fit": (time.Since(begin) - read).Seconds()}
	return f.saveStreamed(cmd, s, m, r)
}

// takeRidge sets the ridge to that of 'kfda landmarks' where the flags leave it open.
func (f *fitFlags) takeRidge(cmd *cobra.Command, start startFlags) error {
	flags := cmd.Flags()
	if f.model == "kpca" || slices.ContainsFunc([]string{"regularizer", "ridge", "relative-ridge", "shrink"}, flags.Changed) {
		return nil
	}
	switch {
	case start.Ridge > 0:
		return flags.Set("ridge", strconv.FormatFloat(start.Ridge, 'g', -1, 64))
	case start.RelativeRidge > 0:
		return flags.Set("relative-ridge", strconv.FormatFloat(start.RelativeRidge, 'g', -1, 64))
	}
	return nil
}

// shard is a file of rows of a stream.
type shard struct {
	file        string
	first, next int
}

// mergeFiles merges the streams in files, which must have all rows from the first on once.
func mergeFiles(files []string) (*rowStream, table.Layout, error) {
	ordered, err := inOrder(files)
	if err != nil {
		return nil, table.Layout{}, err
	}
	all, layout, err := loadStream(ordered[0])
	for _, file := range ordered[1:] {
		if err != nil {
			break
		}
		var part *rowStream
		if part, _, err = loadStream(file); err == nil {
			if err = all.merge(part); err != nil {
				err = fmt.Errorf("%s and %s are not parts of one table, by one file of 'kfda landmarks': %w", ordered[0], file, err)
			}
		}
	}
	return all, layout, err
}

// inOrder returns files in the order of their rows, of which they must have all from the first on
// once. Merged like this they take the least memory.
func inOrder(files []string) ([]string, error) {
	var shards []shard
	for _, file := range files {
		part, _, err := loadStream(file)
		if err != nil {
			return nil, err
		}
		spans := part.Spans()
		if len(spans) == 0 {
			return nil, fmt.Errorf("%s: holds no rows; want files of 'kfda accumulate'", file)
		}
		for _, span := range spans {
			shards = append(shards, shard{file, span.First, span.End})
		}
	}
	slices.SortStableFunc(shards, func(a, b shard) int { return cmp.Compare(a.first, b.first) })
	var ordered []string
	before := shard{}
	for _, one := range shards {
		rest := before.next % discriminant.BlockRows
		switch {
		case one.first < before.next:
			return nil, fmt.Errorf("%s and %s both have rows %d to %d of the table", before.file, one.file, one.first+1, min(one.next, before.next))
		case rest > 0:
			return nil, fmt.Errorf("%s: its last block has %s, want %d, since %s follows", before.file, plural.Count(rest, "row"), discriminant.BlockRows, one.file)
		case one.first > before.next && ordered == nil:
			return nil, fmt.Errorf("rows 1 to %d of the table are missing, before %s", one.first, one.file)
		case one.first > before.next:
			return nil, fmt.Errorf("rows %d to %d of the table are missing, between %s and %s", before.next+1, one.first, before.file, one.file)
		}
		if before = one; !slices.Contains(ordered, one.file) {
			ordered = append(ordered, one.file)
		}
	}
	return ordered, nil
}
