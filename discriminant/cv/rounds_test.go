package cv

import (
	"context"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
)

// Blocks of three rows a class along a line: γ₀, from the variance, is far below
// what suits a block's width, and so is 64 times that, where the first grid ends.
func blocks() (x *matrix.Dense, labels []int) {
	x = matrix.New(160, 1)
	for i := range x.Rows {
		x.Set(i, 0, float64(i)/4)
		labels = append(labels, i/3%2)
	}
	return x, labels
}

func TestSearchGoesOnBeyondAnEdge(t *testing.T) {
	x, labels := blocks()
	ridges := []float64{1e-3, 1e-2, 1e-1}
	centre := must.Get(scaleOf(gram.RBF{}, discriminant.NoScaling, x, nil))(t)
	gaussian := discriminant.KFDA{Classifier: discriminant.Gaussian{}, LeaveOneOut: true}
	s := Search{Method: gaussian, Scalings: noScaling, Values: ridges, Refinements: -1}
	only := tune(t, s, x, labels).Record
	if best := only.Candidates[only.Best]; float64(best.Gamma) != math.Ldexp(centre, 6) || !slices.Contains(only.Edges(), "largest gamma") {
		t.Errorf("without refinements the best is %v of γ₀ = %v, with the edges %q", best, centre, only.Edges())
	}
	s.Refinements = 1
	var stages []string
	s.Progress = func(stage string, done, total int) {
		if done == total {
			stages = append(stages, stage)
		}
	}
	r := tune(t, s, x, labels).Record
	best := r.Candidates[r.Best]
	if float64(best.Gamma) <= math.Ldexp(centre, 6) || best.Errors >= only.Candidates[only.Best].Errors || slices.Contains(r.Edges(), "largest gamma") {
		t.Errorf("the best is %v with %d errors, at the edges %q; without going on %d errors", best, best.Errors, r.Edges(), only.Candidates[only.Best].Errors)
	}
	if !slices.Contains(stages, "search, shift 1") {
		t.Errorf("stages %q", stages)
	}
	for i, c := range r.Candidates {
		for _, d := range r.Candidates[:i] {
			if c.point().compare(d.point()) == 0 && c.Classifier == d.Classifier {
				t.Errorf("%v was tried twice", c)
			}
		}
	}
}

// The edges of a small grid, by hand.
func TestEdges(t *testing.T) {
	grid := func(errors ...int) (c []Candidate) { // γ = 1, 2, 3 (down), ridges 10, 20, 30
		for i, e := range errors {
			c = append(c, Candidate{Gamma: Number(1 + i/3), Ridge: Number(10 + 10*(i%3)), Errors: e, Rows: 9})
		}
		return c
	}
	for want, c := range map[string][]Candidate{
		"smallest gamma, largest ridge":  grid(2, 2, 1, 3, 3, 3, 3, 3, 3),
		"largest gamma, smallest ridge":  grid(2, 2, 2, 3, 3, 3, 1, 3, 3),
		"largest gamma":                  grid(2, 2, 2, 3, 3, 3, 2, 1, 2),
		"smallest ridge":                 grid(2, 2, 2, 1, 3, 3, 1, 3, 3), // not of γ: another is as good
		"":                               grid(2, 2, 2, 3, 1, 3, 3, 3, 3),
		"smallest gamma, smallest ridge": grid(1, 2),
	} {
		at := must.Get(best(c, ByErrors.order))(t)
		if want == "smallest gamma, smallest ridge" {
			want = "smallest ridge" // there is but one γ
		}
		r := Record{Candidates: c, Best: at, Criterion: ByErrors.String()}
		must.Equal(t, "edges", strings.Join(r.Edges(), ", "), want)
		// Those of another scaling are no part of it, and no better one in a sample of the rows is.
		r.Candidates = append(r.Candidates, Candidate{Scaling: discriminant.MinMax, Gamma: 100, Ridge: 100, Errors: 9}, Candidate{Sample: 5, Gamma: 1, Ridge: 20, Errors: 0})
		if got := strings.Join(r.Edges(), ", "); got != want {
			t.Errorf("edges %q, want %q, with candidates that are not comparable", got, want)
		}
		// What failed beyond it is no end of the grid, nor is what lost in a sample.
		lost := r
		lost.Candidates = append(slices.Clone(r.Candidates), Candidate{Sample: 5, Gamma: 4, Ridge: 40, Errors: 9}, Candidate{Sample: 5, Gamma: 0.5, Ridge: 5, Errors: 9})
		if got := lost.Edges(); len(got) > 0 {
			t.Errorf("edges %q between those of a sample", got)
		}
		r.Candidates = append(r.Candidates, Candidate{Gamma: 4, Ridge: 40, Failed: 1}, Candidate{Gamma: 0.5, Ridge: 5, Failed: 1})
		if got := r.Edges(); len(got) > 0 {
			t.Errorf("edges %q between failures", got)
		}
	}
	intensities := []Candidate{{Parameter: "shrink", Value: 0, Errors: 1}, {Parameter: "shrink", Value: 1}}
	counts := []Candidate{{Parameter: "components", Value: 1}, {Parameter: "components", Value: 2, Errors: 1}}
	for _, c := range [][]Candidate{intensities, counts} {
		at, _ := best(c, ByErrors.order)
		if got := (Record{Candidates: c, Best: at}).Edges(); len(got) > 0 {
			t.Errorf("edges %q where values end of themselves", got)
		}
	}
	at, _ := best(counts, ByErrors.order)
	if got := (Record{Candidates: counts, Best: 1 - at}).Edges(); !slices.Equal(got, []string{"largest components"}) {
		t.Errorf("edges %q", got)
	}
}

