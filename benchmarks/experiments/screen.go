package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/matrix"
)

// screenSets are the data sets on which alignment is tried, with the number of the ten outer folds
// that are searched.
var screenSets = []screenSet{{"iris", 10}, {"wine", 10}, {"sonar", 10}, {"ionosphere", 10}, {"digits", 3}}

type screenSet struct {
	name  string
	folds int
}

// screened is how many of the seven γ are left for the search, those with the largest alignment.
const screened = 3

// screen compares the search over all γ with one over those of the largest alignment,
// for each data set in outer folds.
func screen(ctx context.Context, folder string, names []string, stdout, stderr io.Writer) error {
	for _, name := range names {
		if !slices.ContainsFunc(screenSets, func(s screenSet) bool { return s.name == name }) {
			return fmt.Errorf("no data set %q in this experiment", name)
		}
	}
	fmt.Fprintf(stdout, "| data set | searches | right with all γ | with the best %d | of the tested | best γ and scaling kept | more errors in cross-validation | share of the time |\n|---|--:|--:|--:|--:|--:|--:|--:|\n", screened)
	for _, s := range screenSets {
		if len(names) > 0 && !slices.Contains(names, s.name) {
			continue
		}
		x, labels, err := plain(s.name + ".csv")(folder)
		if err != nil {
			return err
		}
		outer, err := cv.Stratified(labels, outerFolds, 0)
		if err != nil {
			return err
		}
		var right [2]int
		var seconds [2]float64
		kept, worse, tested := 0, 0, 0
		for k := range s.folds {
			train, test := outer.Train(k), outer.Test(k)
			rows, truth := takeRows(x, train), take(labels, train)
			var all [2]*cv.Tuned[string]
			for way := range all {
				start := time.Now()
				if all[way], err = searchScalings(ctx, rows, truth, way == 1); err != nil {
					return fmt.Errorf("%s: %w", s.name, err)
				}
				seconds[way] += time.Since(start).Seconds()
				scores, err := cv.Score(all[way].Model, takeRows(x, test), take(labels, test))
				if err != nil {
					return err
				}
				right[way] += scores.Rows - scores.Errors
			}
			tested += len(test)
			best := [2]cv.Candidate{}
			for way, t := range all {
				best[way] = t.Record.Candidates[t.Record.Best]
			}
			if best[0].Gamma == best[1].Gamma && best[0].Scaling == best[1].Scaling {
				kept++
			}
			if best[1].Errors > best[0].Errors {
				worse++
			}
			fmt.Fprintf(stderr, "%s, fold %d: all %v, %d wrong; screened %v, %d wrong\n", s.name, k, best[0], best[0].Errors, best[1], best[1].Errors)
		}
		fmt.Fprintf(stdout, "| %s | %d | %d | %d | %d | %d | %d | %.2f |\n", s.name, s.folds, right[0], right[1], tested, kept, worse, seconds[1]/seconds[0])
	}
	return nil
}

// searchScalings searches each scaling with a ridge on the coefficients, without refinement, with all γ that are tried where
// none are given or with those of the largest alignment, and returns the search with the
// fewest errors, the first of them in a tie.
func searchScalings(ctx context.Context, x *matrix.Dense, labels []string, byAlignment bool) (*cv.Tuned[string], error) {
	var best *cv.Tuned[string]
	errors := 0
	for _, scaling := range []discriminant.Scaling{discriminant.NoScaling, discriminant.Standard, discriminant.MinMax} {
		gammas, err := cv.DefaultGammas(scaling, x)
		if err != nil {
			return nil, err
		}
		if byAlignment {
			if gammas, err = mostAligned(ctx, scaling, x, labels, gammas); err != nil {
				return nil, err
			}
		}
		tuned, err := cv.Tune(ctx, cv.Search{
			Method:   discriminant.KFDA{Regularizer: discriminant.RelativeRidge(1), Classifier: discriminant.NearestCentroid{}},
			Scalings: []discriminant.Scaling{scaling}, Gammas: gammas,
		}, x, labels)
		if err != nil {
			return nil, err
		}
		if wrong := tuned.Record.Candidates[tuned.Record.Best].Errors; best == nil || wrong < errors {
			best, errors = tuned, wrong
		}
	}
	return best, nil
}

// mostAligned returns the γ with the largest alignments, of equal ones the smaller.
func mostAligned(ctx context.Context, scaling discriminant.Scaling, x *matrix.Dense, labels []string, gammas []float64) ([]float64, error) {
	if scaling != discriminant.NoScaling {
		scaler, err := discriminant.FitScaler(scaling, x)
		if err != nil {
			return nil, err
		}
		if x, err = scaler.Transform(nil, x); err != nil {
			return nil, err
		}
	}
	alignments, err := cv.Alignments(ctx, x, labels, gammas)
	if err != nil {
		return nil, err
	}
	order := make([]int, len(gammas))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(alignments[b], alignments[a]), cmp.Compare(gammas[a], gammas[b]))
	})
	chosen := make([]float64, screened)
	for i := range chosen {
		chosen[i] = gammas[order[i]]
	}
	return chosen, nil
}
