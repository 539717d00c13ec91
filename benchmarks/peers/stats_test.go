package main

import "testing"

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{
		{nil, 0},
		{[]float64{3}, 3},
		{[]float64{3, 1}, 2},
		{[]float64{9, 1, 2}, 2},
	} {
		if got := median(c.values); got != c.want {
			t.Errorf("median(%v) = %v, want %v", c.values, got, c.want)
		}
	}
}

// The ratio is of times that were measured in the same round.
func TestRatio(t *testing.T) {
	a, b := []float64{2, 40, 600}, []float64{1, 10, 200, 7}
	if got := ratio(a, b); got != 3 {
		t.Errorf("ratio(%v, %v) = %v, want 3", a, b, got)
	}
}
