package plural

import "testing"

func TestCount(t *testing.T) {
	for _, c := range []struct {
		n           int
		thing, want string
	}{{0, "row", "0 rows"}, {1, "row", "1 row"}, {2, "row", "2 rows"}, {1, "class", "1 class"}, {3, "class", "3 classes"}, {1, "incomplete row", "1 incomplete row"}} {
		if got := Count(c.n, c.thing); got != c.want {
			t.Errorf("%d of %q are %q, want %q", c.n, c.thing, got, c.want)
		}
	}
}
