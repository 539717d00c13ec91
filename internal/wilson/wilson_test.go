package wilson

import (
	"math"
	"testing"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// The ends are the shares that k of n is just 1.96 standard deviations from.
func TestOf(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{{8, 10, 0.4901625, 0.9433178}, {0, 10, 0, 0.2775328}, {10, 10, 0.7224672, 1}, {50, 100, 0.4038315, 0.5961685}, {0, 0, 0, 1}} {
		low, high := Of(c.k, c.n)
		near(t, "low", low, c.low, 1e-7)
		near(t, "high", high, c.high, 1e-7)
		for _, p := range []float64{low, high} {
			if p > 0 && p < 1 {
				n := float64(c.n)
				near(t, "deviations", math.Abs(float64(c.k)/n-p)/math.Sqrt(p*(1-p)/n), 1.9599639845, 1e-8)
			}
		}
	}
}
