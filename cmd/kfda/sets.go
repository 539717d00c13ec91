package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/inference"
	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
)

type setFlags struct {
	newRowFlags
	coverage float64
	check    bool
}

func newSets(s streams) *cobra.Command {
	f := &setFlags{}
	cmd := &cobra.Command{
		Use:   "sets TRAIN FILE [--label COLUMN] [flags]",
		Short: "Say which classes rows may be of, with a guarantee",
		Long: `sets says of each row of the table in FILE which classes it may be of, given the
labelled rows of the table in TRAIN: of the rows of each class, the set holds the true one
in a share of at least --coverage, on average over training tables and new rows, for any
number of rows and any distribution, as long as rows of a class are exchangeable, as draws
from one population are. A set of several classes is a row that may be of any of them; an
empty one is a row like none of the classes. The p-value of a class is how a row ranks
among the training rows of that class, by kernel ridge regression on the classes without
the row itself (full conformal prediction). A class needs 9 rows for --coverage 0.9 to be
able to leave it out, 19 for 0.95.

With --target the rows get an interval for the number in that column, which holds it in a
share of at least --coverage of all rows.

The guarantee is exact where the columns, the kernel, the ridge and the scaling were fixed
without these rows, as with --gamma, --ridge and --scale none, or taken from a model that
was fitted to other rows, with --settings. What else is learnt from TRAIN makes it
approximate, and the command says so. With --landmarks twice as many rows of TRAIN, random
ones, are set aside to draw them among.

The rows are written as CSV: number or --ids; prediction, its credibility (the p-value) and
confidence (one less the second largest), the set with | between classes (and \ before a
| or \ in a name), and the p-value of each class; of numbers the prediction, low and high.`,
		Example: `  kfda sets train.csv new.csv --label species --coverage 0.9 --gamma 0.1 --ridge 0.5 --scale none
  kfda tune train.csv --rows 0::2 -o m.kfda
  kfda sets train.csv new.csv --rows 1::2 --settings m.kfda -o sets.csv
  kfda sets fish.csv new.csv --target Weight --coverage 0.95`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, s, args[0], args[1]) },
	}
	cmd.Flags().Float64Var(&f.coverage, "coverage", 0.9, "`share` of the sets that hold the truth, at least")
	cmd.Flags().BoolVar(&f.check, "check", false, "count how many sets hold the labels, or targets, that FILE has too")
	f.add(cmd, "sets")
	return cmd
}

func (f *setFlags) run(cmd *cobra.Command, s streams, train, path string) error {
	if !(f.coverage > 0 && f.coverage < 1) {
		return usage("--coverage %v: want a share above 0 and below 1, such as 0.9", f.coverage)
	}
	opt, err := f.fit.table.options(s)
	if err != nil {
		return err
	}
	if err := f.checkFiles(train, path); err != nil {
		return err
	}
	k, err := f.train(cmd, s, train, opt)
	if err != nil {
		return err
	}
	defer k.undo()
	opt.Unlabelled, opt.Target = !f.check, k.table.Targets != nil
	r := &setReport{Coverage: f.coverage, knownReport: k.report()}
	answer := f.classes(cmd.Context(), k, r)
	if opt.Target {
		answer = f.numbers(cmd.Context(), k, r)
	} else {
		f.noticeCounts(s, k)
	}
	parts, err := f.parts(s, k, path, opt)
	if err != nil {
		return err
	}
	return f.write(cmd.Context(), s, parts, k, &r.knownReport, r, answer)
}

// noticeCounts names the classes that are in every set.
func (f *setFlags) noticeCounts(s streams, k *known) {
	fewest := inference.FewestRows(f.coverage)
	classes, few := discriminant.Classes(k.table.Labels), []string(nil)
	for i, n := range classSums(classes, k.table.Labels, nil) {
		if int(n) < fewest {
			few = append(few, fmt.Sprintf("%s (%.0f)", show.Name(classes[i]), n))
		}
	}
	if few != nil {
		notice(s.err, "%s: every set holds the classes of fewer than %s, the fewest that can leave one out at --coverage %v: %s", k.table.File, plural.Count(fewest, "row"), f.coverage, show.List(few, listed))
	}
}

