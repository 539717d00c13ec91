package fisher

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// Classes says which class each row is of, and what the rows weigh: a row of weight 2 is as
// good as two rows.
type Classes struct {
	Codes   []int     // the class of each row
	Counts  []int     // how many rows each class has
	Sizes   []float64 // what they weigh together
	Weights Weights
}

// NewClasses returns c classes of rows with those codes and weights.
func NewClasses(codes []int, c int, weights Weights) *Classes {
	k := &Classes{Codes: codes, Counts: make([]int, c), Sizes: make([]float64, c), Weights: weights}
	low := make([]float64, c)
	for i, j := range codes {
		k.Counts[j]++
		k.Sizes[j], low[j] = addTo(k.Sizes[j], low[j], weights.Of(i))
	}
	for j, l := range low {
		k.Sizes[j] += l
	}
	return k
}

// Total returns what all rows weigh.
func (k *Classes) Total() float64 { return k.Weights.Total(len(k.Codes)) }

// Means writes to means, by class, the mean of the values of that class.
func (k *Classes) Means(means, values []float64) {
	clear(means)
	for m, v := range values {
		means[k.Codes[m]] += float64(k.Weights.Of(m) * v)
	}
	for j, l := range k.Sizes {
		means[j] /= l
	}
}

// rootMeans writes to means, by class, what the values of that class hold of √w: their mean
// without weights, Σ√wᵢvᵢ/Σwᵢ with weights, whose roots are given.
func (k *Classes) rootMeans(means, values, roots []float64) {
	if roots == nil {
		k.Means(means, values)
		return
	}
	clear(means)
	for m, v := range values {
		means[k.Codes[m]] = math.FMA(roots[m], v, means[k.Codes[m]])
	}
	for j, l := range k.Sizes {
		means[j] /= l
	}
}

// Centroids returns the c×p class means of the n×p projections z.
func (k *Classes) Centroids(z *matrix.Dense) *matrix.Dense {
	m := matrix.New(len(k.Sizes), z.Cols)
	for i, j := range k.Codes {
		to, weight := m.Row(j), k.Weights.Of(i)
		for p, v := range z.Row(i) {
			to[p] += float64(weight * v)
		}
	}
	for j, l := range k.Sizes {
		row := m.Row(j)
		for p := range row {
			row[p] /= l
		}
	}
	return m
}

// Deviations returns t minus the mean of each row's class, times the root of its weight.
func (k *Classes) Deviations(t, means *matrix.Dense) *matrix.Dense {
	d := matrix.New(t.Rows, t.Cols)
	for i, j := range k.Codes {
		for p, v := range t.Row(i) {
			d.Row(i)[p] = v - means.At(j, p)
		}
	}
	return k.Weights.TimesRoots(d)
}

// Of returns the classes of some rows.
func (k *Classes) Of(rows []int) *Classes {
	codes := make([]int, len(rows))
	for i, r := range rows {
		codes[i] = k.Codes[r]
	}
	return NewClasses(codes, len(k.Counts), k.Weights.Some(rows))
}
