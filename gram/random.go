package gram

import "github.com/seed92411348/kfda/internal/splitmix"

// randomSample returns k different numbers from 0 to n−1 in random order.
func randomSample(random *splitmix.Random, n, k int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	random.Shuffle(all, k)
	return all[:k]
}
