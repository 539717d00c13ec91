package inference

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// alikeBar is from how many standard deviations on rows count as alike: 1 to 3 % of series of independent rows
// have more by chance.
const alikeBar = 2

// dependence sets [ChangePoints.Neighbours] and Reach. Cost: n² kernel values beside 2n² flops.
func (r *ChangePoints) dependence(ctx context.Context, s *Sample) error {
	k, err := s.rows.(*allRows).evaluator.MatrixContext(ctx, nil)
	if err != nil {
		return err
	}
	l := newLikeness(k, r)
	r.Neighbours = l.apart(1)
	for h := 1; h < k.Rows/2 && l.apart(h) > alikeBar; h++ {
		r.Reach = h
	}
	return nil
}

// likeness are kernel matrices of segments, each centred, relative to the largest kernel value.
type likeness struct {
	parts          []*matrix.Dense
	mean, variance []float64 // of entries off the diagonal
}

// newLikeness takes the kernel matrix of all rows, which it overwrites. Where no change was found, the segments
// are those of the best split: it may be one that blocks are too few to show.
func newLikeness(k *matrix.Dense, r *ChangePoints) *likeness {
	l, largest, from := new(likeness), 0.0, 0
	for i := range k.Rows {
		for _, v := range k.Row(i) {
			largest = math.Max(largest, math.Abs(v))
		}
	}
	for i := range k.Rows {
		for j := range k.Row(i) {
			k.Row(i)[j] /= math.Max(largest, math.SmallestNonzeroFloat64)
		}
	}
	ends := []int{r.Best, k.Rows}
	if len(r.Changes) > 0 {
		ends = ends[:0]
		for _, c := range r.Changes {
			ends = append(ends, c.After)
		}
		ends = append(ends, k.Rows)
	}
	for _, to := range ends {
		part, rows := k.View(from, from, to-from, to-from), float64(to-from)
		gram.CentreInPlace(part, matrix.RowMeans(nil, part), func(int, []float64) {})
		squares, trace := make([]float64, part.Rows), 0.0
		for i := range part.Rows {
			own := part.At(i, i)
			trace += own
			squares[i] = matrix.SumSquares(part.Row(i)) - float64(own*own)
		}
		mean := -trace / float64(rows*(rows-1))
		l.parts, l.mean = append(l.parts, part), append(l.mean, mean)
		l.variance = append(l.variance, matrix.Sum(squares)/float64(rows*(rows-1))-float64(mean*mean))
		from = to
	}
	return l
}

// apart returns how much more alike rows at a distance of h are than any two of their segment, in deviations as
// if these pairs were independent: 0 where rows of a segment differ by no more than rounding.
func (l *likeness) apart(h int) float64 {
	more, variance, pairs := 0.0, 0.0, 0.0
	for c, part := range l.parts {
		for i := h; i < part.Rows; i++ {
			more += part.At(i, i-h) - l.mean[c]
			variance += l.variance[c]
			pairs++
		}
	}
	if !(variance > float64(1e-24*pairs)) {
		return 0
	}
	return more / math.Sqrt(variance)
}
