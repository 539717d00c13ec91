package inference

import (
	"context"
	"fmt"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
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
	pairs, err := s.rows.within(ctx, of, most)
	if err != nil {
		return nil, err
	}
	for p, l := range pairs.values {
		if !(l > pairs.limit) {
			return nil, &TruncationError{Asked: most, Rank: p, Most: n - c, Value: l, Limit: pairs.limit}
		}
	}
	t := &Truncation{Eigenvalues: pairs.values}
	sum := 0.0
	for p := range pairs.values {
		sum += float64(float64(n) * matrix.SumSquares(pairs.parts.Row(p)))
		t.Statistics = append(t.Statistics, sum)
		t.Degrees = append(t.Degrees, (p+1)*(c-1))
		t.P = append(t.P, chiSquaredSurvival(sum, (p+1)*(c-1)))
	}
	return t, nil
}
