package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant/inference"
	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

type noveltyFlags struct {
	newRowFlags
	level        float64
	together     bool
	permutations int
	seed         uint64
}

func newNovelty(s streams) *cobra.Command {
	f := &noveltyFlags{}
	cmd := &cobra.Command{
		Use:   "novelty TRAIN [FILE] [flags]",
		Short: "Say how unlike the rows of a table new ones are",
		Long: `novelty says of each row of the table in FILE how unlike the rows of the table in TRAIN
it is: its squared distance from their mean in the space of the kernel, in units of their
covariance plus the ridge (Roth 2004), and a p-value. Without FILE it says so of each
row of TRAIN beside the others. Labels play no part: leave their column out with --label
or --ignore, in a FILE that has it, too.

The p-value is how a row ranks among all rows of TRAIN and itself (full conformal
prediction): of rows that are draws from the same population as those of TRAIN, a share of
at most 0.05 has one of at most 0.05, for any number of rows and any distribution. It is
at least 1 in one more than the rows of TRAIN. That is exact where kernel, ridge and
scaling were fixed without these rows, as with --gamma, --ridge and --scale none, or
--settings; what else is learnt from TRAIN makes it approximate, and the command says so.
Without FILE, and without --landmarks, all rows are treated alike, so that it stays exact.
With --landmarks twice as many rows of TRAIN, random ones, are set aside to draw them among.
How many rows stand out is counted at --level, and by the procedure of Benjamini and
Hochberg, which is made for p-values that are independent; these share the rows of TRAIN.

With --together it is tested instead whether FILE as a whole differs from TRAIN: by 'kfda
test' of the rows of both, whose p-value is of random permutations of train and new. Rows
and columns that carry the difference are named. Levels, fillings, scaling, gamma and a
ridge of 0.001 times the number of rows are then those of both files.`,
		Example: `  kfda novelty train.csv new.csv --ignore species --gamma 0.1 --ridge 0.5 --scale none
  kfda novelty train.csv --label species -o unlike.csv
  kfda novelty train.csv today.csv --together`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, s, args) },
	}
	cmd.Flags().Float64Var(&f.level, "level", 0.05, "p-value up to which rows are counted, and rate of false discoveries")
	cmd.Flags().BoolVar(&f.together, "together", false, "test whether FILE as a whole differs from TRAIN")
	cmd.Flags().IntVar(&f.permutations, "permutations", 9999, "`number` of random permutations of --together; 0 for none")
	cmd.Flags().Uint64Var(&f.seed, "seed", 0, "`seed` of the permutations: the same ones for it everywhere")
	f.add(cmd, "distances")
	cmd.Flags().Lookup("label").Usage = "`column` that is no feature, such as of labels: a name or a position from 1"
	hide(cmd, notOfNovelty)
	return cmd
}

// notOfNovelty is what only labels need.
var notOfNovelty = []refusal{
	{[]string{"target", "labels"}, "novelty, which uses no labels: leave columns out with --ignore"},
}

func (f *noveltyFlags) run(cmd *cobra.Command, s streams, args []string) error {
	if err := refuse(cmd, notOfNovelty); err != nil {
		return err
	}
	if !(f.level > 0 && f.level < 1) {
		return usage("--level %v: want a share above 0 and below 1, such as 0.05", f.level)
	}
	if err := refuseFlags(cmd, map[bool][]string{true: {"level", "output", "ids"}, false: {"permutations", "seed"}}[f.together], map[bool]string{true: "--together, which says nothing of single rows", false: "single rows: say --together too"}[f.together]); err != nil {
		return err
	}
	opt, err := f.fit.table.options(s)
	if err != nil {
		return err
	}
	opt.Unlabelled = true
	f.own = len(args) == 1
	if f.own && f.together {
		return usage("--together compares TRAIN with FILE, which is not given")
	}
	if f.own && f.newRows != "" {
		return usage("--new-rows is of FILE, which is not given; for rows of TRAIN say --rows %s", f.newRows)
	}
	if f.own {
		opt.IDs = f.rows.ids
		err = checkOutput(f.rows.output, args[0])
	} else {
		err = f.checkFiles(args[0], args[1])
	}
	if err != nil {
		return err
	}
	if f.together {
		return f.compare(cmd, s, args[0], args[1], opt)
	}
	k, err := f.train(cmd, s, args[0], opt)
	if err != nil {
		return err
	}
	defer k.undo()
	r := &noveltyReport{knownReport: k.report(), Level: f.level}
	ranked := r.Training + 1
	if f.own {
		ranked--
	}
	if least := 1 / float64(ranked); least > f.level {
		notice(s.err, "%s: a p-value ranks a row among %d, so that none can be below %.2g, or at most the --level %v", k.table.File, ranked, least, f.level)
	}
	answer := f.answer(cmd.Context(), k, r)
	parts := rowParts(func(take func(*table.Table) error) (*table.Table, error) { return k.table, take(k.table) })
	if !f.own {
		if parts, err = f.parts(s, k, args[1], opt); err != nil {
			return err
		}
	}
	return f.write(cmd.Context(), s, parts, k, &r.knownReport, r, answer)
}

// noveltyReport says what came of all rows.
type noveltyReport struct {
	knownReport
	Level       float64      `json:"level"`
	Below       int          `json:"below"`       // rows with p-values of at most the level
	Discoveries int          `json:"discoveries"` // at that rate of false ones
	Rows        []noveltyRow `json:"rows,omitempty"`

	p []float64
}

type noveltyRow struct {
	Row      int      `json:"row"`
	IDs      []string `json:"ids,omitempty"`
	Distance float64  `json:"distance"`
	PValue   float64  `json:"p_value"`
}

// answer returns how to answer for rows; those of the training table are told by their number.
func (f *noveltyFlags) answer(ctx context.Context, k *known, r *noveltyReport) rowAnswers {
	return func(t *table.Table) ([]field, error) {
		x, err := matrix.New(0, 0), error(nil)
		if t != k.table {
			x, err = k.see(t)
		}
		if err != nil {
			return nil, err
		}
		found, err := inference.Novelty(ctx, k.sample, x)
		if err != nil {
			return nil, explain.New(t, err)
		}
		distances, p := found.Distances, found.PValues
		if t == k.table {
			distances, p = found.TrainingDistances, found.TrainingPValues
		}
		for i, v := range p {
			if v <= f.level {
				r.Below++
			}
			if f.json {
				r.Rows = append(r.Rows, noveltyRow{t.Rows[i], idsOf(t, i), distances[i], v})
			}
		}
		r.p = append(r.p, p...)
		r.N, r.Discoveries = len(r.p), inference.Discoveries(r.p, f.level)
		return []field{
			numberField("distance", func(i int) float64 { return distances[i] }),
			numberField("p", func(i int) float64 { return p[i] }),
		}, nil
	}
}

func (r *noveltyReport) write(p *printer) {
	r.writeKnown(p)
	p.printf("rows\t%d; %d with p-values of at most %v, where rows like those of training would be %.4g\n", r.N, r.Below, r.Level, r.Level*float64(r.N))
	p.printf("discoveries\t%s at a false discovery rate of %v (Benjamini and Hochberg)\n", plural.Count(r.Discoveries, "row"), r.Level)
	p.printf("p-values\t%s\n", r.Guarantee)
}
