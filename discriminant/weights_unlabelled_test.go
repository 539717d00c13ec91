package discriminant

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// near fails where what has other values than wanted.
func near(t *testing.T, what string, got, want *matrix.Dense, signs bool) {
	t.Helper()
	if e := apart(want, got, signs); !(e <= repetitionTolerance) {
		t.Errorf("%s differ by %.3g", what, e)
	}
}

// Weights are repetitions in what has no classes: scalers, default widths, regressions and
// kernel principal components with their pre-images.
func TestWeightsWithoutClasses(t *testing.T) {
	ctx := t.Context()
	x, codes := overlapping(3, 26, 3, 2, 0.8)
	fresh, _ := overlapping(99, 9, 3, 2, 2)
	weights := wholeWeights(4, 26)
	twice, _ := repeatedRows(x, codes, weights)
	for _, kind := range []Scaling{NoScaling, Standard, MinMax} {
		a, b := must.Get(FitScaler(kind, x, weights...))(t), must.Get(FitScaler(kind, twice))(t)
		near(t, "shifts", matrix.Column(a.Shift()), matrix.Column(b.Shift()), true)
		near(t, "scales", matrix.Column(a.Scale()), matrix.Column(b.Scale()), true)
	}
	if a, b := must.Get(gram.GammaScale(x, weights...))(t), must.Get(gram.GammaScale(twice))(t); math.Abs(a-b) > 1e-14*b {
		t.Errorf("γ = %v, of repeated rows %v", a, b)
	}
	targets := matrix.New(26, 2)
	for i := range 26 {
		targets.Set(i, 0, x.At(i, 0)*x.At(i, 1))
		targets.Set(i, 1, 100+math.Abs(x.At(i, 2)))
	}
	twiceTargets, _ := repeatedRows(targets, codes, weights)
	for _, m := range []KernelRidge{{Regularizer: Ridge(0.1), Scaling: Standard}, {Regularizer: RelativeRidge(1e-3), Intercept: NoIntercept()}} {
		a, b := must.Get(FitRegression(ctx, m, x, targets, weights...))(t), must.Get(FitRegression(ctx, m, twice, twiceTargets))(t)
		near(t, "predictions", must.Get(a.Predict(nil, fresh))(t), must.Get(b.Predict(nil, fresh))(t), true)
		near(t, "intercepts", matrix.Column(a.Intercept()), matrix.Column(b.Intercept()), true)
	}
	for _, m := range []KernelPCA{{Scaling: Standard, Whiten: UnitVariance}, {Components: 4}, {Kernel: gram.NewPolynomial(2), Components: 5}} {
		a, b := must.Get(FitKernelPCA(ctx, m, x, weights...))(t), must.Get(FitKernelPCA(ctx, m, twice))(t)
		a = must.Get(LoadPCA(bytes.NewReader(must.Get(a.MarshalBinary())(t))))(t)
		some := min(a.Components(), b.Components())
		near(t, "eigenvalues", matrix.Column(a.Eigenvalues()[:some]), matrix.Column(b.Eigenvalues()[:some]), true)
		near(t, "shares", matrix.Column(a.ExplainedRatio()[:some]), matrix.Column(b.ExplainedRatio()[:some]), true)
		scores := must.Get(a.Project(nil, fresh))(t)
		near(t, "scores", scores.View(0, 0, 9, 4), must.Get(b.Project(nil, fresh))(t).View(0, 0, 9, 4), false)
		near(t, "reconstruction errors", matrix.Column(must.Get(a.ReconstructionErrors(nil, fresh))(t)), matrix.Column(must.Get(b.ReconstructionErrors(nil, fresh))(t)), true)
		if m.Kernel != nil {
			continue
		}
		points, found, err := a.PreImages(ctx, nil, scores)
		if err != nil {
			t.Fatal(err)
		}
		same, others, err := b.PreImages(ctx, nil, must.Get(b.Project(nil, fresh))(t))
		if err != nil {
			t.Fatal(err)
		}
		if e := apart(same, points, true); !(e < 1e-6) {
			t.Errorf("pre-images differ by %.3g", e)
		}
		for i := range found {
			if math.Abs(found[i].Error-others[i].Error) > 1e-9 {
				t.Errorf("pre-image %d has the error %v, of repeated rows %v", i, found[i].Error, others[i].Error)
			}
		}
	}
}

