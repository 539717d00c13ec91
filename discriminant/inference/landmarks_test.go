package inference

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
)

// mapped are a sample of landmarks and that of the kernel of their features, which it must equal.
type mapped struct {
	x, new, features, newFeatures *matrix.Dense
	labels                        []int
	landmarks, all                *Sample
}

func randomMapped(t *testing.T, seed uint64) mapped {
	ctx := context.Background()
	r := splitmix.Random(seed)
	n, c := 12+r.Below(40), 2+r.Below(3)
	rows, labels := randomRows(seed, n+5, 3, c)
	p := mapped{x: rows.View(0, 0, n, 3), new: rows.View(n, 0, 5, 3), labels: labels[:n]}
	p.new.Set(0, 0, 30) // far from all landmarks
	kernel := []gram.Kernel{gram.RBF{Gamma: 0.3}, gram.Polynomial{Degree: 2, Gamma: 0.5, Coef0: 1}, gram.Laplacian{Gamma: 0.4}}[r.Below(3)]
	ridge := []float64{1e-3, 0.3, 20}[r.Below(3)]
	chosen := p.x.View(r.Below(3), 0, 3+r.Below(8), 3)
	p.landmarks = must.Get(NewLandmarkSample(ctx, Settings{Kernel: kernel, Ridge: ridge}, p.x, chosen))(t)
	f := must.Get(gram.NewFeatures(ctx, kernel, chosen))(t)
	p.features, p.newFeatures = matrix.New(n, f.Dim()), matrix.New(5, f.Dim())
	must.Do(t, f.Map(ctx, p.features, p.x))
	must.Do(t, f.Map(ctx, p.newFeatures, p.new))
	p.all = must.Get(NewSample(ctx, Settings{Kernel: gram.Linear{}, Ridge: ridge}, p.features))(t)
	return p
}

// sameNumbers demands numbers that differ by no more than rounding, relative to the larger of them and 1.
func sameNumbers(t *testing.T, what string, got, want []float64) {
	t.Helper()
	must.Equal(t, what+": numbers", len(got), len(want))
	for i, v := range got {
		if v != want[i] && !(math.Abs(v-want[i]) <= 1e-9*math.Max(1, math.Abs(want[i]))) {
			t.Errorf("%s: number %d is %v, want %v", what, i, v, want[i])
		}
	}
}

// Every test is that of all rows by the kernel φ(x)·φ(y).
func TestLandmarksTestByTheirKernel(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(problems() / 3) {
		p := randomMapped(t, seed)
		o := TestOptions{Permutations: 40, Seed: seed}
		got, want := must.Get(Test(ctx, p.landmarks, p.labels, o))(t), must.Get(Test(ctx, p.all, p.labels, o))(t)
		if e := math.Abs(got.Statistic-want.Statistic) / want.Statistic; !(e <= got.RelativeError+want.RelativeError) {
			t.Errorf("problem %d: T = %v, want %v: %.2g, bound %.2g", seed, got.Statistic, want.Statistic, e, got.RelativeError)
		}
		sameNumbers(t, "D", []float64{got.D1, got.D2, got.Normalised}, []float64{want.D1, want.D2, want.Normalised})
		sameNumbers(t, "permuted", got.Permuted.Null, want.Permuted.Null)
		sameNumbers(t, "between", []float64{got.Between}, []float64{want.Between})
		if want.MMD != nil {
			sameNumbers(t, "MMD", []float64{got.MMD.Biased, got.MMD.Unbiased}, []float64{want.MMD.Biased, want.MMD.Unbiased})
		}
		sign := 1.0
		if matrix.Dot(got.Projections, want.Projections) < 0 {
			sign = -1
		}
		for i := range got.Projections {
			got.Projections[i] *= sign
		}
		if len(want.Eigenvalues) == 1 || want.Eigenvalues[1] < 0.9*want.Eigenvalues[0] {
			sameNumbers(t, "projections", got.Projections, want.Projections)
		}
		if seed%2 == 0 {
			o.Groups = make([]int, len(p.labels))
			for i := range o.Groups {
				o.Groups[i] = i/(2*len(got.Classes))*len(got.Classes) + i%len(got.Classes)
			}
		}
		accuracy, all := must.Get(TestAccuracy(ctx, p.landmarks, p.labels, o))(t), must.Get(TestAccuracy(ctx, p.all, p.labels, o))(t)
		must.Equal(t, "correct", accuracy.Correct, all.Correct)
		sameNumbers(t, "accuracies", accuracy.Permuted.Null, all.Permuted.Null)
		if most := 2; p.features.Cols >= 3 {
			truncated, all := must.Get(Truncated(ctx, p.landmarks, p.labels, most))(t), must.Get(Truncated(ctx, p.all, p.labels, most))(t)
			sameNumbers(t, "truncated", truncated.Statistics, all.Statistics)
			sameNumbers(t, "their eigenvalues", truncated.Eigenvalues, all.Eigenvalues)
		}
	}
}

