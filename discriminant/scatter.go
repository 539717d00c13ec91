package discriminant

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// traceWithin returns tr(N) = Σᵢ Σⱼ Σ_{k in class j} (Kᵢₖ − meanᵢⱼ)², by two
// passes over each row: never negative, no cancellation. Cost: O(n²).
func traceWithin(k *matrix.Dense, codes, counts []int) float64 {
	means := make([]float64, len(counts))
	perRow := make([]float64, k.Rows)
	for i := range k.Rows {
		row := k.Row(i)
		classMeans(means, row, codes, counts)
		ss := 0.0
		for m, v := range row {
			d := v - means[codes[m]]
			ss = math.FMA(d, d, ss)
		}
		perRow[i] = ss
	}
	return matrix.Sum(perRow)
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
