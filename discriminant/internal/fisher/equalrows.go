package fisher

import (
	"cmp"
	"slices"

	"github.com/seed92411348/kfda/matrix"
)

// firstEqual returns, for each row of k, the first row that is equal to it.
func firstEqual(k *matrix.Dense) []int {
	order := make([]int, k.Rows)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(slices.Compare(k.Row(a), k.Row(b)), cmp.Compare(a, b))
	})
	first := make([]int, k.Rows)
	for at, i := range order {
		first[i] = i
		if at > 0 && slices.Equal(k.Row(order[at-1]), k.Row(i)) {
			first[i] = first[order[at-1]]
		}
	}
	return first
}
