package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"time"

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

// landmarkFlags are those of fits through landmarks, which read a table in parts.
type landmarkFlags struct {
	count      int
	checkpoint string
}

const landmarksFlag = "landmarks"

func (f *landmarkFlags) add(cmd *cobra.Command, more string) {
	cmd.Flags().IntVar(&f.count, landmarksFlag, 0, "`number` of rows that stand for all in the kernel, such as 2000; 0 for --model lda, which needs none"+more)
}

// addSample adds the flag to a command that asks a matrix of all rows.
func (f *landmarkFlags) addSample(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.count, landmarksFlag, 0, "`number` of rows that stand for all in the kernel, such as 1000, where a matrix of all is too large; 0 for none")
}

var notOfSampled = []refusal{{[]string{"kernel precomputed", "symmetrize"}, "--landmarks, which need columns to make kernel values of"}}

// checkSample checks the flag of such a command.
func (f *landmarkFlags) checkSample(cmd *cobra.Command) error {
	switch {
	case f.count < 0:
		return usage("--landmarks %d: want a number of rows, such as 1000, or 0 for none", f.count)
	case f.count > 0:
		return refuse(cmd, notOfSampled)
	}
	return nil
}

// number is that of landmarks that are given, or of those to be drawn, 0 for none.
func (f *landmarkFlags) number(given *matrix.Dense) int {
	if given != nil {
		return given.Rows
	}
	return f.count
}

// collect refuses a plan of rows x of a table that takes too much memory, with landmarks that are given or drawn,
// and keeps garbage small until undo is called.
func (f *landmarkFlags) collect(t *table.Table, x, given *matrix.Dense, plan discriminant.Plan, limit float64) (undo func(), err error) {
	if f.number(given) == 0 {
		err := checkMemory(t.File, x.Rows, plan, limit, ", or try it anyway with a --max-memory above that")
		if err != nil {
			return nil, fmt.Errorf("%w; or let some stand for all, with --landmarks 1000", err)
		}
		return collectOften(plan), nil
	}
	what, limit := memoryLimit(limit)
	if limit == 0 || plan.Bytes <= limit {
		return garbage(streamGarbage), nil
	}
	remedy := "give fewer --landmarks"
	if given != nil {
		remedy = "select fewer rows with --rows"
	}
	return nil, fmt.Errorf("%s: %s of %s need %s of memory, %s %s; %s", t.File, plural.Count(f.number(given), "landmark"), plural.Count(x.Rows, "row"), bytesText(plan.Bytes), what, bytesText(limit), remedy)
}

// sample factors rows x, by given landmarks or those that are drawn of them where they are asked for.
func (f *landmarkFlags) sample(ctx context.Context, set inference.Settings, x, given *matrix.Dense, seed uint64) (*inference.Sample, error) {
	if f.number(given) == 0 {
		return inference.NewSample(ctx, set, x)
	}
	if given == nil {
		rows, err := inference.DrawLandmarks(ctx, set.Kernel, x, nil, f.count, seed)
		if err != nil {
			return nil, err
		}
		given = rowsOf(&table.Table{X: x}, rows).X
		debug.FreeOSMemory() // what drawing took
	}
	return inference.NewLandmarkSample(ctx, set, x, given)
}

// sampled says what a sample has of landmarks, nil for none.
func sampled(s *inference.Sample) *landmarkReport {
	count, left := s.Landmarks()
	if count == 0 {
		return nil
	}
	return &landmarkReport{count, left}
}

// notOfStreams is what takes all rows at a time.
var notOfStreams = []refusal{
	{[]string{"solver"}, "--landmarks, whose fit is direct: leave one of the two out"},
	{[]string{"holdout"}, "--landmarks: fit to some rows, as with --rows 0::2, and then 'kfda score MODEL FILE --rows 1::2'"},
	{[]string{"model svm", "classifier knn", "classifier svm", "neighbors", "C", "weights", "tolerance", "probability"},
		"--landmarks, which keep no other rows: 'kfda fit' without them takes it, of a large table on some rows, as with --rows ::10"},
	{[]string{"classifier gaussian-per-class"}, "--landmarks: say --classifier gaussian"},
	{[]string{"scatter averaged"}, "--landmarks: say --scatter sum"},
	{[]string{"regularizer ledoit-wolf"}, "--landmarks, for it needs each row by itself: say --shrink with an intensity, or --relative-ridge 0.01"},
	{[]string{"kernel precomputed", "symmetrize"}, "--landmarks, which need columns to make kernel values of"},
}

