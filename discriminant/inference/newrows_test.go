package inference

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
)

// problem is a sample, as drawn by a seed, and some new rows.
type problem struct {
	set    Settings
	x, new *matrix.Dense
	labels []int
}

func randomProblem(seed uint64) problem {
	r := splitmix.Random(seed)
	n, d, classes := 7+r.Below(8), 1+r.Below(3), 2+r.Below(2)
	all, labels := randomRows(seed, n+2, d, classes)
	if r.Below(3) == 0 { // a row that is far from the others
		all.Set(n, 0, 9)
	}
	if r.Below(3) == 0 { // one that is there twice
		copy(all.Row(n+1), all.Row(0))
	}
	kernels := []gram.Kernel{gram.RBF{Gamma: 0.3}, gram.Linear{}, gram.Polynomial{Degree: 2, Gamma: 0.5, Coef0: 1}, gram.Laplacian{Gamma: 0.4}}
	return problem{
		set: Settings{Kernel: kernels[r.Below(len(kernels))], Ridge: []float64{1e-2, 0.3, 5}[r.Below(3)]},
		x:   all.View(0, 0, n, d).Clone(), new: all.View(n, 0, 2, d).Clone(), labels: labels[:n],
	}
}

// problems is how many random ones a test takes.
func problems() int {
	if testing.Short() {
		return 20
	}
	return 300
}

// with returns the rows and one more.
func (p problem) with(k int) *matrix.Dense {
	all := matrix.New(p.x.Rows+1, p.x.Cols)
	copy(all.Data, p.x.Data)
	copy(all.Row(p.x.Rows), p.new.Row(k))
	return all
}

// missed returns by how much each row's targets differ from what the others predict, by the
// equations [K + εI 1; 1ᵀ 0][α; b] = [y; 0] of these, solved by elimination.
func missed(t *testing.T, set Settings, x, y *matrix.Dense) *matrix.Dense {
	n := x.Rows
	k := must.Get(must.Get(gram.NewEvaluator(set.Kernel, x))(t).Matrix(nil))(t)
	e := matrix.New(n, y.Cols)
	for out := range n {
		a := make([][]float64, n)
		at := 0
		for i := range n {
			if i == out {
				continue
			}
			for j := range n {
				if j != out {
					a[at] = append(a[at], k.At(i, j))
				}
			}
			a[at][at] += set.Ridge
			a[at] = append(append(a[at], 1), y.Row(i)...)
			at++
		}
		for range n - 1 {
			a[n-1] = append(a[n-1], 1)
		}
		a[n-1] = append(a[n-1], make([]float64, 1+y.Cols)...)
		eliminate(a)
		for j := range y.Cols {
			value, at := a[n-1][n+j], 0
			for i := range n {
				if i != out {
					value += k.At(out, i) * a[at][n+j]
					at++
				}
			}
			e.Set(out, j, y.At(out, j)-value)
		}
	}
	return e
}

// eliminate makes the left part of a the unit matrix.
func eliminate(a [][]float64) {
	for k := range a {
		for i := k + 1; i < len(a); i++ {
			if math.Abs(a[i][k]) > math.Abs(a[k][k]) {
				a[i], a[k] = a[k], a[i]
			}
		}
		for j := len(a[k]) - 1; j >= k; j-- {
			a[k][j] /= a[k][k]
		}
		for i := range a {
			for j := len(a[k]) - 1; j >= k && i != k; j-- {
				a[i][j] -= a[i][k] * a[k][j]
			}
		}
	}
}

// The p-values are the ranks of scores of refits without each row.
func TestSetsAreThoseOfRefits(t *testing.T) {
	ctx := context.Background()
	for seed := range problems() {
		p := randomProblem(uint64(seed))
		s := must.Get(NewSample(ctx, p.set, p.x))(t)
		sets := must.Get(PredictionSets(ctx, s, p.labels, p.new, 0.8))(t)
		for row := range p.new.Rows {
			for k, class := range sets.Classes {
				want := refitPValue(t, p, row, class, len(sets.Classes))
				if got := sets.PValues.At(row, k); got != want {
					t.Errorf("seed %d, row %d, class %d: p %v, want %v", seed, row, class, got, want)
				}
				must.Equal(t, "in the set", slices.Contains(sets.Of(row), class), want > 0.2+1e-12)
			}
		}
	}
}

