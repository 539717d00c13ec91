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
