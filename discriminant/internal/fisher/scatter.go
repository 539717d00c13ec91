package fisher

import (
	"math"

	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// classWeights returns the factor of each class in the within-class scatter.
func classWeights(sizes []float64, averaged bool) []float64 {
	weights := make([]float64, len(sizes))
	for j, l := range sizes {
		weights[j] = 1
		if averaged {
			weights[j] = 1 / l
		}
	}
	return weights
}

// traceWithin returns tr(N) = Σᵢ Σⱼ wⱼ Σ_{k in class j} (Kᵢₖ − meanᵢⱼ)², by two
// passes over each row: never negative, no cancellation. Cost: O(n²). With weights K is DKD,
// and the mean of a class is its share of √w.
func traceWithin(k *matrix.Dense, of *Classes, averaged bool) float64 {
	weights := classWeights(of.Sizes, averaged)
	perRow := make([]float64, k.Rows)
	if of.Weights != nil {
		roots := of.Weights.roots()
		eachRow(k, func(i int, row []float64) { perRow[i] = of.weighedWithin(row, roots, weights) })
		return matrix.Sum(perRow)
	}
	team := block.TeamFor(k.Rows, k.Cols, 8)
	defer team.Close()
	team.Rows(k.Rows, func(lo, hi int) {
		means := make([][4]float64, len(of.Counts))
		for i := lo; i < hi; i += 4 {
			var rows [4][]float64
			for r := range rows {
				rows[r] = k.Row(min(i+r, hi-1))
			}
			squares := squaresWithin(&rows, means, of.Codes, of.Counts, weights)
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

// weighedWithin returns what a row of DKD adds to the trace.
func (k *Classes) weighedWithin(row, roots, weights []float64) float64 {
	means := make([]float64, len(k.Sizes))
	k.rootMeans(means, row, roots)
	sum := 0.0
	for m, j := range k.Codes {
		d := math.FMA(-roots[m], means[j], row[m])
		sum = math.FMA(float64(weights[j]*d), d, sum)
	}
	return sum
}
