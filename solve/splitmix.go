package solve

import "github.com/seed92411348/kfda/internal/splitmix"

// fillRandom fills x with the next numbers, uniform in [-1, 1).
func fillRandom(numbers *splitmix.Random, x []float64) {
	for i := range x {
		x[i] = float64(float64(int64(numbers.Next())>>11) * 0x1p-52)
	}
}