// (K + λ diag(1/wᵢ))a = t, as in scikit-learn's KernelRidge with sample_weight, and the
// optimality conditions of a machine with 0 ≤ yᵢuᵢ ≤ C·wᵢ, as in its SVC.
func TestWeightsByDefinition(t *testing.T) {
	x, codes := overlapping(8, 17, 2, 2, 1.5)
	weights := make([]float64, 17)
	for i := range weights {
		weights[i] = 0.1 + math.Abs(x.At(i, 0))
	}
	kernel := gram.RBF{Gamma: 0.7}
	k := must.Get(gram.Matrix(nil, kernel, x))(t)
	m := must.Get(Fit(t.Context(), KernelRidge{Kernel: kernel, Regularizer: Ridge(0.3), Intercept: NoIntercept()}, x, codes, weights...))(t)
	a := DetailsOf(m).Alpha()
	for i := range k.Rows {
		sum := 0.3 / weights[i] * a.At(i, 0)
		for j := range k.Rows {
			sum += k.At(i, j) * a.At(j, 0)
		}
		if want := float64(2*codes[i] - 1); math.Abs(sum-want) > 1e-12 {
			t.Errorf("row %d of (K + λ/w)a is %v, want %v", i, sum, want)
		}
	}
	const c = 2
	svm := must.Get(Fit(t.Context(), SVM{Kernel: kernel, C: c, Tolerance: 1e-10}, x, codes, weights...))(t)
	f := must.Get(svm.Decision(nil, x))(t)
	machine := svm.pipeline.embedding.(*machineEmbedding).machines
	u := make([]float64, 17)
	for s, i := range machine.support {
		u[i] = machine.coefficients.At(s, 0)
	}
	for i, code := range codes {
		y := float64(2*code - 1)
		own, bound, margin := y*u[i], c*weights[i], y*f[i]
		if own < 0 || own > bound*(1+1e-15) || own > 0 && margin > 1+1e-9 || own < bound*(1-1e-12) && margin < 1-1e-9 {
			t.Errorf("row %d: 0 ≤ %v ≤ %v with the margin %v", i, own, bound, margin)
		}
	}
}

// A row is left out with all its weight: values are those of fits without it, and the ridge is
// chosen by their weighted squares.
func TestWeightedLeaveOneOut(t *testing.T) {
	ctx := t.Context()
	x, codes := overlapping(6, 15, 2, 3, 1)
	weights := make([]float64, 15)
	targets := matrix.New(15, 2)
	for i := range weights {
		weights[i] = 0.2 + float64(i%4)
		targets.Set(i, 0, x.At(i, 0)+0.3*x.At(i, 1))
		targets.Set(i, 1, float64(codes[i]))
	}
	kernel := gram.RBF{Gamma: 0.4}
	for _, intercept := range []Intercept{FittedIntercept(), NoIntercept()} {
		m := KernelRidge{Kernel: kernel, Regularizer: Ridge(0.2), Intercept: intercept}
		left := must.Get(LeaveOneOutRegression(ctx, m, x, targets, weights...))(t)
		byClass := must.Get(LeaveOneOut(ctx, m, x, codes, weights...))(t)
		for i := range 15 {
			rest := slices.Delete(slices.Clone(weights), i, i+1)
			rows := slices.Delete(allOf(15), i, i+1)
			without := must.Get(FitRegression(ctx, m, selectRows(x, rows), selectRows(targets, rows), rest...))(t)
			zero := slices.Clone(weights)
			zero[i] = 0
			near(t, "values without a row", left.View(i, 0, 1, 2), must.Get(without.Predict(nil, x.View(i, 0, 1, 2)))(t), true)
			near(t, "values without a row", byClass.View(i, 0, 1, 3), must.Get(must.Get(Fit(ctx, m, x, codes, zero...))(t).Project(nil, x.View(i, 0, 1, 2)))(t), true)
		}
	}
	// Targets in units of their own: one column decides.
	one := targets.View(0, 0, 15, 1)
	best, least := 0.0, math.Inf(1)
	for _, r := range relativeRidges {
		left := must.Get(LeaveOneOutRegression(ctx, KernelRidge{Kernel: kernel, Regularizer: RelativeRidge(r)}, x, one, weights...))(t)
		loss := 0.0
		for i, w := range weights {
			d := left.At(i, 0) - one.At(i, 0)
			loss += w * d * d
		}
		if loss < least {
			best, least = r, loss
		}
	}
	if got := must.Get(FitRegression(ctx, KernelRidge{Kernel: kernel}, x, one, weights...))(t).Regularizer(); got != RelativeRidge(best) {
		t.Errorf("the regulariser is %v, that of the least weighted loss %v", got, best)
	}
}