// One class within the other along a line, which a line separates by no threshold: the
// classifier decides, whichever the search tries in its grid.
func TestSearchChoosesTheClassifier(t *testing.T) {
	random := splitmix.Random(3)
	x, labels := matrix.New(120, 1), make([]int, 120)
	for i := range x.Rows {
		v := float64(random.Next()%1000) / 1000
		if labels[i] = i % 2; i%2 == 1 {
			if v += 2; i%3 > 0 {
				v = 1 - v
			}
		}
		x.Set(i, 0, v)
	}
	for _, reg := range []discriminant.Regularizer{{}, discriminant.RelativeRidge(1)} {
		s := Search{Method: discriminant.KFDA{Kernel: gram.Linear{}, Regularizer: reg}, Scalings: noScaling}
		tuned := tune(t, s, x, labels)
		r := tuned.Record
		best := r.Candidates[r.Best]
		last := r.Candidates[len(r.Candidates)-3:]
		inGrid, other := "gaussian", "centroid"
		if reg != (discriminant.Regularizer{}) {
			inGrid, other = other, inGrid
		}
		if r.Candidates[0].Classifier != inGrid || last[0].Classifier != other || last[1].Classifier != "gaussian(per-class)" || last[2].Classifier != "knn(k=5)" {
			t.Errorf("%v: the classifiers are %q in the grid, then %q, %q and %q", reg, r.Candidates[0].Classifier, last[0].Classifier, last[1].Classifier, last[2].Classifier)
		}
		if best.Errors > 2 || best.Classifier == "gaussian" || best.Classifier == "centroid" || tuned.Model.Details().(discriminant.KFDADetails).Classifier().String() != best.Classifier {
			t.Errorf("%v: the best is %v with %d errors, the model's classifier %v", reg, best, best.Errors, tuned.Model.Details().(discriminant.KFDADetails).Classifier())
		}
		s.Classifiers = []discriminant.Classifier{discriminant.NearestCentroid{}}
		given := tune(t, s, x, labels)
		for _, c := range given.Record.Candidates {
			if c.Classifier != "centroid" {
				t.Errorf("%v: %v, though the classifier was given", reg, c)
			}
		}
	}
}

// What has no ridge in the RKHS is searched with one on the coefficients.
func TestSearchOnTheCoefficients(t *testing.T) {
	x, labels := matrixtest.LabelledCase(t, "92-ties-follow-list-order/train.csv")
	for _, m := range []discriminant.KFDA{{Scatter: discriminant.AveragedScatter}, {Regularizer: discriminant.LeaveOneOutRidge()}, {Regularizer: discriminant.Ridge(3)}} {
		tuned := tune(t, Search{Method: m, Scalings: noScaling}, x, labels)
		best := tuned.Record.Candidates[tuned.Record.Best]
		if r := tuned.Model.Details().(discriminant.KFDADetails).Regularizer(); r != discriminant.RelativeRidge(float64(best.Ridge)) || tuned.Record.Candidates[0].Ridge != 1e-8 || best.Errors > 0 {
			t.Errorf("%v, %v: the model has %v, the best is %v with %d errors", m.Scatter, m.Regularizer, r, best, best.Errors)
		}
	}
}

