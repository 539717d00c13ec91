package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/cmd/kfda/internal/table"
	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
)

// fitFlags are the settings of a fit.
type fitFlags struct {
	table         tableFlags
	kernel        kernelFlags
	regularizer   string
	ridge         float64
	relativeRidge float64
	components    int
	scale         string
	output        string
	json          bool
}

func newFit(s streams) *cobra.Command {
	f := &fitFlags{}
	cmd := &cobra.Command{
		Use:   "fit TRAIN [--label COLUMN] -o MODEL [flags]",
		Short: "Fit a model to a table",
		Long: `fit reads the table in the file TRAIN ("-" is the standard input), fits a kernel
Fisher discriminant, and writes the model to the file MODEL. If anything goes
wrong MODEL is left as it was.

The ridge that keeps the problem solvable is added to the within-class scatter
(--regularizer ridge) or is the norm in the kernel's feature space (rkhs, which
needs a quarter of the time). --relative-ridge gives it relative to the mean
eigenvalue of the scatter, --ridge as it is.`,
		Example: `  kfda fit iris.csv --label species -o iris.kfda
  kfda fit wine.csv --rows 0::2 --kernel poly --degree 2 --ridge 0.1 -o wine.kfda`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, s, args[0]) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.output, "output", "o", "", "`file` to write the model to; \"-\" is the standard output")
	f.kernel.add(cmd)
	flags.StringVar(&f.regularizer, "regularizer", "ridge", "`name` of the regulariser: ridge or rkhs")
	flags.Float64Var(&f.ridge, "ridge", 0, "ridge `epsilon`, above 0")
	flags.Float64Var(&f.relativeRidge, "relative-ridge", 1e-3, "ridge as a `share` of the mean eigenvalue of the scatter, above 0")
	flags.IntVar(&f.components, "components", 0, "`number` of discriminant directions (default all: classes - 1)")
	flags.StringVar(&f.scale, "scale", "", "`how` to scale the columns: none, standard (mean 0, deviation 1) or minmax (0 to 1) (default standard, but none for chi2 and precomputed)")
	flags.BoolVar(&f.json, "json", false, "print the report as one JSON object")
	f.table.add(cmd, "(default the last column)")
	cmd.MarkFlagsMutuallyExclusive("ridge", "relative-ridge")
	cmd.MarkFlagRequired("output")
	return cmd
}

// method checks the flags and returns the settings of the library.
func (f *fitFlags) method(cmd *cobra.Command) (discriminant.KFDA, error) {
	given := cmd.Flags().Changed
	var m discriminant.KFDA
	var err error
	if m.Kernel, err = f.kernel.kernel(cmd); err != nil {
		return m, err
	}
	switch {
	case f.regularizer == "ridge" && given("ridge"):
		m.Regularizer = discriminant.Ridge(f.ridge)
	case f.regularizer == "ridge":
		m.Regularizer = discriminant.RelativeRidge(f.relativeRidge)
	case f.regularizer == "rkhs" && given("ridge"):
		m.Regularizer = discriminant.RKHS(f.ridge)
	case f.regularizer == "rkhs":
		m.Regularizer = discriminant.RelativeRKHS(f.relativeRidge)
	default:
		return m, usage("--regularizer %q: want ridge or rkhs", f.regularizer)
	}
	if given("components") && f.components < 1 {
		return m, usage("--components %d: want 1 or more; leave it out for all", f.components)
	}
	m.Components = f.components
	if !given("scale") {
		kind, err := f.kernel.kind()
		if err != nil {
			return m, err
		}
		f.scale = kind.scale
	}
	if _, ok := m.Kernel.(gram.Precomputed); ok {
		if f.scale != "none" {
			return m, usage("--scale %s does not apply to a precomputed kernel", f.scale)
		}
		if f.table.rows != "" {
			return m, usage("--rows does not apply to a precomputed kernel: its columns belong to its rows")
		}
	}
	switch f.scale {
	case "none":
	case "standard":
		m.Scaling = discriminant.Standard
	case "minmax":
		m.Scaling = discriminant.MinMax
	default:
		return m, usage("--scale %q: want none, standard or minmax", f.scale)
	}
	if err := m.Validate(); err != nil {
		return m, usageError{err}
	}
	return m, nil
}

