package inference

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
)

// splits returns G, and 1/(1 + λ_k) of the splits after row k = 1 … n−1.
func (s *Sample) splits(ctx context.Context) (g metric, sigma []float64, err error) {
	if w := s.rows.half(); w != nil {
		g := newComplement(w)
		return g, g.splits(s.rows.Rounding() / f64.Roundoff), ctx.Err()
	}
	if sigma, err = s.whitenedSplits(ctx); err != nil {
		return nil, nil, err
	}
	g, err = s.metric(ctx)
	return g, sigma, err
}

// whitenedSplits are sums of squares of whitened contrasts, so that small ones have small relative errors. Cost: n³
// flops, by blocks of columns.
func (s *Sample) whitenedSplits(ctx context.Context) ([]float64, error) {
	n := s.Rows()
	sigma := make([]float64, n-1)
	buffer := matrix.New(n, min(n-1, blockColumns))
	for first := 0; first < n-1; first += buffer.Cols {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b := buffer.View(0, 0, n, min(buffer.Cols, n-1-first))
		before, after := make([]float64, b.Cols), make([]float64, b.Cols)
		for c := range before {
			k, rest := float64(first+c+1), float64(n-first-c-1)
			before[c], after[c] = math.Sqrt(rest/float64(float64(n)*k)), -math.Sqrt(k/float64(float64(n)*rest))
		}
		for i := range n {
			for c := range before {
				if i <= first+c {
					b.Row(i)[c] = before[c]
				} else {
					b.Row(i)[c] = after[c]
				}
			}
		}
		squares(s.rows.Whiten(b), 1, func(c int, of *matrix.Dense) { sigma[first+c] = of.At(0, 0) })
	}
	return sigma, ctx.Err()
}

// moments are those of λ_k/(1+λ_k) over all orders of n ≥ 4 rows.
type moments struct {
	mean      float64
	deviation []float64 // by k; 0 and n are not used
}

// newMoments takes the diagonal and the squares ‖G‖_F² of a G whose rows sum to 0. With t its trace, g its diagonal
// and the sum S of its entries in k random rows and columns,
//
//	E S = t·k(n−k)/(n(n−1))
//	Var S = κ₄·Σ(gᵢ − t/n)² + 2κ₂₂·(‖G‖_F² − t²/(n−1))
//	κ₄ = k(n−k)(n(n+1) − 6k(n−k))/N, κ₂₂ = k(k−1)(n−k)(n−k−1)/N, N = n(n−1)(n−2)(n−3)
//
// where 1/(1+λ_k) is S·n/(k(n−k)). It sets mean to that of S·n/(k(n−k)).
func newMoments(diagonal []float64, squares float64) *moments {
	rows, n := len(diagonal), float64(len(diagonal))
	trace := matrix.Sum(diagonal)
	for i := range diagonal {
		diagonal[i] -= trace / n
	}
	own := matrix.SumSquares(diagonal)
	all := math.Max(0, squares-float64(trace*trace)/(n-1))
	m := &moments{mean: trace / (n - 1), deviation: make([]float64, rows+1)}
	for i := 1; i < rows; i++ {
		k, rest := float64(i), float64(rows-i)
		both := float64(k * rest)
		fourth := float64(both * (float64(n*(n+1)) - float64(6*both)))
		second := float64(both * float64((k-1)*(rest-1)))
		variance := (float64(fourth*own) + float64(2*float64(second*all))) / float64(float64(n*(n-1))*float64((n-2)*(n-3)))
		m.deviation[i] = float64(math.Sqrt(math.Max(0, variance))*n) / both
	}
	return m
}

// score returns that of 1/(1+λ_k) = v, 0 where all orders of the rows have the same.
func (m *moments) score(k int, v float64) float64 {
	if !(m.deviation[k] > 0) {
		return 0
	}
	return ((1 - v) - m.mean) / m.deviation[k]
}

// best returns the split with the largest of the scores of k = 1 … n−1 that leaves so many rows on both
// sides, the first of equal ones.
func best(scores []float64, segment int) (k int, score float64) {
	k = segment
	for i := segment; i <= len(scores)+1-segment; i++ {
		if scores[i-1] > scores[k-1] {
			k = i
		}
	}
	return k, scores[k-1]
}

