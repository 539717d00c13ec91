package discriminant

import (
	"math"

	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// Scatter says how the classes enter the scatter matrices.
type Scatter uint8

const (
	// SummedScatter weighs every row alike:
	//
	//	N = Σⱼ Kⱼ(I − 1/lⱼ)Kⱼᵀ,  M = Σⱼ lⱼ(Mⱼ − M*)(Mⱼ − M*)ᵀ
	SummedScatter Scatter = iota
	// AveragedScatter weighs every class alike, whatever its size:
	//
	//	N = Σⱼ (1/lⱼ) Kⱼ(I − 1/lⱼ)Kⱼᵀ,  M = Σ_{i<j} (Mᵢ − Mⱼ)(Mᵢ − Mⱼ)ᵀ
	//
	// N is then formed and factored, at the price of a squared condition number
	// and of twice the memory.
	AveragedScatter
)

// String returns "sum" or "averaged".
func (s Scatter) String() string {
	switch s {
	case SummedScatter:
		return "sum"
	case AveragedScatter:
		return "averaged"
	}
	return "invalid"
}

// weight returns the factor of the within-class scatter of a class of l rows.
func (s Scatter) weight(l int) float64 {
	if s == AveragedScatter {
		return 1 / float64(l)
	}
	return 1
}

// traceWithin returns tr(N) = Σᵢ Σⱼ wⱼ Σ_{k in class j} (Kᵢₖ − meanᵢⱼ)², by two
// passes over each row: never negative, no cancellation. Cost: O(n²).
func traceWithin(k *matrix.Dense, codes, counts []int, scatter Scatter) float64 {
	weights := make([]float64, len(counts))
	for j, l := range counts {
		weights[j] = scatter.weight(l)
	}
	perRow := make([]float64, k.Rows)
	team := block.TeamFor(k.Rows, k.Cols, 8)
	defer team.Close()
	team.Rows(k.Rows, func(lo, hi int) {
		means := make([][4]float64, len(counts))
		for i := lo; i < hi; i += 4 {
			var rows [4][]float64
			for r := range rows {
				rows[r] = k.Row(min(i+r, hi-1))
			}
			squares := squaresWithin(&rows, means, codes, counts, weights)
			copy(perRow[i:hi], squares[:])
		}
	})
	return matrix.Sum(perRow)
}

// squaresWithin returns, for four rows side by side, the weighted sum of the squared
// distances of the values from the means of their classes, which it leaves in means.
func squaresWithin(rows *[4][]float64, means [][4]float64, codes, counts []int, weights []float64) [4]float64 {
	n := len(codes)
	r0, r1, r2, r3 := rows[0][:n], rows[1][:n], rows[2][:n], rows[3][:n]
	clear(means)
	for m, j := range codes {
		c := &means[j]
		c[0] += r0[m]
		c[1] += r1[m]
		c[2] += r2[m]
		c[3] += r3[m]
	}
	for j, l := range counts {
		for r := range means[j] {
			means[j][r] /= float64(l)
		}
	}
	var s0, s1, s2, s3 float64
	for m, j := range codes {
		c, w := &means[j], weights[j]
		d0, d1, d2, d3 := r0[m]-c[0], r1[m]-c[1], r2[m]-c[2], r3[m]-c[3]
		s0 = math.FMA(float64(w*d0), d0, s0)
		s1 = math.FMA(float64(w*d1), d1, s1)
		s2 = math.FMA(float64(w*d2), d2, s2)
		s3 = math.FMA(float64(w*d3), d3, s3)
	}
	return [4]float64{s0, s1, s2, s3}
}

// classMeans writes to means, by class, the mean of the values of that class.
func classMeans(means, values []float64, codes, counts []int) {
	clear(means)
	for m, v := range values {
		means[codes[m]] += v
	}
	for j, l := range counts {
		means[j] /= float64(l)
	}
}

// centroidsOf returns the c×p class means of the n×p projections z.
func centroidsOf(z *matrix.Dense, codes, counts []int) *matrix.Dense {
	m := matrix.New(len(counts), z.Cols)
	for i, j := range codes {
		to := m.Row(j)
		for p, v := range z.Row(i) {
			to[p] += v
		}
	}
	for j, l := range counts {
		row := m.Row(j)
		for p := range row {
			row[p] /= float64(l)
		}
	}
	return m
}
