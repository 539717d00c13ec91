package inference

import (
	"context"
	"math"
	"slices"
)

// segments returns after which rows the best segmentation has changes (see [Changes]), each segment of at
// least so many rows: with S the sum of the entries of G in a segment of ℓ rows, the one with the largest sum
// over segments of
//
//	(1 − ℓ/n)(1 − E − zσ_ℓ) − S/ℓ
//
// Cost: 2n² flops beside those sums.
func segments(ctx context.Context, g metric, m *moments, least int, z float64) (changes []int, err error) {
	n := g.order()
	gain := make([]float64, n+1) // of a segment of so many rows, but for S
	for l := least; l < n; l++ {
		gain[l] = float64((1 - float64(l)/float64(n)) * (1 - m.mean - float64(z*m.deviation[l])))
	}
	ending := g.ending()
	largest, last := make([]float64, n+1), make([]int, n+1) // of the first j rows; where their last segment begins
	for j := 1; j <= n; j++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		sums := ending(j)
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
	return changes, nil
}

// stretches tests rows by themselves.
type stretches struct {
	g        metric // of all rows
	o        ChangeOptions
	rounding float64
	known    map[[2]int]stretch
}

// stretch is the best split of some rows, after so many of all, and its p-value.
type stretch struct {
	after int
	p     float64
}

// test tests the rows from … to−1, as all are.
func (s *stretches) test(ctx context.Context, from, to int) (stretch, error) {
	place := [2]int{from, to}
	if found, known := s.known[place]; known {
		return found, nil
	}
	g := s.g.part(from, to)
	m := g.moments()
	var k int
	var score float64
	asTheyAre := func(int) []int32 { return ChangeOptions{Block: to - from}.order(to-from, 0) }
	m.ofOrders(ctx, g, 1, asTheyAre, func(_ int, scores []float64) { k, score = best(scores, s.o.Segment) })
	if err := ctx.Err(); err != nil {
		return stretch{}, err
	}
	p, err := s.o.permuted(ctx, g, m, k, score, s.rounding)
	if err != nil {
		return stretch{}, err
	}
	s.known[place] = stretch{from + k, p.P}
	return s.known[place], nil
}

// settle sets the p-values of changes, drops those that do not last, and looks for more within the segments, each
// of which it splits once. There are so many more permutations that a p-value times the number of changes can be as
// small as that of all rows.
func (r *ChangePoints) settle(ctx context.Context, g metric, o ChangeOptions) error {
	o.Progress, o.Permutations = nil, (len(r.Changes)+1)*(1+o.Permutations)-1
	s := &stretches{g, o, r.Certificate.KernelRounding, make(map[[2]int]stretch)}
	split := make(map[[2]int]bool)
	for more := true; more; {
		if err := r.confirm(ctx, s); err != nil {
			return err
		}
		more = false
		for c, from := 0, 0; c <= len(r.Changes) && !more; c++ {
			to := len(r.Curve) + 1
			if c < len(r.Changes) {
				to = r.Changes[c].After
			}
			if place := [2]int{from, to}; to-from >= 2*o.Segment && !split[place] {
				found, err := s.test(ctx, from, to)
				if err != nil {
					return err
				}
				if more = float64(float64(len(r.Changes)+1)*found.p) <= o.Level; more {
					split[place] = true
					r.Changes = slices.Insert(r.Changes, c, Change{After: found.after})
				}
			}
			from = to
		}
	}
	return nil
}

// confirm sets the p-values of changes, and drops the one with the largest above the level until there is
// none. A single one is the best split.
func (r *ChangePoints) confirm(ctx context.Context, s *stretches) error {
	for len(r.Changes) > 1 {
		worst := 0
		for c := range r.Changes {
			from, to := r.Around(c)
			found, err := s.test(ctx, from, to)
			if err != nil {
				return err
			}
			if r.Changes[c].P = math.Min(1, float64(float64(len(r.Changes))*found.p)); r.Changes[c].P > r.Changes[worst].P {
				worst = c
			}
		}
		if !(r.Changes[worst].P > s.o.Level) {
			return nil
		}
		r.Changes = slices.Delete(r.Changes, worst, worst+1)
	}
	r.Changes = []Change{{After: r.Best, P: r.Permuted.P}}
	return nil
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