// So is what is said of new rows. Of how far rows are, landmarks count what they leave of k(x, x): here by
// the definition, with each row and the others in a matrix of n + 1.
func TestLandmarksOfNewRows(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(problems() / 3) {
		p := randomMapped(t, seed)
		got, want := must.Get(PredictionSets(ctx, p.landmarks, p.labels, p.new, 0.9))(t), must.Get(PredictionSets(ctx, p.all, p.labels, p.newFeatures, 0.9))(t)
		sameNumbers(t, "sets", got.PValues.Data, want.PValues.Data)
		targets := make([]float64, p.x.Rows)
		for i := range targets {
			targets[i] = math.Sin(p.x.At(i, 0)) + p.x.At(i, 1)
		}
		low, all := must.Get(PredictionIntervals(ctx, p.landmarks, targets, p.new, 0.8))(t), must.Get(PredictionIntervals(ctx, p.all, targets, p.newFeatures, 0.8))(t)
		for i, v := range low {
			sameNumbers(t, "interval", []float64{v.Value, v.Low, v.High}, []float64{all[i].Value, all[i].Low, all[i].High})
		}
		novel, plain := must.Get(Novelty(ctx, p.landmarks, p.new))(t), must.Get(Novelty(ctx, p.all, p.newFeatures))(t)
		leaves := func(x, features *matrix.Dense, i int) float64 {
			own := must.Get(gram.Diag(nil, p.landmarks.Kernel(), x))(t)[i]
			return math.Max(0, own-matrix.SumSquares(features.Row(i))) / p.landmarks.Ridge()
		}
		n := p.x.Rows
		for k := range p.new.Rows {
			left := leaves(p.new, p.newFeatures, k)
			sameNumbers(t, "distance", novel.Distances[k:k+1], []float64{plain.Distances[k] + float64(n)*left})
			both := matrix.New(n+1, p.features.Cols)
			copy(both.Data, p.features.Data)
			copy(both.Row(n), p.newFeatures.Row(k))
			larger := must.Get(NewSample(ctx, Settings{Kernel: gram.Linear{}, Ridge: p.all.Ridge()}, both))(t)
			g := must.Get(larger.rows.InverseDiagonal(ctx))(t)
			count, own := 1, 1/g[n]+left
			for i := range n {
				if 1/g[i]+leaves(p.x, p.features, i) >= own/(1+1e-9) {
					count++
				}
			}
			must.Equal(t, "p-value", novel.PValues[k], float64(count)/float64(n+1))
		}
		if p.landmarks.Kernel() != (gram.Polynomial{Degree: 2, Gamma: 0.5, Coef0: 1}) {
			must.Equal(t, "the far row", novel.PValues[0], 1/float64(n+1))
		}
		for i := range n {
			sameNumbers(t, "training", novel.TrainingDistances[i:i+1], []float64{plain.TrainingDistances[i] + float64(n-1)*leaves(p.x, p.features, i)})
		}
	}
}

// All rows as landmarks are the kernel itself.
func TestAllRowsAsLandmarks(t *testing.T) {
	ctx := context.Background()
	x, labels := randomRows(7, 30, 3, 3)
	set := Settings{Kernel: gram.RBF{}, Ridge: 0.1, Relative: true}
	landmarks, all := must.Get(NewLandmarkSample(ctx, set, x, x))(t), must.Get(NewSample(ctx, set, x))(t)
	must.Equal(t, "kernel", landmarks.Kernel(), all.Kernel())
	sameNumbers(t, "ridge", []float64{landmarks.Ridge()}, []float64{all.Ridge()})
	o := TestOptions{Permutations: 99}
	got, want := must.Get(Test(ctx, landmarks, labels, o))(t), must.Get(Test(ctx, all, labels, o))(t)
	sameNumbers(t, "T", []float64{got.Statistic, got.Permuted.P}, []float64{want.Statistic, want.Permuted.P})
	far, plain := must.Get(Novelty(ctx, landmarks, x.View(0, 0, 2, 3)))(t), must.Get(Novelty(ctx, all, x.View(0, 0, 2, 3)))(t)
	sameNumbers(t, "distances", far.Distances, plain.Distances)
}

// The bits are those of one worker.
func TestLandmarksOfAnyWorkers(t *testing.T) {
	ctx := context.Background()
	defer matrix.SetWorkers(matrix.SetWorkers(1))
	var first []float64
	for _, workers := range []int{1, 2, 5} {
		matrix.SetWorkers(workers)
		p := randomMapped(t, 5)
		r := must.Get(Test(ctx, p.landmarks, p.labels, TestOptions{Permutations: 50}))(t)
		novel := must.Get(Novelty(ctx, p.landmarks, p.new))(t)
		all := append(append([]float64{r.Statistic, r.D1, r.D2, r.Between}, r.Permuted.Null...), novel.Distances...)
		if first == nil {
			first = all
		}
		for i, v := range all {
			must.Equal(t, "bits", math.Float64bits(v), math.Float64bits(first[i]))
		}
	}
}

