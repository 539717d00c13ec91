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

// uniform returns a multiple of 2⁻⁵³ from 0 on and below 1, all equally likely.
func uniform(random *splitmix.Random) float64 {
	return float64(float64(random.Next()>>11) * 0x1p-53)
}
