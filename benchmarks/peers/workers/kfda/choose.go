package main

import (
	"context"
	"math"
	"strconv"
	"strings"

	"github.com/seed92411348/kfda/benchmarks/peers/internal/worker"
	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
)

// choose is a search over γ and the ridge by cross-validation. The number to check
// is the best accuracy.
func choose(p *worker.Params) (*worker.Task, error) {
	n, d := p.Int("n"), p.Int("d")
	x, labels := table(n, d, p.Numbers("rows", 0, n*d)), make([]int, n)
	for i, v := range p.Numbers("labels", 0, n) {
		labels[i] = int(v)
	}
	search := cv.Search{
		Method:   discriminant.KFDA{Regularizer: discriminant.RelativeRidge(1), Classifier: discriminant.NearestCentroid{}},
		Scalings: []discriminant.Scaling{discriminant.NoScaling},
	}
	for text := range strings.SplitSeq(p.Text("gammas"), ",") {
		gamma, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, err
		}
		search.Gammas = append(search.Gammas, gamma)
	}
	ridges := p.Int("ridges")
	for k := range ridges {
		search.Values = append(search.Values, math.Pow(10, -8+10*float64(k)/float64(ridges-1)))
	}
	var err error
	if search.Folds, err = cv.Stratified(labels, p.Int("folds"), 0); err != nil {
		return nil, err
	}
	var tuned *cv.Tuned[int]
	return &worker.Task{
		Run: func() {
			var err error
			tuned, err = cv.Tune(context.Background(), search, x, labels)
			must(err)
		},
		Check: func() []float64 {
			return []float64{tuned.Record.Candidates[tuned.Record.Best].Accuracy()}
		},
	}, nil
}
