package inference

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
)

// landmarkSeries are n rows with seed%4 changes, m of them as landmarks, and what to ask with.
func landmarkSeries(seed uint64, n, m int) (x, landmarks *matrix.Dense, set Settings) {
	r := splitmix.Random(seed)
	x, landmarks = matrix.New(n, 2), matrix.New(m, 2)
	changes := int(seed % 4)
	for i := range n {
		segment := i * (changes + 1) / n
		x.Row(i)[0], x.Row(i)[1] = normal(&r)+float64(3*(segment%2)), normal(&r)+float64(2*(segment/2))
	}
	for k := range m {
		copy(landmarks.Row(k), x.Row(k*n/m))
	}
	return x, landmarks, Settings{Kernel: gram.RBF{Gamma: 0.3}, Ridge: []float64{1e-4, 1e-2, 0.3, 5, 1e3}[seed%5]}
}

// sameChanges compares what is found in two samples that are the same. What the rounding of kernel values does
// to 1/(1+λ), relatively, it does to λ relative to 1 + λ.
func sameChanges(t *testing.T, what string, got, want *ChangePoints) {
	t.Helper()
	n, rounding := float64(len(want.Curve)+1), want.Certificate.KernelRounding+want.Certificate.EigenvalueError+0x1p-53
	for i, v := range want.Curve {
		if e := math.Abs(got.Curve[i] - v); !(e <= 1e-10*v+n*(n*0x1p-53+rounding)*(1+v/n)) {
			t.Errorf("%s: nλ of split %d of %v: %v, want %v", what, i+1, n, got.Curve[i], v)
		}
	}
	sameNumbers(t, what+": scores", got.Scores, want.Scores)
	sameNumbers(t, what+": permuted", got.Permuted.Null, want.Permuted.Null)
	sameNumbers(t, what+": statistic", []float64{got.Statistic, got.Neighbours}, []float64{want.Statistic, want.Neighbours})
	must.EqualSlices(t, what+": best, reach and as large", []int{got.Best, got.Reach, got.Permuted.AsLarge}, []int{want.Best, want.Reach, want.Permuted.AsLarge})
	must.Equal(t, what+": changes", len(got.Changes), len(want.Changes))
	for c, change := range want.Changes {
		must.Equal(t, what+": after", got.Changes[c].After, change.After)
		must.Equal(t, what+": p", got.Changes[c].P, change.P)
		sameNumbers(t, what+": change", append(got.Changes[c].Projections, got.Changes[c].Statistic), append(change.Projections, change.Statistic))
	}
}

// A sample of landmarks is one of all rows under the linear kernel of their features, and with all rows as
// landmarks that of the kernel itself.
func TestChangesOfLandmarks(t *testing.T) {
	ctx := context.Background()
	complements, found := 0, make(map[int]bool)
	for seed := range uint64(problems() / 5) {
		n, m := 20+int(seed*13%61), 3+int(seed*7%10)
		x, landmarks, set := landmarkSeries(seed, n, m)
		o := ChangeOptions{Permutations: 59, Seed: seed, Block: 1 + int(seed%2)}
		s := must.Get(NewLandmarkSample(ctx, set, x, landmarks))(t)
		f := must.Get(gram.NewFeatures(ctx, set.Kernel, landmarks))(t)
		phi := matrix.New(n, f.Dim())
		must.Do(t, f.Map(ctx, phi, x))
		linear := must.Get(NewSample(ctx, Settings{Kernel: gram.Linear{}, Ridge: set.Ridge}, phi))(t)
		want := must.Get(Changes(ctx, linear, o))(t)
		sameChanges(t, fmt.Sprintf("seed %d, ridge %v", seed, set.Ridge), must.Get(Changes(ctx, s, o))(t), want)
		if s.rows.half() != nil {
			complements++
		}
		found[len(want.Changes)] = true
		parts, of := must.Get(s.rows.alike(ctx, []int{9, n}))(t), must.Get(linear.rows.alike(ctx, []int{9, n}))(t)
		for c, part := range parts {
			sameNumbers(t, "alike", []float64{part.mean, part.variance, part.value(3, 1)}, []float64{of[c].mean, of[c].variance, of[c].value(3, 1)})
		}
		if seed%10 == 2 || seed%10 == 3 {
			all := must.Get(Changes(ctx, must.Get(NewLandmarkSample(ctx, set, x, x))(t), o))(t)
			sameChanges(t, fmt.Sprintf("seed %d, all rows", seed), all, must.Get(Changes(ctx, must.Get(NewSample(ctx, set, x))(t), o))(t))
		}
	}
	if complements == 0 || len(found) < 3 {
		t.Errorf("%d times a complement, so many changes: %v", complements, found)
	}
}

