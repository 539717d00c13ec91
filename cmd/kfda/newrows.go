package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/inference"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

// newRowFlags are those of the commands that compare new rows with a table: which kernel and ridge
// they do it by, and what is written.
type newRowFlags struct {
	fit      fitFlags // its table, kernel, ridges, scaling and memory
	settings string
	own      bool // the rows asked about are those of the table
	newRows  string
	rows     rowFlags
	json     bool
}

// defaultShare is the relative ridge of these commands.
const defaultShare = 0.1

func (f *newRowFlags) add(cmd *cobra.Command, what string) {
	flags := cmd.Flags()
	flags.StringVarP(&f.rows.output, "output", "o", "-", "`file` to write the rows to; \"-\" is the standard output")
	flags.StringVar(&f.rows.ids, "ids", "", "`columns` of FILE to write beside the "+what+": names or positions from 1, as for --ignore")
	flags.BoolVar(&f.json, "json", false, "print all as one JSON object; with -o the rows are in that file, too, as CSV")
	f.fit.table.addTraining(cmd)
	flags.StringVar(&f.newRows, "new-rows", "", "use only the data rows `start:stop:step` of FILE, as --rows does of TRAIN")
	flags.StringVar(&f.settings, "settings", "", "`file` of a model whose columns, kernel, ridge and scaling are taken, fitted to other rows by 'kfda fit' or 'kfda tune' (kfda with a ridge in the RKHS, or ridge)")
	long := cmd.Long
	f.fit.kernel.add(cmd)
	cmd.Long = long // the list of kernels is that of fit
	flags.Float64Var(&f.fit.ridge, "ridge", 0, "ridge `epsilon` in units of kernel values, above 0")
	flags.Float64Var(&f.fit.relativeRidge, "relative-ridge", defaultShare, "ridge as a `share` of the mean eigenvalue of the centred kernel matrix, above 0")
	namesFlag(cmd, &f.fit.scale, "scale", "", "`how` to scale the columns: %s (default standard, but none for chi2)", "none", "standard", "minmax")
	f.fit.landmarks.addSample(cmd)
	flags.StringVar(&f.fit.maxMemory, "max-memory", "", "`amount` of memory that may be needed, such as 8GB (default what the machine has, where that is known)")
	withoutModel(cmd)
	hide(cmd, notOfNewRows)
	cmd.MarkFlagsMutuallyExclusive("ridge", "relative-ridge")
}

// notOfNewRows is what only training rows can have.
var notOfNewRows = []refusal{
	{[]string{"kernel precomputed", "symmetrize"}, "new rows, whose k(x, x) is not in such a table: want a kernel of columns"},
}

// known are training rows, factored, and what is learnt from them.
type known struct {
	table     *table.Table
	sample    *inference.Sample
	x         func(*matrix.Dense) (*matrix.Dense, error) // what the kernel sees of rows
	p         *discriminant.Preparation                  // of columns before that, nil for none
	landmarks *matrix.Dense                              // or nil
	aside     int                                        // rows that these were drawn among
	learnt    []string                                   // that should be fixed beforehand
	alike     bool                                       // whether the rows asked about are those that all is learnt of
	gamma     string                                     // how to fix it
	scale     string

	undo func() // what was set for memory, when all is answered

	columns int  // that the kernel sees, of factored rows
	rough   bool // whether what is learnt of so many tells new rows from these

	again    *copies // of its rows among the new ones
	settings string  // the model of --settings, "" without
	fitted   *copies // of the rows of its fit among the new ones
}

// see returns what the kernel sees of new rows, and counts those that are not new.
func (k *known) see(t *table.Table) (*matrix.Dense, error) {
	x, err := k.x(t.X)
	if err != nil {
		return nil, explain.New(t, err)
	}
	for _, c := range []*copies{k.again, k.fitted} {
		if c != nil {
			c.count(x)
		}
	}
	return x, nil
}

// start reads the table of the training rows, and settles how to compare others with it.
func (f *newRowFlags) start(cmd *cobra.Command, s streams, path string, opt table.Options) (k *known, set inference.Settings, limit float64, err error) {
	if err = refuse(cmd, notOfNewRows); err != nil {
		return nil, set, 0, err
	}
	if err = f.fit.landmarks.checkSample(cmd); err != nil {
		return nil, set, 0, err
	}
	if limit, err = f.fit.limit(); err != nil {
		return nil, set, 0, err
	}
	k = &known{alike: f.own && f.settings == ""}
	if f.settings != "" {
		set, err = f.like(cmd, s, path, opt, k)
	} else {
		set, err = f.learn(cmd, s, path, opt, k)
	}
	if err == nil && k.table.X.Rows < 2 {
		err = fmt.Errorf("%s: 1 row alone says nothing of others: want 2 training rows or more", k.table.File)
	}
	return k, set, limit, err
}

