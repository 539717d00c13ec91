package inference

import (
	"fmt"
	"slices"
	"sort"

	"github.com/seed92411348/kfda/discriminant"
)

// Corrected returns the p-values of several tests of the same rows, such as with several kernels or
// ridges, corrected for their number: of the best of them, too, it is at most α with a probability of at most
// α if the classes do not differ. It is the single-step minP correction of Westfall and Young 1993: with
// pⱼ(π) the rank of the statistic of labelling π among those of test j,
//
//	p̃ⱼ = #{π : min_l p_l(π) ≤ pⱼ} / (1 + B)
//
// over the permutations and the labels as they are. The tests must have had the same permutations: the
// same rows and labels in the same order, seed, number, strata and groups. Another number is a
// *[discriminant.ParameterError]; the rest is up to the caller. Cost: B·log B for each test.
func Corrected(statistics []float64, permuted []*Permutations) ([]float64, error) {
	if len(statistics) != len(permuted) || len(statistics) == 0 {
		panic(fmt.Sprintf("inference: Corrected: %d statistics and %d permutations", len(statistics), len(permuted)))
	}
	count := permuted[0].Count
	least := make([]int, count+1) // the smallest rank of each labelling; the last are those of the rows
	own := make([]int, len(statistics))
	for j, p := range permuted {
		if p.Count != count {
			return nil, &discriminant.ParameterError{Field: "Permutations", Value: fmt.Sprint(p.Count), Reason: fmt.Sprintf("another test has %d; want the same ones in all", count)}
		}
		all := append(slices.Clone(p.Null), statistics[j])
		sorted := slices.Clone(all)
		slices.Sort(sorted)
		for i, v := range all {
			rank := len(sorted) - sort.SearchFloat64s(sorted, v) // how many are at least v
			if least[i] == 0 || rank < least[i] {
				least[i] = rank
			}
			own[j] = rank // in the end that of the rows
		}
	}
	slices.Sort(least)
	corrected := make([]float64, len(own))
	for j, rank := range own {
		corrected[j] = float64(sort.SearchInts(least, rank+1)) / float64(count+1)
	}
	return corrected, nil
}
