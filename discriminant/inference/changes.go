package inference

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// ChangeOptions say how [Changes] permutes rows, and what a change is. The zero value permutes none,
// and so finds the best split only.
type ChangeOptions struct {
	// Permutations is their number B, 0 for none: at least 1/Level − 1 else.
	Permutations int

	// Seed decides which: those of a seed are the same everywhere, with any number of workers.
	Seed uint64

	// Block consecutive rows move together, for rows that depend on those before: 0 is 1. What the last
	// whole block leaves stays in its place.
	Block int

	// Segment is the least number of rows between changes, from 2 to n/2; 0 is the largest of 2, Block and
	// n/20.
	Segment int

	// Level is the probability with which changes are found where there are none, 0 for 0.05.
	Level float64

	// Progress, where not nil, is called after every some permutations.
	Progress func(done, total int)
}

// resolved returns the options for n rows with their defaults.
func (o ChangeOptions) resolved(n int) (ChangeOptions, error) {
	refuse := func(field string, value any, reason string) (ChangeOptions, error) {
		return o, &discriminant.ParameterError{Field: field, Value: fmt.Sprint(value), Reason: reason}
	}
	if o.Level == 0 {
		o.Level = 0.05
	}
	if o.Block == 0 {
		o.Block = 1
	}
	switch {
	case !(o.Level > 0 && o.Level < 1):
		return refuse("Level", o.Level, "want a probability above 0 and below 1, such as 0.05")
	case o.Permutations < 0:
		return refuse("Permutations", o.Permutations, "want 0 or more")
	case o.Permutations > 0 && o.rank() < 0:
		return refuse("Permutations", o.Permutations, fmt.Sprintf("want %.0f or more, for a p-value of %v", math.Ceil(1/o.Level-1e-9)-1, o.Level))
	case o.Block < 1 || o.Block > n/2:
		return refuse("Block", o.Block, fmt.Sprintf("want 1 or more, and two blocks in %d rows", n))
	}
	if o.Segment == 0 {
		o.Segment = max(2, o.Block, (n+19)/20)
	}
	if o.Segment < 2 || o.Segment > n/2 {
		return refuse("Segment", o.Segment, fmt.Sprintf("want 2 or more, and two segments in %d rows", n))
	}
	return o, nil
}

// rank returns how many permutations may be as large for a p-value of at most the level.
func (o ChangeOptions) rank() int {
	return int(math.Floor(float64(o.Level*float64(1+o.Permutations))+1e-9)) - 1
}

// ChangePoints is what [Changes] finds in n rows, in their order.
type ChangePoints struct {
	// Curve has nλ_k for the split after row k, from 1 to n−1, at index k−1: the statistic of [Test]
	// for the first k rows and the others.
	Curve []float64

	// Scores are (λ_k/(1+λ_k) − E)/σ_k, with the mean E = 1 − tr G/(n−1), the same for all k, and the
	// standard deviation σ_k of λ_k/(1+λ_k) over all orders of the rows.
	Scores []float64

	Segment int // rows of a segment, at least
	Best    int // k with the largest score, from Segment to n − Segment

	// Score is that of Best, and Statistic nλ there, whose relative error, for the kernel values as
	// rounded to float64, RelativeError bounds.
	Score, Statistic, RelativeError float64
	Ridge                           float64 // ε
	Certificate                     discriminant.Certificate

	// Permuted has the largest score of each order of the rows, Threshold the one that Score must exceed
	// for a p-value of at most the level: nil and 0 without permutations.
	Permuted  *Permutations
	Threshold float64

	Changes []Change // in order; none where the p-value is above the level

	// Neighbours is how much more alike, by the kernel, rows of a segment are that follow each other than any
	// two, in standard deviations as if pairs were independent: about a standard normal number if rows of a
	// segment are exchangeable; without changes segments are those of Best. Reach is the distance up to which
	// rows are more alike by above 2 of them. From 1 on, rows depend on each other, or there are more changes
	// than were found, and p-values are too small but for blocks of many times as many rows. A weak dependence
	// does not show in few rows.
	Neighbours float64
	Reach      int
}

// Change is where one segment ends and another begins.
type Change struct {
	After int // the number of rows before

	// P is the p-value of the test of [Changes] for the rows of the two segments alone, in the matrix of all
	// rows, times the number of changes, and not exact, as the same rows chose the segments: that of a single
	// one is that of all rows, which is.
	P float64

	Statistic float64 // nλ of the segments on both sides as two classes, in the matrix of all rows

	// Projections are those of all rows on the direction of these two classes, up to a factor, larger in
	// the later segment.
	Projections []float64
}

