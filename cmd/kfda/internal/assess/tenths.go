package assess

import (
	"cmp"
	"math"
	"slices"
)

// Mean is the mean of y over that of x, with a 95 % interval.
type Mean struct{ X, Y, Low, High float64 }

// Tenths divides rows by ascending x into ten parts of as many rows, or one a row where there are
// fewer, and returns the means of each; weights may be nil. The interval, of parts of two rows
// and more, is that of a normal distribution.
func Tenths(x, y, weights []float64) (means []Mean) {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	parts := min(10, len(order))
	for k := range parts {
		rows := order[k*len(order)/parts : (k+1)*len(order)/parts]
		weight := func(i int) float64 {
			if weights == nil {
				return 1
			}
			return weights[i]
		}
		var m Mean
		total, variance := 0.0, 0.0
		for _, i := range rows {
			total += weight(i)
			m.X, m.Y = m.X+weight(i)*x[i], m.Y+weight(i)*y[i]
		}
		m.X, m.Y = m.X/total, m.Y/total
		for _, i := range rows {
			variance += (weight(i) / total * (y[i] - m.Y)) * (weight(i) / total * (y[i] - m.Y))
		}
		half := 0.0
		if n := float64(len(rows)); n > 1 {
			half = z95 * math.Sqrt(variance*n/(n-1))
		}
		m.Low, m.High = m.Y-half, m.Y+half
		means = append(means, m)
	}
	return means
}
