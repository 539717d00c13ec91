package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/seed92411348/kfda/cmd/kfda/internal/assess"
	"github.com/seed92411348/kfda/cmd/kfda/internal/picture"
	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/wilson"
)

// learningShares are the parts of the training rows of a fold that are fitted.
var learningShares = []float64{0.1, 0.2, 0.35, 0.5, 0.75, 1}

// learning fits the model's own settings to growing parts of the table, and measures the errors in
// folds that the fits have not seen.
func (u *subject) learning() (*picture.Figure, error) {
	if r, _ := searchOf(u); r != nil && r.Weighed != nil && u.relation.seen() {
		return nil, undrawable("%s: the weights of the kernel saw these rows, so that fits with it to parts of them say little; '%s' finds them anew in each fold", u.file, estimateLine(r))
	}
	labels, test := u.t.Labels, u.testClasses
	if u.numbers != nil {
		labels, test = oneClass(u.t).Labels, u.testNumbers
	}
	folds, err := cv.DefaultFolds(labels, u.seed)
	if err != nil {
		return nil, explain.Folds(u.t, err)
	}
	m := settingsOf(u.savedModel, u.t.X.Rows/10)
	long := m.Plan(u.t.X.Rows, u.t.X.Cols, u.outputs()).Flops > longFit
	var sizes []picture.Size
	var failed error
	for k, share := range learningShares {
		u.s.line.step("learning curve", "sizes", k, len(learningShares))
		parts, rows, err := partsOf(folds, labels, share, u.seed)
		if err != nil {
			return nil, explain.Folds(u.t, err)
		}
		if len(sizes) > 0 && sizes[len(sizes)-1].Rows == rows {
			continue
		}
		one := picture.Size{Rows: rows}
		failures, err := untilInterrupt(u.ctx, func(ctx context.Context) ([]cv.Failure, error) {
			if long {
				notice(u.s.err, "%d fits to parts of %d rows; Ctrl-C stops them", folds.Len()*len(learningShares), u.t.X.Rows)
				long = false
			}
			return test(ctx, m, parts, &one)
		})
		if err != nil {
			return nil, explain.Fit(u.t, m, err)
		}
		if len(failures) > 0 { // as of few rows, with a kernel or a ridge that is not for them
			failed = failures[0].Err
			continue
		}
		sizes = append(sizes, one)
	}
	if len(sizes) == 0 {
		return nil, explain.Fit(u.t, m, failed)
	}
	note := fmt.Sprintf("%s Each point: fits to parts of the rest for %s.%s", u.note(), folds, u.weighed())
	if u.numbers != nil {
		always := math.Sqrt(cv.CompareNumbers(u.t.Targets, u.t.Targets, u.weights...).MeanSquaredError)
		return picture.Learning(u.title("learning curve"), "RMSE", "bootstrap", sizes, "the mean of these rows", always, note), nil
	}
	note = strings.Replace(note, "the rest for", "the rest, stratified too, for", 1)
	return picture.Learning(u.title("learning curve"), "share of wrong rows", "Wilson", sizes, "the commonest class", 1-u.baseline(labels, u.weights).Accuracy, note), nil
}

// testClasses tests fits to the training rows of folds.
func (u *subject) testClasses(ctx context.Context, m method, folds *cv.Folds, s *picture.Size) ([]cv.Failure, error) {
	e, err := cv.Evaluate(ctx, m, u.t.X, u.t.Labels, folds, u.weights...)
	if err != nil {
		return nil, err
	}
	if len(e.Failures) > 0 {
		return e.Failures, nil
	}
	if s.Error = 1 - e.Accuracy(); u.weights == nil {
		s.Low, s.High = wilson.Of(e.Errors, e.Rows)
	} else {
		_, within := assess.Share(e.Rows, assess.Alike(s.Error, u.weights))
		s.Low, s.High = within.Low, within.High
	}
	return nil, nil
}

// testNumbers is testClasses of a regression.
func (u *subject) testNumbers(ctx context.Context, m method, folds *cv.Folds, s *picture.Size) ([]cv.Failure, error) {
	e, err := cv.EvaluateRegression(ctx, m, u.t.X, u.t.Targets, folds, func(int, int) {}, u.weights...)
	if err != nil {
		return nil, err
	}
	if len(e.Failures) > 0 {
		return e.Failures, nil
	}
	r := scoreFolds(e, folds, u.t.Targets, u.weights)
	s.Error, s.Low, s.High = r.RMSE, r.Intervals.RMSE.Low, r.Intervals.RMSE.High
	return nil, nil
}

// outputs is what a plan takes for the classes.
func (u *subject) outputs() int {
	if u.numbers != nil {
		return numbersPerRow
	}
	return len(u.Classes())
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
func settingsOf(m *savedModel, fewest int) method {
	base := bareSettings(m, fewest)
	p := m.Preparation()
	if p == nil {
		return base
	}
	levels := make([]int, m.Dim())
	for _, c := range p.Columns() {
		levels[c.From] = max(levels[c.From], c.Level+1)
	}
	if set := base.Settings(); set.Kernel != nil {
		set.Kernel = ofTable(set.Kernel, p)
		base = base.With(set)
	}
	return discriminant.Prepared{Method: base, Levels: levels, Missing: p.Missing()}
}

// bareSettings are those of the method that sees the columns when they are prepared.
func bareSettings(m *savedModel, fewest int) method {
	scaling := discriminant.NoScaling
	if s := m.Scaler(); s != nil {
		scaling = s.Kind()
	}
	switch d := detailsOf(m.learnt).(type) {
	case discriminant.KFDADetails:
		k := discriminant.KFDA{
			Kernel: d.Kernel(), Regularizer: d.Regularizer(), Scatter: d.Scatter(), Scaling: scaling, Priors: d.Priors(),
			Classifier: d.Classifier(), LeaveOneOut: d.LeaveOneOut(), Components: fewer(m.Components(), len(m.Classes())-1),
		}
		if d.Certificate().Solver == conjugateSolver {
			k.Conjugate = &discriminant.ConjugateGradients{}
		}
		return k
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
	case regression:
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