// refuseOfStreams is refuse, and refuses what the model does not do in parts.
func (f *fitFlags) refuseOfStreams(cmd *cobra.Command, refusals []refusal) error {
	if f.model != "lda" {
		refusals = append(slices.Clone(refusals), refusal{[]string{"shrink", "regularizer shrink"}, "--landmarks: say --relative-ridge 0.01, or --model lda"})
	}
	return refuse(cmd, refusals)
}

// sampleRows is how many rows of a table its columns are scaled and filled by and the landmarks are
// drawn from: enough for a mean to within a hundredth of the deviation, and four times the
// landmarks, which serve as well as those of all rows.
func sampleRows(landmarks int) int { return max(10_000, 4*landmarks) }

// streamMethod checks the flags of the method of a stream.
func (f *fitFlags) streamMethod(cmd *cobra.Command) (method, error) {
	if err := f.refuseOfStreams(cmd, notOfStreams); err != nil {
		return nil, err
	}
	switch lda := f.model == "lda"; {
	case f.landmarks.count < 0 || f.landmarks.count == 0 && !lda:
		return nil, usage("--landmarks %d: want a number of rows, such as 2000", f.landmarks.count)
	case lda && f.landmarks.count > 0:
		return nil, usage("--model lda has no kernel and needs no rows that stand for all: say --landmarks 0")
	case f.model == "kpca" && f.components > f.landmarks.count:
		return nil, usage("--components %d: at most %d, the number of --landmarks", f.components, f.landmarks.count)
	}
	if f.table.target != "" {
		return f.regression(cmd)
	}
	return f.classMethod(cmd)
}

// classMethod returns the method of a stream of classes. The centroids are those of all rows: the few
// that are kept are left out for posteriors.
func (f *fitFlags) classMethod(cmd *cobra.Command) (method, error) {
	if f.classifier.name == "centroid" {
		if f.leaveOneOut && cmd.Flags().Changed("leave-one-out") {
			return nil, usage("--leave-one-out does not apply to --classifier centroid of landmarks: leave it out, or say --classifier gaussian")
		}
		f.leaveOneOut = false
	}
	return f.method(cmd)
}

// started is a stream without rows yet, and what it was started with.
type started struct {
	sample        *table.Table
	asked, method method // by the flags, and with the scaling
	*rowStream
}

// start reads the table once and starts a stream for it.
func (f *fitFlags) start(cmd *cobra.Command, s streams, train string) (*started, discriminant.Plan, error) {
	none := discriminant.Plan{}
	method, err := f.streamMethod(cmd)
	if err != nil {
		return nil, none, err
	}
	if info, err := os.Stat(train); train == "-" || err == nil && !info.Mode().IsRegular() {
		return nil, none, usage("--landmarks reads TRAIN twice, which the standard input and pipes can't be: write it to a file first")
	}
	limit, err := f.limit()
	if err != nil {
		return nil, none, err
	}
	plan, err := f.streamPlan(method, 0, 0, 2, limit)
	if err != nil {
		return nil, plan, err
	}
	f.sample = sampleRows(f.landmarks.count)
	t, err := f.read(s, train, limit)
	if err != nil {
		return nil, plan, err
	}
	debug.FreeOSMemory() // what reading took
	noticeRepeats(s.err, t)
	outputs := 1 // classes or targets
	if t.Targets == nil {
		classes := discriminant.Classes(t.Labels)
		outputs = len(classes)
		if f.model != "kpca" && f.components >= len(classes) {
			return nil, plan, explain.Fit(t, method, &discriminant.ComponentsError{Asked: f.components, Classes: len(classes)})
		}
		if method, err = f.classifier.forClasses(method, classes); err != nil {
			return nil, plan, err
		}
	}
	if method, err = prepared(method, t); err != nil {
		return nil, plan, err
	}
	if plan, err = f.streamPlan(method, t.Kept, t.X.Cols, outputs, limit); err != nil {
		return nil, plan, err
	}
	st, err := untilInterrupt(cmd.Context(), func(ctx context.Context) (*started, error) {
		return f.draw(ctx, s, t, method)
	})
	if err == nil && st.Landmarks() < f.landmarks.count {
		plan = planLandmarks(method, t.Kept, t.X.Cols, outputs, st.Landmarks())
	}
	return st, plan, err
}

