package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/seed92411348/kfda/cmd/kfda/internal/assess"
	"github.com/seed92411348/kfda/cmd/kfda/internal/picture"
	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
)

// learningShares are the parts of the training rows of a fold that are fitted.
var learningShares = []float64{0.1, 0.2, 0.35, 0.5, 0.75, 1}

// learning fits the model's own settings to growing parts of the table, and counts the errors in
// folds that the fits have not seen.
func (u *subject) learning() (*picture.Figure, error) {
	labels := u.t.Labels
	folds, err := cv.DefaultFolds(labels, u.seed)
	if err != nil {
		return nil, explainFolds(u.t, err)
	}
	m := settingsOf(u.model, u.t.X.Rows/10)
	long := m.Plan(u.t.X.Rows, u.t.X.Cols, len(u.Classes())).Flops > longFit
	var sizes []picture.Size
	var failed error
	for k, share := range learningShares {
		u.s.line.step("learning curve", "sizes", k, len(learningShares))
		parts, rows, err := partsOf(folds, labels, share, u.seed)
		if err != nil {
			return nil, explainFolds(u.t, err)
		}
		if len(sizes) > 0 && sizes[len(sizes)-1].Rows == rows {
			continue
		}
		e, err := untilInterrupt(u.ctx, func(ctx context.Context) (*cv.Evaluation[string], error) {
			if long {
				notice(u.s.err, "%d fits to parts of %d rows; Ctrl-C stops them", folds.Len()*len(learningShares), u.t.X.Rows)
				long = false
			}
			return cv.Evaluate(ctx, m, u.t.X, labels, parts)
		})
		if err != nil {
			return nil, explainFit(u.t, m, err)
		}
		if len(e.Failures) > 0 { // as of few rows, with a kernel or a ridge that is not for them
			failed = e.Failures[0].Err
			continue
		}
		low, high := assess.Wilson(e.Errors, e.Rows)
		sizes = append(sizes, picture.Size{Rows: rows, Share: float64(e.Errors) / float64(e.Rows), Low: low, High: high})
	}
	if len(sizes) == 0 {
		return nil, explainFit(u.t, m, failed)
	}
	most, counts := 0, make(map[string]int)
	for _, l := range labels {
		counts[l]++
		most = max(most, counts[l])
	}
	note := fmt.Sprintf("%s Each point: fits to parts of the rest for %s, the parts stratified too.", u.note(), folds)
	return picture.Learning(u.title("learning curve"), sizes, 1-float64(most)/float64(len(labels)), note), nil
}

// partsOf keeps a share of the training rows of each fold, of each class two at least where it
// has them, and returns how many these are at most. A larger share has all rows of a smaller one.
func partsOf(folds *cv.Folds, labels []string, share float64, seed uint64) (*cv.Folds, int, error) {
	var trains, tests [][]int
	most := 0
	for k := range folds.Len() {
		byClass := make(map[string][]int)
		for _, i := range folds.Train(k) {
			byClass[labels[i]] = append(byClass[labels[i]], i)
		}
		random := rand.New(rand.NewPCG(seed, uint64(k)))
		var train []int
		for _, class := range discriminant.Classes(labels) {
			rows := byClass[class]
			random.Shuffle(len(rows), func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
			keep := min(len(rows), max(2, int(share*float64(len(rows))+0.5)))
			train = append(train, rows[:keep]...)
		}
		slices.Sort(train)
		trains, tests = append(trains, train), append(tests, folds.Test(k))
		most = max(most, len(train))
	}
	parts, err := cv.Pairs(len(labels), trains, tests)
	return parts, most, err
}

// settingsOf returns the method that a model was fitted by, all that data settle as it is there
// but for what is relative to them; fewest are the rows of the smallest fit.
func settingsOf(m *model, fewest int) method {
	base := bareSettings(m, fewest)
	p := m.Preparation()
	if p == nil {
		return base
	}
	levels := make([]int, m.Dim())
	for _, c := range p.Columns() {
		levels[c.From] = max(levels[c.From], c.Level+1)
	}
	return discriminant.Prepared{Method: base, Levels: levels, Missing: p.Missing()}
}

// bareSettings are those of the method that sees the columns when they are prepared.
func bareSettings(m *model, fewest int) method {
	scaling := discriminant.NoScaling
	if s := m.Scaler(); s != nil {
		scaling = s.Kind()
	}
	switch d := m.Details().(type) {
	case discriminant.KFDADetails:
		return discriminant.KFDA{
			Kernel: d.Kernel(), Regularizer: d.Regularizer(), Scatter: d.Scatter(), Scaling: scaling, Priors: d.Priors(),
			Classifier: d.Classifier(), LeaveOneOut: d.LeaveOneOut(), Components: fewer(m.Components(), len(m.Classes())-1),
		}
	case discriminant.LDADetails:
		return discriminant.LDA{
			Regularizer: d.Regularizer(), Scaling: scaling, Priors: d.Priors(), Classifier: d.Classifier(),
			Components: fewer(m.Components(), len(m.Classes())-1),
		}
	case discriminant.KernelPCADetails:
		return discriminant.KernelPCA{
			Kernel: d.Kernel(), Whiten: d.Whitening(), Scaling: scaling, Priors: d.Priors(), Classifier: d.Classifier(),
			Components: fewer(m.Components(), fewest-1),
		}
	case discriminant.KernelRidgeDetails:
		return discriminant.KernelRidge{Kernel: d.Kernel(), Regularizer: d.Regularizer(), Scaling: scaling}
	}
	s, _ := m.SVM()
	s.Scaling = scaling
	return s
}

// fewer returns n where it is below all there are, else 0, which stands for these.
func fewer(n, all int) int {
	if n < all {
		return n
	}
	return 0
}
