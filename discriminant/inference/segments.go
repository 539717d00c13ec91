package inference

import (
	"context"
	"math"
	"slices"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// segments returns after which rows the best segmentation has changes (see [Changes]), each segment of at
// least so many rows: with S the sum of the entries of G in a segment of ℓ rows, the one with the largest sum
// over segments of
//
//	(1 − ℓ/n)(1 − E − zσ_ℓ) − S/ℓ
//
// Cost: 3n² flops.
func segments(g *matrix.Dense, m *moments, least int, z float64) (changes []int) {
	n := g.Rows
	gain := make([]float64, n+1) // of a segment of so many rows, but for S
	for l := least; l < n; l++ {
		gain[l] = float64((1 - float64(l)/float64(n)) * (1 - m.mean - float64(z*m.deviation[l])))
	}
	sums := make([]float64, n+1)                            // S of the rows from i to before j
	largest, last := make([]float64, n+1), make([]int, n+1) // of the first j rows; where their last segment begins
	for j := 1; j <= n; j++ {
		row, added := g.Row(j-1), 0.0
		for i := j - 1; i >= 0; i-- {
			added += row[i]
			sums[i] += float64(2*added) - row[j-1]
		}
		largest[j] = math.Inf(-1)
		for i := 0; i <= j-least; i++ {
			if v := largest[i] + (gain[j-i] - sums[i]/float64(j-i)); v > largest[j] {
				largest[j], last[j] = v, i
			}
		}
	}
	for j := last[n]; j > 0; j = last[j] {
		changes = append(changes, j)
	}
	slices.Reverse(changes)
	return changes
}

// confirm sets the p-values of changes, and drops the one with the largest above the level until there is
// none. A single one is the best split. There are so many more permutations that a p-value times the number
// of changes can be as small as that of all rows.
func (r *ChangePoints) confirm(ctx context.Context, g *matrix.Dense, o ChangeOptions) error {
	o.Progress, o.Permutations = nil, max(1, len(r.Changes))*(1+o.Permutations)-1
	known := make(map[[2]int]float64) // of stretches
	for len(r.Changes) > 1 {
		worst := 0
		for c := range r.Changes {
			from, to := r.Around(c)
			stretch := [2]int{from, to}
			p, found := known[stretch]
			if !found {
				var err error
				if p, err = withinStretch(ctx, g.View(from, from, to-from, to-from), o, r.Certificate.KernelRounding); err != nil {
					return err
				}
				known[stretch] = p
			}
			if r.Changes[c].P = math.Min(1, float64(float64(len(r.Changes))*p)); r.Changes[c].P > r.Changes[worst].P {
				worst = c
			}
		}
		if !(r.Changes[worst].P > o.Level) {
			return nil
		}
		r.Changes = slices.Delete(r.Changes, worst, worst+1)
	}
	r.Changes = []Change{{After: r.Best, P: r.Permuted.P}}
	return nil
}

// withinStretch returns the p-value of a change within a stretch of rows, with its part of G: the contrasts
// of its rows sum to 0, so that G counts centred.
func withinStretch(ctx context.Context, part *matrix.Dense, o ChangeOptions, rounding float64) (float64, error) {
	g := centred(part)
	m := newMoments(g)
	var k int
	var score float64
	asTheyAre := func(int) []int32 { return ChangeOptions{Block: g.Rows}.order(g.Rows, 0) }
	m.ofOrders(ctx, g, 1, asTheyAre, func(_ int, scores []float64) { k, score = best(scores, o.Segment) })
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	p, err := o.permuted(ctx, g, m, k, score, rounding)
	if err != nil {
		return 0, err
	}
	return p.P, nil
}

// centred returns HgH.
func centred(g *matrix.Dense) *matrix.Dense {
	g = g.Clone()
	gram.CentreInPlace(g, matrix.RowMeans(nil, g), func(int, []float64) {})
	return g
}

// neighbours returns [ChangePoints.Neighbours]: with the entries g of each segment's part of G, centred, of which
// those off the diagonal have the mean −tr g/(ℓ(ℓ−1)), it is −Σ g_{i,i+1} less its mean, over the deviation as if
// these ℓ−1 entries were independent.
func neighbours(g *matrix.Dense, r *ChangePoints) float64 {
	more, variance, from := 0.0, 0.0, 0
	for c := range len(r.Changes) + 1 {
		to := g.Rows
		if c < len(r.Changes) {
			to = r.Changes[c].After
		}
		part, rows := centred(g.View(from, from, to-from, to-from)), float64(to-from)
		squares, trace := make([]float64, part.Rows), 0.0
		for i := range part.Rows {
			own := part.At(i, i)
			trace += own
			squares[i] = matrix.SumSquares(part.Row(i)) - float64(own*own)
			if i > 0 {
				more -= part.At(i, i-1)
			}
		}
		more -= trace / rows
		mean := trace / float64(rows*(rows-1))
		variance += matrix.Sum(squares)/rows - float64((rows-1)*float64(mean*mean))
		from = to
	}
	if !(variance > 0) {
		return 0
	}
	return more / math.Sqrt(variance)
}

// Around returns between which rows the two segments on both sides of a change are.
func (r *ChangePoints) Around(change int) (from, to int) {
	if to = len(r.Curve) + 1; change+1 < len(r.Changes) {
		to = r.Changes[change+1].After
	}
	if change > 0 {
		from = r.Changes[change-1].After
	}
	return from, to
}
