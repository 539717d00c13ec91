package assess

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Interval is a 95 % interval.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Bootstrap returns the percentile intervals of statistics of n rows: of 500 samples of the rows
// with a fixed seed, each given by how often it has every row. A statistic that is NaN for a
// sample is left out of it.
func Bootstrap(n int, statistics func(times []float64) []float64) (intervals []Interval) {
	const samples = 500
	r := rand.New(rand.NewPCG(0, 0))
	var values [][]float64
	times := make([]float64, n)
	for range samples {
		clear(times)
		for range n {
			times[r.IntN(n)]++
		}
		for k, v := range statistics(times) {
			if k == len(values) {
				values = append(values, nil)
			}
			if !math.IsNaN(v) {
				values[k] = append(values[k], v)
			}
		}
	}
	for _, v := range values {
		if len(v) == 0 {
			v = []float64{math.NaN()}
		}
		slices.Sort(v)
		cut := len(v) / 40
		intervals = append(intervals, Interval{v[cut], v[len(v)-1-cut]})
	}
	return intervals
}
