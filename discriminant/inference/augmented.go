package inference

import (
	"context"
	"fmt"
	"math"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// augmented is what row number row of some new rows makes of G: the matrix of the n + 1 rows has the
// diagonal Gᵢᵢ + vᵢ²/τ and 1/τ, and its last column is −v/τ and 1/τ. As it is that of a fit of all
// n + 1 rows, it treats them alike: with their targets Y, the prediction of row i by the n others
// misses its target by (G₊Y)ᵢ/(G₊)ᵢᵢ.
type augmented struct {
	row    int
	v      []float64 // n numbers of sum 1: vᵀY is what the n rows predict
	tau    float64   // 1 + 1/n + spread
	spread float64   // k_c(x, x)/ε − gᵀGg ≥ 0
	left   float64   // what landmarks leave of k(x, x), over ε
}

// solvedAtATime is how many new rows are.
const solvedAtATime = 128

// eachNew calls f for the rows of y, each by itself and on any of the workers: f must write where no
// other call does. Cost: 2n² flops a row.
func (s *Sample) eachNew(ctx context.Context, y *matrix.Dense, f func(augmented)) error {
	if _, known := s.kernel.(gram.Precomputed); known && y.Rows > 0 {
		return &discriminant.ParameterError{Field: "Kernel", Value: "precomputed", Reason: "new rows need k(x, x) besides their kernel values with the others; want a kernel of columns"}
	}
	n := float64(s.Rows())
	for first := 0; first < y.Rows; first += solvedAtATime {
		if err := ctx.Err(); err != nil {
			return err
		}
		v, spread, left, err := s.rows.augment(ctx, y.View(first, 0, min(solvedAtATime, y.Rows-first), y.Cols))
		if err != nil {
			return numbered(err, func(i int) int { return first + i })
		}
		team := block.TeamFor(v.Rows, v.Cols)
		team.Do(v.Rows, func(k int) {
			row := v.Row(k)
			for i := range row {
				row[i] += 1 / n
			}
			a := augmented{first + k, row, 1 + 1/n + spread[k], spread[k], 0}
			if left != nil {
				a.left = left[k]
			}
			f(a)
		})
		team.Close()
	}
	return ctx.Err()
}

// numbered makes an error about a row of some one about a row of all.
func numbered(err error, of func(row int) int) error {
	switch e := err.(type) {
	case *matrix.NotFiniteError:
		e.Row = of(e.Row)
	case *gram.NotFiniteError:
		if e.Col == e.Row {
			e.Col = of(e.Col)
		}
		e.Row = of(e.Row)
	case *gram.DomainError:
		e.Row = of(e.Row)
	case *gram.IndefiniteError:
		e.Row = of(e.Row)
	}
	return err
}

// diagonalOf returns the diagonal of G, which is found once. Cost: n³/3 flops.
func (s *Sample) diagonalOf(ctx context.Context) ([]float64, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.diagonal == nil {
		d, err := s.rows.InverseDiagonal(ctx)
		if err != nil {
			return nil, fisher.Public(err)
		}
		s.diagonal = d
	}
	return s.diagonal, nil
}

// residuals overwrites the columns of y by Gy, and returns their means.
func (s *Sample) residuals(y *matrix.Dense) (means []float64) {
	means = make([]float64, y.Cols)
	for j := range means {
		column := make([]float64, y.Rows)
		for i := range column {
			column[i] = y.At(i, j)
		}
		means[j] = matrix.Sum(column) / float64(y.Rows)
		for i, t := range column {
			y.Set(i, j, t-means[j])
		}
	}
	s.rows.Inverse(y)
	return means
}

// equalTo returns how far numbers are apart, relative to their size, that count as equal: scores of equal
// rows differ by rounding, the more the smaller the ridge is. That a score counts as no smaller makes a
// p-value larger, never smaller.
func (s *Sample) equalTo() float64 {
	return math.Max(1e-9, float64(16*(float64(float64(s.Rows())*f64.Roundoff)+s.rows.Rounding())))
}

// checkCoverage returns a *[discriminant.ParameterError] unless it lies between 0 and 1.
func checkCoverage(coverage float64) error {
	if coverage > 0 && coverage < 1 {
		return nil
	}
	return &discriminant.ParameterError{Field: "coverage", Value: fmt.Sprint(coverage), Reason: "want a share above 0 and below 1, such as 0.9"}
}

// holds reports whether a p-value is above 1 − coverage; what differs by rounding is equal.
func holds(p, coverage float64) bool { return p-(1-coverage) > 1e-12 }
