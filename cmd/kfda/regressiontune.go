package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/explain"
)

// regressionTask checks the flags of the search of a regression.
func (f *tuneFlags) regressionTask(cmd *cobra.Command) (*tuneTask, error) {
	if err := onlyRidge(cmd, &f.model); err != nil {
		return nil, err
	}
	for _, flag := range []string{"criterion", "balanced", "kernel-weights"} {
		if cmd.Flags().Changed(flag) {
			return nil, usage("--%s is for classes; a regression is searched by its squared error", flag)
		}
	}
	if f.kernels == "" {
		f.kernels = "rbf,linear,laplacian"
	}
	return f.task(cmd)
}

func (f *tuneFlags) regress(cmd *cobra.Command, s streams, train string) error {
	k, err := f.regressionTask(cmd)
	if err != nil {
		return err
	}
	d, err := f.read(cmd, s, train, k.search.Method)
	if err != nil {
		return err
	}
	if k.search.Method, err = prepared(k.search.Method, d.Table); err != nil {
		return err
	}
	if k.plan, err = f.planOf(d.Table, k.search, numbersPerRow); err != nil {
		return err
	}
	if err := f.divide(cmd, d); err != nil {
		return err
	}
	search := k.search
	search.Folds, search.Progress = d.folds, progressOfSearch(s, "", k.plan, d.folds, nil)
	noticeRepeats(s.err, d.Table)
	defer collectOften(k.plan)()
	tuned, err := untilInterrupt(cmd.Context(), func(ctx context.Context) (*cv.TunedRegression, error) {
		return cv.TuneRegression(ctx, search, d.X, d.Targets, d.weights...)
	})
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case err != nil:
		return f.explain(d.Table, search, err)
	}
	tested, m, err := f.holdout.numbers(tuned.Model, d.held)
	if err != nil {
		return err
	}
	record := k.explained(d.Table, tuned.Record)
	r := &regressionTuneReport{
		fitReport: newFitReport(d.Table, f.output, regression{m}, nil), Search: record,
		RMSE:   rmseOf(record.Candidates[record.Best]),
		MeanOf: math.Sqrt(cv.CompareNumbers(d.Targets, d.Targets, d.weights...).MeanSquaredError),
	}
	r.HeldOut, r.Plan = tested, newPlanReport(k.plan)
	var without error // an estimate: the search and its model stand
	if f.nested {
		r.Nested, without = k.estimateNumbers(cmd.Context(), s, d)
	}
	r.Seconds = map[string]float64{"all": time.Since(d.start).Seconds()}
	if m, err = regressionWithLayout(m, d.Layout); err != nil {
		return err
	}
	return cmp.Or(f.keep(cmd.Context(), s, m, r), without)
}

// estimateNumbers is estimate of a regression.
func (k *tuneTask) estimateNumbers(ctx context.Context, s streams, d *tuneTable) (*regressionScore, error) {
	notice(s.err, "--nested: %d searches more", d.folds.Len())
	start, search := time.Now(), k.inner(s, d)
	e, err := untilInterrupt(ctx, func(ctx context.Context) (*cv.NestedRegressionEvaluation, error) {
		return cv.NestedRegression(ctx, search, d.X, d.Targets, d.folds, d.weights...)
	})
	if err != nil {
		return nil, explain.Fit(d.Table, search.Method, err)
	}
	if err := k.explainNested(d, e.Failures); err != nil {
		return nil, err
	}
	r := scoreFolds(&e.RegressionEvaluation, d.folds, d.Targets, d.weights)
	r.Folds = e.Folds
	r.Seconds = map[string]float64{"all": time.Since(start).Seconds()}
	return r, nil
}

// regressionTuneReport is what tune prints of a regression.
type regressionTuneReport struct {
	*fitReport
	Search cv.Record `json:"search"`
	RMSE   float64   `json:"rmse"` // of the best, in cross-validation
	MeanOf float64   `json:"rmse_of_mean"`

	Nested *regressionScore `json:"nested,omitempty"` // of the search
}

func rmseOf(c cv.Candidate) float64 { return math.Sqrt(float64(c.Score)) }

func (r *regressionTuneReport) write(p *printer) {
	r.writeTable(p)
	p.printf("folds\t%s\n\n", r.Search.Folds)
	writeBestLines(p, r.Search)
	p.printf("best\tRMSE %s in cross-validation, of always predicting the mean %s: the best of %d candidates, so optimistic\n", digitsText(r.RMSE), digitsText(r.MeanOf), len(r.Search.Candidates))
	r.HeldOut.write(p)
	if n := r.Nested; n != nil {
		p.printf("nested\tRMSE %s (95 %% interval %s to %s), of always predicting the mean %s: the search itself, by %s around it\n",
			digitsText(n.RMSE), digitsText(n.Intervals.RMSE.Low), digitsText(n.Intervals.RMSE.High), digitsText(n.Mean.RMSE), n.Folds)
	}
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
		name := kernelName(best)
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
