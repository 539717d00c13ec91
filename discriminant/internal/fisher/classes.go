package fisher

import "github.com/seed92411348/kfda/matrix"

// ClassMeans writes to means, by class, the mean of the values of that class.
func ClassMeans(means, values []float64, codes, counts []int) {
	clear(means)
	for m, v := range values {
		means[codes[m]] += v
	}
	for j, l := range counts {
		means[j] /= float64(l)
	}
}

// Centroids returns the c×p class means of the n×p projections z.
func Centroids(z *matrix.Dense, codes, counts []int) *matrix.Dense {
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

// ClassCounts returns how many rows each of the c classes has.
func ClassCounts(codes []int, c int) []int {
	counts := make([]int, c)
	for _, j := range codes {
		counts[j]++
	}
	return counts
}

// Deviations returns t minus the mean of each row's class.
func Deviations(t, means *matrix.Dense, codes []int) *matrix.Dense {
	d := matrix.New(t.Rows, t.Cols)
	for i, j := range codes {
		for k, v := range t.Row(i) {
			d.Row(i)[k] = v - means.At(j, k)
		}
	}
	return d
}
