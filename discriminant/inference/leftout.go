package inference

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// leftOut overwrites the rows (GY)_B of GY, for each unit B of rows, by (G_BB)⁻¹(GY)_B: by how much
// the others, without B, miss the rows of B.
type leftOut func(gy *matrix.Dense)

// leaving returns how to leave out units of rows, nil for each row by itself. Cost: n³/3 flops, or 2n³
// for units, whose blocks of G stay in memory.
func (s *Sample) leaving(ctx context.Context, unit []int) (leftOut, error) {
	if unit == nil {
		diagonal, err := s.diagonalOf(ctx)
		return func(gy *matrix.Dense) {
			for i, g := range diagonal {
				for j, v := range gy.Row(i) {
					gy.Row(i)[j] = v / g
				}
			}
		}, err
	}
	var members [][]int
	for i, u := range unit { // numbered in the order of their first rows
		if u == len(members) {
			members = append(members, nil)
		}
		members[u] = append(members[u], i)
	}
	blocks, err := s.rows.blocks(ctx, members)
	if err != nil {
		return nil, err
	}
	factors := make([]*solve.Cholesky, len(blocks))
	for u, block := range blocks {
		factors[u], err = solve.FactorCholesky(ctx, block)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil { // a block of G is positive definite
			return nil, &discriminant.AccuracyError{What: "the rounding of a fit without a group, relative to it", Value: math.Inf(1), Limit: 1, Remedy: "a larger ridge"}
		}
	}
	return func(gy *matrix.Dense) {
		for u, rows := range members {
			part := matrix.New(len(rows), gy.Cols)
			for k, i := range rows {
				copy(part.Row(k), gy.Row(i))
			}
			factors[u].Solve(part)
			for k, i := range rows {
				copy(gy.Row(i), part.Row(k))
			}
		}
	}, nil
}
