package inference

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
)

// landmarkSeries is a series of two columns with seed%4 changes, m of its rows and a ridge.
func landmarkSeries(seed uint64, n, m int) (x, landmarks *matrix.Dense, ridge float64) {
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
	return x, landmarks, []float64{1e-4, 1e-2, 0.3, 5, 1e3}[seed%5]
}

// sameChanges compares what two samples of the same rows say.
func sameChanges(t *testing.T, what string, got, want *ChangePoints) {
	t.Helper()
	n := float64(len(want.Curve) + 1)
	rounding := want.Certificate.KernelRounding
	for i, v := range want.Curve {
		if error := math.Abs(got.Curve[i] - v); !(error <= float64(1e-10*v)+n*n*0x1p-53) {
			t.Errorf("%s: split %d of %v: nλ = %v, want %v, relative error %.2g", what, i+1, n, got.Curve[i], v, error/v)
		}
		if error := math.Abs(got.Scores[i] - want.Scores[i]); !(error <= 1e-8*(1+math.Abs(want.Scores[i]))) {
			t.Errorf("%s: split %d of %v: score %v, want %v", what, i+1, n, got.Scores[i], want.Scores[i])
		}
	}
	_ = rounding
	must.Equal(t, what+": best", got.Best, want.Best)
	within(t, what+": statistic", got.Statistic, want.Statistic, 1e-9)
	within(t, what+": neighbours", got.Neighbours+1, want.Neighbours+1, 1e-8)
	must.Equal(t, what+": reach", got.Reach, want.Reach)
	must.Equal(t, what+": changes", len(got.Changes), len(want.Changes))
	must.Equal(t, what+": as large", got.Permuted.AsLarge, want.Permuted.AsLarge)
	for c, change := range want.Changes {
		must.Equal(t, what+": after", got.Changes[c].After, change.After)
		must.Equal(t, what+": p", got.Changes[c].P, change.P)
		within(t, what+": change", got.Changes[c].Statistic, change.Statistic, 1e-9)
	}
}

// A sample of landmarks is one of all rows under the linear kernel of their features.
func TestChangesOfLandmarksAgainstFeatures(t *testing.T) {
	ctx := context.Background()
	low, found := 0, make(map[int]int)
	for seed := range uint64(40) {
		n, m := 20+int(seed*13%61), 3+int(seed*7%10)
		x, landmarks, ridge := landmarkSeries(seed, n, m)
		set, o := Settings{Kernel: gram.RBF{Gamma: 0.3}, Ridge: ridge}, ChangeOptions{Permutations: 99, Seed: seed}
		s := must.Get(NewLandmarkSample(ctx, set, x, landmarks))(t)
		f := must.Get(gram.NewFeatures(ctx, set.Kernel, landmarks))(t)
		phi := matrix.New(n, f.Dim())
		must.Do(t, f.Map(ctx, phi, x))
		want := must.Get(Changes(ctx, must.Get(NewSample(ctx, Settings{Kernel: gram.Linear{}, Ridge: ridge}, phi))(t), o))(t)
		sameChanges(t, fmt.Sprintf("seed %d, ridge %v", seed, ridge), must.Get(Changes(ctx, s, o))(t), want)
		if s.rows.half() != nil {
			low++
		}
		found[len(want.Changes)]++
	}
	t.Log(low, found)
}