// train reads the table of the training rows and factors it.
func (f *newRowFlags) train(cmd *cobra.Command, s streams, path string, opt table.Options) (*known, error) {
	k, set, limit, err := f.start(cmd, s, path, opt)
	if err != nil {
		return nil, err
	}
	t := k.table
	x, err := k.x(t.X)
	if err != nil {
		return nil, explain.New(t, err)
	}
	if f.settings == "" {
		if err := prepare(k.p, &set.Kernel); err != nil {
			return nil, explain.Fit(t, discriminant.KFDA{Kernel: set.Kernel}, err)
		}
	}
	k.again, k.columns = newCopies(x), x.Cols
	debug.FreeOSMemory() // what reading took
	landmarks := f.fit.landmarks.number(k.landmarks)
	plan := inference.PlanNewRows(set.Kernel, x.Rows, x.Cols, landmarks, len(t.Classes)+1, partRows(x.Cols))
	plan.Bytes = max(plan.Bytes+formatsBytes, peakMemory())
	if k.undo, err = f.fit.landmarks.collect(t, x, k.landmarks, plan, limit); err != nil {
		return nil, err
	}
	k.sample, err = untilInterrupt(cmd.Context(), func(ctx context.Context) (*inference.Sample, error) {
		announceFit(s, t, plan)
		if landmarks > 0 && k.landmarks == nil {
			if x, err = f.draw(ctx, k, &set.Kernel, x); err != nil {
				return nil, err
			}
		}
		return f.fit.landmarks.sample(ctx, set, x, k.landmarks, 0)
	})
	if err != nil {
		k.undo()
		return nil, explainSample(k.table, set.Kernel, err)
	}
	return k, nil
}

// setAside is how many rows are set aside for each landmark.
const setAside = 2

// draw draws landmarks of rows x. Where others are asked about, it does so among random rows, and takes all of
// these out of the table: what is exact for new rows asks that those which are left were chosen as they were. It
// returns the rows that are left.
func (f *newRowFlags) draw(ctx context.Context, k *known, kernel *gram.Kernel, x *matrix.Dense) (_ *matrix.Dense, err error) {
	if *kernel, err = gram.Resolve(*kernel, x); err != nil {
		return nil, err
	}
	whole, count := &table.Table{X: x}, f.fit.landmarks.count
	var aside []int // nil: all
	left := positions(x.Rows)
	if f.own {
		if count < x.Rows { // else they are all that the rows span
			k.learnt = append(k.learnt, "the landmarks")
		}
	} else if most := (x.Rows - 2) / setAside; count > most {
		return nil, fmt.Errorf("--landmarks %d: twice as many rows are set aside to draw them among, but there are %s; want %d at most, or none for so few rows", count, plural.Count(x.Rows, "row"), most)
	} else {
		k.aside = setAside * count
		aside, left = inference.SetAside(x.Rows, k.aside, 0)
		rest := pick(k.table.Labels, left)
		for _, class := range discriminant.Classes(k.table.Labels) {
			if k.table.Targets == nil && !slices.Contains(rest, class) { // which no set could hold
				return nil, fmt.Errorf("--landmarks %d are drawn among %d rows that are not compared with others, and none of class %s is left of %d; want fewer, or none for so few rows", count, k.aside, show.Name(class), x.Rows)
			}
		}
	}
	rows, err := inference.DrawLandmarks(ctx, *kernel, x, aside, count, 0)
	if err != nil {
		return nil, err
	}
	k.landmarks, k.table = rowsOf(whole, rows).X, rowsOf(k.table, left)
	return rowsOf(whole, left).X, nil
}

