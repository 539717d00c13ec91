package main

import "math/rand/v2"

const (
	foldCount = 5
	foldSeed  = 1999
)

// stratifiedFolds deals rows with those labels out to k folds: each class in a
// random order that depends on the seed and the stream alone, each class going on
// where the one before it stopped. So the folds' sizes differ by one row at most,
// and so do their shares of each class. It returns the fold of each row.
func stratifiedFolds(labels []int, k int, seed, stream uint64) []int {
	random := rand.New(rand.NewPCG(seed, stream))
	folds := make([]int, len(labels))
	next := 0
	for _, class := range []int{-1, 1} {
		var rows []int
		for i, label := range labels {
			if label == class {
				rows = append(rows, i)
			}
		}
		random.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		for _, row := range rows {
			folds[row] = next % k
			next++
		}
	}
	return folds
}

// divide returns the indices outside and inside a fold, ascending.
func divide(folds []int, fold int) (outside, inside []int) {
	for i, f := range folds {
		if f == fold {
			inside = append(inside, i)
		} else {
			outside = append(outside, i)
		}
	}
	return outside, inside
}
