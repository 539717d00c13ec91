package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/table"
)

type projectFlags struct {
	table  tableFlags
	rows   rowFlags
	labels bool
}

func newProject(s streams) *cobra.Command {
	f := &projectFlags{}
	cmd := &cobra.Command{
		Use:   "project MODEL FILE [flags]",
		Short: "Project the rows of a table on the directions of a model",
		Long: `project writes the projection of each row of the table in FILE as CSV with a
header: the number of the row, counted from 0, or with --ids the text of a column
as it is; then z1, z2, … on the directions of descending eigenvalues, or the values
of a model ridge, in the fewest digits that read as exactly the same numbers; with
--with-labels the label of the row. Rows dropped for missing cells or not selected are left out.
FILE may be larger than memory: it is read and written some thousand rows at a time.

The columns of FILE are matched to those of training by name if both files have
a header, else by position. MODEL or FILE may be "-", the standard input.`,
		Example: `  kfda project iris.kfda new.csv
  kfda project iris.kfda iris.csv --with-labels -o projections.csv`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), s, args[0], args[1]) },
	}
	f.rows.add(cmd, "projections")
	cmd.Flags().BoolVar(&f.labels, "with-labels", false, "write the labels too; every row must then have one")
	f.table.add(cmd, "(default the one of training; needed only with --with-labels or if columns are matched by position)")
	return cmd
}

func (f *projectFlags) run(ctx context.Context, s streams, modelPath, path string) error {
	if err := checkOutput(f.rows.output, modelPath, path); err != nil {
		return err
	}
	m, opt, err := f.table.model(s, modelPath, path)
	if err == nil {
		err = m.onlyClasses()
	}
	if err != nil {
		return err
	}
	opt.Unlabelled = !f.labels
	far := farRows{m: m}
	return f.rows.write(ctx, s, f.rows.parts(s, &f.table, m, path, opt), func(t *table.Table) ([]field, error) {
		z, err := m.Project(nil, t.X)
		if err != nil {
			return nil, explain.New(t, err)
		}
		var fields []field
		for k := range z.Cols {
			fields = append(fields, numberField(fmt.Sprintf("z%d", k+1), func(i int) float64 { return z.At(i, k) }))
		}
		if f.labels {
			fields = append(fields, textField(cmp.Or(t.Layout.LabelName, "label"), t.Labels))
		}
		_, err = far.add(t)
		return fields, err
	}, func(t *table.Table) error {
		far.notice(s, t.File)
		return nil
	})
}
