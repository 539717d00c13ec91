package main

import (
	"fmt"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
)

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
		must.Equal(t, fmt.Sprintf("median(%v)", c.values), median(c.values), c.want)
	}
}

// The ratio is of times that were measured in the same round.
func TestRatio(t *testing.T) {
	a, b := []float64{2, 40, 600}, []float64{1, 10, 200, 7}
	must.Equal(t, fmt.Sprintf("ratio(%v, %v)", a, b), ratio(a, b), 3)
}