// In a tie the classifier of the grid stays; a criterion of posteriors has none without.
func TestClassifierOfTheGridStays(t *testing.T) {
	x, labels := matrix.New(40, 1), make([]int, 40)
	for i := range x.Rows {
		labels[i] = i % 2
		x.Set(i, 0, float64(100*labels[i]+i/2))
	}
	s := Search{Scalings: noScaling, Gammas: []float64{1e-3}}
	r := tune(t, s, x, labels).Record
	if best := r.Candidates[r.Best]; best.Errors != 0 || best.Classifier != "gaussian" || len(r.Candidates) != 6+3 {
		t.Errorf("the best of %d is %v", len(r.Candidates), best)
	}
	s.Criterion = ByLogLoss
	for _, reg := range []discriminant.Regularizer{{}, discriminant.RelativeRidge(1)} {
		s.Method = discriminant.KFDA{Regularizer: reg}
		for _, c := range tune(t, s, x, labels).Record.Candidates {
			if c.Failed > 0 || c.Classifier == "centroid" {
				t.Errorf("%v: %v is tried by log loss, and fails for %q", reg, c, c.Reason)
			}
		}
	}
}

// Two normal classes of 19 to 1, one deviation apart: by errors the frequent one takes nearly all
// rows, by balanced accuracy the threshold is the midpoint, right for Φ(½) = 0.69 of either.
func TestBalancedSearchHasEqualPriors(t *testing.T) {
	random := splitmix.Random(5)
	x, labels := matrix.New(400, 1), make([]int, 400)
	for i := range x.Rows {
		v := 0.0
		for range 12 {
			v += float64(random.Next()%1e6)/1e6 - 0.5
		}
		if i%20 == 0 {
			labels[i] = 1
			v++
		}
		x.Set(i, 0, v)
	}
	s := Search{Method: discriminant.KFDA{Kernel: gram.Linear{}}, Scalings: noScaling}
	byErrors := tune(t, s, x, labels)
	s.Criterion = ByBalancedAccuracy
	balanced := tune(t, s, x, labels)
	if p := balanced.Model.Details().(discriminant.KFDADetails).Priors(); !slices.Equal(p, []float64{0.5, 0.5}) || byErrors.Model.Details().(discriminant.KFDADetails).Priors() != nil {
		t.Errorf("priors %v, by errors %v", p, byErrors.Model.Details().(discriminant.KFDADetails).Priors())
	}
	rare := func(m *discriminant.Model[int]) float64 {
		predicted := must.Get(m.Predict(nil, x))(t)
		right := 0.0
		for i, l := range labels {
			if l == 1 && predicted[i] == 1 {
				right++
			}
		}
		return right / 20
	}
	// The share of 20 rows has the standard error 0.1.
	if a, b := rare(byErrors.Model), rare(balanced.Model); a > 0.2 || b < 0.45 {
		t.Errorf("%v of the rare class is right, by balanced accuracy %v", a, b)
	}
	r := balanced.Record
	if best := r.Candidates[r.Best]; best.Balanced < 0.6 || best.Balanced > 0.8 {
		t.Errorf("balanced accuracy %v", best.Balanced)
	}
	priors := []float64{0.9, 0.1}
	s.Method = discriminant.KFDA{Kernel: gram.Linear{}, Priors: priors}
	if p := tune(t, s, x, labels).Model.Details().(discriminant.KFDADetails).Priors(); !slices.Equal(p, priors) {
		t.Errorf("priors %v, but %v were given", p, priors)
	}
}