// Changes says after which rows the distribution of the rows changes, after Harchaoui, Moulines and Bach
// (Kernel change-point analysis, NIPS 2008). With G of the package and the unit contrast q_k of the first k
// rows with the others,
//
//	1/(1 + λ_k) = q_kᵀGq_k
//
// The test statistic is the largest score of the splits that leave Segment rows on both sides. Near the
// ends of the rows λ_k varies more, by which most of the largest nλ_k would be there: scores have mean 0 and
// variance 1 everywhere, exactly, over all orders of the rows. The p-value of permutations is exact for rows
// (blocks) that are exchangeable where nothing changes, whatever kernel and ridge, given beforehand.
//
// Where the p-value is at most the level, segments are looked for: by dynamic programming, the segmentation
// into c segments of ℓ rows with the largest
//
//	Σλ/(1 + λ) − Σ_segments (1 − ℓ/n)(E + zσ_ℓ)
//
// where Σλ/(1 + λ), the trace of Pillai, is c − 1 less the trace of QᵀGQ, by which the scatter within the
// segments falls in the metric H − G, and z is Threshold. The second sum is a penalty for each change, which
// for one change is E + zσ_k: a gain is worth it just where its p-value is at most the level. It is
// made for rows without a change; so each of several changes is tested again, within its two segments, and the
// one with the largest [Change].P is dropped until none is above the level; and so is each segment, by itself,
// which is split where its p-value is as small.
//
// Options that do not fit are a *[discriminant.ParameterError]; rows that are all alike a
// *[discriminant.CoincidentMeansError]. Cost: 3n³ flops beside n² kernel values, and n²/2 additions for each permutation, about
// ten times that where there are several changes; memory 16n² bytes at most beside the sample. With m < n/2
// landmarks: 6nm² flops, 3nm for each permutation and, where segments are looked for, n²m; memory 16nm bytes. Values
// of 1/(1 + λ_k) have then an error of some roundings of 1.
func Changes(ctx context.Context, s *Sample, o ChangeOptions) (*ChangePoints, error) {
	misuse.NotNil("inference: Changes", "ctx", ctx, "s", s)
	n := s.Rows()
	o, err := o.resolved(n)
	if err != nil {
		return nil, err
	}
	g, sigma, err := s.splits(ctx)
	if err != nil {
		return nil, err
	}
	m := g.moments()
	r := &ChangePoints{Curve: make([]float64, n-1), Scores: make([]float64, n-1), Segment: o.Segment}
	for i, v := range sigma {
		r.Curve[i] = float64(float64(n) * ((1 - v) / v))
		r.Scores[i] = m.score(i+1, v)
	}
	r.Best, r.Score = best(r.Scores, o.Segment)
	found, err := s.solve(ctx, firstRows(n, r.Best))
	if err != nil {
		return nil, err
	}
	if len(found.Lambda) == 0 {
		return nil, new(discriminant.CoincidentMeansError)
	}
	r.Statistic, r.Ridge, r.Certificate = float64(float64(n)*found.Lambda[0]), found.Ridge, discriminant.Certificate(found.Certificate)
	r.RelativeError = r.Certificate.EigenvalueError + float64(2*f64.Roundoff)
	if o.Permutations > 0 {
		if err := s.test(ctx, g, m, o, r); err != nil {
			return nil, err
		}
	}
	if err := r.dependence(ctx, s); err != nil {
		return nil, err
	}
	return r, ctx.Err()
}

// test sets what permutations say, and the changes.
func (s *Sample) test(ctx context.Context, g metric, m *moments, o ChangeOptions, r *ChangePoints) (err error) {
	if r.Permuted, err = o.permuted(ctx, g, m, r.Best, r.Score, r.Certificate.KernelRounding); err != nil {
		return err
	}
	sorted := slices.Sorted(slices.Values(r.Permuted.Null))
	r.Threshold = sorted[len(sorted)-1-o.rank()]
	if r.Permuted.P > o.Level {
		return nil
	}
	found, err := segments(ctx, g, m, o.Segment, r.Threshold)
	if err != nil {
		return err
	}
	for _, after := range found {
		r.Changes = append(r.Changes, Change{After: after})
	}
	if err := r.settle(ctx, g, o); err != nil {
		return err
	}
	s.compareSegments(r)
	return nil
}

// firstRows are two classes: the first k of n rows, and the others.
func firstRows(n, k int) *fisher.Classes {
	codes := make([]int, n)
	for i := k; i < n; i++ {
		codes[i] = 1
	}
	return fisher.NewClasses(codes, 2, nil)
}

// compareSegments sets what is beside the places of changes: with q the unit contrast of the two
// segments, the projections of two classes are HKH(HKH + εI)⁻¹q = q − Gq up to a factor.
func (s *Sample) compareSegments(r *ChangePoints) {
	n := s.Rows()
	q := matrix.New(n, len(r.Changes))
	for c, change := range r.Changes {
		from, to := r.Around(c)
		before, after := float64(change.After-from), float64(to-change.After)
		for i := from; i < to; i++ {
			if i < change.After {
				q.Set(i, c, -math.Sqrt(after/float64(before*(before+after))))
			} else {
				q.Set(i, c, math.Sqrt(before/float64(after*(before+after))))
			}
		}
	}
	gq, white := q.Clone(), q.Clone()
	s.rows.Inverse(gq)
	squares(s.rows.Whiten(white), 1, func(c int, of *matrix.Dense) {
		v := of.At(0, 0)
		r.Changes[c].Statistic = float64(float64(n) * ((1 - v) / v))
		r.Changes[c].Projections = make([]float64, n)
		for i := range n {
			r.Changes[c].Projections[i] = q.At(i, c) - gq.At(i, c)
		}
	})
}