func refitPValue(t *testing.T, p problem, row, class, classes int) float64 {
	all, labels := p.with(row), append(slices.Clone(p.labels), class)
	y := matrix.New(all.Rows, classes)
	for i, l := range labels {
		y.Set(i, l, 1)
	}
	e := missed(t, p.set, all, y)
	score := func(i int) float64 {
		others := math.Inf(-1)
		for j := range classes {
			if j != labels[i] {
				others = max(others, -e.At(i, j))
			}
		}
		return others - (1 - e.At(i, labels[i]))
	}
	count, rows, own := 0, 0, score(len(labels)-1)
	for i, l := range labels {
		if l == class {
			if rows++; score(i) >= own-1e-8*(1+math.Abs(own)) {
				count++
			}
		}
	}
	return float64(count) / float64(rows)
}

// An interval ends where the p-values of refits do.
func TestIntervalsAreThoseOfRefits(t *testing.T) {
	ctx := context.Background()
	endless, broken, whole := 0, 0, 0
	for seed := range problems() {
		p := randomProblem(uint64(seed))
		r := splitmix.Random(seed)
		targets := make([]float64, p.x.Rows)
		for i := range targets {
			targets[i] = 100 + p.x.At(i, 0) + float64(r.Below(1000))/500
		}
		coverage := []float64{0.3, 0.5, 0.8}[r.Below(3)]
		s := must.Get(NewSample(ctx, p.set, p.x))(t)
		for row, found := range must.Get(PredictionIntervals(ctx, s, targets, p.new, coverage))(t) {
			pValue := refitValues(t, p, row, targets)
			low, high := found.Low, found.High
			if math.IsInf(low, 0) || math.IsInf(high, 0) {
				endless++
				low, high = max(low, found.Value-1e3), min(high, found.Value+1e3)
			}
			inside := func(y float64) bool { return pValue(y) > 1-coverage+1e-12 }
			near := 1e-6 * (1 + high - low)
			must.Equal(t, "p of the prediction", pValue(found.Value), 1)
			if !inside(low+near) && low < high || !inside(high-near) && low < high || inside(low-near) && low == found.Low || inside(high+near) && high == found.High {
				t.Errorf("seed %d, row %d: p-values do not end at %v", seed, row, found)
			}
			all := true
			for k := range 100 {
				at := low + near + (high-low-2*near)*float64(k)/99
				all = all && inside(at)
				for _, beyond := range []float64{low - float64(k+1)/10, high + float64(k+1)/10} {
					if inside(beyond) && (beyond < found.Low || beyond > found.High) {
						t.Errorf("seed %d, row %d: %v is outside of %v", seed, row, beyond, found)
					}
				}
			}
			switch {
			case found.Whole && !all:
				t.Errorf("seed %d, row %d: a value in %v is not inside", seed, row, found)
			case found.Whole:
				whole++
			default:
				broken++
			}
		}
	}
	if !testing.Short() && (endless == 0 || broken == 0 || whole == 0) {
		t.Errorf("%d endless intervals, %d of several, %d whole: want some of each", endless, broken, whole)
	}
}

// refitValues returns the p-values of values of a new row by refits: what is missed is linear in it.
func refitValues(t *testing.T, p problem, row int, targets []float64) func(float64) float64 {
	all := p.with(row)
	n := len(targets)
	y := matrix.New(n+1, 2)
	for i, v := range targets {
		y.Set(i, 0, v)
		y.Set(i, 1, v)
	}
	y.Set(n, 1, 1)
	e := missed(t, p.set, all, y)
	return func(v float64) float64 {
		size := func(i int) float64 { return math.Abs(e.At(i, 0) + v*(e.At(i, 1)-e.At(i, 0))) }
		count := 0
		for i := range n + 1 {
			if size(i) >= size(n)-1e-9*(1+size(n)) {
				count++
			}
		}
		return float64(count) / float64(n+1)
	}
}

