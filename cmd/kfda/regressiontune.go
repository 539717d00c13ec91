package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/table"
)

// regressionSearch checks the flags of the search of a regression and returns it, all but the folds.
func (f *tuneFlags) regressionSearch(cmd *cobra.Command) (q cv.Search, err error) {
	if err := onlyRidge(cmd, &f.model); err != nil {
		return q, err
	}
	for _, flag := range []string{"criterion", "balanced", "nested"} {
		if cmd.Flags().Changed(flag) {
			return q, usage("--%s is for classes; a regression is searched by its squared error", flag)
		}
	}
	if q, err = f.search(); err != nil {
		return q, err
	}
	for name := range strings.SplitSeq(f.kernels, ",") {
		of := kernelFlags{name: strings.TrimSpace(name)}
		kind, err := of.kind()
		if err != nil {
			return q, err
		}
		if kind.name == "precomputed" {
			return q, usage("--kernels %s: there is nothing to search of kernel values but the ridge, which 'kfda fit' chooses", f.kernels)
		}
		kernel, err := kind.make(of, func(string) bool { return false })
		if err != nil {
			return q, err
		}
		q.Kernels = append(q.Kernels, kernel)
	}
	return q, f.setMethod(&q, cmd)
}

func (f *tuneFlags) regress(cmd *cobra.Command, s streams, train string) error {
	search, err := f.regressionSearch(cmd)
	if err != nil {
		return err
	}
	opt, err := f.table.options(s)
	if err != nil {
		return err
	}
	if err := f.checkOutput(train); err != nil {
		return err
	}
	opt.IDs = f.folds.column()
	start := time.Now()
	t, err := f.table.read(s, train, opt)
	if err != nil {
		return err
	}
	t, held, err := f.hold(cmd, t, search.Method)
	if err != nil {
		return err
	}
	if search.Method, err = prepared(search.Method, t); err != nil {
		return err
	}
	weights, err := f.table.weights.of(t)
	if err != nil {
		return err
	}
	plan, err := f.plan(t, search.Method, numbersPerRow)
	if err != nil {
		return err
	}
	if search.Folds, err = f.folds.orDefault(oneClass(t), cmd.Flags().Changed("folds")); err != nil {
		return explainFolds(t, err)
	}
	search.Progress = progressTo(s.err, plan, search.Folds)
	defer debug.SetGCPercent(debug.SetGCPercent(20)) // matrices without pointers come and go
	tuned, err := untilInterrupt(cmd.Context(), func(ctx context.Context) (*cv.TunedRegression, error) {
		return cv.TuneRegression(ctx, search, t.X, t.Targets, weights...)
	})
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case err != nil:
		return f.explain(t, search, err)
	}
	tested, m, err := f.holdout.numbers(tuned.Model, held)
	if err != nil {
		return err
	}
	r := f.regressionReport(tuned, t, search, weights)
	r.HeldOut = tested
	r.Seconds = map[string]float64{"all": time.Since(start).Seconds()}
	if m, err = regressionWithLayout(m, t.Layout); err != nil {
		return err
	}
	return f.keep(cmd.Context(), s, m, r)
}

// regressionTuneReport is what tune prints of a regression.
type regressionTuneReport struct {
	*fitReport
	Search cv.Record `json:"search"`
	RMSE   float64   `json:"rmse"` // of the best, in cross-validation
	MeanOf float64   `json:"rmse_of_mean"`
}

func (f *tuneFlags) regressionReport(tuned *cv.TunedRegression, t *table.Table, search cv.Search, weights []float64) *regressionTuneReport {
	record := tuned.Record
	for i, c := range record.Candidates {
		if c.Err() != nil {
			record.Candidates[i].Reason = f.folds.explain(t, search.Candidate(c), c.Err()).Error()
		}
	}
	return &regressionTuneReport{
		fitReport: newFitReport(t, f.output, regression{tuned.Model}, nil), Search: record,
		RMSE:   rmseOf(record.Candidates[record.Best]),
		MeanOf: math.Sqrt(cv.CompareNumbers(t.Targets, t.Targets, weights...).MeanSquaredError),
	}
}

func rmseOf(c cv.Candidate) float64 { return math.Sqrt(float64(c.Score)) }

func (r *regressionTuneReport) write(p *printer) {
	r.writeTable(p)
	p.printf("folds\t%s\n\n", r.Search.Folds)
	writeBestLines(p, r.Search)
	p.printf("best\tRMSE %s in cross-validation, of always predicting the mean %s: the best of %d candidates, so optimistic\n", digitsText(r.RMSE), digitsText(r.MeanOf), len(r.Search.Candidates))
	r.HeldOut.write(p)
	if edges := r.Search.Edges(); len(edges) > 0 {
		p.printf("edge\tthe best has the %s that was tried: a better one may lie beyond\n", strings.Join(edges, " and the "))
	}
	r.writeSettings(p)
	p.printf("seconds\t%.3g\n", r.Seconds["all"])
	if r.Model != "" {
		p.printf("model\t%s\n", r.Model)
	}
}

// writeBestLines prints, of each kernel and scaling, the best candidate.
func writeBestLines(p *printer, search cv.Record) {
	lines := []string{"kernel\tscaling\tgamma\trelative ridge\tRMSE\tfailed"}
	for rest := search.Candidates; len(rest) > 0; {
		other := func(c cv.Candidate) bool { return c.Kernel != rest[0].Kernel || c.Scaling != rest[0].Scaling }
		own := slices.DeleteFunc(slices.Clone(rest), other)
		rest = slices.DeleteFunc(slices.Clone(rest), func(c cv.Candidate) bool { return !other(c) })
		failed := len(own)
		best := own[0]
		own = slices.DeleteFunc(own, func(c cv.Candidate) bool { return c.Failed > 0 })
		failed -= len(own)
		name, _, _ := strings.Cut(best.Kernel, "(")
		if len(own) == 0 {
			lines = append(lines, fmt.Sprintf("%s\t%v\t\t\t-\t%d", name, best.Scaling, failed))
			continue
		}
		best = slices.MinFunc(own, func(a, b cv.Candidate) int { return cmp.Compare(a.Score, b.Score) })
		gamma := ""
		if best.Gamma != 0 {
			gamma = fmt.Sprintf("%.4g", float64(best.Gamma))
		}
		lines = append(lines, fmt.Sprintf("%s\t%v\t%s\t%.3g\t%s\t%d", name, best.Scaling, gamma, float64(best.Ridge), digitsText(rmseOf(best)), failed))
	}
	for i, line := range lines {
		lines[i] = strings.ReplaceAll(line, "\t", "  \t")
	}
	p.print(aligned(0, append(lines, "", "")...))
}
