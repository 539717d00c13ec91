package inference

import (
	"context"
	"math"
	"slices"
	"sort"

	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// NovelRows says how unlike the rows of a sample new ones are, without regard to labels (after Roth,
// Outlier detection with one-class kernel Fisher discriminants, 2004).
//
// The distance is D²(x) = (n/ε)[k_c(x, x) − k_c(x)ᵀ(HKH + εI)⁻¹k_c(x)], that of Mahalanobis from
// the mean in the space of the kernel with the covariance of the rows plus ε/n.
//
// Of k(x, x) landmarks leave a part, which is added: that of the rows of the sample is in no covariance.
//
// The p-value ranks τ, the inverse of the last of the diagonal of the matrix of n + 1 rows (see the
// package), among those inverses, with what landmarks leave over ε: the larger, the farther is a row
// from the n others. Theorem (full
// conformal, Vovk, Gammerman and Shafer 2005, chapter 2): if new row and training rows are
// exchangeable, and kernel and ridge are fixed without looking at them, the p-value is at most α
// with a probability of at most α. It is 1/(n + 1) at least. P-values of several new rows share the
// training rows, so that they are not independent: that they are uniform as a whole is no test of
// whether the new rows are like the training rows.
type NovelRows struct {
	Distances []float64 // D² of the new rows
	PValues   []float64

	// Those of the training rows, each from the others.
	TrainingDistances, TrainingPValues []float64
}

// Novelty returns how unlike the rows of the sample those of y are. Cost: n³/3 flops once for a sample,
// then 2n² for each row. Errors are those of [PredictionSets], but for labels.
func Novelty(ctx context.Context, s *Sample, y *matrix.Dense) (*NovelRows, error) {
	misuse.NotNil("inference: Novelty", "ctx", ctx, "the Sample", s, "y", y)
	diagonal, err := s.diagonalOf(ctx)
	if err != nil {
		return nil, err
	}
	n, equal := len(diagonal), s.equalTo()
	r := &NovelRows{
		Distances: make([]float64, y.Rows), PValues: make([]float64, y.Rows),
		TrainingDistances: make([]float64, n), TrainingPValues: make([]float64, n),
	}
	left := s.rows.left()
	if left == nil {
		left = make([]float64, n)
	}
	far := make([]float64, n) // with n − 1 rows in place of n, 1/Gᵢᵢ is the τ of row i
	for i, g := range diagonal {
		far[i] = 1/g + left[i]
		r.TrainingDistances[i] = math.Max(0, float64(float64(n-1)*((1/g-1)+left[i]))-1)
	}
	ascending := slices.Sorted(slices.Values(far))
	for i, d := range far {
		least := d / (1 + equal)
		nearer := sort.Search(n, func(k int) bool { return ascending[k] >= least })
		r.TrainingPValues[i] = float64(n-nearer) / float64(n)
	}
	return r, s.eachNew(ctx, y, func(a augmented) {
		r.Distances[a.row] = float64(float64(n) * (a.spread + a.left))
		least, count := (a.tau+a.left)/(1+equal), 1
		for i, v := range a.v {
			if 1/math.FMA(v/a.tau, v, diagonal[i])+left[i] >= least {
				count++
			}
		}
		r.PValues[a.row] = float64(count) / float64(n+1)
	})
}

// Discoveries returns how many of the smallest of some p-values the procedure of Benjamini and Hochberg
// (1995) takes for rows that are new, at a false discovery rate of level: the largest k with the
// k-th smallest at most level·k/m. The rate is that for independent p-values; those of [Novelty] share
// their training rows, for which it is not proven.
func Discoveries(p []float64, level float64) int {
	sorted := slices.Sorted(slices.Values(p))
	for k := len(sorted); k > 0; k-- {
		if sorted[k-1] <= float64(level*float64(k))/float64(len(sorted)) {
			return k
		}
	}
	return 0
}