// Splits of rows that are far apart, with large λ, are those of whitened contrasts: 1/(1 + λ) but for some roundings
// of 1, and what the rounding of kernel values does.
func TestSplitsOfComplements(t *testing.T) {
	ctx := context.Background()
	largest := 0.0
	for seed := range uint64(12) {
		n, m := 60+int(seed), 3+int(seed)
		x, landmarks, set := landmarkSeries(4*seed, n, m)
		for i := range n {
			for j := range 2 {
				x.Row(i)[j] = math.Ldexp(x.Row(i)[j], -int(seed)) + float64(i*(1+j)/n*2)
			}
		}
		for k := range m {
			copy(landmarks.Row(k), x.Row(k*n/m))
		}
		set.Ridge = 1e-3
		s := must.Get(NewLandmarkSample(ctx, set, x, landmarks))(t)
		g, got, err := s.splits(ctx)
		must.Do(t, err)
		if _, ok := g.(complement); !ok {
			t.Fatalf("%d rows, %d landmarks: no complement", n, m)
		}
		for i, want := range must.Get(s.whitenedSplits(ctx))(t) {
			largest = math.Max(largest, 1/want-1)
			if e := math.Abs(got[i] - want); !(e <= float64(4*m)*0x1p-53+s.rows.Rounding()*want) {
				t.Errorf("seed %d, split %d: %v, want %v: error %.3g", seed, i+1, got[i], want, e)
			}
		}
	}
	if largest < 1e4 {
		t.Errorf("λ up to %v only", largest)
	}
}

// The sums of a complement are those of its entries.
func TestComplement(t *testing.T) {
	ctx := context.Background()
	x, landmarks, set := landmarkSeries(3, 150, 6)
	s := must.Get(NewLandmarkSample(ctx, set, x, landmarks))(t)
	low, _, err := s.splits(ctx)
	must.Do(t, err)
	all := must.Get(s.metric(ctx))(t)
	for _, of := range [][2]metric{{low, all}, {low.part(10, 22), all.part(10, 22)}, {low.part(10, 100), all.part(10, 100)}} {
		got, want := of[0], of[1]
		n := got.order()
		must.Equal(t, "rows", n, want.order())
		sameNumbers(t, "deviations", got.moments().deviation, want.moments().deviation)
		sameNumbers(t, "mean", []float64{got.moments().mean}, []float64{want.moments().mean})
		a, b := got.ending(), want.ending()
		for j := 1; j <= n; j++ {
			sameNumbers(t, "segments", a(j), b(j))
		}
		order := [][]int32{ChangeOptions{Seed: 1, Block: 1}.order(n, 0)}
		sums := [][]float64{make([]float64, n), make([]float64, n)}
		got.sums(nil, order, sums[:1])
		want.sums(nil, order, sums[1:])
		sameNumbers(t, "orders", sums[0], sums[1])
	}
	for to, want := range map[int]bool{22: false, 23: true} {
		if _, ok := low.part(10, to).(complement); ok != want {
			t.Errorf("a complement of %d rows in 6 columns: %v", to-10, ok)
		}
	}
}

func TestChangesOfLandmarksRefuse(t *testing.T) {
	x, landmarks, set := landmarkSeries(1, 40, 5)
	s := must.Get(NewLandmarkSample(context.Background(), set, x, landmarks))(t)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Changes(ended, s, ChangeOptions{Permutations: 19}); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
	alike := must.Get(NewLandmarkSample(context.Background(), set, matrix.New(10, 2), matrix.New(1, 2)))(t)
	must.Refuse[*discriminant.CoincidentMeansError](Changes(context.Background(), alike, ChangeOptions{Permutations: 19}))(t, "rows alike")
}

func TestChangesOfLandmarksOfAnyWorkers(t *testing.T) {
	defer matrix.SetWorkers(matrix.SetWorkers(1))
	x, landmarks, set := landmarkSeries(3, 1100, 40)
	var first string
	for _, workers := range []int{1, 2, 5} {
		matrix.SetWorkers(workers)
		s := must.Get(NewLandmarkSample(context.Background(), set, x, landmarks))(t)
		r := must.Get(Changes(context.Background(), s, ChangeOptions{Permutations: 64, Seed: 3}))(t)
		permuted := *r.Permuted
		r.Permuted = nil // a pointer
		if got := fmt.Sprint(*r, permuted); first == "" {
			first = got
		} else if got != first {
			t.Errorf("%d workers find something else", workers)
		}
	}
}