// streamPlan returns what a stream needs, and refuses one that the memory does not suffice for.
func (f *fitFlags) streamPlan(m method, n, d, classes int, limit float64) (discriminant.Plan, error) {
	plan := planLandmarks(m, n, d, classes, f.landmarks.count)
	what, limit := memoryLimit(limit)
	if limit == 0 || plan.Bytes <= limit {
		return plan, nil
	}
	who, remedy := plural.Count(f.landmarks.count, "landmark"), "give fewer --landmarks"
	if f.landmarks.count == 0 {
		who, remedy = plural.Count(d, "column"), "leave --landmarks out if there are fewer rows, or name columns to --ignore"
	}
	if f.landmarks.count > 0 && planLandmarks(m, n, d, classes, 1).Bytes > limit {
		who, remedy = "any number of landmarks would", "take fewer --rows, or --ignore columns"
	} else if choosesRidge(m) {
		remedy += ", or a ridge, as with --relative-ridge 0.01: choosing one takes five times the memory"
	}
	if planLandmarks(m, n, d, 2, f.landmarks.count).Bytes <= limit {
		who, remedy = fmt.Sprintf("%d classes", classes), "name another --label, or a number to predict with --target"
	}
	return plan, fmt.Errorf("%s need %s of memory, %s %s; %s", who, bytesText(plan.Bytes), what, bytesText(limit), remedy)
}

// planLandmarks returns what a stream needs with the sample that it is started with, of no rows
// as yet that are counted where n is 0. Before the stream begins, a scaling is chosen and landmarks
// are drawn.
func planLandmarks(m method, n, d, classes, count int) discriminant.Plan {
	if n > 0 {
		count = min(count, n)
	}
	rows := min(n, sampleRows(count))
	sample := 8 * float64(rows) * float64(d)
	plan := discriminant.PlanStream(m, n, d, classes, count)
	if m.Settings().Scaling == discriminant.AutoScaling {
		plan.Bytes = max(plan.Bytes, m.Plan(min(rows, mostToScale+classes), d, classes).Bytes)
	}
	plan.Bytes = max(plan.Bytes+sample+formatsBytes, peakMemory()+1.2*8*float64(rows)*float64(count)+2*sample)
	return plan
}

// draw starts the stream by the sample.
func (f *fitFlags) draw(ctx context.Context, s streams, t *table.Table, m method) (*started, error) {
	asked := m
	note, err := f.table.weights.settle(t)
	if err != nil {
		return nil, err
	}
	if m.Settings().Scaling == discriminant.AutoScaling {
		scaling, err := scalingBy(ctx, t, m)
		if err != nil {
			return nil, explain.Fit(t, m, err)
		}
		set := m.Settings()
		set.Scaling = scaling
		m = m.With(set)
		debug.FreeOSMemory() // what choosing took
	}
	how := discriminant.Landmarks{Count: f.landmarks.count, Seed: f.holdout.seed}
	st, err := newRowStream(ctx, m, t, how)
	debug.FreeOSMemory() // what drawing took
	if errors.As(err, new(*gram.IndefiniteError)) {
		return nil, fmt.Errorf("%s: --landmarks need a positive semidefinite kernel, which %s is not for these rows; take another, such as --kernel rbf", t.File, f.kernel.name)
	}
	if err != nil {
		return nil, explain.Fit(t, m, err)
	}
	text, err := t.Layout.MarshalText()
	if err != nil {
		return nil, err
	}
	if n := st.Landmarks(); n < f.landmarks.count {
		notice(s.err, "%s: %s in place of %d: no other row of the sample adds to them", t.File, plural.Count(n, "landmark"), f.landmarks.count)
	}
	st.SetNote(layoutNote, string(text))
	if note != "" {
		st.SetNote(weighedNote, note)
	}
	start, err := json.Marshal(startFlags{Model: f.model, Seed: f.holdout.seed, Asked: f.landmarks.count, Chosen: choosesRidge(m), Ridge: f.ridge, RelativeRidge: f.relativeRidge})
	st.SetNote(startNote, string(start))
	return &started{t, asked, m, st}, err
}