func (f *fitFlags) run(cmd *cobra.Command, s streams, train string) error {
	method, err := f.method(cmd)
	if err != nil {
		return err
	}
	opt, err := f.table.options(s)
	if err != nil {
		return err
	}
	if f.output == "" {
		return usage("-o: want the name of a file")
	}
	report := s.out
	if f.output == "-" {
		if f.json {
			return usage("--json and -o - would both write to the standard output")
		}
		report = s.err
	}

	if f.output != "-" {
		// A fit may take long; this mistake is better known before.
		if _, err := os.Stat(filepath.Dir(f.output)); err != nil {
			return err
		}
	}

	start := time.Now()
	t, err := table.Read(train, s.in, opt)
	if err != nil {
		return err
	}
	read := time.Since(start)

	start = time.Now()
	m, err := discriminant.Fit(cmd.Context(), method, t.X, t.Labels)
	if err != nil {
		return locate(t, err)
	}
	r := newFitReport(t, m, f)
	r.Seconds = map[string]float64{"read": read.Seconds(), "fit": time.Since(start).Seconds()}

	if m, err = withLayout(m, t.Layout); err != nil {
		return err
	}
	if r.Certificate.CutsCluster {
		fmt.Fprintln(s.err, "kfda: the directions left out have the same eigenvalue as the last one kept, so the data do not determine which are kept; choose another number of --components")
	}
	data, err := m.MarshalBinary()
	if err != nil {
		return err
	}
	if f.output == "-" {
		_, err = s.out.Write(data)
	} else {
		err = writeFile(f.output, data)
	}
	if err != nil {
		return err
	}
	if f.json {
		return writeJSON(report, r)
	}
	return r.write(report)
}

// fitReport is what fit prints.
type fitReport struct {
	Train    string `json:"train"`
	Model    string `json:"model"`
	Rows     int    `json:"rows"`
	Features int    `json:"features"`
	Dropped  int    `json:"dropped"`
	kernelParameters
	Regularizer   string             `json:"regularizer"`
	RelativeRidge *float64           `json:"relative_ridge,omitempty"`
	Ridge         float64            `json:"ridge"`
	Scale         string             `json:"scale"`
	Components    int                `json:"components"`
	Eigenvalues   []float64          `json:"eigenvalues"`
	Classes       []string           `json:"classes"`
	Counts        []int              `json:"counts"`
	Certificate   certificate        `json:"certificate"`
	Seconds       map[string]float64 `json:"seconds"`

	kernel string
}

// certificate is a discriminant.Certificate as it stands in --json.
type certificate struct {
	Solver         string  `json:"solver"`
	Backward       float64 `json:"backward_error"`
	CondBound      float64 `json:"condition_bound"`
	Growth         float64 `json:"growth"`
	KernelRounding float64 `json:"kernel_rounding"`
	Rank           int     `json:"rank"`
	Passes         int     `json:"passes"`
	CutsCluster    bool    `json:"cuts_cluster"`
}

func newFitReport(t *table.Table, m *model, f *fitFlags) *fitReport {
	r := &fitReport{
		Train:            t.File,
		Model:            f.output,
		Rows:             t.X.Rows,
		Features:         t.X.Cols,
		kernelParameters: parametersOf(m.Kernel()),
		Regularizer:      f.regularizer,
		Ridge:            m.Ridge(),
		Scale:            f.scale,
		Components:       m.Components(),
		Eigenvalues:      m.Eigenvalues(),
		Classes:          m.Classes(),
		Counts:           m.Counts(),
		Certificate:      certificate(m.Certificate()),
		kernel:           m.Kernel().String(),
	}
	if f.ridge == 0 {
		r.RelativeRidge = &f.relativeRidge
	}
	if t.Dropped != nil {
		r.Dropped = len(t.Dropped.Lines)
	}
	return r
}

func (r *fitReport) write(w io.Writer) error {
	p := &printer{w: w}
	p.printf("rows         %d, with %d features", r.Rows, r.Features)
	if r.Dropped > 0 {
		p.printf(" (%d incomplete rows dropped)", r.Dropped)
	}
	p.printf("\nclasses      ")
	for j, c := range r.Classes {
		if j > 0 {
			p.printf(", ")
		}
		p.printf("%s %d", showLabel(c), r.Counts[j])
	}
	p.printf("\nkernel       %s, columns scaled: %s\n", r.kernel, r.Scale)
	p.printf("ridge        %.6g (%s", r.Ridge, r.Regularizer)
	if r.RelativeRidge != nil {
		p.printf(", %g relative", *r.RelativeRidge)
	}
	p.printf(")\neigenvalues  ")
	for k, v := range r.Eigenvalues {
		if k > 0 {
			p.printf(", ")
		}
		p.printf("%.6g", v)
	}
	c := r.Certificate
	p.printf("\nerrors       backward %.2g, of the kernel's rounding %.2g; condition at most %.2g", c.Backward, c.KernelRounding, c.CondBound)
	p.printf("\nseconds      read %.3g, fit %.3g\n", r.Seconds["read"], r.Seconds["fit"])
	p.printf("model        %s\n", r.Model)
	return p.err
}

// printer keeps the first error of many writes.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}