// noticeRough tells of columns that are learnt of too few rows: a row that the levels, fillings and scaling
// were not learnt of then stands out, whatever it is.
func (k *known) noticeRough(s streams) {
	fits := slices.Contains(k.learnt, "the scaling") || slices.Contains(k.learnt, "levels and filled cells")
	if k.rough = fits && 2*k.columns > k.table.X.Rows; k.rough {
		notice(s.err, "%s: %s, each level one, are many for %s: what is learnt of them makes new rows stand out, so that p-values may be far too small; give --settings a model of other rows", k.table.File, plural.Count(k.columns, "column"), plural.Count(k.table.X.Rows, "row"))
	}
}

// like takes the settings of a model.
func (f *newRowFlags) like(cmd *cobra.Command, s streams, path string, opt table.Options, k *known) (set inference.Settings, err error) {
	if cmd.Flags().Changed(landmarksFlag) {
		return set, usage("--landmarks does not go with --settings: give it a model that was fitted with --landmarks")
	}
	if err := refuseFlags(cmd, []string{"kernel", "gamma", "sigma", "degree", "coef0", "ridge", "relative-ridge", "scale", "ignore", "categories"}, "--settings, whose model has it"); err != nil {
		return set, err
	}
	m, err := loadModel(f.settings, s.in)
	if err != nil {
		return set, err
	}
	if m.numbers != nil && !opt.Target && !opt.Unlabelled {
		return set, usage("--settings %s: it predicts numbers; say --target %s for intervals, or give a model of classes for sets", m.path, show.Name(cmp.Or(m.layout.LabelName, strconv.Itoa(m.layout.Label+1))))
	}
	r := newModelReport(m.learnt, m.layout)
	if !(r.Method == "kfda" && r.Regularizer == "rkhs" || r.Method == "ridge") {
		return set, fmt.Errorf("%s: --settings takes a kfda with --regularizer rkhs or a model ridge, for others have no such ridge", m.path)
	}
	if k.table, err = f.fit.table.readFor(s, m, path, opt); err != nil {
		return set, err
	}
	k.table.Layout = m.layout
	related, err := m.relationTo(k.table)
	if err != nil {
		return set, err
	}
	if related.seen() {
		k.learnt = []string{"all settings, as " + related.text("the fit of "+m.path)}
	}
	k.x, k.p, k.scale, k.settings = m.seen, m.Preparation(), r.Scale, m.path
	if kept := expansionOf(m).rows; kept != nil {
		k.fitted = newCopies(kept)
		if isStreamed(m.learnt) { // of whose rows it keeps no others
			k.landmarks, k.fitted.few = kept, true
		}
	}
	return inference.Settings{Kernel: kernelOf(m.learnt), Ridge: r.Ridge}, nil
}

// learn takes the settings of the flags, and learns from the rows what these leave open.
func (f *newRowFlags) learn(cmd *cobra.Command, s streams, path string, opt table.Options, k *known) (set inference.Settings, err error) {
	given := cmd.Flags().Changed
	if set.Kernel, err = f.fit.kernel.kernel(cmd); err != nil {
		return set, err
	}
	scaling, err := f.fit.kernelScaling(given, "standard")
	if err == nil && scaling == discriminant.AutoScaling {
		err = usage("--scale auto is for fits, which compare both: want none, standard or minmax")
	}
	if err != nil {
		return set, err
	}
	if set.Ridge = f.fit.relativeRidge; given("ridge") {
		set.Ridge = f.fit.ridge
	}
	if set.Relative = !given("ridge"); !(set.Ridge > 0) {
		return set, usage("--%s %v: want a number above 0", map[bool]string{true: "relative-ridge", false: "ridge"}[set.Relative], set.Ridge)
	}
	if k.table, err = f.fit.table.read(s, path, opt); err != nil {
		return set, err
	}
	t := k.table
	k.scale = scaling.String()
	if learnsGamma(set.Kernel, t.X.Cols) {
		k.learnt = append(k.learnt, "gamma")
	}
	if k.gamma = "--gamma"; strings.Contains(f.fit.kernel.name, "(") {
		k.gamma = "all gammas in --kernel"
	}
	if set.Relative {
		k.learnt = append(k.learnt, "the ridge")
	}
	if scaling != discriminant.NoScaling {
		k.learnt = append(k.learnt, "the scaling")
	}
	if k.x, k.p, err = learnColumns(t, set.Kernel, scaling); k.p != nil {
		k.learnt = append(k.learnt, "levels and filled cells")
	}
	return set, err
}

