package main

import (
	"reflect"
	"testing"
)

// someLabels returns n labels, a third of them 1.
func someLabels(n int) []int {
	labels := make([]int, n)
	for i := range labels {
		labels[i] = -1
		if i%3 == 0 {
			labels[i] = 1
		}
	}
	return labels
}

func TestFoldsAreStratified(t *testing.T) {
	for _, n := range []int{5, 23, 100, 171} {
		labels := someLabels(n)
		folds := stratifiedFolds(labels, foldCount, foldSeed, 1)
		var sizes [foldCount]int
		var classes [2][foldCount]int
		for i, f := range folds {
			sizes[f]++
			classes[(labels[i]+1)/2][f]++
		}
		for _, counts := range [][foldCount]int{sizes, classes[0], classes[1]} {
			least, most := counts[0], counts[0]
			for _, c := range counts {
				least, most = min(least, c), max(most, c)
			}
			if most-least > 1 {
				t.Errorf("%d rows: counts by fold %v differ by more than one", n, counts)
			}
		}
	}
}

// The folds depend on the seed and the stream alone, and are the same in every
// version of Go: published results can be repeated.
func TestFoldsAreDeterministic(t *testing.T) {
	labels := someLabels(12)
	folds := stratifiedFolds(labels, foldCount, foldSeed, 1)
	if want := []int{3, 4, 3, 0, 2, 0, 1, 1, 1, 4, 2, 0}; !reflect.DeepEqual(folds, want) {
		t.Errorf("folds %v, want %v", folds, want)
	}
	if again := stratifiedFolds(labels, foldCount, foldSeed, 1); !reflect.DeepEqual(folds, again) {
		t.Errorf("folds %v, then %v", folds, again)
	}
	labels = someLabels(100)
	folds = stratifiedFolds(labels, foldCount, foldSeed, 1)
	for _, other := range [][]int{
		stratifiedFolds(labels, foldCount, foldSeed, 2),
		stratifiedFolds(labels, foldCount, foldSeed+1, 1),
	} {
		if reflect.DeepEqual(folds, other) {
			t.Error("another seed or stream gives the same folds")
		}
	}
}

func TestDivide(t *testing.T) {
	outside, inside := divide([]int{0, 1, 2, 1}, 1)
	if !reflect.DeepEqual(outside, []int{0, 2}) || !reflect.DeepEqual(inside, []int{1, 3}) {
		t.Errorf("outside %v, inside %v", outside, inside)
	}
}
