package main

import (
	"bytes"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/cmd/kfda/internal/table"
)

type predictFlags struct {
	table    tableFlags
	ids      string
	decision bool
	output   string
}

func newPredict(s streams) *cobra.Command {
	f := &predictFlags{}
	cmd := &cobra.Command{
		Use:   "predict MODEL FILE [flags]",
		Short: "Classify the rows of a table",
		Long: `predict writes the class of each row of the table in FILE as CSV with a header:
the number of the row, counted from 0, or with --ids the text of a column as it
is; then the prediction; with --decision the decision value of a model with two
classes, which is positive for the later class. Rows dropped for missing cells
or not selected are left out.

The columns of FILE are matched to those of training by name if both files have
a header, else by position. MODEL or FILE may be "-", the standard input.`,
		Example: `  kfda predict iris.kfda new.csv
  kfda predict iris.kfda new.csv --ids sample -o predictions.csv`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(s, args[0], args[1]) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.output, "output", "o", "-", "`file` to write to; \"-\" is the standard output")
	flags.StringVar(&f.ids, "ids", "", "`column` to write beside the predictions, digit by digit: a name, or a position from 1")
	flags.BoolVar(&f.decision, "decision", false, "write the decision values too (two classes)")
	f.table.add(cmd, "(needed only if columns are matched by position)")
	return cmd
}

func (f *predictFlags) run(s streams, modelPath, path string) error {
	opt, err := f.table.options(s)
	if err != nil {
		return err
	}
	if modelPath == "-" && path == "-" {
		return usage("MODEL and FILE cannot both be the standard input")
	}
	m, layout, err := loadModel(modelPath, s.in)
	if err != nil {
		return err
	}
	opt.IDs, opt.Layout, opt.Unlabelled = f.ids, layout, true
	t, err := table.Read(path, s.in, opt)
	if err != nil {
		return err
	}
	classes, err := m.Predict(nil, t.X)
	if err != nil {
		return locate(t, err)
	}
	var decision []float64
	if f.decision {
		if decision, err = m.Decision(nil, t.X); err != nil {
			return locate(t, err)
		}
	}
	data := f.csv(t, classes, decision)
	if f.output != "-" {
		return writeFile(f.output, data)
	}
	_, err = s.out.Write(data)
	return err
}

// csv is the predictions as text.
func (f *predictFlags) csv(t *table.Table, classes []string, decision []float64) []byte {
	var b bytes.Buffer
	head := "row"
	if f.ids != "" {
		head = t.IDName
		if head == "" {
			head = "id"
		}
	}
	b.WriteString(table.Quote(head) + ",prediction")
	if decision != nil {
		b.WriteString(",decision")
	}
	b.WriteByte('\n')
	for i, class := range classes {
		if f.ids != "" {
			b.WriteString(table.Quote(t.IDs[i]))
		} else {
			b.WriteString(strconv.Itoa(t.Rows[i]))
		}
		b.WriteString("," + table.Quote(class))
		if decision != nil {
			b.WriteString("," + strconv.FormatFloat(decision[i], 'g', -1, 64))
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}
