package inference

import (
	"context"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// metric is G of some rows, whose rows sum to zero: its [entries], or what landmarks leave of them,
// a [complement].
type metric interface {
	order() int
	width() int // operations of a row of an order, about
	moments() *moments

	// sums sets to[p][k−1] to the sum of the entries of G for the first k rows of orders[p].
	sums(team *block.Team, orders [][]int32, to [][]float64)

	// ending returns what, with j = 1, …, n in turn, returns the sums of the entries of G for the rows from i to
	// before j, i < j, which the next call overwrites.
	ending() func(j int) []float64

	// part is that of the rows from … to−1 by themselves: the contrasts of these rows sum to 0, so that their part
	// of G counts centred.
	part(from, to int) metric
}

// entries are those of G, n×n.
type entries struct{ *matrix.Dense }

// metric returns G. Cost: 2n³ flops.
func (s *Sample) metric(ctx context.Context) (entries, error) {
	n := s.Rows()
	g := matrix.New(n, n)
	for i := range n {
		row := g.Row(i)
		for j := range row {
			row[j] = -1 / float64(n)
		}
		row[i]++
	}
	for first := 0; first < n; first += blockColumns {
		if err := ctx.Err(); err != nil {
			return entries{}, err
		}
		s.rows.Inverse(g.View(0, first, n, min(blockColumns, n-first)))
	}
	return entries{g}, ctx.Err()
}

func (g entries) order() int { return g.Rows }
func (g entries) width() int { return g.Rows }

func (g entries) moments() *moments {
	diagonal, squares := make([]float64, g.Rows), make([]float64, g.Rows)
	for i := range diagonal {
		diagonal[i], squares[i] = g.At(i, i), matrix.SumSquares(g.Row(i))
	}
	m := newMoments(diagonal, matrix.Sum(squares))
	m.mean = 1 - m.mean
	return m
}

// sums grow by 2Σ_{j<k} G_kj + G_kk with each row. Cost: n²/2 additions for each order.
func (g entries) sums(team *block.Team, orders [][]int32, to [][]float64) {
	places := make([][]int32, len(orders))
	team.Do(len(orders), func(p int) {
		places[p] = make([]int32, g.Rows)
		for k, i := range orders[p] {
			places[p][i] = int32(k)
		}
	})
	team.Rows(g.Rows, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := g.Row(i)
			for p, place := range places {
				to[p][place[i]] = float64(2*sumOf(row, orders[p][:place[i]])) + row[i]
			}
		}
	})
	team.Do(len(orders), func(p int) {
		sum := 0.0
		for k, step := range to[p] {
			sum += step
			to[p][k] = sum
		}
	})
}

// sumOf returns the sum of some entries of a row, in four chains.
func sumOf(row []float64, at []int32) float64 {
	var a, b, c, d float64
	for len(at) >= 4 {
		a, b, c, d = a+row[at[0]], b+row[at[1]], c+row[at[2]], d+row[at[3]]
		at = at[4:]
	}
	for _, j := range at {
		a += row[j]
	}
	return (a + b) + (c + d)
}

// ending takes n² additions.
func (g entries) ending() func(j int) []float64 {
	sums := make([]float64, g.Rows)
	return func(j int) []float64 {
		row, added := g.Row(j-1), 0.0
		for i := j - 1; i >= 0; i-- {
			added += row[i]
			sums[i] += float64(2*added) - row[j-1]
		}
		return sums[:j]
	}
}

func (g entries) part(from, to int) metric {
	part := g.View(from, from, to-from, to-from).Clone()
	gram.CentreInPlace(part, matrix.RowMeans(nil, part), func(int, []float64) {})
	return entries{part}
}
