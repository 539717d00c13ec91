package inference

import (
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// complement is G = H − WWᵀ by the rows of an n×m W, whose columns sum to zero: for k rows with the sum P of
// rows of W the sum of its entries is k(n−k)/n − ‖P‖².
type complement struct{ *matrix.Dense }

// leastRows is from how many rows for each column of W on it is used: for fewer, G takes as little memory and
// less time.
const leastRows = 2

// newComplement centres the columns of w.
func newComplement(w *matrix.Dense) complement {
	centreColumns(w)
	return complement{w}
}

// centreColumns takes the mean of the rows off each. Cost: 2nm additions.
func centreColumns(x *matrix.Dense) {
	ones := make([]float64, x.Rows)
	for i := range ones {
		ones[i] = 1
	}
	sums := matrix.MulVec(nil, x, matrix.Transposed, ones)
	team := block.TeamFor(x.Rows, x.Cols)
	defer team.Close()
	team.Rows(x.Rows, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for j, v := range x.Row(i) {
				x.Row(i)[j] = v - sums[j]/float64(x.Rows)
			}
		}
	})
}

func (g complement) order() int { return g.Rows }
func (g complement) width() int { return 2 * g.Cols }

// moments are those of WWᵀ, whose score is the same: what rows that differ little say is not lost beside H. Cost:
// nm² flops.
func (g complement) moments() *moments {
	return newMoments(g.sizes(), squareOf(matrix.SymRankK(nil, g.Dense, matrix.Transposed)))
}

// sizes returns the squares ‖wᵢ‖².
func (g complement) sizes() []float64 {
	sizes := make([]float64, g.Rows)
	for i := range sizes {
		sizes[i] = matrix.SumSquares(g.Row(i))
	}
	return sizes
}

func squareOf(a *matrix.Dense) float64 {
	norm := matrix.NormFrobenius(a)
	return float64(norm * norm)
}

// entriesOfAll returns k(n−k)/n, the sum of entries of H for k rows.
func (g complement) entriesOfAll(k int) float64 {
	return float64(float64(k)*float64(g.Rows-k)) / float64(g.Rows)
}

// splits returns 1/(1+λ) of the splits after row k = 1 … n−1, where λ is at most so large, with an error of some
// roundings of 1: P is summed in doubled precision. Cost: 10nm flops.
func (g complement) splits(most float64) []float64 {
	sigma := make([]float64, g.Rows-1)
	sums, low, p := make([]float64, g.Cols), make([]float64, g.Cols), make([]float64, g.Cols)
	for i := range sigma {
		for j, v := range g.Row(i) {
			sums[j], low[j] = f64.AddProduct(sums[j], low[j], 1, v)
			p[j] = sums[j] + low[j]
		}
		sigma[i] = math.Max(1-matrix.SumSquares(p)/g.entriesOfAll(i+1), 1/(1+most))
	}
	return sigma
}

// sums take 3nm flops for each order.
func (g complement) sums(team *block.Team, orders [][]int32, to [][]float64) {
	none := make([]float64, g.Cols)
	team.Do(len(orders), func(o int) {
		p := make([]float64, g.Cols)
		row := func(k int) []float64 {
			if k >= g.Rows {
				return none
			}
			return g.Row(int(orders[o][k]))
		}
		for k := 0; k < g.Rows; k += 4 {
			squares := addRows(p, row(k), row(k+1), row(k+2), row(k+3))
			for i := range to[o][k:min(k+4, g.Rows)] {
				to[o][k+i] = g.entriesOfAll(k+i+1) - squares[i]
			}
		}
	})
}

// addRows adds rows to p, and returns ‖p‖² after each.
func addRows(p, w0, w1, w2, w3 []float64) [4]float64 {
	w0, w1, w2, w3 = w0[:len(p)], w1[:len(p)], w2[:len(p)], w3[:len(p)]
	var a, b, c, d float64
	for j, v := range p {
		v += w0[j]
		a += float64(v * v)
		v += w1[j]
		b += float64(v * v)
		v += w2[j]
		c += float64(v * v)
		v += w3[j]
		d += float64(v * v)
		p[j] = v
	}
	return [4]float64{a, b, c, d}
}

// endsAtOnce is for how many rows the sums of segments that end there are found at once.
const endsAtOnce = 64

// ending takes products of the sums of the first rows: n²m flops, for some rows at a time.
func (g complement) ending() func(j int) []float64 {
	first := matrix.New(g.Rows+1, g.Cols) // the sum of the rows before
	sizes, all := make([]float64, g.Rows+1), make([]float64, g.Rows+1)
	for i := range g.Rows {
		sum := first.Row(i + 1)
		for j, v := range g.Row(i) {
			sum[j] = first.Row(i)[j] + v
		}
		sizes[i+1], all[i+1] = matrix.SumSquares(sum), g.entriesOfAll(i+1)
	}
	buffer := matrix.New(min(endsAtOnce, g.Rows), g.Rows)
	return func(j int) []float64 {
		at := (j - 1) % endsAtOnce
		if at == 0 {
			count := min(endsAtOnce, g.Rows-j+1)
			sums := buffer.View(0, 0, count, j+count-1)
			matrix.Mul(sums, first.View(j, 0, count, g.Cols), matrix.NoTrans, first.View(0, 0, sums.Cols, g.Cols), matrix.Transposed)
			team := block.TeamFor(count, sums.Cols)
			defer team.Close()
			team.Do(count, func(c int) {
				to := j + c
				for i, product := range sums.Row(c)[:to] {
					sums.Row(c)[i] = all[to-i] - ((sizes[i] + sizes[to]) - float64(2*product))
				}
			})
		}
		return buffer.Row(at)[:j]
	}
}

func (g complement) part(from, to int) metric {
	part := newComplement(g.View(from, 0, to-from, g.Cols).Clone())
	if part.Rows > leastRows*part.Cols {
		return part
	}
	all := matrix.New(part.Rows, part.Rows)
	for i := range all.Rows {
		for j := range all.Row(i) {
			all.Row(i)[j] = -1 / float64(part.Rows)
		}
		all.Row(i)[i]++
	}
	matrix.SubMul(all, part.Dense, matrix.NoTrans, part.Dense, matrix.Transposed)
	return entries{all}
}