// Of a linear kernel D² is the distance of Mahalanobis with the covariance plus ε/n, also that of each
// training row from the others; p-values rank those of n + 1 rows.
func TestNoveltyIsMahalanobis(t *testing.T) {
	ctx := context.Background()
	for seed := range problems() {
		p := randomProblem(uint64(seed))
		p.set.Kernel = gram.Linear{}
		s := must.Get(NewSample(ctx, p.set, p.x))(t)
		found := must.Get(Novelty(ctx, s, p.new))(t)
		check := func(what string, i int, got, want float64) {
			if !(math.Abs(got-want) <= 1e-9*(1+want)) {
				t.Errorf("seed %d: %s %d: %v, want %v", seed, what, i, got, want)
			}
		}
		own := fromOthers(p.x, p.set.Ridge)
		for i, want := range own {
			check("distance of training row", i, found.TrainingDistances[i], want)
			must.Equal(t, "p of a training row", found.TrainingPValues[i], rankOf(own, i))
		}
		for row := range p.new.Rows {
			all := fromOthers(p.with(row), p.set.Ridge)
			check("distance of row", row, found.Distances[row], all[p.x.Rows])
			must.Equal(t, "p of a row", found.PValues[row], rankOf(all, p.x.Rows))
		}
	}
}

// fromOthers returns D² of each row from the others.
func fromOthers(x *matrix.Dense, ridge float64) (all []float64) {
	n, d := x.Rows-1, x.Cols
	for out := range x.Rows {
		mean := make([]float64, d)
		for i := range x.Rows {
			for j := range d {
				if i != out {
					mean[j] += x.At(i, j) / float64(n)
				}
			}
		}
		a := make([][]float64, d)
		for j := range a {
			a[j] = make([]float64, d+1)
			for k := range d {
				for i := range x.Rows {
					if i != out {
						a[j][k] += (x.At(i, j) - mean[j]) * (x.At(i, k) - mean[k]) / float64(n)
					}
				}
			}
			a[j][j] += ridge / float64(n)
			a[j][d] = x.At(out, j) - mean[j]
		}
		eliminate(a)
		distance := 0.0
		for j := range a {
			distance += (x.At(out, j) - mean[j]) * a[j][d]
		}
		all = append(all, distance)
	}
	return all
}

// rankOf is the share of values that are no smaller than number i.
func rankOf(values []float64, i int) float64 {
	count := 0
	for _, v := range values {
		if v >= values[i]*(1-1e-8) {
			count++
		}
	}
	return float64(count) / float64(len(values))
}

// Of draws from one population, sets and intervals hold as much as ranks that are equally likely do,
// which is at least the coverage, and p-values of novelty are as small as these are.
func TestCoverageIsThatOfRanks(t *testing.T) {
	const coverage, runs, n = 0.8, 400, 26
	if testing.Short() {
		t.Skip("400 samples: left to the long tests")
	}
	ctx := context.Background()
	held, within, far := [2]int{}, 0, 0
	for seed := range runs {
		x, labels := randomRows(uint64(1000+seed), n+2, 2, 2)
		targets := make([]float64, n+2)
		for i := range targets {
			targets[i] = x.At(i, 0) * x.At(i, 1)
		}
		s := must.Get(NewSample(ctx, Settings{Kernel: gram.RBF{Gamma: 0.5}, Ridge: 0.2}, x.View(0, 0, n, 2).Clone()))(t)
		y := x.View(n, 0, 2, 2).Clone()
		sets := must.Get(PredictionSets(ctx, s, labels[:n], y, coverage))(t)
		for i := range 2 {
			if slices.Contains(sets.Of(i), labels[n+i]) {
				held[labels[n+i]]++
			}
		}
		// The rows alternate between the classes: a regression and novelty are of those of one.
		one, goals := matrix.New(n/2, 2), []float64{}
		for i := range n / 2 {
			copy(one.Row(i), x.Row(2*i))
			goals = append(goals, targets[2*i])
		}
		s = must.Get(NewSample(ctx, Settings{Kernel: gram.RBF{Gamma: 0.5}, Ridge: 0.2}, one))(t)
		y = y.View(0, 0, 1, 2).Clone()
		found := must.Get(PredictionIntervals(ctx, s, goals, y, coverage))(t)
		if found[0].Low <= targets[n] && targets[n] <= found[0].High {
			within++
		}
		if must.Get(Novelty(ctx, s, y))(t).PValues[0] <= 1.0/14 {
			far++
		}
	}
	// Of 14 ranks, those above 0.2·14 = 2.8: 12 of 14.
	for what, got := range map[string]int{"first class": held[0], "second class": held[1], "interval": within} {
		band(t, what, got, runs, 12.0/14)
	}
	band(t, "novelty", far, runs, 1.0/14)
}

