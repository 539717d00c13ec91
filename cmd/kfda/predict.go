package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/table"
)

type predictFlags struct {
	table      tableFlags
	rows       rowFlags
	values     bool
	posteriors bool
}

func newPredict(s streams) *cobra.Command {
	f := &predictFlags{}
	cmd := &cobra.Command{
		Use:   "predict MODEL FILE [flags]",
		Short: "Classify the rows of a table",
		Long: `predict writes the class of each row of the table in FILE as CSV with a header:
the number of the row, counted from 0, or with --ids the text of a column as it
is; then the prediction; with --posteriors the probability of each class, p(CLASS),
of a model with the classifier gaussian, gaussian-per-class or knn, or of an svm
fitted with --probability; with --decision-values the decision
value of a model with two classes, positive for the later class: log odds for
gaussian, a difference of votes for knn, the value of a model ridge, and for
centroid the distance from the middle between the means of the classes (kpca: a
difference of squared distances). Rows dropped for missing cells or not selected are left out. FILE
may be larger than memory: it is read and written some thousand rows at a time.

The columns of FILE are matched to those of training by name if both files have
a header, else by position. MODEL or FILE may be "-", the standard input.`,
		Example: `  kfda predict iris.kfda new.csv
  kfda predict iris.kfda new.csv --ids sample -o predictions.csv`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), s, args[0], args[1]) },
	}
	f.rows.add(cmd, "predictions")
	cmd.Flags().BoolVar(&f.posteriors, "posteriors", false, "write the probability of each class too")
	cmd.Flags().BoolVar(&f.values, "decision-values", false, "write the decision values too (two classes)")
	f.table.add(cmd, "(needed only if columns are matched by position)")
	return cmd
}

// remedyForPosteriors says why a model has no posteriors, and how to fit one that has.
func remedyForPosteriors(m *savedModel) string {
	_, machines := m.SVM()
	d, classified := m.Details().(interface {
		Classifier() discriminant.Classifier
	})
	switch {
	case machines && m.Method() == "svm":
		return "this svm has no probabilities for --posteriors; fit it with --probability"
	case machines:
		return "the --classifier svm of this model has no probabilities for --posteriors; fit it with --probability"
	case !classified:
		return fmt.Sprintf("a model %s has no probabilities for --posteriors; fit another one, with --classifier gaussian, gaussian-per-class or knn, or --model svm --probability", m.Method())
	}
	return fmt.Sprintf("the --classifier %v of this model has no probabilities for --posteriors; fit with --classifier gaussian, gaussian-per-class or knn, or with svm and --probability", d.Classifier())
}

func (f *predictFlags) run(ctx context.Context, s streams, modelPath, path string) error {
	if err := checkOutput(f.rows.output, modelPath, path); err != nil {
		return err
	}
	m, opt, err := f.table.model(s, modelPath, path)
	if err != nil {
		return err
	}
	if m.numbers != nil && (f.posteriors || f.values) {
		return usage("%s is a regression, whose predictions are numbers: --posteriors and --decision-values are for classes", m.path)
	}
	if f.values && len(m.Classes()) != 2 {
		return fmt.Errorf("%s: --decision-values needs two classes, and there are %d", m.path, len(m.Classes()))
	}
	opt.Unlabelled = true
	var some *gram.Sample // of the rows, to compare with those of the training
	if m.comparesColumns() {
		some = gram.NewSample(partRows(m.Dim()), 0)
	}
	far := farRows{m: m}
	return f.rows.write(ctx, s, f.rows.parts(s, &f.table, m, path, opt), func(t *table.Table) ([]field, error) {
		for i, row := range t.Rows {
			if some == nil {
				break
			}
			if err := some.Add(uint64(row), t.X.Row(i)); err != nil {
				return nil, err
			}
		}
		fields, err := f.fields(s, m, t)
		if err == nil {
			_, err = far.add(t)
		}
		return fields, err
	}, func(t *table.Table) error {
		if some != nil {
			sampled := *t
			sampled.X, _ = some.Rows()
			if err := m.noticeDifference(s, &sampled, far.rows); err != nil {
				return err
			}
		}
		far.notice(s, t.File)
		return nil
	})
}

// fields are what is written of each row of t.
func (f *predictFlags) fields(s streams, m *savedModel, t *table.Table) ([]field, error) {
	a, err := m.predicted(s, t)
	if err != nil {
		return nil, err
	}
	fields := []field{textField("prediction", a.classes)}
	if m.numbers != nil {
		fields[0] = numberField(cmp.Or(m.layout.LabelName, "prediction"), func(i int) float64 { return a.values[i] })
	}
	if f.posteriors {
		p, err := m.Posteriors(nil, t.X)
		if none := (*discriminant.PosteriorsError)(nil); errors.As(err, &none) {
			return nil, fmt.Errorf("%s: %s", m.path, remedyForPosteriors(m))
		}
		if err != nil {
			return nil, explain.New(t, err)
		}
		for j, class := range m.Classes() {
			fields = append(fields, numberField("p("+class+")", func(i int) float64 { return p.At(i, j) }))
		}
	}
	if f.values {
		values, err := m.Decision(nil, t.X)
		if err != nil {
			return nil, explain.New(t, err)
		}
		fields = append(fields, numberField("decision", func(i int) float64 { return values[i] }))
	}
	return fields, nil
}