// mostToScale are the rows at most of the sample by which a scaling is chosen.
const mostToScale = 2000

// scalingBy returns the scaling that predicts rows of the sample better that are left out.
func scalingBy(ctx context.Context, t *table.Table, m method) (discriminant.Scaling, error) {
	step, seen := (t.X.Rows+mostToScale-1)/mostToScale, map[string]bool{}
	var rows []int
	for i := range t.X.Rows {
		first := t.Targets == nil && !seen[t.Labels[i]]
		if first || i%step == 0 {
			rows = append(rows, i)
		}
		if first {
			seen[t.Labels[i]] = true
		}
	}
	t = rowsOf(t, rows)
	var by *discriminant.Scaler
	if t.Targets != nil {
		fit, err := discriminant.FitRegression(ctx, m, t.X, matrix.Column(t.Targets), t.Weights...)
		if err != nil {
			return 0, err
		}
		by = fit.Scaler()
	} else {
		fit, err := discriminant.Fit(ctx, m, t.X, t.Labels, t.Weights...)
		if err != nil {
			return 0, err
		}
		by = fit.Scaler()
	}
	if by == nil {
		return discriminant.NoScaling, nil
	}
	return by.Kind(), nil
}

// fitStream fits through landmarks.
func (f *fitFlags) fitStream(cmd *cobra.Command, s streams, train string) error {
	begin := time.Now()
	kept, err := newCheckpoint(f.landmarks.checkpoint, train, f.output)
	if err != nil {
		return err
	}
	defer garbage(streamGarbage)()
	st, plan, err := f.start(cmd, s, train)
	if err != nil {
		return err
	}
	read := time.Since(begin)
	var targets squares
	m, err := untilInterrupt(cmd.Context(), func(ctx context.Context) (none streamedModel, err error) {
		if plan.Flops > longFit {
			notice(s.err, "the fit of %d rows through %s needs %s of memory; Ctrl-C stops it%s",
				st.sample.Kept, plural.Count(st.Landmarks(), "landmark"), bytesText(plan.Bytes), kept.hint())
		}
		if st.rowStream, err = kept.resume(s, st.rowStream); err != nil {
			return none, err
		}
		opt, err := f.table.options(s)
		if err != nil {
			return none, err
		}
		opt.Notice = nil // it was told in the first reading
		if _, err := f.table.pour(ctx, s, st.rowStream, train, opt, &st.sample.Layout, st.sample.Kept, kept); err != nil {
			return none, err
		}
		rows := st.rowStream
		targets = rows.targets
		st.rowStream = nil // the fit has room where it was
		if none, err = rows.model(ctx, st.method, f.model); err != nil {
			err = explain.Fit(st.sample, st.method, err)
		}
		return none, err
	})
	kept.wait()
	if err != nil {
		return err
	}
	r := newStreamReport(train, f.output, m.learnt, st.sample.Layout, st.asked)
	if st.sample.Targets != nil {
		r.baseline = targets.text()
	}
	r.Dropped, r.Plan = st.sample.DroppedRows(), newPlanReport(plan)
	r.Seconds = map[string]float64{"read": read.Seconds(), "fit": (time.Since(begin) - read).Seconds()}
	if err := f.saveStreamed(cmd, s, m, r); err != nil {
		return err
	}
	return kept.remove()
}