// band fails a test where a count is more than four deviations from that of a chance.
func band(t *testing.T, what string, count, runs int, chance float64) {
	t.Helper()
	n := float64(runs)
	if off := math.Abs(float64(count)-n*chance) / math.Sqrt(n*chance*(1-chance)); !(off <= 4) {
		t.Errorf("%s: %d of %d, %.1f deviations from %.3g", what, count, runs, off, n*chance)
	}
}

func TestBest(t *testing.T) {
	s := &Sets[string]{Classes: []string{"a", "b", "c"}, PValues: matrix.New(3, 3), Coverage: 0.9}
	copy(s.PValues.Data, []float64{0.5, 0.7, 0.1, 0.05, 0.02, 0.05, 0.1, 0.1, 0.8})
	for i, want := range []struct {
		class                   string
		credibility, confidence float64
		set                     []string
	}{{"b", 0.7, 0.5, []string{"a", "b"}}, {"a", 0.05, 0.95, nil}, {"c", 0.8, 0.9, []string{"c"}}} {
		class, credibility, confidence := s.Best(i)
		must.Equal(t, "class", class, want.class)
		must.Equal(t, "credibility", credibility, want.credibility)
		must.Equal(t, "confidence", confidence, want.confidence)
		must.EqualSlices(t, "set", s.Of(i), want.set)
	}
	for coverage, want := range map[float64]int{0.5: 1, 0.8: 4, 0.9: 9, 0.95: 19, 0.99: 99, 0.999: 999, 0.1: 1} {
		must.Equal(t, "fewest rows", FewestRows(coverage), want)
	}
	must.Equal(t, "discoveries", Discoveries([]float64{0.04, 0.01, 0.9, 0.02, 0.03}, 0.05), 4)
	must.Equal(t, "discoveries", Discoveries([]float64{0.02, 0.5}, 0.03), 0)
	must.Equal(t, "discoveries", Discoveries(nil, 0.05), 0)
}

// Answers have the same bits for any number of workers, and for rows by themselves.
func TestNewRowsBits(t *testing.T) {
	ctx := context.Background()
	x, labels := randomRows(8, 150, 4, 3)
	y, _ := randomRows(9, 200, 4, 3)
	answer := func(y *matrix.Dense) (all []float64) {
		s := must.Get(NewSample(ctx, Settings{Kernel: gram.RBF{Gamma: 0.2}, Ridge: 0.1}, x))(t)
		all = append(all, must.Get(PredictionSets(ctx, s, labels, y, 0.9))(t).PValues.Data...)
		found := must.Get(Novelty(ctx, s, y))(t)
		all = append(append(all, found.Distances...), found.PValues...)
		for _, v := range must.Get(PredictionIntervals(ctx, s, found.TrainingDistances, y, 0.9))(t) {
			all = append(all, v.Value, v.Low, v.High)
		}
		return all
	}
	defer block.SetWorkers(block.SetWorkers(1))
	want := answer(y)
	block.SetWorkers(7)
	must.EqualSlices(t, "seven workers", answer(y), want)
	one := answer(y.View(130, 0, 1, 4).Clone())
	must.EqualSlices(t, "p-values of a row by itself", one[:3], want[3*130:3*131])
	must.Equal(t, "its distance", one[3], want[3*200+130])
}

