package main

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// Sets are the same for any number of workers; without a difference few are rejected, with a large one
// all.
func TestRejections(t *testing.T) {
	const sets = 20
	for by, shift := range map[float64]int{0: 0, 9: sets} {
		var first []int
		for _, workers := range []int{1, 3} {
			got := must.Get(rejections(context.Background(), sets, workers, nullMethods, func(r *rand.Rand) (*matrix.Dense, []int) {
				x, labels := normalRows(r, 24), unbalanced(24, 3)
				for i, label := range labels {
					x.Row(i)[1] += by * float64(label)
				}
				return x, labels
			}))(t)
			if first == nil {
				first = got
			}
			must.EqualSlices(t, "rejections", got, first)
		}
		if first[0] < shift || first[0] > shift+7 { // of 20 at 5 %, more than 7 have a chance of 1e-5
			t.Errorf("%d of %d are rejected, want about %d", first[0], sets, shift)
		}
	}
}

// A series of noise seldom changes, and one of three changes has them.
func TestChangePoints(t *testing.T) {
	ctx, large := context.Background(), 0
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		if must.Get(changesOfNoise(0.01)(ctx, normalRows(r, 50), nil, seed))(t)[0] {
			large++
		}
	}
	if large > 7 { // at 5 % that has a chance of 1e-5
		t.Errorf("changes in %d of 20 series of noise", large)
	}
	x := normalRows(rand.New(rand.NewPCG(1, 2)), seriesRows)
	for i := range seriesRows {
		x.Row(i)[1] += 9 * float64(i/segmentRows%2)
	}
	must.EqualSlices(t, "changes", must.Get(changesOfThree(0.01)(ctx, x, nil, 1))(t), []bool{true, true, false})
}