// setReport says what came of all rows.
type setReport struct {
	Coverage float64 `json:"coverage"`
	knownReport
	Sizes   []int          `json:"sizes,omitempty"` // how many sets have 0, 1, … classes
	Size    *float64       `json:"mean_size,omitempty"`
	Width   *float64       `json:"mean_width,omitempty"` // of intervals, of the finite ones
	Endless int            `json:"endless,omitempty"`    // intervals
	Held    []heldReport   `json:"held,omitempty"`       // --check
	Unknown []unknownLabel `json:"unknown,omitempty"`    // labels that TRAIN does not have
	Rows    []setRow       `json:"rows,omitempty"`
}

// heldReport is how many sets hold the truth.
type heldReport struct {
	Class string `json:"class,omitempty"`
	Rows  int    `json:"rows"`
	Held  int    `json:"held"`
}

// setRow is a new row.
type setRow struct {
	Row         int        `json:"row"`
	IDs         []string   `json:"ids,omitempty"`
	Prediction  string     `json:"prediction,omitempty"`
	Credibility *float64   `json:"credibility,omitempty"`
	Confidence  *float64   `json:"confidence,omitempty"`
	Set         *[]string  `json:"set,omitempty"`
	PValues     []namedOne `json:"p_values,omitempty"`
	Value       *float64   `json:"value,omitempty"`
	Low         *float64   `json:"low,omitempty"` // not there where the interval has no end
	High        *float64   `json:"high,omitempty"`
}

// classes returns how to find the sets of rows.
func (f *setFlags) classes(ctx context.Context, k *known, r *setReport) rowAnswers {
	total := 0
	return func(t *table.Table) ([]field, error) {
		x, err := k.see(t)
		if err != nil {
			return nil, err
		}
		sets, err := inference.PredictionSets(ctx, k.sample, k.table.Labels, x, f.coverage)
		if err != nil {
			return nil, explain.New(t, err)
		}
		if r.Sizes == nil {
			r.Sizes = make([]int, len(sets.Classes)+1)
			r.Held = f.held(sets.Classes)
		}
		best := make([]setRow, len(t.Rows))
		for i := range best {
			class, credibility, confidence := sets.Best(i)
			set := append([]string{}, sets.Of(i)...)
			best[i] = setRow{Prediction: class, Credibility: &credibility, Confidence: &confidence, Set: &set}
			r.Sizes[len(set)]++
			total += len(set)
			if f.check {
				r.count(t.Labels[i], set)
			}
		}
		r.N += len(best)
		size := float64(total) / float64(r.N)
		r.Size = &size
		fields := []field{
			{"prediction", func(i int) string { return table.Quote(best[i].Prediction) }},
			numberField("credibility", func(i int) float64 { return *best[i].Credibility }),
			numberField("confidence", func(i int) float64 { return *best[i].Confidence }),
			{"set", func(i int) string { return table.Quote(joined(*best[i].Set)) }},
		}
		for j, class := range sets.Classes {
			fields = append(fields, numberField("p("+class+")", func(i int) float64 { return sets.PValues.At(i, j) }))
			for i := range best {
				best[i].PValues = append(best[i].PValues, namedOne{class, sets.PValues.At(i, j)})
			}
		}
		r.keep(f.json, t, best)
		return fields, nil
	}
}

