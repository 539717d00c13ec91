package main

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant/inference"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

// compare tests whether the rows of FILE as a whole differ from those of TRAIN. What is learnt is learnt
// from both alike, so that it is the same for every permutation of what they are called.
func (f *noveltyFlags) compare(cmd *cobra.Command, s streams, train, path string, opt table.Options) error {
	if f.permutations < 0 || f.permutations > mostPermutations {
		return usage("--permutations %d: want 0 to %d", f.permutations, mostPermutations)
	}
	k, set, limit, err := f.start(cmd, s, train, opt)
	if err != nil {
		return err
	}
	t, dropped, err := f.joined(s, k, path, opt)
	if err != nil {
		return err
	}
	test := testFlags{fit: f.fit, permutations: f.permutations, seed: f.seed}
	var x *matrix.Dense
	p := k.p
	if f.settings == "" {
		scaling, e := f.fit.kernelScaling(cmd.Flags().Changed, "standard")
		if e != nil {
			return e
		}
		if x, p, err = featuresOf(t, set.Kernel, scaling); err == nil {
			if err = prepare(p, &set.Kernel); err != nil {
				err = explainTest(t, set.Kernel, err)
			}
		}
	} else if x, err = k.x(t.X); err != nil {
		err = explain.New(t, err)
	}
	if err != nil {
		return err
	}
	n := len(k.table.Rows)
	k.again = newCopies(x.View(0, 0, n, x.Cols))
	added := x.View(n, 0, x.Rows-n, x.Cols)
	k.again.count(added)
	if same := k.again.seen(); same > 0 {
		notice(s.err, "%s: %s are in %s too, so that the two differ less than new rows would", path, someOf(same, added.Rows), k.table.File)
	}
	if test.fixed, test.given, test.p = set, k.landmarks, p; f.settings == "" {
		test.fixed.Kernel = nil
	} else if k.fitted.count(added); k.learnt != nil || k.fitted.seen() > 0 {
		notice(s.err, "%s was fitted to some of these rows, so that the p-value is approximate; give --settings a model of other rows, or none", k.settings)
	}
	r, err := test.report(cmd, s, t, x, []gram.Kernel{set.Kernel}, inference.TestOptions{Permutations: f.permutations, Seed: f.seed}, limit)
	if err != nil {
		return err
	}
	r.Scale, r.Dropped = k.scale, dropped
	r.Columns = correlated(t, p, x, r.projections)
	return writeReport(s.out, f.json, r)
}

// joined returns the rows of TRAIN and of FILE as one table, with labels for which they are, and how many
// were dropped.
func (f *noveltyFlags) joined(s streams, k *known, path string, opt table.Options) (t *table.Table, dropped int, err error) {
	opt.NewLevels = f.settings == ""
	parts, err := f.parts(s, k, path, opt)
	if err != nil {
		return nil, 0, err
	}
	added, err := parts(nil)
	if err != nil {
		return nil, 0, k.explainKind(err, opt.NewLevels)
	}
	both, n := *k.table, len(k.table.Rows)
	both.Rows, both.Lines = slices.Concat(both.Rows, added.Rows), slices.Concat(both.Lines, added.Lines)
	both.X = matrix.New(len(both.Rows), both.X.Cols)
	both.X.View(0, 0, n, both.X.Cols).CopyFrom(k.table.X)
	both.X.View(n, 0, added.X.Rows, both.X.Cols).CopyFrom(added.X)
	both.Layout.Columns = added.Layout.Columns
	if opt.NewLevels && f.fit.table.categories == nil {
		both.PairNew(k.table.Layout.Columns)
	}
	both.File += " and " + path
	both.Labels = append(slices.Repeat([]string{"train"}, n), slices.Repeat([]string{"new"}, len(both.Rows)-n)...)
	both.Classes = map[string]int{"train": n, "new": len(both.Rows) - n}
	return &both, k.table.DroppedRows() + added.DroppedRows(), nil
}

// explainKind says, of cells in FILE that are not what the column is in TRAIN, how to read it in both as texts.
func (k *known) explainKind(err error, learns bool) error {
	var wrong *table.Error
	if !errors.As(err, &wrong) || wrong.Kind != table.Number || !learns {
		return err
	}
	for j := range k.table.Layout.Features {
		if kinds := k.table.Layout.Columns; kinds != nil && kinds[j].Kind == table.Category {
			continue
		}
		if at := k.table.Position(-1, j); at.Name == wrong.Name && (at.Name != "" || at.Column == wrong.Column) {
			wrong.Advice = "\n  correct such cells, name those that stand for missing ones (--missing-values), or, where the column holds names in both files, say "
			wrong.Flags = "--categories " + table.ColumnArgument(at.Column, at.Name)
		}
	}
	return err
}