func allOf(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// The projections of rows that are left out are, up to the step that keeps the mean of the
// contrasts, an affine map of the regression's values without them.
func TestWeightedLeaveOneOutProjections(t *testing.T) {
	x, codes := overlapping(6, 15, 2, 2, 1)
	weights := make([]float64, 15)
	for i := range weights {
		weights[i] = 0.2 + float64(i%4)
	}
	of := fisher.NewClasses(codes, 2, weights)
	kernel := gram.RBF{Gamma: 0.4}
	k := must.Get(gram.Matrix(nil, kernel, x))(t)
	e := must.Get(gram.NewEvaluator(gram.Precomputed{}, k))(t)
	s := must.Get(fisher.Solve(t.Context(), nil, fisher.Problem{K: k.Clone(), Source: e, Classes: of, Regularizer: RKHS(0.2).solved(), LeaveOneOut: true}))(t)
	left := s.LeaveOut(s.Projections, of)
	values := must.Get(LeaveOneOut(t.Context(), KernelRidge{Kernel: kernel, Regularizer: Ridge(0.2)}, x, codes, weights...))(t)
	plain := make([]float64, 15)
	for i, w := range weights {
		step := (w*s.Projections.At(i, 0) + 0.2*s.Alpha.At(i, 0)) / (of.Total() - w)
		plain[i] = left.At(i, 0) - step
	}
	slope := (plain[1] - plain[0]) / (values.At(1, 0) - values.At(0, 0))
	for i, v := range plain {
		if want := plain[0] + slope*(values.At(i, 0)-values.At(0, 0)); math.Abs(v-want) > 1e-11*math.Abs(slope) {
			t.Errorf("row %d: %v, want %v", i, v, want)
		}
	}
}

// Weights times a factor are a ridge over it (in the RKHS, and of a regression; of coefficients
// its square), and leave linear discriminants, axes and scalings alone.
func TestWeightsTimesAFactor(t *testing.T) {
	x, codes := overlapping(6, 25, 3, 3, 1)
	fresh, _ := overlapping(99, 9, 3, 3, 2)
	weights, more := make([]float64, 25), make([]float64, 25)
	const factor = 1000
	for i := range weights {
		weights[i] = 0.2 + float64(i%4)
		more[i] = factor * weights[i]
	}
	kernel := gram.RBF{Gamma: 0.4}
	for name, pair := range map[string][2]Method{
		"RKHS":         {KFDA{Kernel: kernel, Regularizer: RKHS(0.1)}, KFDA{Kernel: kernel, Regularizer: RKHS(0.1 * factor)}},
		"coefficients": {KFDA{Kernel: kernel, Regularizer: Ridge(0.1)}, KFDA{Kernel: kernel, Regularizer: Ridge(0.1 * factor * factor)}},
		"regression":   {KernelRidge{Kernel: kernel, Regularizer: Ridge(0.1)}, KernelRidge{Kernel: kernel, Regularizer: Ridge(0.1 * factor)}},
		"lda":          {LDA{Scaling: Standard}, LDA{Scaling: Standard}},
		"shrunk":       {LDA{Regularizer: LedoitWolf()}, LDA{Regularizer: Shrink(0.2)}},
		"svm":          {SVM{C: factor, Tolerance: 1e-12}, SVM{Tolerance: 1e-12}},
		"kpca":         {KernelPCA{Components: 4, Whiten: UnitVariance}, KernelPCA{Components: 4, Whiten: UnitVariance}},
	} {
		if name == "shrunk" {
			pair[0] = pair[1]
		}
		a, b := must.Get(Fit(t.Context(), pair[0], x, codes, weights...))(t), must.Get(Fit(t.Context(), pair[1], x, codes, more...))(t)
		za, zb := must.Get(a.Project(nil, fresh))(t), must.Get(b.Project(nil, fresh))(t)
		for _, z := range []*matrix.Dense{za, zb} { // directions have a length that depends on the weights
			if name != "regression" && name != "svm" && name != "kpca" {
				for k := range z.Cols {
					norm := matrix.NormFrobenius(z.View(0, k, z.Rows, 1))
					for i := range z.Rows {
						z.Set(i, k, z.At(i, k)/norm)
					}
				}
			}
		}
		if e := apart(za, zb, true); !(e <= 1e-10) {
			t.Errorf("%s: projections differ by %.3g", name, e)
		}
	}
}

// A path has the fits with its weights, and tests rows with them.
func TestPathWithWeights(t *testing.T) {
	ctx := t.Context()
	x, codes := overlapping(6, 60, 3, 3, 1)
	fresh, _ := overlapping(99, 20, 3, 3, 2)
	weights := wholeWeights(9, 60)
	for i := range weights {
		weights[i] *= 0.7
	}
	kernel := gram.RBF{Gamma: 0.3}
	k, y := must.Get(gram.Matrix(nil, kernel, x))(t), must.Get(gram.Cross(nil, kernel, fresh, x))(t)
	for _, regs := range [][]Regularizer{
		{Ridge(1e-4), RelativeRidge(1e-2), Shrink(0.5)},
		{RKHS(0.1), RelativeRKHS(1)},
		{RKHS(1e-3), RKHS(0.1), RKHS(1), RKHS(10), RelativeRKHS(1)},
	} {
		for _, c := range []Classifier{NearestCentroid{}, Gaussian{}, SVM{Tolerance: 1e-12}} {
			m := KFDA{Kernel: kernel, Classifier: c}
			path := must.Get(FitPath(ctx, m, x, codes, regs, weights...))(t)
			m.Kernel = gram.Precomputed{}
			tests := must.Get(TestPath(ctx, m, k.Clone(), codes, y, regs, weights...))(t)
			for i, reg := range regs {
				one := KFDA{Kernel: kernel, Classifier: c, Regularizer: reg}
				want := must.Get(Fit(ctx, one, x, codes, weights...))(t)
				z := must.Get(want.Project(nil, fresh))(t)
				got := must.Get(must.Get(path.Model(ctx, i))(t).Project(nil, fresh))(t)
				if e := apart(z, got, false); !(e < 1e-9) {
					t.Errorf("%v %v: the path's projections differ by %.3g", reg, c, e)
				}
				if e := apart(matrix.Column(want.lambda), matrix.Column(path.Eigenvalues(i)), true); !(e < 1e-9) {
					t.Errorf("%v %v: the path's eigenvalues differ by %.3g", reg, c, e)
				}
				if predicted := must.Get(want.Predict(nil, fresh))(t); tests[i].Err != nil || !slices.Equal(tests[i].Predictions, predicted) {
					t.Errorf("%v %v: predictions %v, want %v, error %v", reg, c, tests[i].Predictions, predicted, tests[i].Err)
				}
				if p, err := want.Posteriors(nil, fresh); err == nil {
					if e := apart(p, tests[i].Posteriors, true); !(e < 1e-8) {
						t.Errorf("%v %v: posteriors differ by %.3g", reg, c, e)
					}
				}
			}
		}
	}
}

// A Krylov space does with weights, too.
func TestKrylovWithWeights(t *testing.T) {
	x, codes := patches(300, 3, 5)
	weights := make([]float64, 300)
	for i := range weights {
		weights[i] = 0.5 + float64(i%5)
	}
	m := KFDA{Kernel: gram.RBF{Gamma: 0.05}, Regularizer: Ridge(10)}
	direct := must.Get(Fit(t.Context(), m, x, codes, weights...))(t)
	defer tryKrylov()()
	krylov := must.Get(Fit(t.Context(), m, x, codes, weights...))(t)
	if solver := DetailsOf(krylov).Certificate().Solver; solver != "krylov" {
		t.Errorf("the solver is %q", solver)
	}
	near(t, "projections", must.Get(krylov.Project(nil, x))(t), must.Get(direct.Project(nil, x))(t), false)
}

// Weights of classes: what they come to, and the same as an SVM's own.
func TestClassWeights(t *testing.T) {
	labels := []string{"b", "a", "b", "b", "c", "b"}
	if got, want := Balanced(labels), []float64{0.5, 2, 0.5, 0.5, 2, 0.5}; !slices.Equal(got, want) {
		t.Errorf("balanced weights %v, want %v", got, want)
	}
	// Each class weighs a half: 4 rows of a 4 and of b 2 to 1, without one of 0.
	if got, want := Balanced([]string{"a", "b", "a", "b", "b"}, 1, 4, 3, 2, 0), []float64{1.25, 10. / 3, 3.75, 5. / 3, 0}; !slices.Equal(got, want) {
		t.Errorf("balanced %v, want %v", got, want)
	}
	if got, want := ClassWeights(labels, map[string]float64{"b": 3, "c": 0}), []float64{3, 1, 3, 3, 0, 3}; !slices.Equal(got, want) {
		t.Errorf("class weights %v, want %v", got, want)
	}
	x, codes := overlapping(6, 40, 2, 3, 1.5)
	kernel := gram.RBF{Gamma: 0.5}
	own := mustFit(t, SVM{Kernel: kernel, Weights: []float64{1, 5, 0.2}}, x, codes)
	rows := must.Get(Fit(t.Context(), SVM{Kernel: kernel}, x, codes, ClassWeights(codes, map[int]float64{1: 5, 2: 0.2})...))(t)
	if apart(must.Get(own.Project(nil, x))(t), must.Get(rows.Project(nil, x))(t), true) != 0 {
		t.Error("an SVM's weights of classes are not those of their rows")
	}
	// Balanced classes have equal priors.
	m := must.Get(Fit(t.Context(), LDA{}, x, codes, Balanced(codes)...))(t)
	equal := must.Get(Fit(t.Context(), LDA{Priors: []float64{1. / 3, 1. / 3, 1. / 3}}, x, codes, Balanced(codes)...))(t)
	near(t, "posteriors", must.Get(m.Posteriors(nil, x))(t), must.Get(equal.Posteriors(nil, x))(t), true)
	var refused *ParameterError
	if _, err := Fit(t.Context(), LDA{Classifier: KNN{}}, x, codes, Balanced(codes)...); !errors.As(err, &refused) {
		t.Errorf("neighbours with weights: error %v", err)
	}
}

// What is chosen and calibrated by leaving out rows works with any weights, and 1000 random
// rows keep theirs.
func TestDefaultsWithWeights(t *testing.T) {
	x, codes := overlapping(6, 1100, 2, 3, 1.5)
	weights := make([]float64, 1100)
	for i := range weights {
		weights[i] = []float64{1e-3, 1, 20}[codes[i]] * (1 + float64(i%3))
	}
	for _, m := range []Method{KFDA{Scaling: AutoScaling}, KFDA{Regularizer: LeaveOneOutRidge()}, KernelRidge{Scaling: AutoScaling}, SVM{Probability: true}} {
		rows, labels, own := x, codes, weights
		if _, machine := m.(SVM); machine {
			rows, labels, own = x.View(0, 0, 200, 2), codes[:200], weights[:200]
		}
		model := must.Get(Fit(context.Background(), m, rows, labels, own...))(t)
		p, err := model.Posteriors(nil, rows)
		if err != nil {
			continue
		}
		// Posteriors of a calibrated model have about the weighted shares of the classes.
		shares, total := make([]float64, 3), 0.0
		for i, w := range own {
			total += w
			for j, v := range p.Row(i) {
				shares[j] += w * v
			}
			shares[labels[i]] -= w
		}
		for j, s := range shares {
			if math.Abs(s) > 0.02*total {
				t.Errorf("%T: the share of class %d is off by %.3g", m, j, s/total)
			}
		}
	}
}

// What is fitted to values of rows that were left out, those held, takes weights for
// repetitions: sigmoids of machines, and calibrations.
func TestWeightsOfCalibrations(t *testing.T) {
	d, codes := scoresOf(4, []int{12, 9, 14}, 1.5)
	weights := wholeWeights(8, d.Rows)
	for i := range weights {
		weights[i]++
	}
	twice, labels := repeatedRows(d, codes, weights)
	a := must.Get(calibrate(t.Context(), d, fisher.NewClasses(codes, 3, weights)))(t)
	b := mustCalibrate(t, twice, labels, make([]int, 3))
	// Newton's method ends where the objective can't tell.
	if e := apart(matrix.Column(append([]float64{b.scale}, b.biases...)), matrix.Column(append([]float64{a.scale}, a.biases...)), true); !(e < 1e-6) {
		t.Errorf("calibrations differ by %.3g", e)
	}
	for _, sign := range []float64{1, -1} { // a machine worse than chance has a constant
		some := decisions{first: []float64{-1.2, -0.3, 0.4}, second: []float64{0.2, 1.5, -0.1, 2}, weights: fisher.Weights{1, 3, 2, 2, 1, 1, 3}}
		var all decisions
		for i, w := range some.weights {
			if i < 3 {
				some.first[i] *= sign
				all.first = append(all.first, slices.Repeat(some.first[i:i+1], int(w))...)
			} else {
				some.second[i-3] *= sign
				all.second = append(all.second, slices.Repeat(some.second[i-3:i-2], int(w))...)
			}
		}
		a, b := risingSigmoid(some), risingSigmoid(all)
		near(t, "sigmoids", matrix.Column([]float64{a.slope, a.offset}), matrix.Column([]float64{b.slope, b.offset}), true)
	}
}

// Rows of weight 0 are absent from what has no classes, and from kernel matrices with their
// columns.
func TestAbsentRows(t *testing.T) {
	ctx := t.Context()
	x, codes := overlapping(6, 20, 2, 2, 1)
	weights, rows := make([]float64, 20), []int(nil)
	for i := range weights {
		if i%3 != 1 {
			weights[i], rows = 0.5+float64(i%2), append(rows, i)
		}
	}
	some, own, labels := selectRows(x, rows), make([]float64, len(rows)), make([]int, len(rows))
	for k, i := range rows {
		own[k], labels[k] = weights[i], codes[i]
	}
	k := must.Get(gram.Matrix(nil, gram.RBF{Gamma: 0.3}, x))(t)
	matrices := KFDA{Kernel: gram.Precomputed{}}
	for name, pair := range map[string][2]interface{ MarshalBinary() ([]byte, error) }{
		"regression": {must.Get(FitRegression(ctx, KernelRidge{}, x, x, weights...))(t), must.Get(FitRegression(ctx, KernelRidge{}, some, some, own...))(t)},
		"components": {must.Get(FitKernelPCA(ctx, KernelPCA{}, x, weights...))(t), must.Get(FitKernelPCA(ctx, KernelPCA{}, some, own...))(t)},
		"matrix":     {must.Get(Fit(ctx, matrices, k, codes, weights...))(t), must.Get(Fit(ctx, matrices, someOf(k, rows, true), labels, own...))(t)},
	} {
		if !bytes.Equal(must.Get(pair[0].MarshalBinary())(t), must.Get(pair[1].MarshalBinary())(t)) {
			t.Errorf("%s: a model has other bytes with absent rows", name)
		}
	}
}

// What fills missing cells takes weights for repetitions, too, in a fit as by itself.
func TestPreparationWithWeights(t *testing.T) {
	x, codes := overlapping(6, 24, 3, 2, 1)
	for i := range x.Rows {
		x.Set(i, 1, float64(i*i%11%4))
		x.Set(i, 2, float64(i%5))
		if i%5 == 3 {
			x.Row(i)[i%3] = math.NaN()
		}
	}
	weights := wholeWeights(5, 24)
	twice, labels := repeatedRows(x, codes, weights)
	for missing := FillMean; missing <= FillIndicator; missing++ {
		m := Prepared{Method: LDA{}, Levels: []int{0, 4, 0}, Missing: missing}
		a, b := must.Get(m.Learn(x, weights...))(t), must.Get(m.Learn(twice))(t)
		near(t, missing.String(), must.Get(a.Transform(nil, x))(t), must.Get(b.Transform(nil, x))(t), true)
		got := must.Get(Fit(t.Context(), Method(m), x, codes, weights...))(t)
		near(t, "prepared posteriors", must.Get(got.Posteriors(nil, x))(t), must.Get(mustFit(t, m, twice, labels).Posteriors(nil, x))(t), true)
	}
}
