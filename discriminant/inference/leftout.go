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
	blocks, err := s.diagonalBlocks(ctx, members)
	return func(gy *matrix.Dense) {
		for u, rows := range members {
			part := matrix.New(len(rows), gy.Cols)
			for k, i := range rows {
				copy(part.Row(k), gy.Row(i))
			}
			blocks[u].Solve(part)
			for k, i := range rows {
				copy(gy.Row(i), part.Row(k))
			}
		}
	}, err
}

// diagonalBlocks returns the factors of the blocks of G on some rows each.
func (s *Sample) diagonalBlocks(ctx context.Context, members [][]int) (blocks []*solve.Cholesky, err error) {
	n := s.Rows()
	for first := 0; first < len(members); {
		end, columns := first, 0
		for end < len(members) && (end == first || columns+len(members[end]) <= blockColumns) {
			columns += len(members[end])
			end++
		}
		g := matrix.New(n, columns)
		for i := range g.Data {
			g.Data[i] = -1 / float64(n)
		}
		column := 0
		for _, rows := range members[first:end] {
			for _, i := range rows {
				g.Row(i)[column]++
				column++
			}
		}
		s.rows.Inverse(g)
		column = 0
		for ; first < end; first++ {
			rows := members[first]
			block := matrix.New(len(rows), len(rows))
			for k, i := range rows {
				copy(block.Row(k), g.Row(i)[column:column+len(rows)])
			}
			column += len(rows)
			f, err := solve.FactorCholesky(ctx, block)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil { // a block of G is positive definite
				return nil, &discriminant.AccuracyError{What: "the rounding of a fit without a group, relative to it", Value: math.Inf(1), Limit: 1, Remedy: "a larger ridge"}
			}
			blocks = append(blocks, f)
		}
	}
	return blocks, nil
}
