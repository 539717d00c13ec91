package main

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

func newInspect(s streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "inspect MODEL [flags]",
		Short: "Show what a model holds",
		Long: `inspect prints the settings of the fit that MODEL is of, with all defaults
resolved, its eigenvalues, how far it can be trusted, the columns that it needs
and how it scales them: a value x becomes (x - shift) / scale. The SHA-256 is that of the training rows, as float64
little-endian, each followed by its class number as uint64.`,
		Example: `  kfda inspect iris.kfda
  kfda inspect iris.kfda --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			m, err := loadModel(args[0], s.in)
			if err != nil {
				return err
			}
			return writeReport(s.out, asJSON, newInspectReport(m))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print all of it as one JSON object")
	return cmd
}

// inspectReport is what inspect prints.
type inspectReport struct {
	Model    string `json:"model"`
	Training struct {
		Rows    int    `json:"rows"`
		Columns int    `json:"columns"`
		SHA256  string `json:"sha256,omitempty"` // none of a stream
	} `json:"training"`
	modelReport
	Weight    string         `json:"weight,omitempty"` // the column of the weights of the rows
	HeldOut   *heldOut       `json:"held_out,omitempty"`
	Search    *cv.Record     `json:"search,omitempty"` // by tune
	Missing   string         `json:"missing"`          // what is done about missing cells
	Columns   []columnReport `json:"columns"`
	Centroids [][]float64    `json:"centroids"`

	certificate string
}

// columnReport is a column of the training table.
type columnReport struct {
	Position int      `json:"position"` // from 1
	Name     string   `json:"name,omitempty"`
	Shift    *float64 `json:"shift,omitempty"`
	Scale    *float64 `json:"scale,omitempty"`
	Constant bool     `json:"constant,omitempty"` // but for rounding
	Kind     string   `json:"kind,omitempty"`     // category, boolean or date; else numbers
	Levels   []string `json:"levels,omitempty"`
	Filled   *float64 `json:"filled,omitempty"` // in place of missing numbers
}

func newInspectReport(m *savedModel) *inspectReport {
	r := &inspectReport{
		Model:       m.path,
		modelReport: newModelReport(m.learnt, m.layout),
		certificate: certificateOf(m.learnt).String(),
	}
	r.weighed = weightsText(m.learnt, m.layout)
	r.addLearnt(m, &m.layout)
	if d, ok := detailsOf(m.learnt).(interface{ Centroids() *matrix.Dense }); ok {
		z := d.Centroids()
		for j := range z.Rows {
			r.Centroids = append(r.Centroids, z.Row(j))
		}
	}
	return r
}

// addLearnt adds what the model says of its training table.
func (r *inspectReport) addLearnt(m learnt, layout *table.Layout) {
	r.HeldOut = heldOutOf(m)
	r.Search, _ = searchOf(m)
	training := m.Training()
	r.Training.Rows, r.Training.Columns = training.Rows, training.Cols
	if !isStreamed(m) {
		r.Training.SHA256 = hex.EncodeToString(training.SHA256[:])
	}
	r.Weight, r.Missing = layout.Weight, cmp.Or(layout.Missing, table.RefuseMissing)
	for f, j := range layout.Features {
		c := columnReport{Position: j + 1}
		if layout.Names != nil {
			c.Name = layout.Names[f]
		}
		if layout.Columns != nil {
			c.Kind, c.Levels = layout.Columns[f].Kind.String(), layout.Columns[f].Levels
		}
		r.Columns = append(r.Columns, c)
	}
	r.addPrepared(m)
}

// addPrepared adds what the fit learnt of the columns that hold numbers.
func (r *inspectReport) addPrepared(m learnt) {
	var seen []discriminant.PreparedColumn // by the kernel
	if p := m.Preparation(); p != nil {
		seen = p.Columns()
	} else {
		for f := range r.Columns {
			seen = append(seen, discriminant.PreparedColumn{From: f, Level: -1, Missing: math.NaN()})
		}
	}
	var shift, scale []float64
	var constant []int
	if s := m.Scaler(); s != nil {
		shift, scale, constant = s.Shift(), s.Scale(), s.Constant()
	}
	for k, from := range seen {
		if from.Level >= 0 || from.Indicator {
			continue
		}
		c := &r.Columns[from.From]
		if shift != nil {
			c.Shift, c.Scale = &shift[k], &scale[k]
			c.Constant = slices.Contains(constant, k)
		}
		if !math.IsNaN(from.Missing) {
			c.Filled = &from.Missing
		}
	}
}

func (r *inspectReport) write(p *printer) {
	p.printf("model\t%s\n", r.Model)
	p.printf("training\t%s × %s\n", plural.Count(r.Training.Rows, "row"), plural.Count(r.Training.Columns, "column"))
	if r.Training.SHA256 != "" {
		p.printf("sha-256\t%s\n", r.Training.SHA256)
	}
	r.writeClasses(p)
	r.writeWeights(p)
	r.writeSettings(p)
	r.HeldOut.write(p)
	writeSearch(p, r.Search)
	r.writeEigenvalues(p)
	if r.Method != "svm" {
		p.printf("\nCertificate\n")
		for line := range strings.Lines(r.certificate) {
			p.printf("%s\n", strings.TrimSuffix(line, "\n"))
		}
	}
	p.printf("\n")
	r.writeColumns(p)
}

func (r *inspectReport) writeWeights(p *printer) {
	var by []string
	if r.Weight != "" {
		by = append(by, "column "+r.Weight)
	}
	if r.ClassWeight != "" {
		by = append(by, "--class-weight "+r.ClassWeight)
	}
	if by != nil {
		p.printf("weights\t%s\n", strings.Join(by, ", times "))
	}
}

// writeColumns prints the columns of the features and how they are scaled, or
// only the first of many.
func (r *inspectReport) writeColumns(p *printer) {
	if r.Columns == nil {
		p.printf("columns\t%d kernel values, by position\n", r.Training.Columns)
		return
	}
	var constant []string
	for _, c := range r.Columns {
		if c.Constant {
			constant = append(constant, table.ColumnText(c.Position, c.Name))
		}
	}
	if constant != nil {
		p.printf("constant up to rounding: %s\n", show.List(constant, listed))
	}
	if r.Missing != table.RefuseMissing {
		p.printf("missing cells: %s\n", r.Missing)
	}
	scaled := r.Scale != discriminant.NoScaling.String()
	lines := []string{"column"}
	if scaled {
		lines[0] = fmt.Sprintf("column\t %13s %13s", "shift", "scale")
	}
	for _, c := range r.Columns[:min(len(r.Columns), listed)] {
		line := fmt.Sprintf("%6d ", c.Position)
		if c.Name != "" {
			line += show.Name(c.Name)
		}
		if scaled && c.Shift != nil {
			line += fmt.Sprintf("\t %13.6g %13.6g", *c.Shift, *c.Scale)
		}
		if c.Levels != nil {
			line += "\t " + show.Text(c.Kind+": "+show.List(c.Levels, listed))
		} else if c.Kind != "" {
			line += " (" + c.Kind + ")"
		}
		lines = append(lines, line)
	}
	p.print(aligned(0, append(lines, "")...))
	if n := len(r.Columns) - listed; n > 0 {
		p.printf("and %d more, which --json shows\n", n)
	}
}
