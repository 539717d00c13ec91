package fisher

import (
	"slices"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// Part is what the [Moments] of some rows are made of, in half of their memory, to be joined with
// that of others; nil is that of no rows.
type Part struct {
	shape  Shape
	lower  []float64 // of the transposed factor, by rows
	counts []int
	left   float64 // the norm of what the features leave out
}

// newPart returns that of the factor of a table, whose last column is what the features leave out
// where the shape has that.
func newPart(lower []float64, counts []int, shape Shape) *Part {
	p := &Part{shape: shape, lower: lower, counts: counts}
	if shape.Left {
		p.shape.Left = false
		n := p.shape.columns()
		size := n * (n + 1) / 2
		last := lower[size:]
		p.lower, p.left = lower[:size], matrix.NormFrobenius(&matrix.Dense{Rows: len(last), Cols: 1, Stride: 1, Data: last})
	}
	return p
}

// with returns that of the rows of both.
func (p *Part) with(q *Part) *Part {
	switch {
	case p == nil:
		return q
	case q == nil:
		return p
	}
	counts := slices.Clone(p.counts)
	for j, count := range q.counts {
		counts[j] += count
	}
	return &Part{p.shape, solve.JoinFactors(p.shape.columns(), p.lower, q.lower), counts, hypotenuse(p.left, q.left)}
}

// Moments returns those of the rows.
func (p *Part) Moments() *Moments { return newMoments(p) }

// Joined returns the moments of the rows of all.
func Joined(parts []*Part) *Moments {
	var all *Part
	for _, part := range parts {
		all = all.with(part)
	}
	return all.Moments()
}