// A search of many rows begins in parts of them, in the same folds and with enough of a rare
// class; the best is one of all rows, whatever those in a part have.
func TestSearchBeginsInASample(t *testing.T) {
	const n = 1200
	random := splitmix.Random(7)
	x, labels := matrix.New(n, 2), make([]string, n)
	for i := range x.Rows {
		labels[i] = "pq"[i%2 : i%2+1]
		if i%100 == 0 {
			labels[i] = "rare" // 12 rows
		}
		for j := range x.Cols {
			x.Set(i, j, float64(random.Next()%1000)/500+float64(i%2))
		}
	}
	folds := must.Get(Stratified(labels, 3, 0))(t)
	classes, codes := must.Get2(prepare(x, labels, folds))(t)
	some := newTuning(Search{Method: discriminant.KFDA{}}, x, codes, nil, folds, classes, nil).sampled(1000)
	if some.sample < 1000 || some.sample > 1000+10 || some.x.Rows != some.sample || len(some.codes) != some.sample || some.folds.Rows() != some.sample {
		t.Errorf("%d rows, %d codes and folds of %d for %d", some.x.Rows, len(some.codes), some.folds.Rows(), some.sample)
	}
	counts := make([]int, len(classes))
	at := 0
	for i := range some.x.Rows {
		for !reflect.DeepEqual(x.Row(at), some.x.Row(i)) {
			at++
		}
		if codes[at] != some.codes[i] {
			t.Errorf("row %d has the class %d", at, some.codes[i])
		}
		counts[codes[at]]++
		for k := range folds.Len() {
			if slices.Contains(folds.Test(k), at) != slices.Contains(some.folds.Test(k), i) {
				t.Errorf("row %d is in another fold", at)
			}
		}
		at++
	}
	if counts[2] != 10 || counts[0] < 490 || counts[1] < 490 {
		t.Errorf("%v rows of the classes", counts)
	}

	s := Search{Method: discriminant.KFDA{Kernel: gram.Linear{}}, Scalings: noScaling, Folds: folds}
	r := tune(t, s, x, labels).Record
	inSample := 0
	for _, c := range r.Candidates {
		if c.Sample == 0 && c.Rows != n || c.Sample > 0 && c.Rows != c.Sample || c.Round > 0 && c.Sample > 0 {
			t.Errorf("%v of round %d, in a sample of %d, was tried on %d rows", c, c.Round, c.Sample, c.Rows)
		}
		if c.Sample > 0 {
			inSample++
		}
	}
	if inSample < 6 || r.Candidates[r.Best].Sample > 0 {
		t.Errorf("%d in the sample; the best is %v", inSample, r.Candidates[r.Best])
	}
	s.Refinements = -1
	for _, c := range tune(t, s, x, labels).Record.Candidates {
		if c.Sample > 0 || c.Rows != n {
			t.Errorf("without refinements %v was tried on %d rows", c, c.Rows)
		}
	}
}

// The parts of a search grow to all rows, each with kernels that were good in the one before; the
// result depends neither on workers nor on the order of lists.
func TestSearchGoesOnInParts(t *testing.T) {
	const n = 3 * 510
	random := splitmix.Random(11)
	x, labels := matrix.New(n, 2), make([]int, n)
	for i := range x.Rows {
		labels[i] = i % 2
		for j := range x.Cols {
			x.Set(i, j, float64(random.Next()%1000)/400+float64(i%2))
		}
	}
	folds := must.Get(Stratified(labels, 3, 0))(t)
	s := Search{Scalings: noScaling, Gammas: []float64{0.01, 1, 100}, Values: []float64{0.1, 1}, Refinements: 1, Folds: folds, Workers: 1}
	r := tune(t, s, x, labels).Record
	var tested []int
	rounds, kernels := make(map[[2]int]bool), make(map[int][]Number) // by Sample, the γ as they came
	for _, c := range r.Candidates {
		if c.Rows != c.Sample && (c.Sample > 0 || c.Rows != n) {
			t.Errorf("%v was tested on %d rows, and says %d", c, c.Rows, c.Sample)
		}
		if (c.Score > 0) != (c.Sample > 0) {
			t.Errorf("%v in %d rows has the log loss %v", c, c.Sample, c.Score)
		}
		rounds[[2]int{c.Sample, c.Round}] = true
		if !slices.Contains(tested, c.Sample) {
			tested = append(tested, c.Sample)
		}
		if !slices.Contains(kernels[c.Sample], c.Gamma) {
			kernels[c.Sample] = append(kernels[c.Sample], c.Gamma)
		}
	}
	must.EqualSlices(t, "tested rows", tested, []int{n / 9, n / 3, 0})
	if len(rounds) != 4 || !rounds[[2]int{n / 3, 1}] || !rounds[[2]int{0, 2}] { // that of the finalists is that of the classifiers
		t.Errorf("rounds by rows: %v", rounds)
	}
	for _, gamma := range kernels[0][:min(finalists, len(kernels[0]))] {
		if !slices.Contains(kernels[n/3], gamma) {
			t.Errorf("γ = %v comes in all rows first", gamma)
		}
	}
	if best := r.Candidates[r.Best]; best.Sample != 0 || slices.ContainsFunc(r.Candidates, func(c Candidate) bool { return c.Sample == 0 && c.Errors < best.Errors }) {
		t.Errorf("the best is %v", best)
	}
	slices.Reverse(s.Gammas)
	s.Workers = 3
	if again := tune(t, s, x, labels).Record; !reflect.DeepEqual(again, r) {
		t.Error("another result with more workers and the γ the other way round")
	}
	for rows, want := range map[int]int{3*fewestRows - 1: 1, 3 * fewestRows: 2, n: 3} {
		all := newTuning(s.withInner(discriminant.KFDA{}), part(x, upTo(rows), allColumns(x)), labels[:rows], nil, must.Get(Stratified(labels[:rows], 3, 0))(t), []int{0, 1}, nil)
		if got := len(all.parts()); got != want {
			t.Errorf("%d parts of %d rows, want %d", got, rows, want)
		}
	}
}