func TestNewRowsErrors(t *testing.T) {
	ctx := context.Background()
	x, labels := randomRows(2, 20, 2, 2)
	y, _ := randomRows(3, 300, 2, 2)
	s := must.Get(NewSample(ctx, Settings{Kernel: gram.Polynomial{Degree: 3, Gamma: 1, Coef0: 1}, Ridge: 0.1}, x))(t)
	for _, coverage := range []float64{0, 1, -1, math.NaN()} {
		must.Refuse[*discriminant.ParameterError](PredictionSets(ctx, s, labels, y, coverage))(t, "coverage")
		must.Refuse[*discriminant.ParameterError](PredictionIntervals(ctx, s, make([]float64, 20), y, coverage))(t, "coverage")
	}
	must.Refuse[*discriminant.RowsError](PredictionSets(ctx, s, labels[1:], y, 0.9))(t, "labels")
	must.Refuse[*discriminant.ClassesError](PredictionSets(ctx, s, make([]int, 20), y, 0.9))(t, "one class")
	must.Refuse[*discriminant.RowsError](PredictionIntervals(ctx, s, make([]float64, 2), y, 0.9))(t, "targets")
	must.Refuse[*discriminant.ParameterError](PredictionIntervals(ctx, s, make([]float64, 20), y, 0.99))(t, "too few rows")
	targets := make([]float64, 20)
	targets[7] = math.Inf(1)
	must.Equal(t, "row", must.Refuse[*matrix.NotFiniteError](PredictionIntervals(ctx, s, targets, y, 0.9))(t, "a target").Row, 7)
	must.Refuse[*gram.ShapeError](Novelty(ctx, s, matrix.New(3, 5)))(t, "columns")
	y.Set(250, 1, math.NaN())
	must.Equal(t, "row", must.Refuse[*matrix.NotFiniteError](Novelty(ctx, s, y))(t, "a value").Row, 250)
	y.Set(250, 1, 1e70) // of whose kernel values k(x, x) alone overflows
	must.Equal(t, "row", must.Refuse[*gram.NotFiniteError](Novelty(ctx, s, y))(t, "a kernel value").Row, 250)
	stopped, stop := context.WithCancel(ctx)
	stop()
	if _, err := Novelty(stopped, s, x); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
	k := must.Get(must.Get(gram.NewEvaluator(gram.Linear{}, x))(t).Matrix(nil))(t)
	s = must.Get(NewSample(ctx, Settings{Kernel: gram.Precomputed{}, Ridge: 0.1}, k))(t)
	must.Refuse[*discriminant.ParameterError](Novelty(ctx, s, k))(t, "precomputed")
	must.Equal(t, "training rows", len(must.Get(Novelty(ctx, s, matrix.New(0, 20)))(t).TrainingPValues), 20)
}

// A new row that is equal to some training rows has their score, so that it has at least their rank, however
// small the ridge is.
func TestEqualRowsAtSmallRidges(t *testing.T) {
	ctx := context.Background()
	const n = 24
	x, labels := matrix.New(n, 2), make([]int, n)
	for i := range n {
		x.Set(i, 0, float64(i%2))
		x.Set(i, 1, float64(i/2%2))
		labels[i] = i % 3 % 2
	}
	y := matrix.New(4, 2)
	for i := range 4 {
		y.Set(i, 0, float64(i%2))
		y.Set(i, 1, float64(i/2))
	}
	for _, ridge := range []float64{1, 1e-4, 1e-7, 1e-9, 1e-11} {
		s := must.Get(NewSample(ctx, Settings{Kernel: gram.RBF{Gamma: 1}, Ridge: ridge}, x))(t)
		novel := must.Get(Novelty(ctx, s, y))(t)
		sets := must.Get(PredictionSets(ctx, s, labels, y, 0.9))(t)
		for r := range y.Rows {
			equal, of := 1, []int{1, 1}
			for i := range n {
				if x.At(i, 0) == y.At(r, 0) && x.At(i, 1) == y.At(r, 1) {
					equal++
					of[labels[i]]++
				}
			}
			if p := novel.PValues[r]; p < float64(equal)/(n+1) {
				t.Errorf("ridge %v, row %d: p %v of novelty, want at least %v", ridge, r, p, float64(equal)/(n+1))
			}
			for k, count := range sets.Counts {
				if p := sets.PValues.At(r, k); p < float64(of[k])/float64(count+1) {
					t.Errorf("ridge %v, row %d: p %v of class %d, want at least %v", ridge, r, p, k, float64(of[k])/float64(count+1))
				}
			}
		}
	}
}
