package plural

import (
	"fmt"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
)

func TestCount(t *testing.T) {
	for _, c := range []struct {
		n           int
		thing, want string
	}{{0, "row", "0 rows"}, {1, "row", "1 row"}, {2, "row", "2 rows"}, {1, "class", "1 class"}, {3, "class", "3 classes"}, {1, "incomplete row", "1 incomplete row"}} {
		must.Equal(t, fmt.Sprintf("%d of %q", c.n, c.thing), Count(c.n, c.thing), c.want)
	}
}
