package inference

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
)

// alikeBar is from how many standard deviations on rows count as alike: 1 to 3 % of series of independent rows
// have more by chance.
const alikeBar = 2

// dependence sets [ChangePoints.Neighbours] and Reach. Where no change was found, the segments are those of the best
// split: it may be one that blocks are too few to show.
func (r *ChangePoints) dependence(ctx context.Context, s *Sample) error {
	ends := []int{r.Best, s.Rows()}
	if len(r.Changes) > 0 {
		ends = ends[:0]
		for _, c := range r.Changes {
			ends = append(ends, c.After)
		}
		ends = append(ends, s.Rows())
	}
	parts, err := s.rows.alike(ctx, ends)
	if err != nil {
		return err
	}
	r.Neighbours = apart(parts, 1)
	for h := 1; h < s.Rows()/2 && apart(parts, h) > alikeBar; h++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.Reach = h
	}
	return nil
}

// alike are the kernel values of the rows of a segment, centred, relative to the largest kernel value of all rows.
type alike struct {
	rows           int
	value          func(i, j int) float64
	mean, variance float64 // of entries off the diagonal
}

// newAlike takes the trace of the matrix of these values, and the sum of squares off its diagonal.
func newAlike(count int, value func(i, j int) float64, trace, squares float64) alike {
	rows := float64(count)
	mean := -trace / float64(rows*(rows-1))
	return alike{count, value, mean, squares/float64(rows*(rows-1)) - float64(mean*mean)}
}

// alike takes all kernel values. Cost: n² of them beside 2n² flops.
func (r *allRows) alike(ctx context.Context, ends []int) (parts []alike, err error) {
	k, err := r.evaluator.MatrixContext(ctx, nil)
	if err != nil {
		return nil, err
	}
	largest, from := 0.0, 0
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
	for _, to := range ends {
		part := k.View(from, from, to-from, to-from)
		gram.CentreInPlace(part, matrix.RowMeans(nil, part), func(int, []float64) {})
		squares, trace := make([]float64, part.Rows), 0.0
		for i := range part.Rows {
			own := part.At(i, i)
			trace += own
			squares[i] = matrix.SumSquares(part.Row(i)) - float64(own*own)
		}
		parts, from = append(parts, newAlike(part.Rows, part.At, trace, matrix.Sum(squares))), to
	}
	return parts, nil
}

// alike takes products of the centred features F of each segment, whose squares have the sum ‖FᵀF‖_F². Cost: nm²
// flops.
func (r *mappedRows) alike(ctx context.Context, ends []int) (parts []alike, err error) {
	features, largest := r.Features()
	from, unit := 0, 1/math.Sqrt(math.Max(largest, math.SmallestNonzeroFloat64))
	for _, to := range ends {
		f := features.View(from, 0, to-from, features.Cols).Clone()
		centreColumns(f)
		own := make([]float64, f.Rows)
		for i := range own {
			f64.Scale(f.Row(i), unit)
			own[i] = matrix.SumSquares(f.Row(i))
		}
		value := func(i, j int) float64 { return matrix.Dot(f.Row(i), f.Row(j)) }
		squares := squareOf(matrix.SymRankK(nil, f, matrix.Transposed)) - matrix.SumSquares(own)
		parts, from = append(parts, newAlike(f.Rows, value, matrix.Sum(own), squares)), to
	}
	return parts, ctx.Err()
}

// apart returns how much more alike rows at a distance of h are than any two of their segment, in deviations as
// if these pairs were independent: 0 where rows of a segment differ by no more than rounding.
func apart(parts []alike, h int) float64 {
	more, variance, pairs := 0.0, 0.0, 0.0
	for _, part := range parts {
		for i := h; i < part.rows; i++ {
			more += part.value(i, i-h) - part.mean
			variance += part.variance
			pairs++
		}
	}
	if !(variance > float64(1e-24*pairs)) {
		return 0
	}
	return more / math.Sqrt(variance)
}