// ordersAtOnce is how many orders of the rows are taken at once, and after how many progress is told of.
const ordersAtOnce = 64

// permuted returns the largest score of each permutation, beside that of split k of the rows as they are.
// What differs from that by rounding is equal to it.
func (o ChangeOptions) permuted(ctx context.Context, g metric, m *moments, k int, score, rounding float64) (*Permutations, error) {
	n := g.order()
	tie := float64(4*(float64(float64(n)*f64.Roundoff)+rounding)) / m.deviation[k]
	null := make([]float64, o.Permutations)
	for first := 0; first < len(null); first += ordersAtOnce {
		part := null[first:min(first+ordersAtOnce, len(null))]
		m.ofOrders(ctx, g, len(part), func(p int) []int32 { return o.order(n, first+p) }, func(p int, scores []float64) {
			if _, part[p] = best(scores, o.Segment); !(math.Abs(part[p]-score) > tie) {
				part[p] = score
			}
		})
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if o.Progress != nil {
			o.Progress(first+len(part), len(null))
		}
	}
	return newPermutations(score, null, o.distinct(n)), nil
}

// distinct returns the number of orders over that of orders that have at least the score of the best split of the
// rows as they are, for the best split where that is most: all orders with the same rows before it, in any order,
// and their mirror images where these are orders. Cost: n additions.
func (o ChangeOptions) distinct(n int) (most float64) {
	blocks := n / o.Block
	ways := 1.0 // to choose j blocks
	for j := range blocks + 1 {
		if first := j * o.Block; first >= o.Segment && first <= n-o.Segment {
			if n%o.Block == 0 {
				most = math.Max(most, ways/2)
			} else {
				most = math.Max(most, ways)
			}
		}
		if first := j*o.Block + 1; j < blocks && max(first, o.Segment) <= min(first+o.Block-2, n-o.Segment) {
			most = math.Max(most, float64(ways*float64(blocks-j))) // and the block that the split cuts
		}
		ways = float64(ways*float64(blocks-j)) / float64(j+1)
	}
	return math.Max(1, most)
}

// SmallestP returns below which no p-value of n rows can be, of any permutations: from above Level on, no
// change can be found. Errors are those of [Changes] about options.
func (o ChangeOptions) SmallestP(n int) (float64, error) {
	o, err := o.resolved(n)
	if err != nil {
		return 1, err
	}
	return 1 / o.distinct(n), nil
}

// ofOrders calls use with the scores of count orders of the rows, on several goroutines at the same time.
func (m *moments) ofOrders(ctx context.Context, g metric, count int, order func(p int) []int32, use func(p int, scores []float64)) {
	n := g.order()
	team := block.TeamUntil(ctx, n, g.width(), count)
	defer team.Close()
	orders, sums := make([][]int32, count), make([][]float64, count)
	team.Do(count, func(p int) { orders[p], sums[p] = order(p), make([]float64, n) })
	if ctx.Err() != nil {
		return // orders are missing
	}
	g.sums(team, orders, sums)
	if ctx.Err() != nil {
		return
	}
	team.Do(count, func(p int) {
		scores := sums[p][:n-1]
		for k, sum := range scores {
			rows := float64(k + 1)
			scores[k] = m.score(k+1, float64(sum*float64(n))/float64(rows*(float64(n)-rows)))
		}
		use(p, scores)
	})
}

// order returns the rows in permutation number p, which depends on the seed and p alone.
func (o ChangeOptions) order(n, p int) []int32 {
	blocks := make([]int, n/o.Block)
	for i := range blocks {
		blocks[i] = i
	}
	random := splitmix.Random(splitmix.At(o.Seed, uint64(p)))
	random.Shuffle(blocks, len(blocks)-1)
	order := make([]int32, 0, n)
	for _, b := range blocks {
		for i := range o.Block {
			order = append(order, int32(b*o.Block+i))
		}
	}
	for i := len(order); i < n; i++ {
		order = append(order, int32(i))
	}
	return order
}