// learnsGamma reports whether a default of the kernel depends on the rows, and not on how many columns
// they have alone.
func learnsGamma(kernel gram.Kernel, columns int) bool {
	var texts []string
	for _, apart := range []float64{1, 2} {
		x := matrix.New(2, columns)
		for j := range columns {
			x.Set(1, j, apart)
		}
		resolved, err := gram.Resolve(kernel, x)
		if err != nil {
			return false // the fit says why
		}
		texts = append(texts, resolved.String())
	}
	return texts[0] != texts[1]
}

// learnColumns returns what the kernel sees of rows of a table, prepared and scaled by those of t, and
// how they are prepared, nil for as they are. Labels play no part.
func learnColumns(t *table.Table, kernel gram.Kernel, scaling discriminant.Scaling) (see func(*matrix.Dense) (*matrix.Dense, error), p *discriminant.Preparation, err error) {
	method, err := prepared(discriminant.KFDA{Kernel: kernel}, t)
	if err != nil {
		return nil, nil, err
	}
	x := t.X
	if m, ok := method.(discriminant.Prepared); ok {
		if p, err = m.Learn(x); err == nil {
			x, err = p.Transform(nil, x)
		}
		if err != nil {
			return nil, nil, explain.Fit(t, method, err)
		}
	}
	scaler, err := discriminant.FitScaler(scaling, x)
	if err != nil {
		return nil, nil, explain.Fit(t, method, p.OfTable(err))
	}
	return func(x *matrix.Dense) (_ *matrix.Dense, err error) {
		if p != nil {
			if x, err = p.Transform(nil, x); err != nil {
				return nil, err
			}
		}
		x, err = scaler.Transform(nil, x)
		return x, p.OfTable(err)
	}, p, nil
}

// parts reads the new rows, part by part.
func (f *newRowFlags) parts(s streams, k *known, path string, opt table.Options) (rowParts, error) {
	opt.Rows, opt.Label, opt.Ignore, opt.Categories, opt.Of = table.Range{}, "", nil, nil, "TRAIN"
	if f.newRows != "" {
		var err error
		if opt.Rows, err = table.ParseRange(f.newRows); err != nil {
			return nil, usage("--new-rows: %w", err)
		}
	}
	k.noticeRough(s)
	return func(take func(*table.Table) error) (*table.Table, error) {
		opt := opt
		opt.IDs, opt.Batch, opt.Take = f.rows.ids, partRows(k.table.X.Cols), take
		flags := f.fit.table
		flags.labels = ""
		return flags.readAlike(s, path, opt, k.table.File, &k.table.Layout)
	}, nil
}

// checkFiles refuses an output that is an input, and the standard input twice.
func (f *newRowFlags) checkFiles(train, path string) error {
	if train == "-" && path == "-" {
		return usage("TRAIN and FILE cannot both be the standard input")
	}
	inputs := []string{train, path}
	for _, more := range []string{f.settings, f.fit.table.labels} {
		if more != "" {
			inputs = append(inputs, more)
		}
	}
	return checkOutput(f.rows.output, inputs...)
}

// rowParts hands over a table, part by part.
type rowParts func(take func(*table.Table) error) (*table.Table, error)

// rowAnswers is what is written of the rows of a part.
type rowAnswers func(*table.Table) ([]field, error)

// write answers for all new rows, and reports, before a file of the rows takes its place.
func (f *newRowFlags) write(ctx context.Context, s streams, parts rowParts, k *known, of *knownReport, r report, answer rowAnswers) (err error) {
	end := func(t *table.Table) error {
		if of.Dropped = t.DroppedRows(); t != k.table {
			of.File = t.File
		}
		of.settle(k)
		if f.rows.output != "-" {
			return writeReport(s.out, f.json, r)
		}
		return nil
	}
	if !f.json || f.rows.output != "-" {
		err = f.rows.write(ctx, s, parts, answer, end)
		if err == nil && f.rows.output == "-" {
			err = writeReport(s.err, f.json, r)
		}
		return err
	}
	t, err := parts(func(t *table.Table) error { _, err := answer(t); return err })
	if err == nil {
		err = end(t)
	}
	if err == nil {
		err = writeReport(s.out, f.json, r)
	}
	return err
}

// idsOf returns the ids of row i.
func idsOf(t *table.Table, i int) (ids []string) {
	for _, column := range t.IDs {
		ids = append(ids, column[i])
	}
	return ids
}

