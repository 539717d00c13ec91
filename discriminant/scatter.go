package discriminant

import (
	"math"

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
	means, weights := make([]float64, len(counts)), make([]float64, len(counts))
	for j, l := range counts {
		weights[j] = scatter.weight(l)
	}
	perRow := make([]float64, k.Rows)
	for i := range k.Rows {
		row := k.Row(i)
		classMeans(means, row, codes, counts)
		ss := 0.0
		for m, v := range row {
			d := v - means[codes[m]]
			ss = math.FMA(float64(weights[codes[m]]*d), d, ss)
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
