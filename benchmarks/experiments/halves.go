package main

import (
	"fmt"
	"math"

	"github.com/seed92411348/kfda/discriminant/cv"
)

// halfSplits is the number of divisions of a set into halves, of the seeds 0, 1, ….
const halfSplits = 20

// halves divides rows with those labels into training and test rows: halfSplits times
// into stratified halves, or into the first train rows and the rest.
func halves(labels []int, train int) ([]*cv.Folds, error) {
	if train > 0 {
		own, err := firstRows(train, len(labels))
		return []*cv.Folds{own}, err
	}
	splits := make([]*cv.Folds, halfSplits)
	for seed := range splits {
		var err error
		if splits[seed], err = cv.Stratified(labels, 2, uint64(seed)); err != nil {
			return nil, fmt.Errorf("halves: %w", err)
		}
	}
	return splits, nil
}

// meanError returns the mean share of wrong rows in % of the tested ones and its standard
// error: over the splits, or over the rows of the only one.
func meanError(wrong []int, tested int) (mean, standardError float64) {
	shares := make([]float64, len(wrong))
	for i, w := range wrong {
		shares[i] = 100 * float64(w) / float64(tested)
	}
	mean, standardError = meanAndStandardError(shares)
	if len(wrong) == 1 {
		standardError = math.Sqrt(mean * (100 - mean) / float64(tested))
	}
	return mean, standardError
}

// errorRatio returns the ratio of two sums of errors in the splits that both have, with
// half an error added to each.
func errorRatio(a, b []int) float64 {
	sum := [2]float64{0.5, 0.5}
	for i := range min(len(a), len(b)) {
		sum[0] += float64(a[i])
		sum[1] += float64(b[i])
	}
	return sum[0] / sum[1]
}

func geometricMean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(values)))
}

// clearlyWorse reports whether a has more errors than b by more than a standard error of
// their difference.
func clearlyWorse(a, b []int, tested int) bool {
	n := min(len(a), len(b))
	if n == 1 {
		x, standardError := meanError(a[:1], tested)
		y, _ := meanError(b[:1], tested)
		return x-y > standardError
	}
	more := make([]float64, n)
	for i := range more {
		more[i] = float64(a[i] - b[i])
	}
	mean, standardError := meanAndStandardError(more)
	return mean > standardError
}