// A part in which no candidate is better than the commonest class, or none has a result, decides
// nothing: all rows try the whole grid and its refinements.
func TestPartsThatTellNothing(t *testing.T) {
	random := splitmix.Random(5)
	x, labels := matrix.New(3*fewestRows, 3), make([]int, 3*fewestRows)
	for i := range labels {
		labels[i] = int(random.Next() % 2)
	}
	for i := range x.Data {
		x.Data[i] = float64(random.Next()%1000) / 1000
	}
	separated := x.Clone()
	for i, label := range labels {
		separated.Set(i, 0, float64(label)+0.5*x.At(i, 0))
	}
	for name, c := range map[string]struct {
		x    *matrix.Dense
		knn  int
		want int // γ that are tried in all rows
	}{
		"no difference":           {x, 5, 7},
		"a difference":            {separated, 5, 3},
		"neighbours of more rows": {separated, fewestRows, 7},
	} {
		s := Search{Method: discriminant.KFDA{Kernel: gram.RBF{}, Classifier: discriminant.KNN{K: c.knn}}, Scalings: noScaling}
		r := tune(t, s, c.x, labels).Record
		var kernels []Number
		refined := false
		for _, d := range r.Candidates {
			if d.Sample > 0 {
				continue
			}
			if refined = refined || d.Round == 1; d.Round == 0 && !slices.Contains(kernels, d.Gamma) {
				kernels = append(kernels, d.Gamma)
			}
		}
		if len(kernels) < c.want || (c.want < 7) != (len(kernels) < 7) || !refined {
			t.Errorf("%s: %d γ in all rows, refined there %v", name, len(kernels), refined)
		}
		if best := r.Candidates[r.Best]; best.Sample > 0 || best.Failed > 0 {
			t.Errorf("%s: the best is %v", name, best)
		}
	}
}

// Classifiers that share the projections of a fit fare as each with fits of its own, also where
// these take parts of one matrix of distances: those of many columns, not scaled.
func TestClassifiersTogether(t *testing.T) {
	x, labels := matrixtest.LabelledCase(t, "92-ties-follow-list-order/train.csv")
	weights := make([]float64, len(labels))
	for i := range weights {
		weights[i] = float64(1 + i%3)
	}
	folds := must.Get(Stratified(labels, 3, 0))(t)
	classes, codes := must.Get2(prepare(x, labels, folds))(t)
	wide := matrix.New(x.Rows, 80)
	for i := range wide.Data {
		wide.Data[i] = x.At(i/wide.Cols, i%wide.Cols%x.Cols)
	}
	type table struct {
		x       *matrix.Dense
		scaling discriminant.Scaling
		reg     discriminant.Regularizer
	}
	for _, tab := range []table{
		{x, discriminant.Standard, discriminant.RelativeRKHS(1)}, {x, discriminant.Standard, discriminant.RelativeRidge(1)},
		{wide, discriminant.NoScaling, discriminant.RelativeRKHS(1)},
	} {
		for _, of := range [][]float64{nil, weights} {
			s, others := Search{Method: discriminant.KFDA{Regularizer: tab.reg}, Criterion: ByLogLoss}.resolved(len(classes), of != nil)
			all := newTuning(s, tab.x, codes, of, folds, classes, nil)
			p := point{line: line{scaling: tab.scaling}, gamma: 0.1 * float64(x.Cols) / float64(tab.x.Cols), value: 0.1}
			together := must.Get(all.tryTogether(context.Background(), p, 2, others))(t)
			for i, c := range others {
				all.search = all.search.withClassifier(c)
				alone := must.Get(all.try(context.Background(), grid{p}, 2, ""))(t)[0]
				if got := together[i]; got.Errors != alone.Errors || got.Classifier != alone.Classifier || got.Rows != alone.Rows || got.Wrong != alone.Wrong ||
					math.Abs(float64(got.Score-alone.Score)) > 1e-9 || got.Failed > 0 || alone.Failed > 0 {
					t.Errorf("%d columns, %v, %v: %+v, alone %+v", tab.x.Cols, tab.reg, c, got, alone)
				}
			}
		}
	}
}
