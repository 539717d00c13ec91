package inference

import (
	"context"
	"fmt"
	"math"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// Truncation is what [Truncated] finds, with an entry for each number t of directions from 1 on.
type Truncation struct {
	Statistics  []float64 // T_t
	Degrees     []int     // t(c−1)
	P           []float64 // P(χ² ≥ T_t) of so many degrees of freedom
	Eigenvalues []float64 // ℓ_t of PKP, descending
}

// Truncated returns the truncated kernel Fisher statistics of up to most directions (Harchaoui, Bach and
// Moulines; ktest, Ozier-Lafontaine et al., Genome Biology 25, 2024). With P the centring
// within the classes, Q their contrasts and PKP = Σ ℓ_p u_p u_pᵀ, so that ℓ_p/n are the eigenvalues of
// the within-class covariance,
//
//	T_t = Σ_{p≤t} (n/ℓ_p²)·‖u_pᵀPKQ‖²
//
// which no ridge enters. If the classes do not differ it is asymptotically χ² with t(c−1) degrees of
// freedom, for a fixed t and n → ∞. At a small n it is not, as the directions are those of the rows at
// hand: docs/inference.md has figures. The permutations of [Test] need no n → ∞.
//
// An eigenvalue up to max(n, 32√n)·u·max(ℓ₁, max|K|) is rounding: asking for that, or for more than n−c
// directions, is a *[TruncationError]. The errors of labels are those of [Test]. Cost: that of
// [solve.Leading], with 8n² bytes more.
func Truncated[L discriminant.Label](ctx context.Context, s *Sample, labels []L, most int) (*Truncation, error) {
	misuse.NotNil("inference: Truncated", "ctx", ctx, "s", s)
	classes, of, err := classesOf(s, labels, TestOptions{})
	if err != nil {
		return nil, err
	}
	n, c := s.Rows(), len(classes)
	if most < 1 {
		return nil, &discriminant.ParameterError{Field: "most", Value: fmt.Sprint(most), Reason: "want 1 or more"}
	}
	if most > n-c {
		return nil, &TruncationError{Asked: most, Rank: n - c, Most: n - c}
	}
	k, err := s.evaluator.MatrixContext(ctx, nil)
	if err != nil {
		return nil, err
	}
	limit := matrix.MaxAbs(k)
	gram.CentreInPlace(k, matrix.RowMeans(nil, k), func(int, []float64) {})
	products := matrix.Mul(nil, k, matrix.NoTrans, fisher.Contrasts(of), matrix.NoTrans)
	centreWithin(k, of)
	pairs, err := solve.Leading(ctx, k, most)
	if err != nil {
		return nil, err
	}
	limit = float64(float64(math.Max(float64(n), float64(32*math.Sqrt(float64(n))))*f64.Roundoff) * math.Max(limit, pairs.Norm))
	for p, l := range pairs.Values {
		if !(l > limit) {
			return nil, &TruncationError{Asked: most, Rank: p, Most: n - c, Value: l, Limit: limit}
		}
	}
	products = of.Deviations(products, of.Centroids(products))
	parts := matrix.Mul(nil, pairs.Vectors, matrix.Transposed, products, matrix.NoTrans)
	t := &Truncation{Eigenvalues: pairs.Values}
	sum := 0.0
	for p, l := range pairs.Values {
		row := parts.Row(p)
		for j := range row {
			row[j] /= l
		}
		sum += float64(float64(n) * matrix.SumSquares(row))
		t.Statistics = append(t.Statistics, sum)
		t.Degrees = append(t.Degrees, (p+1)*(c-1))
		t.P = append(t.P, chiSquaredSurvival(sum, (p+1)*(c-1)))
	}
	return t, nil
}

// centreWithin overwrites the symmetric k by PKP, exactly symmetric: with the means m of each row over
// each class, and those M of these, kᵢⱼ − (m_{i,c(j)} + m_{j,c(i)}) + M_{c(i),c(j)}.
func centreWithin(k *matrix.Dense, of *fisher.Classes) {
	n, c := k.Rows, len(of.Sizes)
	means := matrix.New(n, c)
	for i := range n {
		of.Means(means.Row(i), k.Row(i))
	}
	all := of.Centroids(means)
	for j := range c {
		for l := range j {
			all.Set(l, j, all.At(j, l))
		}
	}
	team := block.TeamFor(n, n)
	defer team.Close()
	team.Rows(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			own, of, both := of.Codes[i], of.Codes, all.Row(of.Codes[i])
			mean := means.Row(i)
			for j, v := range k.Row(i) {
				k.Row(i)[j] = (v - (mean[of[j]] + means.At(j, own))) + both[of[j]]
			}
		}
	})
}