// Of new rows that are drawn as the others were, a share of at most α has p ≤ α if landmarks are drawn among rows
// set aside, and far more if they are taken out of all, as those that stand out become landmarks.
func TestLandmarksOfRowsSetAside(t *testing.T) {
	ctx := context.Background()
	const n, m, tables, each = 60, 20, 60, 20
	below := func(draw func(x *matrix.Dense) (landmarks, left *matrix.Dense)) (share float64) {
		for seed := range uint64(tables) {
			r := splitmix.Random(seed)
			all := matrix.New(n+each, 3)
			for i := range all.Data {
				all.Data[i] = math.Sqrt(-2*math.Log(uniform(&r))) * math.Cos(2*math.Pi*uniform(&r))
			}
			landmarks, left := draw(all.View(0, 0, n, 3))
			s := must.Get(NewLandmarkSample(ctx, Settings{Kernel: gram.RBF{Gamma: 0.4}, Ridge: 0.3}, left, landmarks))(t)
			for _, p := range must.Get(Novelty(ctx, s, all.View(n, 0, each, 3)))(t).PValues {
				if p <= 0.1 {
					share += 1.0 / (tables * each)
				}
			}
		}
		return share
	}
	drawn := func(x *matrix.Dense) []int {
		return must.Get(DrawLandmarks(ctx, gram.RBF{Gamma: 0.4}, x, nil, m, 0))(t)
	}
	apart := below(func(x *matrix.Dense) (_, _ *matrix.Dense) {
		aside, left := SetAside(n, 2*m, 1)
		some := rowsAt(x, aside)
		return rowsAt(some, drawn(some)), rowsAt(x, left)
	})
	taken := below(func(x *matrix.Dense) (_, _ *matrix.Dense) {
		landmarks := drawn(x)
		var left []int
		for i := range n {
			if !slices.Contains(landmarks, i) {
				left = append(left, i)
			}
		}
		return rowsAt(x, landmarks), rowsAt(x, left)
	})
	if apart > 0.13 || taken < 0.14 { // by their theorem 2/21 on average for the first; the second shows that the test can fail
		t.Errorf("shares of p ≤ 0.1: %.3f with rows set aside, %.3f with landmarks out of all", apart, taken)
	}
}

func uniform(r *splitmix.Random) float64 { return math.Ldexp(float64(r.Next()>>11)+0.5, -53) }

// The error of T counts that of features: of columns far from 0, whose kernel values are exact here, and so are those
// of the same columns near 0. Where that is all there is, there is an error.
func TestLandmarksFarFromZero(t *testing.T) {
	ctx := context.Background()
	x, labels := randomRows(11, 60, 3, 2)
	for i, v := range x.Data {
		x.Data[i] = math.Round(8*v) / 8
	}
	set := Settings{Kernel: gram.Linear{}, Ridge: 0.5}
	want := must.Get(Test(ctx, must.Get(NewSample(ctx, set, x))(t), labels, TestOptions{}))(t)
	for _, offset := range []float64{0, 1 << 6, 1 << 10, 1 << 14} {
		far := x.Clone()
		for i := range far.Data {
			far.Data[i] += offset
		}
		got := must.Get(Test(ctx, must.Get(NewLandmarkSample(ctx, set, far, far.View(0, 0, 12, 3)))(t), labels, TestOptions{}))(t)
		if e := math.Abs(got.Statistic-want.Statistic) / want.Statistic; !(e <= got.RelativeError+want.RelativeError) || got.RelativeError > 0.1 {
			t.Errorf("offset %v: T = %v, want %v: %.2g, bound %.2g", offset, got.Statistic, want.Statistic, e, got.RelativeError)
		} else {
			t.Logf("offset %v: %.2g, bound %.2g", offset, e, got.RelativeError)
		}
	}
	for i := range x.Data {
		x.Data[i] += 1 << 30
	}
	if _, err := NewLandmarkSample(ctx, set, x, x.View(0, 0, 12, 3)); !errors.As(err, new(*discriminant.AccuracyError)) {
		t.Errorf("2³⁰: %v", err)
	}
	one := must.Get(NewLandmarkSample(ctx, Settings{Kernel: gram.RBF{Gamma: 1}, Ridge: 1}, x.View(0, 0, 1, 3), x.View(0, 0, 2, 3)))(t)
	if _, err := Novelty(ctx, one, x); !errors.As(err, new(*discriminant.AccuracyError)) {
		t.Errorf("one row alone: %v", err)
	}
}