// joined writes labels with | between them, and \ before one, or before a \, in a label.
func joined(set []string) string {
	var all []string
	for _, label := range set {
		all = append(all, strings.NewReplacer(`\`, `\\`, "|", `\|`).Replace(label))
	}
	return strings.Join(all, "|")
}

// held starts the counts of --check.
func (f *setFlags) held(classes []string) (all []heldReport) {
	for _, c := range classes {
		if f.check {
			all = append(all, heldReport{Class: c})
		}
	}
	return all
}

// count counts whether a set holds a label.
func (r *setReport) count(label string, set []string) {
	k := slices.IndexFunc(r.Held, func(h heldReport) bool { return h.Class == label })
	if k >= 0 {
		r.Held[k].Rows++
		if slices.Contains(set, label) {
			r.Held[k].Held++
		}
		return
	}
	k = slices.IndexFunc(r.Unknown, func(u unknownLabel) bool { return u.Label == label })
	if k < 0 {
		k, r.Unknown = len(r.Unknown), append(r.Unknown, unknownLabel{Label: label})
	}
	r.Unknown[k].Count++
}

// keep adds rows to those that --json prints.
func (r *setReport) keep(asJSON bool, t *table.Table, rows []setRow) {
	for i := range rows {
		if !asJSON {
			return
		}
		rows[i].Row, rows[i].IDs = t.Rows[i], idsOf(t, i)
		r.Rows = append(r.Rows, rows[i])
	}
}

// numbers returns how to find the intervals of rows.
func (f *setFlags) numbers(ctx context.Context, k *known, r *setReport) rowAnswers {
	sum := 0.0
	return func(t *table.Table) ([]field, error) {
		x, err := k.see(t)
		if err != nil {
			return nil, err
		}
		found, err := inference.PredictionIntervals(ctx, k.sample, k.table.Targets, x, f.coverage)
		if err != nil {
			if fewest := inference.FewestRows(f.coverage); k.sample.Rows() < fewest {
				err = fmt.Errorf("%s: --coverage %v takes %d training rows, and there are %d: with these an interval of all numbers alone would do", k.table.File, f.coverage, fewest, k.sample.Rows())
				return nil, err
			}
			return nil, explain.New(t, err)
		}
		if f.check && r.Held == nil {
			r.Held = []heldReport{{}}
		}
		rows := make([]setRow, len(found))
		for i, v := range found {
			rows[i] = setRow{Value: &found[i].Value, Low: finite(v.Low), High: finite(v.High)}
			if width := v.High - v.Low; math.IsInf(width, 0) {
				r.Endless++
			} else {
				sum += width
			}
			if f.check {
				r.Held[0].Rows++
				if goal := t.Targets[i]; v.Low <= goal && goal <= v.High {
					r.Held[0].Held++
				}
			}
		}
		if r.N += len(found); r.N > r.Endless {
			width := sum / float64(r.N-r.Endless)
			r.Width = &width
		}
		r.keep(f.json, t, rows)
		return []field{
			numberField("prediction", func(i int) float64 { return found[i].Value }),
			numberField("low", func(i int) float64 { return found[i].Low }),
			numberField("high", func(i int) float64 { return found[i].High }),
		}, nil
	}
}

// finite returns v, nil where it is infinite.
func finite(v float64) *float64 {
	if math.IsInf(v, 0) {
		return nil
	}
	return &v
}

func (r *setReport) write(p *printer) {
	r.writeKnown(p)
	if r.Sizes != nil {
		several := r.N - r.Sizes[0] - r.Sizes[1]
		p.printf("sets\t%s: %d of one class, %d of several, %d of none; %.4g classes on average\n", plural.Count(r.N, "row"), r.Sizes[1], several, r.Sizes[0], *r.Size)
	} else if r.Width != nil {
		p.printf("intervals\t%s, %.4g wide on average\n", plural.Count(r.N, "row"), *r.Width)
	}
	if r.Endless > 0 {
		p.printf("endless\t%s: too many training rows depend on the value itself; a larger ridge helps\n", plural.Count(r.Endless, "interval"))
	}
	for _, h := range r.Held {
		name := "all"
		if h.Class != "" {
			name = show.Name(h.Class)
		}
		if h.Rows > 0 {
			p.printf("held\t%s: %d of %d, %.4f\n", name, h.Held, h.Rows, float64(h.Held)/float64(h.Rows))
		}
	}
	for _, u := range r.Unknown {
		p.printf("unknown\t%s with label %s, which TRAIN does not have\n", plural.Count(u.Count, "row"), show.Name(u.Label))
	}
	p.printf("coverage\t%v; the guarantee is %s\n", r.Coverage, r.Guarantee)
}