// saveStreamed writes a model of a stream, and its report.
func (f *fitFlags) saveStreamed(cmd *cobra.Command, s streams, m streamedModel, r *fitReport) error {
	r.verbose, r.next = f.verbose, nextAfterFit(cmd, "-", f.output, 0)
	told := io.Writer(s.out)
	if f.output == "-" {
		told = s.err
	}
	return saveModel(cmd.Context(), s, f.output, m, func() error { return writeReport(told, f.json, r) })
}

// newStreamReport is newFitReport for a model of a stream of the rows of files.
func newStreamReport(files, output string, m learnt, layout table.Layout, by method) *fitReport {
	r := &fitReport{streamed: true, Train: files, Model: output, Rows: m.Training().Rows, Features: m.Dim(), modelReport: newModelReport(m, layout), Chosen: chosenBy(by)}
	if r.Target != nil {
		return r
	}
	most := slices.Max(r.Counts)
	r.baseline = fmt.Sprintf("always %s is wrong in %s of these rows", show.Name(r.Classes[slices.Index(r.Counts, most)]), percentText(1-float64(most)/float64(r.Rows)))
	return r
}

// pour adds the rows of the table in a file to a stream, part by part, and returns the table
// without rows; total is how many they are, if that is known.
func (f *tableFlags) pour(ctx context.Context, s streams, into *rowStream, path string, opt table.Options, layout *table.Layout, total int, kept *checkpoint) (*table.Table, error) {
	done := 0
	opt.Layout, opt.Batch = layout, partRows(len(layout.Features))
	opt.Take = func(part *table.Table) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		held, err := kept.holds(part)
		if err == nil && !held {
			if err = checkPartWeights(part); err == nil && f.weights.byClass != nil {
				part.Weights, err = f.weights.of(part)
			}
			if err == nil {
				err = into.append(ctx, part)
			}
		}
		if err != nil {
			return err
		}
		into.targets.add(part)
		if done += part.X.Rows; total > 0 {
			s.line.step("fit", "rows"+kept.text(), done, max(done, total))
		}
		return kept.keep(ctx, into)
	}
	t, err := f.read(s, path, opt)
	if err == nil {
		err = kept.end()
	}
	return t, err
}

// landmarkReport is what a report says of landmarks.
type landmarkReport struct {
	Count     int     `json:"count"`
	LeftShare float64 `json:"left_share"` // of the trace of the kernel matrix
}

// muchLeft is a share of the kernel that landmarks leave out of which a user should think.
const muchLeft = 0.1

func (r *landmarkReport) write(p *printer) {
	if r == nil {
		return
	}
	p.printf("landmarks\t%s", r.text())
	if r.LeftShare > muchLeft {
		p.printf(": more of them may do better")
	}
	p.printf("\n")
}

// text says how many there are, and what they leave out.
func (r *landmarkReport) text() string {
	return fmt.Sprintf("%d, which leave out %s of the kernel", r.Count, r.left())
}

func (r *landmarkReport) left() string {
	switch {
	case r.LeftShare == 0:
		return "nothing"
	case r.LeftShare < 0.0005: // which would be 0.0 %
		return "less than 0.1 %"
	}
	return percentText(r.LeftShare)
}

// landmarksOf returns what a model says of its landmarks, nil of one without.
func landmarksOf(m learnt) *landmarkReport {
	d, ok := detailsOf(m).(interface{ LeftShare() float64 })
	if !ok || !isStreamed(m) {
		return nil
	}
	return &landmarkReport{Count: m.Formula().Rows.Rows, LeftShare: d.LeftShare()}
}

// isStreamed reports whether a model is one of a stream, which keeps no hash of its rows.
func isStreamed(m learnt) bool {
	t := m.Training()
	return t == discriminant.Training{Rows: t.Rows, Cols: t.Cols}
}
