package pages

import (
	"runtime"
	"testing"
)

// What was left is taken again: the smallest that is large enough, none that is far too
// large; and a collection takes it.
func TestLeftovers(t *testing.T) {
	runtime.GC()
	sizes := []int{1000, 300, 100, 5000}
	left := make([]*[]float64, len(sizes))
	for i, n := range sizes {
		x := make([]float64, n)
		left[i] = &x
		Leave(left[i])
	}
	for _, c := range []struct{ n, want int }{{200, 1}, {200, 0}, {200, -1}, {100, 2}, {700, 3}} {
		got := Take(c.n)
		switch {
		case len(*got) < c.n:
			t.Errorf("Take(%d) has %d values", c.n, len(*got))
		case c.want >= 0 && got != left[c.want]:
			t.Errorf("Take(%d) has %d values, want those that were left with %d", c.n, len(*got), sizes[c.want])
		case c.want < 0 && len(*got) != c.n:
			t.Errorf("Take(%d) has %d values though nothing near that is left", c.n, len(*got))
		}
	}
	runtime.KeepAlive(left)
	x := make([]float64, 1003)
	Leave(&x)
	runtime.GC()
	if got := Take(1000); len(*got) != 1000 {
		t.Errorf("%d values after a collection, want new ones", len(*got))
	}
}
