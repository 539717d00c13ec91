package main

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
)

type scoreFlags struct {
	table tableFlags
	json  bool
}

func newScoreCommand(s streams) *cobra.Command {
	f := &scoreFlags{}
	cmd := &cobra.Command{
		Use:   "score MODEL FILE [flags]",
		Short: "Compare predictions with the labels of a table",
		Long: `score classifies the rows of the table in FILE and counts the errors. The labels
are those of the column that had the same name or position in training, or of
--label. A label that the model does not know counts as an error. Rows that are exactly
those of the training are scored with a warning.`,
		Example: `  kfda fit iris.csv --rows 0::2 -o iris.kfda
  kfda score iris.kfda iris.csv --rows 1::2`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, s, args[0], args[1]) },
	}
	cmd.Flags().BoolVar(&f.json, "json", false, "print the score as one JSON object")
	f.table.add(cmd, "(default the one of training)")
	f.table.weights.addRemembered(cmd)
	return cmd
}

func (f *scoreFlags) run(cmd *cobra.Command, s streams, modelPath, path string) error {
	start := time.Now()
	f.table.weights.remembered = true
	m, t, err := loadBoth(s, &f.table, modelPath, path, "", false)
	if err != nil {
		return err
	}
	read := time.Since(start)
	start = time.Now()
	a, err := m.apply(s, t)
	if err != nil {
		return err
	}
	if m.trainedOn(t) {
		notice(s.err, "%s: these are the rows that the model was trained on, so the errors say little about new rows", t.File)
	} else if h := m.heldOutHere(t); h != nil {
		notice(s.err, "%s: all rows but the %d that --holdout left out are those that the model was trained on, so the errors say little about new rows; what those %d said is in 'kfda inspect %s'", t.File, h.Rows, h.Rows, shellWord(modelPath))
	}
	weights, err := f.table.weights.of(t)
	if err != nil {
		return err
	}
	next, seconds := nextAfterScore(cmd, modelPath, path), map[string]float64{"read": read.Seconds(), "predict": time.Since(start).Seconds()}
	if m.numbers != nil {
		r := newRegressionScore(a.values, t.Targets, weights)
		r.Dropped, r.next, r.Seconds = t.DroppedRows(), next, seconds
		return writeReport(s.out, f.json, r)
	}
	r := newScore(m.Classes(), a.classes, t, weights...)
	r.Baseline = m.baseline(t.Labels, weights)
	r.next, r.Seconds = next, seconds
	return writeReport(s.out, f.json, r)
}

// score is what score prints.
type score struct {
	N        int        `json:"n"`
	Errors   int        `json:"errors"`
	Accuracy float64    `json:"accuracy"`
	Interval [2]float64 `json:"accuracy_interval"` // of 95 %
	Baseline *baseline  `json:"baseline,omitempty"`
	Classes  []string   `json:"classes"`
	// Confusion counts rows of the class of its line that were taken for the
	// class of its column.
	Confusion [][]int            `json:"confusion"`
	Unknown   []unknownLabel     `json:"unknown"`            // labels that the model does not know
	Weighted  bool               `json:"weighted,omitempty"` // the accuracy
	Dropped   int                `json:"dropped"`
	Seconds   map[string]float64 `json:"seconds,omitempty"`

	next     []string // command lines
	balanced float64  // accuracy
}

type unknownLabel struct {
	Label string `json:"label"`
	Count int    `json:"count"`
}

// newScore compares the classes of a model that were predicted for t with the
// labels of t.
func newScore(classes, predicted []string, t *table.Table, weights ...float64) *score {
	found := cv.Compare(classes, predicted, t.Labels, weights...)
	r := &score{
		N: found.Rows, Errors: found.Errors, Accuracy: found.Accuracy(), Classes: classes, Confusion: found.Confusion,
		Unknown: []unknownLabel{}, Weighted: found.Weighted(), Dropped: t.DroppedRows(), balanced: found.BalancedAccuracy(),
	}
	r.Interval = intervalOfHits(predicted, t.Labels, weights)
	for _, label := range t.Labels {
		if slices.Contains(classes, label) {
			continue
		}
		k := slices.IndexFunc(r.Unknown, func(u unknownLabel) bool { return u.Label == label })
		if k < 0 {
			k = len(r.Unknown)
			r.Unknown = append(r.Unknown, unknownLabel{Label: label})
		}
		r.Unknown[k].Count++
	}
	return r
}

func (r *score) write(p *printer) {
	p.printf("%s in %s, %saccuracy %.4f (95 %% interval %.4f to %.4f)\n", plural.Count(r.Errors, "error"), plural.Count(r.N, "row"), weightedText(r.Weighted), r.Accuracy, r.Interval[0], r.Interval[1])
	p.printf("%s by always answering %s, accuracy %.4f\n", plural.Count(r.Baseline.Errors, "error"), show.Name(r.Baseline.Class), r.Baseline.Accuracy)
	if r.Dropped > 0 {
		p.printf("%s dropped\n", plural.Count(r.Dropped, "incomplete row"))
	}
	for _, u := range r.Unknown {
		p.printf("%s with label %s, which the model does not know\n", plural.Count(u.Count, "row"), show.Name(u.Label))
	}
	p.printf("\n")
	writeConfusion(p, r.Classes, r.Confusion)
	if r.next != nil {
		p.printf("\n")
		writeNext(p, r.next)
	}
}

// weightedText stands before a share of rows with weights.
func weightedText(weighted bool) string {
	if weighted {
		return "weighted "
	}
	return ""
}

// writeConfusion prints the table of confusions, or only its large entries if
// there are too many classes for lines of a terminal.
func writeConfusion(p *printer, classes []string, confusion [][]int) {
	const most = 120
	names := make([]string, len(classes))
	lines := []string{"\t  taken for", "class\t"}
	for j, c := range classes {
		names[j] = show.Name(c)
	}
	if 3*len(names) <= most {
		for j, row := range confusion {
			lines[1] += "  " + names[j] + "\t"
			line := names[j] + "\t"
			for _, n := range row {
				line += fmt.Sprintf("  %d\t", n)
			}
			lines = append(lines, line)
		}
		table := aligned(tabwriter.AlignRight, append(lines, "")...)
		if header := strings.Split(table, "\n")[1]; utf8.RuneCountInString(header) <= most {
			p.print(table)
			return
		}
	}
	p.printf("classes taken for others:\n")
	for j, row := range confusion {
		for k, n := range row {
			if j != k && n > 0 {
				p.printf("  %s for %s: %d\n", names[j], names[k], n)
			}
		}
	}
}