// guarantee says whether what is promised is exact, and what would make it so.
func (k *known) guarantee() string {
	if n := k.again.seen(); n > 0 {
		return fmt.Sprintf("void, for %s of FILE are in TRAIN too: leave them out of one, as with --rows or --new-rows", someOf(n, k.again.rows))
	}
	if n := k.fitted.seen(); n > 0 {
		return fmt.Sprintf("approximate, for %s of FILE are in the fit of %s, the --settings: give a model of other rows", someOf(n, k.fitted.rows), k.settings)
	}
	if k.learnt == nil {
		return "exact, if nothing was chosen by these rows"
	}
	switch {
	case k.alike && k.landmarks != nil: // which of them does not depend on the rows alone
		return "approximate, for the landmarks are some of these rows; for an exact one do without (--landmarks 0), or give --settings a model that was fitted to other rows"
	case k.alike:
		return "exact: of all these rows alike were learnt " + listText(k.learnt)
	}
	if strings.HasPrefix(k.learnt[0], "all") {
		return fmt.Sprintf("approximate, for %s; for an exact one give --settings a model that was fitted to other rows", k.learnt[0])
	}
	var flags []string
	for _, what := range k.learnt {
		flags = append(flags, map[string]string{"gamma": k.gamma, "the ridge": "--ridge", "the scaling": "--scale none"}[what])
	}
	by := ""
	if !slices.Contains(flags, "") { // there is no flag for levels
		by = "choose these by other rows, and say " + listText(flags) + ", or "
	}
	near := "approximate"
	if k.rough {
		near = "far from exact"
	}
	return fmt.Sprintf("%s, with %s from the training rows; for an exact one %sgive --settings a model that was fitted to other rows", near, listText(k.learnt), by)
}

// listText joins texts as in "a, b and c".
func listText(texts []string) string {
	last := len(texts) - 1
	if last < 1 {
		return strings.Join(texts, "")
	}
	return strings.Join(texts[:last], ", ") + " and " + texts[last]
}

// knownReport says what new rows are compared with.
type knownReport struct {
	Train    string `json:"train"`
	File     string `json:"file,omitempty"` // of new rows
	Training int    `json:"training"`
	kernelParameters
	Landmarks *landmarkReport `json:"landmarks,omitempty"`
	Aside     int             `json:"set_aside,omitempty"` // rows of TRAIN that landmarks were drawn among
	Ridge     float64         `json:"ridge"`
	Scale     string          `json:"scale"`
	Exact     bool            `json:"exact"`  // guarantee
	Learnt    []string        `json:"learnt"` // from the training rows
	Again     int             `json:"again"`  // rows of FILE that are in TRAIN too
	Fitted    int             `json:"fitted"` // rows of FILE that the model of --settings was fitted to
	N         int             `json:"n"`      // new rows
	Dropped   int             `json:"dropped"`
	Guarantee string          `json:"guarantee"`
	kernel    string
}

// restore completes what was read from JSON.
func (r *knownReport) restore() { r.kernel = r.kernelParameters.name() }

func (k *known) report() knownReport {
	kernel := ofTable(k.sample.Kernel(), k.p)
	return knownReport{
		Train: k.table.File, Training: k.sample.Rows(), kernelParameters: parametersOf(kernel), Landmarks: sampled(k.sample), Aside: k.aside, Ridge: k.sample.Ridge(), Scale: k.scale,
		Learnt: append([]string{}, k.learnt...), kernel: kernel.String(),
	}
}

// settle says what is promised, when all new rows are known.
func (r *knownReport) settle(k *known) {
	r.Again, r.Fitted, r.Guarantee = k.again.seen(), k.fitted.seen(), k.guarantee()
	r.Exact = (k.learnt == nil || k.alike && k.landmarks == nil) && r.Again == 0 && r.Fitted == 0
}

// someOf is "3 of 5 rows".
func someOf(some, all int) string { return fmt.Sprintf("%d of %s", some, plural.Count(all, "row")) }

func (r *knownReport) writeKnown(p *printer) {
	aside := ""
	if r.Aside > 0 {
		aside = fmt.Sprintf(" beside %d for landmarks", r.Aside)
	}
	p.printf("training\t%s%s, %s, ridge %.6g, scaling %s\n", plural.Count(r.Training, "row"), aside, r.kernel, r.Ridge, r.Scale)
	r.Landmarks.write(p)
	if r.Dropped > 0 {
		p.printf("dropped\t%s\n", plural.Count(r.Dropped, "incomplete row"))
	}
}
