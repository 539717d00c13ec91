package matrix

import (
	"fmt"
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
)

// Sizes takes the sizes of the rows of a matrix, one after the other or several at the
// same time, and gives those of the matrix: one pass over a large matrix for its largest
// element and its norm, which may be the pass that makes it.
type Sizes struct {
	largest []float64 // magnitudes of the rows
	squares []float64 // sums of squares, in units in which those are in [1/2, 1)
}

// NewSizes returns the sizes of a matrix of so many rows, all zero.
func NewSizes(rows int) *Sizes {
	return &Sizes{largest: make([]float64, rows), squares: make([]float64, rows)}
}

// Add takes the sizes of row i.
func (s *Sizes) Add(i int, row []float64) {
	if uint(i) >= uint(len(s.largest)) {
		panic(fmt.Sprintf("matrix: Sizes.Add: row %d of %d", i, len(s.largest)))
	}
	s.largest[i] = f64.MaxAbs(row)
	_, scale := unitScale(s.largest[i])
	var sum f64.Lanes
	sum.AddScaledProducts(row, scale, row, scale)
	s.squares[i] = sum.Total()
}

// MaxAbs returns [MaxAbs] of the matrix.
func (s *Sizes) MaxAbs() float64 { return f64.MaxAbs(s.largest) }

// NormFrobenius returns [NormFrobenius] of 2^exp times the matrix.
func (s *Sizes) NormFrobenius(exp int) float64 {
	m := s.MaxAbs()
	if m == 0 || math.IsInf(m, 0) || math.IsNaN(m) {
		return m
	}
	e, _ := unitScale(m)
	squares := make([]float64, len(s.squares))
	for i, v := range s.squares {
		own, _ := unitScale(s.largest[i])
		squares[i] = math.Ldexp(v, 2*(own-e))
	}
	return math.Ldexp(math.Sqrt(Sum(squares)), e+exp)
}
